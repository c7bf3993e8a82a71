"""The board of Baltimore & Ohio: what is known of it, and that a broken file is refused."""

from __future__ import annotations

from importlib.resources import files

import pytest

import cuberails
from cuberails.core.boardfile import BoardError, BoardFile
from cuberails.titles.baltimore_ohio.board import BaltimoreOhioBoard

TEXT = (files("cuberails.titles") / "baltimore_ohio" / "board.toml").read_text("utf-8")


def load(text: str) -> BaltimoreOhioBoard:
    return BaltimoreOhioBoard(cuberails.load("baltimore_ohio"), BoardFile("board.toml", text))


def test_the_map_has_98_hexes_35_cities_and_5_coal_hexes() -> None:
    board = load(TEXT)
    assert (board.grid.size, board.cities.bit_count(), board.coal.bit_count()) == (98, 35, 5)
    assert [board.grid.ids[n] for n in board.grid.hexes(board.coal)] == ["G18", "H17", "I16", "J15", "K14"]


def test_service_follows_rows_and_then_columns_by_number() -> None:
    ids = load(TEXT).grid.ids
    assert ids == sorted(ids, key=lambda id: (id[0], int(id[1:])))
    assert ids.index("E4") < ids.index("E12")


@pytest.mark.parametrize(("one", "other"), [("E12", "F13"), ("I22", "I24")])
def test_heavy_lines_part_neighbours(one: str, other: str) -> None:
    grid = load(TEXT).grid
    assert grid.index[other] not in grid.neighbours[grid.index[one]]


@pytest.mark.parametrize(
    ("id", "name", "cost", "incomes"),
    [
        ("F25", "New York", 60, [30, 40, 50, 60, 70, 80]),
        ("D29", "Boston", 10, [30, 30, 40, 40, 50, 50]),
        ("J21", "Richmond", 20, [30, 30, 20, 20, 20, 30]),
        ("E4", "Chicago", 20, [20, 30, 50, 70, 90, 100]),
    ],
)
def test_known_cities(id: str, name: str, cost: int, incomes: list[int]) -> None:
    board = load(TEXT)
    n = board.grid.index[id]
    assert (board.names[n], board.cost[n], [row[n] for row in board.income[1:]]) == (name, cost, incomes)


def test_thirty_cards_five_for_each_tech() -> None:
    board = load(TEXT)
    assert [board.card_tech.count(tech) for tech in range(1, 7)] == [5] * 6
    for card, cost in enumerate(board.card_cost):
        tech = card // 5 + 1
        assert cost == 80 + 10 * tech * (tech + 1) - 5 * tech * (card % 5)


def test_the_valuation_track_has_26_boxes() -> None:
    assert (len(load(TEXT).values), load(TEXT).values[0], load(TEXT).values[-1]) == (26, 34, 375)


def test_railroads_and_their_cubes() -> None:
    board = load(TEXT)
    assert dict(zip(board.railroads, board.cubes, strict=True)) == {
        "B&O": 20, "C&O": 24, "NYC": 22, "PA": 18, "NYNH&H": 6, "B&M": 8,
        "ERIE": 16, "IC": 14, "WABASH": 10, "NYC&SL": 12,
    }  # fmt: skip
    assert [board.railroads[rr] for rr in board.available[1]] == ["B&O", "C&O", "NYC", "PA", "NYNH&H", "B&M"]


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("X20", "Y20", "board.toml, map: E4 is 'Y20'; it needs one of L M K C X and a cost"),
        ('"E12 F13"', '"E12 F15"', "board.toml, heavy_lines: 'E12 F15': these hexes are not next to each other"),
        ('"E12 F13"', '"E12"', "board.toml, heavy_lines: found 'E12'; it needs two hexes of the map"),
        ("coal_pays = 40", "coal_pays = 45", "components.coal_pays: 45 cannot be divided by the 10 shares"),
        ("tech = 6", "tech = 5", "end.tech: must be 6, the last level"),
        ("initial = [55, 60, 66]", "initial = [56, 60, 66]", "tech.1.initial: 56 is no box of valuation.track"),
        ("builds = 1\n", "bilds = 1\n", "tech.1.builds: is missing; it needs a whole number"),
        ("[34, 37,", "[37, 34,", "valuation.track: the boxes must rise from left to right"),
        ('timber_hex = ["A30", "B29"]', 'timber_hex = ["Z1"]', "options.timber_hex: 'Z1' is no hex of the map"),
        ("shares = 10", "shares = 10\nspeed = 3", "components.speed: is not known here"),
        ("[34, 37,", "[0, 37,", "valuation.track: found [0, 37,"),
        ('must = ["G16", "G20"]', "must = []", "states.pennsylvania.must: is empty; it needs at least one city"),
        ('letter = "C"', 'letter = "B"', "railroads.C&O.letter: found 'B' again; each needs one that no other has"),
        ('[railroads."IC"]', '[railroads."I C"]', "railroads.I C: cannot be a name in actions; it needs one word"),
        ('J15 = "cost', 'Z15 = "cost', "doubtful.Z15: is no hex of the map"),
        ("J13 = { name", "J15 = { name", "cities.J15: is coal on the map; only cities are named"),
    ],
)
def test_a_broken_board_names_the_entry_and_the_fix(right: str, wrong: str, message: str) -> None:
    assert right in TEXT
    with pytest.raises(BoardError) as error:
        load(TEXT.replace(right, wrong, 1))
    assert message in str(error.value)


def test_some_railroad_can_be_started_at_the_beginning() -> None:
    with pytest.raises(BoardError, match=r"railroads\.B&O\.from_tech: no railroad can be started at the beginning"):
        load(TEXT.replace("from_tech = 1", "from_tech = 2"))


def test_a_board_needs_neither_states_nor_doubts() -> None:
    begin, end = TEXT.index("# until the railroad"), TEXT.index("# income at tech")
    board = load((TEXT[:begin] + TEXT[end:]).partition("[doubtful]")[0])
    assert (board.state_railroad, board.barred, board.doubts) == ([], [[0] * board.count], {})
