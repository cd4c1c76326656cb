"""A QR code for a terminal."""

import segno

_BLACK_ON_WHITE = "\x1b[38;5;16;48;5;231m"

_RESET = "\x1b[0m"

_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def qr_lines(text: str, border: int = 2) -> list[str]:
    """Return a QR code, two rows per line, with its own colours: phones need dark on light,
    whatever colours the terminal has."""
    rows = [list(row) for row in segno.make_qr(text).matrix_iter(border=border)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    return [
        _BLACK_ON_WHITE
        + "".join(_HALVES[bool(a), bool(b)] for a, b in zip(above, below, strict=True))
        + _RESET
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    ]
