"""Requests about a match: taking back, hints, rematches and forks."""

import random
from collections import Counter

import pytest

from stichwerk import record
from stichwerk.first_names import FIRST_NAMES
from stichwerk.games.options import Value
from stichwerk.server import wire
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import joining, requests
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.refusal import RefusalError
from stichwerk.server.tables.shuffle import moves_in
from stichwerk.server.tables.table_state import TableState
from tests.server.request_setup import SHORT, Bench, notes, playing, settings

# -- Taking back -----------------------------------------------------------------------------------


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
