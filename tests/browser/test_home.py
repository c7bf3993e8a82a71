"""The home page: where to start, what titles and options are about, and refusals where they belong."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

import cuberails
from cuberails.titles import load
from tests.browser.conftest import Opener
from tests.browser.player import open_title

KEYS = ["wabash", "southern_rails", "gmo", "baltimore_ohio", "credit_mobilier"]


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_a_new_person_sees_where_to_start(person: Opener, width: int) -> None:
    page = person(width, 844)
    expect(page.locator("#start")).to_be_in_viewport()
    expect(page.locator("[data-play]").first).to_be_in_viewport()  # nothing is nearer than a game
    lessons = page.locator(".lessons li")
    for kind in ("lesson", "play"):
        buttons = lessons.locator(f"[data-{kind}]").all()
        assert [button.get_attribute(f"data-{kind}") for button in buttons] == KEYS
    for key, lesson in zip(KEYS, lessons.all(), strict=True):
        expect(lesson).to_contain_text(load(key).name)
        expect(lesson).to_contain_text(load(key).weight)
        expect(lesson).to_contain_text("about")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_titles_tell_their_weight_and_other_names(person: Opener) -> None:
    page = person()
    card = page.locator(".offer", has=page.locator("[data-play=wabash]"))
    expect(card).to_contain_text("also known as Chicago Express")
    expect(card.locator(".weight")).to_have_text("medium")
    expect(card.locator("[data-lesson=wabash]")).to_be_visible()


@pytest.mark.parametrize("key", [key for key in KEYS if load(key).options])
def test_every_option_is_explained_in_a_sentence(person: Opener, key: str) -> None:
    page = person()
    page.click(f"[data-new={key}]")
    title = cuberails.load(key)
    for name in title.options:
        select = page.locator(f"[data-option={name}]")
        explained = page.locator(f"#{select.get_attribute('aria-describedby')}")
        expect(explained).to_have_text(title.explained[name])
        expect(explained).to_be_visible()


def test_a_record_that_cannot_be_opened_is_refused_where_it_was_given(person: Opener, tmp_path: Path) -> None:
    page = person(1440, 700)
    refusal = page.locator("[data-import-refusal]")
    page.click("text=Open record")
    expect(refusal).to_have_text("Choose a file with a record, or paste one.")
    file = tmp_path / "broken.txt"
    file.write_text("cuberails 1\ntitle: wabash\nseat: Ann\nseat: Bob\n\nbid 7\nfly to Chicago\n")
    page.set_input_files("[data-import] [type=file]", file)
    page.click("text=Open record")
    expect(refusal).to_contain_text("fly to Chicago")
    expect(refusal).to_be_in_viewport()
    expect(page.locator("main > .refusal")).to_be_hidden()


@pytest.mark.parametrize("path", ["/rules/wabash", ""])
def test_a_search_of_the_rules_without_a_hit_says_so(person: Opener, path: str) -> None:
    page = person(path=path or "/")
    if not path:
        open_title(page, "wabash")
        page.click("#tab-rules")
    search = page.locator("[data-search]")
    search.fill("zeppelin")
    expect(page.locator(".no-rule")).to_have_text("No rule has “zeppelin” in it. Try a shorter word.")
    search.fill("dividend")
    expect(page.locator(".no-rule")).to_be_hidden()
    expect(page.locator(".rule:visible").first).to_be_visible()
