"""What the picture of a scene promises."""

from __future__ import annotations

import re
from collections import Counter
from math import sqrt
from xml.etree import ElementTree

import pytest

import cuberails
from cuberails.core.looks import FOREST, LAND, TOWN, Look
from cuberails.core.scene import Area, Company, Dice, Link, Map, Piece, Scene, Seat, Tile, Track
from cuberails.draw import svg
from cuberails.draw.board import FLAT, POINTY, SQUARE, board, describe, link, tile
from cuberails.draw.palette import GLYPHS, PAINTS, WOOD
from cuberails.draw.panels import account, certificate, marks, seat, track
from cuberails.draw.pen import breadth, clean, fit, lines_of, piece, supplies
from tests.draw.scenes import NAMES, TABLES, along_a_game, last_scene, pieces, small

SVG = "{http://www.w3.org/2000/svg}"
Node = ElementTree.Element
Part = Tile | Link | Area | Track | Company | Seat | Dice
every_table = pytest.mark.parametrize(("key", "players"), TABLES)
both_formats = pytest.mark.parametrize("narrow", [False, True])


def parsed(scene: Scene, narrow: bool = False) -> Node:
    return ElementTree.fromstring(svg(scene, narrow=narrow))


def part(root: Node, key: str) -> Node:
    found = [node for node in root.iter() if node.get("id") == key]
    assert len(found) == 1, f"{key} is there {len(found)} times"
    return found[0]


def said(node: Node, cls: str = "") -> list[str]:
    """The texts of a drawing, all or those of a class."""
    return ["".join(text.itertext()) for text in node.iter(f"{SVG}text") if not cls or text.get("class") == cls]


def parts(scene: Scene) -> list[Part]:
    here: list[Part] = [*scene.map.tiles, *scene.map.links, *scene.map.areas]
    here += [*scene.tracks, *scene.companies, *scene.seats]
    return [*here, scene.dice] if scene.dice else here


@every_table
@both_formats
def test_every_part_is_in_the_picture_exactly_once_at_any_time(key: str, players: int, narrow: bool) -> None:
    for scene in along_a_game(key, players):
        ids = Counter(node.get("id") for node in parsed(scene, narrow).iter())
        keys = [each.key for each in parts(scene)] + ["title", "note", "prompt"]
        keys += ["map", "legend"] if scene.map.tiles else []
        assert {each: ids[each] for each in keys} == dict.fromkeys(keys, 1)


@every_table
def test_every_hex_shows_its_id_its_figures_and_each_of_its_cubes(key: str, players: int) -> None:
    scene = last_scene(key, players)
    root = parsed(scene)
    for hex in scene.map.tiles:
        drawn = part(root, hex.key)
        assert said(drawn, "letter") == [cube.letter for cube in hex.cubes]
        assert {hex.id, hex.name, hex.cost} - {""} <= set(said(drawn)), hex
        assert not hex.now or hex.now in [
            "".join(node.itertext()) for node in drawn.iter() if node.get("class") == "now"
        ]


@every_table
@both_formats
def test_every_fact_of_every_railroad_and_player_is_shown(key: str, players: int, narrow: bool) -> None:
    scene = last_scene(key, players)
    root = parsed(scene, narrow)
    for company in scene.companies:
        description = next(part(root, company.key).iter(f"{SVG}title")).text
        assert description == clean(account(company))
        figures = said(part(root, company.key), "figure") + said(part(root, company.key), "figure strongest")
        shown = [clean(value) + marks(company, label) for label, value in company.facts if company.started]
        assert len(figures) == len(shown)
        assert all(any(value.startswith(figure.rstrip("…")) for value in shown) for figure in figures)
        assert bool(company.note) == bool(said(part(root, company.key), "remark"))
    for who in scene.seats:
        drawn = said(part(root, who.key))
        assert all(clean(value) in " ".join(drawn) for _, value in who.facts)
        assert [word for word in drawn if word.startswith("×")] == [f"×{held}" for _, held in who.shares]
        assert any("winner" in word for word in drawn) == who.winner


