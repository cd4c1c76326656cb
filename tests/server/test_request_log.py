"""What a log adds up to: names, owners, private tables, and its size."""

import random

import msgspec
import pytest

from stichwerk.errors import StichwerkError
from stichwerk.server import wire
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import display_names, joining, requests
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables import table_state as tables
from stichwerk.server.tables.refusal import RefusalError
from stichwerk.server.tables.requests import Requester, decide
from stichwerk.server.tables.table_state import TableState
from tests.server.request_setup import NAMES, SHORT, Bench, notes, playing

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


def test_characters_keep_their_name_unless_someone_has_it() -> None:
    bench = Bench(seats=5, people=1)
    bench.join("otto")
    bench.ask(0, wire.PlaceBot(id=0, seat=2, level="otto"))
    bench.ask(0, wire.PlaceBot(id=0, seat=3, level="zora"))
    bench.ask(0, wire.PlaceBot(id=0, seat=4, level="hard"))
    bench.begin()
    assert bench.view(0).names == ("Ada", "otto", "Otto 2", "Zora", "Ben")
    entries = log.decode_all(bench.log)
    assert TableState.replay(entries).names() == list(bench.view(0).names)


def test_bots_in_old_logs_are_named_by_level() -> None:
    bench = Bench(seats=4, people=1)
    bench.begin()
    older = [
        msgspec.structs.replace(entry, bots=()) if isinstance(entry, log.ShuffleStarted) else entry
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
