"""The rule of the moment: what is asked for, by game and phase, and where it is written."""

import re
from functools import lru_cache

from stichwerk import locale
from stichwerk.games.stichtag.calendar import kind_of, place_of
from stichwerk.games.stichtag.sheet import PARTS
from stichwerk.games.stichtag.yearbook import language_at, sheet_of
from stichwerk.outlook.position import OutlookPosition
from stichwerk.outlook.structs import Situation

# Game, moment → the heading of its section (in English: both languages have the same sections in
# the same order), and its sentences.
Moment = tuple[str, tuple[str, ...]]
MOMENTS: dict[tuple[str, str], Moment] = {
    ("stichling", "order"): (
        "A round, step by step",
        ("rule-order", "rule-order-again"),
    ),
    ("stichling", "play"): ("Playing a card", ("rule-places", "rule-owner")),
    ("stichling", "full"): ("When a discard is allowed", ("rule-all-open", "rule-owner")),
    ("stichling", "over"): ("End of a round", ("rule-scoring-card",)),
    ("null-nichtig", "lay"): ("Setting up a round", ("rule-lay", "rule-lay-order")),
    ("null-nichtig", "lead"): ("Playing", ("rule-any-card", "rule-highest-number")),
    ("null-nichtig", "follow"): (
        "Who takes the trick?",
        ("rule-any-card", "rule-highest-number", "rule-collect"),
    ),
    ("null-nichtig", "over"): ("End of a round", ("rule-tops-count",)),
    ("sticheln", "pain"): ("Choosing your pain colour", ("rule-pain", "rule-pain-counts")),
    ("sticheln", "lead"): ("Playing", ("rule-any-card", "rule-start-colour")),
    ("sticheln", "follow"): (
        "Who takes the trick?",
        ("rule-any-card", "rule-other-colours", "rule-zeros"),
    ),
    ("sticheln", "zeros"): ("Only zeros", ("rule-only-zeros", "rule-any-card")),
    ("sticheln", "over"): ("Scoring", ("rule-pain-counts",)),
    ("stichtag", "announce"): ("The calendar", ("rule-announce",)),
    ("stichtag", "veto"): ("The calendar", ("rule-veto",)),
    ("stichtag", "pass"): ("The calendar", ("rule-pass",)),
    ("stichtag", "discard"): ("The calendar", ("rule-discard",)),
    ("stichtag", "gift"): ("The calendar", ("rule-gift",)),
    ("stichtag", "take"): ("The calendar", ("rule-take",)),
    ("stichtag", "face-down"): ("Following", ("rule-follow",)),
    ("stichtag", "lead"): ("Who takes the trick?", ("rule-lead",)),
    ("stichtag", "follow"): ("Following", ("rule-follow",)),
    ("stichtag", "over"): ("Points and further rounds", ("rule-tricks-count",)),
}
# Where an option of the table changes a rule: option, its value → another sentence.
VARIANTS = {
    "rule-all-open": ("discard", "hand", "rule-all-open-hand"),
    "rule-only-zeros": ("all_zero", "leader", "rule-only-zeros-leader"),
}
HEADINGS = {
    "order": "do-order",
    "lay": "do-lay",
    "pain": "do-pain",
    "announce": "do-announce",
    "veto": "do-veto",
    "pass": "do-pass",
    "discard": "do-discard",
    "gift": "do-gift",
    "take": "do-take",
    "face-down": "do-face-down",
    "lead": "do-lead",
    "follow": "do-follow",
    "zeros": "do-follow",
    "play": "do-play",
    "full": "do-play",
}
ASKING = {"announce": "red", "veto": "red", "take": "red"}  # other extra choices are the month's
PLAYING = ("lead", "follow", "face-down")
PLAY_PARTS = frozenset(PARTS) - {"deal", "points", "goal"}
MOST_SHEETS = 2  # sentences beside the rule itself


