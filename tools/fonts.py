"""Subset the page's fonts: `python -m tools.fonts` writes frontend/src/fonts.

The whole families come from npm; the page needs one weight of Fraunces, four of Figtree and the
digits of Gabarito. Needs fonttools and brotli (`pip install fonttools brotli`); the results are
committed, so nothing else does.
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

try:
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer
except ImportError:
    sys.exit("This needs fonttools and brotli: pip install fonttools brotli")

ROOT = Path(__file__).parents[1]
PACKAGES = ROOT / "frontend/node_modules/@fontsource-variable"
FONTS = ROOT / "frontend/src/fonts"
LATIN = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)]))
MARKS = "‑–—‘’‚“”„•…‹›⁄€−×·"
DIGITS = "0123456789+-−±.,:/ ½%"


class Face(NamedTuple):
    """A face of the page: its weights, its characters, its features."""

    weights: float | tuple[float, float]
    characters: str
    features: tuple[str, ...] = ("kern", "liga", "lnum", "tnum", "mark", "ccmp", "locl")


FACES = {
    "fraunces": Face(700, LATIN + MARKS),
    "figtree": Face((500, 800), LATIN + MARKS + "→←↑↓"),
    "gabarito": Face(800, DIGITS, ("kern", "tnum", "lnum")),
}


def made(name: str, face: Face) -> Path:
    """Write one face and return its file."""
    font: Any = TTFont(PACKAGES / name / f"files/{name}-latin-wght-normal.woff2")
    font = instancer.instantiateVariableFont(font, {"wght": face.weights})
    options = subset.Options(layout_features=list(face.features), flavor="woff2")
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=face.characters)
    subsetter.subset(font)
    path = FONTS / f"{name}.woff2"
    font.flavor = "woff2"
    font.save(path)
    return path


def main() -> None:
    """Write the faces and their licences."""
    FONTS.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, face in FACES.items():
        path = made(name, face)
        licence = (PACKAGES / name / "LICENSE").read_text("utf-8")
        (FONTS / f"{name}.LICENSE.txt").write_text(licence, "utf-8")
        total += path.stat().st_size
        print(f"{path.name:16} {path.stat().st_size / 1000:5.1f} kB")
    print(f"{'together':16} {total / 1000:5.1f} kB")


if __name__ == "__main__":
    main()
