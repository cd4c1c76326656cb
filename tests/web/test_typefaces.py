"""The page brings its three typefaces along: small, from its own server, also without one."""

from playwright.sync_api import Browser, Page, Response

from tests.web.pages import OFFLINE, Site, open_table, person
from tests.web.players import Player
from tests.web.test_offline import at_rest

FACES = {"Figtree", "Fraunces", "Gabarito"}
MOST_BYTES = 60_000

LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter((face) => face.status === 'loaded')
    .map((face) => face.family.replaceAll('"', ''));
}"""


def loaded(page: Page) -> set[str]:
    """Return the faces that the page has loaded."""
    found: list[str] = page.evaluate(LOADED)
    return set(found)


def test_typefaces_come_from_our_server_and_are_small(browser: Browser, site: Site) -> None:
    with person(browser) as page:
        answers: list[Response] = []
        page.on("response", lambda answer: answers.append(answer))
        open_table(page, site.table("sticheln", 3))
        player = Player(page, "swift")
        player.play_moves(2)
        player.look()
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        assert loaded(page) == FACES
        urls = {answer.url for answer in answers if not answer.url.startswith("data:image/")}
        assert {url for url in urls if not url.startswith(f"{site.url}/")} == set()
        fonts = {answer.url: answer for answer in answers if answer.url.endswith(".woff2")}
        assert len(fonts) == len(FACES)
        assert {one.headers["content-type"] for one in fonts.values()} == {"font/woff2"}
        assert sum(len(one.body()) for one in fonts.values()) <= MOST_BYTES


def test_each_face_is_used_where_it_belongs(page: Page, site: Site) -> None:
    open_table(page, site.table("sticheln", 3))
    player = Player(page, "swift")
    player.play_moves(2)
    player.look()
    family = "one => getComputedStyle(one).fontFamily"
    assert page.locator(".hand .value").first.evaluate(family).startswith("Gabarito")
    assert page.locator("body").evaluate(family).startswith("Figtree")
    assert page.locator("h1").first.evaluate(family).startswith("Fraunces")


def test_typefaces_are_kept_for_pages_without_a_connection(browser: Browser, site: Site) -> None:
    with person(browser, allowed=OFFLINE, worker=True) as page:
        at_rest(page, site.url)
        page.context.set_offline(True)
        page.goto(f"{site.url}/learn/sticheln")
        page.locator("section.coach button.primary").first.wait_for()
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        assert loaded(page) == FACES
