"""New tables and new people: their first log entries, and who may join."""

from collections.abc import Collection, Sequence
from itertools import islice

from stichwerk.first_names import free_names
from stichwerk.match import Setting
from stichwerk.record import Record, moves_of
from stichwerk.server import wire
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import display_names
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.refusal import RefusalError
from stichwerk.server.tables.table_people import hash_token
from stichwerk.server.tables.table_state import TableState

MOST_PEOPLE = 64  # at one table, including spectators with a name


class NewPerson:
    """A person who joins: the entry to store, and the token that only they receive.

    `forgotten`: people removed to make room for them.
    """

    def __init__(
        self,
        salt: str,
        name: str,
        seat: int | None,
        rng: RandomSource,
        token: str | None = None,
        forgotten: Sequence[str] = (),
    ) -> None:
        self.id = rng.person()
        self.token = token or rng.token()
        self.seat = seat
        self.forgotten = [log.PersonForgotten(person=one) for one in forgotten]
        self.entry = log.PersonJoined(
            person=self.id, name=clean_name(name), token=hash_token(salt, self.token), seat=seat
        )


def make_table(
    request: wire.NewTable, rng: RandomSource
) -> tuple[str, NewPerson, list[log.Entries]]:
    """Create a table with its host and the requested bots."""
    setting = Setting(request.game, request.seats, request.options)
    if request.seat is not None and request.seat >= request.seats:
        raise RefusalError("no-such-seat", seat=request.seat, highest=request.seats - 1)
    table, salt = rng.id(), rng.seed()
    made = made_entry(table, salt, setting, request.settings)
    host = NewPerson(salt, request.name, request.seat, rng)
    bots = [bot_entry(request, seat, level) for seat, level in request.bots.items()]
    return table, host, [made, host.entry, *bots]


def made_entry(
    table: str, salt: str, setting: Setting, settings: wire.Settings
) -> log.TableCreated:
    """Return the first entry of a table."""
    return log.TableCreated(
        table=table,
        salt=salt,
        game=setting.name,
        seats=setting.seats,
        options=setting.options,
        settings=settings,
    )


def bot_entry(request: wire.NewTable, seat: str, level: str) -> log.Seated:
    """Return the entry for a bot in a seat that the host does not take."""
    number = int(seat) if seat.isdecimal() and len(seat) == 1 else -1
    if not 0 <= number < request.seats or number == request.seat:
        raise RefusalError("no-such-seat", seat=seat[:4], highest=request.seats - 1)
    return log.Seated(seat=number, level=level)


def make_fork(
    record: Record, request: wire.NewFork, rng: RandomSource
) -> tuple[str, NewPerson, list[log.Entries]]:
    """Create a table that continues a finished match from some move, against bots."""
    if request.seat >= record.seats:
        raise RefusalError("no-such-seat", seat=request.seat, highest=record.seats - 1)
    made_moves = len(moves_of(record))
    if request.moves >= made_moves:
        raise RefusalError("no-such-move", move=request.moves, most=made_moves - 1)
    setting = Setting(record.game, record.seats, record.options, record.rules)
    table, salt = rng.id(), rng.seed()
    settings = wire.Settings(level=request.level)
    host = NewPerson(salt, request.name, request.seat, rng)
    others = [seat for seat in range(record.seats) if seat != request.seat]
    bots = [log.Seated(seat=seat, level=request.level) for seat in others]
    fork = log.Forked(
        match=rng.id(),
        record=record,
        moves=request.moves,
        seed=rng.number(),
        bots=names_for_bots([host.entry.name], record.seats),
    )
    return table, host, [made_entry(table, salt, setting, settings), host.entry, *bots, fork]


def clean_name(name: str) -> str:
    """Return a name as everyone will see it; refuse an empty one."""
    shown = display_names.clean_name(name)
    if not shown:
        raise RefusalError("name-empty")
    return shown


def names_at(table: TableState, but: str | None = None) -> list[str]:
    """Return the names of everyone at the table, or of everyone but one."""
    return [one.name for one in table.people.values() if one.id != but]


class JoinContext:
    """Where a joining person comes from. `address`: its salted hash. `neighbours`: people who
    joined from there, of whom `most` may be without a seat. `here`: people who are connected."""

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
    rng: RandomSource,
    join_context: JoinContext | None = None,
) -> NewPerson:
    """Let a new person join: in the seat they ask for, in a free one, or without a seat during a
    match."""
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
    return NewPerson(table.salt, name, seat, rng, token, forgotten)


def must_not_be_blocked(table: TableState, token: str, join_context: JoinContext) -> None:
    """Refuse a person or an address that the host has blocked."""
    hashed = hash_token(table.salt, token)
    for block in table.blocked.values():
        if block.token == hashed or join_context.address in block.addresses:
            raise RefusalError("blocked-here")


def people_to_forget(table: TableState, join_context: JoinContext) -> list[str]:
    """Return the people to forget so that someone can join: those without a seat and not connected,
    oldest first, and no more than necessary."""
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
    """Refuse a seat that is taken."""
    if seat >= table.seats:
        raise RefusalError("no-such-seat", seat=seat, highest=table.seats - 1)
    if not table.places[seat].free:
        raise RefusalError("seat-taken")


def names_for_bots(taken: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return enough names for all bots of a table, none of them taken by a person."""
    return tuple(islice(free_names(taken), seats))
