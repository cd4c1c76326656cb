"""SVG pictures: a few marks on a background that is readable on light and dark pages."""

from collections.abc import Iterable
from html import escape

import msgspec

COLOURS = {  # on a light and a dark background
    "paper": ("#fffdf8", "#1b1c20"),
    "ink": ("#26262b", "#ececf0"),
    "soft": ("#6a6a73", "#a6a6b0"),
    "rule": ("#e6e2da", "#34353c"),
    "base": ("#8a8a93", "#8f909a"),
    "green": ("#2f8f4e", "#5fc07e"),
    "red": ("#cf3f3f", "#f07a74"),
    "month": ("#3a6fc4", "#7ba7f0"),
}
SHAPES = """text { font-family: system-ui, Helvetica, Arial, sans-serif; font-size: 12px; }
.small { font-size: 10.5px; } .bold { font-weight: 600; }
.end { text-anchor: end; } .middle { text-anchor: middle; }
.dash { stroke-dasharray: 2 3; } .outline { fill: none; }
.span { stroke-width: 5; stroke-linecap: round; opacity: 0.35; }"""


def style() -> str:
    """Return the style sheet: shapes, colours for light pages, and the other colours for dark
    ones."""
    light, dark = (
        "\n".join(
            f".{name} {{ fill: {pair[at]}; }} .{name}-line {{ stroke: {pair[at]}; }}"
            for name, pair in COLOURS.items()
        )
        for at in (0, 1)
    )
    return f"\n{SHAPES}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def picture(title: str, said: str, width: int, height: int, marks: Iterable[str]) -> str:
    """Return a whole SVG with its own background, readable on light and dark pages."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="title said">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="said">{escape(said)}</desc>',
            f"<style>{style()}</style>",
            f'<rect width="{width}" height="{height}" rx="8" class="paper"/>',
            *marks,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, classes: str = "ink") -> str:
    """Write words with their base line at a point."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}">{escape(words)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, classes: str) -> str:
    """Draw a straight line."""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" class="{classes}"/>'


def dot(x: float, y: float, classes: str) -> str:
    """Draw a dot of a dot chart."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="{classes}"/>'


class Scale(msgspec.Struct, frozen=True):
    """Maps values to a range of the picture."""

    left: float
    width: float
    lowest: float
    highest: float

    def at(self, value: float) -> float:
        """Return the position of a value, clipped to the range."""
        inside = min(max(value, self.lowest), self.highest)
        return self.left + self.width * (inside - self.lowest) / (self.highest - self.lowest)


def minus(value: int) -> str:
    """Format a number with a true minus sign."""
    return f"{value}".replace("-", "−")
