"""What a request leads to: entries for the log, or a refusal. Nothing changes here.

Who asks is known by then; `chance` gives ids, tokens and seeds. A refusal has a stable id and the
facts; its sentences are in `locale/server.*.json`, those of the rules in `locale/reasons.*.json`.
"""

import unicodedata
from collections.abc import Sequence
from functools import singledispatch
from itertools import islice

from stichwerk.errors import StichwerkError
from stichwerk.first_names import free_names
from stichwerk.match import Setting
from stichwerk.record import Record, moves_of
from stichwerk.server import entries as log
from stichwerk.server import wire
from stichwerk.server.chance import Chance
from stichwerk.server.dealing import Shuffle, seeds_needed
from stichwerk.server.table import Running, Table, hash_token

MOST_PEOPLE = 64  # at one table, spectators with a name included


class Refusal(StichwerkError):  # noqa: N818  (as in errors.py)
    """A request that is not granted."""


class Asker:
    """Who asks: a person of the table, and where he sits."""

    def __init__(self, table: Table, person: str) -> None:
        self.table = table
        self.person = person
        self.seat = table.seat_of(person)

    def must_be_host(self) -> None:
        """Some things only the host may do."""
        if self.table.host != self.person:
            raise Refusal("only-the-host")

    def must_sit(self) -> int:
        """Some things only players may do."""
        if self.seat is None:
            raise Refusal("no-seat-of-your-own")
        return self.seat


# -- Making tables ---------------------------------------------------------------------------------


class NewPerson:
    """Someone who takes part from now on: what is stored of him, and the token only he gets."""

    def __init__(
        self, salt: str, name: str, seat: int | None, chance: Chance, token: str | None = None
    ) -> None:
        self.id = chance.person()
        self.token = token or chance.token()
        self.seat = seat
        self.entry = log.PersonJoined(
            person=self.id, name=clean_name(name), token=hash_token(salt, self.token), seat=seat
        )


def make_table(wish: wire.NewTable, chance: Chance) -> tuple[str, NewPerson, list[log.Entries]]:
    """A new table with its host, and bots where they are wanted at once."""
    setting = Setting(wish.game, wish.seats, wish.options)
    if wish.seat is not None and wish.seat >= wish.seats:
        raise Refusal("no-such-seat", seat=wish.seat, highest=wish.seats - 1)
    table, salt = chance.id(), chance.seed()
    made = made_entry(table, salt, setting, wish.settings)
    host = NewPerson(salt, wish.name, wish.seat, chance)
    bots = [bot_entry(wish, seat, level) for seat, level in wish.bots.items()]
    return table, host, [made, host.entry, *bots]


def made_entry(table: str, salt: str, setting: Setting, settings: wire.Settings) -> log.Made:
    """The first entry of a table."""
    return log.Made(
        table=table,
        salt=salt,
        game=setting.name,
        seats=setting.seats,
        options=setting.options,
        settings=settings,
    )


def bot_entry(wish: wire.NewTable, seat: str, level: str) -> log.Seated:
    """A bot for a seat that the host does not take."""
    number = int(seat) if seat.isdecimal() and len(seat) == 1 else -1
    if not 0 <= number < wish.seats or number == wish.seat:
        raise Refusal("no-such-seat", seat=seat[:4], highest=wish.seats - 1)
    return log.Seated(seat=number, level=level)


def make_fork(
    told: Record, wish: wire.NewFork, chance: Chance
) -> tuple[str, NewPerson, list[log.Entries]]:
    """A table on which a finished match is played on from some move, against bots."""
    if wish.seat >= told.seats:
        raise Refusal("no-such-seat", seat=wish.seat, highest=told.seats - 1)
    made_moves = len(moves_of(told))
    if wish.moves >= made_moves:
        raise Refusal("no-such-move", move=wish.moves, most=made_moves - 1)
    setting = Setting(told.game, told.seats, told.options)
    table, salt = chance.id(), chance.seed()
    settings = wire.Settings(level=wish.level)
    host = NewPerson(salt, wish.name, wish.seat, chance)
    others = [seat for seat in range(told.seats) if seat != wish.seat]
    bots = [log.Seated(seat=seat, level=wish.level) for seat in others]
    fork = log.Forked(
        match=chance.id(),
        record=told,
        moves=wish.moves,
        seed=chance.number(),
        bots=names_for_bots([wish.name], told.seats),
    )
    return table, host, [made_entry(table, salt, setting, settings), host.entry, *bots, fork]


def clean_name(name: str) -> str:
    """A name as all will see it: on one line, without signs that do not print."""
    shown = unicodedata.normalize("NFC", " ".join(name.split()))
    shown = "".join(sign for sign in shown if sign.isprintable())
    if not shown:
        raise Refusal("name-empty")
    return shown


