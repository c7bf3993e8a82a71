"""What the text of a scene promises."""

from __future__ import annotations

import re
from math import sqrt

import pytest

import cuberails
from cuberails.core.looks import FOREST, Look
from cuberails.core.scene import Area, Company, Dice, Link, Piece, Seat, Tile, Track
from cuberails.draw import text
from cuberails.draw.text import _abbreviations, cells, clip
from tests.draw.scenes import NAMES, TABLES, along_a_game, last_scene, pieces, small

every_table = pytest.mark.parametrize(("key", "players"), TABLES)
ESCAPE = re.compile(r"\x1b\[[\d;]*m")


@every_table
@pytest.mark.parametrize("width", [40, 80, 100, 140])
def test_no_line_is_ever_wider_than_the_terminal(key: str, players: int, width: int) -> None:
    for scene in along_a_game(key, players):
        for line in text(scene, width).splitlines():
            assert cells(line) <= width, line


@every_table
def test_colour_adds_no_information(key: str, players: int) -> None:
    for scene in along_a_game(key, players):
        plain, colored = text(scene), text(scene, color=True)
        assert "\x1b" not in plain
        assert [line.rstrip() for line in ESCAPE.sub("", colored).splitlines()] == plain.splitlines()
        assert all(line.count("\x1b[0m") * 2 == line.count("\x1b") for line in colored.splitlines())


@every_table
def test_every_hex_name_cube_fact_and_player_is_told(key: str, players: int) -> None:
    scene = last_scene(key, players)
    shown = text(scene)
    for hex in scene.map.tiles:
        assert re.search(rf"(^|\W|(?<=[a-z])){hex.id}(\D|$)", shown, re.MULTILINE), hex.id
        assert hex.name[:13] in shown
    table = shown.partition("\nRailroad")[2]
    for company in scene.companies:
        letter, name = company.piece.letter, company.piece.name
        start = f"{name} " if letter == name else f"{letter} {name} "
        rows = [line for line in table.splitlines() if line.startswith(start)]
        if company.started:
            assert all(clip(value, 24) in " ".join(rows) for _, value in company.facts)
            assert all(f"{dict(company.facts)[label]}*" in " ".join(rows) for label in company.leads)
            assert all(f"{dict(company.facts)[label]}=" in " ".join(rows) for label in company.ties)
        assert f"{name}: {company.note}" in " ".join(shown.split()) if company.note else name in shown
    for who in scene.seats:
        assert clip(who.name, 24) in shown
        assert all(re.search(rf"{piece.letter}[^×]*×{held}", shown) for piece, held in who.shares)
    assert all(f"{label} {value}" in " ".join(shown.split()) for label, value in scene.progress)
    assert all(clip(cell, 40) in shown for sheet in scene.sheets for row in sheet.rows for cell in row)
    assert shown.splitlines()[-1] in scene.prompt.replace("\x1b", "").replace("\x00", "")


def test_the_flat_map_of_wabash_has_cells_of_five_by_two_and_odd_columns_a_line_lower() -> None:
    lines = text(cuberails.scene(cuberails.new("wabash", 3))).splitlines()
    top = next(n for n, line in enumerate(lines) if "C0·1" in line)
    assert lines[top][10:15] == "C0·1 "
    assert lines[top + 1][15:20] == "D0·1 "
    assert lines[top + 1][20:25] == "Detr "
    assert lines[top + 2][10:15] == "C1·1 "


def test_rows_of_a_pointy_map_are_shifted_by_half_a_cell() -> None:
    across = sqrt(3)
    tiles = [
        Tile(f"hex-{id}", id, across * x, 1.5 * y, "rural")
        for id, x, y in (("A2", 1, 0), ("B1", 0.5, 1), ("B2", 1.5, 1))
    ]
    lines = text(small(False, *tiles), 18).splitlines()
    assert [line.find("A2") for line in lines if "A2" in line] == [6]
    assert [(line.find("B1"), line.find("B2")) for line in lines if "B1" in line] == [(3, 9)]


