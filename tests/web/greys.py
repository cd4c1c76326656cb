"""Pictures of the page without their hues: a small reader of PNG, and how alike two shapes are."""

import struct
import zlib
from dataclasses import dataclass

SIDE = 24
"""Shapes are compared in squares of this many pixels."""

Shape = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Grey:
    """A picture by its brightness, from 0 to 255, line by line."""

    width: int
    height: int
    points: bytes

    def shape(self) -> Shape:
        """Return the pixels of a square that differ from the background, taken from its corners."""
        found = {}
        for row in range(SIDE):
            for column in range(SIDE):
                x = int(self.width * (column + 0.5) / SIDE)
                y = int(self.height * (row + 0.5) / SIDE)
                found[column, row] = self.points[y * self.width + x]
        last = SIDE - 1
        corners = sorted(found[at] for at in ((0, 0), (0, last), (last, 0), (last, last)))
        ground = (corners[1] + corners[2]) / 2
        most = max(abs(one - ground) for one in found.values())
        return frozenset(at for at, one in found.items() if abs(one - ground) > most / 2)


def unlike(one: Shape, other: Shape) -> float:
    """Return the share of two shapes, laid upon each other, that only one of them has."""
    return len(one ^ other) / len(one | other)


def read(png: bytes) -> Grey:
    """Return a picture of 8 bits a channel, with three or four channels, as browsers take them."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, channels, width, height = 8, b"", 0, 0, 0
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data)
            assert (depth, interlaced) == (8, 0)
            channels = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            packed += data
        at += size + 12
    return Grey(width, height, _greys(zlib.decompress(packed), width, height, channels))


def _greys(raw: bytes, width: int, height: int, channels: int) -> bytes:
    """Undo the filters of each line, and weigh red, green and blue as eyes do."""
    length = width * channels
    before = bytearray(length)
    greys = bytearray()
    for row in range(height):
        start = row * (length + 1)
        line = bytearray(raw[start + 1 : start + 1 + length])
        _unfilter(raw[start], line, before, channels)
        for at in range(0, length, channels):
            red, green, blue = line[at : at + 3]
            greys.append((299 * red + 587 * green + 114 * blue) // 1000)
        before = line
    return bytes(greys)


def _unfilter(kind: int, line: bytearray, before: bytearray, channels: int) -> None:
    for at in range(len(line)):
        left = line[at - channels] if at >= channels else 0
        up = before[at]
        corner = before[at - channels] if at >= channels else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = up
        elif kind == 3:
            add = (left + up) // 2
        elif kind == 4:
            add = _paeth(left, up, corner)
        else:
            return
        line[at] = (line[at] + add) & 255


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    near = [(abs(guess - one), at, one) for at, one in enumerate((left, up, corner))]
    return min(near)[2]
