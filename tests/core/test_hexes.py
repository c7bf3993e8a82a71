"""Hex maps in all three layouts."""

from __future__ import annotations

import pytest

from cuberails.core.hexes import DOUBLED, FLAT, LAYOUTS, POINTY, Cell, Grid, MapError, read_map


def grid_of(layout: str, *names: str) -> Grid:
    """A grid from the ids of its hexes."""
    cells = []
    for name in names:
        letter, number = ord(name[0]) - 65, int(name[1:])
        place = (letter, number) if layout == FLAT else (number - (layout == POINTY), letter)
        cells.append(Cell(*place, "x"))
    return Grid(layout, cells)


def around(grid: Grid, id: str) -> set[str]:
    return {grid.ids[n] for n in grid.neighbours[grid.index[id]]}


FLAT_3X3 = [f"{col}{row}" for col in "ABC" for row in range(3)]
POINTY_3X3 = [f"{row}{col}" for row in "ABC" for col in range(1, 4)]
DOUBLED_ROWS = ["A0", "A2", "A4", "B1", "B3", "B5", "C0", "C2", "C4"]


def test_flat_odd_columns_lie_lower() -> None:
    grid = grid_of(FLAT, *FLAT_3X3)
    assert around(grid, "B1") == {"B0", "C1", "C2", "B2", "A2", "A1"}
    assert around(grid, "A1") == {"A0", "B0", "B1", "A2"}


def test_pointy_odd_rows_lie_to_the_right() -> None:
    grid = grid_of(POINTY, *POINTY_3X3)
    assert around(grid, "B2") == {"A2", "A3", "B1", "B3", "C2", "C3"}
    assert around(grid, "A2") == {"A1", "A3", "B1", "B2"}


def test_doubled_columns_differ_by_two_in_a_row_and_one_between_rows() -> None:
    grid = grid_of(DOUBLED, *DOUBLED_ROWS)
    assert around(grid, "B3") == {"A2", "A4", "B1", "B5", "C2", "C4"}


@pytest.mark.parametrize(("layout", "names"), [(FLAT, FLAT_3X3), (POINTY, POINTY_3X3), (DOUBLED, DOUBLED_ROWS)])
def test_neighbours_are_mutual_and_one_step_away(layout: str, names: list[str]) -> None:
    grid = grid_of(layout, *names)
    assert grid.ids == names
    for n, others in enumerate(grid.neighbours):
        assert grid.near[n] == grid.mask(others)
        x, y = grid.center(n)
        for other in others:
            assert n in grid.neighbours[other]
            ox, oy = grid.center(other)
            assert abs((x - ox) ** 2 + (y - oy) ** 2 - 3) < 1e-9  # middles of neighbours are √3 sides apart


def test_masks_list_hexes_in_board_order() -> None:
    grid = grid_of(FLAT, *FLAT_3X3)
    assert grid.hexes(grid.mask([7, 2, 5])) == [2, 5, 7]
    assert grid.hexes(grid.all) == list(range(9))
    assert grid.hexes(0) == []
    assert grid.spread(grid.bit[0]) == grid.near[0]


def test_a_barrier_parts_two_hexes() -> None:
    grid = grid_of(DOUBLED, *DOUBLED_ROWS)
    grid.cut("B3", "A2")
    assert "A2" not in around(grid, "B3")
    assert "B3" not in around(grid, "A2")
    assert not grid.near[grid.index["A2"]] & grid.bit[grid.index["B3"]]


def test_a_flat_map_is_read_column_by_column() -> None:
    cells = read_map(FLAT, "  A  B  C \n 0 a0    c0 \n 0    b0 \n 1 a1  c1 \n 1   b1")
    assert [cell.word for cell in cells] == ["a0", "a1", "b0", "b1", "c0", "c1"]
    assert [(cell.col, cell.row) for cell in cells][:3] == [(0, 0), (0, 1), (1, 0)]


def test_pointy_and_doubled_maps_are_read_row_by_row() -> None:
    assert [(cell.col, cell.row) for cell in read_map(POINTY, "A x y \n B x")] == [(0, 0), (1, 0), (0, 1)]
    assert [(cell.col, cell.row) for cell in read_map(DOUBLED, "A x y \n B x y")] == [(0, 0), (2, 0), (1, 1), (3, 1)]


@pytest.mark.parametrize(
    ("layout", "text", "problem"),
    [
        (FLAT, "", "the map is empty"),
        (FLAT, "A C", "line 1 of the map must name the columns A B"),
        (FLAT, "A B C \n 0 x", r"line 2 of the map must be row 0 .* and 2 words\), but begins with 0 and has 1 words"),
        (FLAT, "A B C \n 0 x x \n 1 x", r"line 3 of the map must be row 0 \(lower half"),
        (POINTY, "A x \n C x", "line 2 of the map must begin with B, but begins with C"),
        ("round", "A x", f"layout 'round' is unknown; it can be {', '.join(LAYOUTS)}"),
    ],
)
def test_a_bad_map_is_refused_with_its_line(layout: str, text: str, problem: str) -> None:
    with pytest.raises(MapError, match=problem):
        read_map(layout, text)


@pytest.mark.parametrize(
    ("layout", "text", "size"),
    [
        ("pointy", "\n".join(f"{chr(65 + n)} o" for n in range(27)), "26 rows, A to Z, and 99 columns"),
        ("doubled", "A" + " o" * 51, "26 rows, A to Z, and 99 columns"),
        ("flat", " ".join(chr(65 + n) for n in range(27)) + "\n0" + " o" * 14, "26 columns, A to Z, and 99 rows"),
    ],
)
def test_a_map_ends_where_the_alphabet_does(layout: str, text: str, size: str) -> None:
    with pytest.raises(MapError, match=f"the map is too large; it needs at most {size}"):
        read_map(layout, text)
