"""Decide requests: return entries for the log, or refuse. Nothing is changed here.

The requester is already authenticated; `rng` generates ids, tokens and seeds. A refusal has a
stable id and data; its texts are in `locale/server.*.json`, those of the rules in
`locale/reasons.*.json`.
"""

from collections.abc import Collection, Sequence
from functools import singledispatch

import msgspec

from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.match import Setting
from stichwerk.server import wire
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import display_names
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.joining import clean_name, must_be_free, names_at, names_for_bots
from stichwerk.server.tables.refusal import RefusalError
from stichwerk.server.tables.running_match import RunningMatch
from stichwerk.server.tables.shuffle import Shuffle, seeds_needed
from stichwerk.server.tables.table_state import TableState

SPARE_ENTRIES = 20  # reserved for each person: to sit down, or to say something
ARRIVALS = 10  # times one person's quota: entries for joining and being forgotten, in total

# Not limited by the quota: the play itself, and requests that are bounded anyway.
UNCOUNTED = (wire.Begin, wire.Commit, wire.Reveal, wire.Play, wire.Remove)


class Requester:
    """The person making a request, and their seat."""

    def __init__(self, table: TableState, person: str) -> None:
        self.table = table
        self.person = person
        self.seat = table.seat_of(person)

    def must_be_host(self) -> None:
        """Refuse anyone but the host."""
        if self.table.host != self.person:
            raise RefusalError("only-the-host")

    def must_own(self) -> None:
        """Refuse anyone but the owner, including a stand-in host."""
        if self.table.owner != self.person:
            raise RefusalError("only-the-owner")

    def must_not_touch_owner(self, person: str | None) -> None:
        """Refuse a stand-in host's action against the owner."""
        if person is not None and person == self.table.owner != self.person:
            raise RefusalError("not-the-owner")

    def must_sit(self) -> int:
        """Return the requester's seat; refuse people without one."""
        if self.seat is None:
            raise RefusalError("no-seat-of-your-own")
        return self.seat


# -- Requests of people ----------------------------------------------------------------------------


