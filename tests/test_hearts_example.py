"""`examples/hearts`: a custom game that brings everything through its description alone."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy
import pytest
from textual.pilot import Pilot

import stichwerk
from stichwerk import locale, outlook, own_games
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import reason_for
from stichwerk.bots.tactics import tactics_of
from stichwerk.envs import Batch, Spec
from stichwerk.games import registry
from stichwerk.match import Match
from stichwerk.outlook.current_rule import slug
from stichwerk.server.http.game_catalogue import game_info, lesson_of, rules_of
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.table import seat_lines, table_lines
from stichwerk.testing import check_game
from tests.doc_pages import ROOT
from tests.server.harness import Quick, run, running_server
from tests.terminal.driver import HANDS, local_place, on_screen, play_on

HEARTS = ROOT / "examples/hearts"
PAGE_LESSON = ROOT / "frontend/src/learn/fixtures/hearts.json"


@pytest.fixture(autouse=True)
def hearts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game is there; afterwards there are four again, with their texts alone."""
    for owner, name in ((registry, "GAMES"), (registry, "INFOS"), (locale, "_ADDED")):
        monkeypatch.setattr(owner, name, dict(getattr(owner, name)))
    monkeypatch.setenv(own_games.VARIABLE, "")
    registry._build.cache_clear()
    own_games.use([str(HEARTS / "hearts.py")])
    yield
    sys.modules.pop("stichwerk_own_hearts", None)
    for cached in (registry._build, game_info, rules_of, locale.sentences):
        cached.cache_clear()


def played(seed: int, seats: int = 4, bots: str = "greedy", **options: str) -> Match:
    match = stichwerk.game("hearts", seats=seats, **options).new(seed=seed)
    made = [stichwerk.bot(name, seed) for name in bots.split(",")]
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, made[seat % len(made)].choose(match.view(seat)))
    return match


# -- Rules -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_hearts_conforms(seats: int) -> None:
    check_game(stichwerk.game("hearts", seats=seats), matches=1)


@pytest.mark.parametrize(
    ("seats", "targets"), [(3, [1, 2, 0]), (4, [1, 3, 2, 0]), (5, [1, 4, 2, 3, 0])]
)
def test_cards_are_passed_another_way_each_round(seats: int, targets: list[int]) -> None:
    match = stichwerk.game("hearts", seats=seats).new(seed=1)
    bot = stichwerk.bot("random", 1)
    found: list[int] = []
    while match.waiting_for:
        seat = match.waiting_for[0]
        view = match.view(seat)
        if view.round > len(found) and view.phase == "play":
            found.append(0)
        elif view.round > len(found):
            given = {who: match.view(who).moves[0].split(",") for who in range(seats)}
            for who, cards in given.items():
                match.play(who, ",".join(cards))
            found.append(next(who for who in range(seats) if given[0][0] in match.view(who).hand))
            continue
        match.play(seat, bot.choose(view))
    assert found == targets


def test_shooting_the_moon_costs_the_others() -> None:
    for moon, scores in (("on", [0, -26, -26, -26]), ("off", [-26, 0, 0, 0])):
        rules = stichwerk.game("hearts", seats=4, moon=moon).rules
        state = rules.new_state()
        for value in range(2, 15):
            state.collect(0, value)
        state.collect(0, 3 * 16 + 12)
        assert [rules.score(state, seat) for seat in range(4)] == scores


def test_red_is_not_led_before_it_was_played() -> None:
    match = played(1, bots="random", passing="off")
    for scores in match.scores:
        assert sum(scores) in (-26, -78)
    begins = [at for at, event in enumerate(match.events) if event.kind == "round"]
    first = [next(e for e in match.events[at:] if e.kind == "play") for at in begins]
    assert all(event.move is not None and event.move[0] != "R" for event in first)


# -- What the description brings -------------------------------------------------------------------


def test_texts_are_complete_in_both_languages() -> None:
    texts = [
        json.loads((HEARTS / f"texts.{lang}.json").read_text("utf-8")) for lang in ("de", "en")
    ]
    assert list(texts[0]) == list(texts[1]) == sorted(texts[0])
    for id, sentence in texts[0].items():
        assert set(re.findall(r"{\w+}", sentence)) == set(re.findall(r"{\w+}", texts[1][id]))
    source = "".join(path.read_text("utf-8") for path in HEARTS.glob("*.py"))
    by_name = ("about-", "game-", "round-", "option-")
    assert [id for id in texts[0] if not id.startswith(by_name) and f'"{id}"' not in source] == []
    result = game_info("hearts", "de")
    assert (result.title, result.presentation.page) == ("Hearts", "generic")
    assert all(option.title and option.text for option in result.options["4"])


def test_rules_are_the_same_in_both_languages() -> None:
    german, english = (rules_of("hearts", lang).sections for lang in ("de", "en"))
    assert [part.id for part in german] == [part.id for part in english]
    anchors = {slug(it.section) for it in registry.info_of("hearts").moments.values()}
    assert anchors <= {part.id for part in english}