# -- Joining ---------------------------------------------------------------------------------------


def join(table: Table, wish: wire.Join, token: str, chance: Chance) -> NewPerson:
    """Someone new: in the seat he wants, in a free one, or beside the table while a match runs."""
    if len(table.people) >= MOST_PEOPLE:
        raise Refusal("table-full")
    between = table.stage in ("gathering", "over")
    if wish.seat is not None:
        if not between:
            raise Refusal("not-during-a-match")
        must_be_free(table, wish.seat)
        seat: int | None = wish.seat
    else:
        free = [at for at, place in enumerate(table.places) if place.free]
        seat = free[0] if between and free else None
        if seat is None and table.settings.watch == "none":
            raise Refusal("no-free-seat")
    return NewPerson(table.salt, wish.name, seat, chance, token)


def must_be_free(table: Table, seat: int) -> None:
    """Nobody is turned out of a seat."""
    if seat >= table.seats:
        raise Refusal("no-such-seat", seat=seat, highest=table.seats - 1)
    if not table.places[seat].free:
        raise Refusal("seat-taken")


# -- Everything else a person asks for -------------------------------------------------------------


@singledispatch
def decide(request: wire.Requests, asker: Asker, chance: Chance) -> list[log.Entries]:
    """The entries that a request of a person leads to; none, where it is done already."""
    raise TypeError(f"not decided here: {type(request).__name__}")


@decide.register
def _(request: wire.Sit, asker: Asker, chance: Chance) -> list[log.Entries]:
    must_be_between_matches(asker.table)
    if request.seat == asker.seat:
        return []
    must_be_free(asker.table, request.seat)
    return [log.Seated(seat=request.seat, person=asker.person)]


@decide.register
def _(request: wire.Leave, asker: Asker, chance: Chance) -> list[log.Entries]:
    return [emptied(asker.table, asker.must_sit())]


@decide.register
def _(request: wire.Rename, asker: Asker, chance: Chance) -> list[log.Entries]:
    name = clean_name(request.name)
    if asker.table.people[asker.person].name == name:
        return []
    return [log.PersonRenamed(person=asker.person, name=name)]


@decide.register
def _(request: wire.PlaceBot, asker: Asker, chance: Chance) -> list[log.Entries]:
    asker.must_be_host()
    table = asker.table
    if request.seat >= table.seats:
        raise Refusal("no-such-seat", seat=request.seat, highest=table.seats - 1)
    place = table.places[request.seat]
    if place.person is not None:
        raise Refusal("seat-taken")
    if place.level == request.level:
        return []
    return [log.Seated(seat=request.seat, level=request.level)]


@decide.register
def _(request: wire.FreeSeat, asker: Asker, chance: Chance) -> list[log.Entries]:
    asker.must_be_host()
    table = asker.table
    if request.seat >= table.seats:
        raise Refusal("no-such-seat", seat=request.seat, highest=table.seats - 1)
    place = table.places[request.seat]
    if place.person is None:
        must_be_between_matches(table)
    return [] if place.free else [emptied(table, request.seat)]


def emptied(table: Table, seat: int) -> log.Seated:
    """Someone leaves a seat: free for others, or a bot's, if a match runs."""
    between = table.stage in ("gathering", "over")
    return log.Seated(seat=seat, level=None if between else table.settings.level)


def must_be_between_matches(table: Table) -> None:
    """Some things have to wait for the end of the match."""
    if table.stage not in ("gathering", "over"):
        raise Refusal("not-during-a-match")


@decide.register
def _(request: wire.Change, asker: Asker, chance: Chance) -> list[log.Entries]:
    asker.must_be_host()
    table = asker.table
    must_be_between_matches(table)
    game = request.game or table.game
    seats = request.seats or table.seats
    options = request.options
    if options is None:
        options = table.options if (game, seats) == (table.game, table.seats) else {}
    setting = Setting(game, seats, options)
    if any(place.person for place in table.places[seats:]):
        raise Refusal("seats-in-use", seats=seats)
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
def _(request: wire.Begin, asker: Asker, chance: Chance) -> list[log.Entries]:
    asker.must_be_host()
    table = asker.table
    must_be_between_matches(table)
    bots = [
        log.Seated(seat=seat, level=table.settings.level)
        for seat, place in enumerate(table.places)
        if place.free
    ]
    return [*bots, set_up(table, chance, turn=table.stage == "over")]


def set_up(table: Table, chance: Chance, *, turn: bool, drawn: Sequence[int] = ()) -> log.SetUp:
    """The server's seeds, and its shares for bots and for those of whom none is expected."""
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


