"""QR codes: each is drawn once, and nobody has too many drawn."""

from pathlib import Path

import msgspec
import pytest

from stichwerk.server.http import qr
from tests.server.harness import GENEROUS, Quick, RunningServer, run, running_server


async def asked(home: RunningServer, number: int) -> tuple[int, bytes]:
    answer = await home.post("/api/qr", {"text": f"{home.http}/t/{number}#token"})
    return answer.status_code, answer.content


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was drawn."""
    found: list[str] = []

    def drawn(text: str) -> bytes:
        found.append(text)
        return b"<svg/>"

    monkeypatch.setattr(qr, "drawn", drawn)
    return found


def test_a_link_is_drawn_once(tmp_path: Path, drawings: list[str]) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            for number in (1, 1, 2, 1):
                assert await asked(home, number) == (200, b"<svg/>")
        assert [text[-7:] for text in drawings] == ["1#token", "2#token"]

    run(play())


def test_drawing_and_caching_are_bounded(
    tmp_path: Path, drawings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(qr, "MOST_KEPT", 2)
    limits = msgspec.structs.replace(GENEROUS, qrs=3, qr_seconds=30.0)

    async def play() -> None:
        async with running_server(tmp_path, pool=Quick(), limits=limits) as home:
            codes = [(await asked(home, number))[0] for number in (1, 2, 3, 4, 3, 2, 1)]
            assert codes == [200, 200, 200, 429, 200, 200, 429], "those that are kept cost nothing"
            home.clock.advance(10)
            assert [(await asked(home, number))[0] for number in (1, 4)] == [200, 429]
            assert (await home.get("/api/version")).status_code == 200

    run(play())
