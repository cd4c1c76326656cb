"""The whole table as a picture: a function of the desk and the room there is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from stichwerk.locale import game_name, text
from stichwerk.terminal import table
from stichwerk.terminal.full.desk import Cursor, Desk
from stichwerk.terminal.full.null_nichtig import NullNichtig
from stichwerk.terminal.full.picture import (
    ALERT,
    GOOD,
    HINT,
    SOFT,
    Picture,
    beside,
    button,
    centred,
    cropped,
    filled,
    inked,
    line,
    painted,
    paragraph,
    rows_of,
    shortened,
    stack,
)
from stichwerk.terminal.full.sticheln import Sticheln
from stichwerk.terminal.full.stichling import Stichling
from stichwerk.terminal.full.stichtag import Stichtag
from stichwerk.terminal.full.usual import Usual
from stichwerk.terminal.news import news_lines

DRAWERS: dict[str, type[Usual]] = {
    "null-nichtig": NullNichtig,
    "sticheln": Sticheln,
    "stichling": Stichling,
    "stichtag": Stichtag,
}
LEAST_WIDTH, LEAST_HEIGHT = 60, 20
"""Of the whole window; below, the table cannot be shown."""
SIDE_FROM = 112  # cells from which there is a column beside the table
SIDE = 36
MOST_NOTICES = 6  # beside the table, so that they do not push out what was played
BIG_FROM = 28  # lines from which cards are large


@dataclass(frozen=True)
class Room:
    """How generously a table is drawn: sizes of cards, lines for texts, blank lines."""

    hand: int
    trick: int
    texts: int
    meaning: int
    common: int
    gaps: bool


ROOMS = (
    Room(hand=2, trick=2, texts=3, meaning=6, common=8, gaps=True),
    Room(hand=1, trick=2, texts=3, meaning=5, common=8, gaps=True),
    Room(hand=1, trick=1, texts=2, meaning=4, common=6, gaps=True),
    Room(hand=1, trick=1, texts=2, meaning=3, common=4, gaps=False),
    Room(hand=1, trick=1, texts=2, meaning=2, common=3, gaps=False),
    Room(hand=1, trick=0, texts=2, meaning=2, common=2, gaps=False),
    Room(hand=0, trick=0, texts=2, meaning=1, common=2, gaps=False),
    Room(hand=0, trick=0, texts=1, meaning=1, common=1, gaps=False),
)


def board(desk: Desk, width: int, height: int) -> Picture:
    """The table, as generously as there is room for."""
    if width < SIDE_FROM:
        return main_column(desk, width, height)
    column = side_column(desk, SIDE, height)
    wide = width - SIDE - 3
    bar = Picture(tuple(Text("│", "dim") for _ in range(height)))
    main = main_column(desk, wide, height)
    return stack([beside([padded(main, wide), bar, column], 1)])


def padded(picture: Picture, width: int) -> Picture:
    """A picture that takes a width, whatever is in it."""
    first = filled(picture.lines[0].copy(), width) if picture.lines else Text(" " * width)
    return Picture((first, *picture.lines[1:]), picture.spots)


def main_column(desk: Desk, width: int, height: int) -> Picture:
    """The first of the rooms that fits; the tightest is cut off if it must be."""
    drawer = DRAWERS.get(desk.view.game, Usual)(desk, width)
    for room in ROOMS if height >= BIG_FROM else ROOMS[2:]:
        upper, middle, lower = parts(drawer, room, width)
        spare = height - upper.height - middle.height - lower.height
        if spare >= 0:
            roomy = replace(room, meaning=room.meaning + spare)  # no word is cut off beside a gap
            _, middle, _ = parts(drawer, roomy, width)
            spare = height - upper.height - middle.height - lower.height
            above = spare // 2
            rows = [upper, blank(above), middle, blank(spare - above), lower]
            return cropped(stack(rows), width, height)
    return cropped(stack([upper, middle, lower]), width, height)


def parts(drawer: Usual, room: Room, width: int) -> tuple[Picture, Picture, Picture]:
    """What stands on top, in the middle and at the bottom."""
    gap = [blank(1)] if room.gaps else []
    upper = [heading(drawer.desk, width), seats(drawer, width), *gap, common(drawer, room)]
    middle = [*gap, drawer.middle(room.trick), meaning(drawer, room, width), *gap]
    lower = [
        line(Text("─" * width, "dim")),
        question(drawer, room),
        options(drawer, width),
        own(drawer),
        hand(drawer, room, width),
        answer(drawer, room),
    ]
    return stack(upper), stack(middle), stack(lower)


def blank(count: int) -> Picture:
    """Empty lines."""
    return Picture(tuple(Text() for _ in range(count)))


# -- Above -----------------------------------------------------------------------------------------


def heading(desk: Desk, width: int) -> Picture:
    """`── Sticheln · Round 2 of 4 ─────`."""
    view = desk.view
    name = game_name(view.game, desk.lang)
    words = f" {name} · {table.round_name(view, view.round, desk.lang)} "
    shown = inked("──", "dim").append(words, "bold")
    return line(shown.append("─" * max(0, width - shown.cell_len), "dim"))


def seats(drawer: Usual, width: int) -> Picture:
    """One row a seat: whose turn it is, the name, what lies before it, tricks, points."""
    everyone = range(drawer.view.seats)
    rows = [seat_cells(drawer, seat, short=False) for seat in everyone]
    if needed(rows) > width:
        rows = [seat_cells(drawer, seat, short=True) for seat in everyone]
    widths = [max(cell.cell_len for cell in cells) for cells in zip(*rows, strict=True)]
    shown = []
    for seat, row in enumerate(rows):
        cells = [filled(cell, wide) for cell, wide in zip(row, widths, strict=True) if wide]
        joined = Text("  ").join(cells)
        joined.truncate(width, overflow="ellipsis")
        shown.append(line(joined).named(seat_spot(drawer, seat)))
    return stack(shown)


def needed(rows: Sequence[Sequence[Text]]) -> int:
    """The cells that rows take below one another."""
    widths = [int(max(cell.cell_len for cell in cells)) for cells in zip(*rows, strict=True)]
    return sum(widths) + 2 * (sum(map(bool, widths)) - 1)


def seat_cells(drawer: Usual, seat: int, short: bool) -> list[Text]:
    """The cells of one seat."""
    view, lang = drawer.view, drawer.lang
    waits = seat in view.waiting_for and not drawer.desk.rest
    aimed = drawer.desk.asked.has_targets and str(seat) in drawer.desk.targets
    style = "bold" if seat == view.seat else ""
    name = shortened(view.names[seat], 9 if short else 16)
    points = table.signed(view.totals[seat])
    tricks = text("tui-tricks-short" if short else "tricks", lang, count=view.taken[seat])
    total = (
        text("tui-points-short", lang, points=points) if short else table.points(view, seat, lang)
    )
    return [
        Text("▸" if waits else "↓" if aimed and view.phase == "gift" else " ", f"bold {GOOD}"),
        Text(name, f"{style} reverse" if waits and seat == view.seat else style),
        drawer.before(seat),
        Text(tricks, "dim" if not view.taken[seat] else ""),
        Text(total, style),
    ]


def seat_spot(drawer: Usual, seat: int) -> str:
    """What a click on a seat means: the target it is, if it is one."""
    return f"seat {seat}"


def common(drawer: Usual, room: Room) -> Picture:
    """What holds for everyone."""
    lines = [paragraph(words, drawer.width, 2) for words in drawer.common_lines()]
    shown = stack(lines)
    return Picture(shown.lines[: room.common])


# -- The middle ------------------------------------------------------------------------------------


def meaning(drawer: Usual, room: Room, width: int) -> Picture:
    """What the tricks mean; as many lines as there is room for."""
    if drawer.view.game == "stichling" and drawer.view.tricks and not drawer.desk.rest:
        return Picture()  # four tricks speak for themselves
    words = [words for words in drawer.meaning() if words]
    style = f"italic {SOFT}"
    shown = stack(paragraph(text, width, style=style) for text in words).lines
    if len(shown) > room.meaning:  # something of each rather than all of the first
        shown = stack(paragraph(text, width, 2, style) for text in words).lines
    kept = [text.copy() for text in shown[: room.meaning]]
    if kept and len(shown) > len(kept):
        kept[-1].append(" …")
        kept[-1].truncate(width, overflow="ellipsis")
    return stack(centred(line(text), width) for text in kept)


# -- Below -----------------------------------------------------------------------------------------


def question(drawer: Usual, room: Room) -> Picture:
    """What is asked for, or who is waited for."""
    desk = drawer.desk
    if desk.rest:
        return line(Text(text("tui-resting", desk.lang), "dim"))
    words = desk.look.situation.heading
    return line(painted(shortened(words, drawer.width), "bold" if desk.turn else "dim"))


def own(drawer: Usual) -> Picture:
    """What only this seat knows."""
    return stack(paragraph(words, drawer.width, 2) for words in drawer.own_lines())


def options(drawer: Usual, width: int) -> Picture:
    """Choices that are not cards of the hand, as buttons; a card to give away as a card."""
    desk = drawer.desk
    if not desk.turn:
        return Picture()
    rows = []
    if not desk.asked.from_hand:
        shown = [option(drawer, at) for at in range(len(desk.asked.items))]
        rows.append(rows_of(shown, width))
    if desk.targets and drawer.view.game != "stichling":
        rows.append(rows_of([target(drawer, at) for at in range(len(desk.targets))], width))
    return stack(rows)


def option(drawer: Usual, at: int) -> Picture:
    """One choice."""
    desk = drawer.desk
    chosen, here = at in desk.pick.items, desk.cursor == Cursor("items", at)
    place = f"{desk.pick.items.index(at) + 1}: " if chosen and desk.asked.most > 1 else ""
    words = place + drawer.option_words(desk.asked.items[at])
    dim = not chosen and desk.asked.toggled(desk.pick, at) is None
    return button(words, chosen, here, dim).named(f"item {at}")


def target(drawer: Usual, at: int) -> Picture:
    """One place or person to go to."""
    desk = drawer.desk
    name = desk.targets[at]
    chosen = desk.considered.target == name
    shown = button(f"→ {drawer.target_words(name)}", chosen, desk.cursor == Cursor("targets", at))
    return shown.named(f"target {name}")


def hand(drawer: Usual, room: Room, width: int) -> Picture:
    """The own cards; picked ones are raised, those that cannot be played are dim."""
    view = drawer.view
    if view.seat is None:
        return line(Text(text("tui-watching", drawer.lang), "dim"))
    if not view.hand:
        return line(Text(text("tui-no-cards", drawer.lang), "dim"))
    cards = [hand_card(drawer, at, room.hand) for at in range(len(view.hand))]
    return rows_of(cards, width)


def hand_card(drawer: Usual, at: int, size: int) -> Picture:
    """One card of the hand; above it there is room to be raised, below it for a mark."""
    desk, asked = drawer.desk, drawer.desk.asked
    picked = asked.from_hand and at in desk.pick.items
    free = asked.from_hand and (picked or asked.toggled(desk.pick, at) is not None)
    face = drawer.card(drawer.view.hand[at], size, dim=desk.turn and not free)
    mark = hand_mark(desk, at, picked, free)
    if size == 0:
        left = "▸" if mark == CURSOR else mark[:1] or " "
        sides = (line(inked(left, mark_style(mark))), face, line(" "))
        return beside(sides, 0).named(f"item {at}")
    wide = mark * face.width if mark == CURSOR else mark
    below = line(inked(f"{wide:^{face.width}}", mark_style(mark)))
    return stack([face, below, blank(1)] if picked else [blank(1), face, below]).named(f"item {at}")


CURSOR, PICKED, BOTH, ADVISED, CLOSED = "▔", "▲", "▸▲◂", "?", "×"


def hand_mark(desk: Desk, at: int, picked: bool, free: bool) -> str:
    """What stands below a card: the cursor, in which order it was picked, that a bot advises it, or
    that it cannot be played now.
    """
    here = desk.asked.from_hand and desk.turn and desk.cursor == Cursor("items", at)
    if picked and desk.asked.most > 1:
        number = str(desk.pick.items.index(at) + 1)
        return f"▸{number}◂" if here else number
    if picked:
        return BOTH if here else PICKED
    if here:
        return CURSOR
    advised = desk.asked.pick_of(desk.hint) if desk.hint and desk.asked.from_hand else None
    if advised and at in advised.items:
        return ADVISED
    return "" if free or not desk.asked.from_hand else CLOSED


def mark_style(mark: str) -> str:
    """How a mark is shown."""
    return {CURSOR: "bold", ADVISED: f"bold {HINT}", CLOSED: "dim"}.get(mark, f"bold {GOOD}")


def answer(drawer: Usual, room: Room) -> Picture:
    """What was answered last, or what the considered move would do, or why it cannot be made."""
    desk = drawer.desk
    words, style = answer_words(desk)
    shown = paragraph(words, drawer.width, room.texts, style)
    return stack([shown, blank(max(0, min(2, room.texts) - shown.height))])


def answer_words(desk: Desk) -> tuple[str, str]:
    """The sentence below the hand, and how it is shown."""
    if desk.said:
        return desk.said, ALERT
    if desk.hint_text and desk.turn:
        return desk.hint_text, HINT
    outcome = desk.outcome
    if outcome is None:
        return "", ""
    if outcome.legal:
        words = outcome.text or text("tui-ready", desk.lang)
        return f"{outcome.move}: {words}", GOOD
    if outcome.effect is not None and outcome.effect.text:
        return f"{outcome.move}: {outcome.effect.text}", GOOD
    if desk.typed or not desk.asked.items or not unfinished(desk):
        return outcome.text, ALERT
    go_on = "tui-choose-target" if desk.targets else "tui-go-on"
    return text(go_on, desk.lang, move=outcome.move), GOOD


def unfinished(desk: Desk) -> bool:
    """Whether the considered pick can still become a move."""
    pick = desk.considered
    return bool(desk.asked.fitting(desk.asked.texts(pick)))


# -- Beside ----------------------------------------------------------------------------------------


def side_column(desk: Desk, width: int, height: int) -> Picture:
    """The rule of the moment, and below it what happened last."""
    rows = [line(Text(text("tui-rule-now", desk.lang), "bold"))]
    rows += [paragraph(words, width - 1) for words in desk.look.situation.sentences]
    rows += [blank(1), line(Text(text("tui-news", desk.lang), "bold"))]
    upper = cropped(stack(rows), width, height)
    room = height - upper.height
    told = stack(paragraph(words, width - 1) for words in told_lines(desk))
    return stack([upper, Picture(told.lines[-room:] if room > 0 else ())])


def told_lines(desk: Desk) -> Iterator[str]:
    """All that happened, and notices from beside the table; only the end of it is shown."""
    yield from list(news_lines(desk.view, 0, desk.lang))[-40:]
    yield from desk.notices[-MOST_NOTICES:]