def shuffle_of(table: Table, match: str) -> Shuffle:
    """The set-up that is meant."""
    if table.shuffle is None or table.shuffle.match != match:
        raise Refusal("no-such-set-up")
    return table.shuffle


@decide.register
def _(request: wire.Commit, asker: Asker, chance: Chance) -> list[log.Entries]:
    seat = asker.must_sit()
    shuffle = shuffle_of(asker.table, request.match)
    sealed = shuffle.commits[seat]
    if sealed is not None:
        if sealed.hex() == request.commit:
            return []
        raise Refusal("share-sealed-already")
    return [log.ShareSealed(seat=seat, commit=request.commit)]


@decide.register
def _(request: wire.Reveal, asker: Asker, chance: Chance) -> list[log.Entries]:
    seat = asker.must_sit()
    running = asker.table.running
    if running is not None and running.id == request.match and running.shuffle is not None:
        if running.shuffle.seeds[seat] == bytes.fromhex(request.seed):
            return []  # sent again
        raise Refusal("share-not-as-sealed")
    shuffle = shuffle_of(asker.table, request.match)
    shuffle.check_open(seat, bytes.fromhex(request.seed))
    if shuffle.seeds[seat] is not None:
        return []
    return [log.ShareOpened(seat=seat, seed=request.seed)]


# -- Play ------------------------------------------------------------------------------------------


def match_of(table: Table, match: str) -> Running:
    """The match that is meant."""
    if table.running is None or table.running.id != match:
        raise Refusal("no-such-match")
    return table.running


@decide.register
def _(request: wire.Play, asker: Asker, chance: Chance) -> list[log.Entries]:
    seat = asker.must_sit()
    running = match_of(asker.table, request.match)
    made = running.made[seat]
    if request.ply < len(made):
        if made[request.ply] == request.move:
            return []  # sent again
        raise Refusal("move-made-already", ply=request.ply)
    if request.ply > len(made):
        raise Refusal("move-too-early", ply=request.ply, expected=len(made))
    why_not = running.match.objection(seat, request.move)
    if why_not is not None:
        raise Refusal(why_not.id, **why_not.data)
    return [log.Played(seat=seat, move=request.move)]


@decide.register
def _(request: wire.TakeBack, asker: Asker, chance: Chance) -> list[log.Entries]:
    seat = asker.must_sit()
    table = asker.table
    running = match_of(table, request.match)
    if not table.settings.take_back:
        raise Refusal("no-take-back-here")
    if table.ask is not None:
        if table.ask.seat == seat:
            return []
        raise Refusal("take-back-asked-already")
    if not running.can_be_taken_back(seat):
        raise Refusal("cannot-be-taken-back")
    return [log.TakeBackAsked(seat=seat)]


@decide.register
def _(request: wire.Consent, asker: Asker, chance: Chance) -> list[log.Entries]:
    seat = asker.must_sit()
    table = asker.table
    match_of(table, request.match)
    if table.ask is None or seat not in table.ask.waiting:
        raise Refusal("nothing-to-agree-to")
    return [log.TakeBackAnswered(seat=seat, agree=request.agree)]


@decide.register
def _(request: wire.Hint, asker: Asker, chance: Chance) -> list[log.Entries]:
    seat = asker.must_sit()
    running = match_of(asker.table, request.match)
    if not asker.table.settings.hints:
        raise Refusal("no-hints-here")
    if seat not in running.match.waiting_for:
        raise Refusal("no-hint-now")
    return [log.HintTaken(seat=seat)]


# -- Talk ------------------------------------------------------------------------------------------


@decide.register
def _(request: wire.Chat, asker: Asker, chance: Chance) -> list[log.Entries]:
    if not asker.table.settings.chat:
        raise Refusal("no-chat-here")
    if asker.table.people[asker.person].muted:
        raise Refusal("muted")
    if (request.text is None) == (request.preset is None):
        raise Refusal("nothing-said")
    text = None if request.text is None else clean_text(request.text)
    return [log.Spoken(person=asker.person, text=text, preset=request.preset)]


def clean_text(text: str) -> str:
    """Words as all will see them: no signs that do not print."""
    shown = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    if not shown:
        raise Refusal("nothing-said")
    return shown


@decide.register
def _(request: wire.Mute, asker: Asker, chance: Chance) -> list[log.Entries]:
    asker.must_be_host()
    if request.person not in asker.table.people or request.person == asker.person:
        raise Refusal("no-such-person")
    if asker.table.people[request.person].muted == request.muted:
        return []
    return [log.MuteSet(person=request.person, muted=request.muted)]
