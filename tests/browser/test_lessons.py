"""First games: the coach says what a decision is about, points at the right choice, and answers others kindly."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import cuberails
from cuberails.core.lesson import Lesson, LessonStep
from cuberails.titles import load
from tests.browser.conftest import Opener
from tests.browser.player import wait_for_turn

LESSONS = [key for key in cuberails.TITLES if load(key).lesson is not None]
RULE = re.compile(r"\b[A-Z]{1,3}\d+\.\d+\b")


def lesson_of(key: str) -> Lesson:
    lesson = load(key).lesson
    assert lesson is not None
    return lesson


def begin(page: Page, key: str) -> Lesson:
    page.click(f".lessons [data-lesson={key}]")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("body.ready")
    return lesson_of(key)


def introduced(page: Page, step: LessonStep) -> None:
    """Wait until the coach has come to a decision."""
    expect(page.locator("#coach .before")).to_have_text(step.before)


def follow(page: Page, action: str) -> None:
    """Press what stands out: a place on the board, a button, or what leads to it; else ask the coach to do it."""
    wait_for_turn(page)
    place = page.locator("#board .target.idea .aim")
    if place.count():
        place.first.click(force=True)
        if page.locator("#chooser").is_visible():
            page.click(f'#chooser [data-action="{action}"]')
    elif button(page, action).count():
        button(page, action).first.click()
    elif action.startswith("bid ") and page.locator("#choices input[type=number]").count():
        page.fill("#choices input[type=number]", action.split()[1])
        button(page, action).first.click()
    else:
        page.click("#coach >> text=Do it for me")


def button(page: Page, action: str) -> Locator:
    return page.locator(f'[data-action="{action}"].taught:visible')


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_is_played_by_following_the_coach(person: Opener, key: str) -> None:
    page = person()
    lesson = begin(page, key)
    expect(page.locator("#coach .after")).to_have_text(lesson.welcome)
    for step in lesson.steps:
        introduced(page, step)
        follow(page, step.action)
        expect(page.locator("#coach .after")).to_have_text(step.after)
    expect(page.locator("#coach .before")).to_have_text(lesson.farewell)
    page.click("#coach >> text=Play on against bots")
    expect(page.locator("#coach")).to_be_hidden()


def test_a_lesson_is_played_by_keyboard_alone(person: Opener) -> None:
    page = person()
    page.focus(".lessons [data-lesson=southern_rails]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("body.ready")
    for n, step in enumerate(lesson_of("southern_rails").steps):
        introduced(page, step)
        if not n:
            tab_to(page, "#coach .row button")
        expect(page.locator("#coach .row button")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("#coach .main")).to_be_focused()


def tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by Tab")


@pytest.mark.parametrize("width", [390, 820])
def test_another_choice_is_answered_kindly_and_not_played(person: Opener, width: int) -> None:
    page = person(width, 844, touch=width < 500)
    lesson = begin(page, "wabash")
    introduced(page, lesson.steps[0])
    page.click('#choices [data-action="pass"]')
    answer = page.locator("#coach .kindly")
    expect(answer).to_contain_text("“Pass” is possible too. But here, try “Bid 12”.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#coach >> text=Do it for me")
    introduced(page, lesson.steps[1])


def test_who_does_it_anyway_can_go_back_to_the_lesson(person: Opener) -> None:
    page = person()
    lesson = begin(page, "wabash")
    introduced(page, lesson.steps[0])
    page.click('#choices [data-action="pass"]')
    page.click("text=Do it anyway")
    page.click("text=Back to the lesson")
    introduced(page, lesson.steps[0])


def test_a_lesson_goes_on_after_the_page_was_loaded_again(person: Opener) -> None:
    page = person()
    lesson = begin(page, "gmo")
    introduced(page, lesson.steps[0])
    page.click("#coach >> text=Do it for me")
    introduced(page, lesson.steps[1])
    page.reload()
    introduced(page, lesson.steps[1])
    expect(page.locator("#coach .after")).to_have_text(lesson.steps[0].after)


def test_the_rules_that_the_coach_cites_are_read_beside_the_board(person: Opener) -> None:
    page = person()
    lesson = begin(page, "credit_mobilier")
    introduced(page, lesson.steps[0])
    number = RULE.findall(lesson.steps[0].before)[0]
    page.click(f"#coach >> text={number}")
    expect(page.locator(f"#panel-rules [id='rule-{number}']")).to_be_visible()


def test_after_the_lesson_a_real_game_can_be_started(person: Opener) -> None:
    page = person()
    lesson = begin(page, "southern_rails")
    for step in lesson.steps:
        introduced(page, step)
        page.click("#coach >> text=Do it for me")
    before = page.url
    page.click("#coach >> text=Start a real game")
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector("body.ready")
    expect(page.locator("#coach")).to_be_hidden()
