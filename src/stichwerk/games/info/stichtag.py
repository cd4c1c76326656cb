"""The description of Stichtag."""

from collections.abc import Sequence
from types import NoneType
from typing import Any

from stichwerk.engine.constants import CHOOSE
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
    Training,
    Trials,
)
from stichwerk.games.options import Value
from stichwerk.games.stichtag.calendar import GREEN, MONTHS, REDS, SHEETS
from stichwerk.games.stichtag.game import Stichtag
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.sheets import module_of
from stichwerk.games.stichtag.texts import reference_of

ORDER: tuple[type[Sheet], ...] = (*REDS, *MONTHS, *GREEN)
TYPES = {  # of keys of views
    "int": int,
    "str": str,
    "null": NoneType,
    "int | null": int | None,
    "str | null": str | None,
    "list[int]": list[int],
    "list[str]": list[str],
    "list[int] | null": list[int] | None,
}

# A net learns at these: every sheet several times, most pairs of sheets once. The 7th, 17th and
# 27th of each month are left for tests.
TRAINING_DATES = (
    *("01-29", "01-32", "01-35", "02-19", "02-28", "02-37", "03-13", "03-16", "03-20"),
    *("04-06", "04-18", "04-37", "05-04", "05-15", "05-37", "06-09", "06-23", "06-31"),
    *("07-00", "07-03", "07-11", "08-12", "08-28", "08-35", "09-10", "09-26", "09-34"),
    *("10-01", "10-14", "10-36", "11-08", "11-20", "11-22", "12-02", "12-03", "12-25"),
)


def tables_on(
    dates: Sequence[str], seats: int, weight: float
) -> list[tuple[int, dict[str, Value], float]]:
    """Return a table to train at for each date."""
    return [(seats, {"date": date}, weight) for date in dates]


# -- What the sheets add to the reference ----------------------------------------------------------


def reference_texts(sheet: type[Sheet]) -> dict[str, Any]:
    """Return what the sheet's texts say for the reference."""
    return reference_of(module_of(sheet.name).rpartition(".")[2])


def forms(entries: Sequence[dict[str, str]]) -> tuple[Form, ...]:
    """Return the forms of a move; CARD and SEAT stand for any of them."""
    return tuple(
        Form(
            form["pattern"].replace("CARD", CARD).replace("SEAT", SEAT_NUMBER),
            form["example"],
            form["meaning"],
        )
        for form in entries
    )


def asked(before_play: bool) -> dict[str, Phase]:
    """Return the choices of all sheets, those before play or the others, by number."""
    numbered = sorted(
        (number, name, sheet)
        for sheet in ORDER
        for number, name in sheet.asks.items()
        if (number == CHOOSE) == before_play
    )
    return {
        name: Phase(
            meaning=reference_texts(sheet)["choices"][name]["meaning"],
            forms=forms(reference_texts(sheet)["choices"][name]["forms"]),
            entry="choices" if before_play else name,
            secret=number in sheet.secret,
            where=(sheet.name,),
        )
        for number, name, sheet in numbered
    }


def phases() -> dict[str, Phase]:
    """Return choices before play, plays, and the other choices."""
    more = [form for sheet in ORDER for form in forms(reference_texts(sheet).get("plays", ()))]
    added = [texts["play"] for texts in map(reference_texts, ORDER) if "play" in texts]
    play = Phase(meaning="; ".join(["Play a card", *added]) + ".", forms=(ONE_CARD, *more))
    return {**asked(before_play=True), "play": play, **asked(before_play=False), "over": OVER}


def shown(part: str) -> dict[str, Key]:
    """Return what every round shows, then what the sheets add: to the table, or to one seat
    only."""
    secret = tuple(sheet.name for sheet in ORDER if sheet.secret)
    always = {
        "table": {"trump": Key(str | None, "the trump colour; null while there is none")},
        "mine": {
            "chosen": Key(
                str,
                "your secret choice as it is typed, while others still choose; an empty text if "
                "you are not asked",
                secret,
            )
        },
    }
    added = {
        key: Key(TYPES[entry["type"]], entry["meaning"], (sheet.name,))
        for sheet in ORDER
        for key, entry in reference_texts(sheet).get(part, {}).items()
    }
    return {**always[part], **added}


def kinds_of_moves() -> list[str]:
    """Return the kinds of moves that only sheets have, by number."""
    return [name for _, name in sorted(kind for sheet in ORDER for kind in sheet.kinds.items())]


INFO = GameDescription(
    rules=Stichtag,
    authors=("Emely Brand", "Inka Brand", "Markus Brand"),
    minutes=(20, 30),
    calendar=True,
    revealed="announced",
    events={kind: id for sheet in SHEETS.values() for kind, id in sheet.event_words.items()},
    moments={
        **{
            phase: Moment("The calendar", (f"rule-{phase}",), heading=f"do-{phase}")
            for sheet in SHEETS.values()
            for phase in sheet.asks.values()
        },
        **{
            sheet.play_moment: Moment(
                "Following", ("rule-follow",), heading=f"do-{sheet.play_moment}"
            )
            for sheet in SHEETS.values()
            if sheet.play_moment
        },
        "lead": Moment("Who takes the trick?", ("rule-lead",), heading="do-lead"),
        "follow": Moment("Following", ("rule-follow",), heading="do-follow"),
        "over": Moment("Points and further rounds", ("rule-tricks-count",)),
    },
    tactics="stichwerk.bots.tactics.stichtag:StichtagTactics",
    small_tactics="stichwerk.bots.tactics.stichtag:StichtagTactics",
    features="stichwerk.bots.tactics.stichtag_features:StichtagFeatures",
    training=Training(
        tables=(
            (4, {}, 4),
            (3, {}, 1),
            (5, {}, 1),
            *tables_on(TRAINING_DATES, 4, 0.5),
            *tables_on(TRAINING_DATES[::5], 3, 0.25),
            *tables_on(TRAINING_DATES[2::5], 5, 0.25),
        ),
    ),
    reasons="stichwerk.bots.reasons.stichtag:reason",
    contrast="stichwerk.bots.reasons.stichtag:contrast",
    medium_slips=50,
    outlook="stichwerk.outlook.stichtag:StichtagOutlook",
    drawer="stichwerk.terminal.games.stichtag:StichtagBoard",
    lines="stichwerk.terminal.games.stichtag:StichtagLines",
    narrators="stichwerk.narration.calendar:NARRATORS",
    page="stichtag",
    lesson="stichtag.toml",
    spaces=Spaces(
        actions=("play", "pick", *kinds_of_moves()),
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
            "trumps",
        ),
    ),
    trials=Trials(
        unit="match",  # how a seat plays the last round depends on its standing
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
            master=(0.4, 0.4, 0.45),
            ismcts=2_000,
            deals={
                "greedy": 300,
                "flat": 120,
                "tree": 10,
                "choices": 60,
                "levels": 40,
                "master": 8,
                "matches": 6,
                "sheets": 24,
                "seats": 4,
                "pool": 2,
                "strangers": 6,
                "characters": 4,
            },
        ),
        speed=2.0,
    ),
    reference=Reference(
        absent={
            kind: tuple(facts)
            for sheet in ORDER
            for kind, facts in reference_texts(sheet).get("absent", {}).items()
        },
        phases=phases(),
        table=shown("table"),
        mine=shown("mine"),
    ),
)
