"""Every kind of choice that a day of Stichtag asks for, and what its sheets put on the table."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.pages import PATIENCE, Site, open_table, person, until
from tests.web.players import Player, State, Way
from tests.web.table import log_lines
from tests.web.test_matches import screen

pytestmark = pytest.mark.game("stichtag")

View = dict[str, Any]

MATCHES = 20
"""Some choices come up at random: this many matches are enough."""


@dataclass(frozen=True)
class Kind:
    """A kind of choice: how it comes about, how it is made, and what is seen of it then."""

    sheets: tuple[str, ...]
    phase: str
    asks: str
    """The question that the page must ask; empty: it is a play, only with more to choose."""
    pick: Callable[[View], str | None]
    """The move that is to be made now; none if this is not the moment."""
    make: Callable[[Player, str], None]
    logged: Callable[[View, str], str]
    """The line that the log must then have."""
    shown: Callable[[Page, View, str], None] = lambda page, view, move: None
    """What else must be seen."""
    settings: tuple[tuple[str, Any], ...] = ()


COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "L": "lilac", "S": "grey"}

# -- What is done in the page ----------------------------------------------------------------------


def raise_card(player: Player, card: str) -> None:
    """Pick a card of the hand."""
    held = player.page.locator(f".hand button:has([data-card={card}])")
    player.press(held)
    expect(held).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)


def confirm(player: Player) -> None:
    """Press the button that makes a choice."""
    button = player.page.locator(".middle .choice button.primary")
    expect(button).to_be_enabled(timeout=PATIENCE)
    player.press(button)


def announce(player: Player, move: str) -> None:
    """Pick a number, then say it."""
    player.press(player.page.locator(f".choice input[value='{move}']"))
    expect(player.page.locator(".choice button.primary")).to_have_text(
        re.compile(rf"Announce {move} trick"), timeout=PATIENCE
    )
    confirm(player)


def give_cards(player: Player, move: str) -> None:
    """Pick cards of the hand, then confirm."""
    for card in move.split(","):
        raise_card(player, card)
    confirm(player)


def give_gift(player: Player, move: str) -> None:
    """Choose a card, where there are several; then the person."""
    card, to = move.split(">")
    page = player.page
    held = page.locator(f".choice .card:has([data-card={card}])")
    if held.get_attribute("aria-pressed") != "true":
        player.press(held)
    name = player.talk.view["names"][int(to)]
    player.press(page.locator(".choice li button").filter(has_text=f"to {name}"))


def veto(player: Player, move: str) -> None:
    """Strike somebody's card: it is picked first, and its effect is shown."""
    page = player.page
    name = player.talk.view["names"][int(move.split()[1])]
    target = page.locator(".choice .cards button").filter(has_text=name)
    player.press(target)
    expect(target).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    expect(page.locator(".choice .effect")).not_to_be_empty(timeout=PATIENCE)
    confirm(player)


def play_pair(player: Player, move: str) -> None:
    """Raise one of them, then the other: the effect of both is shown, and they are played."""
    first, second = move.split("+")
    raise_card(player, first)
    raise_card(player, second)
    expect(player.page.locator(".hand button.raised")).to_have_count(2, timeout=PATIENCE)
    expect(player.page.locator(".status p")).not_to_be_empty(timeout=PATIENCE)
    player.press(player.page.locator(".status button.primary"))


def play_card(player: Player, move: str) -> None:
    """Raise it, then play it."""
    raise_card(player, move)
    player.press(player.page.locator(".hand button.raised"))


def first_button(player: Player, move: str) -> None:
    """Press the button of this move."""
    text = {"pass": "Pass", "take": "Take the points", "leave": "Leave them"}[move]
    player.press(player.page.locator(".choice .ways button").filter(has_text=text))


def choose_trump(player: Player, move: str) -> None:
    """Press the button of this colour: it says what it would mean."""
    button = player.page.locator(".choice .ways button").filter(has_text=COLOURS[move])
    expect(button.locator(".effect")).to_contain_text("you hold", timeout=PATIENCE)
    player.press(button)


# -- What is seen then -----------------------------------------------------------------------------


def left_the_hand(page: Page, _view: View, move: str) -> None:
    for card in re.findall(r"[RYGBLS]\d+", move):
        expect(page.locator(f".hand [data-card={card}]")).to_have_count(0, timeout=PATIENCE)


def own_bid(page: Page, _view: View, move: str) -> None:
    expect(page.locator("main > .own")).to_contain_text(f"bid {move}", timeout=PATIENCE)


def gift_lies_there(page: Page, view: View, move: str) -> None:
    name = view["names"][int(move.split(">")[1])]
    seat = page.locator(".seat").filter(has_text=name)
    expect(seat).to_contain_text("gift", timeout=PATIENCE)


def is_struck(page: Page, view: View, move: str) -> None:
    name = view["names"][int(move.split()[1])]
    spot = page.locator(".slot.crossed .spot")
    expect(spot).to_have_attribute("aria-label", re.compile(f"^{name}, .*struck"), timeout=PATIENCE)


