"""What a client makes of the messages about a deal: pure, message by message."""

from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from stichwerk.engine.events import Event, RoundStarted
from stichwerk.hash_words import fingerprint
from stichwerk.record import Fairness, Record, record
from stichwerk.server import wire
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.deal_shares import (
    MemoryShareStore,
    OwnShare,
    ShareStore,
)
from stichwerk.server.clients.dealt_cards import check_record, rounds_in
from stichwerk.terminal.links import MOST_SHARES, FileShareStore, kept_shares
from tests.server.deal_check_setup import (
    BENS,
    BOTS,
    OPEN,
    OWN,
    SEAL,
    checker,
    commit,
    ids,
    played,
    sealed_by_us,
    shuffle,
    table,
    update,
)

# -- Our share -------------------------------------------------------------------------------------


def test_seal_then_open_then_play() -> None:
    check = checker()
    one = sealed_by_us(check)
    assert ids(check) == [], "there is nothing to tell yet"
    one.seal(1, commit(1, BENS))
    assert check.receive(update(table(one.describe(0)))) == [OPEN]
    assert check.words == fingerprint(one.transcript)
    assert ids(check) == ["the-six-words"]
    one.open(0, OWN)
    assert check.receive(update(table(one.describe(0)))) == []
    check.done(OPEN)
    one.open(1, BENS)
    assert check.receive(update(table(one.describe(0), "playing"), wire.Begun(match="m1"))) == []
    assert check.has_own_share
    assert ids(check) == []


def test_a_share_is_kept_before_it_is_sealed_and_the_agreement_before_it_is_opened() -> None:
    store = MemoryShareStore()
    check = checker(store)
    one = shuffle()
    check.receive(update(table(one.describe(0))))
    (kept,) = store.of_match("m1")
    assert (kept.seat, kept.seed, kept.announced.transcript) == (0, OWN.hex(), None)
    one.seal(0, commit(0, OWN))
    one.seal(1, commit(1, BENS))
    assert check.receive(update(table(one.describe(0)))) == [OPEN]
    (kept,) = store.of_match("m1")
    assert kept.announced.transcript == one.transcript.hex()


def test_an_acknowledged_seal_must_be_listed() -> None:
    check = checker()
    one = shuffle()
    check.receive(update(table(one.describe(0))))
    with pytest.raises(DealViolationError, match="deal-share-missing"):
        check.done(SEAL)
    check = checker()
    sealed_by_us(check)
    with pytest.raises(DealViolationError, match="deal-share-missing"):
        check.receive(update(table(shuffle().describe(0))))


@pytest.mark.parametrize("trusted", [True, False])
def test_an_acknowledged_seal_must_be_ours_whatever_trusted_says(trusted: bool) -> None:
    other = shuffle()
    other.seal(0, commit(0, BENS))
    other.trusted[0] = trusted
    check = checker()
    check.receive(update(table(shuffle().describe(0))))
    check.receive(update(table(other.describe(0))))
    assert ids(check) == [], "the answer is waited for"
    with pytest.raises(DealViolationError, match="deal-share-replaced"):
        check.done(SEAL)
    check = checker()
    sealed_by_us(check)
    with pytest.raises(DealViolationError, match="deal-share-replaced"):
        check.receive(update(table(other.describe(0))))


@pytest.mark.parametrize(
    ("trusted", "said"), [(True, "deal-share-foreign"), (False, "deal-no-share")]
)
def test_a_match_without_our_share_is_reported_once(trusted: bool, said: str) -> None:
    other = shuffle()
    check = checker()
    check.receive(update(table(other.describe(0))))
    other.seal(0, commit(0, BENS))
    other.trusted[0] = trusted
    check.receive(update(table(other.describe(0))))
    check.refused(SEAL)
    assert ids(check) == [said]
    other.seal(1, commit(1, BENS))
    assert check.receive(update(table(other.describe(0)))) == [], "nothing of ours is opened"
    assert ids(check) == ["the-six-words"]
    assert not check.has_own_share


def test_an_unanswered_seal_is_reported_when_the_match_runs() -> None:
    other = shuffle()
    check = checker()
    check.receive(update(table(other.describe(0))))
    for seat in (0, 1):
        other.seal(seat, commit(seat, BENS))
        other.open(seat, BENS) if other.sealed else None
    other.open(0, BENS)
    for said in (["the-six-words", "deal-share-foreign"], []):
        check.receive(update(table(other.describe(0), "playing")))
        assert ids(check) == said, "at once, and once"