@every_table
def test_every_box_of_every_track_is_shown_with_the_pieces_on_it(key: str, players: int) -> None:
    scene = last_scene(key, players)
    root = parsed(scene)
    for row in scene.tracks:
        drawn = part(root, row.key)
        assert said(drawn, "mark") == row.boxes
        standing = [piece for pieces in row.pieces for piece in pieces]
        assert said(drawn, "letter") == [piece.letter for piece in standing if piece.letter != "●"]


@every_table
def test_track_goods_and_dice_are_shown_with_their_letters(key: str, players: int) -> None:
    for scene in along_a_game(key, players):
        root = parsed(scene)
        for place in scene.map.links:
            assert said(part(root, place.key)) == [place.piece.letter if place.piece else place.id]
        for area in scene.map.areas:
            assert said(part(root, area.key), "letter") == [cube.letter for cube in area.cubes]
        if scene.dice:
            assert said(part(root, scene.dice.key), "letter") == [face.letter for face in scene.dice.faces]


def test_every_painted_colour_has_a_pattern_of_its_own() -> None:
    """What a colour says, a pattern says too; unpainted wood is as smooth as white."""
    painted = [colors for colors in PAINTS.values() if colors is not WOOD]
    assert len({colors.weave for colors in painted}) == len(painted)


@every_table
def test_every_pattern_that_is_used_is_in_the_picture(key: str, players: int) -> None:
    drawn = svg(last_scene(key, players))
    used = set(re.findall(r"url\(#([\w-]+)\)", drawn)) | set(re.findall(r'href="#([\w-]+)"', drawn))
    assert {name.partition("-")[0] for name in used} >= {"weave", "cube"}
    assert used <= set(re.findall(r'id="([\w-]+)"', drawn))


def test_goods_are_pawns_and_not_cubes() -> None:
    cube, pawn = Piece("R", "red", "Red"), Piece("R", "red", "red goods", pawn=True)
    drawn = [ElementTree.fromstring(piece(each, 0, 0, 18)) for each in (cube, pawn)]
    assert [use.get("href") for shape in drawn for use in shape.iter("use")] == ["#cube-red", "#pawn-red"]
    shapes = {node.get("id"): node for node in ElementTree.fromstring(supplies())}
    assert [len(list(shapes[name].iter("circle"))) for name in ("cube-red", "pawn-red")] == [0, 2]
    assert [shape.findtext("text") for shape in drawn] == ["R", "R"]


def test_a_place_for_track_is_named_also_where_it_is_possible() -> None:
    place = Link("slot-A6W", "A6W", (1, 0), (0, 0), targets=["build red A6W"])
    drawn = ElementTree.fromstring(link(place, SQUARE))
    assert [node.get("class") for node in drawn][-2:] == ["aim", "id halo"]  # the name is on top


def test_a_certificate_names_its_company_unless_the_letter_does() -> None:
    assert "NO&amp;J" in certificate(Piece("Y", "yellow", "NO&J"), 1).body.split("</title>")[1]
    assert "PA" not in certificate(Piece("P", "red", "PA"), 1).body.split("</title>")[1]


def test_exactly_the_possible_hexes_are_marked() -> None:
    scene = next(each for each in along_a_game("wabash", 4, stops=40) if any(hex.targets for hex in each.map.tiles))
    root = parsed(scene)
    marked = {node.get("id") for node in root.iter() if node.get("class") == "tile target"}
    assert marked == {hex.key for hex in scene.map.tiles if hex.targets}
    assert len([node for node in part(root, "map").iter() if node.get("class") == "aim"]) == len(marked)


def test_a_hex_tells_about_itself_in_a_sentence() -> None:
    pa, nyc = Piece("P", "red", "PA"), Piece("N", "green", "NYC")
    hex = Tile("hex-K4", "K4", 0, 0, "industrial city", "Pittsburgh", "$4", "4/6/8", "6", [pa, nyc])
    assert describe(hex) == "K4 Pittsburgh: industrial city, cost $4, earns 6; PA, NYC are here"
    plain = Tile(
        "hex-A3", "A3", 0, 0, "timber", cost="$2", cubes=[pa], developed=True, doubt="odd", targets=["build A3"]
    )
    assert describe(plain) == "A3: timber, cost $2, developed; PA is here (doubtful: odd). Now: build A3"
    assert describe(hex) in [node.text for node in ElementTree.fromstring(f"<g>{tile(hex, FLAT)}</g>").iter("title")]


