"""New tables and new people: what is stored of them, and who may join."""

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

MOST_PEOPLE = 64  # at one table, spectators with a name included


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


def names_for_bots(taken: Sequence[str], seats: int) -> tuple[str, ...]:
    """As many as a table could need, none of which a person here has."""
    return tuple(islice(free_names(taken), seats))
