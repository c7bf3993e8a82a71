"""Parts of a scene as HTML: each by its key, nothing that a strict page would refuse, and only what changed."""

from __future__ import annotations

import re
from random import Random

import pytest

import cuberails
from cuberails.core.playout import pick
from cuberails.core.scene import Scene
from cuberails.draw import html
from cuberails.draw.board import form_of
from cuberails.draw.palette import PAINTS
from cuberails.titles import load, scene


def seen(key: str, actions: int) -> Scene:
    title = load(key)
    game, rng = title.new(title.least_players, {}), Random(key)
    for _ in range(actions):
        game.play(pick(game, rng))
    return scene(game, ["<Anna>", "Ben & Co", "Cleo"][: title.least_players])


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
    game = load("wabash").new(2, {})
    before = scene(game)
    game.apply(game.parse("bid 9"))
    changed = html.changes(before, scene(game))
    assert {"seat-0", "seat-1"} <= set(changed) <= {"seat-0", "seat-1", "company-PA"}
    assert html.changes(before, before) == {}


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
