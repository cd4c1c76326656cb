"""The complete table as a picture: a function of the board state and the available space."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from stichwerk import narration
from stichwerk.games import registry
from stichwerk.locale import game_name, text
from stichwerk.terminal import table
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.full.board_state import BoardState, Cursor
from stichwerk.terminal.full.game_board import GameBoard
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
    line,
    painted,
    paragraph,
    rows_of,
    shortened,
    stack,
    styled,
)

LEAST_WIDTH, LEAST_HEIGHT = 60, 20
"""Of the whole window; below this size the table cannot be shown."""
SIDE_FROM = 112  # cells; from here on there is a side column
SIDE = 36
MOST_NOTICES = 6  # beside the table, so that they do not push out the plays
BIG_FROM = 28  # lines; from here on cards are large


@dataclass(frozen=True)
class BoardLayout:
    """How much space a table takes: sizes of cards, lines for texts, blank lines."""

    hand: int
    trick: int
    texts: int
    meaning: int
    common: int
    gaps: bool


LAYOUTS = (
    BoardLayout(hand=2, trick=2, texts=3, meaning=6, common=8, gaps=True),
    BoardLayout(hand=1, trick=2, texts=3, meaning=5, common=8, gaps=True),
    BoardLayout(hand=1, trick=1, texts=2, meaning=4, common=6, gaps=True),
    BoardLayout(hand=1, trick=1, texts=2, meaning=3, common=4, gaps=False),
    BoardLayout(hand=1, trick=1, texts=2, meaning=2, common=3, gaps=False),
    BoardLayout(hand=1, trick=0, texts=2, meaning=2, common=2, gaps=False),
    BoardLayout(hand=0, trick=0, texts=2, meaning=1, common=2, gaps=False),
    BoardLayout(hand=0, trick=0, texts=1, meaning=1, common=1, gaps=False),
)


def board(board_state: BoardState, width: int, height: int) -> Picture:
    """Draw the table with the largest layout that fits."""
    if width < SIDE_FROM:
        return main_column(board_state, width, height)
    column = side_column(board_state, SIDE, height)
    wide = width - SIDE - 3
    bar = Picture(tuple(Text("│", "dim") for _ in range(height)))
    main = main_column(board_state, wide, height)
    return stack([beside([padded(main, wide), bar, column], 1)])


def drawer_of(game: str) -> type[GameBoard]:
    """Return the class that draws the table of a game."""
    info = registry.info_of(game)
    drawer: type[GameBoard] = info.load(info.drawer) if info.drawer else GameBoard
    return drawer


def padded(picture: Picture, width: int) -> Picture:
    """Return a picture of exactly this width."""
    first = filled(picture.lines[0].copy(), width) if picture.lines else Text(" " * width)
    return Picture((first, *picture.lines[1:]), picture.spots)


def main_column(board_state: BoardState, width: int, height: int) -> Picture:
    """Draw the first layout that fits; crop the smallest one if necessary."""
    drawer = drawer_of(board_state.view.game)(board_state, width)
    for layout in LAYOUTS if height >= BIG_FROM else LAYOUTS[2:]:
        upper, middle, lower = parts(drawer, layout, width)
        spare = height - upper.height - middle.height - lower.height
        if spare >= 0:
            wider = replace(
                layout, meaning=layout.meaning + spare
            )  # no word is cut off beside a gap
            _, middle, _ = parts(drawer, wider, width)
            spare = height - upper.height - middle.height - lower.height
            above = spare // 2
            rows = [upper, blank(above), middle, blank(spare - above), lower]
            return cropped(stack(rows), width, height)
    return cropped(stack([upper, middle, lower]), width, height)


def parts(drawer: GameBoard, layout: BoardLayout, width: int) -> tuple[Picture, Picture, Picture]:
    """Return the top, the middle and the bottom."""
    gap = [blank(1)] if layout.gaps else []
    upper = [heading(drawer.board_state, width), seats(drawer, width), *gap, common(drawer, layout)]
    middle = [*gap, drawer.middle(layout.trick), meaning(drawer, layout, width), *gap]
    lower = [
        line(Text("─" * width, "dim")),
        question(drawer, layout),
        options(drawer, width),
        own(drawer),
        hand(drawer, layout, width),
        answer(drawer, layout),
    ]
    return stack(upper), stack(middle), stack(lower)


def blank(count: int) -> Picture:
    """Return empty lines."""
    return Picture(tuple(Text() for _ in range(count)))


# -- Top -------------------------------------------------------------------------------------------


def heading(board_state: BoardState, width: int) -> Picture:
    """Return `── Sticheln · Round 2 of 4 ─────`."""
    view = board_state.view
    name = game_name(view.game, board_state.lang)
    words = f" {name} · {table.round_name(view, view.round, board_state.lang)} "
    shown = styled("──", "dim").append(words, "bold")
    return line(shown.append("─" * max(0, width - shown.cell_len), "dim"))


def seats(drawer: GameBoard, width: int) -> Picture:
    """Return one row per seat: whose turn it is, name, open cards, tricks, points."""
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
    """Return the width that aligned rows need."""
    widths = [int(max(cell.cell_len for cell in cells)) for cells in zip(*rows, strict=True)]
    return sum(widths) + 2 * (sum(map(bool, widths)) - 1)


def seat_cells(drawer: GameBoard, seat: int, short: bool) -> list[Text]:
    """Return the cells of one seat."""
    view, lang = drawer.view, drawer.lang
    waits = seat in view.waiting_for and not drawer.board_state.rest
    aimed = not drawer.draws_targets and str(seat) in drawer.board_state.targets
    style = "bold" if seat == view.seat else ""
    name = shortened(table.own_name(view, seat, lang), 9 if short else 16)
    points = narration.signed(view.totals[seat])
    tricks = text("tui-tricks-short" if short else "tricks", lang, count=view.taken[seat])
    total = (
        text("tui-points-short", lang, points=points) if short else table.points(view, seat, lang)
    )
    return [
        Text("▸" if waits else "↓" if aimed else " ", f"bold {GOOD}"),
        Text(name, f"{style} reverse" if waits and seat == view.seat else style),
        drawer.before(seat),
        Text(tricks, "dim" if not view.taken[seat] else ""),
        Text(total, style),
    ]


def seat_spot(drawer: GameBoard, seat: int) -> str:
    """Return the name of a seat's clickable area: its target, if it is one."""
    return f"seat {seat}"


