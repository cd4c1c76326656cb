"""What is granted, what is refused, and what a log adds up to: without sockets and without a clock.

`Bench` does what a live table does: decide, store, apply. Every entry is encoded on the way.
"""

import pytest

from stichwerk.server import wire
from stichwerk.server.tables import joining, requests
from stichwerk.server.tables.refusal import RefusalError
from tests.server.request_setup import Bench, notes

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
