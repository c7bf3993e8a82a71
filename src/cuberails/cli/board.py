"""Commands about boards: check a board file, look at a board, and copy a built-in one to start from."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.table import Column
from rich.text import Text

from cuberails import draw
from cuberails.cli.shared import Svg, TitleKey, board_in, console, draw_into, find_title, grid, is_title
from cuberails.core.board import Board
from cuberails.core.playout import sample
from cuberails.core.scene import Scene
from cuberails.core.state import CHANCE
from cuberails.core.title import SetupError
from cuberails.draw.palette import PAINTS
from cuberails.draw.pen import clean
from cuberails.terminal.screen import Screen
from cuberails.titles import scene

commands = typer.Typer(help="Boards of your own: check, show and begin them.", no_args_is_help=True)

File = Annotated[str, typer.Argument(metavar="FILE", help="A board file.")]


@commands.command(epilog="Example: cuberails board check my.toml")
def check(file: File) -> None:
    """Say whether a board file can be played on, or which entry is wrong and what would be right.

    The exit code is 1 if it cannot.
    """
    board = board_in(file)
    for players in range(board.title.least_players, board.title.most_players + 1):
        _opening(board, players)
    table = grid("", Column(overflow="fold"), padding=1)
    table.show_header = False
    for label, value in _facts(board):
        table.add_row(label, Text(clean(value)))
    screen = Screen(console())
    screen.say(f"{file} can be played on.", "bold")
    screen.show(table)


@commands.command(epilog="Example: cuberails board show my.toml --svg my.svg")
def show(
    what: Annotated[str, typer.Argument(metavar="FILE|TITLE", help="A board file, or a title with its own board.")],
    svg: Svg = None,
) -> None:
    """Draw a board as it is before the first decision, as text or as a picture."""
    board = find_title(what).board if is_title(what) else board_in(what)
    view = _opening(board, board.title.least_players)
    if svg is not None:
        draw_into(svg, draw.svg(view), what)
    else:
        Screen(console()).board(replace(view, title=f"{board.title.name}: {board.name}", seats=[], dice=None))


@commands.command(epilog="Example: cuberails board copy wabash my.toml")
def copy(
    title: TitleKey, file: Annotated[str, typer.Argument(metavar="FILE", help="A file that is not there yet.")]
) -> None:
    """Copy the built-in board of a title into a file, to change it and play on it."""
    found = find_title(title)
    try:
        with Path(file).expanduser().open("x", encoding="utf-8", newline="") as opened:
            opened.write(found.read("board.toml"))
    except FileExistsError:
        raise SetupError(f"{file} is there already; choose another name") from None
    name = shlex.quote(file)
    screen = Screen(console())
    screen.say(f"{file} is a copy of the board of {found.name}.")
    screen.say("Change it, give it a name, and say in [provenance] where its facts come from; then:\n")
    screen.copyable(f"  cuberails board check {name}\n  cuberails play {found.key} --board {name}")


def _opening(board: Board, players: int) -> Scene:
    """The table at the first decision that is not up to chance, without marks for the seat to decide."""
    state, dice = board.new(players), Random(0)
    while state.actor == CHANCE:
        state.play(sample(state, dice))
    view = scene(state)
    tiles = [replace(tile, targets=[], gain="") for tile in view.map.tiles]
    links = [replace(link, targets=[]) for link in view.map.links]
    return replace(view, prompt="", map=replace(view.map, tiles=tiles, links=links))


def _facts(board: Board) -> list[tuple[str, str]]:
    title, view = board.title, _opening(board, board.title.least_players)
    return [
        ("title", f"{title.name} ({title.key})"),
        ("name", f"{board.name}, the built-in board" if board.built_in else board.name),
        ("size", f"{len(view.map.tiles)} spaces, {len(board.actions)} different actions"),
        ("players", f"{title.least_players}–{title.most_players}"),
        ("digest", board.digest),
        ("source", board.provenance.source),
        ("confidence", board.provenance.confidence),
        ("note", board.provenance.note or "none"),
        *_colors(view),
    ]


def _colors(view: Scene) -> list[tuple[str, str]]:
    """The colours of railroads that cannot be drawn: most likely a misspelling."""
    unknown = {company.piece.color for company in view.companies} - set(PAINTS)
    return [("colour", f"{color} is drawn gray; the colours are {', '.join(PAINTS)}") for color in sorted(unknown)]
