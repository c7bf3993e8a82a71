"""People who type what a test tells them to."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

from rich.console import Console

import cuberails
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.terminal import TerminalGame
from cuberails.terminal.keyboard import Keyboard, Offers
from cuberails.terminal.storage import Autosave

WABASH = cuberails.load("wabash").board
HOT_SEAT = ("Ann", "Bob", "Cy")
WITH_BOTS = ("Ann", "Random 2", "Random 3")


class Script(Keyboard):
    """Somebody who types these lines; an exception is what happens instead of a line."""

    def __init__(self, *lines: str | BaseException) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []

    def ask(self, prompt: str, offers: Offers) -> str:
        self.prompts.append(prompt)
        line = self.lines.pop(0) if self.lines else EOFError()
        if isinstance(line, BaseException):
            raise line
        return line


def game_of(names: tuple[str, ...], *actions: str) -> Game:
    game = Game(WABASH, names)
    for action in actions:
        game.apply(game.state.parse(action))
    return game


def random_game(names: tuple[str, ...], seed: int = 3) -> Game:
    """A whole game played at random."""
    game, rng = Game(WABASH, names), Random(seed)
    while game.state.actor is not None:
        game.apply(pick(game.state, rng))
    return game


def sit_down(game: Game, path: Path, *lines: str | BaseException, seed: int | None = 1) -> tuple[TerminalGame, str]:
    """The table after these lines, and all that was written."""
    written = io.StringIO()
    table = TerminalGame(game, Autosave(path), seed, Script(*lines), Console(file=written, width=100, highlight=False))
    try:
        table.run()
    finally:
        print(written.getvalue())
    return table, written.getvalue()


def played(game: Game) -> list[str]:
    return [step.action.text for step in game.steps]


def kept(path: Path) -> list[str]:
    """The actions in the file."""
    return played(cuberails.read(path.read_text()))
