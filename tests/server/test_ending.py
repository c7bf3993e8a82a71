"""The end of a game: why it ended, and sources that add up to the scores."""

from __future__ import annotations

from pathlib import Path

import pytest

import cuberails
from cuberails.core.event import Ended, Forced
from cuberails.core.game import Game
from cuberails.server.ending import HELD, START, Source, account, ending, reason
from cuberails.server.view import course

RECORDS = sorted(Path("tests/records").glob("*/3-players-greedy.txt"))


def read(file: Path) -> Game:
    return cuberails.read(file.read_text("utf-8"))


def amounts(sources: list[Source]) -> dict[str, list[int]]:
    return {source.name: source.amounts for source in sources}


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: str(file.parent.name))
def test_the_sources_add_up_to_the_scores(file: Path) -> None:
    game = read(file)
    found = account(game).counted
    assert [sum(source.amounts[seat] for source in found) for seat in range(3)] == game.state.scores()


def test_only_what_the_shares_are_worth_is_told_by_no_event() -> None:
    """In Baltimore & Ohio they count; in all other games every dollar and every point has its event."""
    with_rest = [file.parent.name for file in RECORDS if HELD in amounts(account(read(file)).counted)]
    assert with_rest == ["baltimore_ohio"]


def test_money_is_told_apart_where_points_win() -> None:
    found = account(read(Path("tests/records/gmo/3-players-greedy.txt")))
    assert "cities" in amounts(found.counted)
    assert list(amounts(found.aside)) == ["dividends"]


def test_it_begins_with_what_everybody_had() -> None:
    assert account(read(Path("tests/records/wabash/3-players-greedy.txt"))).counted[0] == Source(START, [40, 40, 40])


def test_the_page_says_why_and_by_which_rule() -> None:
    game = read(Path("tests/records/wabash/3-players-greedy.txt"))
    page = ending(game, course(game))
    assert 'because 3 or more railroads have sold all their shares (<a class="cite" href="#rule-W11.1">' in page
    assert "<li value=1 class=winner>Ann <b>153</b></li>" in page
    assert "<td>−74</td>" in page


def test_before_the_end_there_is_no_reason_and_nobody_has_won() -> None:
    game = read(Path("tests/records/wabash/3-players-greedy.txt"))
    game.undo()
    page = ending(game, course(game))
    assert "because" not in page
    assert "winner" not in page


def test_a_forced_end_is_an_end_too() -> None:
    ended = Ended("W11.1", "it was late")
    assert reason([Forced(ended)]) == ended
    assert reason([]) is None
