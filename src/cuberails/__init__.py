"""cuberails: railway board games in which players own shares of railways that they build together.

>>> import cuberails
>>> state = cuberails.new("wabash", players=4)
>>> state.prompt
'Bid $7 or more for PA, or pass'
"""

from __future__ import annotations

from cuberails.bots.worth import worth
from cuberails.core.action import UnknownAction
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.record import RecordError, read_record
from cuberails.core.state import CHANCE, IllegalAction, State, set_renderers
from cuberails.core.title import SetupError, Title
from cuberails.draw import picture, plain
from cuberails.titles import keys, load, read_board, scene

__all__ = [
    "CHANCE",
    "TITLES",
    "Board",
    "BoardError",
    "Game",
    "IllegalAction",
    "RecordError",
    "SetupError",
    "State",
    "Title",
    "UnknownAction",
    "load",
    "new",
    "read",
    "read_board",
    "scene",
    "worth",
]
__version__ = "0.1.0"

TITLES = keys()
"""The keys of all installed titles."""

set_renderers(plain, picture)


def new(title: str, players: int, *, board: Board | None = None, **options: str) -> State:
    """A State: a position at its first decision, on the title's own board or another; options by keyword."""
    if not isinstance(players, int):
        raise SetupError(f"players must be a whole number, not {players!r}")
    if board is not None and not isinstance(board, Board):
        raise SetupError(f"board must be a Board, as cuberails.read_board(file, text) gives one, not {board!r}")
    return load(title).new(players, options, board)


def read(record: str, board: Board | None = None) -> Game:
    """A Game: the one of a record in text or JSON, with its history; every action is checked.

    The board is for a record that only names its own.
    """
    return read_record(record, load, board)
