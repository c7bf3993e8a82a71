"""Records as files: read with care, and written so that a crash never leaves half a game."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import cuberails
from cuberails.core.board import Board
from cuberails.core.game import Game
from cuberails.core.record import RecordError

LARGEST = 5_000_000
"""Bytes. The longest games take a hundredth of this; anything larger is no record."""


def read_game(name: str, board: Board | None = None) -> Game:
    """The game in the file of this name, `-` for the standard input; RecordError names the file.

    The board is for a record that only names its own.
    """
    shown = "the standard input" if name == "-" else name
    try:
        return cuberails.read(read_text(name), board)
    except UnicodeDecodeError:
        raise RecordError(f"{shown} is not a record: it is not text in UTF-8") from None
    except RecordError as error:
        raise RecordError(f"{shown}: {error}") from None


def read_text(name: str) -> str:
    """What is in the file of this name, `-` for the standard input, if it is not too large for a record."""
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        with open(name, "rb") as file:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise RecordError(f"a file of more than {LARGEST // 1_000_000} MB is no record of a game")
    return data.decode("utf-8")


def write(path: Path, text: str) -> None:
    """Put the text into the file in one step: whatever happens, the old or the new text is there."""
    with _beside(path, text) as (written, target):
        os.replace(written, target)


def check_writable(path: Path) -> None:
    """Fail as `write` would, before there is anything to write; nothing changes."""
    with _beside(path, ""):
        pass


@contextmanager
def _beside(path: Path, text: str) -> Iterator[tuple[Path, Path]]:
    """A new file with the text beside the one that it is to replace, and that one; the new one does not stay."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(0, "it is not a file", str(path))
    written = target.with_name(f".{target.name[:80]}.{os.getpid()}.tmp")
    try:
        written.write_text(text, "utf-8")
        yield written, target
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        written.unlink(missing_ok=True)


def games_folder() -> Path:
    """Where games are saved that were given no file."""
    base = os.environ.get("XDG_DATA_HOME", "")
    data = base if os.path.isabs(base) else os.path.expanduser("~/.local/share")
    return Path(data).absolute() / "cuberails" / "games"


def new_file(title: str) -> Path:
    """A file for a new game of this title."""
    folder = games_folder()
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{title}-{datetime.now():%Y%m%d-%H%M%S}"
    names = [f"{stem}.txt", *(f"{stem}-{n}.txt" for n in range(2, 1000))]
    return next(folder / name for name in names if not (folder / name).exists())


def waiting_game(title: str) -> Path | None:
    """The file of the newest saved game of this title, if it is unfinished."""
    try:
        files = sorted(games_folder().glob(f"{title}-*.txt"), key=lambda path: path.stat().st_mtime)
        unfinished = files and read_game(str(files[-1])).state.actor is not None
    except (RecordError, OSError):
        return None
    return files[-1] if unfinished else None


class Autosave:
    """Saves a game in its file after each action, as JSON if it was JSON.

    `problem` says why the last attempt failed, and is empty while all is well.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        found = _text_in(path)
        self._expected = {None, found}
        self._json = (found or "").lstrip("\ufeff \t\r\n").startswith("{")
        self._saved = ""

    def mark_saved(self, game: Game) -> None:
        """The file holds this game already, or there is nothing to save yet: write only what follows."""
        self._saved = self._written(game)

    def save(self, game: Game) -> bool:
        """Write the game down; False if it could not be written."""
        text = self._written(game)
        if text == self._saved:
            return True
        try:
            self._replace(text)
        except OSError as error:
            self.problem = error.strerror or str(error)
            return False
        self._saved, self.problem = text, ""
        return True

    def _replace(self, text: str) -> None:
        """Another player of the same file must not lose a game to this one."""
        found = _text_in(self.path)
        if found not in self._expected:
            raise OSError(0, "another program has changed it")
        self._expected = {None, found, text}  # before writing: Ctrl-C may come at any moment
        write(self.path, text)

    def _written(self, game: Game) -> str:
        return game.to_json() if self._json else game.to_text()

    def command(self, game: Game) -> str:
        """What to type in order to resume the game."""
        return f"cuberails play {game.title.key} --record {shlex.quote(str(self.path))}"


def _text_in(path: Path) -> str | None:
    """What is in the file; None if there is none that can be read."""
    try:
        return path.read_text("utf-8", errors="replace") if path.is_file() else None
    except OSError:
        return None
