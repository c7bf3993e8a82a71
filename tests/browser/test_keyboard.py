"""Whole games without a mouse: of every title by the keys, and one by the text board and the names of buttons alone."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import cuberails
from tests.browser.conftest import Opener
from tests.browser.player import count, is_over, wait_beyond, wait_for_turn
from tests.browser.serving import Server

RECORDS = Path(__file__).parent.parent / "records"
MOST_DECISIONS = 1000

_ACTIVE = """() => {
    const node = document.activeElement;
    const kind = node.matches('.target') ? 'place' : node.matches('input[type=number]') ? 'amount'
        : node.matches('select') ? 'list' : node.matches('#choices summary') ? 'fold'
        : node.matches('[data-opens]') ? 'opener' : node.matches('[data-action], [data-pass-until]') ? 'button' : '';
    return { kind, least: Number(node.min), most: Number(node.max) };
}"""
_MOVED = """before => Number(document.querySelector('#moment').max) !== before
    || document.querySelector('#chooser:not([hidden])')?.contains(document.activeElement)"""


def opened(page: Page, server: Server, wanted: dict[str, Any]) -> None:
    """A table as the API opens it, in this browser; everything after that is up to the keys."""
    answer = page.request.post(f"{server.address}/api/tables", data=wanted)
    assert answer.ok, answer.text()
    page.goto(f"{server.address}/t/{answer.json()['id']}")
    page.wait_for_selector("body.ready")


def new_game(key: str, players: int) -> dict[str, Any]:
    bots = [{"name": f"Bot {n}", "by": "bot", "level": "greedy"} for n in range(2, players + 1)]
    return {"title": key, "seats": [{"name": "Ann"}, *bots], "seating": "listed"}


def near_the_end(key: str, name: str, left: int) -> dict[str, Any]:
    """A recorded game shortly before its end: the first seat is ours."""
    record = (RECORDS / key / name).read_text("utf-8")
    players = int(name[0])
    bots = [{"name": f"Bot {n}", "by": "bot", "level": "greedy"} for n in range(2, players + 1)]
    return {"record": record, "at": max(1, actions_in(record) - left), "seats": [{"name": "Ann"}, *bots]}


def actions_in(record: str) -> int:
    return len(cuberails.read(record).steps)


GAMES = {
    "wabash": new_game("wabash", 2),
    "gmo": new_game("gmo", 3),
    "credit_mobilier": new_game("credit_mobilier", 2),
    "baltimore_ohio": new_game("baltimore_ohio", 3),
}


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game_by_keyboard_alone(person: Opener, server: Server, key: str) -> None:
    page = person(width=1366, height=700)
    opened(page, server, GAMES[key])
    play_by_keys(page, Random(key))


def test_a_whole_game_by_keyboard_alone_from_the_home_page_on(person: Opener) -> None:
    page = person()
    tab_to(page, "document.activeElement.dataset.new === 'southern_rails'")
    page.keyboard.press("Enter")
    for seat in (2, 3):
        tab_to(page, f"document.activeElement.ariaLabel === 'Who plays seat {seat}'")
        page.keyboard.type("Bot: greedy")
    tab_to(page, "document.activeElement.value === 'open'")
    page.keyboard.press("Enter")
    page.wait_for_selector("main.table")
    page.wait_for_selector("body.ready")
    play_by_keys(page, Random(2))


def tab_to(page: Page, there: str, key: str = "Tab") -> None:
    """Press Tab, or another key, until this is true."""
    for _ in range(300):
        if page.evaluate(there):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {there}")


def play_by_keys(page: Page, rng: Random) -> None:
    for _ in range(MOST_DECISIONS):
        if not wait_for_turn(page):
            break
        decide(page, rng)
    assert is_over(page)


def decide(page: Page, rng: Random) -> None:
    """Take one decision with keys: a place by the arrows, a button by its number, or whatever Tab leads to."""
    before = count(page)
    ways = [by_arrows, by_tab, by_number]
    rng.shuffle(ways)
    assert any(way(page, rng) for way in ways)
    page.wait_for_function(_MOVED, arg=before)
    if count(page) == before:
        finish_in_chooser(page, rng)
    wait_beyond(page, before)


def active(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(_ACTIVE)
    return found


def by_arrows(page: Page, rng: Random) -> bool:
    """To the board, a few steps, Enter; False if nothing can be chosen there."""
    page.keyboard.press("b")
    if active(page)["kind"] != "place":
        return False
    for _ in range(rng.randrange(4)):
        page.keyboard.press(rng.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
    assert active(page)["kind"] == "place"
    page.keyboard.press("Enter")
    return True


def by_number(page: Page, rng: Random) -> bool:
    """The key of a button that shows one."""
    keys = page.eval_on_selector_all("#choices [data-key]", "nodes => nodes.map(node => node.dataset.key)")
    page.keyboard.press("b")  # digits in a field are its own
    if not keys:
        return False
    page.keyboard.press(rng.choice(keys))
    return True


def by_tab(page: Page, rng: Random) -> bool:
    """To the choices, some steps further, and Enter; an amount is typed."""
    page.keyboard.press("c")
    if not active(page)["kind"]:
        return False
    for _ in range(rng.randrange(5)):
        unfold(page)
        page.keyboard.press("Tab")
    if active(page)["kind"] not in ("amount", "button", "opener"):  # beyond the choices: back to the first
        page.keyboard.press("c")
        if unfold(page):
            page.keyboard.press("Tab")
    return enter(page, rng)


def unfold(page: Page) -> bool:
    """Open the list of places at which the focus stands; False if it stands elsewhere."""
    if active(page)["kind"] != "fold":
        return False
    if not page.evaluate("document.activeElement.parentNode.open"):
        page.keyboard.press("Enter")
    return True


def enter(page: Page, rng: Random) -> bool:
    here = active(page)
    if here["kind"] == "amount":
        amount = rng.randint(int(here["least"]), min(int(here["most"]), int(here["least"]) + 3))
        page.keyboard.type(str(amount))
    page.keyboard.press("Enter")
    return True


def finish_in_chooser(page: Page, rng: Random) -> None:
    """In the window beside a place or a railroad: Tab to one of its actions, and Enter."""
    actions = page.locator("#chooser [data-action]").count()
    wanted = rng.randrange(actions)
    reached = -1
    for _ in range(60):
        if page.evaluate("document.activeElement.matches('#chooser [data-action]')"):
            reached += 1
            if reached == wanted:
                break
        page.keyboard.press("Tab")
    assert reached == wanted, "Tab does not reach the actions of the window"
    page.keyboard.press("Enter")


def test_digits_in_the_window_beside_a_railroad_press_nothing_behind_it(person: Opener, server: Server) -> None:
    page = person()
    opened(page, server, near_the_end("baltimore_ohio", "3-players-greedy.txt", 10_000))
    assert wait_for_turn(page)
    before = count(page)
    page.locator("#choices [data-opens]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chooser")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("9")
    page.keyboard.press("Escape")
    expect(page.locator("#chooser")).to_be_hidden()
    assert count(page) == before


# By words alone


def test_a_whole_game_by_the_text_board_and_the_names_of_buttons_alone(person: Opener, server: Server) -> None:
    page = person()
    opened(page, server, new_game("southern_rails", 3))
    tab_to(page, "document.activeElement.id === 'tab-table'")
    tab_to(page, "document.activeElement.id === 'tab-more'", "ArrowRight")
    tab_to(page, "document.activeElement.matches('#words summary')")
    page.keyboard.press("Enter")
    rng = Random(7)
    for _ in range(MOST_DECISIONS):
        if not wait_for_turn(page):
            break
        before = count(page)
        button = named_in_words(page, rng)
        button.focus()
        page.keyboard.press("Enter")
        wait_beyond(page, before)
    assert is_over(page)
    expect(page.get_by_label("The table as text")).to_contain_text("(winner)")


def words(page: Page) -> str:
    """The table as text, as it stands."""
    return page.get_by_label("The table as text").inner_text()


def named_in_words(page: Page, rng: Random) -> Locator:
    """A button whose name begins with what the text says can be done: a place marked with > on its map, or a share."""
    wait_for_words(page)
    places = re.findall(r">([A-Z]\d+)", words(page))
    fold = page.get_by_text(re.compile(r"^\d+ choices, marked on the board$"))
    if fold.count() and not fold.evaluate("node => node.parentNode.open"):
        fold.focus()
        page.keyboard.press("Enter")
    choices = page.get_by_role("region", name="What you can do")
    if places:
        place = rng.choice(places)
        return choices.get_by_role("button", name=re.compile(rf"^Place \w+ {place}\b")).first
    return choices.get_by_role("button", name=re.compile(r"^Take ")).first


def wait_for_words(page: Page) -> None:
    """Wait until the text is that of the position at hand."""
    page.wait_for_function("""async () => {
        const now = await fetch(`${location.pathname}/text`);
        return await now.text() === document.querySelector('#words pre').textContent;
    }""")
