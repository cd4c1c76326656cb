"""What a request leads to: entries for the log, or a refusal. Nothing changes here.

Who asks is known by then; `chance` gives ids, tokens and seeds. A refusal has a stable id and the
facts; its sentences are in `locale/server.*.json`, those of the rules in `locale/reasons.*.json`.
"""

from collections.abc import Collection, Sequence
from functools import singledispatch
from itertools import islice

from stichwerk.errors import StichwerkError
from stichwerk.first_names import free_names
from stichwerk.match import Setting
from stichwerk.record import Record, moves_of
from stichwerk.server import wire
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import display_names
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.shuffle import Shuffle, seeds_needed
from stichwerk.server.tables.table_state import RunningMatch, TableState, hash_token

MOST_PEOPLE = 64  # at one table, spectators with a name included
SPARE_ENTRIES = 20  # which nobody else can use up: to sit down, or to say something
ARRIVALS = 10  # times the quota of one person: entries of all who join and are forgotten

# What the quota does not stop: the play itself, and what bounds itself.
UNCOUNTED = (wire.Begin, wire.Commit, wire.Reveal, wire.Play, wire.Remove)


class RefusalError(StichwerkError):
    """A request that is not granted."""


class Requester:
    """Who asks: a person of the table, and where he sits."""

    def __init__(self, table: TableState, person: str) -> None:
        self.table = table
        self.person = person
        self.seat = table.seat_of(person)

    def must_be_host(self) -> None:
        """Some things only the host may do."""
        if self.table.host != self.person:
            raise RefusalError("only-the-host")

    def must_own(self) -> None:
        """Some things only the owner may do, not a person who stands in."""
        if self.table.owner != self.person:
            raise RefusalError("only-the-owner")

    def must_not_touch_owner(self, person: str | None) -> None:
        """A person who stands in has no power over the owner."""
        if person is not None and person == self.table.owner != self.person:
            raise RefusalError("not-the-owner")

    def must_sit(self) -> int:
        """Some things only players may do."""
        if self.seat is None:
            raise RefusalError("no-seat-of-your-own")
        return self.seat


# -- Making tables ---------------------------------------------------------------------------------


class NewPerson:
    """Someone who takes part from now on: what is stored of him, and the token only he gets.

    `forgotten`: people who make room for him.
    """

    def __init__(
        self,
        salt: str,
        name: str,
        seat: int | None,
        chance: RandomSource,
        token: str | None = None,
        forgotten: Sequence[str] = (),
    ) -> None:
        self.id = chance.person()
        self.token = token or chance.token()
        self.seat = seat
        self.forgotten = [log.PersonForgotten(person=one) for one in forgotten]
        self.entry = log.PersonJoined(
            person=self.id, name=clean_name(name), token=hash_token(salt, self.token), seat=seat
        )


def make_table(
    request: wire.NewTable, chance: RandomSource
) -> tuple[str, NewPerson, list[log.Entries]]:
    """A new table with its host, and bots where they are wanted at once."""
    setting = Setting(request.game, request.seats, request.options)
    if request.seat is not None and request.seat >= request.seats:
        raise RefusalError("no-such-seat", seat=request.seat, highest=request.seats - 1)
    table, salt = chance.id(), chance.seed()
    made = made_entry(table, salt, setting, request.settings)
    host = NewPerson(salt, request.name, request.seat, chance)
    bots = [bot_entry(request, seat, level) for seat, level in request.bots.items()]
    return table, host, [made, host.entry, *bots]


def made_entry(
    table: str, salt: str, setting: Setting, settings: wire.Settings
) -> log.TableCreated:
    """The first entry of a table."""
    return log.TableCreated(
        table=table,
        salt=salt,
        game=setting.name,
        seats=setting.seats,
        options=setting.options,
        settings=settings,
    )


def bot_entry(request: wire.NewTable, seat: str, level: str) -> log.Seated:
    """A bot for a seat that the host does not take."""
    number = int(seat) if seat.isdecimal() and len(seat) == 1 else -1
    if not 0 <= number < request.seats or number == request.seat:
        raise RefusalError("no-such-seat", seat=seat[:4], highest=request.seats - 1)
    return log.Seated(seat=number, level=level)


