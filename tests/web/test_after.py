"""After a match: story, hands, tricks, scores, replay, record, review, playing on, rematch."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from stichwerk import record
from tests.web import fixed_random
from tests.web.pages import PATIENCE, Site, open_table, person, pick
from tests.web.players import Player

Ended = tuple[Page, str, dict[str, Any]]
SEATS = 3


@pytest.fixture(scope="module")
def ended(browser: Browser, site: Site) -> Iterator[Ended]:
    """A page at the end of a match of two rounds, that match, and its record."""
    with ExitStack() as stack:
        with fixed_random.called("a match that has ended"):
            page = stack.enter_context(person(browser))
            player = Player(page, "swift", seed=4)
            open_table(page, site.table("sticheln", SEATS, options={"rounds": 2}))
            player.play()
        match = player.talk.match
        yield page, match, json.loads(site.get(f"/api/matches/{match}"))


@pytest.fixture
def end(ended: Ended) -> Page:
    """The end of the match, as a returning person sees it."""
    page = ended[0]
    if not page.locator(".end h2").count():
        page.goto(page.evaluate("() => sessionStorage.end"))
        page.locator(".end h2").first.wait_for()
    page.evaluate("() => { sessionStorage.end = location.href }")
    return page


def opened(page: Page, title: str) -> None:
    """Open a fold of the page."""
    summary = page.locator("summary").filter(has_text=title)
    if not summary.evaluate("one => one.parentElement.open"):
        summary.click()


def shown_cards(page: Page, selector: str) -> list[str]:
    """Return the cards at a place."""
    found: list[str] = page.eval_on_selector_all(
        f"{selector} [data-card]", "all => all.map(one => one.dataset.card)"
    )
    return found


# -- The story -------------------------------------------------------------------------------------


def own_seat(kept: dict[str, Any]) -> int:
    """Return the seat of the person whose page it is."""
    return int(kept["names"].index("Ada"))


def test_the_story_is_told_and_leads_into_the_replay(end: Page, ended: Ended, site: Site) -> None:
    _, match, kept = ended
    told = json.loads(site.get(f"/api/matches/{match}/story?seat={own_seat(kept)}&lang=en"))
    expect(end.locator(".told p")).to_have_count(len(told["sentences"]), timeout=PATIENCE)
    assert end.locator(".told p").all_inner_texts() == told["sentences"]
    links = end.locator(".look a")
    assert [link.get_attribute("href") for link in links.all()] == [
        f"/replay/{match}/{moment['index']}" for moment in told["moments"]
    ]
    decided = told["moments"][-1]
    links.last.click()
    where = end.locator("header .where")
    expect(where).to_contain_text(f"play {decided['index']} ", timeout=PATIENCE)
    expect(where).to_contain_text(f"trick {decided['trick']}")


def test_the_podium_shows_the_ranking(end: Page, ended: Ended) -> None:
    kept = ended[2]
    order = [seat for group in kept["ranking"] for seat in group]
    steps = end.get_by_role("list", name="The result").get_by_role("listitem")
    assert [figure(one) for one in steps.locator(".points").all_inner_texts()] == [
        kept["totals"][seat] for seat in order
    ]
    names = ["You" if seat == own_seat(kept) else kept["names"][seat] for seat in order]
    assert steps.locator(".name").all_inner_texts() == names
    crowned = [step.locator(".crown").count() for step in steps.all()]
    assert sum(crowned) == len(kept["ranking"][0]) == crowned.index(0)
    tops = steps.locator(".step").evaluate_all("all => all.map(one => one.clientHeight)")
    assert tops == sorted(tops, reverse=True), "the better, the higher"


def test_winners_celebrate_and_others_do_not(end: Page, ended: Ended) -> None:
    kept = ended[2]
    assert end.locator(".celebration").count() == 0, "motion is off"
    set_motion(end, "on")
    end.locator(".told p").first.wait_for()
    won = own_seat(kept) in kept["ranking"][0]
    assert end.locator(".celebration").count() == (1 if won else 0)
    moving = end.evaluate(MOVING)
    assert set(moving) <= {"transform", "opacity", "rotate"}, "nothing that needs a new layout"
    end.keyboard.press("Shift")
    expect(end.locator(".shapes")).to_have_count(0, timeout=PATIENCE)
    set_motion(end, "off")


MOVING = """() => document.getAnimations()
  .filter((one) => one.effect.target.closest('.mat'))
  .flatMap((one) => one.effect.getKeyframes().flatMap(Object.keys))
  .filter((key) => !['offset', 'computedOffset', 'easing', 'composite'].includes(key))"""


def set_motion(page: Page, motion: str) -> None:
    """Change the setting, and open the page again."""
    page.evaluate(
        """motion => {
          const kept = JSON.parse(localStorage.getItem('stichwerk-settings'));
          localStorage.setItem('stichwerk-settings', JSON.stringify({ ...kept, motion }));
        }""",
        motion,
    )
    page.reload()
    page.locator(".end h2").first.wait_for()


def test_a_picture_of_the_result_can_be_shared(end: Page, ended: Ended) -> None:
    with end.expect_download() as waiting:
        end.get_by_role("button", name="Share").click()
    assert waiting.value.suggested_filename == f"stichwerk-{ended[1]}.png"
    kinds, size = chunks_of(waiting.value.path().read_bytes())
    assert size == (1200, 630)
    assert kinds <= {b"IHDR", b"IDAT", b"IEND", b"sRGB", b"sBIT"}, "the picture, and no notes in it"
    expect(end.get_by_text("The picture is saved with your downloads.")).to_be_visible()


def chunks_of(png: bytes) -> tuple[set[bytes], tuple[int, int]]:
    """Return the kinds of chunks of a PNG file, and its size."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    kinds, at = set(), 8
    while at < len(png):
        kinds.add(png[at + 4 : at + 8])
        at += 12 + int.from_bytes(png[at : at + 4], "big")
    return kinds, (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big"))


def test_the_review_opens_from_the_mat(end: Page) -> None:
    end.get_by_role("button", name="Review", exact=True).click()
    expect(end.locator("#review")).to_have_attribute("open", "", timeout=PATIENCE)
    expect(end.locator("#review > summary")).to_be_focused()
    expect(end.get_by_role("button", name="Review the match")).to_be_in_viewport()


# -- Hands and scores ------------------------------------------------------------------------------


def test_all_hands_and_every_trick(end: Page, ended: Ended) -> None:
    kept = ended[2]
    opened(end, "All hands and every trick")
    end.locator(".tricks [data-card]").first.wait_for()
    tabs = end.get_by_role("group", name="Which round?").get_by_role("button")
    assert tabs.count() == len(kept["rounds"]) == 2
    for number, dealt in enumerate(kept["rounds"]):
        tabs.nth(number).click()
        expect(tabs.nth(number)).to_have_attribute("aria-pressed", "true")
        hands = end.locator(".hands > li")
        for seat in range(SEATS):
            shown = shown_cards(hands.nth(seat).page, f".hands > li:nth-child({seat + 1})")
            assert set(dealt["hands"][seat]) <= set(shown)
        played = shown_cards(end, ".tricks")
        cards = {card for hand in dealt["hands"] for card in hand}
        assert len(played) == len(set(played)) == SEATS * 14, "15 each, but for the pain cards"
        assert set(played) <= cards
        assert end.locator(".tricks > li").count() == 14
    link = end.locator(".tricks a").nth(3)
    assert re.search(rf"/replay/{ended[1]}/\d+$", link.get_attribute("href") or "")


def test_scores_as_table_and_chart(end: Page, ended: Ended) -> None:
    kept = ended[2]
    rows = end.locator(".end table").first.locator("tbody tr")
    assert rows.count() == 2
    for row, dealt in zip(rows.all(), kept["rounds"], strict=True):
        cells = [figure(one) for one in row.locator("td").all_inner_texts()]
        assert cells == dealt["scores"]
    totals = end.locator(".end table").first.locator("tfoot td").all_inner_texts()
    assert [figure(one) for one in totals] == kept["totals"]
    chart = end.locator(".end svg[role=img] polyline")
    assert chart.count() == SEATS
    for line in chart.all():
        assert len((line.get_attribute("points") or "").split()) == 3, "the start, both rounds"
    dashes = chart.evaluate_all("all => all.map(one => getComputedStyle(one).strokeDasharray)")
    assert len(set(dashes)) == SEATS, "told apart without hues"


def figure(text: str) -> int:
    """Return the first number of a text."""
    return int(text.split()[0].replace("−", "-").replace("±", "").replace("+", ""))


def test_points_are_explained_with_statistics(end: Page) -> None:
    for title in ("Where the points came from", "Statistics"):
        opened(end, title)
        fold = end.locator("details").filter(has_text=title)
        expect(fold).to_contain_text(re.compile(r"\d"), timeout=PATIENCE)


def test_the_replay_goes_step_by_step(end: Page, ended: Ended) -> None:
    _, match, kept = ended
    end.get_by_role("link", name="Watch the replay").click()
    page = end
    page.locator("main.replay").wait_for()
    expect(page.locator("main.replay .stage .name").filter(has_text="You")).to_have_count(1)
    where = page.locator("header .where")
    for step in range(1, 6):
        page.get_by_role("button", name="Forward one move").click()
        expect(where).to_contain_text(f"play {step}", timeout=PATIENCE)
    expect(page).to_have_url(re.compile(rf"/replay/{match}/5$"), timeout=PATIENCE)
    page.reload()
    expect(where).to_contain_text("play 5", timeout=PATIENCE)
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("play 4", timeout=PATIENCE)
    page.get_by_role("button", name="Next trick").click()
    expect(where).not_to_contain_text("play 4 ", timeout=PATIENCE)
    page.keyboard.press("End")
    moves = len(moves_of(kept))
    expect(where).to_contain_text(f"play {moves} of {moves}", timeout=PATIENCE)
    page.get_by_role("button", name="Run").wait_for()


def test_any_play_has_a_link_open_or_as_a_seat_saw_it(
    browser: Browser, site: Site, ended: Ended
) -> None:
    _, match, kept = ended
    hands = [set(hand) for hand in kept["rounds"][0]["hands"]]
    with person(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(f"{site.url}/replay/{match}/3")  # the pain cards are chosen, none is played
        page.locator("main.replay [data-card]").first.wait_for()
        page.get_by_role("button", name="Copy link").click()
        page.get_by_text("✓ Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == f"{site.url}/replay/{match}/3"
        seen = set(shown_cards(page, "main.replay .left"))
        assert all(len(hand & seen) >= 14 for hand in hands), "open: all hands"
        for seat in range(SEATS):
            pick(page.locator("header [role=combobox]"), seat)
            page.locator("main.replay .mine [data-card]").first.wait_for()
            page.wait_for_function(
                "hidden => !hidden.some((card) => document.querySelector("
                "`main.replay .left [data-card=${card}]`))",
                arg=hidden(kept, seat),
            )
            seen = set(shown_cards(page, "main.replay .left"))
            assert len(hands[seat] & seen) >= 14, "our hand"
        page.reload()
        page.locator("main.replay [data-card]").first.wait_for()


def hidden(kept: dict[str, Any], seat: int) -> list[str]:
    """Cards of the others that a seat cannot know before the first play: all but the pain cards."""
    others = [hand for at, hand in enumerate(kept["rounds"][0]["hands"]) if at != seat]
    pains = {move for _, move in record.moves_of(record.decode(json.dumps(kept).encode()))[:SEATS]}
    return [card for hand in others for card in hand if card not in pains]


def test_the_record_can_be_downloaded(end: Page, ended: Ended) -> None:
    with end.expect_download() as waiting:
        end.get_by_role("link", name="Save the record").click()
    content = waiting.value.path().read_bytes()
    record.verify(record.decode(content))
    assert json.loads(content) == ended[2]
    assert waiting.value.suggested_filename.endswith(".json")


def test_the_deal_is_verified_in_the_browser(end: Page, ended: Ended, tmp_path: Path) -> None:
    opened(end, "Verify the deal")
    panel = end.locator("#verify")
    panel.get_by_role("button", name="Recompute it here").click()
    expect(panel).to_contain_text("Everything checks out", timeout=PATIENCE)
    assert end.locator("ol.words").count() == 0, "nobody else played: nothing to compare"
    for name, kept, verdict in tampered(ended[2]):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(kept))
        panel.locator("input[type=file]").set_input_files(file)
        expect(panel).to_contain_text(file.name, timeout=PATIENCE)
        expect(panel).to_contain_text(verdict)
        if name != "as it is":
            expect(panel).not_to_contain_text("Everything checks out")
    file.write_text("no record at all")
    panel.locator("input[type=file]").set_input_files([])
    panel.locator("input[type=file]").set_input_files(file)
    expect(panel).to_contain_text("This cannot be checked", timeout=PATIENCE)


def tampered(kept: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield records that somebody has changed, and the answer to each."""
    yield "as it is", kept, "Everything checks out"
    swapped = json.loads(json.dumps(kept))
    hands = swapped["rounds"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    yield "two cards swapped", swapped, "The record does not check out"
    richer = json.loads(json.dumps(kept))
    richer["totals"][0] += 1
    yield "a point more", richer, "The record does not check out"


def test_a_review_shows_luck_skill_and_the_costliest_decisions(end: Page) -> None:
    opened(end, "Review")
    end.get_by_role("button", name="Review the match").click()
    fold = end.locator("details").filter(has_text="Review: luck")
    expect(fold).to_contain_text("Luck and skill", timeout=6 * PATIENCE)
    expect(fold).to_contain_text("The costliest decisions")
    expect(fold).to_contain_text(re.compile(r"clear mistakes? in \d+ decisions|No decision cost"))
    people = fold.get_by_role("group", name="Whose plays?").get_by_role("button")
    assert people.count() == SEATS
    people.nth(1).click()
    expect(people.nth(1)).to_have_attribute("aria-pressed", "true")
    costly = fold.locator(".moments > li")
    if costly.count():
        href = costly.first.get_by_role("link", name="Show this move").get_attribute("href")
        assert re.search(r"/replay/[\w-]+/\d+$", href or "")
        assert costly.first.get_by_role("button", name="Try again from here").count()


def test_a_match_can_be_continued_from_any_point(
    browser: Browser, site: Site, ended: Ended
) -> None:
    _, match, kept = ended
    with person(browser) as page:
        page.goto(f"{site.url}/replay/{match}/9")
        page.get_by_role("button", name="Play on from here").click()
        dialog = page.locator("dialog[open]")
        pick(dialog.get_by_label("Whose cards do you play?"), 1)
        dialog.get_by_role("radio", name="easy").check()
        player = Player(page, "swift")
        dialog.locator("button.primary").click()
        page.locator(".table .hand button").first.wait_for()
        played = {move for _, move in moves_of(kept)[:9]}
        mine = set(kept["rounds"][0]["hands"][1]) - played
        assert set(shown_cards(page, ".hand")) <= mine
        page.reload()
        player.play()
        again = json.loads(site.get(f"/api/matches/{player.talk.match}"))
        assert player.talk.match != match
        assert moves_of(again)[:9] == moves_of(kept)[:9], "the same until then"
        assert again["names"] != []


def moves_of(kept: dict[str, Any]) -> list[tuple[int, str]]:
    """Return all moves of a record."""
    return list(record.moves_of(record.decode(json.dumps(kept).encode())))


def test_a_rematch(end: Page, ended: Ended, site: Site) -> None:
    player = Player(end, "swift")
    end.get_by_role("button", name="Rematch").click()
    end.locator(".table .seats").wait_for()
    end.reload()
    player.play()
    assert player.talk.match != ended[1]
    again = json.loads(site.get(f"/api/matches/{player.talk.match}"))
    first = ended[2]["names"].index("Ada")
    assert again["names"].index("Ada") == (first + 1) % SEATS, "everyone moves on by one seat"
