"""What is granted, what is refused, and what a log adds up to: without sockets and without a clock.

`Bench` does what a live table does: decide, store, apply. Every entry is encoded on the way.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import pytest

from stichwerk import locale, record
from stichwerk.errors import StichwerkError
from stichwerk.fairness import client_commit
from stichwerk.first_names import FIRST_NAMES
from stichwerk.games.options import Value
from stichwerk.server import wire
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import display_names, joining, requests
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables import table_state as tables
from stichwerk.server.tables.audience import LogStep
from stichwerk.server.tables.refusal import RefusalError
from stichwerk.server.tables.requests import Requester, decide
from stichwerk.server.tables.shuffle import moves_in
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import View

SHORT: dict[str, tuple[int, dict[str, Value]]] = {
    "sticheln": (3, {"rounds": 2}),
    "null-nichtig": (3, {"target": 60}),
    "stichling": (2, {}),
    "stichtag": (3, {"rounds": 3}),
}
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")


class Bench:
    """A table and the people at it; seat i is that of person i until seats turn."""

    def __init__(
        self,
        game: str = "sticheln",
        seats: int = 3,
        people: int = 3,
        settings: wire.Settings | None = None,
        options: Mapping[str, Value] | None = None,
        **more: Value,
    ) -> None:
        self.rng = RandomSource()
        request = wire.NewTable(
            game=game,
            name=NAMES[0],
            seats=seats,
            options={**(options or {}), **more},
            settings=settings or wire.Settings(),
        )
        _, host, made = joining.make_table(request, self.rng)
        self.log = [log.encode(entry) for entry in made]
        self.table = TableState.replay(log.decode_all(self.log))
        self.people = [host.id]
        self.shares: dict[tuple[str, int], bytes] = {}
        for name in NAMES[1:people]:
            self.join(name)

    def happen(self, entries: list[log.Entries]) -> list[LogStep]:
        raw = [log.encode(entry) for entry in entries]
        self.log += raw
        return [self.table.apply(entry) for entry in log.decode_all(raw)]

    def join(
        self,
        name: str,
        seat: int | None = None,
        *,
        here: Sequence[str] = (),
        near: Sequence[str] = (),
        most: int = 99,
        address: str = "",
        token: str = "",
    ) -> str:
        request = wire.Join(id=0, name=name, seat=seat)
        join_context = joining.JoinContext(address, tuple(near), here, most)
        token = token or self.rng.token()
        new = joining.join(self.table, request, token, self.rng, join_context)
        self.people.append(new.id)
        self.happen([*new.forgotten, new.entry])
        return new.id

    def ask(self, who: int, request: wire.Requests) -> list[LogStep]:
        return self.happen(decide(request, Requester(self.table, self.people[who]), self.rng))

    def refusal(self, who: int, request: wire.Requests) -> str:
        """Return why this is refused; nothing has changed then."""
        before = len(self.log)
        with pytest.raises(StichwerkError) as caught:
            self.ask(who, request)
        assert len(self.log) == before
        texts = {locale.text(caught.value.id, lang, **caught.value.data) for lang in ("de", "en")}
        assert len(texts) == 2, f"{caught.value.id} has no text of its own in each language"
        return caught.value.id

    @property
    def match(self) -> str:
        assert self.table.match_id is not None
        return self.table.match_id

    def seal(self, who: int) -> None:
        seat = self.table.seat_of(self.people[who])
        assert seat is not None
        share = self.shares.setdefault((self.match, seat), bytes([who]) * 32)
        commit = client_commit(self.match, seat, share).hex()
        self.ask(who, wire.Commit(id=0, match=self.match, commit=commit))

    def open(self, who: int) -> None:
        seed = (bytes([who]) * 32).hex()
        self.ask(who, wire.Reveal(id=0, match=self.match, seed=seed))

    def begin(self) -> None:
        self.ask(0, wire.Begin(id=0))
        self.share()
        assert self.table.stage == "playing"

    def share(self) -> None:
        """Let everyone do their part of the shuffle."""
        sharing = [who for who in range(len(self.people)) if self.shares_here(who)]
        for who in sharing:
            self.seal(who)
        for who in sharing:
            self.open(who)

    def shares_here(self, who: int) -> bool:
        seat = self.table.seat_of(self.people[who])
        assert self.table.shuffle is not None
        return seat is not None and self.table.shuffle.trusted[seat]

    def view(self, who: int) -> View:
        seat = self.table.seat_of(self.people[who])
        found = self.table.view(seat)
        assert found is not None
        return found

    def turn(self) -> int:
        """Return a person who owes a move."""
        assert self.table.running is not None
        seat = self.table.running.match.waiting_for[0]
        return self.people.index(self.table.places[seat].person or "")

    def play(self, who: int, move: str | None = None, ply: int | None = None) -> list[LogStep]:
        seat = self.table.seat_of(self.people[who])
        number = self.table.ply(seat) if ply is None else ply
        move = self.view(who).moves[0] if move is None else move
        return self.ask(who, wire.Play(id=0, match=self.match, ply=number, move=move))

    def take_back(self, who: int) -> list[LogStep]:
        return self.ask(who, wire.TakeBack(id=0, match=self.match))

    def answer(self, who: int, agree: bool) -> list[LogStep]:
        return self.ask(who, wire.Consent(id=0, match=self.match, agree=agree))

    def why_no_take_back(self, who: int) -> str:
        return self.refusal(who, wire.TakeBack(id=0, match=self.match))

    def everything(self) -> list[object]:
        """Return everything anyone could receive about the table now."""
        seats = [None, *range(self.table.seats)]
        return [
            self.table.describe(),
            self.table.seq,
            *(self.table.view(seat) for seat in seats),
            *(step.describe(seat) for seat in seats for step in self.table.steps),
            *(self.table.ply(seat) for seat in seats),
        ]

    def again(self) -> "Bench":
        """Rebuild the table from its log alone."""
        other = Bench.__new__(Bench)
        other.rng, other.people = self.rng, self.people
        other.log = list(self.log)
        other.table = TableState.replay(log.decode_all(other.log))
        return other


def notes(steps: list[LogStep]) -> list[wire.Notes]:
    return [note for step in steps for note in step.notes]


# -- Names and words -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ada  Lovelace ", "Ada Lovelace"),
        ("A\tB\nC", "A B C"),
        ("evil\u202eabc", "evilabc"),
        ("nul\x00l", "null"),
        ("e\u0301", "é"),
        ("\u200bZo\u200b", "Zo"),
        ("Jürgen ß 漢", "Jürgen ß 漢"),
        ("A\u3164B", "AB"),
        ("\uff21xel", "Axel"),
        ("\u2066Axel\u2069\u200f", "Axel"),
    ],
)
def test_names_are_cleaned(typed: str, shown: str) -> None:
    bench = Bench()
    bench.ask(1, wire.Rename(id=0, name=typed))
    assert bench.table.people[bench.people[1]].name == shown
    assert bench.ask(1, wire.Rename(id=0, name=typed)) == []
    assert requests.clean_text(typed) in (shown, "e\u0301", "\uff21xel")


BLANKS = ["ㅤ", "ᅟ", "ᅠ", "ﾠ", "⠀", "឴", "️", "͏", "\xad", "\u202e", "\u2067"]


@pytest.mark.parametrize("empty", [" ", "\x00\x01", "\u200b", "\n \t", "\u0301", *BLANKS])
def test_an_empty_name_is_refused(empty: str) -> None:
    bench = Bench()
    assert bench.refusal(1, wire.Rename(id=0, name=empty)) == "name-empty"
    assert bench.refusal(1, wire.Chat(id=0, text=empty)) == "nothing-said"
    with pytest.raises(RefusalError):
        bench.join(empty)


def test_chat_needs_text_or_a_preset() -> None:
    bench = Bench()
    (said,) = notes(bench.ask(1, wire.Chat(id=0, text="Na \x07 so\u202e was")))
    assert said == wire.Said(person=bench.people[1], text="Na  so was", name="Ben")
    (said,) = notes(bench.ask(1, wire.Chat(id=0, preset="oops")))
    assert said == wire.Said(person=bench.people[1], preset="oops", name="Ben")
    assert bench.refusal(1, wire.Chat(id=0)) == "nothing-said"
    assert bench.refusal(1, wire.Chat(id=0, text="a", preset="oops")) == "nothing-said"


def test_the_host_mutes_others() -> None:
    bench = Bench()
    ben = bench.people[1]
    assert bench.refusal(1, wire.Mute(id=0, person=ben, muted=True)) == "only-the-host"
    assert bench.refusal(0, wire.Mute(id=0, person="nobody", muted=True)) == "no-such-person"
    own = wire.Mute(id=0, person=bench.people[0], muted=True)
    assert bench.refusal(0, own) == "no-such-person"
    bench.ask(0, wire.Mute(id=0, person=ben, muted=True))
    assert bench.ask(0, wire.Mute(id=0, person=ben, muted=True)) == []
    assert bench.refusal(1, wire.Chat(id=0, preset="hello")) == "muted"
    bench.ask(0, wire.Mute(id=0, person=ben, muted=False))
    assert bench.ask(1, wire.Chat(id=0, preset="hello"))


def test_a_table_may_have_no_chat() -> None:
    bench = Bench(settings=wire.Settings(chat=False))
    assert bench.refusal(0, wire.Chat(id=0, text="hi")) == "no-chat-here"


# -- Seats and the host ----------------------------------------------------------------------------

HOSTS_ALONE: list[wire.Requests] = [
    wire.Begin(id=0),
    wire.Change(id=0, seats=5),
    wire.PlaceBot(id=0, seat=2, level="easy"),
    wire.FreeSeat(id=0, seat=0),
]


@pytest.mark.parametrize("request_", HOSTS_ALONE, ids=lambda one: type(one).__name__)
def test_some_things_only_the_host_may_do(request_: wire.Requests) -> None:
    bench = Bench(people=2)
    assert bench.refusal(1, request_) == "only-the-host"
    assert bench.ask(0, request_)


def test_between_matches_the_host_changes_the_game() -> None:
    bench = Bench("sticheln", 4, 3)
    bench.ask(0, wire.Change(id=0, game="null-nichtig", seats=3, options={"target": 50}))
    assert (bench.table.game, bench.table.seats) == ("null-nichtig", 3)
    assert bench.table.options["target"] == 50
    assert [place.person for place in bench.table.places] == bench.people
    settings = wire.Settings(watch="none", level="easy", hints=False)
    bench.ask(0, wire.Change(id=0, settings=settings))
    assert (bench.table.settings, bench.table.options["target"]) == (settings, 50)
    assert bench.ask(0, wire.Change(id=0, settings=settings)) == [], "done already"
    bench.ask(0, wire.Change(id=0, seats=6))
    assert len(bench.table.places) == 6
    assert bench.table.options["target"] is None, "options of another number of seats"


def test_an_impossible_change_is_refused() -> None:
    bench = Bench("sticheln", 4, 4)
    for change, why in [
        (wire.Change(id=0, seats=3), "seats-in-use"),
        (wire.Change(id=0, game="chess"), "unknown-game"),
        (wire.Change(id=0, seats=2), "bad-seats"),
        (wire.Change(id=0, options={"rounds": 99}), "bad-option"),
        (wire.Change(id=0, options={"colour": 1}), "unknown-option"),
    ]:
        assert bench.refusal(0, change) == why


def test_seats_and_game_cannot_change_during_a_match() -> None:
    asked: list[wire.Requests] = [
        wire.Begin(id=0),
        wire.Change(id=0, seats=5),
        wire.Change(id=0, settings=wire.Settings(watch="none")),
        wire.Sit(id=0, seat=2),
        wire.FreeSeat(id=0, seat=3),
    ]
    bench = Bench("sticheln", 4, 3)
    bench.ask(0, wire.Begin(id=0))
    for _ in range(2):  # while shares are missing, and while it is played
        for request in asked:
            assert bench.refusal(0, request) == "not-during-a-match"
        with pytest.raises(RefusalError):
            bench.join("Late", seat=3)
        for who in range(3) if bench.table.stage == "dealing" else ():
            bench.seal(who)
        for who in range(3) if bench.table.stage == "dealing" else ():
            bench.open(who)
    assert bench.table.stage == "playing"


def test_seats_are_taken_changed_and_left() -> None:
    bench = Bench("sticheln", 4, 2)
    assert bench.refusal(1, wire.Sit(id=0, seat=0)) == "seat-taken"
    assert bench.refusal(1, wire.Sit(id=0, seat=5)) == "no-such-seat"
    assert bench.ask(1, wire.Sit(id=0, seat=1)) == []
    bench.ask(1, wire.Sit(id=0, seat=3))
    assert bench.table.places[1].free, "no bot stays behind"
    assert [place.person for place in bench.table.places] == [
        bench.people[0],
        None,
        None,
        *bench.people[1:],
    ]
    bench.ask(1, wire.Leave(id=0))
    assert bench.refusal(1, wire.Leave(id=0)) == "no-seat-of-your-own"
    assert bench.table.places[3].free
    bench.ask(0, wire.PlaceBot(id=0, seat=3, level="hard"))
    assert bench.ask(0, wire.PlaceBot(id=0, seat=3, level="hard")) == []
    assert bench.refusal(0, wire.PlaceBot(id=0, seat=0, level="hard")) == "seat-taken"
    assert bench.refusal(1, wire.Sit(id=0, seat=3)) == "seat-taken"
    bench.ask(0, wire.FreeSeat(id=0, seat=3))
    bench.ask(1, wire.Sit(id=0, seat=3))
    bench.ask(0, wire.FreeSeat(id=0, seat=3))
    assert bench.table.seat_of(bench.people[1]) is None, "someone was asked to leave"


def test_a_bot_replaces_a_person_who_leaves_during_a_match() -> None:
    bench = Bench("sticheln", 3, 3, wire.Settings(level="easy"))
    bench.begin()
    bench.ask(1, wire.Leave(id=0))
    bench.ask(0, wire.FreeSeat(id=0, seat=2))
    assert [place.level for place in bench.table.places] == [None, "easy", "easy"]
    bench.ask(0, wire.PlaceBot(id=0, seat=1, level="hard"))
    assert bench.table.places[1].level == "hard"
    play = wire.Play(id=0, match=bench.match, ply=0, move="R1")
    assert bench.refusal(1, play) == "no-seat-of-your-own"


def test_a_private_table_accepts_players_only() -> None:
    bench = Bench("sticheln", 3, 3, wire.Settings(watch="none"))
    with pytest.raises(RefusalError) as caught:
        bench.join("Dan")
    assert caught.value.id == "no-free-seat"
    Bench("sticheln", 3, 3).join("Dan")


def test_a_full_table_forgets_absent_people_without_a_seat() -> None:
    bench = Bench()
    for number in range(joining.MOST_PEOPLE - 3):
        bench.join(f"P{number}")
    seated, (oldest, second, *others) = bench.people[:3], bench.people[3:]
    with pytest.raises(RefusalError) as caught:
        bench.join("one more", here=bench.people)
    assert caught.value.id == "table-full"
    bench.join("one more", here=[oldest])
    assert list(bench.table.people) == [*seated, oldest, *others, bench.people[-1]]
    assert bench.again().everything() == bench.everything()
    assert second not in bench.table.people


def test_onlookers_from_one_address_are_limited() -> None:
    bench = Bench(people=3)
    near = [bench.join(f"P{number}", near=bench.people[3:], most=4) for number in range(4)]
    with pytest.raises(RefusalError) as caught:
        bench.join("one more", here=near, near=near, most=4)
    assert caught.value.id == "too-many-from-here"
    bench.join("one more", here=near[1:], near=near, most=4)
    assert near[0] not in bench.table.people, "not connected, so forgotten"
    bench.join("from elsewhere", here=near, most=4)


# -- Moves -----------------------------------------------------------------------------------------


def test_a_move_that_is_sent_again_is_made_once() -> None:
    bench = Bench()
    bench.begin()
    move = bench.view(1).moves[0]
    assert len(bench.play(1, move, ply=0)) == 1
    for _ in range(9):
        assert bench.play(1, move, ply=0) == []
    other = wire.Play(id=0, match=bench.match, ply=0, move=bench.view(2).moves[0] + "x")
    assert bench.refusal(1, other) == "move-made-already"
    early = wire.Play(id=0, match=bench.match, ply=2, move=move)
    assert bench.refusal(1, early) == "move-too-early"
    elsewhere = wire.Play(id=0, match="other", ply=1, move=move)
    assert bench.refusal(1, elsewhere) == "no-such-match"


def test_illegal_moves_are_refused_with_their_reason() -> None:
    bench = Bench()
    bench.begin()
    assert bench.refusal(1, wire.Play(id=0, match=bench.match, ply=0, move="Q7")) == "not-a-card"
    bench.play(1)
    again = wire.Play(id=0, match=bench.match, ply=1, move="R1")
    assert bench.refusal(1, again) == "already-chosen"


# -- Taking back -----------------------------------------------------------------------------------


def playing(game: str = "sticheln", people: int = 3, **options: Value) -> Bench:
    """Return a match with all choices made: the first card is to be played."""
    bench = Bench(game, max(people, 3), people, options=options)
    bench.begin()
    while bench.view(0).phase != "play":
        bench.play(bench.turn())
    return bench


def test_a_move_is_taken_back_when_all_agree() -> None:
    bench = playing()
    before = [bench.table.view(seat) for seat in range(3)]
    who = bench.turn()
    others = [other for other in range(3) if other != who]
    bench.play(who)
    assert notes(bench.take_back(who)) == [wire.Asked(seat=who)]
    assert bench.take_back(who) == [], "asked already"
    assert bench.why_no_take_back(others[0]) == "take-back-asked-already"
    consent = wire.Consent(id=0, match=bench.match, agree=True)
    assert bench.refusal(who, consent) == "nothing-to-agree-to", "not one's own ask"
    assert notes(bench.answer(others[0], True)) == []
    assert bench.table.describe().ask == wire.Ask(seat=who, waiting=(others[1],))
    assert bench.refusal(others[0], consent) == "nothing-to-agree-to"
    (step,) = bench.answer(others[1], True)
    for seat in range(3):
        assert step.describe(seat).notes == (wire.TookBack(seat=who, events=1),)
    assert [bench.table.view(seat) for seat in range(3)] == before
    assert bench.table.describe().ask is None
    assert bench.refusal(others[0], consent) == "nothing-to-agree-to"


def test_one_refusal_ends_a_take_back() -> None:
    bench = playing()
    who = bench.turn()
    bench.play(who)
    bench.take_back(who)
    decliner = (who + 1) % 3
    assert notes(bench.answer(decliner, False)) == [wire.Declined(seat=decliner)]
    assert bench.table.ask is None
    assert bench.view(who).tricks, "the card is on the table"


def test_a_move_taken_back_is_not_made_by_sending_it_again() -> None:
    bench = playing()
    who = bench.turn()
    ply = bench.table.ply(who)
    move, *others = bench.view(who).moves
    bench.play(who, move)
    bench.take_back(who)
    for other in range(3):
        if other != who:
            bench.answer(other, True)
    assert bench.table.ply(who) == ply + 1, "moves taken back count"
    assert bench.play(who, move, ply=ply) == [], "answered, not made"
    assert not bench.view(who).tricks
    bench.play(who, others[0])
    assert bench.view(who).tricks[0].plays == ((who, others[0]),)


def test_nobody_takes_back_twice_in_a_row() -> None:
    bench = playing()
    before = bench.turn()
    bench.play(before)
    who = bench.turn()
    bench.play(who)
    bench.take_back(who)
    for other in range(3):
        if other != who:
            bench.answer(other, True)
    assert bench.why_no_take_back(who) == "cannot-be-taken-back"
    assert bench.why_no_take_back(before) == "cannot-be-taken-back", "nor the one before"


def test_no_take_back_after_another_move() -> None:
    bench = playing()
    who = bench.turn()
    assert bench.why_no_take_back((who + 1) % 3) == "cannot-be-taken-back", "has not moved"
    bench.play(who)
    bench.play(bench.turn())
    assert bench.why_no_take_back(who) == "cannot-be-taken-back"


def test_take_backs_are_offered_to_the_mover() -> None:
    bench = playing()
    who = bench.turn()
    assert not bench.table.can_take_back(who), "has not moved"
    bench.play(who)
    assert [bench.table.can_take_back(seat) for seat in range(3)] == [
        seat == who for seat in range(3)
    ]
    assert not bench.table.can_take_back(None)
    bench.take_back(who)
    assert not bench.table.can_take_back(who), "asked already"
    bench.play(bench.turn())
    assert not bench.table.can_take_back(who), "another has moved"


def test_a_move_cancels_a_take_back_request() -> None:
    bench = playing()
    who = bench.turn()
    bench.play(who)
    bench.take_back(who)
    mover = bench.turn()
    steps = bench.play(mover)
    assert wire.Declined(seat=mover) in notes(steps)
    assert steps[0].table_changed
    assert bench.table.ask is None


def test_a_secret_choice_is_taken_back_as_each_one_saw_it() -> None:
    bench = Bench()
    bench.begin()
    bench.play(1)
    bench.take_back(1)
    bench.answer(0, True)
    (step,) = bench.answer(2, True)
    void = [
        note.events
        for seat in (0, 1, 2, None)
        for note in step.describe(seat).notes
        if isinstance(note, wire.TookBack)
    ]
    assert void == [1, 2, 1, 1], "only the chooser saw the card"
    assert 1 in bench.view(0).waiting_for


def test_a_take_back_among_bots_needs_no_consent() -> None:
    bench = Bench(people=1)
    bench.begin()
    bench.play(0)
    (step,) = bench.take_back(0)
    assert step.describe(0).notes == (wire.Asked(seat=0), wire.TookBack(seat=0, events=2))


def test_a_table_may_forbid_take_backs() -> None:
    bench = Bench(settings=wire.Settings(take_back=False))
    bench.begin()
    bench.play(0)
    assert bench.why_no_take_back(0) == "no-take-back-here"


@pytest.mark.parametrize("by", ["bot", "clock", "failed"])
def test_a_move_made_by_a_bot_cannot_be_taken_back(by: str) -> None:
    bench = Bench()
    bench.begin()
    bench.happen([log.MovePlayed(seat=1, move=bench.view(1).moves[0], by=by)])
    assert bench.why_no_take_back(1) == "cannot-be-taken-back"


def test_a_take_back_does_not_wait_for_absent_people() -> None:
    for leaving in (log.BotTookOver(seat=1), log.Seated(seat=1, level="easy")):
        bench = Bench()
        bench.begin()
        bench.play(0)
        bench.take_back(0)
        bench.answer(2, True)
        (step,) = bench.happen([leaving])
        assert step.describe(0).notes[-1] == wire.TookBack(seat=0, events=2)
        assert bench.table.ask is None


def test_leaving_cancels_ones_take_back_request() -> None:
    bench = Bench()
    bench.begin()
    bench.play(0)
    bench.take_back(0)
    assert notes(bench.ask(0, wire.Leave(id=0)))[-1] == wire.Declined(seat=0)
    assert bench.table.ask is None


def last_events(bench: Bench, who: int) -> list[str]:
    assert bench.table.running is not None
    return [event.kind for event in bench.table.running.last]


def test_no_take_back_after_choices_are_revealed() -> None:
    bench = Bench()
    bench.begin()
    for who in range(3):
        bench.play(who)
    assert "revealed" in last_events(bench, 2)
    assert bench.why_no_take_back(2) == "cannot-be-taken-back"


def play_until(bench: Bench, kind: str) -> int:
    """Play on; who moved when an event of this kind came?"""
    for _ in range(500):
        who = bench.turn()
        bench.play(who)
        if kind in last_events(bench, who):
            return who
    raise AssertionError(f"no {kind}")


def test_no_take_back_after_a_scoring_card_turned() -> None:
    bench = Bench("stichling", 2, 2)
    bench.begin()
    who = play_until(bench, "turned")
    assert bench.why_no_take_back(who) == "cannot-be-taken-back"


def test_no_take_back_after_the_next_deal() -> None:
    bench = Bench(rounds=2)
    bench.begin()
    who = play_until(bench, "hand")
    assert bench.why_no_take_back(who) == "cannot-be-taken-back"


def test_no_take_back_after_drawing_in_august() -> None:
    bench = Bench("stichtag", sheets=["August"])
    bench.begin()
    for _ in range(500):
        who = bench.turn()
        moves = bench.view(who).moves
        bench.play(who, moves[-1] if bench.view(who).phase != "play" else moves[0])
        if "drew" in last_events(bench, who):
            break
    assert "drew" in last_events(bench, who)
    assert bench.why_no_take_back(who) == "cannot-be-taken-back"


def test_no_take_back_after_simultaneous_cards_are_shown() -> None:
    bench = Bench("stichtag", sheets=["red 1"])
    bench.begin()
    who = play_until(bench, "trick")
    assert last_events(bench, who).count("play") == 3
    assert bench.why_no_take_back(who) == "cannot-be-taken-back"


def settings() -> Iterator[tuple[str, int, dict[str, Value]]]:
    for game, (seats, options) in SHORT.items():
        yield game, seats, options
    for sheet in ("green 1", "red 0", "red 1", "red 4", "red 6", "red 8", "April", "August"):
        yield "stichtag", 4, {"sheets": [sheet]}


@pytest.mark.parametrize(("game", "seats", "options"), list(settings()), ids=str)
def test_a_take_back_never_reveals_information(
    game: str, seats: int, options: dict[str, Value]
) -> None:
    """Without looking at kinds: every card the mover sees afterwards was their own or public."""
    bench = Bench(game, seats, seats, options=options)
    bench.begin()
    choice = random.Random(5)
    tried = 0
    while bench.table.stage == "playing" and tried < 60:
        assert bench.table.running is not None
        who = choice.choice(bench.table.running.match.waiting_for)
        view = bench.view(who)
        known = {
            card for trick in view.tricks for _, play in trick.plays for card in play.split("+")
        }
        bench.play(who, choice.choice(view.moves))
        if not bench.table.running.can_be_taken_back(who):
            continue
        tried += 1
        for event in bench.table.running.last:
            assert set(event.cards) <= known | set(view.hand)
            facts = (event.choices, event.value, event.counts, event.scores, event.round)
            assert facts == ((), None, (), (), None)
            assert not event.move or event.seat == who
        assert not Counter(bench.view(who).hand) - Counter(view.hand), "no new card"
    assert tried > 10


# -- Hints -----------------------------------------------------------------------------------------


def test_hints_need_the_turn_and_the_tables_permission() -> None:
    bench = playing()
    who = bench.turn()
    hint = wire.Hint(id=0, match=bench.match)
    assert notes(bench.ask(who, hint)) == [wire.Hinted(seat=who)]
    assert bench.refusal((who + 1) % 3, hint) == "no-hint-now"
    strict = Bench(settings=wire.Settings(hints=False))
    strict.begin()
    assert strict.refusal(0, wire.Hint(id=0, match=strict.match)) == "no-hints-here"


# -- A rematch -------------------------------------------------------------------------------------


def play_out(bench: Bench) -> None:
    while bench.table.stage == "playing":
        assert bench.table.running is not None
        seat = bench.table.running.match.waiting_for[0]
        moves = bench.table.running.match.view(seat).moves
        bench.happen([log.MovePlayed(seat=seat, move=moves[0])])


def test_a_rematch_rotates_seats_by_one() -> None:
    bench = Bench(rounds=1)
    bench.begin()
    first_match = bench.match
    play_out(bench)
    assert bench.table.stage == "over"
    bench.ask(0, wire.Begin(id=0))
    ada, ben, cleo = bench.people
    assert [place.person for place in bench.table.places] == [cleo, ada, ben]
    assert bench.match != first_match
    assert bench.table.view(0) is None, "Cleo gets nothing of what Ada saw"
    fresh, steps = bench.table.steps_since(None)
    assert fresh
    assert [step.events for step in steps] == [()], "afresh means: from this match on"
    fresh, steps = bench.table.steps_since(len(bench.people) + 2)
    assert not fresh
    for person, sat in ((ada, 0), (ben, 1), (cleo, 2)):
        events = [event for step in steps for event in step.describe(step.seat_of(person)).events]
        private = [event.to for event in events if event.to is not None]
        assert set(private) == {(sat,)}, "missed events follow the seat held then"
    strangers = [event for step in steps for event in step.describe(step.seat_of("x")).events]
    assert strangers
    assert all(event.to is None for event in strangers)


def test_a_rematch_set_up_twice_rotates_seats_once() -> None:
    bench = Bench(rounds=1)
    bench.begin()
    play_out(bench)
    bench.ask(0, wire.Begin(id=0))
    for who in range(3):
        bench.seal(who)
    places = list(bench.table.places)
    bench.happen([log.SetUpFailed(seats=(1,))])
    bench.happen([requests.set_up(bench.table, bench.rng, turn=False, drawn=(1,))])
    assert bench.table.places == places
    assert bench.table.shuffle is not None
    assert bench.table.shuffle.trusted == [True, False, True]


def test_another_game_after_a_match_does_not_rotate_seats() -> None:
    bench = Bench(rounds=1)
    bench.begin()
    play_out(bench)
    bench.ask(0, wire.Change(id=0, game="null-nichtig", seats=3))
    assert (bench.table.stage, bench.table.view(0)) == ("gathering", None)
    bench.begin()
    assert [place.person for place in bench.table.places] == bench.people


# -- Forks -----------------------------------------------------------------------------------------


def finished(game: str) -> record.Record:
    seats, options = SHORT[game]
    bench = Bench(game, seats, seats, options=options)
    bench.begin()
    choice = random.Random(game)
    while bench.table.stage == "playing":
        who = bench.turn()
        bench.play(who, choice.choice(bench.view(who).moves))
    assert bench.table.running is not None
    return bench.table.running.record()


@pytest.mark.parametrize("game", SHORT)
def test_a_fork_is_the_match_up_to_its_play_and_free_from_there(game: str) -> None:
    match_record = finished(game)
    moves = record.moves_of(match_record)
    assert sum(moves_in(one) for one in match_record.rounds) == len(moves)
    original = record.replay(match_record)
    for made in {
        0,
        1,
        moves_in(match_record.rounds[0]) - 1,
        moves_in(match_record.rounds[0]),
        len(moves) - 1,
    }:
        request = wire.NewFork(name="Eva", seat=1, moves=made)
        _, host, entries = joining.make_fork(match_record, request, RandomSource())
        table = TableState.replay(entries)
        assert table.running is not None
        assert [one.deal for one in table.running.match.rounds] == [
            one.deal for one in original.rounds[: len(table.running.match.rounds)]
        ], "cards that were dealt are those of the record"
        assert table.running.moves == list(moves[:made])
        assert (table.stage, table.seat_of(host.id)) == ("playing", 1)
        assert [place.level for place in table.places].count("medium") == match_record.seats - 1
        while table.stage == "playing":
            seat = table.running.match.waiting_for[-1]
            table.apply(log.MovePlayed(seat=seat, move=table.running.match.moves(seat)[-1].text))
        written = table.running.record()
        assert record.verify(written).status == "holds"
        assert not written.fairness, "nothing about it can be proved"


def test_deals_that_a_forked_match_had_not_reached_are_new() -> None:
    match_record = finished("sticheln")
    request = wire.NewFork(name="Eva", seat=0, moves=3)
    decks = set()
    for _ in range(2):
        bench = Bench.__new__(Bench)
        bench.log = []
        bench.table = TableState.replay(joining.make_fork(match_record, request, RandomSource())[2])
        play_out(bench)
        assert bench.table.running is not None
        decks.add(bench.table.running.match.rounds[1].deal.hands)
    assert len(decks | {match_record.rounds[1].hands}) == 3


def test_no_bot_of_a_fork_has_the_name_of_its_host() -> None:
    request = wire.NewFork(name=FIRST_NAMES[0], seat=0, moves=0)
    entries = joining.make_fork(finished("stichling"), request, RandomSource())[2]
    running = TableState.replay(entries).running
    assert running is not None
    assert running.names[0] == FIRST_NAMES[0]
    assert len(set(running.names)) == len(running.names)


def test_an_impossible_fork_is_refused() -> None:
    match_record = finished("stichling")
    last = len(record.moves_of(match_record)) - 1
    for request, why in [
        (wire.NewFork(name="Eva", seat=2, moves=0), "no-such-seat"),
        (wire.NewFork(name="Eva", seat=0, moves=last + 1), "no-such-move"),
    ]:
        with pytest.raises(RefusalError) as caught:
            joining.make_fork(match_record, request, RandomSource())
        assert caught.value.id == why


# -- The log ---------------------------------------------------------------------------------------


def at_random(bench: Bench, who: int, choice: random.Random) -> wire.Requests:
    """Return some request that may or may not be granted."""
    match = bench.table.match_id or "none"
    seat = bench.table.seat_of(bench.people[who])
    ply = max(0, bench.table.ply(seat) + choice.choice([-1, 0, 0, 0]))
    view = bench.table.view(seat)
    move = choice.choice(view.moves) if view and view.moves else "R1"
    asked: list[wire.Requests] = [
        wire.Sit(id=0, seat=choice.randrange(bench.table.seats)),
        wire.Rename(id=0, name=choice.choice(NAMES)),
        wire.TakeBack(id=0, match=match),
        wire.TakeBack(id=0, match=match),
        wire.Consent(id=0, match=match, agree=choice.random() < 0.8),
        wire.Consent(id=0, match=match, agree=True),
        wire.Hint(id=0, match=match),
        wire.Chat(id=0, preset="oops"),
        wire.Begin(id=0),
        wire.DealAgain(id=0),
        *[wire.Play(id=0, match=match, ply=ply, move=move)] * 12,
    ]
    leaving: list[wire.Requests] = [wire.Leave(id=0), wire.FreeSeat(id=0, seat=1)]
    return choice.choice(leaving if choice.random() < 0.003 else asked)


def bots_move(bench: Bench) -> None:
    running = bench.table.running
    if bench.table.stage == "playing" and running is not None and bench.table.ask is None:
        for seat in running.match.waiting_for:
            if not bench.table.is_played_by_person(seat):
                move = running.match.view(seat).moves[0]
                bench.happen([log.MovePlayed(seat=seat, move=move, by="bot")])
                return


@pytest.mark.parametrize("game", SHORT)
@pytest.mark.parametrize("number", range(2))
def test_replaying_the_log_gives_the_same_table(game: str, number: int) -> None:
    seats, options = SHORT[game]
    bench = Bench(game, seats, seats, options=options)
    choice = random.Random(f"{game} {number}")
    granted: set[str] = set()
    for turn in range(800):
        if bench.table.stage == "dealing":
            bench.share()
        bots_move(bench)
        who = choice.randrange(len(bench.people))
        request = at_random(bench, who, choice)
        try:
            if bench.ask(who, request):
                granted.add(type(request).__name__)
        except StichwerkError:
            continue
        if turn % 40 == 0:
            assert bench.again().everything() == bench.everything()
    assert granted >= {"Play", "TakeBack", "Begin", "Chat"}
    assert bench.again().everything() == bench.everything()


def test_missed_steps_are_sent_once_and_in_order() -> None:
    bench = playing()
    start = bench.table.steps[0].seq
    assert [step.seq for step in bench.table.steps] == list(range(start, bench.table.seq + 1))
    for since in range(start - 1, bench.table.seq + 1):
        fresh, steps = bench.table.steps_since(since)
        assert not fresh
        assert [step.seq for step in steps] == list(range(since + 1, bench.table.seq + 1))
    for unknown in (None, 0, start - 2, bench.table.seq + 1):
        fresh, steps = bench.table.steps_since(unknown)
        assert fresh
        assert steps == [one for one in bench.table.steps if one.seq >= bench.table.match_seq]


def test_tokens_are_stored_as_salted_hashes() -> None:
    rng = RandomSource()
    request = wire.NewTable(game="sticheln", name="Ada")
    _, host, first = joining.make_table(request, rng)
    _, again, _ = joining.make_table(request, rng)
    stored = b"".join(map(log.encode, first))
    assert host.token.encode() not in stored
    assert TableState.replay(first).person_with(host.token) is not None
    assert TableState.replay(first).person_with(again.token) is None
    assert len(host.token) >= 43, "256 bits"


def test_bot_names_are_in_the_log() -> None:
    bench = Bench(seats=4, people=1)
    bench.begin()
    assert bench.view(0).names == ("Ada", "Ben", "Mia", "Jonas"), "none of them twice"
    entries = log.decode_all(bench.log)
    assert TableState.replay(entries).names() == list(bench.view(0).names)


def test_bots_in_old_logs_are_named_by_level() -> None:
    bench = Bench(seats=4, people=1)
    bench.begin()
    older = [
        msgspec.structs.replace(entry, bots=()) if isinstance(entry, log.SetUp) else entry
        for entry in log.decode_all(bench.log)
    ]
    assert TableState.replay(older).names() == ["Ada", "medium", "medium", "medium"]


# -- Names that look alike -------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["Ada", "ADA", "ada ", "A\u3164da", "\u0410da", "Ａｄａ"])
def test_no_two_people_at_a_table_look_the_same(typed: str) -> None:
    bench = Bench()
    ada = bench.join(typed)
    assert bench.table.people[ada].name.endswith("da 2") or bench.table.people[ada].name == "ADA 2"
    assert bench.refusal(1, wire.Rename(id=0, name=typed)) == "name-taken"
    assert bench.ask(0, wire.Rename(id=0, name="ADA")), "one's own name may be written otherwise"
    assert bench.table.people[bench.join(typed)].name.endswith(" 3")


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("MAX", "\u039cAX"),  # Greek capitals
        ("NINA", "\u039dINA"),
        ("Hans", "\u0397ans"),
        ("Yves", "\u03a5ves"),
        ("WOLF", "\u051cOLF"),  # Cyrillic
        ("VERA", "\u0474ERA"),
        ("nora", "\u03b7ora"),
    ],
)
def test_capitals_of_other_alphabets_count_as_what_they_look_like(name: str, alike: str) -> None:
    assert display_names.make_distinct(alike, [name]) == f"{alike} 2"
    assert display_names.make_distinct(name, [alike]) == f"{name} 2"


def test_an_invisible_name_is_refused() -> None:
    assert display_names.clean_name("\ufffc\u3164") == ""


def test_names_with_a_number_are_not_too_long() -> None:
    bench = Bench(people=1)
    long = "x" * 24
    found = [bench.table.people[bench.join(long)].name for _ in range(3)]
    assert found == [long, "x" * 22 + " 2", "x" * 22 + " 3"]
    expanding = "\ufdfa" * 24  # 18 letters each, in the usual form
    assert len(bench.table.people[bench.join(expanding)].name) <= 24


def test_umlauts_and_accents_distinguish_names() -> None:
    bench = Bench(people=1)
    display_names = ["Adá", "Äda", "Adda"]
    assert [bench.table.people[bench.join(name)].name for name in display_names] == display_names


# -- Whose table it is -----------------------------------------------------------------------------


def test_the_owner_hands_the_table_over_to_a_seat() -> None:
    bench = Bench(people=4)
    ada, ben, _, dan = bench.people
    assert bench.table.owner == bench.table.host == ada
    assert bench.refusal(1, wire.HandOver(id=0, person=ben)) == "only-the-owner"
    assert bench.refusal(0, wire.HandOver(id=0, person=dan)) == "only-to-a-seat"
    assert bench.refusal(0, wire.HandOver(id=0, person="nobody")) == "only-to-a-seat"
    assert bench.ask(0, wire.HandOver(id=0, person=ada)) == []
    sent = notes(bench.ask(0, wire.HandOver(id=0, person=ben)))
    assert sent == [wire.Hosts(person=ben, for_good=True)]
    assert bench.table.owner == bench.table.host == ben
    assert bench.refusal(0, wire.Begin(id=0)) == "only-the-host"


def test_a_stand_in_has_no_power_over_the_owner() -> None:
    bench = Bench()
    ada, ben, cleo = bench.people
    bench.happen([log.HostPassed(person=ben)])
    assert (bench.table.owner, bench.table.host) == (ada, ben)
    for request in (
        wire.FreeSeat(id=0, seat=0),
        wire.Mute(id=0, person=ada, muted=True),
        wire.Remove(id=0, person=ada),
    ):
        assert bench.refusal(1, request) == "not-the-owner"
    assert bench.refusal(1, wire.HandOver(id=0, person=cleo)) == "only-the-owner"
    assert bench.ask(1, wire.FreeSeat(id=0, seat=2))
    bench.happen([log.HostPassed(person=ada)])
    assert bench.ask(0, wire.FreeSeat(id=0, seat=1))


def test_the_host_removes_and_blocks_people() -> None:
    bench = Bench(people=4)
    token = bench.rng.token()
    eve = bench.join("Eve", token=token)
    requester = Requester(bench.table, bench.people[0])
    assert bench.refusal(1, wire.Remove(id=0, person=eve)) == "only-the-host"
    assert bench.refusal(0, wire.Remove(id=0, person="nobody")) == "no-such-person"
    assert bench.refusal(0, wire.Remove(id=0, person=bench.people[0])) == "no-such-person"
    gone = requests.removal(wire.Remove(id=0, person=eve, block=True), requester, ["here"])
    (note,) = notes(bench.happen(gone))
    assert note == wire.Removed(person=eve, name="Eve", blocked=True)
    assert bench.table.person_with(token) is None
    for attempt in ({"token": token}, {"address": "here"}):
        with pytest.raises(RefusalError) as caught:
            bench.join("Eve", **attempt)  # type: ignore[arg-type]
        assert caught.value.id == "blocked-here"
    bench.join("from elsewhere", address="there")
    assert bench.table.describe().blocked == (), "hidden from others"
    blocked = bench.table.describe(audience=bench.table.audience(bench.people[0])).blocked
    assert blocked == (wire.Blocked(id=eve, name="Eve"),)
    assert bench.refusal(1, wire.Unblock(id=0, person=eve)) == "only-the-host"
    assert bench.again().everything() == bench.everything()
    bench.ask(0, wire.Unblock(id=0, person=eve))
    bench.join("Eve", address="here", token=token)


def test_a_bot_replaces_a_person_removed_during_a_match() -> None:
    bench = Bench()
    bench.begin()
    bench.ask(0, wire.Chat(id=0, text="hello"))
    bench.ask(1, wire.Chat(id=0, text="hi"))
    sent = notes(bench.ask(0, wire.Remove(id=0, person=bench.people[1])))
    assert [type(one) for one in sent] == [wire.Moved, wire.Removed]
    assert bench.table.places[1].level == "medium"
    said = [one for one in notes(bench.table.steps) if isinstance(one, wire.Said)]
    assert [one.name for one in said] == ["Ada", "Ben"], "chat keeps the name of its author"
    assert bench.again().everything() == bench.everything()


# -- What a private table reveals ------------------------------------------------------------------

PRIVATE = wire.Settings(watch="none")


def test_outsiders_of_a_private_table_see_only_the_invitation() -> None:
    bench = Bench("sticheln", 4, 3, PRIVATE)
    bench.ask(2, wire.Leave(id=0))
    bench.begin()
    for person in (None, bench.people[2]):
        audience = bench.table.audience(person)
        described = bench.table.describe(bench.people[:1], 5, audience)
        assert (described.match, described.dealing, described.ask, described.deadline) == (
            None,
            None,
            None,
            None,
        )
        assert {one.name for one in described.people} == {"Ada", "Ben"}
        assert all(one.here for one in described.people), "who is connected is private"
        assert bench.table.view_of(person) is None
    bench.happen([log.BotTookOver(seat=1)])
    before, after = (
        described.places[1],
        bench.table.describe((), None, bench.table.audience(None)).places[1],
    )
    assert before == after, "that a bot plays for someone is private"
    assert (
        bench.table.describe((), None, bench.table.audience(bench.people[0])).match == bench.match
    )
    assert bench.refusal(2, wire.Chat(id=0, text="hi")) == "no-seat-of-your-own"


def played_out(watch: wire.Watchers) -> Bench:
    """Return a finished match of three people."""
    bench = Bench("sticheln", 3, 3, wire.Settings(watch=watch), options={"rounds": 2})
    bench.begin()
    while bench.table.stage == "playing":
        bench.play(bench.turn())
    return bench


@pytest.mark.parametrize("watch", ["all", "none"])
def test_taking_a_seat_after_a_match_reveals_nothing_private(watch: wire.Watchers) -> None:
    bench = played_out(watch)
    own = bench.view(1)
    assert bench.table.view_of(bench.people[1]) == own
    bench.ask(1, wire.Leave(id=0))
    successor = bench.join("Dora", 1)
    view, audience = bench.table.view_of(successor), bench.table.audience(successor)
    described = bench.table.describe((), None, audience)
    assert (audience.seat, audience.eyes) == (1, None)
    if watch == "all":
        assert view == bench.table.view(None), "what every spectator sees"
    else:
        assert (view, described.match, described.dealing) == (None, None, None)
    bench.ask(0, wire.FreeSeat(id=0, seat=1))
    bench.ask(1, wire.Sit(id=0, seat=1))
    assert bench.table.view_of(bench.people[1]) == own, "people who were in it still know it"
    assert bench.again().everything() == bench.everything()


def test_private_events_cover_only_rounds_in_the_seat() -> None:
    """Today nobody takes over a seat during a match; the rule holds if a log says so."""
    bench = Bench("sticheln", 3, 3, options={"rounds": 3})
    bench.begin()
    dan = bench.join("Dan")
    while bench.view(0).round < 2:
        bench.play(bench.turn())
    assert bench.table.places[1].person == bench.people[1]
    bench.happen([log.Seated(seat=1, level="easy"), log.Seated(seat=1, person=dan)])
    while bench.view(0).phase != "play":
        bench.play(bench.turn())
    view = bench.table.view_of(dan)
    assert view is not None
    (dealt,) = [event for event in view.history if event.kind == "hand"]
    assert set(view.hand) < set(dealt.cards), "of this round, of which a card is laid by"
    public = [event for event in view.history if event.to is None]
    whole = bench.table.view(None)
    assert whole is not None
    assert tuple(public) == whole.history
    assert bench.table.view_of(bench.people[0]) == bench.view(0)


# -- Logs do not grow without bound ----------------------------------------------------------------


def test_log_entries_of_one_person_are_bounded() -> None:
    bench, most = Bench(people=5), 50

    def rename(who: int, number: int) -> None:
        requester = Requester(bench.table, bench.people[who])
        request = wire.Rename(id=0, name=f"N{who} {number}")
        bench.happen(
            requests.within_quota(request, requester, decide(request, requester, bench.rng), most)
        )

    def is_full(who: int) -> bool:
        with pytest.raises(RefusalError) as caught:
            rename(who, 9999)
        return caught.value.id == "too-much-beside"

    for who in (3, 1):
        for number in range(most):
            rename(who, number)
        assert is_full(who)
    for number in range(requests.SPARE_ENTRIES):
        rename(4, number)
    assert is_full(4), "onlookers share what they have, but for a little"
    rename(2, 0)  # a seat has its own
    assert TableState.replay(log.decode_all(bench.log)).beside == bench.table.beside
    bench.begin()
    rename(3, 0)
    rename(1, 0)


def test_log_entries_of_joining_people_are_bounded() -> None:
    bench, most = Bench(people=3), 5
    before = bench.table.seq

    def come() -> None:
        requests.must_be_room_in_log(bench.table, most)
        new = bench.join("N")
        bench.happen([log.PersonForgotten(person=new)])

    while bench.table.arrivals < requests.ARRIVALS * most:
        come()
    with pytest.raises(RefusalError) as caught:
        come()
    assert caught.value.id == "too-much-beside"
    assert bench.table.seq - before <= requests.ARRIVALS * most
    bench.begin()
    come()


def test_steps_are_trimmed_while_loading_a_log() -> None:
    bench = Bench()
    talk = log.encode(log.ChatSent(person=bench.people[0], text="x"))
    table = TableState.replay(log.decode_all([*bench.log, *[talk] * 10_000]))
    assert len(table.steps) <= 2 * tables.MOST_STEPS
    fresh, steps = table.steps_since(None)
    assert fresh
    assert len(steps) == tables.MOST_TOLD
    fresh, steps = table.steps_since(table.seq - tables.MOST_TOLD)
    assert (fresh, len(steps)) == (False, tables.MOST_TOLD)
    assert table.steps_since(table.seq - tables.MOST_TOLD - 1)[0], "too much was missed"