def common(drawer: GameBoard, layout: BoardLayout) -> Picture:
    """Return what applies to everyone."""
    lines = [paragraph(words, drawer.width, 2) for words in drawer.common_lines()]
    shown = stack(lines)
    return Picture(shown.lines[: layout.common])


# -- Middle ----------------------------------------------------------------------------------------


def meaning(drawer: GameBoard, layout: BoardLayout, width: int) -> Picture:
    """Return the meaning of the tricks, in as many lines as there is space for."""
    if drawer.view.tricks and not drawer.explains_tricks and not drawer.board_state.rest:
        return Picture()
    words = [words for words in drawer.meaning() if words]
    style = f"italic {SOFT}"
    shown = stack(paragraph(text, width, style=style) for text in words).lines
    if len(shown) > layout.meaning:  # something of each rather than all of the first
        shown = stack(paragraph(text, width, 2, style) for text in words).lines
    kept = [text.copy() for text in shown[: layout.meaning]]
    if kept and len(shown) > len(kept):
        kept[-1].append(" …")
        kept[-1].truncate(width, overflow="ellipsis")
    return stack(centred(line(text), width) for text in kept)


# -- Bottom ----------------------------------------------------------------------------------------


def question(drawer: GameBoard, layout: BoardLayout) -> Picture:
    """Return what is asked for, or whose move is awaited."""
    board_state = drawer.board_state
    if board_state.rest:
        return line(Text(text("tui-resting", board_state.lang), "dim"))
    words = board_state.look.situation.heading
    return line(painted(shortened(words, drawer.width), "bold" if board_state.turn else "dim"))


def own(drawer: GameBoard) -> Picture:
    """Return what only this seat knows."""
    return stack(paragraph(words, drawer.width, 2) for words in drawer.own_lines())


def options(drawer: GameBoard, width: int) -> Picture:
    """Return choices other than cards of the hand, as buttons; a card to give away as a card."""
    board_state = drawer.board_state
    if not board_state.turn:
        return Picture()
    rows = []
    if not board_state.asked.from_hand:
        shown = [option(drawer, at) for at in range(len(board_state.asked.items))]
        rows.append(rows_of(shown, width))
    if board_state.targets and not drawer.draws_targets:
        rows.append(rows_of([target(drawer, at) for at in range(len(board_state.targets))], width))
    return stack(rows)


def option(drawer: GameBoard, at: int) -> Picture:
    """Return one choice."""
    board_state = drawer.board_state
    chosen, here = at in board_state.pick.items, board_state.cursor == Cursor("items", at)
    place = (
        f"{board_state.pick.items.index(at) + 1}: " if chosen and board_state.asked.most > 1 else ""
    )
    words = place + drawer.option_words(board_state.asked.items[at])
    dim = not chosen and board_state.asked.toggled(board_state.pick, at) is None
    return button(words, chosen, here, dim).named(f"item {at}")


def target(drawer: GameBoard, at: int) -> Picture:
    """Return one place or person as a target."""
    board_state = drawer.board_state
    name = board_state.targets[at]
    chosen = board_state.considered.target == name
    shown = button(
        f"→ {drawer.target_words(name)}", chosen, board_state.cursor == Cursor("targets", at)
    )
    return shown.named(f"target {name}")