def test_the_present_income_stands_out_among_the_printed_ones() -> None:
    for now, then in (("2", "4"), ("4", "2")):
        drawn = ElementTree.fromstring(f"<g>{tile(Tile('h', 'A1', 0, 0, 'city', 'Rome', '$2', '2/4', now), FLAT)}</g>")
        spans = {node.text: node.get("class") for node in drawn.iter("tspan")}
        assert (spans[now], spans[then]) == ("now", "then")


@pytest.mark.parametrize(("step", "shown"), [(0, ["20", "›30"]), (1, ["30", "›40"]), (2, ["40"])])
def test_of_many_incomes_the_present_one_stands_out_and_the_next_is_told(step: int, shown: list[str]) -> None:
    hex = Tile("h", "A1", 0, 0, "city", "Rome", "$10", "20/30/40", shown[0], step=step)
    drawn = ElementTree.fromstring(f"<g>{tile(hex, POINTY)}</g>")
    spans = [(node.text, node.get("class")) for node in drawn.iter("tspan")]
    assert spans == list(zip(shown, ["now", "then"], strict=False))
    assert describe(hex) == f"A1 Rome: city, cost $10, earns {shown[0]}, by level 20/30/40"


def test_a_lake_has_a_shore_also_where_the_land_is_no_part_of_the_game() -> None:
    lake = small(True, Tile("hex-A0", "A0", 3.0, 0, "farm"))
    shores = [node for node in parsed(lake).iter() if node.get("class") == "shore"]
    assert len(shores) == 1
    assert str(shores[0].get("d")).count("M") > 0
    dry = small(True, Tile("hex-A0", "A0", 3.0, 0, "farm"))
    dry.map.water = []
    assert not [node for node in parsed(dry).iter() if node.get("class") == "shore"]


@both_formats
def test_names_of_users_are_text_and_never_markup(narrow: bool) -> None:
    scene = cuberails.scene(cuberails.new("wabash", 6), NAMES)
    root = parsed(scene, narrow)
    assert not list(root.iter(f"{SVG}script"))
    assert '<script>&"' in said(root, "person")
    assert "\x1b" not in svg(scene)


def test_a_long_name_is_cut_short_before_it_reaches_the_money() -> None:
    scene = cuberails.scene(cuberails.new("wabash", 6), NAMES)
    for name in said(parsed(scene, narrow=True), "person"):
        assert breadth(name) * 16 <= 366 - 150
    assert said(part(parsed(scene), "seat-5"), "person")[0].endswith("W…")


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 6, 8])
@pytest.mark.parametrize("form", [FLAT, POINTY, SQUARE])
def test_cubes_in_a_hex_neither_overlap_nor_leave_it(count: int, form: str) -> None:
    drawn = tile(Tile("h", "A1", 0, 0, "city", "Rome", cubes=pieces(count)), form)
    cubes = re.findall(r"translate\(([-\d.]+) ([-\d.]+)\)scale\(([\d.]+)\)\"><title>", drawn)
    boxes = [(float(x) - 8.1 * float(scale), float(y), 16.2 * float(scale)) for x, y, scale in cubes]  # their fronts
    assert len(boxes) == count
    for n, (x, y, size) in enumerate(boxes):
        assert abs(x + size / 2) + size / 2 <= 31
        assert all(abs(x - left) >= size or abs(y - top) >= size for left, top, _ in boxes[:n])


def test_room_for_cubes_is_drawn_until_they_stand_there() -> None:
    drawn = tile(Tile("h", "A1", 0, 0, "city", "Rome", cubes=pieces(2), room=5), FLAT)
    assert drawn.count('class="room"') == 3


