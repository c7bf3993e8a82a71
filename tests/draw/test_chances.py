"""The drawing of all chances over a game: bands that can be told apart, and turning points that are marked."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from cuberails.draw.chances import Mark, chances

SVG = "{http://www.w3.org/2000/svg}"
COURSE = [[0.4, 0.4, 0.2], [0.5, 0.3, 0.2], [0.5, 0.1, 0.4], [0.0, 0.0, 1.0]]
NAMES = ["Ann", "Bob", "Cleo"]
HOSTILE = '<script>alert(1)</script>"&\x00'


def drawn(**options: object) -> ElementTree.Element:
    return ElementTree.fromstring(chances(NAMES, COURSE, **options))  # type: ignore[arg-type]


def edges(band: ElementTree.Element) -> list[tuple[float, float]]:
    points = re.findall(r"([\d.]+) ([\d.]+)", band.get("d", ""))
    return [(float(x), float(y)) for x, y in points]


def test_bands_lie_on_each_other_and_fill_the_drawing() -> None:
    root = drawn(width=500, height=300)
    bands = [edges(node) for node in root.iter(f"{SVG}path") if node.get("class") == "band"]
    assert len(bands) == 3
    top, low = bands[0][0][1], bands[-1][-1][1]
    for n in range(4):
        column = [(band[n][1], band[-1 - n][1]) for band in bands]  # a band goes there above and back below
        assert column[0][0] == top
        assert column[-1][1] == low
        assert column[0][1] == column[1][0]
        assert column[1][1] == column[2][0]
        heights = [(lower - upper) / (low - top) for upper, lower in column]
        assert heights == pytest.approx(COURSE[n], abs=0.002)


def test_no_colour_is_needed() -> None:
    """Every seat has a pattern of its own, and its name with the chance at the end beside it."""
    root = drawn()
    patterns = ["".join(path.get("d", "") for path in node.iter(f"{SVG}path")) for node in root.iter(f"{SVG}pattern")]
    assert len(set(patterns)) == 3
    said = ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]
    assert {"Ann 0 %", "Bob 0 %", "Cleo 100 %", "end (3 actions)"} <= set(said)


def test_it_has_the_size_asked_for_and_nothing_leaves_it() -> None:
    marks = [Mark(n % 4, str(n), "") for n in sorted([0, 1, 2, 3] * 3, key=lambda n: n % 4)]
    root = drawn(width=480, height=240, marks=marks)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("480", "240", "0 0 480 240")
    centres = [float(node.get("cx", "nan")) for node in root.iter(f"{SVG}circle")]
    assert len(centres) == 12
    assert all(right - left > 18 for left, right in pairwise(centres))
    assert 9 <= min(centres) <= max(centres) <= 471


def test_turning_points_are_marked_where_they_are() -> None:
    root = drawn(marks=[Mark(2, "1", "letting PA go")])
    (group,) = [node for node in root.iter(f"{SVG}g") if node.get("class") == "turning"]
    assert group.findtext(f"{SVG}title") == "letting PA go"
    left, right = float(root.get("data-from", "")), float(root.get("data-to", ""))
    assert f"L{left + (right - left) * 2 / 3:.1f} ".replace(".0 ", " ") in ElementTree.tostring(group, "unicode")
    assert "Turning points: 1" in root.get("aria-label", "")


def test_every_moment_can_be_pressed() -> None:
    root = drawn(link=lambda n: f"#moment-{n}&x")
    assert [node.get("href") for node in root.iter(f"{SVG}a")] == [f"#moment-{n}&x" for n in range(4)]


def test_inside_a_page_it_brings_no_style() -> None:
    inside = chances(NAMES, COURSE, alone=False)
    assert "style" not in inside
    assert "prefers-color-scheme:dark" in chances(NAMES, COURSE)


def test_names_are_text_whatever_is_in_them() -> None:
    root = ElementTree.fromstring(chances([HOSTILE, "b" * 500, "\u202e"], COURSE, [Mark(1, "1", HOSTILE)]))
    assert not list(root.iter(f"{SVG}script"))
    assert "<script>" in root.get("aria-label", "")


def test_a_game_without_actions_can_be_drawn() -> None:
    ElementTree.fromstring(chances(["Ann", "Bob"], [[0.5, 0.5]]))
