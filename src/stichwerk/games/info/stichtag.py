"""Stichtag, described."""

from types import NoneType

from stichwerk.games.info import (
    CARD,
    ONE_CARD,
    OVER,
    SEAT_NUMBER,
    Form,
    GameDescription,
    Key,
    Ladder,
    Moment,
    Phase,
    Reference,
    Spaces,
    Trials,
)
from stichwerk.games.stichtag.game import Stichtag

INFO = GameDescription(
    rules=Stichtag,
    authors=("Emely Brand", "Inka Brand", "Markus Brand"),
    minutes=(20, 30),
    calendar=True,
    revealed="announced",
    moments={
        "announce": Moment("The calendar", ("rule-announce",), heading="do-announce"),
        "veto": Moment("The calendar", ("rule-veto",), heading="do-veto"),
        "pass": Moment("The calendar", ("rule-pass",), heading="do-pass"),
        "discard": Moment("The calendar", ("rule-discard",), heading="do-discard"),
        "gift": Moment("The calendar", ("rule-gift",), heading="do-gift"),
        "take": Moment("The calendar", ("rule-take",), heading="do-take"),
        "face-down": Moment("Following", ("rule-follow",), heading="do-face-down"),
        "lead": Moment("Who takes the trick?", ("rule-lead",), heading="do-lead"),
        "follow": Moment("Following", ("rule-follow",), heading="do-follow"),
        "over": Moment("Points and further rounds", ("rule-tricks-count",)),
    },
    tactics="stichwerk.bots.tactics.stichtag:StichtagTactics",
    small_tactics="stichwerk.bots.tactics.stichtag:StichtagTactics",
    reasons="stichwerk.bots.reasons.stichtag:reason",
    medium_slips=50,
    outlook="stichwerk.outlook.stichtag:StichtagOutlook",
    drawer="stichwerk.terminal.full.stichtag:StichtagBoard",
    page="stichtag",
    lesson="stichtag.toml",
    spaces=Spaces(
        actions=("play", "pick", "pair", "announce", "veto", "discard", "give", "points"),
        blocks=(
            "gone",
            "voids",
            "sheets",
            "trump",
            "named",
            "face_down",
            "announced",
            "taking",
            "passing",
            "passed",
            "partner",
            "veto",
            "struck",
            "aside_sizes",
            "aside",
            "direction",
            "eggs",
            "sunstroke",
            "pending",
            "stock",
            "carried",
            "carried_tricks",
            "lanterns",
            "gifts",
            "to_give",
            "hearts",
        ),
    ),
    trials=Trials(
        unit="match",  # a seat plays the last round by how it stands after the others
        positions=(
            (4, {}, 8),
            (4, {}, 8),
            (3, {}, 4),
            (5, {}, 4),
            (4, {"sheets": ["red 4"]}, 4),
            (4, {"sheets": ["green 2"]}, 4),
            (4, {"date": "09-14"}, 4),
            (4, {"date": "02-28"}, 4),
        ),
        self_test=tuple({"date": date} for date in ("02-17", "04-26", "08-24", "12-30")),
        ladder=Ladder(
            place=4,
            greedy=0.6,
            flat=0.4,
            deals={
                "greedy": 300,
                "flat": 120,
                "tree": 10,
                "choices": 60,
                "levels": 40,
                "sheets": 24,
                "seats": 4,
                "pool": 2,
            },
        ),
        speed=2.0,
    ),
    reference=Reference(
        absent={"veto": ("struck",), "sunstroke": ("giver",)},
        phases={
            "announce": Phase(
                meaning="Before play everyone announces how many tricks they will take.",
                forms=(Form(r"\d{1,2}", "4", "the number, 0 to 12"),),
                entry="choices",
                secret=True,
                where=("red 4",),
            ),
            "play": Phase(
                meaning="Play a card; on red 1 face down, all but the leader at once and in "
                "secret.",
                forms=(
                    ONE_CARD,
                    Form(
                        rf"{CARD}\+{CARD}",
                        "G3+G8",
                        "red 2: two cards of one colour, the lower first",
                    ),
                ),
            ),
            "veto": Phase(
                meaning="The trick is complete, and the holder of the veto card may strike a card.",
                forms=(
                    Form(f"veto {SEAT_NUMBER}", "veto 2", "strikes the card of this seat"),
                    Form("pass", "pass", "strikes none"),
                ),
                entry="veto",
                where=("red 7",),
            ),
            "pass": Phase(
                meaning="Everyone passes a card to the left.",
                forms=(Form(CARD, "G8", "the card"),),
                entry="pass",
                secret=True,
                where=("February",),
            ),
            "discard": Phase(
                meaning="The winner of the trick discards cards, then draws as many.",
                forms=(Form(f"{CARD}(,{CARD})*", "G7,R9", "all cards to discard"),),
                entry="discard",
                where=("August",),
            ),
            "gift": Phase(
                meaning="The winner of the trick gives a gift card away; once for each of them.",
                forms=(
                    Form(f"{CARD}>{SEAT_NUMBER}", "G0>2", "the card, and the seat that gets it"),
                ),
                entry="gift",
                where=("December",),
            ),
            "take": Phase(
                meaning="At the end of the round, each seat that hit its announcement: are the "
                "points taken? Only with green 2.",
                forms=(
                    Form("take", "take", "takes the points"),
                    Form("leave", "leave", "leaves them"),
                ),
                entry="take",
                secret=True,
                where=("red 4",),
            ),
            "over": OVER,
        },
        table={
            "trump": Key(str | None, "the trump colour; null while there is none"),
            "named": Key(
                str | None,
                "the colour that the leader named; null until a card is played",
                ("red 1",),
            ),
            "face_down": Key(list[int], "the seats whose cards lie face down", ("red 1",)),
            "announced": Key(
                list[int] | None, "by seat the announcement; null until all are in", ("red 4",)
            ),
            "veto": Key(int, "the seat that holds the veto card", ("red 7",)),
            "struck": Key(
                NoneType,
                "always null: the trick is settled with the veto; the event `veto` tells whose "
                "card is struck",
                ("red 7",),
            ),
            "aside": Key(list[int], "by seat how many cards lie aside", ("red 8",)),
            "passes_to": Key(list[int], "by seat who gets the card it gives", ("February",)),
            "direction": Key(int, "1 clockwise, -1 the other way", ("March",)),
            "eggs": Key(list[int], "by seat how many eggs were taken", ("April",)),
            "sunstroke": Key(
                int | None, "the seat that holds the Sonnenstich card; null for nobody", ("July",)
            ),
            "discarded": Key(list[str], "all cards discarded so far, in deck order", ("August",)),
            "lying": Key(list[str], "the cards of tricks that stay on the table", ("September",)),
            "lying_tricks": Key(int, "how many tricks these are", ("September",)),
            "lanterns": Key(list[int], "by seat the points for lanterns", ("November",)),
            "gifts": Key(list[int], "by seat how many gifts lie there", ("December",)),
            "to_give": Key(list[str], "gift cards that are still to be given away", ("December",)),
            "hearts": Key(list[int], "by seat the hearts that are left", ("green 3",)),
            "lost_hearts": Key(list[int], "by seat the hearts that are lost", ("green 3",)),
        },
        mine={
            "partner": Key(int, "the seat of your partner", ("red 6",)),
            "aside": Key(list[str], "your cards aside", ("red 8",)),
            "face_down": Key(str, "your face-down card", ("red 1",)),
            "chosen": Key(
                str,
                "your secret choice as it is typed, while others still choose; an empty text if "
                "you are not asked",
                ("red 4", "February"),
            ),
        },
    ),
)
