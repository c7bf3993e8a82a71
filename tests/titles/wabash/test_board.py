"""The board of Wabash Cannonball: what is known of it, and that a broken file is refused."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

import cuberails
from cuberails.core.boardfile import BoardError, BoardFile
from cuberails.titles.wabash.board import WabashBoard

ROOM = files("cuberails.titles") / "wabash"
TEXT = (ROOM / "board.toml").read_text("utf-8")


def load(text: str) -> WabashBoard:
    return WabashBoard(cuberails.load("wabash"), BoardFile("board.toml", text))


def test_the_map_has_160_hexes() -> None:
    board = load(TEXT)
    assert Counter(board.terrain) == {
        "farm": 73, "timber": 41, "mine": 16, "city": 22, "industrial city": 3, "start city": 4, "Chicago": 1,
    }  # fmt: skip
    assert board.grid.size == 160


def test_all_hexes_are_connected() -> None:
    grid = load(TEXT).grid
    reached = grid.bit[0]
    while reached != (more := reached | grid.spread(reached)):
        reached = more
    assert reached == grid.all


@pytest.mark.parametrize(
    ("id", "name", "neighbours"),
    [
        ("A2", "Chicago", "A3 B2"),
        ("E0", "Detroit", "D0 E1"),
        ("D3", "Fort Wayne", "C3 C4 D2 D4 E3 E4"),
        ("S3", "New York", "R2 R3 S2 S4"),
        ("K4", "Pittsburgh", "J3 J4 K3 K5 L3 L4"),
    ],
)
def test_who_is_next_to_whom(id: str, name: str, neighbours: str) -> None:
    board = load(TEXT)
    n = board.grid.index[id]
    assert board.names[n] == name
    assert sorted(board.grid.ids[other] for other in board.grid.neighbours[n]) == neighbours.split()


@pytest.mark.parametrize(
    ("id", "cost", "low", "high"),
    [("S0", 2, 1, 3), ("I2", 1, 2, 4), ("D3", 1, 1, 3), ("L0", 2, 3, 5), ("N4", 3, 1, 3), ("A2", 3, 7, 0)],
)
def test_known_numbers(id: str, cost: int, low: int, high: int) -> None:
    board = load(TEXT)
    n = board.grid.index[id]
    assert (board.cost[n], board.low[n], board.high[n]) == (cost, low, high)


def test_doubtful_values_stay_marked() -> None:
    board = load(TEXT)
    assert len(board.doubts) == 17
    assert set(board.doubts) <= set(board.grid.ids)


def test_another_board_plays_by_the_same_rules() -> None:
    """The limits, the money and the map come from the file."""
    title = load(TEXT.replace("expand = 5", "expand = 2").replace("money = 120", "money = 300").replace("X3", "X5"))
    state = title.new(3, {})
    assert state.scores() == [100, 100, 100]
    for text in ("bid 7", "pass", "pass", "bid 6", "pass", "pass", "bid 5", "pass", "pass", "bid 8", "pass", "pass"):
        state.apply(state.parse(text))
    state.apply(state.parse("expand nothing"))
    state.apply(state.parse("expand nothing"))
    assert state.prompt == "Choose a decision: capitalize (3 left) or develop (4 left)"


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("X3 ", "Y3 ", "board.toml, map: A2 is 'Y3'; it needs one of F T M C I S X and a cost, S without"),
        ("X3 ", "X  ", "board.toml, map: A2 is 'X'; it needs one of F T M C I S X and a cost"),
        ("X3 ", "F1 ", "board.toml, map: has 0 hexes X; it needs exactly one Chicago"),
        ('layout = "flat"', 'layout = "round"', "board.toml, layout: found 'round'; it needs one of flat, pointy"),
        ('start = "R5"', 'start = "R4"', "railroads.PA.start: R4 must be a start city"),
        ('start = "D3"', 'start = "D4"', "railroads.Wabash.start: must be a city"),
        ('start = "R5"', 'start = "Z9"', "railroads.PA.start: 'Z9' is no hex of the map; it needs one like A2"),
        ("income = 7\n", "incom = 7\n", "railroads.PA.income: is missing; it needs a whole number"),
        ("income = 7\n", "income = 7\nspeed = 2\n", "railroads.PA.speed: is not known here"),
        ("shares = 3\n", "shares = 0\n", "railroads.PA.shares: found 0; it needs a whole number, at least 1"),
        ("K7 = {", "K6 = {", "cities.K6: is mine on the map; only cities are named"),
        ("K7 = {", "Z7 = {", "cities.Z7: is no hex of the map"),
        (
            '"C&O", "NYC"]',
            '"C&O", "XYZ"]',
            "components.initial_auctions: 'XYZ' is not one of the railroads that start with the game: PA,",
        ),
        ('grows_by_itself = "E0"', 'grows_by_itself = "K7"', "components.grows_by_itself: must be an industrial city"),
        ("[decisions]", "[decision]", "decisions: is missing; it needs a table"),
        ("expand = 5", 'expand = "five"', "decisions.expand: found 'five'; it needs a whole number, at least 1"),
        ('N8 = "', 'Z8 = "', "doubtful.Z8: is no hex of the map"),
        ("X3 ", "X1000 ", "board.toml, map: A2 is 'X1000'; it needs one of F T M C I S X and a cost"),
        ('start = "Q7"', 'start = "R5"', "railroads.B&O.start: R5 is where PA starts; it needs its own city"),
        ('letter = "B"', 'letter = "p"', "railroads.B&O.letter: found 'p' again; each needs one that no other has"),
        ('letter = "B"', 'letter = "BO"', "railroads.B&O.letter: found 'BO'; it needs one letter or digit"),
        (
            '[railroads."NYC"]',
            '[railroads."New York"]',
            "railroads.New York: cannot be a name in actions; it needs one",
        ),
        ('[railroads."NYC"]', '[railroads."N#1"]', "it needs one word of at most 24 characters without # $ : |"),
        ('[railroads."NYC"]', '[railroads."Nothing"]', "railroads.Nothing: has another meaning in actions"),
        ('[railroads."NYC"]', '[railroads."pa"]', "railroads.pa: is another's name too (capitals do not count)"),
        ('["PA", "B&O", "C&O", "NYC"]', "[]", "components.initial_auctions: is empty; it needs at least one railroad"),
        ('"C&O", "NYC"]', '"PA"]', "components.initial_auctions: 'PA' stands there twice; each railroad has one"),
        ("income = [2, 4]", "income = [4, 2]", "cities.B5.income: found [4, 2]; it needs numbers that never fall"),
        ("mine_income = [1, 3]", "mine_income = [3, 1]", "components.mine_income: found [3, 1]; it needs numbers that"),
        ("income = [2, 4]", "income = [2, 400]", "it needs 2 whole numbers, each from 0 to 99"),
        ("track = [4, 6, 8]", "track = [4]", "cities.K4.track: has one step; an industrial city needs at least 2"),
        ("income = 7\n", "income = 1000\n", "railroads.PA.income: found 1000; it needs a whole number, at most 999"),
        ("money = 120", "money = 10000", "components.money: found 10000; it needs a whole number, at most 9999"),
        ('name = "Detroit"', 'name = ""', "cities.E0.name: found ''; it needs a text of one line, with 1 to 80"),
        ('name = "Queen', 'name = "Queen\\n', "board.toml, name: found 'Queen\\n edition"),
    ],
)
def test_a_broken_board_names_the_entry_and_the_fix(right: str, wrong: str, message: str) -> None:
    assert right in TEXT
    with pytest.raises(BoardError) as error:
        load(TEXT.replace(right, wrong, 1))
    assert message in str(error.value)


def test_so_many_railroads_as_sets_of_them_can_be_listed() -> None:
    more = [
        f'[railroads."R{n}"]\nletter = "{n}"\ncolor = "red"\nstart = "R5"\nincome = 1\nshares = 2\ncubes = 9\n'
        for n in range(8)
    ]
    with pytest.raises(BoardError, match=r"board\.toml, railroads: has 13; it needs 2 to 12"):
        load(TEXT + "\n".join(more))
