"""A person who follows what the page offers, and nothing else."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Locator, Page

_READY = """() => document.body.classList.contains('over')
    || (document.querySelector('#choices button') && !document.querySelector('#choices.waiting'))"""


def open_title(page: Page, key: str) -> None:
    """From the home page to a running game."""
    page.click(f"[data-play={key}]")
    page.wait_for_selector("main.table")
    page.wait_for_selector("body.ready")


def open_with_bots(page: Page, key: str, level: str) -> None:
    """A new table against bots of this level."""
    page.click(f"[data-new={key}]")
    for seat in page.locator("#new-table li select").all()[1:]:
        seat.select_option(f"bot {level}")
    page.click("#new-table .main")
    page.wait_for_selector("main.table")
    page.wait_for_selector("body.ready")


def take_seat(page: Page, link: str) -> None:
    """Open the link of a seat and take it."""
    page.goto(link)
    page.click("text=Take the seat")
    page.wait_for_url("**/t/*")


def count(page: Page) -> int:
    """How many actions the game has."""
    return int(page.locator("#moment").get_attribute("max") or 0)


def is_over(page: Page) -> bool:
    return page.locator("body.over").count() > 0


def wait_for_turn(page: Page) -> bool:
    """False if the game ended instead."""
    page.wait_for_function(_READY, timeout=180_000)
    return not is_over(page)


def play(page: Page, rng: Random, most: int) -> int:
    """Follow highlighted places and buttons until the game ends; how often something was clicked."""
    for clicks in range(most):
        if not wait_for_turn(page):
            return clicks
        before = count(page)
        follow(page, rng)
        wait_beyond(page, before)
    return most


def follow(page: Page, rng: Random) -> None:
    """Take a highlighted place on the board if there is one, otherwise a button."""
    targets = page.locator("#board .target")
    buttons = page.locator("#choices button:not(.step):visible")
    if targets.count() and (rng.random() < 0.7 or not buttons.count()):
        _one(targets, rng).locator(".aim").click(force=True)
    else:
        _one(buttons, rng).click()
    if page.locator("#chooser").is_visible():
        for menu in page.locator("#chooser .picker select").all()[:1]:
            menu.select_option(index=rng.randrange(menu.locator("option").count()))
        _one(page.locator("#chooser button[data-action]"), rng).click()


def wait_beyond(page: Page, before: int) -> None:
    """Wait until the table has moved on."""
    page.wait_for_function("before => Number(document.querySelector('#moment').max) !== before", arg=before)


def _one(found: Locator, rng: Random) -> Locator:
    return found.nth(rng.randrange(found.count()))
