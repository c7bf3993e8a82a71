"""Looks: how terrain is to be drawn, as plain data, and those that many railway maps share.

A title gives each tile of its scene a look, one of these or its own; what has none, `draw` shows as plain land or as a
town.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Look(NamedTuple):
    """How terrain looks: its tint on paper (`#e6e3c0`), its glyph, its symbol and colour in a terminal, its badge.

    `glyph` is the name of one that `draw` has (tuft, fir, hammers, peaks, ring, factory, station, star,
    triangle, square, diamond), or a path of
    one's own: SVG path data that begins with M, within about 8 of the point (0, 0). `symbol` is one character. `ansi`
    is one of the 256 colours of terminals; middle tones can be read on dark and on light screens. `badge` is a colour
    of pieces that belongs to the terrain: a glyph that is a shape (triangle, square, diamond, star) is painted in it,
    and with any other there is a disc with the initial of the colour.
    """

    tint: str
    glyph: str = ""
    symbol: str = " "
    ansi: int = 101
    badge: str = ""


LAND: Final = Look("#e8e1cd")
FIELDS: Final = Look("#e6e3c0", "tuft", "·", 101)
FOREST: Final = Look("#bfcfa8", "fir", "♣", 65)
MINE: Final = Look("#cfc0ae", "hammers", "▲", 131)
MOUNTAINS: Final = Look("#cdbfa6", "peaks", "^", 131)
TOWN: Final = Look("#f0dcc0", "ring", "○", 130)
STATION: Final = Look("#f8f1e2", "station", "⌂", 67)
"""A town in which railroads start."""
INDUSTRY: Final = Look("#e3bfa4", "factory", "◆", 166)
METROPOLIS: Final = Look("#ecd28f", "star", "★", 136)
