"""Helpers for tests of faulty games."""

from collections.abc import Iterator

import pytest

import stichwerk
from stichwerk import locale, own_games
from stichwerk.errors import Reason, StichwerkError
from stichwerk.games import registry
from stichwerk.match import Match, Setting
from tests.own_games import HEARTS_FILE


@pytest.fixture(autouse=True)
def four_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Afterwards there are the four games again, and no file is named."""
    for owner, name in ((registry, "GAMES"), (registry, "INFOS"), (locale, "_ADDED")):
        monkeypatch.setattr(owner, name, dict(getattr(owner, name)))
    monkeypatch.setenv(own_games.VARIABLE, "")
    registry._build.cache_clear()
    yield
    for cached in (registry._build, locale.sentences):
        cached.cache_clear()


def run(source: str) -> None:
    """Run the source of a game, which registers it; Hearts finds its texts by its file."""
    exec(compile(source, "mine.py", "exec"), {"__name__": "mine", "__file__": str(HEARTS_FILE)})


def words(error: StichwerkError | Reason) -> dict[str, str]:
    """Return the sentence in both languages: no fact is missing, no id is left."""
    said = {lang: locale.text(error.id, lang, **error.data) for lang in locale.LANGUAGES}
    assert not [sentence for sentence in said.values() if sentence.startswith(error.id)]
    return said


def play(match: Match, bot: str) -> None:
    """Play a match to its end."""
    player = stichwerk.bot(bot, seed=1)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, player.choose(match.view(seat)))


def play_some(setting: Setting, bot: str) -> None:
    """Play a few matches."""
    for seed in range(20):
        play(setting.new(seed=seed), bot)
