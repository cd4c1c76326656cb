"""That axe finds nothing (`test_looks.py`) means something: what is put there is found."""

import pytest
from playwright.sync_api import Browser

from tests.web.looks import examined, watched
from tests.web.pages import Site

FAULTS = {
    "image-alt": "<img src='/icon-192.png'>",
    "button-name": "<button></button>",
    "label": "<input>",
    "color-contrast": "<p class='pale'>hard to read</p>",
    "link-name": "<a href='/'></a>",
    "heading-order": "<h6>six</h6>",
    "role-img-alt": "<p role='img'></p>",
    "aria-allowed-attr": "<ul aria-pressed='true'><li>on</li></ul>",
    "list": "<ul><p>no item</p></ul>",
}
STYLE = ".pale { color: #777; background: #888; }"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_faults_are_found(browser: Browser, site: Site, theme: str) -> None:
    with watched(browser, "en", settings={"theme": theme}) as watch:
        page = watch.page
        page.goto(f"{site.url}/settings")
        page.locator("h1").wait_for()
        page.add_style_tag(content=STYLE)
        assert examined(page) == []
        for rule, html in FAULTS.items():
            page.evaluate(
                "html => { const one = document.createElement('div'); one.id = 'planted';"
                " one.innerHTML = html; document.querySelector('main').append(one) }",
                html,
            )
            found = examined(page)
            assert any(one.startswith(f"{rule}:") for one in found), (rule, found)
            page.evaluate("() => document.getElementById('planted').remove()")
        assert examined(page) == []
