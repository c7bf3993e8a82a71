"""How tests call the command, and what they expect of it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import cuberails
from cuberails.bots import make
from cuberails.cli import main
from cuberails.core.game import Game


def random_game(actions: int | None = None) -> Game:
    """A game of random bots, played to the end or for this many actions."""
    game = Game(cuberails.load("wabash").board, ["Ann", "Bob", "Cy"])
    bot = make("random", 5)
    while game.state.actor is not None and (actions is None or len(game.steps) < actions):
        game.apply(bot.choose(game.state))
    return game


def says(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints that must succeed."""
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refuses(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """The one sentence of a command that must fail."""
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert captured.err.startswith("cuberails: ")
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    return captured.err


def own_board(home: Path, name: str = "Rich start", title: str = "wabash") -> Path:
    """A file with a board like the built-in one, but with another name; Wabash starts with $600 on it."""
    text = cuberails.load(title).board.text
    built_in = cuberails.load(title).board.name
    file = home / "my.toml"
    file.write_text(text.replace(f'name = "{built_in}"', f'name = "{name}"').replace("money = 120", "money = 600"))
    return file


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, with the package that is being tested."""
    package = Path(cuberails.__file__).parent.parent
    with subprocess.Popen(
        [sys.executable, "-m", "cuberails.cli", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(package)},
    ) as process:
        try:
            yield process
        finally:
            process.kill()
