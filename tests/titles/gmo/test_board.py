"""The board of Gulf, Mobile & Ohio: what is known of it, and that a broken file is refused."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

import cuberails
from cuberails.core.boardfile import BoardError, BoardFile
from cuberails.titles.gmo.board import GmoBoard
from cuberails.titles.gmo.state import Gmo

TEXT = (files("cuberails.titles") / "gmo" / "board.toml").read_text("utf-8")


def load(text: str) -> GmoBoard:
    return GmoBoard(cuberails.load("gmo"), BoardFile("board.toml", text))


BOARD = load(TEXT)


def test_the_map_has_166_hexes() -> None:
    assert Counter(BOARD.terrain) == {"rural": 114, "city": 33, "start city": 8, "mountain": 11}
    assert BOARD.grid.size == 166
    rows = Counter(id[0] for id in BOARD.grid.ids)
    assert rows == dict(zip("ABCDEFGHIJKLM", (6, 10, 12, 17, 17, 16, 16, 14, 14, 13, 12, 12, 7), strict=True))
    mountains = "A13 B10 C9 C10 C13 C14 D8 D12 E11 E12 F10"
    assert [BOARD.grid.ids[n] for n in BOARD.grid.hexes(BOARD.mountains)] == mountains.split()


def test_no_two_cities_are_next_to_each_other() -> None:
    assert not BOARD.grid.spread(BOARD.cities) & BOARD.cities


def test_all_land_is_connected_and_no_single_rural_hex_cuts_it() -> None:
    grid = BOARD.grid
    for closed in [0, *(grid.bit[n] for n in grid.hexes(BOARD.rural))]:
        land = grid.all & ~(BOARD.mountains | closed)
        piece = grid.bit[grid.hexes(land)[0]]
        while piece != (more := piece | grid.spread(piece) & land):
            piece = more
        assert piece == land


def test_every_city_has_three_ways_out() -> None:
    for n in BOARD.grid.hexes(BOARD.cities):
        assert (BOARD.grid.near[n] & ~BOARD.mountains).bit_count() >= 3, BOARD.names[n]


@pytest.mark.parametrize(
    ("id", "name", "neighbours"),
    [
        ("H9", "Atlanta", "G10 G9 H10 H8 I10 I9"),
        ("J7", "Montgomery", "I7 I8 J6 J8 K7 K8"),
        ("J10", "Macon", "I10 I11 J11 J9 K10 K11"),
        ("K9", "Columbus", "J8 J9 K10 K8 L8 L9"),
        ("I15", "Charleston", "H14 H15 I14"),
        ("C20", "Norfolk", "B19 C19 D19"),
        ("M5", "Mobile", "L4 L5 M4 M6"),
    ],
)
def test_who_is_next_to_whom(id: str, name: str, neighbours: str) -> None:
    n = BOARD.grid.index[id]
    assert BOARD.names[n] == name
    assert sorted(BOARD.grid.ids[other] for other in BOARD.grid.neighbours[n]) == neighbours.split()


def test_atlanta_counts_2_and_every_other_city_1() -> None:
    double = {BOARD.names[n] for n in BOARD.grid.hexes(BOARD.cities) if BOARD.points[n] != 1}
    assert double == {"Atlanta"}
    assert BOARD.points[BOARD.grid.index["H9"]] == 2


def test_23_railroads_and_their_homes() -> None:
    homes = {
        name: "/".join(BOARD.names[n] for n in BOARD.homes[rr])
        for rr, name in enumerate(BOARD.railroads)
        if not BOARD.initial >> rr & 1
    }
    assert homes == {
        "WP": "Montgomery/Atlanta", "MC": "Grenada", "M&T": "Grenada", "GA": "Augusta", "W&A": "Atlanta/Chattanooga",
        "ET&G": "Knoxville", "N&C": "Nashville/Chattanooga", "V&T": "Lynchburg/Bristol", "R&D": "Danville",
        "P": "Petersburg", "R&G": "Raleigh", "NC": "Goldsboro/Charlotte", "C&SC": "Charlotte/Columbia",
        "A&TR": "Selma", "SOU": "Vicksburg/Meridian",
    }  # fmt: skip
    assert BOARD.count == 23
    assert [BOARD.railroads[rr] for rr in range(23) if BOARD.bonus[rr]] == ["M&C", "VC", "GM&O"]


def test_what_is_reconstructed_stays_marked() -> None:
    assert BOARD.provenance.note.startswith("Reconstructed board: the map and 14 of the 23 railroads")
    assert Counter(BOARD.name_sure[n] for n in BOARD.grid.hexes(BOARD.cities)) == {
        "rulebook": 12, "publisher": 1, "reconstructed": 28,
    }  # fmt: skip
    assert Counter(BOARD.sure) == {"rulebook": 9, "publisher": 1, "reconstructed": 13}


def test_another_board_plays_by_the_same_rules() -> None:
    """Money, prices, points and homes come from the file."""
    text = TEXT.replace("cube_cost = 3", "cube_cost = 4").replace("[40, 30, 24]", "[60, 50, 40]")
    text = text.replace("charter = 1\n", "charter = 5\n").replace('["I15"]', '["I15", "G17", "C20"]')
    state = load(text).new(4, {})
    assert isinstance(state, Gmo)
    assert state.cash == [50] * 4
    for text in ("bid 12", "pass", "pass", "pass"):
        state.apply(state.parse(text))
    assert [str(action) for action in state.legal_actions()] == ["build C20", "build G17", "build I15"]
    state.apply(state.parse("build I15"))
    assert state.scores() == [6, 0, 0, 0]


def test_a_third_home_that_does_not_serve_is_refused_with_its_reason() -> None:
    later = '["J7", "H9", "L10"], opens = "by a cube"'
    state = load(TEXT.replace('["J7", "H9"], opens = "by a cube"', later)).new(3, {})
    assert isinstance(state, Gmo)
    wp = state.board.railroads.index("WP")
    grid = state.board.grid
    state.laid = [0, grid.bit[grid.index["J7"]] | grid.bit[grid.index["H9"]], 0, 0, 0, 0]
    state.opened |= 1 << wp
    for text in ("bid 0", "pass", "pass", "charter WP", "bid 9", "pass", "pass"):
        state.apply(state.parse(text))
    assert [str(action) for action in state.legal_actions()] == ["build H9", "build J7"]
    assert state.why_not("build L10") == "G4.5: there is no cube in L10 Albany yet, and WP may not be the first there"


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("^   o   C   o   S", "X   o   C   o   S", "board.toml, map: A13 is 'X'; it needs one of o C S ^ ~ ."),
        ('layout = "pointy"', 'layout = "round"', "board.toml, layout: found 'round'; it needs one of flat, pointy"),
        (
            "^   o   C   o   S",
            "^   o   C   o   C",
            'board.toml, map: A17 is C, but a railroad that opens "at once" has',
        ),
        ("^   o   C   o   S", "^   o   S   o   S", 'board.toml, map: A15 is S, but no railroad that opens "at once"'),
        ('homes = ["I15"]', 'homes = ["I14"]', "railroads.SC.homes: I14 is no city (C or S) of the map"),
        ('homes = ["I15"]', "homes = []", "railroads.SC.homes: is empty; it needs at least one city"),
        ('opens = "at once"', 'opens = "soon"', "railroads.SC.opens: found 'soon'; it needs one of at once, by a cube"),
        ('opens = "at once",', 'opens = "at once", speed = 2,', "railroads.SC.speed: is not known here"),
        ('first_charter = "SC"', 'first_charter = "WP"', 'components.first_charter: WP must open "at once"'),
        ('first_charter = "SC"', 'first_charter = "XY"', "components.first_charter: found 'XY'; it needs one of SC"),
        ("[40, 30, 24]", "[40, 30]", "components.money: found [40, 30]; it needs 3 whole numbers"),
        ("cube_cost = 3", "cube_cost = 0", "components.cube_cost: found 0; it needs a whole number, at least 1"),
        ("cube_cost = 3", "cube_cost = 3\nspeed = 2", "components.speed: is not known here"),
        ("color = 1", "colour = 1", "points.color: is missing; it needs a whole number"),
        ('letter = "Y", cubes = 26', 'letter = "Y", cubes = 0', "colors.yellow.cubes: found 0; it needs"),
        ("J7 = {", "J8 = {", "cities.J8: is rural on the map; only cities are named"),
        ("J7 = {", "Z7 = {", "cities.Z7: is no hex of the map"),
        ('M7 = { name = "Pensacola", state = "FL", sure = "reconstructed" }', "", "cities.M7: is missing; the map has"),
        ('sure = "publisher" }\nG5', 'sure = "hearsay" }\nG5', "cities.G3.sure: found 'hearsay'; it needs one of rule"),
        ("[points]", "[point]", "points: is missing; it needs a table"),
        ('letter = "K"', 'letter = "P"', "colors.purple.letter: found 'P' again; each needs one that no other has"),
        ("black = {", '"jet black" = {', "colors.jet black: cannot be a name in actions; it needs one word"),
        ('"VC" = {', '"sc" = {', "railroads.sc: is another's name too (capitals do not count)"),
        ('name = "Mobile"', 'name = " "', "cities.M5.name: found ' '; it needs a text of one line"),
    ],
)
def test_a_broken_board_names_the_entry_and_the_fix(right: str, wrong: str, message: str) -> None:
    assert right in TEXT
    with pytest.raises(BoardError) as error:
        load(TEXT.replace(right, wrong, 1))
    assert message in str(error.value)
