"""Hex maps: cells with ids, who is next to whom, and sets of hexes as integer bit masks."""

from __future__ import annotations

from math import sqrt
from typing import Final

FLAT: Final = "flat"
POINTY: Final = "pointy"
DOUBLED: Final = "doubled"
LAYOUTS: Final = (FLAT, POINTY, DOUBLED)

MOST_LETTERS: Final = 26
MOST_NUMBERS: Final = 98
"""The largest map: its ids are a letter and one or two digits in every layout."""

_DIRECTIONS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


class Cell:
    """One place of a map drawn in text: where it is and what is written there."""

    def __init__(self, col: int, row: int, word: str) -> None:
        self.col: Final = col
        self.row: Final = row
        self.word: Final = word


def name_of(layout: str, col: int, row: int) -> str:
    """The id of a cell: column letter and row in flat maps, row letter and column in the others."""
    if layout == FLAT:
        return f"{chr(65 + col)}{row}"
    return f"{chr(65 + row)}{col + 1 if layout == POINTY else col}"


class Grid:
    """The hexes of a board, numbered in the order given.

    flat: flat-top hexes whose odd columns sit half a hex lower. pointy: pointy-top hexes whose odd rows sit
    half a hex to the right. doubled: pointy-top with columns counted twice, so that neighbours in a row differ by two.

    In a mask the first hex is the highest bit. So taking bits from the top, which is the cheap way with long
    integers, yields hexes in board order.
    """

    def __init__(self, layout: str, cells: list[Cell]) -> None:
        self.layout: Final = layout
        self.cells: Final = cells
        self.ids: Final = [name_of(layout, cell.col, cell.row) for cell in cells]
        self.index: Final = {id: n for n, id in enumerate(self.ids)}
        self.size: Final = len(cells)
        self.bit: Final = [1 << (self.size - 1 - n) for n in range(self.size)]
        self.all: Final = (1 << self.size) - 1
        places = {_axial(layout, cell.col, cell.row): n for n, cell in enumerate(cells)}
        self.neighbours: Final[list[list[int]]] = []
        for cell in cells:
            q, r = _axial(layout, cell.col, cell.row)
            around = [places.get((q + dq, r + dr), -1) for dq, dr in _DIRECTIONS]
            self.neighbours.append([n for n in around if n >= 0])
        self.near: Final = [self.mask(around) for around in self.neighbours]

    def cut(self, one: str, other: str) -> None:
        """A barrier: these two hexes are not next to each other after all."""
        a, b = self.index[one], self.index[other]
        self.neighbours[a].remove(b)
        self.neighbours[b].remove(a)
        self.near[a] &= ~self.bit[b]
        self.near[b] &= ~self.bit[a]

    def mask(self, hexes: list[int]) -> int:
        """The set of these hexes."""
        total = 0
        for n in hexes:
            total |= self.bit[n]
        return total

    def hexes(self, mask: int) -> list[int]:
        """The hexes of a set, in board order."""
        found: list[int] = []
        while mask:
            top = mask.bit_length()
            found.append(self.size - top)
            mask ^= 1 << (top - 1)
        return found

    def spread(self, mask: int) -> int:
        """All hexes next to a set, perhaps including some of its own."""
        around = 0
        for n in self.hexes(mask):
            around |= self.near[n]
        return around

    def rings(self, n: int, most: int) -> list[int]:
        """The hexes one, two, three … steps from a hex, as far as there are any, up to `most` steps."""
        rings: list[int] = []
        seen = self.bit[n]
        ring = self.near[n]
        while ring and len(rings) < most:
            rings.append(ring)
            seen |= ring
            ring = self.spread(ring) & ~seen
        return rings

    def center(self, n: int) -> tuple[float, float]:
        """Where hex n lies in a drawing in which a side of a hex is 1 long."""
        return center_of(self.layout, self.cells[n].col, self.cells[n].row)


def center_of(layout: str, col: int, row: int) -> tuple[float, float]:
    """The middle of a cell, also of one that is no hex of the board."""
    if layout == FLAT:
        return 1.5 * col, sqrt(3) * (row + 0.5 * (col & 1))
    if layout == POINTY:
        return sqrt(3) * (col + 0.5 * (row & 1)), 1.5 * row
    return sqrt(3) / 2 * col, 1.5 * row


def _axial(layout: str, col: int, row: int) -> tuple[int, int]:
    if layout == FLAT:
        return col, row - (col - (col & 1)) // 2
    if layout == POINTY:
        return col - (row - (row & 1)) // 2, row
    return (col - row) // 2, row


class MapError(ValueError):
    """A map in text that cannot be read; says the line and what would be right."""


def read_map(layout: str, text: str) -> list[Cell]:
    """Every cell of a map drawn in text, in the order of the ids.

    A pointy map has one line a row: its letter, then a word for each column from the first on. A doubled map
    is the same with every second column. A flat map first names its columns, then has two lines a row: the
    words of columns A, C, E … and, half a hex lower, those of B, D, F …, both labelled with the row's number.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if layout not in LAYOUTS:
        raise MapError(f"layout {layout!r} is unknown; it can be {', '.join(LAYOUTS)}")
    cells = _read_flat(lines) if layout == FLAT else _read_rows(layout, lines)
    across, down = max((cell.col for cell in cells), default=0), max((cell.row for cell in cells), default=0)
    lettered, counted = (across, down) if layout == FLAT else (down, across)
    if lettered >= MOST_LETTERS or counted > MOST_NUMBERS:
        letters, numbers = ("columns", "rows") if layout == FLAT else ("rows", "columns")
        raise MapError(f"the map is too large; it needs at most {MOST_LETTERS} {letters}, A to Z, and 99 {numbers}")
    if layout == FLAT:
        return sorted(cells, key=lambda cell: (cell.col, cell.row))
    return cells


def _read_flat(lines: list[list[str]]) -> list[Cell]:
    if not lines:
        raise MapError("the map is empty; its first line names the columns: A B C …")
    columns = [chr(65 + n) for n in range(len(lines[0]))]
    if lines[0] != columns:
        raise MapError(f"line 1 of the map must name the columns {' '.join(columns)}")
    cells: list[Cell] = []
    for n, line in enumerate(lines[1:]):
        row, first = n // 2, n % 2
        want = len(range(first, len(columns), 2))
        if line[0] != str(row) or len(line) != want + 1:
            below = "lower half: " if first else ""
            raise MapError(
                f"line {n + 2} of the map must be row {row} ({below}the label {row} and {want} words), "
                f"but begins with {line[0]} and has {len(line) - 1} words"
            )
        cells += [Cell(first + 2 * k, row, word) for k, word in enumerate(line[1:])]
    return cells


def _read_rows(layout: str, lines: list[list[str]]) -> list[Cell]:
    cells: list[Cell] = []
    for row, line in enumerate(lines):
        label = chr(65 + row)
        if line[0] != label:
            raise MapError(f"line {row + 1} of the map must begin with {label}, but begins with {line[0]}")
        step, first = (2, row % 2) if layout == DOUBLED else (1, 0)
        cells += [Cell(first + step * k, row, word) for k, word in enumerate(line[1:])]
    return cells
