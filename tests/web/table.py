"""What tests read at a table."""

from playwright.sync_api import Page

LOG = """() => [...document.querySelectorAll('.log ol > li')].map((line) => {
  const copy = line.cloneNode(true);
  for (const card of copy.querySelectorAll('[data-colour]'))
    card.textContent = card.dataset.colour + card.querySelector('.seen').textContent;
  return copy.textContent.trim();
})"""


def log_lines(page: Page) -> list[str]:
    """Return the log with cards as codes, opening it if it has no column."""
    in_column = page.locator("aside .log").count() > 0
    if not in_column:
        page.locator(".actions").get_by_role("button", name="Log").click()
        page.locator("dialog .log ol > li").first.wait_for()
    lines: list[str] = page.evaluate(LOG)
    if not in_column:
        page.keyboard.press("Escape")
        page.locator("dialog .log").wait_for(state="detached")
    return lines


def hand_of(page: Page) -> list[str]:
    """Return the cards that someone holds, in order."""
    found: list[str] = page.eval_on_selector_all(
        ".hand [data-card]", "all => all.map(one => one.dataset.card)"
    )
    return found