def test_bots_play_by_its_tactics() -> None:
    matches = [played(seed, bots="greedy,random,random,random") for seed in range(3)]
    assert type(tactics_of(matches[0].rules)).__name__ == "HeartsTactics"
    assert all(match.totals[0] == max(match.totals) for match in matches)


def test_an_outlook_shows_what_a_card_costs() -> None:
    match = stichwerk.game("hearts", seats=3).new(seed=2, names=["Ada", "Ben", "Cem"])
    view = match.view(0)
    assert outlook.situation(view, "en").heading == "Choose three cards to pass"
    assert outlook.one(view, view.moves[0], "en").text == "to Ben"
    bot, result = stichwerk.bot("random", 1), set[str]()
    while len(match.scores) < 1:
        seat = match.waiting_for[0]
        seen = match.view(seat)
        if seen.phase == "play":
            result |= {effect.text for effect in outlook.effects(seen, "en")}
        match.play(seat, bot.choose(seen))
    assert any(re.fullmatch("you take the trick · −[0-9]+ for you", text) for text in result)
    for one in outlook.tally(match.view(None), 1, "en"):
        assert sum(item.points for item in one.items) == one.points
        assert "red card" in one.items[0].text or "the moon" in one.items[0].text


def test_advice_works_without_reasons_of_its_own() -> None:
    match = stichwerk.game("hearts", seats=3).new(seed=2)
    position = Position(match.view(0))
    assert reason_for(position, match.moves(0)[0]).id == "advice-best"


def test_the_lesson_for_the_page_is_up_to_date() -> None:
    """The page's own test plays this file to its end."""
    assert json.loads(PAGE_LESSON.read_text("utf-8")) == json.loads(lesson_of("hearts")), (
        "python -m tests.test_hearts_example"
    )


# -- Where it is played ----------------------------------------------------------------------------


def test_the_line_terminal_uses_its_prompt_and_lines() -> None:
    match = stichwerk.game("hearts").new(seed=3)
    asked = [*table_lines(match.view(0), "en")][-1]
    assert asked.startswith("Choose three cards to pass, for example ")
    match = played(3)
    view = match.view(0)
    costs = [-points for points in view.scores[-1]]
    assert view.table["costs"] == costs
    assert len(set(costs)) > 1
    for seat, line in enumerate(seat_lines(view, "en")):
        shown = "1 penalty point" if costs[seat] == 1 else f"{costs[seat]} penalty points"
        assert f"{shown} so far" in line


def test_without_lines_and_prompts_it_is_shown_in_the_generic_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = msgspec.structs.replace(registry.info_of("hearts"), lines="", prompts={})
    monkeypatch.setitem(registry.INFOS, "hearts", plain)
    view = stichwerk.game("hearts").new(seed=3).view(0)
    assert [*table_lines(view, "en")][-1] == locale.text("ask-choose", "en")
    assert not any("penalty" in line for line in seat_lines(view, "en"))


def test_the_terminal_uses_its_event_texts() -> None:
    match = stichwerk.game("hearts", seats=3).new(seed=2)
    for seat in range(3):
        match.play(seat, match.view(seat).moves[0])
    lines = "\n".join(event_lines(match.view(0), 0, "de"))
    assert "Alle geben drei Karten weiter." in lines
    assert "Du bekommst " in lines


@pytest.mark.slow
def test_hearts_is_played_at_the_full_screen_table() -> None:
    made: dict[str, int] = {}

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        made.update(await play_on(app, pilot, HANDS["keys"], most=4))

    on_screen(local_place("hearts", seats=5), test)
    assert made == {"pass": 1, "play": 3}


def test_the_server_serves_its_description(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            games = (await home.get("/api/games?lang=en")).json()["games"]
            assert [game["name"] for game in games][-1] == "hearts"
            assert games[-1]["presentation"]["page"] == "generic"
            assert (await home.get("/api/rules/hearts?lang=de")).json()["title"] == "Hearts"
            lesson = (await home.get("/api/lessons/hearts")).json()
            assert lesson["lesson"]["game"] == "hearts"
            assert (await home.get("/api/lessons/tarock")).status_code == 404

    run(ask())


def test_hearts_works_in_environments() -> None:
    spec = Spec("hearts", seats=3)
    assert [it.kind for it in spec.kinds] == ["play", "pick"]
    batch = Batch(spec, 2, seed=1)
    for _ in range(60):
        for at in range(2):
            seat = int(batch.seats[at])
            listed = spec.rules.actions(batch.state(at), seat)
            opened = numpy.flatnonzero(batch.masks[at])
            assert sorted(spec.code(action, seat) for action in listed) == opened.tolist()
        batch.step(batch.random_actions())


def test_hearts_is_absent_unless_a_host_adds_it() -> None:
    assert "hearts" not in registry.OURS
    assert "hearts" not in (ROOT / "frontend/src/games/games.json").read_text("utf-8")


def main() -> None:
    """Write the lesson that the page's test plays."""
    own_games.use([str(HEARTS / "hearts.py")])
    PAGE_LESSON.parent.mkdir(exist_ok=True)
    PAGE_LESSON.write_text(lesson_of("hearts") + "\n", "utf-8")


if __name__ == "__main__":
    main()
