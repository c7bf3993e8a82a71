"""cuberails: railway board games in which players own shares of railways that they build together.

>>> import cuberails
>>> game = cuberails.new("wabash", players=4)
>>> game.prompt
'Bid $7 or more for PA, or pass'
"""

from __future__ import annotations

from cuberails.core.record import Game, read_record
from cuberails.core.state import CHANCE, IllegalAction, State, show_with
from cuberails.draw import picture, plain
from cuberails.titles import KEYS as TITLES
from cuberails.titles import load, scene

__all__ = ["CHANCE", "TITLES", "Game", "IllegalAction", "State", "load", "new", "read", "scene"]
__version__ = "0.1.0"

show_with(plain, picture)


def new(title: str, players: int, **options: str) -> State:
    """A game at its first decision; options of the title by keyword."""
    return load(title).new(players, options)


def read(record: str) -> Game:
    """The game of a record in text or JSON; every action is checked."""
    return read_record(record, load)
