"""Put-away tricks: a client gets of them what the table's `memory` allows, and no more."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest

import stichwerk
from stichwerk import outlook
from stichwerk.games import registry
from stichwerk.server import wire
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.audience import LogStep
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.table_state import TableState
from stichwerk.server.tables.trick_memory import TrickMemory
from stichwerk.view import View
from tests.doc_pages import ROOT
from tests.length import by_length
from tests.server import leak_table, leak_worlds, leaks

SETTINGS = [
    *(stichwerk.game(name, seats=4) for name in registry.GAMES),
    *(
        stichwerk.game("stichtag", seats=seats, sheets=sheets)
        for seats, sheets in (
            (3, ["September"]),
            (4, ["December", "red 3"]),
            (4, ["red 1", "April"]),
            (5, ["red 7", "July"]),
            (3, ["red 8", "August"]),
            (4, ["February"]),
        )
    ),
]
SEEDS = by_length(1, 12)
ASKED = 0.1  # how often people ask, for each move


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as one:
        yield one


# -- The scan --------------------------------------------------------------------------------------


class Curious(leaks.Full):
    """A match in which people keep asking for what they have already seen."""

    def __init__(self, setting: stichwerk.match.Setting, seed: int, memory: wire.Memory) -> None:
        super().__init__(setting, seed, memory=memory)

    def goes_on(self) -> bool:
        """Play a round and the beginning of the next."""
        tricks = sum(event.settles for event in self.running.match.events[-12:])
        return super().goes_on() and (len(self.known.rounds) < 2 or tricks < 2)

    async def step(self) -> leaks.Exposed | None:
        """Make a move; then everyone resumes, starts afresh, and changes the language."""
        found = await super().step()
        if found is not None or self.draw.random() > ASKED:
            return found
        for guest in self.guests.values():
            since = self.draw.choice([None, self.draw.randint(0, self.table.seq)])
            guest.client.send(self.live_table.welcome(guest.client, since))
            words = self.live_table.last_words(guest.client)
            guest.client.tell(wire.LanguageDone(id=1, steps=self.of_this_round(words)))
        return self.search()

    def of_this_round(self, steps: tuple[wire.StepWords, ...]) -> tuple[wire.StepWords, ...]:
        """Return the words of steps in this round: of others all may be said."""
        now, rounds = len(self.known.rounds) - 1, self.known.round_at
        return tuple(step for step in steps if rounds.get(step.seq, now) == now)


def scanned(
    runner: asyncio.Runner, setting: stichwerk.match.Setting, seed: int, memory: wire.Memory
) -> leaks.Exposed | None:
    curious = Curious(setting, seed, memory)
    return runner.run(curious.play())


@pytest.mark.slow
@pytest.mark.parametrize("memory", ["last trick", "none"])
@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_no_message_holds_cards_of_older_tricks(
    setting: stichwerk.match.Setting, memory: wire.Memory, runner: asyncio.Runner
) -> None:
    for seed in range(1, 1 + SEEDS):
        found = scanned(runner, setting, seed, memory)
        assert found is None, str(found)


def nothing_is_closed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TrickMemory, "closed", lambda *_, **__: frozenset())


def the_history_is_whole(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TrickMemory, "view", lambda memory, view, *_, **__: view)


def steps_are_whole(patch: pytest.MonkeyPatch) -> None:
    describe = LogStep.describe

    def whole(step: LogStep, seat: int | None, *more: Any) -> wire.Step:
        return describe(step, seat, *more[:2])

    patch.setattr(LogStep, "describe", whole)


def renewed_events_are_whole(patch: pytest.MonkeyPatch) -> None:
    renewed = TrickMemory.renewed

    def whole(memory: TrickMemory, places: Any, closed: Any, *more: Any) -> Any:
        return renewed(memory, places, frozenset(), *more)

    patch.setattr(TrickMemory, "renewed", whole)


def words_name_the_cards(patch: pytest.MonkeyPatch) -> None:
    describe = LogStep.describe_event

    def named(step: LogStep, at: int, *more: Any, closed: bool) -> Any:
        event, _ = describe(step, at, *more, closed=closed)
        return event, describe(step, at, *more, closed=False)[1]

    patch.setattr(LogStep, "describe_event", named)


def outlooks_are_whole(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TrickMemory, "standing", lambda memory, standing, *_: standing)


PLANTS: list[Callable[[pytest.MonkeyPatch], None]] = [
    nothing_is_closed,
    the_history_is_whole,
    steps_are_whole,
    renewed_events_are_whole,
    words_name_the_cards,
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
@pytest.mark.parametrize("memory", ["last trick", "none"])
def test_planted_leaks_are_found(
    plant: Callable[[pytest.MonkeyPatch], None],
    memory: wire.Memory,
    runner: asyncio.Runner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    setting = stichwerk.game("sticheln", seats=4)
    assert any(scanned(runner, setting, seed, memory) for seed in range(1, 4))


def test_outlooks_that_tell_the_last_trick_are_found(
    runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlooks_are_whole(monkeypatch)
    setting = stichwerk.game("stichtag", seats=4)
    assert any(scanned(runner, setting, seed, "none") for seed in range(1, 4))


# -- What clients get ------------------------------------------------------------------------------


class Played:
    """A table of Stichtag with three people, at which some tricks were played."""

    def __init__(self, memory: wire.Memory, moves: int, **options: Any) -> None:
        self.setting = stichwerk.game("stichtag", seats=3, rounds=2, **options)
        plan = leak_worlds.plan_of(self.setting, 1, 0)._replace(
            watch="all", bot=None, clock=None, memory=memory
        )
        self.scene = leak_table.Scene(plan, self.setting.new(seed=5).deals, [], 1000, b"")
        for _ in range(moves):
            self.move()
        self.scene.open(0)

    @property
    def table(self) -> TableState:
        return self.scene.table

    def move(self) -> LogStep:
        """Make some move."""
        match = self.scene.running.match
        seat = match.waiting_for[0]
        return self.table.apply(log.MovePlayed(seat=seat, move=match.moves(seat)[0].text))

    def view(self) -> View:
        found = self.table.shown_view(leak_table.person_of(0))
        assert found is not None
        return found

    def tricks(self) -> list[tuple[str, ...]]:
        """Return the cards of the tricks in the history of seat 0."""
        return [event.cards for event in self.view().history if event.kind == "trick"]

    async def welcome(self, since: int | None) -> dict[str, Any]:
        """Return what seat 0 gets after connecting."""
        client = leak_table.RecordingClient("seat-0", 0, [])
        client.person = leak_table.person_of(0)
        found: dict[str, Any] = json.loads(self.scene.live_table.welcome(client, since))
        return found


@pytest.mark.parametrize(
    ("memory", "known"),
    [("last trick", [False, False, True]), ("none", [False] * 3), ("open", [True] * 3)],
)
def test_the_history_holds_what_memory_allows(memory: wire.Memory, known: list[bool]) -> None:
    played = Played(memory, 10)
    assert [bool(cards) for cards in played.tricks()] == known
    plays = [event for event in played.view().history if event.kind == "play"]
    assert [bool(play.cards and play.move) for play in plays] == [
        *(one for one in known for _ in range(3)),
        True,
    ]
    assert [play.seat is None for play in plays] == [False] * 10


@pytest.mark.parametrize(
    ("memory", "known"),
    [
        ("last trick", [False, False, True, True, True]),
        ("none", [False, False, True, False, False]),
        ("open", [False, False, True, True, True]),
    ],
)
def test_outlooks_tell_of_the_last_trick_what_memory_allows(
    memory: wire.Memory, known: list[bool]
) -> None:
    played = Played(memory, 0)
    found = []
    for _ in known:
        played.move()
        view = played.table.view_of(leak_table.person_of(0))
        assert view is not None
        standing = played.table.memory.standing(outlook.look(view, "en").standing, memory)
        found.append(standing.last is not None)
    assert found == known


def test_bots_keep_the_full_history() -> None:
    played = Played("none", 10)
    view = played.table.view(0)
    assert view is not None
    assert all(event.cards for event in view.history if event.kind == "trick")
    assert len(view.history) == len(played.view().history)


def test_the_piles_of_null_nichtig_stay_open() -> None:
    """They lie on the table all the time, so no memory closes them."""
    match = stichwerk.game("null-nichtig", seats=3).new(seed=4)
    while sum(event.settles for event in match.view(0).history) < 2:
        seat = match.waiting_for[0]
        match.play(seat, match.moves(seat)[0])
    view = match.view(0)
    tricks = TrickMemory()
    tricks.follow(LogStep(seq=1, events=view.history))
    shown = tricks.view(view, "none")
    assert not any(event.cards for event in shown.history if event.settles)
    assert any(any(heaps) for heaps in msgspec.convert(view.table["heaps"], list[list[list[str]]]))
    assert (shown.table["heaps"], shown.table["piles"]) == (
        view.table["heaps"],
        view.table["piles"],
    )


def test_after_the_round_everything_of_it_is_open() -> None:
    played = Played("none", 3 * 12)
    tricks = played.tricks()
    assert len(tricks) == 12
    assert all(tricks)
    played.move()
    assert all(played.tricks()[:12])
    while not played.scene.running.match.over:
        played.move()
    assert len(played.tricks()) == 24, "no further round begins"
    assert all(played.tricks())


def test_a_trick_that_is_put_away_is_sent_again_without_its_cards() -> None:
    played = Played("last trick", 5)
    live_table = played.scene.live_table
    audience = played.table.audience(leak_table.person_of(0))

    def update() -> dict[str, Any]:
        step = played.move()
        changed = live_table._changed_tricks()
        message = live_table.update([step], changed, None, {}, audience, "en")
        found: dict[str, Any] = json.loads(message)
        return found

    second = update()  # the second trick is complete: the first one is put away
    assert [event["kind"] for event in second["steps"][0]["events"]] == ["play", "trick"]
    assert second["steps"][0]["events"][1]["cards"]
    renewed = second["renewed"]
    assert [one["event"]["kind"] for one in renewed] == ["play", "play", "play", "trick"]
    assert not any(one["event"].get("cards") or one["event"].get("move") for one in renewed)
    assert [bool(one["words"]) for one in renewed] == [False, False, False, True]
    assert "takes the trick" in renewed[-1]["words"] or "You take" in renewed[-1]["words"]
    history = played.table.view(0)
    assert history is not None
    at = [history.history[-one["back"]].kind for one in renewed]
    assert at == ["play", "play", "play", "trick"]
    assert update()["renewed"] == []


def test_the_whole_round_is_sent_again_when_it_is_over() -> None:
    played = Played("last trick", 3 * 12 - 1)
    live_table = played.scene.live_table
    audience = played.table.audience(None)
    step = played.move()
    message = live_table.update([step], live_table._changed_tricks(), None, {}, audience, "en")
    renewed = json.loads(message)["renewed"]
    tricks = [one["event"]["cards"] for one in renewed if one["event"]["kind"] == "trick"]
    assert len(tricks) == 10  # the last two are known
    assert all(tricks)
    history = played.table.view(None)
    assert history is not None
    assert [history.history[-one["back"]] for one in renewed] == [
        msgspec.convert(one["event"], wire.Renewed.__annotations__["event"]) for one in renewed
    ]


def test_who_resumes_forgets_what_was_put_away_meanwhile(runner: asyncio.Runner) -> None:
    played = Played("last trick", 10)
    since = played.table.seq - 8  # in the first trick
    message = runner.run(played.welcome(since))
    assert not message["fresh"]
    assert {one["seq"] for one in message["renewed"]} <= set(range(since + 1))
    assert message["renewed"]
    assert not any(one["event"].get("cards") for one in message["renewed"])
    plays = [event for step in message["steps"] for event in step["events"]]
    assert [bool(event.get("cards")) for event in plays if event["kind"] == "trick"] == [
        False,
        False,
        True,
    ]


def test_a_trick_that_is_taken_back_is_open_again() -> None:
    played = Played("none", 6)
    assert [bool(cards) for cards in played.tricks()] == [False, False]
    running = played.scene.running
    running.last_by = ""
    step = played.table.apply(log.TakeBackAsked(seat=running.moves[-1][0]))
    while played.table.ask is not None:
        step = played.table.apply(
            log.TakeBackAnswered(seat=min(played.table.ask.waiting), agree=True)
        )
    assert step.removed is not None
    plays = [event for event in played.view().history if event.kind == "play"]
    assert [bool(play.cards) for play in plays] == [False] * 3 + [True] * 2


def test_a_fork_in_the_middle_of_a_round_shows_no_older_trick() -> None:
    match = stichwerk.game("stichtag", seats=3, rounds=2).new(seed=3)
    while not match.over:
        seat = match.waiting_for[0]
        match.play(seat, match.moves(seat)[0])
    table = TableState(
        log.TableCreated(
            table="t",
            salt="s",
            game="stichtag",
            seats=3,
            options=match.setting.options,
            settings=wire.Settings(),
        )
    )
    table.apply(leak_table.joined("seat-0", "Ada", 0))
    forked = log.Forked(match="m", record=stichwerk.record.record(match), moves=10, seed=1)
    step = table.apply(forked)
    shown = step.describe(0, closed=table.memory.closed("last trick"))
    tricks = [event.cards for event in shown.events if event.kind == "trick"]
    assert [bool(cards) for cards in tricks] == [False, False, True]


def test_a_stored_table_without_the_setting_has_the_default() -> None:
    raw = (
        b'{"entry":"made","table":"old","salt":"s","game":"stichtag","seats":3,"options":{},'
        b'"settings":{"watch":"all","away":60}}'
    )
    (entry,) = log.decode_all([raw])
    assert isinstance(entry, log.TableCreated)
    assert TableState.replay([entry]).settings.memory == "last trick"


def test_the_ruling_names_the_setting_that_there_is() -> None:
    rulings = (ROOT / "docs/rulings.md").read_text("utf-8")
    ruling = rulings.split("### A3 ")[1].split("\n### ")[0]
    assert set(re.findall(r"setting `(\w+)`", ruling)) == {"memory"}
    for memory in get_args(wire.Memory):
        assert f"`{memory}`" in ruling
    default = wire.Settings().memory
    assert f"`{default}` (the default)" in ruling


def test_an_unknown_memory_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="memory"):
        msgspec.convert({"memory": "all of it"}, wire.Settings)


def test_live_tables_start_with_what_is_closed() -> None:
    played = Played("last trick", 7)
    again = LiveTable(played.scene.lobby, played.table)
    assert again.closed == played.table.memory.closed("last trick")
    assert again.closed
