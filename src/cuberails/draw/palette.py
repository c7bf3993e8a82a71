"""The colours of a fine printed railway map: paper, ink, land, water and painted wood."""

from __future__ import annotations

from typing import Final, NamedTuple

from cuberails.core.looks import LAND, TOWN, Look
from cuberails.core.scene import Tile

PAPER: Final = "#f5f0e4"
CARD: Final = "#fbf8f0"
BEYOND: Final = "#ebe3d0"
INK: Final = "#2f2a24"
MUTED: Final = "#6f6455"
LINE: Final = "#cdbfa4"
ACCENT: Final = "#a8432f"
AIM: Final = "#a3178f"
"""Where something is possible now: a colour that no piece has."""
GOLD: Final = "#b98a2c"
WATER: Final = "#c3d8d5"
RIPPLE: Final = "#a3c1be"


class Paint(NamedTuple):
    """How a piece of one colour looks: its front, the ink on it, its lit and its shaded side, its terminal colour.

    `weave` is its pattern, for those who do not see colours: lines in a square of 4 by 4 that is repeated. `thread`
    is the colour of those lines, chosen so that the ink on them is still easy to read.
    """

    name: str
    fill: str
    ink: str
    light: str
    dark: str
    ansi: int
    weave: str
    thread: str


_RISING: Final = "M-1 1L1-1M0 4L4 0M3 5L5 3"
_FALLING: Final = "M-1 3L1 5M0 0L4 4M3-1L5 1"
_LEVEL: Final = "M0 2H4"
_UPRIGHT: Final = "M2 0V4"
_DOT: Final = "M2 2h.4"
_DOTS: Final = "M1 1h.1M3 3h.1"
_ZIGZAG: Final = "M0 3L2 1L4 3"
_BRICKS: Final = "M0 1H2M2 3H4"
_BARS: Final = "M1 0V2M3 2V4"
_SMOOTH: Final = ""

_MIXED: Final = (
    Paint("red", "#b5392d", "#fff", "#d0665a", "#7f241b", 160, _RISING, "#86211a"),
    Paint("blue", "#2f6096", "#fff", "#5b87b8", "#1e4069", 33, _LEVEL, "#1d4270"),
    Paint("yellow", "#e6b731", "#3a2d08", "#f3d375", "#a98115", 220, _DOT, "#fff0c2"),
    Paint("green", "#3d7b4a", "#fff", "#67a173", "#265431", 34, _UPRIGHT, "#245230"),
    Paint("black", "#35322f", "#fff", "#625d58", "#141312", 240, _LEVEL + _UPRIGHT, "#6b655f"),
    Paint("white", "#f6f2e8", "#35322f", "#fff", "#b3a993", 255, _SMOOTH, "#b3a993"),
    Paint("purple", "#6b4785", "#fff", "#9170aa", "#472d5b", 97, _FALLING, "#4a2d60"),
    Paint("orange", "#d2762a", "#2b1704", "#e79b5b", "#964f15", 208, _RISING + _FALLING, "#efae76"),
    Paint("pink", "#d98ea1", "#3d131f", "#ecb5c2", "#a75d70", 211, _ZIGZAG, "#f8d8df"),
    Paint("brown", "#79523a", "#fff", "#9f7559", "#4f3322", 130, _BRICKS, "#523523"),
    Paint("gray", "#8a8984", "#fff", "#b0afaa", "#5e5d59", 245, _BARS, "#65645f"),
    Paint("tan", "#cfa96d", "#3d2c10", "#e3c797", "#967443", 180, _DOTS, "#f0deba"),
    Paint("natural", "#dfc08f", "#3d2c10", "#eed8b3", "#a78655", 187, _SMOOTH, "#a78655"),
)
PAINTS: Final = {paint.name: paint for paint in _MIXED}

WOOD: Final = PAINTS["natural"]
"""Unpainted pieces, like development cubes."""


def paint(color: str) -> Paint:
    """The paint of a colour. An unknown colour is grey; its letter still identifies it."""
    return PAINTS.get(color, PAINTS["gray"])


GLYPHS: Final = {
    "tuft": "M-4 3q0-3-2-5M-4 3v-6M-4 3q0-3 2-5M4 4q0-3-2-5M4 4v-6M4 4q0-3 2-5",
    "fir": "M-1 5v-2h-4l3-4h-1.5l3.5-5l3.5 5h-1.5l3 4h-4v2z",
    "hammers": "M-5 5L4-4M5 5L-4-4M1.5-6.5l5 5M-1.5-6.5l-5 5",
    "peaks": "M-9 4L-3-5L0-1L3-6L9 4M-3-5v5M3-6v6",
    "ring": "M0-5a5 5 0 1 0 .01 0M0-1.5a1.5 1.5 0 1 0 .01 0",
    "factory": "M-8 6v-9l5 3v-3l5 3v-7h4v13z",
    "station": "M-7 6v-7l7-5l7 5v7zM-2.5 6v-5h5v5",
    "triangle": "M0-6.5L6.5 5h-13z",
    "square": "M-5-5h10v10h-10z",
    "diamond": "M0-7L6 0L0 7L-6 0z",
    "star": "M0-8l2.3 5.2 5.6.5-4.2 3.8 1.2 5.5L0 4.1l-4.9 2.9 1.2-5.5-4.2-3.8 5.6-.5z",
}
"""What grows or stands there, as SVG paths around a point."""

SHAPES: Final = frozenset({"triangle", "square", "diamond", "star"})
"""The glyphs that can be painted in a colour."""


def look_of(tile: Tile) -> Look:
    """How a tile's terrain looks: as its title says, else like plain land, or like a town if it has a name."""
    return tile.look or (TOWN if tile.name else LAND)
