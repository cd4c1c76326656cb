"""The description of Sticheln."""

from stichwerk.games.info import (
    CARD,
    ONE_CARD,
    OVER,
    Form,
    GameDescription,
    Key,
    Ladder,
    Moment,
    Phase,
    Reference,
    Spaces,
    Training,
    Trials,
    Variant,
)
from stichwerk.games.sticheln import Sticheln

INFO = GameDescription(
    rules=Sticheln,
    authors=("Klaus Palesch",),
    minutes=(25, 40),
    first_choice=True,  # the easiest to learn
    hides_score=True,  # won tricks are face down
    prompts={"pain": "ask-pain"},
    revealed="pain-shown",
    moments={
        "pain": Moment(
            "Choosing your pain colour", ("rule-pain", "rule-pain-counts"), heading="do-pain"
        ),
        "lead": Moment("Playing", ("rule-any-card", "rule-start-colour"), heading="do-lead"),
        "follow": Moment(
            "Who takes the trick?",
            ("rule-any-card", "rule-other-colours", "rule-zeros"),
            heading="do-follow",
        ),
        "zeros": Moment("Only zeros", ("rule-only-zeros", "rule-any-card"), heading="do-follow"),
        "over": Moment("Scoring", ("rule-pain-counts",)),
    },
    variants={"rule-only-zeros": Variant("all_zero", "leader", "rule-only-zeros-leader")},
    tactics="stichwerk.bots.tactics.sticheln:StichelnTactics",
    small_tactics="stichwerk.bots.tactics.small:SmallSticheln",
    features="stichwerk.bots.tactics.sticheln_features:StichelnFeatures",
    training=Training(
        tables=(
            (4, {}, 4),
            (3, {}, 1),
            (5, {}, 1),
            (6, {}, 1),
            (4, {"all_zero": "leader"}, 0.5),
        ),
    ),
    reasons="stichwerk.bots.reasons.sticheln:reason",
    contrast="stichwerk.bots.reasons.contrast:by_points",
    outlook="stichwerk.outlook.sticheln:StichelnOutlook",
    drawer="stichwerk.terminal.games.sticheln:StichelnBoard",
    lines="stichwerk.terminal.games.sticheln:StichelnLines",
    page="sticheln",
    lesson="sticheln.toml",
    spaces=Spaces(actions=("play", "pick"), blocks=("gone", "pain")),
    trials=Trials(
        positions=(
            (4, {}, 10),
            (4, {}, 10),
            (4, {}, 8),
            (3, {}, 4),
            (5, {}, 4),
            (6, {}, 4),
        ),
        only_hands_hidden=True,
        ladder=Ladder(
            place=1,
            greedy=0.83,
            flat=0.5,
            master=(0.45, 0.5, 0.75),
            ismcts=8_000,
            deals={
                "greedy": 600,
                "flat": 120,
                "tree": 30,
                "choices": 240,
                "levels": 40,
                "master": 20,
                "matches": 12,
                "seats": 16,
                "pool": 4,
                "strangers": 24,
                "characters": 12,
            },
        ),
        speed=3.0,
    ),
    reference=Reference(
        events=("choice", "chosen", "revealed"),
        absent={"trick": ("seat",)},
        phases={
            "pain": Phase(
                meaning="Before play everyone chooses a pain card.",
                forms=(Form(CARD, "Y2", "the card"),),
                entry="choices",
                secret=True,
            ),
            "play": Phase(meaning="Play a card.", forms=(ONE_CARD,)),
            "over": OVER,
        },
        table={
            "pain": Key(list[str] | None, "by seat the pain card; null until all have chosen"),
            "pain_colours": Key(
                list[str] | None, "by seat the letter of the pain colour; also null"
            ),
        },
        mine={
            "pain": Key(str, "your pain card, while others still choose"),
            "pain_colour": Key(str, "the letter of your pain colour, while others still choose"),
        },
    ),
)
