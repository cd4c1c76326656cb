"""Every fraud of a dishonest host is caught by the unaltered terminal; an honest host is not."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from textual.pilot import Pilot

from stichwerk.locale import sentences
from stichwerk.record import verify
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.remote_seat import RemoteSeat
from stichwerk.terminal.table_notes import violation_text
from tests.attack.deal_frauds import OwnShares, StolenShares, WrongServerSeeds, WrongWords
from tests.attack.dishonest_host import (
    SHORT,
    Careless,
    against_careless,
    against_terminal,
    documented,
    host_plays,
    verdicts,
)
from tests.attack.fraud import VICTIM, Strategy, installed, worth
from tests.attack.match_frauds import STRATEGIES, WITH_RECORD, LookAndBlame, ReplayedMatch
from tests.server.harness import Quick, RunningServer, running_server
from tests.server.test_terminal_table import Typist
from tests.terminal.driver import on_screen, until

pytestmark = pytest.mark.slow  # a hundred frauds

T = TypeVar("T")
PAGE = Path(__file__).parents[2] / "docs" / "verifiable-deal.md"
PATIENCE = 300.0
FEW = 20  # shares tried for a good hand: enough to see the effect
GAMES: dict[str, dict[str, Any]] = {
    "sticheln": SHORT,
    "stichling": {"game": "stichling", "seats": 3, "options": {}},
    "null-nichtig": {"game": "null-nichtig", "seats": 3, "options": {"target": 10}},
    "stichtag": {"game": "stichtag", "seats": 3, "options": {"rounds": 2}},
    "drawn cards": {"game": "stichtag", "seats": 4, "options": {"date": "04-10"}},
}


class Hosted:
    """A server in a thread of its own, for all tests of this file: each installs its fraud."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home: RunningServer | None = None
        self.ready, self.stop = threading.Event(), asyncio.Event()
        self.thread = threading.Thread(target=asyncio.run, args=(self._live(),), daemon=True)
        self.thread.start()
        assert self.ready.wait(PATIENCE)

    async def _live(self) -> None:
        self.loop = asyncio.get_running_loop()
        async with running_server(self.folder, pool=Quick()) as self.home:
            self.ready.set()
            await self.stop.wait()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the server's thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.stop.set)
        self.thread.join(PATIENCE)


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    running = Hosted(tmp_path_factory.mktemp("host"))
    yield running
    running.close()


@contextmanager
def table_of(hosted: Hosted, strategy: Strategy) -> Iterator[str]:
    """Return the link of a table whose host begins when someone has come, and plays on."""
    ended = asyncio.Event()

    async def host() -> None:
        async with Careless(home.ws, made.table, token=made.token) as ada:
            playing = asyncio.create_task(host_plays(ada))
            await ended.wait()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    with installed(strategy):
        home = home_of(hosted)
        made = hosted.do(home.table(**SHORT))
        hosting = asyncio.run_coroutine_threadsafe(host(), hosted.loop)
        try:
            yield f"{home.http}/t/{made.table}"
        finally:
            hosted.loop.call_soon_threadsafe(ended.set)
            hosting.result(PATIENCE)


@pytest.fixture(autouse=True)
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnShares, "tries", FEW)


def home_of(hosted: Hosted) -> RunningServer:
    assert hosted.home is not None
    return hosted.home


@pytest.mark.parametrize("kind", STRATEGIES, ids=lambda kind: kind.name)
def test_the_terminal_catches_each_fraud(
    kind: type[Strategy], hosted: Hosted, tmp_path: Path
) -> None:
    outcome = hosted.do(against_terminal(home_of(hosted), kind(), tmp_path))
    if kind.stops:
        assert outcome.stopped in kind.stops
        assert outcome.sentence.endswith("This match cannot be trusted, so play stops here.")
    else:
        assert not outcome.stopped
    if kind.says:
        assert outcome.said.count(kind.says) == 1
    assert outcome.asked == bool(kind.asks)
    if kind.asks:
        assert outcome.said.count(kind.counts) == 2, "each is reported and counted"
        assert outcome.said[-1] == kind.asks


