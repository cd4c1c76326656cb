"""Installable, and there without a connection."""

import json

from playwright.sync_api import Browser, expect

from tests.web.pages import Site, person


def test_the_manifest_is_whole(site: Site) -> None:
    told = json.loads(site.get("/manifest.webmanifest"))
    assert {"name", "short_name", "start_url", "display", "icons"} <= set(told)
    sizes = {size for icon in told["icons"] for size in icon["sizes"].split()}
    assert {"192x192", "512x512"} <= sizes
    for icon in told["icons"]:
        assert site.get(icon["src"])


def test_the_start_page_opens_without_a_connection(browser: Browser, site: Site) -> None:
    with person(browser, strict=False) as page:
        page.goto(site.url)
        page.locator("article").first.wait_for()
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.locator("article").first.wait_for()
        page.wait_for_function(
            "async () => { const names = await caches.keys(); let count = 0;"
            " for (const name of names) count += (await (await caches.open(name)).keys()).length;"
            " return count > 2 }"
        )
        page.context.set_offline(True)
        page.reload()
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("main")).to_contain_text("No connection")
        page.context.set_offline(False)
        page.locator("article").first.wait_for()
