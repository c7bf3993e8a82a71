"""What fits on a terminal of so many rows: what is to be decided stays in sight, whatever else has no room."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import cuberails
from cuberails.core.game import Game
from cuberails.core.state import CHANCE
from cuberails.terminal.menu import NumberedMenu
from cuberails.terminal.screen import Screen
from cuberails.terminal.sentences import news_for
from cuberails.titles import scene

RECORDS = Path(__file__).parent.parent / "records"


def shown(game: Game, width: int, height: int) -> list[str]:
    """The rows that a decision takes on such a terminal, when it is not the first."""
    written = io.StringIO()
    console = Console(file=written, width=width, height=height, force_terminal=True, color_system=None)
    view, actor = scene(game.state, game.seats), game.state.actor
    assert actor is not None
    screen = Screen(console)
    screen.board(scene(game.at(0), game.seats))
    written.truncate(0)
    written.seek(0)
    screen.decision(view, news_for(game, actor), NumberedMenu(game.state, view))
    return written.getvalue().splitlines()


def late_decisions(key: str) -> list[Game]:
    """Decisions from the second half of a recorded game, of different kinds."""
    record = next(path for path in sorted((RECORDS / key).glob("*-greedy.txt")) if path.name[0] in "34")
    game = cuberails.read(record.read_text("utf-8"))
    found: dict[str, Game] = {}
    while len(game.steps) > 20 and len(found) < 4:
        game.undo()
        if game.state.actor not in (None, CHANCE):
            found.setdefault(type(game.state.phase).__name__, game.fork())
    return list(found.values())


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 40), (120, 50)])
@pytest.mark.parametrize("key", cuberails.TITLES)
def test_a_decision_fits_on_the_terminal_whenever_its_choices_do(key: str, width: int, height: int) -> None:
    for game in late_decisions(key):
        rows = shown(game, width, height)
        menu = io.StringIO()
        Screen(Console(file=menu, width=width)).menu(NumberedMenu(game.state, scene(game.state, game.seats)))
        assert len(rows) < height or len(menu.getvalue().splitlines()) > height - 12
        assert any(game.state.prompt[:30] in row for row in rows[1 - height :])


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_the_map_is_in_sight_on_forty_rows(key: str) -> None:
    game = late_decisions(key)[0]
    assert not any("`map` shows the map" in row for row in shown(game, 100, 40))


def test_what_has_no_room_is_named_with_the_command_that_shows_it() -> None:
    rows = shown(late_decisions("wabash")[0], 80, 24)
    assert any("`map` shows the map" in row for row in rows)
    assert any("Player" in row for row in rows)


def test_a_pipe_gets_everything() -> None:
    written = io.StringIO()
    game = late_decisions("wabash")[0]
    view = scene(game.state, game.seats)
    Screen(Console(file=written, width=100)).decision(view, [], NumberedMenu(game.state, view))
    assert "Not all fits" not in written.getvalue()
    assert "Philadelphia" in written.getvalue()
