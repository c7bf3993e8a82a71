"""A board of one's own, from the file to the table: chosen, checked, refused with its sentence, played on."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cuberails.core.boardfile import BoardError
from cuberails.titles import load, read_board
from tests.browser.conftest import Opener
from tests.browser.player import count, wait_beyond, wait_for_turn

BUILT_IN = load("wabash").board
RICH = BUILT_IN.text.replace("money = 120", "money = 600").replace(BUILT_IN.name, "Rich barons")
BAD = RICH.replace("cubes = 21", "cubes = 0")


def choose_file(page: Page, folder: Path, text: str) -> None:
    """Choose a board file with this text in the form for a new table."""
    file = folder / "own.toml"
    file.write_text(text)
    page.select_option("#new-table [name=board]", "own")
    with page.expect_file_chooser() as chooser:
        page.click("#new-table [name=board_file]")
    chooser.value.set_files(file)


def test_a_table_is_opened_on_a_board_file(person: Opener, tmp_path: Path) -> None:
    page = person()
    page.click("[data-new=gmo]")
    choose_file(page, tmp_path, RICH)
    expect(page.locator("[data-board-note]")).to_contain_text("Own board: Rich barons. " + BUILT_IN.provenance.note)
    expect(page.locator("#new-table [name=title]")).to_have_value("wabash")  # the file says which game it is for
    page.click("#new-table .main")
    page.wait_for_selector("main.table")
    expect(page.locator("h1")).to_have_text("Wabash Cannonball own board: Rich barons")
    assert wait_for_turn(page)
    before = count(page)
    page.fill("#choices .amount", "150")
    page.click("#choices button.main")
    wait_beyond(page, before)
    page.click("#tab-more")
    expect(page.locator("#panel-more")).to_contain_text("Rich barons (own board)")
    page.click("#tab-rules")
    expect(page.locator("#panel-rules")).to_contain_text("Names and numbers here are those of the built-in board")


def test_a_bad_board_is_refused_with_its_sentence_and_no_table_is_opened(person: Opener, tmp_path: Path) -> None:
    page = person()
    page.click("[data-new=wabash]")
    choose_file(page, tmp_path, BAD)
    with pytest.raises(BoardError) as error:
        read_board("own.toml", BAD)
    expect(page.locator("[data-board-refusal]")).to_have_text(str(error.value))
    page.click("#new-table .main")
    expect(page.locator("[data-refusal]")).to_contain_text("Choose a board file")
    choose_file(page, tmp_path, RICH + "#" * 400_000)
    expect(page.locator("[data-board-refusal]")).to_contain_text("own.toml is too long")
    choose_file(page, tmp_path, RICH)  # the same file, mended
    expect(page.locator("[data-board-refusal]")).to_be_hidden()
    expect(page.locator("#new-table [data-refusal]")).to_be_hidden()
    page.select_option("#new-table [name=board]", BUILT_IN.digest)
    page.click("#new-table .main")
    page.wait_for_selector("main.table")
    expect(page.locator("h1")).to_have_text("Wabash Cannonball")


def test_the_board_of_the_chosen_game_can_be_downloaded(person: Opener) -> None:
    page = person()
    page.click("[data-new=wabash]")
    for key in ("wabash", "gmo"):
        page.select_option("#new-table [name=title]", key)
        with page.expect_download() as download:
            page.click("[data-board-file]")
        assert download.value.path().read_text() == load(key).board.text