def test_our_seal_marked_untrusted_is_accepted() -> None:
    check = checker()
    one = sealed_by_us(check)
    one.trusted[0] = False
    with pytest.raises(DealViolationError, match="deal-changed"):
        check.receive(update(table(one.describe(0))))


# -- Several windows, and restarts -----------------------------------------------------------------


def stores(kind: str, folder: Path) -> tuple[ShareStore, ShareStore]:
    """Return the file in which two programs of one person store their shares."""
    if kind == "memory":
        memory = MemoryShareStore()
        return memory, memory
    return FileShareStore(folder, "http://x/t/t"), FileShareStore(folder, "http://x/t/t")


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_a_restart_between_seal_and_reveal_continues(kind: str, tmp_path: Path) -> None:
    before, after = stores(kind, tmp_path)
    one = sealed_by_us(checker(before))
    one.seal(1, commit(1, BENS))
    again = checker(after, share=BENS)
    assert again.receive(update(table(one.describe(0)))) == [OPEN]
    assert again.has_own_share


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_after_a_restart_nothing_may_have_changed(kind: str, tmp_path: Path) -> None:
    before, after = stores(kind, tmp_path)
    check = checker(before)
    one = sealed_by_us(check)
    one.seal(1, commit(1, BENS))
    check.receive(update(table(one.describe(0))))
    other = shuffle()
    other.seal(0, commit(0, BENS))
    with pytest.raises(DealViolationError, match="deal-replayed"):
        checker(after).receive(update(table(other.describe(0))))
    other.seal(1, commit(1, BENS))
    with pytest.raises(DealViolationError, match="deal-share-replaced"):
        checker(after).receive(update(table(other.describe(0))))
    changed = replace(one.describe(0), server_commits=("00" * 32,) * 3)
    with pytest.raises(DealViolationError, match="deal-changed"):
        checker(after).receive(update(table(changed)))


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_another_window_on_the_same_device_is_recognised(kind: str, tmp_path: Path) -> None:
    here, there = stores(kind, tmp_path)
    first, second = checker(here), checker(there, share=BENS)
    one = shuffle()
    assert first.receive(update(table(one.describe(0)))) == [SEAL]
    (late,) = second.receive(update(table(one.describe(0))))
    one.seal(0, commit(0, OWN))
    second.receive(update(table(one.describe(0))))
    second.refused(late)
    one.seal(1, commit(1, BENS))
    assert second.receive(update(table(one.describe(0)))) == [OPEN], "whichever is quicker"
    assert ids(second) == ["the-six-words"]


def test_shares_are_stored_in_a_file(tmp_path: Path) -> None:
    book = FileShareStore(tmp_path / "new", "http://x/t/t")
    announced = shuffle().describe(0)
    for number in range(MOST_SHARES + 5):
        seed = number.to_bytes(32).hex()
        book.keep(OwnShare(match=f"m{number}", seat=0, seed=seed, announced=announced))
    assert len(kept_shares(book.file)) == MOST_SHARES
    assert kept_shares(book.file)[-1].share.match == f"m{MOST_SHARES + 4}"
    assert book.file.stat().st_mode & 0o077 == 0, "nobody else may read it"
    elsewhere = FileShareStore(tmp_path / "new", "http://y/t/t")
    assert elsewhere.of_match("m20") == [], "a match of another table"
    book.file.write_text("nonsense")
    assert FileShareStore(tmp_path / "new", "http://x/t/t").of_match("m20") == []
    (tmp_path / "file").write_text("")
    blocked = FileShareStore(tmp_path / "file" / "below", "http://x/t/t")
    blocked.keep(OwnShare(match="m1", seat=0, seed=OWN.hex(), announced=announced))
    assert len(blocked.of_match("m1")) == 1, "where nothing can be written, as long as it runs"


# -- What the server sends -------------------------------------------------------------------------


def test_nothing_is_sealed_for_a_set_up_that_is_not_complete() -> None:
    announced = shuffle().describe(0)
    for wrong in (
        {"server_commits": announced.server_commits[:-1]},
        {"server_commits": (*announced.server_commits[:-1], "")},
        {"server_commits": (*announced.server_commits[:-1], "g" * 64)},
        {"client_commits": announced.client_commits[:-1]},
        {"trusted": (True,)},
        {"client_seeds": ()},
        {"rounds": 1},
        {"rules": "stichling/1"},
        {"deck": "R1"},
        {"options": "{}"},
        {"words": ("arena",) * 6},
        {"transcript": "00" * 32},
        {"server_seeds": ("00" * 32,)},
        {"client_seeds": (None, None, BOTS.hex())},
    ):
        with pytest.raises(DealViolationError):
            checker().receive(update(table(replace(announced, **wrong))))


