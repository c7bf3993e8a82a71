"""A table without help says so wherever somebody could miss it, and gives none."""

from __future__ import annotations

from random import Random

from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.player import play, wait_for_turn


def test_a_table_without_help_says_so_and_gives_no_hint(person: Opener) -> None:
    page = person()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.click("[data-new=wabash]")
    page.uncheck("#new-table [name=help]")
    page.click("#new-table .main")
    page.wait_for_selector("body.ready")
    wait_for_turn(page)
    expect(page.locator(".no-help")).to_have_text("No help")
    expect(page.locator("[data-do=hint]")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#note")).to_contain_text("No help at this table")
    page.locator("[data-do=hint]").click(force=True)
    page.keyboard.press("h")
    page.evaluate("() => fetch('/health').then(answer => answer.text())")
    assert not [url for url in asked if "/hint" in url]
    expect(page.locator("#ideas")).to_be_hidden()
    expect(page.locator("#help-here")).to_contain_text("hints and fair prices were switched off", use_inner_text=False)
    for tab in ("rules", "chat", "more", "table"):  # and nothing else is missing
        page.click(f"#tab-{tab}")
        expect(page.locator(f"#panel-{tab}")).to_be_visible()
    play(page, Random(3), 2)
    page.click("[data-time=back]")
    page.click("[data-time=now]")


def test_a_table_has_help_unless_it_is_switched_off(person: Opener) -> None:
    page = person()
    page.click("[data-new=wabash]")
    expect(page.locator("#new-table [name=help]")).to_be_checked()
    page.click("#new-table .main")
    page.wait_for_selector("body.ready")
    expect(page.locator(".no-help")).to_have_count(0)
    expect(page.locator("[data-do=hint]")).not_to_have_attribute("aria-disabled", "true")