def make_fork(
    told: Record, request: wire.NewFork, chance: RandomSource
) -> tuple[str, NewPerson, list[log.Entries]]:
    """A table on which a finished match is played on from some move, against bots."""
    if request.seat >= told.seats:
        raise RefusalError("no-such-seat", seat=request.seat, highest=told.seats - 1)
    made_moves = len(moves_of(told))
    if request.moves >= made_moves:
        raise RefusalError("no-such-move", move=request.moves, most=made_moves - 1)
    setting = Setting(told.game, told.seats, told.options)
    table, salt = chance.id(), chance.seed()
    settings = wire.Settings(level=request.level)
    host = NewPerson(salt, request.name, request.seat, chance)
    others = [seat for seat in range(told.seats) if seat != request.seat]
    bots = [log.Seated(seat=seat, level=request.level) for seat in others]
    fork = log.Forked(
        match=chance.id(),
        record=told,
        moves=request.moves,
        seed=chance.number(),
        bots=names_for_bots([host.entry.name], told.seats),
    )
    return table, host, [made_entry(table, salt, setting, settings), host.entry, *bots, fork]


def clean_name(name: str) -> str:
    """A name as all will see it."""
    shown = display_names.clean_name(name)
    if not shown:
        raise RefusalError("name-empty")
    return shown


def names_at(table: TableState, but: str | None = None) -> list[str]:
    """The names of all who take part, or of all but one."""
    return [one.name for one in table.people.values() if one.id != but]


# -- Joining ---------------------------------------------------------------------------------------


class JoinContext:
    """Where someone who joins comes from. `address`: its salted hash. `neighbours`: people who
    joined from there, `most` of whom may be without a seat. `here`: people who are connected."""

    def __init__(
        self,
        address: str = "",
        neighbours: Collection[str] = (),
        here: Collection[str] = (),
        most: int = MOST_PEOPLE,
    ) -> None:
        self.address = address
        self.neighbours = neighbours
        self.here = here
        self.most = most


def join(
    table: TableState,
    request: wire.Join,
    token: str,
    chance: RandomSource,
    join_context: JoinContext | None = None,
) -> NewPerson:
    """Someone new: in the seat he wants, in a free one, or beside the table while a match runs."""
    join_context = join_context or JoinContext()
    must_not_be_blocked(table, token, join_context)
    forgotten = people_to_forget(table, join_context)
    between = table.stage in ("gathering", "over")
    if request.seat is not None:
        if not between:
            raise RefusalError("not-during-a-match")
        must_be_free(table, request.seat)
        seat: int | None = request.seat
    else:
        free = [at for at, place in enumerate(table.places) if place.free]
        seat = free[0] if between and free else None
        if seat is None and table.settings.watch == "none":
            raise RefusalError("no-free-seat")
    name = display_names.make_distinct(clean_name(request.name), names_at(table))
    return NewPerson(table.salt, name, seat, chance, token, forgotten)


def must_not_be_blocked(table: TableState, token: str, join_context: JoinContext) -> None:
    """The host may have blocked this person, or the address."""
    hashed = hash_token(table.salt, token)
    for block in table.blocked.values():
        if block.token == hashed or join_context.address in block.addresses:
            raise RefusalError("blocked-here")


def people_to_forget(table: TableState, join_context: JoinContext) -> list[str]:
    """Who is forgotten so that someone can join: people without a seat who are not connected, the
    oldest first, and no more than needed."""
    beside = [one for one in table.people if table.is_without_seat(one)]
    gone = [one for one in beside if one not in join_context.here]
    near = [one for one in beside if one in join_context.neighbours]
    if len(near) >= join_context.most:
        gone_near = [one for one in near if one in gone]
        if not gone_near:
            raise RefusalError("too-many-from-here")
        return gone_near[:1]
    if len(table.people) < MOST_PEOPLE:
        return []
    if not gone:
        raise RefusalError("table-full")
    return gone[:1]


def must_be_free(table: TableState, seat: int) -> None:
    """Nobody is turned out of a seat."""
    if seat >= table.seats:
        raise RefusalError("no-such-seat", seat=seat, highest=table.seats - 1)
    if not table.places[seat].free:
        raise RefusalError("seat-taken")


# -- Everything else a person asks for -------------------------------------------------------------