def test_a_cell_marks_possible_and_developed_hexes_and_lists_cubes() -> None:
    hex = Tile("hex-K4", "K4", 1.5, 0, "timber", cost="$2", cubes=pieces(3), developed=True, look=FOREST)
    hex.targets = ["build K4"]
    plain, colored = text(small(True, hex)), text(small(True, hex), color=True)
    assert ">K4♣2" in plain
    assert "PBC+" in plain
    assert re.search(r"\x1b\[[\d;]*;7m>K4♣2", colored)
    assert ">K4" not in text(small(True, Tile("hex-K4", "K4", 1.5, 0, "timber")))


def test_squares_have_the_places_for_track_between_them() -> None:
    scene = small(
        False, Tile("A1", "A1", 0, 0, "square"), Tile("A2", "A2", 2, 0, "square"), Tile("B1", "B1", 0, 2, "square")
    )
    scene.map.square = True
    scene.map.links = [
        Link("A1E", "A1E", (0, 0), (2, 0), Piece("G", "green", "Green")),
        Link("A1S", "A1S", (0, 0), (0, 2), targets=["build red A1S"]),
    ]
    scene.map.areas = [Area("coast", "Coast", -2, 0, 1, 3, True, pieces(2))]
    lines = text(scene).splitlines()
    top = next(n for n, line in enumerate(lines) if line.startswith("A1"))
    assert lines[top].split() == ["A1", "─G─", "A2"]
    assert lines[top + 2 : top + 4] == [">A1S", "B1"]
    assert "Coast: PB" in lines


def test_the_dice_are_told_before_the_prompt() -> None:
    scene = small(True, Tile("hex-A0", "A0", 0, 0, "farm"))
    scene.dice = Dice("dice", "Ann rolled", pieces(3))
    assert text(scene).splitlines()[-2:] == ["Ann rolled: P B C", "Go"]


def test_five_cubes_fill_a_cell_without_pushing_its_neighbours() -> None:
    row = [
        Tile(f"hex-{id}", id, 3.0 * n, 0, "farm", cubes=pieces(5), developed=True) for n, id in enumerate(("A0", "C0"))
    ]
    assert "PBCNW~ ~ ~PBCNW" in text(small(True, *row), 15)


def test_names_of_cities_are_short_and_distinct() -> None:
    for key, players in TABLES:
        names = [hex.name for hex in cuberails.scene(cuberails.new(key, players)).map.tiles if hex.name]
        short = _abbreviations(names, 4)
        assert len(set(short.values())) == len(set(names))
        assert all(len(each) <= 4 for each in short.values())


def test_control_characters_in_names_do_not_reach_the_terminal() -> None:
    shown = text(cuberails.scene(cuberails.new("wabash", 6), NAMES))
    assert "x[31my" in shown
    assert not any(ord(char) < 32 and char != "\n" for char in shown)


def test_the_player_to_decide_and_the_winner_are_marked() -> None:
    scene = small(True, Tile("hex-A0", "A0", 0, 0, "farm"))
    scene.seats = [Seat("seat-0", "Ann", [], [], deciding=True), Seat("seat-1", "Bob", [], [], winner=True)]
    assert "> Ann (to decide)" in text(scene)
    assert "* Bob (winner)" in text(scene)


def test_a_table_too_wide_continues_below_with_the_names_again() -> None:
    scene = small(True, Tile("hex-A0", "A0", 0, 0, "farm"))
    facts = [(f"Label {n}", f"value{n}") for n in range(12)]
    scene.companies = [Company("company-PA", Piece("P", "red", "PA"), facts)]
    lines = text(scene, 60).splitlines()
    rows = [line for line in lines if line.startswith("P PA") and "value" in line]
    assert len(rows) > 1
    assert " ".join(rows).split().count("PA") == len(rows)
    assert all(f"value{n}" in " ".join(rows).split() for n in range(12))