def test_incomes_beyond_the_end_of_the_printed_track_are_shown() -> None:
    row = Track("income", "Income", [str(n) for n in range(1, 64)], [[] for _ in range(62)] + [pieces(5)])
    for width in (366, 1392):
        block = track(row, width)
        drawn = ElementTree.fromstring(block.body)
        assert block.width <= width
        marks = [node.text for node in drawn.iter("text") if node.get("class") == "mark"]
        letters = [node.text for node in drawn.iter("text") if node.get("class") == "letter"]
        assert (marks[-1], letters) == ("63", ["P", "B", "C", "N", "W"])


@every_table
def test_on_a_phone_no_text_beside_the_map_is_smaller_than_eleven_pixels(key: str, players: int) -> None:
    picture = svg(last_scene(key, players), narrow=True)
    root = ElementTree.fromstring(picture)
    assert root.get("width") == "390"
    sizes = dict(re.findall(r"\.cuberails \.([a-z]+)\{font-size:([\d.]+)px", picture))
    on_map = {text for node in root.iter() if node.get("id") == "map" for text in node.iter()}
    for text in set(root.iter(f"{SVG}text")) - on_map:
        cls = str(text.get("class")).split()[0]
        if cls not in ("letter", "flag"):  # letters on pieces are as large as the pieces
            assert float(text.get("font-size") or sizes.get(cls, 13)) >= 11, text.text


def test_a_part_looks_the_same_as_long_as_it_is_the_same() -> None:
    """So a table can send only what changed."""
    state = cuberails.new("wabash", 3)
    before = cuberails.scene(state)
    state.apply(state.parse("bid 12"))
    after = cuberails.scene(state)
    one, other = ElementTree.fromstring(svg(before)), ElementTree.fromstring(svg(after))
    for old, new in zip(parts(before), parts(after), strict=True):
        same = ElementTree.tostring(part(one, old.key)) == ElementTree.tostring(part(other, new.key))
        assert same == (old == new), old.key


def test_facts_that_do_not_fit_beside_the_shares_go_below_them() -> None:
    shares = [(piece, 1) for piece in pieces(5)]
    short = seat(Seat("seat-0", "Ann", [("Cash", "$9")], shares), 392)
    long = seat(Seat("seat-0", "Ann", [("Cash", "$9"), *(("Longest route", str(n)) for n in range(9))], shares), 392)
    assert long.height > short.height
    assert all(f"Longest route {n}" in " ".join(re.findall(r">([^<]+)</text>", long.body)) for n in range(9))


def test_lines_are_balanced_and_complete_or_end_in_an_ellipsis() -> None:
    text = "Eleanor: Build track for C&O: up to 1 more, treasury $31, or done"
    lines = lines_of(text, 17, 356, 3)
    assert " ".join(lines) == text
    assert max(map(breadth, lines)) < 1.4 * min(map(breadth, lines))
    assert lines_of(text, 17, 150, 2)[-1].endswith("…")
    assert fit("W" * 50, 10, 100).endswith("W…")


@both_formats
def test_a_table_with_hardly_anything_on_it_can_be_drawn(narrow: bool) -> None:
    scene = small(True, Tile("hex-A0", "A0", 1.5, 0, "swamp"))
    assert "A0" in said(part(parsed(scene, narrow), "hex-A0"))
    scene.map.tiles = []
    assert "Go" in said(part(parsed(scene, narrow), "prompt"))


def test_certificates_in_several_rows_leave_room_for_what_is_said_below() -> None:
    facts = [("Cash", "$9"), ("Auction", "passed")]
    many = [(Piece("R", "red", f"railroad {n}"), 1) for n in range(12)]
    one, several = (seat(Seat("seat-0", "Ann", facts, shares, True), 392) for shares in (many[:1], many))
    assert several.height >= one.height + 2 * 21
    lowest = max(float(y) for y in re.findall(r"translate\([\d.]+ ([\d.]+)\)", several.body))
    assert lowest < several.height