def situation(position: OutlookPosition) -> Situation:
    """The rule of the moment."""
    view, moment = position.view, moment_of(position)
    section, ids = MOMENTS.get((view.game, moment), ("", ()))
    sentences = [position.say(by_options(position, id), count=count(position)) for id in ids]
    if view.game == "stichtag":
        sentences += today(position, moment)
    return Situation(
        heading=heading(position, moment),
        sentences=tuple(sentences),
        section=translated(view.game, section, position.lang),
        anchor=slug(section),
        sheet=asking_sheet(position, moment),
    )


def moment_of(position: OutlookPosition) -> str:
    """What kind of move is owed, more finely than the phase tells."""
    view = position.view
    if view.phase != "play":
        return view.phase
    if view.game == "stichling":
        return "full" if len(view.tricks) == 4 else "play"
    if view.game == "stichtag" and position.rules.at_once:
        return "face-down"
    if not view.tricks:
        return "lead"
    only_zeros = view.game == "sticheln" and view.tricks[0].winning is None
    return "zeros" if only_zeros else "follow"


def heading(position: OutlookPosition, moment: str) -> str:
    """Whose turn it is, and to do what."""
    view = position.view
    if not view.waiting_for:
        return position.say("match-is-over" if view.ranking is not None else "round-is-over")
    if position.turn:
        return position.say(HEADINGS.get(moment, "do-choose"))
    names = ", ".join(view.names[seat] for seat in view.waiting_for)
    return position.say("waiting-for", names=names, count=len(view.waiting_for))


def by_options(position: OutlookPosition, id: str) -> str:
    """The sentence that holds at this table."""
    option, value, other = VARIANTS.get(id, ("", None, id))
    return other if option and position.view.options.get(option) == value else id


def count(position: OutlookPosition) -> int:
    """How many cards are to be chosen."""
    if position.view.phase == "discard":
        return position.known.pending
    return position.rules.lays if position.view.game == "null-nichtig" else 1


def today(position: OutlookPosition, moment: str) -> list[str]:
    """Stichtag: what today's sheets say in a sentence, and trump, if that is not all too much."""
    names = position.rules.sheet_names
    if moment == "over":
        return [short(position, name) for name in names]
    if moment not in PLAYING:
        return []
    sheets = [short(position, name) for name in names if changes_play(name)]
    return [trump_words(position), *sheets][-MOST_SHEETS:]


def short(position: OutlookPosition, name: str) -> str:
    """A sheet in a sentence."""
    return sheet_of(name).short[language_at(position.lang)]


def changes_play(name: str) -> bool:
    """Whether a sheet has to do with playing cards, not only with points."""
    sheet = sheet_of(name)
    return not PLAY_PARTS.isdisjoint(sheet.replaces + sheet.extends)


def trump_words(position: OutlookPosition) -> str:
    """The trump in force."""
    trump = position.view.table.get("trump")
    if trump is None:
        return position.say("rule-no-trump")
    return position.say("rule-trump", trump=trump)


def asking_sheet(position: OutlookPosition, moment: str) -> str | None:
    """The sheet whose choice is owed, or that changes how cards are played."""
    if position.view.game != "stichtag" or moment == "over":
        return None
    kind = "red" if moment in PLAYING else ASKING.get(moment, "month")
    for name in position.rules.sheet_names:
        if kind_of(place_of(name)) == kind and (moment not in PLAYING or changes_play(name)):
            return str(name)
    return None


# -- Sections --------------------------------------------------------------------------------------


def translated(game: str, section: str, lang: str) -> str:
    """A heading of the rules in the reader's language."""
    english, own = headings(game, "en"), headings(game, lang)
    return own[english.index(section)] if section in english else ""


@lru_cache(maxsize=32)
def headings(game: str, lang: str) -> tuple[str, ...]:
    """The headings of a game's rules, in their order; none, if nobody has written any."""
    try:
        rules = locale.rules_text(game, lang)
    except LookupError:
        return ()
    return tuple(re.findall(r"^#{2,3} (.*)$", rules, re.MULTILINE))


def slug(section: str) -> str:
    """A heading as an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", section.lower()).strip("-")
