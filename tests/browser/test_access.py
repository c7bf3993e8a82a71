"""Every page under axe-core, which finds what people with a screen reader or weak sight would stumble over."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.player import open_title, wait_for_turn
from tests.browser.serving import Server
from tests.browser.test_decide import open_moment
from tests.browser.test_viewport import MOMENTS
from tests.server.house import SLOW, hall, opened

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def violations(page: Page) -> list[str]:
    page.wait_for_function("() => !document.querySelector('.fresh')")  # colours in motion have no contrast
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate("axe.run().then(result => result.violations)")
    return [f"{each['impact']}: {each['help']}, at {each['nodes'][0]['target']}" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/rules/wabash", "/t/nowhere", "/standings", "/notifications"])
def test_a_page_has_no_violation(person: Opener, path: str, scheme: str) -> None:
    page = person(path=path)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_has_no_violation_in_any_panel(person: Opener, scheme: str) -> None:
    page = person()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_title(page, "credit_mobilier")
    wait_for_turn(page)
    for tab in page.locator("[role=tab]:visible").all():
        tab.click()
        assert violations(page) == [], tab.text_content()
    page.keyboard.press("?")
    assert violations(page) == []


def test_a_table_where_a_bot_thinks_has_no_violation(person: Opener, server: Server) -> None:
    with hall(server.file) as (tables, _):
        id = opened(tables, "b..", level=SLOW).id
    page = person()
    page.route("**/events*", lambda route: None)  # it thinks for ever
    page.goto(f"{server.address}/t/{id}")
    expect(page.locator(".prompt").get_by_role("progressbar")).to_be_visible()
    assert violations(page) == []


SIZES = [(390, 844), (820, 1180), (1366, 700), (1440, 900), (1920, 1080)]


@pytest.mark.parametrize("key", MOMENTS)
def test_no_kind_of_decision_has_a_violation_at_any_size(person: Opener, server: Server, key: str) -> None:
    page = person()
    found = []
    for n, (word, start) in enumerate(MOMENTS[key]):
        open_moment(page, server, key, word, start)
        for turn, (width, height) in enumerate(SIZES[n % 2 :: 2]):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme="dark" if (n + turn) % 2 else "light")
            found += [f"{word} at {width}: {violation}" for violation in violations(page)]
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_window_beside_a_railroad_has_no_violation(person: Opener, server: Server, scheme: str) -> None:
    page = person(1366, 700)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_moment(page, server, "baltimore_ohio", "start")
    page.locator("#choices [data-opens]").first.click()
    expect(page.locator("#chooser")).to_be_visible()
    assert violations(page) == []


def test_the_form_for_a_new_table_has_no_violation(person: Opener) -> None:
    page = person()
    page.click("[data-new=baltimore_ohio]")
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_invitation_has_no_violation(person: Opener, server: Server, scheme: str) -> None:
    page, guest = person(), person()
    guest.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    seats = [{"name": "Ann"}, {"name": "Bob", "by": "link"}]
    table = page.request.post(f"{server.address}/api/tables", data={"title": "wabash", "seats": seats}).json()
    guest.goto(server.address + next(link for link in table["links"] if link))
    expect(guest.get_by_role("heading")).to_have_text("A seat for Bob")
    assert violations(guest) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_lesson_has_no_violation(person: Opener, scheme: str) -> None:
    page = person()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.click(".lessons [data-lesson=wabash]")
    page.wait_for_selector("#coach .before")
    page.click('#choices [data-action="pass"]')
    expect(page.locator("#coach .kindly")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_end_of_a_game_has_no_violation(person: Opener, server: Server, scheme: str) -> None:
    page = person()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    record = Path("tests/records/gmo/3-players-greedy.txt").read_text("utf-8")
    table = page.request.post(f"{server.address}/api/tables", data={"record": record}).json()
    page.goto(server.address + table["page"])
    page.wait_for_selector("#course .travel .cursor", state="attached")
    assert violations(page) == []
