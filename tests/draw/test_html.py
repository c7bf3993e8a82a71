"""Parts of a scene as HTML: each by its key, nothing that a strict page would refuse, and only what changed."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from random import Random
from xml.etree import ElementTree

import pytest

import cuberails
from cuberails.core.playout import pick
from cuberails.core.scene import Company, Piece, Scene
from cuberails.draw import html
from cuberails.draw.board import form_of
from cuberails.draw.palette import AIM, PAINTS
from cuberails.titles import load, scene


def seen(key: str, actions: int) -> Scene:
    title = load(key)
    state, rng = title.new(title.least_players, {}), Random(key)
    for _ in range(actions):
        state.play(pick(state, rng))
    return scene(state, ["<Anna>", "Ben & Co", "Cleo"][: title.least_players])


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_part_is_one_element_with_its_key_as_its_id(key: str) -> None:
    table = seen(key, 20)
    for name, what in html.parts(table).items():
        drawn = html.part(what, form_of(table.map))
        assert re.match(r"<\w+[^>]*\bid=\"([^\"]*)\"", drawn), drawn[:80]
        assert f'id="{name}"' in drawn or f'id="{name.replace("&", "&amp;")}"' in drawn


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_no_part_brings_a_style_or_a_script(key: str) -> None:
    table = seen(key, 20)
    drawn = html.map_svg(table.map, "The map") + "".join(html.changes(seen(key, 0), table).values())
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", drawn)
    assert "<Anna>" not in drawn


def test_only_what_changed_is_told() -> None:
    state = load("wabash").new(2, {})
    before = scene(state)
    state.apply(state.parse("bid 9"))
    changed = html.changes(before, scene(state))
    assert {"seat-0", "seat-1"} <= set(changed) <= {"seat-0", "seat-1", "players-head", "company-PA"}
    assert html.changes(before, before) == {}


def test_of_a_track_only_the_boxes_are_told_between_which_a_piece_moves() -> None:
    before, after = seen("wabash", 0), seen("wabash", 0)
    row = after.tracks[0]
    start = next(n for n, pieces in enumerate(row.pieces) if pieces)
    row.pieces[start], row.pieces[start + 3] = [], row.pieces[start]
    changed = html.changes(before, after)
    assert list(changed) == [f"{row.key}-{start}", f"{row.key}-{start + 3}"]
    assert all(drawn in html.track(row) for drawn in changed.values())
    row.boxes.append("beyond")
    row.pieces.append([])
    assert html.changes(before, after)[row.key] == html.track(row)


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_no_two_parts_have_the_same_id(key: str) -> None:
    table = seen(key, 20)
    page = html.map_svg(table.map, "The map") + "".join(
        html.part(what, form_of(table.map)) for what in html.parts(table).values() if not isinstance(what, html.Box)
    )
    ids = re.findall(r'(?<![\w-])id="([^"]*)"', page.replace(html.map_svg(table.map, "The map"), "", 1))
    assert len(ids) == len(set(ids)) > len(table.seats)


def test_whose_turn_it_is_changes_no_part_of_a_page() -> None:
    who = seen("wabash", 0).seats[0]
    assert html.seat(replace(who, deciding=True), ["Cash"]) == html.seat(replace(who, deciding=False), ["Cash"])


def test_a_railroad_is_a_row_with_its_figures_in_the_columns_and_marks_where_it_leads() -> None:
    row = Company("company-PA", Piece("P", "red", "PA"), [("Income", "9")], leads=["Income"], holdings=["2", ""])
    drawn = html.company(row, ["Income", "Treasury"])
    assert (
        '<td data-fact="Income" class="lead">9<abbr title="leads">▲</abbr></td><td data-fact="Treasury"></td>' in drawn
    )
    assert '<td class="who" data-seat="0">2</td><td class="who" data-seat="1"></td>' in drawn
    assert 'class="company idle"' in html.company(replace(row, started=False), ["Income"])


def test_chips_have_the_pattern_of_their_colour() -> None:
    rules = dict(re.findall(r"\.c-(\w+)\{background:([^}]*)\}", html.stylesheet()))
    assert set(rules) == set(PAINTS)
    smooth = {name for name, rule in rules.items() if "url(" not in rule}
    assert smooth == {"white", "natural"}


def test_a_picture_of_the_map_stands_alone() -> None:
    drawn = html.map_picture(seen("gmo", 0).map, "The map")
    assert drawn.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "<style>" in drawn
    assert 'id="weave-red"' in drawn


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_the_legend_explains_terrain_colours_marks_and_labels(key: str) -> None:
    table = seen(key, 30)
    drawn = html.legend(table)
    ElementTree.fromstring(f"<div>{drawn}</div>")
    said = unescape(re.sub(r"<[^>]*>", " ", drawn)).lower()
    terrains = {tile.terrain.lower() for tile in table.map.tiles}
    assert len(terrains) == 1 or all(terrain in said for terrain in terrains)
    assert ("doubtful" in said) == any(tile.doubt for tile in table.map.tiles)
    assert "possible now" in said
    assert all(meaning.lower() in said for meaning in table.labels.values())
    chips = set(re.findall(r'class="chip c-(\w+)"', drawn))
    assert {cube.color for tile in table.map.tiles for cube in tile.cubes} - {"gray", "tan"} <= chips
    assert "style=" not in drawn


def test_targets_have_a_colour_that_no_piece_has() -> None:
    assert AIM in html.stylesheet()
    assert AIM not in {color for paint in PAINTS.values() for color in (paint.fill, paint.dark, paint.light)}