@singledispatch
def decide(request: wire.Requests, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    """The entries that a request of a person leads to; none, where it is done already."""
    raise TypeError(f"not decided here: {type(request).__name__}")


def within_quota(
    request: wire.Requests, requester: Requester, entries: list[log.Entries], most: int
) -> list[log.Entries]:
    """A log must not grow without bound: so much beside the play, then a match has to begin.

    People without a seat share a quota, but for some entries of each.
    """
    table, person = requester.table, requester.person
    own, shared = table.beside[person], table.is_without_seat(person) and table.beside[""] >= most
    spent = own >= most or (shared and own >= SPARE_ENTRIES)
    if entries and spent and not isinstance(request, UNCOUNTED):
        raise RefusalError("too-much-beside", most=most)
    return entries


def must_be_room_in_log(table: TableState, most: int) -> None:
    """People who come and go must not let a log grow without bound either."""
    if table.arrivals >= ARRIVALS * most:
        raise RefusalError("too-much-beside", most=ARRIVALS * most)


@decide.register
def _(request: wire.Sit, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    must_be_between_matches(requester.table)
    if request.seat == requester.seat:
        return []
    must_be_free(requester.table, request.seat)
    return [log.Seated(seat=request.seat, person=requester.person)]


@decide.register
def _(request: wire.Leave, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    return [emptied_seats(requester.table, requester.must_sit())]


@decide.register
def _(request: wire.Rename, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    name = clean_name(request.name)
    if requester.table.people[requester.person].name == name:
        return []
    if display_names.make_distinct(name, names_at(requester.table, requester.person)) != name:
        raise RefusalError("name-taken", name=name)
    return [log.PersonRenamed(person=requester.person, name=name)]


@decide.register
def _(request: wire.PlaceBot, requester: Requester, chance: RandomSource) -> list[log.Entries]:
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
def _(request: wire.FreeSeat, requester: Requester, chance: RandomSource) -> list[log.Entries]:
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
    """Someone leaves a seat: free for others, or a bot's, if a match runs."""
    between = table.stage in ("gathering", "over")
    return log.Seated(seat=seat, level=None if between else table.settings.level)


def must_be_between_matches(table: TableState) -> None:
    """Some things have to wait for the end of the match."""
    if table.stage not in ("gathering", "over"):
        raise RefusalError("not-during-a-match")


@decide.register
def _(request: wire.Change, requester: Requester, chance: RandomSource) -> list[log.Entries]:
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
        options=setting.options,
    )
    same = (changed.settings, game, seats, setting.options) == (
        table.settings,
        table.game,
        table.seats,
        table.options,
    )
    return [] if same else [changed]


@decide.register
def _(request: wire.Begin, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    table = requester.table
    must_be_between_matches(table)
    if table.must_agree and table.not_agreed():
        return [*bots_for_free_seats(table), host_agreement(requester)]
    drawn = table.failed_to_open
    next_one = set_up(table, chance, turn=table.stage == "over", drawn=drawn)
    return [*bots_for_free_seats(table), next_one]


def bots_for_free_seats(table: TableState) -> list[log.Entries]:
    """Nobody waits for more people when a match begins."""
    level = table.settings.level
    free = [seat for seat, place in enumerate(table.places) if place.free]
    return [log.Seated(seat=seat, level=level) for seat in free]


def host_agreement(requester: Requester) -> log.DealAgainAgreed:
    """After too many failed set-ups the host speaks for himself, not for the others."""
    missing = requester.table.not_agreed()
    if requester.seat is None or requester.seat not in missing:
        raise RefusalError("not-all-agreed", count=len(missing))
    return log.DealAgainAgreed(seat=requester.seat)


@decide.register
def _(request: wire.DealAgain, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    if not requester.table.must_agree:
        raise RefusalError("nothing-to-agree-to")
    return [log.DealAgainAgreed(seat=seat)] if seat in requester.table.not_agreed() else []


def set_up(
    table: TableState, chance: RandomSource, *, turn: bool, drawn: Sequence[int] = ()
) -> log.SetUp:
    """The server's seeds, and its shares for bots and for those of whom none is expected: `drawn`
    are seats whose share was not opened before."""
    places = table.places
    shares = [
        chance.seed() if place.person is None or place.level is not None or seat in drawn else None
        for seat, place in enumerate(places)
    ]
    if turn:
        shares = [shares[-1], *shares[:-1]]
    seeds = tuple(chance.seed() for _ in range(seeds_needed(table.setting)))
    return log.SetUp(
        match=chance.id(),
        server_seeds=seeds,
        shares=tuple(shares),
        turn=turn,
        bots=names_for_bots([one.name for one in table.people.values()], table.seats),
    )


def names_for_bots(taken: Sequence[str], seats: int) -> tuple[str, ...]:
    """As many as a table could need, none of which a person here has."""
    return tuple(islice(free_names(taken), seats))


# -- Shares of the shuffle -------------------------------------------------------------------------


def shuffle_of(table: TableState, match: str) -> Shuffle:
    """The set-up that is meant."""
    if table.shuffle is None or table.shuffle.match != match:
        raise RefusalError("no-such-set-up")
    return table.shuffle


@decide.register
def _(request: wire.Commit, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    shuffle = shuffle_of(requester.table, request.match)
    sealed = shuffle.commits[seat]
    if sealed is not None:
        if sealed.hex() == request.commit:
            return []
        raise RefusalError("share-sealed-already")
    return [log.ShareSealed(seat=seat, commit=request.commit)]


@decide.register
def _(request: wire.Reveal, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    running = requester.table.running
    if running is not None and running.id == request.match and running.shuffle is not None:
        if running.shuffle.seeds[seat] == bytes.fromhex(request.seed):
            return []  # sent again
        raise RefusalError("share-not-as-sealed")
    shuffle = shuffle_of(requester.table, request.match)
    shuffle.check_open(seat, bytes.fromhex(request.seed))
    if shuffle.seeds[seat] is not None:
        return []
    return [log.ShareOpened(seat=seat, seed=request.seed)]


# -- Play ------------------------------------------------------------------------------------------


def match_of(table: TableState, match: str) -> RunningMatch:
    """The match that is meant."""
    if table.running is None or table.running.id != match:
        raise RefusalError("no-such-match")
    return table.running


@decide.register
def _(request: wire.Play, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    running = match_of(requester.table, request.match)
    made = running.made[seat]
    if request.ply < len(made):
        if made[request.ply] == request.move:
            return []  # sent again
        raise RefusalError("move-made-already", ply=request.ply)
    if request.ply > len(made):
        raise RefusalError("move-too-early", ply=request.ply, expected=len(made))
    why_not = running.match.objection(seat, request.move)
    if why_not is not None:
        raise RefusalError(why_not.id, **why_not.data)
    return [log.MovePlayed(seat=seat, move=request.move)]


@decide.register
def _(request: wire.TakeBack, requester: Requester, chance: RandomSource) -> list[log.Entries]:
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
def _(request: wire.Consent, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    table = requester.table
    match_of(table, request.match)
    if table.ask is None or seat not in table.ask.waiting:
        raise RefusalError("nothing-to-agree-to")
    return [log.TakeBackAnswered(seat=seat, agree=request.agree)]


@decide.register
def _(request: wire.Hint, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    seat = requester.must_sit()
    running = match_of(requester.table, request.match)
    if not requester.table.settings.hints:
        raise RefusalError("no-hints-here")
    if seat not in running.match.waiting_for:
        raise RefusalError("no-hint-now")
    return [log.HintTaken(seat=seat)]


# -- Talk ------------------------------------------------------------------------------------------


@decide.register
def _(request: wire.Chat, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    if not requester.table.settings.chat:
        raise RefusalError("no-chat-here")
    if requester.table.settings.watch == "none":
        requester.must_sit()  # people who may not read the chat do not write in it
    if requester.table.people[requester.person].muted:
        raise RefusalError("muted")
    if (request.text is None) == (request.preset is None):
        raise RefusalError("nothing-said")
    text = None if request.text is None else clean_text(request.text)
    return [log.ChatSent(person=requester.person, text=text, preset=request.preset)]


def clean_text(text: str) -> str:
    """Words as all will see them."""
    shown = display_names.clean_text(text)
    if not shown:
        raise RefusalError("nothing-said")
    return shown


@decide.register
def _(request: wire.Mute, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    if request.person not in requester.table.people or request.person == requester.person:
        raise RefusalError("no-such-person")
    requester.must_not_touch_owner(request.person)
    if requester.table.people[request.person].muted == request.muted:
        return []
    return [log.MuteSet(person=request.person, muted=request.muted)]


# -- The host --------------------------------------------------------------------------------------


@decide.register
def _(request: wire.HandOver, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    requester.must_own()
    if request.person == requester.person:
        return []
    if requester.table.seat_of(request.person) is None:
        raise RefusalError("only-to-a-seat")
    return [log.HostPassed(person=request.person, for_good=True)]


@decide.register
def _(request: wire.Remove, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    return removal(request, requester)


def removal(
    request: wire.Remove, requester: Requester, addresses: Collection[str] = ()
) -> list[log.Entries]:
    """Someone has to leave; with `block` he and these addresses do not come back."""
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
def _(request: wire.Unblock, requester: Requester, chance: RandomSource) -> list[log.Entries]:
    requester.must_be_host()
    if request.person not in requester.table.blocked:
        raise RefusalError("no-such-person")
    return [log.PersonUnblocked(person=request.person)]
