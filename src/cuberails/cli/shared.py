"""What commands share: their common arguments, how they find titles and boards, and how they write."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from cuberails import TITLES, __version__, load, read_board
from cuberails.bots import LEVELS
from cuberails.core import state
from cuberails.core.board import Board
from cuberails.core.boardfile import MOST_LETTERS, BoardError
from cuberails.core.title import SetupError, Title
from cuberails.terminal.screen import COLUMNS
from cuberails.terminal.storage import write

MOST_BYTES = 4 * MOST_LETTERS
"""No board file is larger, whatever its letters."""

Item = TypeVar("Item")


def version() -> str:
    """Which version runs, and whether its engine is compiled by mypyc or interpreted from the same source."""
    form = "interpreted" if state.__file__.endswith(".py") else "compiled"
    return f"cuberails {__version__}, engine {form}"


# Arguments


def whole(text: str | int) -> int:
    """A number on the command line; typer's own complaint would not say what was typed."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{str(text)[:40]!r} is not a whole number") from None


def expanded(path: str | Path) -> Path:
    """A file on the command line; ~ is one's home."""
    return Path(path).expanduser()


TitleKey = Annotated[str, typer.Argument(metavar="TITLE", help="A title, as `cuberails titles` lists them.")]
RecordFile = Annotated[str, typer.Argument(metavar="FILE", help="A record in text or JSON; - reads the input.")]
At = Annotated[
    int | None, typer.Option(parser=whole, metavar="N", help="After this many actions; negative: from the end.")
]
Svg = Annotated[str | None, typer.Option(metavar="OUT", help="Draw a picture into this file; - writes it out.")]
Players = Annotated[int | None, typer.Option(parser=whole, metavar="N", help="Seats at the table; 3 if not given.")]
Bots = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME…", help=f"Bots by kind: {', '.join(LEVELS)}. A short list repeats."),
]
Jobs = Annotated[int, typer.Option(parser=whole, metavar="J", help="Processes that play side by side.")]
RayAddress = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Play on the Ray cluster there; auto: that of this machine."),
]
GamesFile = Annotated[
    Path | None,
    typer.Option("--file", parser=expanded, metavar="FILE", help="Keep games here; those in it are not played again."),
]
Seed = Annotated[int, typer.Option(parser=whole, metavar="S", help="The same seed gives the same games.")]
Options = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the title.")]
AsJson = Annotated[bool, typer.Option("--json", help="The figures as JSON.")]
OwnBoard = Annotated[
    str | None, typer.Option("--board", metavar="FILE", help="Play on the board in this file, not on the built-in one.")
]


def bot_kinds(given: Sequence[str] | None) -> list[str]:
    """Bots as they were given, in one option or several."""
    return [kind.casefold() for entry in given or [] for kind in re.split(r"[,\s]+", entry) if kind]


def options_of(given: Sequence[str] | None) -> dict[str, str]:
    """Options of a title as they were given, `name=value` each."""
    for entry in given or []:
        if "=" not in entry:
            raise SetupError(f"--option {entry!r} must be written as name=value")
    return {name.strip(): value.strip() for name, _, value in (entry.partition("=") for entry in given or [])}


# Titles and boards


def find_title(key: str) -> Title:
    """The title that was meant; SetupError names the nearest."""
    plain = _plain(key)
    if plain in TITLES:
        return load(plain)
    near = get_close_matches(plain, TITLES, 1)
    hint = f"did you mean {near[0]}?" if near else f"the titles are {', '.join(TITLES)}"
    raise SetupError(f"there is no title {key!r}; {hint}")


def is_title(key: str) -> bool:
    return _plain(key) in TITLES


def _plain(key: str) -> str:
    return key.casefold().replace("-", "_").replace(" ", "_")


def board_in(file: str, title: Title | None = None) -> Board:
    """The board in a file, of this title if one is given; BoardError says what is wrong with it."""
    return read_board(file, _text_of_board(file), title)


def board_for(title: Title, file: str | None) -> Board:
    """The board to play on: the one in the file, or the built-in one."""
    return title.board if file is None else board_in(file, title)


def _text_of_board(file: str) -> str:
    try:
        with Path(file).expanduser().open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BoardError(file, "", "is not text in UTF-8; a board file is TOML, as `board copy` makes one") from None
    except OSError as error:
        raise BoardError(file, "", f"cannot be read: {error.strerror or error}") from None


# Writing


def console() -> Console:
    """Pipes and files get the full width."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=COLUMNS)


def grid(*headings: str | Column, padding: int = 2) -> Grid:
    """A table without lines."""
    return Grid(*headings, box=None, padding=(0, padding), header_style="bold")


def progress(items: Iterable[Item], what: str, total: int, unit: str = "games") -> Iterator[Item]:
    """The items with a bar that grows on a terminal, and tells the rate and the time left."""
    out = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(unit), TimeRemainingColumn())
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        yield from bar.track(items, total, description=what)


class Rate(ProgressColumn):
    """How many a second, or a minute if they are slow."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        speed = task.speed or 0.0
        return Text(f"{speed:.0f} {self._unit}/s" if speed >= 10 else f"{60 * speed:.0f} {self._unit}/min")


def draw_into(name: str, drawing: str, source: str) -> None:
    """Write a picture to a file, or out for `-`; never over the file that it was made from."""
    if name == "-":
        print(drawing)
        return
    if os.path.realpath(name) == os.path.realpath(source):
        raise SetupError(f"--svg {name} would overwrite the file that the picture is made from")
    write(Path(name), drawing)