@singledispatch
def decide(request: wire.Requests, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    """Return the entries that a request leads to; none if it is already fulfilled."""
    raise TypeError(f"not decided here: {type(request).__name__}")


def within_quota(
    request: wire.Requests, requester: Requester, entries: list[log.Entries], most: int
) -> list[log.Entries]:
    """Refuse entries beyond the quota, so that a log stays bounded until the next match begins.

    People without a seat share a quota, except for some entries reserved for each.
    """
    table, person = requester.table, requester.person
    own, shared = table.beside[person], table.is_without_seat(person) and table.beside[""] >= most
    spent = own >= most or (shared and own >= SPARE_ENTRIES)
    if entries and spent and not isinstance(request, UNCOUNTED):
        raise RefusalError("too-much-beside", most=most)
    return entries


def must_be_room_in_log(table: TableState, most: int) -> None:
    """Refuse to let people who come and go grow the log without bound."""
    if table.arrivals >= ARRIVALS * most:
        raise RefusalError("too-much-beside", most=ARRIVALS * most)


@decide.register
def _(request: wire.Sit, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    must_be_between_matches(requester.table)
    if request.seat == requester.seat:
        return []
    must_be_free(requester.table, request.seat)
    return [log.Seated(seat=request.seat, person=requester.person)]


@decide.register
def _(request: wire.Leave, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    return [emptied_seats(requester.table, requester.must_sit())]


@decide.register
def _(request: wire.Rename, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    name = clean_name(request.name)
    if requester.table.people[requester.person].name == name:
        return []
    if display_names.make_distinct(name, names_at(requester.table, requester.person)) != name:
        raise RefusalError("name-taken", name=name)
    return [log.PersonRenamed(person=requester.person, name=name)]


@decide.register
def _(request: wire.PlaceBot, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    table = requester.table
    if request.seat >= table.seats:
        raise RefusalError("no-such-seat", seat=request.seat, highest=table.seats - 1)
    place = table.places[request.seat]
    if place.person is not None:
        raise RefusalError("seat-taken")
    if place.level == request.level:
        return []
    return [log.Seated(seat=request.seat, level=request.level)]


@decide.register
def _(request: wire.FreeSeat, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    table = requester.table
    if request.seat >= table.seats:
        raise RefusalError("no-such-seat", seat=request.seat, highest=table.seats - 1)
    place = table.places[request.seat]
    requester.must_not_touch_owner(place.person)
    if place.person is None:
        must_be_between_matches(table)
    return [] if place.free else [emptied_seats(table, request.seat)]


def emptied_seats(table: TableState, seat: int) -> log.Seated:
    """Return the entry for a vacated seat: free, or a bot's if a match is running."""
    between = table.stage in ("gathering", "over")
    return log.Seated(seat=seat, level=None if between else table.settings.level)


def must_be_between_matches(table: TableState) -> None:
    """Refuse during a match."""
    if table.stage not in ("gathering", "over"):
        raise RefusalError("not-during-a-match")


@decide.register
def _(request: wire.Change, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    table = requester.table
    must_be_between_matches(table)
    game = request.game or table.game
    seats = request.seats or table.seats
    options = request.options
    if options is None:
        options = table.options if (game, seats) == (table.game, table.seats) else {}
    setting = Setting(game, seats, options)
    if any(place.person for place in table.places[seats:]):
        raise RefusalError("seats-in-use", seats=seats)
    changed = log.TableChanged(
        settings=request.settings or table.settings,
        game=game,
        seats=seats,
        options=kept_options(table, setting),
    )
    same = (changed.settings, game, seats, changed.options) == (
        table.settings,
        table.game,
        table.seats,
        table.options,
    )
    return [] if same else [changed]


@decide.register
def _(request: wire.SetPace, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    table = requester.table
    if table.settings.pace == request.pace:
        return []
    settings = msgspec.structs.replace(table.settings, pace=request.pace)
    return [
        log.TableChanged(
            settings=settings, game=table.game, seats=table.seats, options=table.options
        )
    ]


def kept_options(table: TableState, setting: Setting) -> dict[str, Value]:
    """Return the options of a setting. Those of a match by an older version of the rules stay as
    they are if only defaults of newer options are added."""
    if (setting.name, setting.seats) != (table.game, table.seats):
        return setting.options
    defaults = {one.name: one.default for one in registry.options_of(table.game, table.seats)}
    return table.options if {**defaults, **table.options} == setting.options else setting.options


@decide.register
def _(request: wire.Begin, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    table = requester.table
    must_be_between_matches(table)
    if table.must_agree and table.not_agreed():
        return [*bots_for_free_seats(table), host_agreement(requester)]
    drawn = table.failed_to_open
    next_one = set_up(table, rng, turn=table.stage == "over", drawn=drawn)
    return [*bots_for_free_seats(table), next_one]


def bots_for_free_seats(table: TableState) -> list[log.Entries]:
    """Return entries that fill the free seats with bots, so that a match can begin at once."""
    level = table.settings.level
    free = [seat for seat, place in enumerate(table.places) if place.free]
    return [log.Seated(seat=seat, level=level) for seat in free]


def host_agreement(requester: Requester) -> log.DealAgainAgreed:
    """Return the host's own agreement after too many failed set-ups: the others must agree as
    well."""
    missing = requester.table.not_agreed()
    if requester.seat is None or requester.seat not in missing:
        raise RefusalError("not-all-agreed", count=len(missing))
    return log.DealAgainAgreed(seat=requester.seat)


@decide.register
def _(request: wire.DealAgain, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    if not requester.table.must_agree:
        raise RefusalError("nothing-to-agree-to")
    return [log.DealAgainAgreed(seat=seat)] if seat in requester.table.not_agreed() else []


def set_up(
    table: TableState, rng: RandomSource, *, turn: bool, drawn: Sequence[int] = ()
) -> log.ShuffleStarted:
    """Return the entry that sets up a match: the server's seeds, and its shares for bots and for
    seats from which none is expected. `drawn`: seats that did not open their share before."""
    places = table.places
    shares = [
        rng.seed() if place.person is None or place.level is not None or seat in drawn else None
        for seat, place in enumerate(places)
    ]
    if turn:
        shares = [shares[-1], *shares[:-1]]
    setting = table.next_setting
    seeds = tuple(rng.seed() for _ in range(seeds_needed(setting)))
    return log.ShuffleStarted(
        match=rng.id(),
        server_seeds=seeds,
        shares=tuple(shares),
        turn=turn,
        bots=names_for_bots([one.name for one in table.people.values()], table.seats),
        rules=setting.rules.version,
    )


# -- Shares of the shuffle -------------------------------------------------------------------------


def shuffle_of(table: TableState, match: str) -> Shuffle:
    """Return the set-up that the request refers to."""
    if table.shuffle is None or table.shuffle.match != match:
        raise RefusalError("no-such-set-up")
    return table.shuffle


@decide.register
def _(request: wire.Commit, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    shuffle = shuffle_of(requester.table, request.match)
    sealed = shuffle.commits[seat]
    if sealed is not None:
        if sealed.hex() == request.commit:
            return []
        raise RefusalError("share-sealed-already")
    return [log.ShareSealed(seat=seat, commit=request.commit)]


@decide.register
def _(request: wire.Reveal, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    running = requester.table.running
    if running is not None and running.id == request.match and running.shuffle is not None:
        if running.shuffle.seeds[seat] == bytes.fromhex(request.seed):
            return []  # already received
        raise RefusalError("share-not-as-sealed")
    shuffle = shuffle_of(requester.table, request.match)
    shuffle.check_open(seat, bytes.fromhex(request.seed))
    if shuffle.seeds[seat] is not None:
        return []
    return [log.ShareOpened(seat=seat, seed=request.seed)]


# -- Play ------------------------------------------------------------------------------------------


def match_of(table: TableState, match: str) -> RunningMatch:
    """Return the match that the request refers to."""
    if table.running is None or table.running.id != match:
        raise RefusalError("no-such-match")
    return table.running


@decide.register
def _(request: wire.Play, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    running = match_of(requester.table, request.match)
    made = running.made[seat]
    if request.ply < len(made):
        if made[request.ply] == request.move:
            return []  # already received
        raise RefusalError("move-made-already", ply=request.ply)
    if request.ply > len(made):
        raise RefusalError("move-too-early", ply=request.ply, expected=len(made))
    why_not = running.match.objection(seat, request.move)
    if why_not is not None:
        raise RefusalError(why_not.id, **why_not.data)
    return [log.MovePlayed(seat=seat, move=request.move)]


@decide.register
def _(request: wire.TakeBack, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    table = requester.table
    running = match_of(table, request.match)
    if not table.settings.take_back:
        raise RefusalError("no-take-back-here")
    if table.ask is not None:
        if table.ask.seat == seat:
            return []
        raise RefusalError("take-back-asked-already")
    if not running.can_be_taken_back(seat):
        raise RefusalError("cannot-be-taken-back")
    return [log.TakeBackAsked(seat=seat)]


@decide.register
def _(request: wire.Consent, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    table = requester.table
    match_of(table, request.match)
    if table.ask is None or seat not in table.ask.waiting:
        raise RefusalError("nothing-to-agree-to")
    return [log.TakeBackAnswered(seat=seat, agree=request.agree)]


@decide.register
def _(request: wire.Hint, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    running = match_of(requester.table, request.match)
    if not requester.table.settings.hints:
        raise RefusalError("no-hints-here")
    if seat not in running.match.waiting_for:
        raise RefusalError("no-hint-now")
    return [log.HintTaken(seat=seat)]


# -- Chat ------------------------------------------------------------------------------------------


@decide.register
def _(request: wire.Chat, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    if not requester.table.settings.chat:
        raise RefusalError("no-chat-here")
    if requester.table.settings.watch == "none":
        requester.must_sit()  # people who may not read the chat may not write either
    if requester.table.people[requester.person].muted:
        raise RefusalError("muted")
    if (request.text is None) == (request.preset is None):
        raise RefusalError("nothing-said")
    text = None if request.text is None else clean_text(request.text)
    return [log.ChatSent(person=requester.person, text=text, preset=request.preset)]


def clean_text(text: str) -> str:
    """Return a text as everyone will see it; refuse an empty one."""
    shown = display_names.clean_text(text)
    if not shown:
        raise RefusalError("nothing-said")
    return shown


@decide.register
def _(request: wire.Mute, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    if request.person not in requester.table.people or request.person == requester.person:
        raise RefusalError("no-such-person")
    requester.must_not_touch_owner(request.person)
    if requester.table.people[request.person].muted == request.muted:
        return []
    return [log.MuteSet(person=request.person, muted=request.muted)]


# -- Host ------------------------------------------------------------------------------------------


@decide.register
def _(request: wire.HandOver, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_own()
    if request.person == requester.person:
        return []
    if requester.table.seat_of(request.person) is None:
        raise RefusalError("only-to-a-seat")
    return [log.HostPassed(person=request.person, for_good=True)]


@decide.register
def _(request: wire.Remove, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    return removal(request, requester)


def removal(
    request: wire.Remove, requester: Requester, addresses: Collection[str] = ()
) -> list[log.Entries]:
    """Return the entries that remove a person; with `block`, also block them and these
    addresses."""
    requester.must_be_host()
    table = requester.table
    if request.person not in table.people or request.person == requester.person:
        raise RefusalError("no-such-person")
    requester.must_not_touch_owner(request.person)
    seat = table.seat_of(request.person)
    freed: list[log.Entries] = [] if seat is None else [emptied_seats(table, seat)]
    known = tuple(sorted(addresses)) if request.block else ()
    gone = log.PersonRemoved(person=request.person, block=request.block, addresses=known)
    return [*freed, gone]


@decide.register
def _(request: wire.Unblock, requester: Requester, rng: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    if request.person not in requester.table.blocked:
        raise RefusalError("no-such-person")
    return [log.PersonUnblocked(person=request.person)]
