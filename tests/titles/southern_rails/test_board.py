"""The board of Southern Rails: what is known of it, and that a broken file is refused."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

import cuberails
from cuberails.core.boardfile import BoardError, BoardFile
from cuberails.core.state import State
from cuberails.titles.southern_rails.board import SouthernRailsBoard
from cuberails.titles.southern_rails.state import SouthernRails

ROOM = files("cuberails.titles") / "southern_rails"
TEXT = (ROOM / "board.toml").read_text("utf-8")


def load(text: str) -> SouthernRailsBoard:
    return SouthernRailsBoard(cuberails.load("southern_rails"), BoardFile("board.toml", text))


def test_the_map_has_121_hexes_and_30_cities() -> None:
    board = load(TEXT)
    assert Counter(board.kind) == {"rural": 91, "green": 14, "blue": 9, "red": 6, "yellow": 1}
    assert board.grid.size == 121
    assert len([name for name in board.names if name]) == 30
    assert board.grid.ids[:5] == ["A14", "A15", "A16", "B11", "B12"]
    assert board.grid.ids[-3:] == ["L1", "L2", "L3"]


def test_there_is_room_for_238_cubes_56_of_them_in_cities() -> None:
    board = load(TEXT)
    assert sum(board.room) == 238
    assert sum(room for room, name in zip(board.room, board.names, strict=True) if name) == 56
    assert sum(board.cubes) == 96


def test_all_hexes_are_connected_and_no_two_cities_are_neighbours() -> None:
    board = load(TEXT)
    grid = board.grid
    reached = grid.bit[0]
    while reached != (more := reached | grid.spread(reached)):
        reached = more
    assert reached == grid.all
    cities = grid.mask([n for n, name in enumerate(board.names) if name])
    assert cities & grid.spread(cities) == 0


@pytest.mark.parametrize(
    ("id", "name", "kind", "neighbours"),
    [
        ("A15", "Richmond", "red", "A14 A16 B14 B15"),
        ("G8", "Atlanta", "yellow", "F7 F8 G7 G9 H7 H8"),
        ("H1", "Vicksburg", "green", "G2 H2 I2"),
        ("H9", "Macon", "blue", "G10 G9 H10 H8 I10 I9"),
        ("L2", "New Orleans", "red", "K2 K3 L1 L3"),
        ("B16", "Norfolk", "blue", "A16 B15 C16"),
    ],
)
def test_who_is_next_to_whom(id: str, name: str, kind: str, neighbours: str) -> None:
    board = load(TEXT)
    n = board.grid.index[id]
    assert (board.names[n], board.kind[n]) == (name, kind)
    assert sorted(board.grid.ids[other] for other in board.grid.neighbours[n]) == neighbours.split()


def test_what_is_reconstructed_is_marked() -> None:
    board = load(TEXT)
    assert Counter(source for source in board.sources if source) == {"reconstructed": 29, "rulebook": 1}
    assert board.provenance.note


def do(state: State, *texts: str) -> State:
    for text in texts:
        state.apply(state.parse(text))
    return state


def test_another_board_plays_by_the_same_rules() -> None:
    """Cubes, rounds, kinds and points come from the file."""
    text = (
        TEXT.replace("cube = 10", "cube = 2").replace("rounds = 4", "rounds = 1").replace("revenue = 4", "revenue = 9")
    )
    title = load(text.replace("revenue = 2\ntrack = 1", "revenue = 5\ntrack = 1"))
    state = do(title.new(3, {}), "take red", "take blue", "take yellow", "take red", "take yellow", "take blue")
    do(state, "place red G8", "place yellow A15", "place yellow A14")  # yellow's second cube ends it
    assert state.actor is None
    assert state.scores() == [5, 1, 6]  # $9 for red; most red cities for yellow


def test_a_yellow_category_can_be_added() -> None:
    board = load(TEXT.replace("revenue = 4\n", "revenue = 4\npoints = 3\n"))
    assert board.categories[3:] == ["most yellow cities", "highest revenue", "most track", "fewest shares"]
    assert board.points == [1, 1, 1, 3, 2, 1, 1]


def test_so_many_railroads_as_sets_of_them_can_be_listed() -> None:
    more = [f'[railroads.r{n}]\nletter = "{n}"\nshares = 6\ncubes = 16\n' for n in range(7)]
    with pytest.raises(BoardError, match="railroads: has 13; 5 players need 6 or more, up to 12"):
        load(TEXT + "\n".join(more))


def test_a_city_that_earns_nothing_is_still_counted() -> None:
    """[S5.2]"""
    text = TEXT.replace("cubes = 3\nrevenue = 3", "cubes = 3\nrevenue = 0")
    state = do(load(text).new(3, {}), "take red", "take blue", "take yellow", "take red", "take yellow", "take blue")
    do(state, "place red A15")
    assert isinstance(state, SouthernRails)
    assert state.standing(state.board.tiers.index("red"))[state.board.railroads.index("red")] == 1


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("Y   o   o   B", "y   o   o   B", "board.toml, map: G8 is 'y'; it needs one of o G B R Y ~ ."),
        ("\nC  .", "\nZ  .", "board.toml, map: line 3 of the map must begin with C, but begins with Z"),
        ('layout = "pointy"', 'layout = "round"', "board.toml, layout: found 'round'; it needs one of flat, pointy"),
        ("[kinds.rural]", "[kinds.country]", "board.toml, kinds: has no 'rural'; hexes without a city need it"),
        ('letter = "Y"\ncubes', 'letter = "G"\ncubes', "kinds.yellow.letter: found 'G' again; each kind needs its own"),
        ("cubes = 1\n", "cubes = 0\n", "kinds.green.cubes: found 0; it needs a whole number, at least 1"),
        ("points = 1\n", "point = 1\n", "kinds.green.point: is not known here; known are cubes, letter"),
        ('letter = "K"', 'letter = "B"', "railroads.black.letter: found 'B' again; each needs one that no other has"),
        ("shares = 6\n", "shares = 4\n", "railroads.red.shares: found 4; it needs a whole number, at least 5"),
        ("cubes = 16\n", "cubes = 9\n", "railroads.red.cubes: found 9; it needs a whole number, at least 10"),
        (
            '[railroads.black]\nletter = "K"\nshares = 6\ncubes = 16\n',
            "",
            "board.toml, railroads: has 5; 5 players need 6 or more",
        ),
        ("rounds = 4", "rounds = 0", "scoring.rounds: found 0; it needs a whole number, at least 1"),
        ("track_least = 11", "", "scoring.track_least: is missing; it needs a whole number"),
        (', "pink"]', "]", "seats.colors: has 4; it needs one for each of 5 seats"),
        ("G8 = {", "G7 = {", "cities.G7: is rural on the map; only cities are named"),
        ("G8 = {", "Z8 = {", "cities.Z8: is no hex of the map"),
        ('G8 = { name = "Atlanta", from = "rulebook" }', "", "cities.G8: is missing; the map has a yellow city there"),
        ('name = "Atlanta", from', 'name = "Atlanta", since', "cities.G8.from: is missing; it needs a text"),
        ("cubes = 6 #", "cubes = 7 #", "kinds.yellow.cubes: found 7; it needs a whole number, at most 6"),
        ("cubes = 16\n", "cubes = 100\n", "railroads.red.cubes: found 100; it needs a whole number, at most 99"),
        ("[railroads.black]", '[railroads."jet black"]', "railroads.jet black: cannot be a name in actions"),
        ("[provenance]", "[origin]", "board.toml, provenance: is missing; it needs a table"),
        ("[scoring]", "[speed]\nmost = 3\n\n[scoring]", "board.toml, speed: is not known here"),
    ],
)
def test_a_broken_board_names_the_entry_and_the_fix(right: str, wrong: str, message: str) -> None:
    assert right in TEXT
    with pytest.raises(BoardError) as error:
        load(TEXT.replace(right, wrong, 1))
    assert message in str(error.value)
