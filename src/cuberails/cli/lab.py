"""Commands that let bots play many games: figures of the games, strengths of bots, weights of judges."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cuberails.bots import LEVELS
from cuberails.cli.shared import (
    Bots,
    Jobs,
    Options,
    OwnBoard,
    Players,
    Seed,
    TitleKey,
    board_for,
    bot_kinds,
    console,
    find_title,
    grid,
    options_of,
    progress,
    whole,
)
from cuberails.core.title import SetupError
from cuberails.lab import Match, Share, Summary, lab_extra, results, summarize
from cuberails.terminal.storage import write

if TYPE_CHECKING:
    from cuberails.lab.arena import Report
    from cuberails.lab.fitting import Fitted

MOST_JOBS = 256

WeightsFile = Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the weights to this file.")]

commands = typer.Typer()
judges = typer.Typer(help="Tools for those who study the games.", no_args_is_help=True)
commands.add_typer(judges, name="lab")


# Games


@commands.command(epilog="Example: cuberails simulate wabash --games 200 --bots greedy random")
def simulate(
    title: TitleKey,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games.")] = 100,
    players: Players = None,
    bots: Bots = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Let bots play many games and sum them up, by seat and by bot."""
    _check_counts(games, jobs)
    kinds = tuple(bot_kinds(bots)) or ("greedy",)
    seats = 3 if players is None else players
    match = Match(board_for(find_title(title), board), seats, kinds, seed, options_of(option))
    began = time.perf_counter()
    played = results(match, games, min(jobs, games, MOST_JOBS))
    summary = summarize(progress(played, "Playing", games))
    _print_summary(console(), summary, time.perf_counter() - began)


@commands.command(epilog="Example: cuberails arena wabash --bots hard medium --players 4 --games 200 --jobs 2")
def arena(
    title: TitleKey,
    bots: Bots = None,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games.")] = 60,
    players: Players = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the games here; those in it are not played again.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON.")] = False,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Find out which bot is stronger: all seatings, shares of wins with their uncertainty, ratings."""
    with lab_extra():
        from cuberails.lab.arena import report as report_on
        from cuberails.lab.arena import resumed
    _check_counts(games, jobs)
    kinds = tuple(bot_kinds(bots)) or ("greedy", "random", "random")
    seats = max(3, len(kinds)) if players is None else players
    match = Match(board_for(find_title(title), board), seats, kinds, seed, options_of(option))
    match.check()
    played = resumed(match, games, min(jobs, games, MOST_JOBS), Path(os.path.expanduser(file)) if file else None)
    report = report_on(match, list(progress(played, "Playing", games)))
    if as_json:
        print(json.dumps(report.to_json(), indent=1))
    else:
        _print_report(console(), report)


def _check_counts(games: int, jobs: int) -> None:
    if games < 1 or jobs < 1:
        raise SetupError(f"--games and --jobs must be at least 1, not {min(games, jobs)}")


def _print_summary(out: Console, summary: Summary, seconds: float) -> None:
    out.print(_shares("bot", list(summary.bots.items())))
    out.print(_shares("seat", [(f"seat {n}", share) for n, share in enumerate(summary.seats, 1)]))
    endings = grid("ending", "games")
    for ending, count in summary.endings.most_common():
        endings.add_row(Text(ending), f"{count} ({count / summary.games:.0%})")
    out.print(endings)
    rate = summary.decisions / seconds
    out.print(
        f"  {summary.games} games, {summary.mean_decisions:.1f} decisions a game, "
        f"{seconds:.1f} s, {rate:,.0f} decisions a second"
    )


def _shares(what: str, rows: list[tuple[str, Share]]) -> Grid:
    table = grid(what, "played", "wins", "mean score")
    for column in table.columns[1:]:
        column.justify = "right"
    for label, share in rows:
        table.add_row(label, str(share.games), f"{share.win_share:.1%}", f"{share.mean_score:.1f}")
    return table


def _print_report(out: Console, report: Report) -> None:
    table = grid("bot", "wins", "share", "95 %", "even", "rating", "margin", "ms a decision", padding=1)
    table.columns[0].overflow = "fold"  # styles differ in the end of their names
    table.columns[0].min_width = max(map(len, LEVELS))
    for column in table.columns[1:]:
        column.justify, column.no_wrap = "right", True
    table.columns[-1].no_wrap = False  # its heading takes two lines, so that all fits in 80 columns
    for bot in report.standings:
        table.add_row(
            bot.bot,
            f"{round(bot.wins, 1):g} of {bot.games}",
            f"{bot.share:.1%}",
            f"{bot.low:.1%}–{bot.high:.1%}",
            f"{bot.even:.1%}",
            f"{bot.rating:+.0f}±{bot.rating_error:.0f}",
            f"{bot.margin:+.1f}",
            f"{1000 * bot.seconds:.1f}",
        )
    out.print(table)
    seats = ", ".join(f"{n}: {advantage:+.0f}" for n, advantage in enumerate(report.seats, 1))
    out.print(f" seats as ratings: {seats}")


# Weights


@judges.command("tune", epilog="Example: cuberails lab tune wabash --games 400 --jobs 2 --out judge.toml")
def tune_judge(
    title: TitleKey,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games to learn from.")] = 400,
    rounds: Annotated[int, typer.Option(parser=whole, metavar="R", help="How often to fit, and play on.")] = 2,
    seed: Seed = 0,
    jobs: Jobs = 1,
    out: WeightsFile = None,
) -> None:
    """Fit the weights of a title's judge to the outcomes of games between bots, by maximum likelihood."""
    if rounds < 1 or jobs < 1 or games < 4 * rounds:
        raise SetupError("--rounds and --jobs must be at least 1, and --games four times as many as --rounds")
    with lab_extra():
        from cuberails.lab.fitting import Fitting
        from cuberails.lab.tune import tune
    _put_weights(tune(Fitting(find_title(title).board, games, seed, jobs, progress), rounds), out)


@judges.command("climb", epilog="Example: cuberails lab climb gmo --games 240 --jobs 2 --out judge.toml")
def climb_judge(
    title: TitleKey,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games a round.")] = 240,
    rounds: Annotated[int, typer.Option(parser=whole, metavar="R", help="How often the weights move.")] = 2,
    seed: Seed = 0,
    jobs: Jobs = 1,
    out: WeightsFile = None,
) -> None:
    """Improve the weights of a title's judge by an evolution strategy: bots that weigh differently play each other."""
    if rounds < 1 or jobs < 1 or games < 3:
        raise SetupError("--rounds and --jobs must be at least 1, and --games at least 3")
    with lab_extra():
        from cuberails.lab.climb import climb
        from cuberails.lab.fitting import Fitting
    _put_weights(climb(Fitting(find_title(title).board, games, seed, jobs, progress), rounds), out)


def _put_weights(fitted: Fitted, out: str | None) -> None:
    if fitted.loss is not None:
        before, after = fitted.loss
        print(f"loss on games not used for fitting: {before:.4f} before, {after:.4f} after", file=sys.stderr)
    print(f"games won against bots with the weights before: {fitted.won:g} of {fitted.contests}", file=sys.stderr)
    if out is None:
        print(fitted.to_toml(), end="")
    else:
        write(Path(os.path.expanduser(out)), fitted.to_toml())
