"""What a client makes of failed set-ups, lost seats and shown hands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from stichwerk.engine.events import CardPlayed, Event
from stichwerk.match import Match, Setting
from stichwerk.server import wire
from stichwerk.server.clients.deal_check import DealCheck
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.deal_shares import (
    CommitShare,
    RevealShare,
)
from stichwerk.server.clients.dealt_cards import OwnHand, rounds_in
from stichwerk.server.clients.table_rules import TableRules
from stichwerk.server.tables.shuffle import Shuffle
from stichwerk.terminal.links import FileShareStore
from tests.server.deal_check_setup import (
    BENS,
    BOTS,
    OPEN,
    OWN,
    checker,
    commit,
    dealt,
    ids,
    played,
    sealed_by_us,
    shuffle,
    table,
    update,
)


def welcome(announced: wire.Table, seat: int | None = 0) -> wire.Welcome:
    return wire.Welcome(
        version=1,
        seq=1,
        fresh=True,
        person="a",
        seat=seat,
        ply=0,
        table=announced,
        view=None,
        steps=(),
    )


def all_open(match: str = "m1", own: bytes = OWN) -> Shuffle:
    """Return a shuffle that all have sealed and opened, with this share in seat 0."""
    one = shuffle(match)
    for seat, share in ((0, own), (1, BENS)):
        one.seal(seat, commit(seat, share, match))
    for seat, share in ((0, own), (1, BENS)):
        one.open(seat, share)
    return one


def seen(match: Match, since: int = 0, seat: int = 0) -> tuple[Event, ...]:
    """Return what a seat saw of a match."""
    return tuple(event for event in match.events[since:] if event.visible(seat))


def news(one: Shuffle, match: Match, since: int = 0, *notes: wire.Notes) -> wire.Update:
    """Return an update for seat 0, as an honest server sends it while a match is played."""
    announced = table(one.describe(len(match.scores)), "over" if match.over else "playing")
    step = wire.Step(seq=2, notes=notes, events=seen(match, since))
    view = replace(match.view(0), history=())
    return wire.Update(seq=2, steps=(step,), seat=0, ply=0, table=announced, view=view)


def begun_by_us(check: DealCheck, match: str = "m1") -> tuple[Shuffle, Match]:
    """Run up to the first cards, with our share."""
    check.receive(update(table(shuffle(match).describe(0))))
    one = all_open(match)
    begun = dealt(one)
    check.receive(news(one, begun, 0, wire.Begun(match=match)))
    return one, begun


# -- Set-ups that fail -----------------------------------------------------------------------------


def aborted(match: str, *seats: int) -> wire.Aborted:
    return wire.Aborted(match=match, seats=seats)


def failed_twice(aborts: Sequence[int] = (1, 2)) -> DealCheck:
    check = checker()
    for number, claimed in enumerate(aborts, 1):
        one = shuffle(f"m{number}")
        assert check.receive(update(table(one.describe(0)))) != []
        check.receive(update(table(None, "gathering", aborts=claimed), aborted(f"m{number}", 1)))
    return check


def test_failed_set_ups_are_counted_and_named() -> None:
    check = failed_twice()
    notices = [(notice.id, notice.data) for notice in check.notices()]
    assert notices == [
        ("deal-aborted", {"count": 1, "seats": (1,)}),
        ("deal-aborted", {"count": 2, "seats": (1,)}),
        ("deal-again-ask", {"count": 2}),
    ]


@pytest.mark.parametrize("claimed", [(1, 2), (0, 0), (1, 0), (5, 5)])
def test_after_two_failed_set_ups_nothing_is_sealed_without_consent(claimed: Sequence[int]) -> None:
    """Whatever the server says about how many there were."""
    check = failed_twice(claimed[:1] if claimed[0] > 2 else claimed)
    assert check.must_ask
    third = table(shuffle("m3").describe(0))
    assert check.receive(update(third)) == []
    assert [type(action) for action in check.agree()] == [CommitShare]
    check.receive(update(table(None, "gathering"), aborted("m3", 1)))
    assert check.must_ask, "consent is to one more"
    assert check.receive(update(table(shuffle("m4").describe(0)))) == []


def test_consent_may_come_before_the_next_set_up() -> None:
    check = failed_twice()
    assert check.agree() == []
    assert check.receive(update(table(shuffle("m3").describe(0)))) != []


def test_a_set_up_that_vanishes_silently_counts() -> None:
    check = checker()
    for number in (1, 2):
        check.receive(update(table(shuffle(f"m{number}").describe(0))))
    check.receive(update(table(shuffle("m3").describe(0))))
    assert check.aborts == 2
    assert check.must_ask
    assert ids(check)[:2] == ["deal-aborted", "deal-aborted"]


def test_a_match_that_begins_resets_the_count() -> None:
    check = failed_twice()
    one = shuffle("m3")
    for seat in (0, 1):
        one.seal(seat, commit(seat, BENS, "m3"))
    for seat in (0, 1):
        one.open(seat, BENS)
    check.receive(update(table(one.describe(0), "playing"), wire.Begun(match="m3")))
    assert (check.aborts, check.must_ask) == (0, False)


def test_a_claimed_beginning_does_not_reset_the_count() -> None:
    """Only a deal that is open does: notes and stages are cheap."""
    check = failed_twice()
    check.receive(update(table(None, "gathering"), wire.Begun(match="m2")))
    check.receive(update(replace(table(None, "playing"), match="m2")))
    assert check.must_ask
    one = shuffle("m3")
    with pytest.raises(DealViolationError, match="deal-early"):
        check.receive(update(table(one.describe(0), "playing")))


@pytest.mark.parametrize("watch", ["all", "none"])
def test_briefly_taking_the_seat_away_hides_nothing(watch: Any) -> None:
    check = checker()
    for number in (1, 2):
        check.receive(update(table(shuffle(f"m{number}").describe(0))))
        gone = table(None, "gathering", settings=wire.Settings(watch=watch))
        check.receive(update(gone, seat=None))
    assert check.receive(update(table(shuffle("m3").describe(0)))) == []
    assert check.must_ask


def test_matches_missed_during_a_disconnect_are_counted() -> None:
    check = checker()
    for number in (1, 2, 3):
        one = shuffle(f"m{number}")
        for seat in (0, 1):
            one.seal(seat, commit(seat, BENS, one.match))
        for seat in (0, 1):
            one.open(seat, BENS)
        check.receive(welcome(table(one.describe(0), "playing")))
    assert check.aborts == 2
    assert ids(check).count("deal-match-gone") == 2
    check.receive(replace(update(table(one.describe(2), "over")), view=played(one).view(0)))
    assert check.aborts == 0


def test_blaming_a_seat_whose_share_is_open_is_a_violation() -> None:
    check = checker()
    one = sealed_by_us(check)
    one.seal(1, commit(1, BENS))
    check.receive(update(table(one.describe(0))))
    gone = table(None, "gathering")
    with pytest.raises(DealViolationError, match="deal-blamed"):
        check.receive(update(gone, aborted("m1", 2)))  # the bot's share is open with the last seal
    check.done(OPEN)
    with pytest.raises(DealViolationError, match="deal-blamed"):
        check.receive(update(gone, aborted("m1", 0)))


def test_a_blamed_seat_whose_share_appears_is_a_violation() -> None:
    check = checker()
    one = sealed_by_us(check)
    one.seal(1, commit(1, BENS))
    check.receive(update(table(one.describe(0))))
    check.receive(update(table(None, "gathering"), aborted("m1", 0)))
    with pytest.raises(DealViolationError, match="deal-blamed"):
        check.done(OPEN)


# -- Seats and matches that are taken away ---------------------------------------------------------


def as_watched(watch: Any, stage: Any = "gathering", match: Shuffle | None = None) -> wire.Table:
    return table(match.describe(0) if match else None, stage, settings=wire.Settings(watch=watch))


def without_seat(*of: Any) -> wire.Update:
    return update(as_watched(*of), seat=None)


@pytest.mark.parametrize("watch", ["all", "none"])
def test_losing_the_seat_after_the_deal_counts(watch: Any) -> None:
    """Otherwise a host could look at the cards, and deal again as often as it likes."""
    check = checker()
    for number in (1, 2):
        begun_by_us(check, f"m{number}")
        check.receive(without_seat(watch))
        check.receive(update(table(None, "gathering")))
        assert check.aborts == number
    assert ids(check).count("deal-seat-lost") == 2
    assert check.receive(update(table(shuffle("m3").describe(0)))) == []
    assert check.must_ask
    check.agree()
    one, _ = begun_by_us(check, "m3")
    assert check.aborts == 2, "a match that begins is not one that is played"
    check.receive(news(one, played(one), 4))
    assert check.aborts == 0


def test_an_end_reported_without_a_seat_does_not_count_as_seen() -> None:
    check = checker()
    one, _ = begun_by_us(check)
    check.receive(without_seat("all", "playing", one))
    over = replace(news(one, played(one), 4), seat=None)
    check.receive(over)
    assert check.aborts == 1
    assert ids(check).count("deal-seat-lost") == 1


def test_losing_the_seat_while_shares_are_open_counts() -> None:
    check = checker()
    one = sealed_by_us(check)
    one.seal(1, commit(1, BENS))
    check.receive(update(table(one.describe(0))))
    check.receive(without_seat("all", "dealing", one))
    assert check.aborts == 1
    check.receive(replace(news(all_open(), dealt(all_open())), seat=None))
    assert check.aborts == 1, "it goes on without us"


def test_leaving_and_returning_needs_no_consent() -> None:
    check = checker()
    for number in (1, 2, 3):
        _, begun = begun_by_us(check, f"m{number}")
        assert not begun.over
        check.leave()
        check.receive(welcome(as_watched("none", "playing"), seat=None))
        check.receive(without_seat("none", "over"))
        check.receive(welcome(table(None, "over")))
    assert (check.aborts, check.must_ask) == (0, False)
    assert set(ids(check)) == {"the-six-words"}


def test_leaving_before_a_match_excuses_nothing_during_it() -> None:
    check = checker()
    check.leave()
    begun_by_us(check)
    check.receive(without_seat("none"))
    assert ids(check)[-1] == "deal-seat-lost"


def test_a_replaced_person_may_join_the_next_match() -> None:
    """The host gave the seat to a bot; the match is seen to its end, and another one begins."""
    check = checker()
    one, _ = begun_by_us(check)
    check.receive(without_seat("none", "playing"))
    check.receive(welcome(table(one.describe(2), "over"), seat=2))
    assert check.receive(update(table(shuffle("m2").describe(0)), seat=0)) != []
    assert ids(check) == ["the-six-words", "deal-seat-lost"]


def test_matches_of_others_are_not_counted() -> None:
    """Failures do not count for a spectator."""
    check = checker()
    for number in (1, 2, 3):
        one = all_open(f"m{number}", BENS)
        check.receive(update(table(shuffle(f"m{number}").describe(0)), seat=None))
        check.receive(replace(news(one, dealt(one)), seat=None))
    check.receive(update(table(None, "gathering", aborts=2), aborted("m4", 1), seat=None))
    assert check.receive(update(table(shuffle("m5").describe(0)))) != []


def test_changing_the_seat_during_a_match_is_a_violation() -> None:
    check = checker()
    sealed_by_us(check)
    with pytest.raises(DealViolationError, match="deal-seat"):
        check.receive(update(table(shuffle().describe(0)), seat=1))
    check = checker()
    one, begun = begun_by_us(check)
    with pytest.raises(DealViolationError, match="deal-seat"):
        check.receive(replace(news(one, begun, 4), table=None, seat=1))
    check = checker()
    one, _ = begun_by_us(check)
    check.receive(news(one, played(one), 4))
    check.receive(update(table(one.describe(2), "over"), seat=2))
    assert check.receive(update(table(shuffle("m2").describe(0)), seat=1)) != [], "all move on"


def test_a_match_is_over_only_when_its_scores_end_it() -> None:
    for view in (None, dealt(all_open()).view(0)):
        check = checker()
        one, _ = begun_by_us(check)
        with pytest.raises(DealViolationError, match="deal-abandoned"):
            check.receive(replace(update(table(one.describe(0), "over")), view=view))


def test_a_match_without_our_share_reported_at_its_end() -> None:
    check = checker()
    check.receive(update(table(shuffle().describe(0))))
    other = all_open(own=BENS)
    whole = played(other)
    check.receive(news(other, whole))
    assert ids(check) == ["the-six-words", "deal-share-foreign"]


def test_two_people_can_share_a_device(tmp_path: Path) -> None:
    """The share of the other one is none of ours."""
    book = FileShareStore(tmp_path, "http://x/t/t")
    one = sealed_by_us(checker(book))
    ben = checker(FileShareStore(tmp_path, "http://x/t/t"), share=BENS)
    assert ben.receive(update(table(one.describe(0)), seat=1)) == [
        CommitShare("m1", commit(1, BENS).hex())
    ]
    one.seal(1, commit(1, BENS))
    again = checker(FileShareStore(tmp_path, "http://x/t/t"), share=BOTS)
    assert again.receive(update(table(one.describe(0)), seat=1)) == [RevealShare("m1", BENS.hex())]


# -- The hand that is shown ------------------------------------------------------------------------


def test_the_shown_hand_must_be_the_dealt_one() -> None:
    check = checker()
    one = all_open()
    match = dealt(one)
    check.receive(update(table(shuffle().describe(0))))
    false = replace(match.view(0), hand=match.view(1).hand, history=())
    with pytest.raises(DealViolationError, match="deal-hand"):
        check.receive(replace(news(one, match), view=false))


def test_the_hand_is_followed_through_the_match() -> None:
    """Every message is compared, to the last card; a played card does not return."""
    check = checker()
    one, match = begun_by_us(check)
    first = match.view(0).hand
    while not match.over:
        since, seat = len(match.events), match.waiting_for[-1]
        match.play(seat, match.moves(seat)[0])
        check.receive(news(one, match, since))
        if len(match.rounds) == 1 and len(match.view(0).hand) == len(first) - 3:
            for wrong in (first[:-3], match.view(0).hand[1:], ()):
                false = replace(match.view(0), hand=wrong, history=())
                with pytest.raises(DealViolationError, match="deal-hand"):
                    check.receive(replace(news(one, match, len(match.events)), view=false))
    assert ids(check) == ["the-six-words"]


# Cards are passed on, go aside, are laid face down, discarded and drawn, given away.
DAYS = ("02-08", "02-15", "03-01", "05-08", "07-21", "08-03", "12-09")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("sticheln", {"rounds": 1}),
        ("stichling", {}),
        ("null-nichtig", {"target": 10}),
        *(("stichtag", {"date": day}) for day in DAYS),
    ],
)
def test_the_hand_is_followed_in_every_game(game: str, options: dict[str, Any]) -> None:
    setting = Setting(game, 4, options)
    rules, match = TableRules(setting), setting.new(seed=3)
    hands = [OwnHand() for _ in range(4)]
    rounds: list[dict[int, Any]] = [{} for _ in range(4)]
    since = 0
    while not match.over:
        for seat, hand in enumerate(hands):
            hand.receive(seen(match, since, seat))
            rounds[seat].update(rounds_in(seen(match, since, seat), seat))
            view = replace(match.view(seat), history=())
            hand.check(rules, view, seat, rounds[seat][view.round].hand)
        since, mover = len(match.events), match.waiting_for[-1]
        match.play(mover, match.moves(mover)[since % len(match.moves(mover))])


def test_a_card_taken_back_returns_to_the_hand() -> None:
    check = checker()
    one, match = begun_by_us(check)
    moves: list[tuple[int, str]] = []
    whole = len(match.view(0).hand)
    while len(match.view(0).hand) >= whole - 1:  # the pain card, and the first card that is played
        since, seat = len(match.events), match.waiting_for[-1]
        moves.append((seat, match.moves(seat)[0].text))
        match.play(*moves[-1])
        check.receive(news(one, match, since))
    before = dealt(one)
    for move in moves[:-1]:
        before.play(*move)
    void = len(match.events) - len(before.events)
    check.receive(news(one, before, len(before.events), wire.TookBack(seat=0, events=void)))
    with pytest.raises(DealViolationError, match="deal-hand"):
        check.receive(news(one, match, len(match.events)))


def test_a_welcome_must_include_our_hand() -> None:
    check = checker()
    check.receive(update(table(shuffle().describe(0))))
    one = all_open()
    view = dealt(one).view(0)
    welcomed = replace(welcome(table(one.describe(0), "playing")), view=view)
    check.receive(welcomed)
    silent = tuple(event for event in view.history if event.kind != "hand")
    check = checker()
    check.receive(update(table(shuffle().describe(0))))
    with pytest.raises(DealViolationError, match="deal-hand"):
        check.receive(replace(welcomed, view=replace(view, history=silent)))


def test_a_welcome_must_show_the_same_hand_as_before() -> None:
    check = checker()
    one, match = begun_by_us(check)
    view, other = match.view(0), match.view(1)
    false = [
        replace(event, cards=other.hand) if event.kind == "hand" else event
        for event in view.history
    ]
    false_view = replace(view, hand=other.hand, history=tuple(false))
    with pytest.raises(DealViolationError, match="deal-hand"):
        check.receive(replace(welcome(table(one.describe(0), "playing")), view=false_view))


def test_an_unannounced_round_cannot_be_over() -> None:
    check = checker()
    one, match = begun_by_us(check)
    with pytest.raises(DealViolationError, match="deal-hand"):
        check.receive(replace(news(one, played(one), len(match.events)), steps=()))


def test_impossible_events_are_violations() -> None:
    for move, seat in (("R99", 0), ("", 1), ("R1", 77)):
        check = checker()
        one, match = begun_by_us(check)
        step = wire.Step(seq=3, events=(CardPlayed(seat, move),))
        with pytest.raises(DealViolationError, match="deal-hand"):
            check.receive(replace(news(one, match, len(match.events)), steps=(step,)))


def test_no_cards_before_all_is_open_nor_after_the_end() -> None:
    check = checker()
    sealed_by_us(check)
    one = all_open()
    early = replace(news(one, dealt(one)), table=None)
    for one_of_them in (early, replace(early, steps=())):
        with pytest.raises(DealViolationError, match="deal-early"):
            check.receive(one_of_them)
    check = checker()
    one, match = begun_by_us(check)
    check.receive(news(one, played(one), len(match.events)))
    with pytest.raises(DealViolationError, match="deal-early"):
        check.receive(replace(news(one, dealt(all_open("m2"))), table=None))


def test_resuming_across_two_matches_works() -> None:
    """What was missed of the match before is not taken for this one."""
    check = checker()
    first, match = begun_by_us(check)
    whole = played(first)
    second = all_open("m2", BENS)
    begun = dealt(second)
    steps = (
        wire.Step(seq=3, events=seen(whole, len(match.events))),
        wire.Step(seq=4, notes=(wire.Sealing(match="m2"),)),
        wire.Step(seq=5, notes=(wire.Begun(match="m2"),), events=seen(begun)),
    )
    welcomed = welcome(table(second.describe(0), "playing"))
    view = replace(begun.view(0), history=())
    check.receive(replace(welcomed, fresh=False, steps=steps, view=view))
    assert sorted(check.rounds) == [1]
    assert ids(check)[-2:] == ["the-six-words", "deal-share-foreign"]
