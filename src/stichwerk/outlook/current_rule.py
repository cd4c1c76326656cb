"""The current rule: what is asked for, and where it is written."""

import re
from functools import lru_cache

from stichwerk import locale
from stichwerk.games import registry
from stichwerk.games.info import Moment
from stichwerk.games.stichtag.calendar import sheet_kind, sheet_place
from stichwerk.games.stichtag.sheet import PARTS
from stichwerk.games.stichtag.yearbook import sheet_of, short_today
from stichwerk.outlook.game_outlook import outlook_for
from stichwerk.outlook.position import OutlookPosition
from stichwerk.outlook.structs import Situation

# Games without a description may use the phases of ours.
HEADINGS = {
    name: moment.heading for info in registry.OUR_GAMES for name, moment in info.moments.items()
}
NOTHING = Moment("", ())
PLAY_PARTS = frozenset(PARTS) - {"deal", "points", "goal"}
MOST_SHEETS = 2  # sentences besides the rule itself


def situation(position: OutlookPosition) -> Situation:
    """Return the current rule."""
    view, moment = position.view, moment_of(position)
    rule = registry.info_of(view.game).moments.get(moment, NOTHING)
    count = outlook_for(position).cards_to_choose()
    sentences = [position.say(by_options(position, id), count=count) for id in rule.sentences]
    if registry.has_calendar(view.game):
        sentences += today(position, moment)
    return Situation(
        heading=heading(position, moment),
        sentences=tuple(sentences),
        section=translated(view.game, rule.section, position.lang),
        anchor=slug(rule.section),
        sheet=asking_sheet(position, moment),
    )


def moment_of(position: OutlookPosition) -> str:
    """Return the kind of move that is owed, in more detail than the phase."""
    view = position.view
    return outlook_for(position).play_moment() if view.phase == "play" else view.phase


def heading(position: OutlookPosition, moment: str) -> str:
    """Say whose turn it is, and what to do."""
    view = position.view
    if not view.waiting_for:
        return position.say("match-is-over" if view.ranking is not None else "round-is-over")
    if position.turn:
        moments = registry.info_of(view.game).moments
        usual = HEADINGS.get(moment, NOTHING.heading)
        return position.say(moments[moment].heading if moment in moments else usual)
    names = ", ".join(view.names[seat] for seat in view.waiting_for)
    return position.say("waiting-for", names=names, count=len(view.waiting_for))


def by_options(position: OutlookPosition, id: str) -> str:
    """Return the sentence that applies at this table."""
    other = registry.info_of(position.view.game).variants.get(id)
    holds = other is not None and position.view.options.get(other.option) == other.value
    return other.sentence if other is not None and holds else id


def today(position: OutlookPosition, moment: str) -> list[str]:
    """Return what today's sheets say in a sentence, and trump, if that is not too much."""
    names = position.rules.sheet_names
    if moment == "over":
        return [short(position, name) for name in names]
    if position.view.phase != "play":
        return []
    sheets = [short(position, name) for name in names if changes_play(name)]
    return [trump_words(position), *sheets][-MOST_SHEETS:]


def short(position: OutlookPosition, name: str) -> str:
    """Return a sheet in a sentence."""
    return short_today(name, position.rules.sheet_names, position.lang, position.rules.version)


def changes_play(name: str) -> bool:
    """Return whether a sheet affects how cards are played, not only points."""
    sheet = sheet_of(name)
    return not PLAY_PARTS.isdisjoint(sheet.replaces + sheet.extends)


def trump_words(position: OutlookPosition) -> str:
    """Return the trump in force."""
    trump = position.view.table.get("trump")
    if trump is None:
        return position.say("rule-no-trump")
    return position.say("rule-trump-now", trump=trump)


def asking_sheet(position: OutlookPosition, moment: str) -> str | None:
    """Return the sheet whose choice is owed, or that changes how cards are played."""
    if not registry.has_calendar(position.view.game) or moment == "over":
        return None
    rules = position.rules
    plays = position.view.phase == "play"
    kind = "red" if plays or rules.red_asks(position.known) else "month"
    for name in rules.sheet_names:
        if sheet_kind(sheet_place(name)) == kind and (not plays or changes_play(name)):
            return str(name)
    return None


# -- Sections --------------------------------------------------------------------------------------


def translated(game: str, section: str, lang: str) -> str:
    """Return a heading of the rules in the reader's language."""
    english, own = headings(game, "en"), headings(game, lang)
    return own[english.index(section)] if section in english else ""


@lru_cache(maxsize=32)
def headings(game: str, lang: str) -> tuple[str, ...]:
    """Return the headings of a game's rules, in order; none if there are no rules."""
    try:
        rules = locale.rules_text(game, lang)
    except LookupError:
        return ()
    return tuple(re.findall(r"^#{2,3} (.*)$", rules, re.MULTILINE))


def slug(section: str) -> str:
    """Return a heading as an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", section.lower()).strip("-")
