"""Commands about recorded games: look at them, ask for advice, and what shares are worth."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from cuberails import draw
from cuberails.bots import Idea, advise
from cuberails.cli.shared import At, OwnBoard, RecordFile, Svg, board_in, console, draw_into, whole
from cuberails.core.game import Game
from cuberails.core.state import State
from cuberails.core.title import SetupError
from cuberails.terminal.screen import Screen
from cuberails.terminal.sentences import ideas_grid, log_lines, standings, verdict
from cuberails.terminal.storage import read_game
from cuberails.terminal.worth import PLAYS, tell_worth
from cuberails.titles import scene

INTERRUPTED = 130

commands = typer.Typer()


@commands.command(epilog="Example: cuberails replay game.txt --at 20 --svg position.svg")
def replay(file: RecordFile, at: At = None, svg: Svg = None, board: OwnBoard = None) -> None:
    """Show a recorded game: the whole log and the last position, or any position.

    A record carries its board; --board is for one that only names it.
    """
    game = _game_in(file, board)
    count = _count_at(game, at)
    view = scene(game.at(count), game.seats)
    if svg is not None:
        draw_into(svg, draw.svg(view), file)
        return
    while len(game.steps) > count:
        game.undo()
    screen = Screen(console())
    for line in log_lines(game, 0 if at is None else max(0, count - 1)):
        screen.say(line)
    screen.board(view)
    if game.state.actor is None:
        screen.say(verdict(game))
        screen.show(standings(game))


@commands.command(epilog="Example: cuberails hint game.txt")
def hint(file: RecordFile, at: At = None, board: OwnBoard = None) -> None:
    """What the strongest bot would do in a recorded game: its three best actions, the chances to win, and why.

    A record carries its board; --board is for one that only names it.
    """
    game = _game_in(file, board)
    count = _count_at(game, at)
    state = game.at(count)
    ideas = _advice_with_progress(state, count)
    screen = Screen(console())
    screen.say(scene(state, game.seats).prompt, "bold")
    screen.show(ideas_grid(ideas, game.seats))


@commands.command(epilog="Example: cuberails worth game.txt --at 20")
def worth(
    file: RecordFile,
    at: At = None,
    plays: Annotated[int, typer.Option(parser=whole, metavar="N", help="At most so many play-outs; 0: none.")] = PLAYS,
    board: OwnBoard = None,
) -> None:
    """What shares are worth in a recorded game: by the rules, what they have paid, and by play-outs what they will pay.

    In an auction also how far each player would go. A record carries its board; --board is for one that only names it.
    """
    if plays < 0:
        raise SetupError(f"--plays must be at least 0, not {plays}")
    game = _game_in(file, board)
    count = _count_at(game, at)
    while game.count > count:
        game.undo()
    screen = Screen(console())
    screen.say(scene(game.state, game.seats).prompt, "bold")
    try:
        tell_worth(screen, game, plays)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _game_in(file: str, board: str | None) -> Game:
    return read_game(file, None if board is None else board_in(board))


def _count_at(game: Game, at: int | None) -> int:
    """How many actions of a game `--at` means."""
    total = len(game.steps)
    count = total if at is None else at + total if at < 0 else at
    if not 0 <= count <= total:
        raise SetupError(f"--at {at} is out of range: the game has {total} actions")
    return count


def _advice_with_progress(state: State, seed: int) -> list[Idea]:
    """With the same seed as `worth` has, so that both tell the same price."""
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("Thinking", total=1.0)
        return advise(state, seed, lambda part: bar.update(task, completed=part))
