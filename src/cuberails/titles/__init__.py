"""The titles: one package each, all with the same five rooms. This is the only place that opens their files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from cuberails.core.board import read_board
from cuberails.core.scene import Scene
from cuberails.core.state import State
from cuberails.core.title import SetupError, Title
from cuberails.titles.wabash.judge import worth as wabash_worth
from cuberails.titles.wabash.rules import WabashTitle
from cuberails.titles.wabash.scene import scene as wabash_scene

_TITLES = {"wabash": WabashTitle}
_SCENES = {"wabash": wabash_scene}
_JUDGES = {"wabash": wabash_worth}
KEYS = tuple(_TITLES)


@cache
def load(key: str) -> Title:
    """The title with this key, on its own board."""
    if key not in _TITLES:
        raise SetupError(f"there is no title {key!r}; the titles are {', '.join(KEYS)}")
    room = files(__name__) / key
    board = read_board(f"{key}/board.toml", (room / "board.toml").read_text("utf-8"))
    return _TITLES[key](board, (room / "rules.md").read_text("utf-8"), load)


def scene(game: State, names: Sequence[str] | None = None) -> Scene:
    """What a player sees of a position."""
    return _SCENES[game.title.key](game, names or [f"Seat {n}" for n in range(game.players)])


def worth(game: State) -> list[float]:
    """What a position is worth to each seat, in the unit of its scores."""
    return _JUDGES[game.title.key](game)
