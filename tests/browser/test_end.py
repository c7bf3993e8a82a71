"""The end of a game on the page: why, standings, sources, and a chart along which one travels."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import cuberails
from tests.browser.conftest import Opener

RECORDS = Path("tests/records")
_OPEN = """async (request) => (await (await fetch('/api/tables', {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(request)})).json()).page"""


def at_the_end(page: Page, key: str) -> int:
    """A finished game at a table; how many actions it has."""
    record = (RECORDS / key / "3-players-greedy.txt").read_text("utf-8")
    page.goto(page.url.split("/t/")[0].rstrip("/") + page.evaluate(_OPEN, {"record": record}))
    page.wait_for_selector("#course .travel .cursor", state="attached")
    return cuberails.read(record).count


@pytest.mark.parametrize("key", ["wabash", "southern_rails", "gmo", "baltimore_ohio", "credit_mobilier"])
def test_the_end_says_why_who_and_where_it_came_from(person: Opener, key: str) -> None:
    page = person(1366, 700)
    at_the_end(page, key)
    record = cuberails.read((RECORDS / key / "3-players-greedy.txt").read_text("utf-8"))
    expect(page.locator("#course .why")).to_contain_text("It ended because")
    scores = sorted(record.state.scores(), reverse=True)
    assert page.locator("#course .standings b").all_inner_texts() == [str(score) for score in scores]
    assert page.locator("#course .total td").all_inner_texts() == [str(score) for score in scores]
    page.click("#course .why .cite")
    expect(page.locator("#panel-rules .rule.fresh")).to_be_visible()


def test_moving_along_the_chart_travels_in_time(person: Opener) -> None:
    page = person()
    count = at_the_end(page, "wabash")
    chart = page.locator("#course .travel svg")
    box, width = chart.bounding_box(), width_of(chart)
    assert box
    half = box["x"] + box["width"] * (30 + (360 - 30 - 90) / 2) / 360
    page.mouse.move(half, box["y"] + 40)
    page.mouse.down()
    expect(page.locator("body.past")).to_have_count(1)
    expect(page.locator("#when")).to_contain_text(f" of {count}")
    first = page.locator("#when").inner_text()
    assert abs(int(first.split()[0]) - count / 2) < 3
    assert width_of(chart) == width
    page.mouse.move(half - 20, box["y"] + 40)
    page.mouse.up()
    expect(page.locator("#when")).not_to_have_text(first)
    expect(page.locator("#prompt")).to_contain_text("Then:")
    assert width_of(chart) == width


def width_of(chart: Locator) -> tuple[float, float]:
    """Where it begins and how wide it is: what a finger on it relies on."""
    box = chart.bounding_box()
    assert box
    return box["x"], box["width"]


def test_the_chart_is_a_slider_for_the_keyboard_too(person: Opener) -> None:
    page = person()
    count = at_the_end(page, "southern_rails")
    slider = page.locator("#course [role=slider]")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#when")).to_have_text(f"{count - 1} of {count}")
    page.keyboard.press("PageDown")
    expect(slider).to_have_attribute("aria-valuenow", str(count - 11))
    expect(page.locator("#when")).to_have_text(f"{count - 11} of {count}")
    page.keyboard.press("Home")
    expect(page.locator("#when")).to_have_text(f"0 of {count}")
    page.keyboard.press("End")
    expect(page.locator("#when")).to_have_text("now")


def test_the_cursor_of_the_chart_follows_the_slider_under_the_board(person: Opener) -> None:
    page = person()
    count = at_the_end(page, "wabash")
    page.locator("#moment").fill("10")
    expect(page.locator("#course .travel output")).to_contain_text(f"10 of {count}: ")
    expect(page.locator("#course [role=slider]")).to_have_attribute("aria-valuenow", "10")


def test_a_finger_travels_on_a_phone(person: Opener) -> None:
    page = person(390, 844, touch=True)
    count = at_the_end(page, "gmo")
    chart = page.locator("#course .travel svg")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 4, box["y"] + 40)
    expect(page.locator("#course .travel output")).not_to_contain_text(f"{count} of {count}")
    expect(page.locator("body.past")).to_have_count(1)


def test_practice_from_any_point_of_a_finished_game(person: Opener) -> None:
    page = person()
    at_the_end(page, "wabash")
    button = page.locator("text=Practise from here")
    expect(button).to_be_disabled()
    page.locator("#course [role=slider]").focus()
    page.keyboard.press("ArrowLeft")
    expect(button).to_be_enabled()
    before = page.url
    button.click()
    page.wait_for_url(lambda url: url.partition("#")[0] != before.partition("#")[0])
    page.wait_for_selector("body.ready")
    expect(page.locator("body.over")).to_have_count(0)


def test_a_rematch_has_the_same_players(person: Opener) -> None:
    page = person()
    at_the_end(page, "southern_rails")
    before = page.url
    page.click("#course >> text=Rematch")
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector("body.ready")
    expect(page.locator("body.over")).to_have_count(0)
    for name in ("Ann", "Bob", "Cleo"):
        expect(page.locator("#seats")).to_contain_text(name)


def test_the_record_can_be_downloaded_at_the_end(person: Opener) -> None:
    page = person()
    at_the_end(page, "credit_mobilier")
    with page.expect_download() as download:
        page.click("#course >> text=Record")
    assert download.value.suggested_filename.startswith("credit_mobilier-")


@pytest.mark.parametrize("width", [390, 820, 1366, 1920])
def test_the_chart_is_never_larger_than_one_reads(person: Opener, width: int) -> None:
    page = person(width, 900)
    at_the_end(page, "wabash")
    box = page.locator("#course .travel").bounding_box()
    assert box
    assert box["width"] <= min(width, 640)
    assert box["height"] <= 380
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_running_game_shows_its_course_on_demand(person: Opener) -> None:
    page = person()
    record = (RECORDS / "wabash" / "3-players-greedy.txt").read_text("utf-8")
    page.goto(page.url.rstrip("/") + page.evaluate(_OPEN, {"record": record, "at": 60}))
    page.wait_for_selector("body.ready")
    expect(page.locator("#course > *")).to_have_count(0)
    page.click("#tab-more")
    page.click("[data-do=course]")
    expect(page.locator("#scores .travel .cursor")).to_have_count(1)