@pytest.mark.parametrize(("across", "down"), [(1, 1), (3, 2), (2, 20), (24, 20)])
def test_few_tiles_are_not_blown_up_and_a_high_map_is_no_scroll(across: int, down: int) -> None:
    tiles = [Tile(f"{x}-{y}", f"{x}-{y}", 1.5 * x, sqrt(3) * y, "farm") for x in range(across) for y in range(down)]
    drawn = board(Map(True, tiles, []), 976)
    view = re.search(r'viewBox="(\S+) \S+ (\S+) \S+"', drawn.body)
    assert view is not None
    left, wide = map(float, view.groups())
    assert 976 / wide < 1.7
    assert drawn.height <= 1.21 * 976
    middle = 34 * 1.5 * (across - 1) / 2
    assert left + wide / 2 == pytest.approx(middle, abs=0.2)


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 12])
def test_pieces_in_a_box_stay_inside(count: int) -> None:
    stacked = [Piece("R", "red", f"railroad {n}") for n in range(count)]
    drawn = track(Track("t", "Income", ["0"], [stacked]), 392).body
    found = re.findall(r"translate\((\S+) (\S+)\)scale\((\S+)\)", drawn)
    assert len(found) == count
    for x, y, scale in found:
        half = 10 * float(scale)
        assert -1 <= float(x) - half <= float(x) + half <= 35
        assert 10 <= float(y) - half <= float(y) + half <= 41


def test_a_long_name_is_cut_off_rather_than_too_small_to_read() -> None:
    drawn = tile(Tile("h", "A1", 0, 0, "city", "Llanfairpwllgwyngyllgogerychwyrndrobwll"), FLAT)
    name = re.search(r'class="name" font-size="([\d.]+)"[^>]*>(.*?)<', drawn)
    assert name is not None
    assert (float(name[1]) >= 4.5, name[2].endswith("…")) == (True, True)


def test_a_name_that_nearly_fills_its_hex_stays_in_it_in_every_font() -> None:
    drawn = {name: tile(Tile("h", "A1", 0, 0, "city", name), FLAT) for name in ("Ur", "Cumberland", "Philadelphia")}
    lengths = {name: re.findall(r'textLength="([\d.]+)"', svg) for name, svg in drawn.items()}
    assert lengths["Ur"] == []
    assert all(float(length) <= 55 for name in ("Cumberland", "Philadelphia") for length in lengths[name])
    assert len(lengths["Cumberland"]) == len(lengths["Philadelphia"]) == 1


def test_a_title_brings_the_looks_of_its_terrain() -> None:
    path = "M0 0l4 4"
    scene = small(
        True,
        Tile("hex-A0", "A0", 0, 0, "swamp", look=Look("#123456", path)),
        Tile("hex-C0", "C0", 3, 0, "port", "Ur", look=Look("#654321", path)),
        Tile("hex-E0", "E0", 6, 0, "forest", look=FOREST),
        Tile("hex-G0", "G0", 9, 0, "ruins", "Uruk"),
        Tile("hex-I0", "I0", 12, 0, "desert"),
    )
    root = parsed(scene)

    def looks(key: str) -> tuple[str | None, list[str | None]]:
        nodes = list(part(root, key).iter())
        tint = next(node.get("fill") for node in nodes if node.get("class") == "hex")
        return tint, [node.get("d") or node.get("href") for node in nodes if node.get("class") == "glyph"]

    assert looks("hex-A0") == ("#123456", [path, path])
    assert looks("hex-C0") == ("#654321", [path])
    assert looks("hex-E0") == (FOREST.tint, ["#pair-fir"])
    assert looks("hex-G0") == (TOWN.tint, ["#glyph-ring"])
    assert looks("hex-I0") == (LAND.tint, [])


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_glyph_that_a_title_names_is_in_the_library_or_a_path(key: str) -> None:
    looks = {hex.look for hex in last_scene(key, cuberails.load(key).least_players).map.tiles}
    for look in looks:
        assert look is not None
        assert look.glyph in GLYPHS or look.glyph[:1] in ("", "M")
        assert len(look.symbol) == 1


def test_a_notebook_shows_the_position() -> None:
    state = cuberails.new("wabash", 2)
    root = ElementTree.fromstring(state._repr_svg_())
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Wabash Cannonball. Seat 0: Bid $7 or more for PA, or pass"
    assert said(root, "person") == ["Seat 0", "Seat 1"]