@pytest.mark.parametrize("kind", WITH_RECORD, ids=lambda kind: kind.name)
def test_verify_catches_each_fraud(kind: type[Strategy], hosted: Hosted) -> None:
    """Clients that check nothing play on; the record they get is compared with what they have."""
    played = hosted.do(against_careless(home_of(hosted), kind()))
    expected = {"broken": kind.broken, "share": kind.share, "words": kind.words}
    assert verdicts(played) == expected


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_host_is_not_accused(game: str, hosted: Hosted, tmp_path: Path) -> None:
    outcome = hosted.do(against_terminal(home_of(hosted), Strategy(), tmp_path, GAMES[game]))
    assert (outcome.stopped, outcome.asked, outcome.over) == ("", False, True)
    assert outcome.said == ("the-six-words", "deal-record-fits")


def test_the_published_attack_gains_cards_where_nobody_checks(hosted: Hosted) -> None:
    played = hosted.do(against_careless(home_of(hosted), StolenShares()))
    assert verify(played.record).proven, "by itself the record looks like any other"
    hands = played.record.rounds[0].hands
    values = [sum(int(card[1:]) for card in hand) for hand in hands]
    assert values[0] == max(values)


def test_a_dishonest_host_gets_two_draws_at_most(hosted: Hosted, tmp_path: Path) -> None:
    """A host that looks and blames gets no third share without consent."""
    strategy = LookAndBlame()
    hosted.do(against_terminal(home_of(hosted), strategy, tmp_path))
    assert strategy.draws == 2


def test_line_mode_stops_with_an_explanation(hosted: Hosted, tmp_path: Path) -> None:
    with table_of(hosted, WrongWords()) as url:
        ben = Typist(tmp_path, "--table", url, "--name", "Ben", lang="de")
        ben.process.wait(PATIENCE)
        code, complaint = ben.leave()
    assert code == 1, "as a record that is broken"
    assert "Der Server zeigt andere Wörter als die sechs" in complaint
    assert "Dieser Partie ist nicht zu trauen" in complaint
    assert "Deine Karten" not in ben.text, "no card is shown"


def test_consent_at_the_terminal(hosted: Hosted, tmp_path: Path) -> None:
    strategy = LookAndBlame()
    with table_of(hosted, strategy) as url:
        ben = Typist(tmp_path, "--table", url, "--name", "Ben")
        assert "the share of Ada was not opened" in ben.until("The shuffle failed:")
        assert "2 times in a row now" in ben.until("The shuffle failed,")
        assert "Deal once more anyway?" in ben.until("y agrees")
        ben.type("n")
        ben.until("your program hands out no further share")
        assert strategy.draws == 2
        ben.type("y")
        ben.until("3 times in a row now")
        assert strategy.draws == 3
        ben.leave()


def test_the_full_screen_ends_with_an_explanation(hosted: Hosted, tmp_path: Path) -> None:
    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        await until(pilot, lambda: app.failure is not None, "the end")

    with table_of(hosted, WrongServerSeeds()) as url:
        app = on_screen(RemoteSeat(url, "Ben", "en", seat=VICTIM), test)
    assert app.return_value is Ending.LEFT
    assert isinstance(app.failure, DealViolationError)
    assert app.failure.text.startswith("For round 0 the server published another share")


def test_strategies_have_distinct_results() -> None:
    names = [kind.name for kind in STRATEGIES]
    assert len(names) == len(set(names)) >= 10
    for kind in STRATEGIES:
        assert kind.stops or kind.says or kind.asks, "each is caught by the clients"
        for id in (*kind.stops, kind.says, kind.asks, kind.counts):
            assert not id or id in sentences("de")
    assert not ReplayedMatch.record_made
    assert worth(None) == 0


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_part_that_can_be_changed_has_a_name(lang: str) -> None:
    for what in ("rules", "options", "deck", "rounds", "server_commits", "client_commits"):
        sentence = violation_text(DealViolationError("deal-changed", what=what), lang)
        assert "deal-" not in sentence
        assert what not in sentence or what in ("rules", "options", "deck", "rounds")


def test_the_table_in_the_documentation_is_that_of_the_harness() -> None:
    assert "\n".join(documented()) in PAGE.read_text("utf-8")
