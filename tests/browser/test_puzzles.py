"""Positions to be solved: puzzles of the day, and the mistakes of an analysed game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cuberails.bots.puzzle import puzzle_of_day
from cuberails.server import exercises
from cuberails.server.requests import TableRequest
from tests.browser.conftest import Opener
from tests.browser.serving import Server
from tests.browser.test_access import violations
from tests.server.exercised import keep
from tests.server.house import hall, opened_by
from tests.server.test_exercises import RECORD, better, decisions

DAY = exercises.today()
PUZZLE = puzzle_of_day("wabash", DAY)


def choose(page: Page, action: str) -> None:
    """Press what chooses an action, wherever it is offered."""
    closed = page.locator("#choices details:not([open]) summary")
    if page.locator(f'#choices [data-action="{action}"]:visible').count() == 0 and closed.count():
        closed.first.click()
    number = page.locator("#choices input[type=number]")
    if action.startswith("bid ") and number.count():
        number.fill(action.split()[1])
    page.locator(f'#choices [data-action="{action}"]:visible').first.click()


def test_a_puzzle_is_found_tried_and_solved(person: Opener) -> None:
    page = person()
    page.click("text=Puzzles")
    page.click("[data-puzzle=wabash] a")
    page.wait_for_selector("body.ready")
    choose(page, PUZZLE.ideas[1].action)
    expect(page.locator("#ideas h2")).to_contain_text("is not the best")
    expect(page.locator("#ideas")).to_be_focused()
    expect(page.locator("#ideas ol")).to_have_count(0)
    choose(page, PUZZLE.answer)
    expect(page.locator("#ideas h2")).to_have_text(f"Right: {PUZZLE.answer[0].upper()}{PUZZLE.answer[1:]}")
    expect(page.locator("#ideas li")).to_have_count(len(PUZZLE.ideas))
    page.click("text=Puzzles of the day")
    expect(page.locator("[data-puzzle=wabash] .result")).to_have_text("✓ Solved")
    expect(page.locator("[data-puzzle=gmo] .result")).to_be_hidden()


def test_all_that_can_be_chosen_is_seen_at_once(person: Opener) -> None:
    """On a wide screen no choice is half hidden, also when a wrong one was tried: it might be the answer."""
    for key in ("wabash", "credit_mobilier"):
        page = person(1280, 900, path=f"/puzzle/{key}/{DAY}")
        page.wait_for_selector("body.ready")
        decide = page.locator(".decide")
        assert decide.evaluate("box => box.scrollHeight - box.clientHeight") <= 0
        choose(page, puzzle_of_day(key, DAY).ideas[1].action)
        expect(page.locator("#ideas h2")).to_be_visible()
        assert decide.evaluate("box => box.scrollHeight - box.clientHeight") <= 0


def test_who_has_seen_the_answer_has_not_solved_it(person: Opener) -> None:
    page = person(path=f"/puzzle/wabash/{DAY}")
    page.wait_for_selector("body.ready")
    choose(page, PUZZLE.ideas[1].action)
    page.click("text=See the answer")
    expect(page.locator("#ideas h2")).to_contain_text("The answer")
    choose(page, PUZZLE.answer)
    expect(page.locator("#ideas h2")).to_contain_text("Right")
    page.click("text=Puzzles of the day")
    expect(page.locator("[data-puzzle=wabash] .result")).to_have_text("Answer seen")


def test_days_in_a_row_are_counted_up_to_yesterday_or_today(person: Opener) -> None:
    page = person(path="/puzzles")
    script = """(back) => {
        const days = back.map((n) => new Date(Date.parse(document.querySelector("main").dataset.today) - n * 864e5));
        const kept = days.map((day) => [`gmo ${day.toISOString().slice(0, 10)}`, "first"]);
        localStorage.setItem("cuberails-puzzles", JSON.stringify(Object.fromEntries(kept)));
    }"""
    for back, said in (
        ([1, 2, 3, 5], "Solved on 3 days in a row"),
        ([0, 1], "Solved on 2 days in a row"),
        ([2, 3], ""),
    ):
        page.evaluate(script, back)
        page.reload()
        expect(page.locator("#streak")).to_have_text(said or "Solved on 0 days in a row")
        expect(page.locator("#streak")).to_be_visible() if said else expect(page.locator("#streak")).to_be_hidden()


def test_the_game_can_be_played_on_from_a_puzzle(person: Opener) -> None:
    page = person(path=f"/puzzle/wabash/{DAY}")
    page.wait_for_selector("body.ready")
    choose(page, PUZZLE.ideas[1].action)
    page.locator("#ideas").get_by_text("Play on from here").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("body.ready")
    expect(page.locator(".prompt")).to_contain_text("Your turn")


def test_ones_own_mistakes_are_solved_one_after_the_other(person: Opener, server: Server) -> None:
    with hall(server.file) as (tables, _):
        table = opened_by(tables, TableRequest(record=RECORD))
        keep(tables, table, decisions(table.game))
        game = table.game
    page = person(path=f"/t/{table.id}/mistakes?seat={game.steps[20].seat}")
    page.wait_for_selector("body.ready")
    expect(page.locator("#task")).to_contain_text(game.steps[20].action.text)
    assert violations(page) == []
    page.evaluate("action => document.querySelector(`#choices [data-action='${action}']`).click()", better(game, 20))
    expect(page.locator("#ideas h2")).to_contain_text("Right")
    expect(page.locator("#ideas li").nth(1)).to_contain_text("as it was played")
    page.locator("#ideas").get_by_text("Next mistake").click()
    expect(page.locator("h1")).to_contain_text("Mistake 2 of 2")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_puzzles_have_no_violation(person: Opener, scheme: str, width: int) -> None:
    page = person(width, 844, path="/puzzles")
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    assert violations(page) == []
    page.click("[data-puzzle=wabash] a")
    page.wait_for_selector("body.ready")
    assert violations(page) == []
    choose(page, PUZZLE.ideas[1].action)
    page.click("text=See the answer")
    expect(page.locator("#ideas ol")).to_be_visible()
    assert violations(page) == []