def test_the_rules_of_the_table_may_not_change_either() -> None:
    check = checker()
    one = sealed_by_us(check)
    announced = table(one.describe(0))
    with pytest.raises(DealViolationError, match="deal-rules"):
        check.receive(update(replace(announced, options={**announced.options, "rounds": 3})))
    with pytest.raises(DealViolationError, match="deal-match"):
        check.receive(update(replace(announced, match="m2")))


def test_an_unknown_game_is_reported() -> None:
    check = checker()
    one = shuffle()
    one.setup = replace(one.setup, rules="sticheln/2")
    assert check.receive(update(table(one.describe(0)))) == [SEAL], "sealed all the same"
    for seat, share in ((0, OWN), (1, BENS)):
        one.seal(seat, commit(seat, share))
    check.receive(update(table(one.describe(0))))
    assert ids(check) == ["the-six-words", "deal-unknown-rules"]


def test_a_match_without_a_deal_is_reported_as_unproven() -> None:
    check = checker()
    for _ in range(2):
        check.receive(update(replace(table(None, "playing"), match="m1")))
    assert ids(check) == ["deal-unproven"]
    check = checker()
    sealed_by_us(check)
    with pytest.raises(DealViolationError, match="deal-changed"):
        check.receive(update(replace(table(None, "playing"), match="m1")))


def test_without_a_view_there_is_nothing_to_check() -> None:
    hidden = table(None, settings=wire.Settings(watch="none"))
    check = checker()
    assert check.receive(update(replace(hidden, match="m1", stage="playing"), seat=None)) == []
    assert ids(check) == []


def test_spectators_see_the_words() -> None:
    one = shuffle()
    for seat, share in ((0, OWN), (1, BENS)):
        one.seal(seat, commit(seat, share))
    check = checker()
    assert check.receive(update(table(one.describe(0)), seat=None)) == []
    assert ids(check) == ["the-six-words"]


def test_abandoning_a_dealt_match_is_a_violation() -> None:
    check = checker()
    one = sealed_by_us(check)
    one.seal(1, commit(1, BENS))
    one.open(0, OWN)
    one.open(1, BENS)
    check.receive(update(table(one.describe(0), "playing")))
    with pytest.raises(DealViolationError, match="deal-abandoned"):
        check.receive(update(table(shuffle("m2").describe(0))))


def test_sitting_down_after_a_match_counts_no_missed_end() -> None:
    one = shuffle()
    for seat, share in ((0, OWN), (1, BENS)):
        one.seal(seat, commit(seat, share))
    one.open(0, OWN)
    one.open(1, BENS)
    check = checker(share=BOTS)
    check.receive(update(table(one.describe(2), "over"), seat=1))
    assert ids(check) == ["the-six-words"]


def test_cards_come_with_an_event_that_can_be_compared() -> None:
    check = checker()
    one = sealed_by_us(check)
    one.seal(1, commit(1, BENS))
    one.open(0, OWN)
    one.open(1, BENS)
    begun = RoundStarted(1, one.first_starter(), 0)
    step = wire.Step(seq=2, events=(begun,))
    announced = table(one.describe(0), "playing")
    with pytest.raises(DealViolationError, match="deal-hand"):
        check.receive(wire.Update(seq=2, steps=(step,), seat=0, ply=0, table=announced))


def test_the_record_must_match_what_was_seen() -> None:
    one = shuffle()
    for seat, share in ((0, OWN), (1, BENS)):
        one.seal(seat, commit(seat, share))
    one.open(0, OWN)
    one.open(1, BENS)

    def recorded(at: int) -> tuple[Record, tuple[Event, ...]]:
        match = played(one, at)
        return record(match, one.proof(2)), match.view(0).history

    (made, history), (other, _) = recorded(0), recorded(-1)
    announced, rounds = one.describe(2), rounds_in(history, 0)
    check_record(made, announced, rounds, history)
    check_record(other, announced, rounds)
    with pytest.raises(DealViolationError, match="deal-record"):
        check_record(other, announced, rounds, history)
    with pytest.raises(DealViolationError, match="deal-record"):
        check_record(made, announced, rounds, [one for one in history if one.kind != "play"])
    assert isinstance(made.fairness, Fairness)
    for name, wrong in (
        ("fairness", UNSET),
        ("fairness", replace(made.fairness, client_seeds=(BENS.hex(),) * 3)),
        ("fairness", replace(made.fairness, match="m2")),
        ("totals", (0, 0, 0)),
    ):
        with pytest.raises(DealViolationError, match="deal-record"):
            check_record(replace(made, **{name: wrong}), announced, rounds, history)
