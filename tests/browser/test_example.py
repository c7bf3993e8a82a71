"""A title in a package of its own at a table in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.player import is_over, open_with_bots, play
from tests.browser.serving import Server
from tests.examples.conftest import installed as installed


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, installed: dict[str, str]) -> Iterator[Server]:
    """A server where Slate Lines is installed."""
    server = Server(tmp_path_factory.mktemp("tables") / "tables.db", env=installed)
    server.start()
    yield server
    server.stop()


def test_a_whole_game_can_be_clicked_to_its_end(person: Opener) -> None:
    page = person()
    open_with_bots(page, "slate_lines", "greedy")
    play(page, Random(1), 300)
    assert is_over(page)
    expect(page.locator("#prompt")).to_contain_text("The game is over.")
    expect(page.locator("#course .standings li")).to_have_count(3)
    expect(page.locator("#log")).to_contain_text("season 4 was the last")


def test_its_board_shows_its_own_terrain(person: Opener) -> None:
    page = person()
    open_with_bots(page, "slate_lines", "random")
    assert page.locator("#board svg").inner_html().count("#bcc0c9") > 0


def test_its_rules_can_be_read(person: Opener) -> None:
    page = person(path="/rules/slate_lines")
    expect(page.locator("body")).to_contain_text("Only one tramway can build in a quarry.")


def test_the_panel_says_that_the_title_does_not_tell_what_its_shares_are(person: Opener) -> None:
    page = person()
    open_with_bots(page, "slate_lines", "random")
    page.keyboard.press("w")
    expect(page.locator("#worth-state")).to_contain_text("Slate Lines does not say what its shares are")
    expect(page.locator("#panel-worth").get_by_role("progressbar")).to_have_count(0)
