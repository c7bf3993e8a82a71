"""What one needs to decide: tables to compare in, prices on the choices, one bid field, and what is done unasked."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import cuberails
from tests.browser.conftest import Opener
from tests.browser.player import count, follow, open_title, open_with_bots, wait_beyond, wait_for_turn
from tests.browser.serving import Server

RECORDS = Path(__file__).parent.parent / "records"


def open_moment(page: Page, server: Server, key: str, word: str, start: int = 0, wait: bool = True) -> None:
    """A table of a recorded game of four, at the first moment from `start` on where an action with this word is legal.

    Whoever opens it has the seat to decide.
    """
    text = (RECORDS / key / "4-players-greedy.txt").read_text()
    game = cuberails.read(text)
    words = ({action.word for action in game.at(n).legal_actions()} for n in range(start, game.count))
    at = next(n for n, legal in enumerate(words, start) if word in legal)
    answer: Any = page.request.post(f"{server.address}/api/tables", data={"record": text, "at": at}).json()
    page.goto(server.address + answer["page"])
    page.wait_for_selector("body.ready")
    assert not wait or wait_for_turn(page)


def column(page: Page, label: str) -> list[str]:
    cells = page.locator(f"#companies .company:visible [data-fact='{label}']")
    return [re.sub(r"[^\d]", "", text) for text in cells.all_text_contents()]


def test_railroads_are_sorted_on_demand_and_stay_so(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "wabash", "expand", 60)
    first = column(page, "Income")
    page.click("#companies [data-sort=Income]")
    expect(page.locator("#companies [aria-sort=descending]")).to_have_text("Income")
    assert column(page, "Income") == sorted(first, key=int, reverse=True)
    before = count(page)
    page.locator("#choices [data-action='expand nothing']").click()
    wait_beyond(page, before)
    incomes = [int(text) for text in column(page, "Income")]
    assert incomes == sorted(incomes, reverse=True)
    for _ in range(2):
        page.click("#companies [data-sort=Income]")
    expect(page.locator("#companies [aria-sort=descending]")).to_have_count(0)


def test_railroads_that_have_not_started_are_folded_away(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "baltimore_ohio", "purchase", 20)
    idle = page.locator("#companies .idle").first
    expect(idle).to_be_hidden()
    page.click("#folded")
    expect(idle).to_be_visible()
    page.click("#folded")
    expect(idle).to_be_hidden()


def test_holdings_stand_beside_the_figures_and_ones_own_stand_out(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "wabash", "expand", 60)
    heads = page.locator("#companies thead .who").all_text_contents()
    assert heads == ["Ann", "Bob", "Cleo", "Dan"]
    expect(page.locator("#companies thead .who.me")).to_have_count(1)


def test_a_market_has_its_prices_on_the_railroads_and_every_amount_in_a_window_beside(
    person: Opener, server: Server
) -> None:
    page = person(1440, 900)
    open_moment(page, server, "baltimore_ohio", "buy", 20)
    opener = page.locator("#companies .do [data-opens^='Buy']").first
    expect(opener).to_contain_text("$")
    opener.click()
    amounts = page.locator("#chooser .amounts button")
    expect(amounts.first).to_be_visible()
    labels = [text or "" for text in amounts.all_text_contents()]
    assert all(re.fullmatch(r"\d+\$\d+", text) for text in labels), labels
    beside, window = opener.bounding_box(), page.locator("#chooser").bounding_box()
    assert beside is not None
    assert window is not None
    assert window["y"] <= beside["y"] + beside["height"] / 2 <= window["y"] + window["height"]
    page.keyboard.press("Escape")
    expect(page.locator("#chooser")).to_be_hidden()
    expect(opener).to_be_focused()


def test_choices_tell_their_price_and_doing_nothing_comes_last(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "baltimore_ohio", "purchase", 20)
    expect(page.locator("#choices [data-action=purchase]")).to_contain_text("$")
    open_moment(page, server, "wabash", "expand", 60)
    for word in ("capitalize", "develop", "expand"):
        actions = page.eval_on_selector_all(
            f"#choices [data-action^='{word} ']", "all => all.map(node => node.dataset.action)"
        )
        if f"{word} nothing" in actions:
            assert actions[-1] == f"{word} nothing"


def test_one_field_for_bids_selects_steps_and_tells_what_is_left(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    wait_for_turn(page)
    bid, left = page.locator("#choices input.amount"), page.locator("#choices .range")
    least = int(bid.input_value())
    expect(left).to_contain_text(f"at least ${least}")
    bid.focus()
    before = count(page)
    page.keyboard.type("12")  # what stood there was selected; digits are no commands here
    expect(bid).to_have_value("12")
    expect(left).to_contain_text("you have $40, $28 left")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("PageUp")
    expect(bid).to_have_value("18")
    assert count(page) == before
    page.keyboard.press("Enter")
    wait_beyond(page, before)
    page.wait_for_selector("#log li >> text=bids $18")


def test_a_bid_that_is_none_says_what_would_be_right(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    wait_for_turn(page)
    bid, said = page.locator("#choices input.amount"), page.locator("#choices .range")
    before = count(page)
    for text, words in (("9999", "at most 40"), ("1", "at least"), ("7.5", "a whole number")):
        bid.fill(text)
        expect(said).to_contain_text(words)
        bid.press("Enter")
        expect(page.locator("#choices .stepper button:not(.step)")).to_be_disabled()
    assert count(page) == before


def test_a_press_that_shows_what_waits_decides_nothing(person: Opener, server: Server) -> None:
    page = person(pace="slow")
    open_with_bots(page, "southern_rails", "random")
    assert wait_for_turn(page)
    seat = page.evaluate("() => JSON.parse(document.querySelector('main').dataset.first).mine[0]")
    for own in (1, 2, 3):  # two shares and a cube: then most of the board could be chosen
        before = count(page)
        follow(page, Random(own))
        wait_beyond(page, before)
        if page.locator("body.behind").count():
            page.locator("#viewport").click()
            expect(page.locator("body.behind")).to_have_count(0)
        assert wait_for_turn(page)
        log = page.request.get(page.url.replace("/t/", "/api/tables/") + "/news").json()
        assert sum(step["seat"] == seat for step in log) == own


def test_the_best_cities_are_served_unasked_unless_one_wants_to_choose(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "baltimore_ohio", "serve", wait=False)
    page.wait_for_function("() => document.querySelector('#log').textContent.includes('serve its best cities')")
    page.keyboard.press("u")  # after going back nothing is done unasked
    best = page.locator("#choices [data-action='serve best']")
    expect(best).to_be_visible()
    page.click("#tab-more")
    page.uncheck("[data-switch=usual]")
    page.reload()
    expect(best).to_be_visible()


def test_who_passes_until_something_changes_is_asked_again_when_it_has(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "baltimore_ohio", "pass", 20)
    before = count(page)
    page.click("[data-pass-until]")
    wait_beyond(page, before)
    page.wait_for_selector("#log li >> text=passes")
    wait_for_turn(page)  # asked again: something has changed, or it is another question
    expect(page.locator("#automatic")).to_be_hidden()


@pytest.mark.parametrize("key", ["wabash", "gmo"])
def test_targets_carry_who_would_build_the_price_and_the_gain(person: Opener, server: Server, key: str) -> None:
    page = person()
    open_moment(page, server, key, "build", 40)
    tags = page.locator("#board .target .tag text").all_text_contents()
    assert tags
    assert all(re.match(r"\S+ \$\d+", tag) for tag in tags), tags


def test_enter_on_the_board_leaves_the_keyboard_on_the_board(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "wabash", "build", 40)
    page.keyboard.press("b")
    expect(page.locator("#board .target:focus")).to_have_count(1)
    before = count(page)
    page.keyboard.press("Enter")
    wait_beyond(page, before)
    wait_for_turn(page)
    if page.locator("#board .target").count():
        expect(page.locator("#board .target:focus")).to_have_count(1)
    else:
        expect(page.locator("#choices :focus")).to_have_count(1)