def hand(drawer: GameBoard, layout: BoardLayout, width: int) -> Picture:
    """Return the seat's hand; picked cards are raised, unplayable ones are dimmed."""
    view = drawer.view
    if view.seat is None:
        return line(Text(text("tui-watching", drawer.lang), "dim"))
    if not view.hand:
        return line(Text(text("tui-no-cards", drawer.lang), "dim"))
    cards = [hand_card(drawer, at, layout.hand) for at in range(len(view.hand))]
    return rows_of(cards, width)


def hand_card(drawer: GameBoard, at: int, size: int) -> Picture:
    """Return one card of the hand, with room above to be raised and below for a mark."""
    board_state, asked = drawer.board_state, drawer.board_state.asked
    picked = asked.from_hand and at in board_state.pick.items
    free = asked.from_hand and (picked or asked.toggled(board_state.pick, at) is not None)
    face = drawer.card(drawer.view.hand[at], size, dim=board_state.turn and not free)
    mark = hand_mark(board_state, at, picked, free)
    if size == 0:
        left = "▸" if mark == CURSOR else mark[:1] or " "
        sides = (line(styled(left, mark_style(mark))), face, line(" "))
        return beside(sides, 0).named(f"item {at}")
    wide = mark * face.width if mark == CURSOR else mark
    below = line(styled(f"{wide:^{face.width}}", mark_style(mark)))
    return stack([face, below, blank(1)] if picked else [blank(1), face, below]).named(f"item {at}")


CURSOR, PICKED, BOTH, ADVISED, CLOSED = "▔", "▲", "▸▲◂", "?", "×"


def hand_mark(board_state: BoardState, at: int, picked: bool, free: bool) -> str:
    """Return the mark below a card: the cursor, its position among the picked cards, a bot's
    recommendation, or that it cannot be played now."""
    here = (
        board_state.asked.from_hand
        and board_state.turn
        and board_state.cursor == Cursor("items", at)
    )
    if picked and board_state.asked.most > 1:
        number = str(board_state.pick.items.index(at) + 1)
        return f"▸{number}◂" if here else number
    if picked:
        return BOTH if here else PICKED
    if here:
        return CURSOR
    advised = (
        board_state.asked.pick_of(board_state.hint)
        if board_state.hint and board_state.asked.from_hand
        else None
    )
    if advised and at in advised.items:
        return ADVISED
    return "" if free or not board_state.asked.from_hand else CLOSED


def mark_style(mark: str) -> str:
    """Return the style of a mark."""
    return {CURSOR: "bold", ADVISED: f"bold {HINT}", CLOSED: "dim"}.get(mark, f"bold {GOOD}")


def answer(drawer: GameBoard, layout: BoardLayout) -> Picture:
    """Return the last answer, or what the considered move would do, or why it cannot be made."""
    board_state = drawer.board_state
    words, style = answer_words(board_state)
    shown = paragraph(words, drawer.width, layout.texts, style)
    return stack([shown, blank(max(0, min(2, layout.texts) - shown.height))])


def answer_words(board_state: BoardState) -> tuple[str, str]:
    """Return the sentence below the hand, and its style."""
    if board_state.said:
        return board_state.said, ALERT
    if board_state.hint_text and board_state.turn:
        return board_state.hint_text, HINT
    outcome = board_state.outcome
    if outcome is None:
        return "", ""
    if outcome.legal:
        words = outcome.text or text("tui-ready", board_state.lang)
        return f"{outcome.move}: {words}", GOOD
    if outcome.effect is not None and outcome.effect.text:
        return f"{outcome.move}: {outcome.effect.text}", GOOD
    if board_state.typed or not board_state.asked.items or not unfinished(board_state):
        return outcome.text, ALERT
    go_on = "tui-choose-target" if board_state.targets else "tui-go-on"
    return text(go_on, board_state.lang, move=outcome.move), GOOD


def unfinished(board_state: BoardState) -> bool:
    """Return whether the considered pick can still become a move."""
    pick = board_state.considered
    return bool(board_state.asked.fitting(board_state.asked.texts(pick)))


# -- Side ------------------------------------------------------------------------------------------


def side_column(board_state: BoardState, width: int, height: int) -> Picture:
    """Return the rule that applies now, and below it the latest events."""
    rows = [line(Text(text("tui-rule-now", board_state.lang), "bold"))]
    rows += [paragraph(words, width - 1) for words in board_state.look.situation.sentences]
    rows += [blank(1), line(Text(text("tui-events", board_state.lang), "bold"))]
    upper = cropped(stack(rows), width, height)
    layout = height - upper.height
    events = stack(paragraph(words, width - 1) for words in log_lines(board_state))
    return stack([upper, Picture(events.lines[-layout:] if layout > 0 else ())])


def log_lines(board_state: BoardState) -> Iterator[str]:
    """Yield all events and notices; only the end is shown."""
    yield from list(event_lines(board_state.view, 0, board_state.lang, board_state.memory))[-40:]
    yield from board_state.notices[-MOST_NOTICES:]