def discards_lie(page: Page, view: View, move: str) -> None:
    left_the_hand(page, view, move)
    expect(page.locator(".pile")).to_contain_text("discarded", timeout=PATIENCE)


def is_trump(page: Page, _view: View, move: str) -> None:
    fact = page.locator(".middle .facts li").first
    expect(fact).to_have_text(re.compile(rf"^\s*Trump\s+{COLOURS[move]}$"), timeout=PATIENCE)


def lay_face_down(page: Page, _view: View, _move: str) -> None:
    until(page, lambda: bool(page.evaluate("globalThis.faceDown?.length")), "it lay face down")
    until(page, lambda: bool(page.evaluate("globalThis.named?.length")), "its colour was announced")


def leads(view: View) -> bool:
    """Return whether the table is empty."""
    return not view["tricks"] and not view["table"].get("named")


def name_of(view: View, seat: str) -> str:
    """Return who sits there."""
    name: str = view["names"][int(seat)]
    return name


def last(view: View) -> str:
    """Accept any move."""
    moves: list[str] = view["moves"]
    return moves[len(moves) // 2]


def first_with(text: str) -> Callable[[View], str | None]:
    """Return the first move with such a text in it."""
    return lambda view: next((move for move in view["moves"] if text in move), None)


KINDS: dict[str, Kind] = {
    "trump": Kind(
        ("red 0",), "trump", "Choose the trump", last, choose_trump,
        lambda _view, move: f"You choose {COLOURS[move]} as trump.", is_trump,
    ),
    "announcement": Kind(
        ("red 4",), "announce", "Announce your tricks", last, announce,
        lambda _view, move: rf"Announced: you {move}\s· .*", own_bid,
    ),
    "passing": Kind(
        ("February",), "pass", "Give a card to", last, give_cards,
        lambda _view, _move: "Everyone passes a card to the left.", left_the_hand,
    ),
    "gifts": Kind(
        ("December",), "gift", "Give|Which card", last, give_gift,
        lambda view, move: f"You give {move[:-2]} to {name_of(view, move[-1])}.", gift_lies_there,
    ),
    "veto": Kind(
        ("red 7",), "veto", "Veto or pass", first_with("veto"), veto,
        lambda view, move: f"You veto: what {name_of(view, move[-1])} played does not count.",
        is_struck, (("hold", 0),),
    ),
    "no veto": Kind(
        ("red 7",), "veto", "Veto or pass", first_with("pass"), first_button,
        lambda _view, _move: "You do not use the veto.",
    ),
    "discarding": Kind(
        ("August",), "discard", "Discard", last, give_cards,
        lambda _view, move: f"You discard {move.replace(',', ', ')} and draw.", discards_lie,
    ),
    "pairs": Kind(
        ("red 2",), "play", "", first_with("+"), play_pair,
        lambda _view, move: re.escape(f"You play {move}."), left_the_hand,
    ),
    "face down": Kind(
        ("red 1",), "play", "", lambda view: last(view) if leads(view) else None, play_card,
        lambda _view, move: f"You lay a card face down and say {COLOURS[move[0]]}.", lay_face_down,
    ),
    "taking points": Kind(
        ("red 4", "green 2"), "take", "Take the points or leave", first_with("take"), first_button,
        lambda _view, _move: ".*You hit the announcement and take the points.*",
    ),
}  # fmt: skip
WAYS: list[tuple[str, Way]] = [
    ("trump", "click"), ("trump", "keys"), ("trump", "touch"), ("trump", "typed"),
    ("announcement", "click"), ("announcement", "keys"),
    ("passing", "click"), ("passing", "touch"),
    ("gifts", "click"), ("gifts", "typed"),
    ("veto", "click"), ("veto", "keys"), ("veto", "touch"),
    ("no veto", "click"), ("no veto", "typed"),
    ("discarding", "click"), ("discarding", "touch"),
    ("pairs", "click"), ("pairs", "keys"), ("pairs", "typed"),
    ("face down", "click"), ("face down", "touch"),
    ("taking points", "click"),
]  # fmt: skip

RECORD = """() => {
  globalThis.faceDown = [];
  globalThis.named = [];
  new MutationObserver(() => {
    const spots = [...document.querySelectorAll('.slot .spot')].map((one) => one.ariaLabel);
    globalThis.faceDown.push(...spots.filter((one) => /^you, .*face down/.test(one)));
    globalThis.named.push(...document.querySelectorAll('.facts .colour'));
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""
"""Face-down cards are turned up at once when nobody has to think, so they are recorded."""


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_choice_is_asked_made_and_shown(
    browser: Browser, site: Site, name: str, way: Way
) -> None:
    kind = KINDS[name]
    settings = {"seen": [f"day {' + '.join(kind.sheets)}"], **dict(kind.settings)}
    with person(browser, settings=settings, **screen(way)) as page:
        player = Player(page, "swift", seed=len(name))
        player.announces = "4"
        move = come_to(player, site, kind)
        page.evaluate(RECORD)
        until(page, lambda: player.talk.is_at_rest, "all words are there")
        view = player.talk.view
        player.way = way
        if way == "typed":
            player.write(move)
        else:
            kind.make(player, move)
        until(
            page,
            lambda: player.talk.choices[-1:] == [(kind.phase, move)],
            lambda: f"{move} goes out, but {player.talk.choices[-3:]}",
        )
        kind.shown(page, view, move)
        line = kind.logged(view, move)
        while page.locator("button.go-on").count():
            page.locator("button.go-on").click()
        must_log(page, line)
        page.reload()
        table, end = page.locator(".table .seats"), page.locator("main.end")
        table.or_(end).first.wait_for()
        if not end.count():  # a choice at the end of a round may have been the match's last
            must_log(page, line)


def come_to(player: Player, site: Site, kind: Kind) -> str:
    """Play until this choice is asked; the move that shall be made."""
    for _ in range(MATCHES):
        open_table(player.page, site.table("stichtag", 3, options={"sheets": list(kind.sheets)}))
        player.forget()
        while not (state := player.look())["over"]:
            view = player.talk.view
            if view.get("phase") == kind.phase and is_asked(state, kind):
                move = kind.pick(view)
                if move is not None:
                    assert view["seat"] == 0
                    return move
            player.step(state)
    raise AssertionError(f"never asked in {MATCHES} matches")


def is_asked(state: State, kind: Kind) -> bool:
    """Return whether the page asks for it."""
    if state["dialog"] or any(one["kind"] == "go-on" for one in state["offers"]):
        return False
    if kind.asks:
        return re.search(kind.asks, state["asks"]) is not None
    hand = [one for one in state["offers"] if one["kind"] == "hand"]
    return bool(hand) and not any(one["on"] == "true" for one in hand)


def must_log(page: Page, line: str) -> None:
    """Check that the log has such a line."""
    until(
        page,
        lambda: any(re.fullmatch(line, one) for one in log_lines(page)),
        lambda: f"{line} in the log, not only {log_lines(page)}",
    )


SIGNS: dict[str, tuple[dict[str, Any], str]] = {
    "drawn colours": ({"sheets": ["red 0"]}, r"[Tt]rump:?\s+\w+\s+or\s+\w+"),
    "partners": ({"sheets": ["red 6"]}, r"At the end of the round you also get \w+’s points"),
    "eggs": ({"sheets": ["April"]}, r"\d eggs?\b"),
    "hearts": ({"sheets": ["green 3"]}, "♥♥"),
    "odd later": ({"sheets": ["red 8"]}, "Aside until your last even card is gone"),
    "sunstroke": ({"sheets": ["July"]}, r"\bsunstroke\b"),
    "a pile of leaves": ({"sheets": ["September"]}, r"Leaf pile: \d"),
    "lanterns": ({"sheets": ["November"]}, r"\d lanterns?\b"),
    "play turns round": ({"sheets": ["March"]}, r"\banticlockwise\b"),
    "all at once": ({"date": "12-07"}, r"Trick\s3/\d+"),
    "an impossible date": ({"date": "02-37"}, r"Trick\s3/\d+"),
}
"""What a sheet puts on the table, and how it is seen there."""


@pytest.mark.parametrize("sign", SIGNS)
def test_what_a_sheet_puts_on_the_table_is_seen(browser: Browser, site: Site, sign: str) -> None:
    options, text = SIGNS[sign]
    with person(browser) as page:
        player = Player(page, "swift", seed=len(sign))
        seats = page.locator(".table .page")

        def is_seen() -> bool:
            return any(re.search(text, one) for one in seats.all_inner_texts())

        for _ in range(MATCHES):
            open_table(page, site.table("stichtag", 3, options=options))
            player.forget()
            player.play(is_seen)
            if is_seen():
                return
    raise AssertionError(f"never seen in {MATCHES} matches: {text}")


def test_a_day_is_introduced_sheet_by_sheet_the_first_time(browser: Browser, site: Site) -> None:
    options = {"date": "09-14"}
    with person(browser, size="phone") as page:
        player = Player(page, "swift")
        open_table(page, site.table("stichtag", 3, options=options))
        player.step(player.look())
        walk = page.locator("dialog.walk[open]")
        for sheet in (1, 2, 3):
            expect(walk).to_contain_text(f"Sheet {sheet} of 3", timeout=PATIENCE)
            walk.get_by_role("button", name="Next" if sheet < 3 else "Let’s go").click()
        walk.wait_for(state="detached")
        page.locator(".desk .sheet").first.click()
        expect(page.locator("dialog[open]")).to_contain_text("Fewest points", timeout=PATIENCE)
        page.keyboard.press("Escape")
        page.reload()
        page.locator(".desk .sheet").first.wait_for()
        player.look()
        expect(page.locator("dialog[open]")).to_have_count(0)
        open_table(page, site.table("stichtag", 3, options=options))
        player.forget()
        player.step(player.look())
        page.locator(".desk .sheet").first.wait_for()
        expect(page.locator("dialog[open]")).to_have_count(0)