def test_a_position_says_what_it_looks_like() -> None:
    state = cuberails.new("wabash", 2)
    assert str(state).splitlines()[0] == "Wabash Cannonball"
    assert str(state).splitlines()[-1] == "Seat 0: Bid $7 or more for PA, or pass"


def test_the_brief_form_keeps_what_changes() -> None:
    seen = cuberails.scene(cuberails.new("wabash", 3), ["Ann", "Bob", "Cy"])
    whole, brief = text(seen), text(seen, brief=True)
    assert len(brief.splitlines()) < len(whole.splitlines()) - 12
    for always in ("K4", "Ann", "Treasury", "Pittsburgh [4] 6 8", seen.prompt):
        assert always in brief
    assert seen.note not in brief
    assert "Youngstown" not in brief


def test_a_title_brings_the_looks_of_its_terrain() -> None:
    swamp = Tile("a", "A0", 0, 0, "swamp", look=Look("#345", symbol="%", ansi=23))
    town = Tile("b", "B0", 1.5, 0, "ruins", "Ur")
    shown = text(small(True, swamp, town, Tile("c", "C0", 3.0, 0, "desert")), color=True)
    assert "\x1b[38;5;23mA0%" in shown
    assert "B0○" in shown  # a title that says nothing still gets a town where there is a name, and plain land elsewhere
    assert "C0 " in shown
    assert "% swamp" in text(small(True, swamp, town))


def test_a_map_that_is_too_wide_is_shown_in_sheets() -> None:
    ids = [f"A{n}" for n in range(40)]
    scene = small(False, *(Tile(id, id, sqrt(3) * n, 0, "rural") for n, id in enumerate(ids)))
    scene.map.water = []
    shown = text(scene, 60)
    assert len([line for line in shown.splitlines() if re.search(r"A\d", line)]) == 3
    assert re.findall(r"A\d+", shown) == ids


def test_a_possible_hex_keeps_its_whole_id_in_a_narrow_cell() -> None:
    tiles = [Tile(f"A{n}", f"A{n}", sqrt(3) * n, 0, "rural", cubes=pieces(1)) for n in range(10, 35)]
    tiles[3].targets = ["build A13"]
    lines = text(small(False, *tiles), 80).splitlines()
    assert "A12A13A14" in lines[2]
    assert ">P" in lines[3]


def test_what_does_not_fit_in_a_line_continues_in_the_next() -> None:
    boxes = [str(n) for n in range(40)]
    track = Track("t", "Income", boxes, [[Piece("R", "red", "Red")] for _ in boxes])
    scene = small(True, Tile("hex-A0", "A0", 0, 0, "farm"))
    scene.tracks, scene.facts = [track], [("Then, by value", ", ".join(f"Railroad{n}" for n in range(20)))]
    scene.companies = [Company("c", pieces(1)[0], [], "waits for " + " or ".join(f"City{n}" for n in range(20)))]
    shown = text(scene, 80)
    assert re.findall(r"\[(\d+) R\]", shown) == boxes
    assert re.findall(r"Railroad\d+", shown) == [f"Railroad{n}" for n in range(20)]
    assert re.findall(r"City\d+", shown) == [f"City{n}" for n in range(20)]


def test_many_certificates_stand_below_the_players() -> None:
    shares = [(Piece("PBCNWXYZ"[n % 8], "red", f"railroad {n}"), n + 1) for n in range(12)]
    scene = small(True, Tile("hex-A0", "A0", 0, 0, "farm"))
    scene.seats = [Seat("seat-0", "Ann", [("Cash", "$9")], shares), Seat("seat-1", "Bob", [("Cash", "$7")], shares[:1])]
    shown = text(scene, 80)
    assert re.findall(r"railroad (\d+) ×(\d+)", shown) == [
        *((str(n), str(n + 1)) for n in range(12)),
        ("0", "1"),
    ]
    assert "Bob:  P railroad 0 ×1" in shown
