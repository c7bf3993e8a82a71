"""The command that says where a recorded game was decided."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid
from rich.text import Text

from cuberails.bots.analysis import BUDGETS, Analysis, Analyst
from cuberails.bots.decision import Decision, line_in_words, percent
from cuberails.cli.shared import OwnBoard, RecordFile, board_in, console, expanded, grid, progress, whole
from cuberails.core.game import Game
from cuberails.core.title import SetupError
from cuberails.draw.pen import clean
from cuberails.lab.executor import Local
from cuberails.server.analysis_view import analysis_file
from cuberails.terminal.screen import Screen
from cuberails.terminal.storage import check_writable, read_game, write

SAVED_PARTS = 20
"""So often while it runs, what is done is written down."""
INTERRUPTED = 130

commands = typer.Typer()


@commands.command(epilog="Example: cuberails analyse game.txt --budget deep --processes 2")
def analyse(
    file: RecordFile,
    budget: Annotated[str, typer.Option(metavar="BUDGET", help=f"How much is searched: {' or '.join(BUDGETS)}.")] = (
        "quick"
    ),
    json_file: Annotated[
        Path | None,
        typer.Option("--json", parser=expanded, metavar="OUT", help="Keep it here; what is in it is not done again."),
    ] = None,
    html_file: Annotated[
        Path | None,
        typer.Option("--html", parser=expanded, metavar="OUT", help="Write it as a page that works offline, too."),
    ] = None,
    processes: Annotated[int, typer.Option(parser=whole, metavar="N", help="Processes that search side by side.")] = 1,
    board: OwnBoard = None,
) -> None:
    """Show where a recorded game was decided: the turning points, the better actions, and figures of each player.

    Ctrl-C shows what is known so far. With --json, the next call continues there. With --html, a browser shows
    the chart of all chances and the boards of the turning points, too.
    """
    if processes < 1:
        raise SetupError(f"--processes must be at least 1, not {processes}")
    game = read_game(file, None if board is None else board_in(board))
    _check_written(file, json_file, html_file)
    analyst = Analyst(game, budget)
    if not analyst.total:
        raise SetupError(f"{file} has no decision that could be analysed; play a game first")
    _resume(analyst, json_file)
    stopped = _run(analyst, processes, json_file)
    print_analysis(game, analyst.analysis())
    if html_file is not None:
        write(html_file, analysis_file(game, analyst.analysis()))
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _check_written(record: str, *written: Path | None) -> None:
    """All that is to be written can be, and no file would be written over another one: said before the work begins."""
    taken = {os.path.realpath(record): "the record itself"}
    for path in filter(None, written):
        place = os.path.realpath(path)
        if place in taken:
            raise SetupError(f"{path} is {taken[place]}; name another file for the analysis")
        taken[place] = "to be written twice"
        check_writable(path)


# What was done before


def _resume(analyst: Analyst, file: Path | None) -> None:
    """Take over what an earlier call has kept of the same game with the same budget."""
    if file is None or not file.exists():
        return
    kept = _kept_in(file)
    if kept.record != analyst.record:
        raise SetupError(f"{file} has the analysis of another game; name another file, or delete it")
    if (kept.budget, kept.seed) == (analyst.budget.name, analyst.seed):
        for decision in kept.decisions:
            analyst.add(decision)


def _kept_in(file: Path) -> Analysis:
    try:
        return Analysis.from_json(json.loads(file.read_text("utf-8")))
    except (ValueError, RecursionError, SetupError):
        raise SetupError(f"{file} is there and has no analysis in it; name another file, or delete it") from None


def _save(analyst: Analyst, file: Path | None) -> None:
    if file is not None:
        write(file, json.dumps(analyst.analysis().to_json(), ensure_ascii=False) + "\n")


# Running


def _run(analyst: Analyst, processes: int, file: Path | None) -> bool:
    """Judge all that is pending, and keep it; whether Ctrl-C came before the end."""
    every, number = max(1, analyst.total // SAVED_PARTS), 0
    try:
        while pending := analyst.pending:
            for decision in _judged(analyst, pending, processes):
                analyst.add(decision)
                number += 1
                if number % every == 0:
                    _save(analyst, file)
    except KeyboardInterrupt:
        return True
    finally:
        _save(analyst, file)
    return False


def _judged(analyst: Analyst, pending: list[int], processes: int) -> Iterator[Decision]:
    doing = "Looking back" if analyst.in_hindsight(pending[0]) else "Analysing"
    with Local(processes) as executor:
        yield from progress(executor.map(analyst.judge, pending), doing, len(pending), "decisions")


# For people


def print_analysis(game: Game, analysis: Analysis) -> None:
    """The figures of each player, and the decisions that decided the game, in words."""
    screen = Screen(console())
    if not analysis.complete:
        screen.say(f"Not complete: {len(analysis.decisions)} decisions are judged so far.", "bold")
    screen.show(_figures(analysis))
    points, signs = analysis.decisive, analysis.signs
    screen.say("")
    screen.say("Where the game was decided:" if points else "No single decision decided it.", "bold")
    for decision in points:
        screen.say(f"({signs[decision.at]}) action {decision.at + 1}: {decision.words}")
        if decision.why:
            screen.say(f"    {decision.best}: {decision.why}")
        for line in filter(None, (decision.line, decision.played_line)):
            likely = line_in_words(game.at(decision.at), line, analysis.seats)
            screen.say(f"    likely with {line[0]}: {' · '.join(likely)}")


def _figures(analysis: Analysis) -> Grid:
    """A row for each player: how often it decided best, and how much of its chance it lost by what."""
    losses = analysis.losses
    table = grid("player", "decisions", "best", "lost", *losses, padding=1)
    for column in table.columns[1:]:
        column.justify = "right"
    for each in analysis.players:
        lost = [percent(of_kind[each.seat]) for of_kind in losses.values()]
        best = percent(each.best_share) if each.decisions else "–"
        name = Text(clean(analysis.seats[each.seat]))
        table.add_row(name, str(each.decisions), best, percent(each.total_lost), *lost)
    return table
