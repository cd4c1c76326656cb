"""The description of Stichling."""

import msgspec

from stichwerk.engine.constants import PLACES
from stichwerk.games.info import (
    CARD,
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
from stichwerk.games.stichling import Stichling


class Scoring(msgspec.Struct, forbid_unknown_fields=True):
    """The scoring cards of a seat in Stichling."""

    turned: list[int | None]
    face_up: int | None


class TakenTrick(msgspec.Struct, forbid_unknown_fields=True):
    """A full trick of Stichling that was taken."""

    cards: list[str]
    best_card: str


INFO = GameDescription(
    rules=Stichling,
    authors=("Ralf zur Linde",),
    minutes=(20, 30),
    counts="card",  # several tricks are open, so no trick has a number
    places=PLACES,
    prompts={"order": "ask-order"},
    revealed="order-shown",
    moments={
        "order": Moment(
            "A round, step by step", ("rule-order", "rule-order-again"), heading="do-order"
        ),
        "play": Moment("Playing a card", ("rule-places", "rule-owner"), heading="do-play"),
        "full": Moment(
            "When you may throw a card off", ("rule-all-open", "rule-owner"), heading="do-play"
        ),
        "over": Moment("End of a round", ("rule-scoring-card",)),
    },
    variants={"rule-all-open": Variant("discard", "hand", "rule-all-open-hand")},
    tactics="stichwerk.bots.tactics.stichling:StichlingTactics",
    small_tactics="stichwerk.bots.tactics.small:SmallStichling",
    features="stichwerk.bots.tactics.stichling_features:StichlingFeatures",
    training=Training(
        tables=(
            (4, {}, 4),
            (3, {}, 1),
            (5, {}, 1),
            (2, {}, 1),
            (4, {"discard": "hand"}, 0.5),
        ),
    ),
    reasons="stichwerk.bots.reasons.stichling:reason",
    contrast="stichwerk.bots.reasons.stichling:contrast",
    medium_slips=15,
    search_share=0.45,
    outlook="stichwerk.outlook.stichling:StichlingOutlook",
    drawer="stichwerk.terminal.games.stichling:StichlingBoard",
    lines="stichwerk.terminal.games.stichling:StichlingLines",
    page="stichling",
    lesson="stichling.toml",
    spaces=Spaces(actions=("play", "order"), blocks=("voids", "scoring", "face_up")),
    trials=Trials(
        positions=(
            (4, {}, 10),
            (4, {}, 10),
            (4, {"discard": "hand"}, 8),
            (3, {}, 6),
            (5, {}, 6),
        ),
        ending_cards=2,  # tricks are open side by side: far more variations
        ladder=Ladder(
            place=3,
            greedy=0.45,
            flat=0.4,
            master=(0.45, 0.45, 0.6),
            ismcts=20_000,
            deals={
                "greedy": 600,
                "flat": 100,
                "tree": 16,
                "choices": 240,
                "levels": 40,
                "master": 12,
                "matches": 8,
                "seats": 12,
                "pool": 3,
                "strangers": 12,
                "characters": 12,
            },
        ),
        speed=1.5,
    ),
    reference=Reference(
        events=("choice", "chosen", "revealed", "turned"),
        facts={"revealed": ("round",), "trick": ("place",), "play": ("place", "opens")},
        absent={"play": ("opens",)},
        phases={
            "order": Phase(
                meaning="Before play everyone lays the three scoring cards in an order.",
                forms=(Form(r"\d,\d,\d", "4,6,2", "their values from left to right"),),
                entry="choices",
                secret=True,
            ),
            "play": Phase(
                meaning="Play a card to a trick.",
                forms=(
                    Form(
                        CARD + ">[1-4]", "G8>2", "the card, and the place of an open trick, from 1"
                    ),
                    Form(
                        CARD + ">new",
                        "G8>new",
                        "the card opens a new trick, at the lowest free place",
                    ),
                ),
            ),
            "over": OVER,
        },
        table={
            "scoring": Key(
                list[Scoring],
                "by seat the three scoring cards: `turned` their values from left to right, null "
                "for one that was not turned up yet; `face_up` which one counts now, 0 to 2",
            ),
            "values": Key(list[int], "the values of the scoring cards in this round, rising"),
            "best_cards": Key(
                list[str | None],
                "by place the card that has the trick there; null where there is none",
            ),
            "new_place": Key(
                int | None, "the place, from 0, of the next new trick; null if all are taken"
            ),
            "full": Key(int, "how many cards make a trick full"),
            "last_trick": Key(
                TakenTrick | None,
                "the trick that was taken last, also in a round before: its `cards` in the order "
                "played, and the `best_card`, which took it; null before the first trick",
            ),
        },
        mine={
            "order": Key(
                list[int], "the values of your scoring cards from left to right, once chosen"
            ),
            "worth": Key(
                list[int],
                "by number of tricks, from 0, what they are worth to you, once chosen; some more "
                "than you have",
            ),
        },
    ),
)
