"""The description of Null & nichtig."""

import msgspec

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
from stichwerk.games.null_nichtig import NullNichtig


class Pile(msgspec.Struct, forbid_unknown_fields=True):
    """A pile of Null & nichtig."""

    top: str
    size: int


class CollectedCard(msgspec.Struct, forbid_unknown_fields=True):
    """A card of a trick of Null & nichtig that was placed on a pile."""

    play: int
    pile: int
    size: int
    points: int


class CollectedTrick(msgspec.Struct, forbid_unknown_fields=True):
    """A trick of Null & nichtig that was placed on piles."""

    cards: list[str]
    collected: list[CollectedCard]


INFO = GameDescription(
    rules=NullNichtig,
    authors=("Reiner Stockhausen",),
    minutes=(25, 40),
    prompts={"lay": "ask-lay"},
    revealed="laid-out",
    moments={
        "lay": Moment("Setting up a round", ("rule-lay", "rule-lay-order"), heading="do-lay"),
        "lead": Moment("Playing", ("rule-any-card", "rule-highest-number"), heading="do-lead"),
        "follow": Moment(
            "Who takes the trick?",
            ("rule-any-card", "rule-highest-number", "rule-collect"),
            heading="do-follow",
        ),
        "over": Moment("End of a round", ("rule-tops-count",)),
    },
    variants={"rule-collect": Variant("collect", "played", "rule-collect-played")},
    tactics="stichwerk.bots.tactics.null_nichtig:NullNichtigTactics",
    small_tactics="stichwerk.bots.tactics.small:SmallNullNichtig",
    features="stichwerk.bots.tactics.null_nichtig_features:NullNichtigFeatures",
    training=Training(
        tables=(
            (4, {}, 4),
            (3, {}, 1),
            (5, {}, 1),
            (6, {}, 1),
            (4, {"teams": 2}, 0.5),
            (4, {"collect": "played"}, 0.5),
            (6, {"teams": 2}, 0.25),
            (6, {"teams": 3}, 0.25),
        ),
    ),
    reasons="stichwerk.bots.reasons.null_nichtig:reason",
    contrast="stichwerk.bots.reasons.null_nichtig:contrast",
    search_share=0.8,
    outlook="stichwerk.outlook.null_nichtig:NullNichtigOutlook",
    drawer="stichwerk.terminal.games.null_nichtig:NullNichtigBoard",
    lines="stichwerk.terminal.games.null_nichtig:NullNichtigLines",
    page="null-nichtig",
    lesson="null-nichtig.toml",
    spaces=Spaces(actions=("play", "pick"), blocks=("picked", "tops")),
    trials=Trials(
        positions=(
            (4, {}, 10),
            (4, {}, 10),
            (4, {}, 8),
            (3, {}, 4),
            (5, {}, 4),
            (6, {}, 4),
        ),
        ladder=Ladder(
            place=2,
            greedy=0.45,
            flat=0.65,
            master=(0.45, 0.5, 0.65),
            ismcts=8_000,
            deals={
                "greedy": 600,
                "flat": 200,
                "tree": 30,
                "choices": 200,
                "levels": 60,
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
        phases={
            "lay": Phase(
                meaning="Before play everyone lays out three cards, with six seats two.",
                forms=(
                    Form(
                        f"{CARD}(,{CARD}){{1,2}}",
                        "R3,R9,B0",
                        "the cards; inside a colour they go onto the pile in this order",
                    ),
                ),
                entry="choices",
                secret=True,
            ),
            "play": Phase(meaning="Play a card.", forms=(ONE_CARD,)),
            "over": OVER,
        },
        table={
            "piles": Key(
                list[list[Pile | None]],
                "by seat the piles in the order R Y G B L: `top` card and `size`; null for no pile",
            ),
            "points": Key(list[int], "by seat what its piles are worth now"),
            "order": Key(
                list[int],
                "the plays of the trick, from 0, in the order in which they would be collected",
            ),
            "heaps": Key(
                list[list[list[str]]],
                "by seat and pile, in the same order, all cards of the pile, bottom first",
            ),
            "last_trick": Key(
                CollectedTrick | None,
                "the trick that was taken last, also in a round before: its `cards` in the order "
                "played, and how they were `collected`: card by card which `play` it was, on which "
                "`pile` (from 0) it went, the `size` of that pile then, and the `points` of all "
                "piles of the seat; null before the first trick",
            ),
            "teams": Key(list[list[int]], "the seats of each team; empty without teams"),
            "team_totals": Key(list[int], "by team the sums so far"),
        },
        mine={
            "laid": Key(list[str], "the cards you lay out, while others still choose"),
            "piles": Key(
                list[Pile | None], "your piles with these cards, while others still choose"
            ),
            "points": Key(int, "what these piles are worth, while others still choose"),
        },
    ),
)
