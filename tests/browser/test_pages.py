"""The pages as pages: no sideways scrolling, rules that can be searched, the table in words, errors as sentences."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

import cuberails
from cuberails.bots import LEVELS
from tests.browser.conftest import Opener
from tests.browser.player import count, open_title, play, wait_beyond, wait_for_turn


def overhang(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_no_page_scrolls_sideways(person: Opener, width: int) -> None:
    page = person(width, 844)
    assert overhang(page) == 0
    page.click("[data-new=wabash]")
    assert overhang(page) == 0
    page.keyboard.press("Escape")
    page.goto(page.url + "rules/wabash")
    assert overhang(page) == 0


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_no_panel_of_a_table_scrolls_sideways_on_a_phone(person: Opener, key: str) -> None:
    page = person(390, 844)
    open_title(page, key)
    play(page, Random(key), 6)
    for tab in ("table", "log", "rules", "more"):
        page.click(f"#tab-{tab}")
        assert overhang(page) == 0, tab
    page.click("#words summary")
    assert overhang(page) == 0


def test_a_finger_is_asked_before_a_small_place_is_taken(person: Opener) -> None:
    page = person(390, 844, touch=True)
    open_title(page, "southern_rails")
    choice, target = page.locator("#choices button:visible").first, page.locator("#board .target").first
    assert wait_for_turn(page)
    while not target.count():
        before = count(page)
        choice.tap()
        wait_beyond(page, before)
        assert wait_for_turn(page)
    target.locator(".aim").tap(force=True)
    expect(page.locator("#chooser")).to_be_visible()
    page.click("#chooser >> text=Cancel")
    expect(page.locator("#chooser")).to_be_hidden()


def test_a_title_tells_its_players_its_length_and_shows_its_board(person: Opener) -> None:
    page = person()
    lines = page.locator(".offer .players").all_text_contents()
    assert len(lines) == len(cuberails.TITLES)
    assert all("players · about" in line for line in lines)
    board = page.request.get(page.url + "picture/credit_mobilier.svg").text()
    assert "red goods" in board  # also where chance sets the board up


def test_the_form_for_a_new_table_tells_what_the_chosen_bots_are_like(person: Opener) -> None:
    page = person()
    page.click("[data-new=southern_rails]")
    bots = page.locator("#new-table .bots")
    expect(bots).to_have_text(f"Medium{LEVELS['medium'].character}")
    page.locator("#new-table li select").nth(2).select_option("bot expert")
    expect(bots.locator("dd")).to_have_text([LEVELS["medium"].character, LEVELS["expert"].character])
    page.locator("#new-table li select").nth(1).select_option("link")
    expect(bots).to_have_text(f"Expert{LEVELS['expert'].character}")


def test_rules_can_be_searched(person: Opener) -> None:
    page = person(path="/rules/wabash")
    page.fill("[data-search]", "chicago dividend")
    expect(page.locator(".rule:visible").first).to_contain_text("Chicago")
    assert 0 < page.locator(".rule:visible").count() < page.locator(".rule").count()


def test_the_table_can_be_read_as_text(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    page.click("#tab-more")
    page.click("#words summary")
    expect(page.locator("#words pre")).to_contain_text("Philadelphia")


def test_a_wrong_link_gets_a_sentence(person: Opener) -> None:
    page = person(path="/t/nowhere")
    expect(page.locator("main")).to_contain_text("There is no such table")
    page.click("text=Back to all games")
    expect(page.locator(".offer")).to_have_count(len(cuberails.TITLES) + 1)
