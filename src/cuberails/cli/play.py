"""The command that plays in the terminal."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path
from random import Random, SystemRandom
from types import FrameType
from typing import Annotated

import typer
from rich.text import Text

from cuberails.cli.shared import (
    Bots,
    Options,
    OwnBoard,
    Players,
    TitleKey,
    board_for,
    bot_kinds,
    console,
    find_title,
    options_of,
    whole,
)
from cuberails.core.game import Game
from cuberails.core.title import SetupError, Title
from cuberails.terminal import TerminalGame
from cuberails.terminal.keyboard import keyboard
from cuberails.terminal.seats import company, people_names, seat_names
from cuberails.terminal.storage import Autosave, new_file, read_game, waiting_game, write

commands = typer.Typer()


@commands.command(epilog="Example: cuberails play wabash --players 3 --bots greedy random")
def play(
    title: TitleKey,
    players: Players = None,
    humans: Annotated[
        int | None, typer.Option(parser=whole, metavar="K", help="People at this terminal; 1 if not given.")
    ] = None,
    bots: Bots = None,
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="The name of a person; repeat for more.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole, metavar="S", help="Bots, dice and seats repeat themselves with a seed.")
    ] = None,
    seats_as_listed: Annotated[
        bool, typer.Option("--seats-as-listed", help="People sit first, then bots; else seats are drawn by lot.")
    ] = False,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the game here; an unfinished game in it is resumed.")
    ] = None,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Play a game in the terminal, against bots or with friends.

    The game is saved after every action, in FILE or in your data folder, and can always be resumed.
    """
    found = find_title(title)
    settings = (players, humans, bots, name, option, board)
    seats = 3 if players is None else players
    found.check_players(seats)
    people = people_names(1 if humans is None else humans, name or [])
    lot = None if seats_as_listed else SystemRandom() if seed is None else Random(f"seats {seed}")
    names = seat_names(seats, people, bot_kinds(bots), lot)
    fresh = Game(board_for(found, board), names, options_of(option))
    game, autosave = _new_or_resumed(fresh, record, checked=any(setting is not None for setting in settings))
    if game is fresh and lot is not None:
        console().print("The seats were drawn by lot; --seats-as-listed keeps them in order.", style="dim")
    _leave_in_order()
    try:
        TerminalGame(game, autosave, seed, keyboard(), console()).run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _new_or_resumed(fresh: Game, record: str | None, checked: bool) -> tuple[Game, Autosave]:
    """The game to play and what saves it: the unfinished game in the file, or a fresh one."""
    if record is None:
        _mention_waiting(fresh.title)
        autosave = Autosave(new_file(fresh.title.key).absolute())
        autosave.mark_saved(fresh)
        return fresh, autosave
    path = Path(os.path.expanduser(record)).absolute()
    autosave = Autosave(path)
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        write(path, fresh.to_text())
        return fresh, Autosave(path)
    game = read_game(str(path))
    _check_same(game, fresh, record, checked)
    autosave.mark_saved(game)
    return game, autosave


def _check_same(game: Game, fresh: Game, record: str, checked: bool) -> None:
    """A game is resumed only as it was begun."""
    if game.title is not fresh.title:
        raise SetupError(f"{record} holds a game of {game.title.name}; choose another file")
    if game.state.actor is None:
        raise SetupError(f"{record} holds a finished game; look at it with replay or choose another file")
    if not checked:
        return
    if game.board.digest != fresh.board.digest:
        raise SetupError(
            f"{record} holds a game on another board, {game.board.name!r}; to resume it, give no settings: "
            "the record carries its board"
        )
    if company(game.seats) != company(fresh.seats) or game.state.options != fresh.state.options:
        raise SetupError(f"{record} holds another game, of {', '.join(game.seats)}; to resume it, give no settings")


def _mention_waiting(title: Title) -> None:
    path = waiting_game(title.key)
    if path is not None:
        words = f"An older game is unfinished. To resume it: cuberails play {title.key} --record "
        console().print(Text(words + shlex.quote(str(path)), "dim"), soft_wrap=True)


def _leave_in_order() -> None:
    """A closed terminal or a polite kill ends the game like Ctrl-C does."""

    def leave(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)
