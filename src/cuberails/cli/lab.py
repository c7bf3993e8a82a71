"""Commands that let bots play many games: figures of the games, strengths of bots, weights of judges."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cuberails.bots import LEVELS, USUAL
from cuberails.bots.players import learned_in
from cuberails.bots.puzzle import puzzles_text
from cuberails.cli.calibrate import print_calibration
from cuberails.cli.shared import (
    AsJson,
    Bots,
    GamesFile,
    Jobs,
    Options,
    OwnBoard,
    Players,
    RayAddress,
    Seed,
    TitleKey,
    board_for,
    bot_kinds,
    console,
    expanded,
    find_title,
    grid,
    options_of,
    progress,
    whole,
)
from cuberails.cli.style import print_style
from cuberails.cli.worth import print_accuracy
from cuberails.core.board import Board
from cuberails.core.title import SetupError
from cuberails.lab import Match, Share, Summary, executor_for, lab_extra, results, summarize
from cuberails.lab.calibrate import calibration, forecasts_in_games
from cuberails.lab.puzzles import SIEVE, chosen, puzzles_in_games
from cuberails.lab.style import style, watched
from cuberails.lab.worth import moments_in_games
from cuberails.terminal.storage import write

if TYPE_CHECKING:
    from cuberails.lab.arena import Report
    from cuberails.lab.executor import Executor

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
    ray: RayAddress = None,
    file: GamesFile = None,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Let bots play many games and sum them up, by seat and by bot."""
    _check_counts(games, jobs)
    match = _match(title, board, 3 if players is None else players, bots, ("greedy",), seed, option)
    began = time.perf_counter()
    with executor_for(jobs, ray) as executor:
        summary = summarize(progress(results(match, games, executor, file), "Playing", games))
    _print_summary(console(), summary, None if file else time.perf_counter() - began)


@commands.command(epilog="Example: cuberails arena wabash --bots hard medium --players 4 --games 200 --jobs 2")
def arena(
    title: TitleKey,
    bots: Bots = None,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games.")] = 60,
    players: Players = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    file: GamesFile = None,
    as_json: AsJson = False,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Find out which bot is stronger: all seatings, shares of wins with their uncertainty, ratings."""
    with lab_extra():
        from cuberails.lab.arena import report as report_on
    _check_counts(games, jobs)
    match = _match(title, board, players, bots, ("greedy", "random", "random"), seed, option)
    with executor_for(jobs, ray) as executor:
        played = list(progress(results(match, games, executor, file), "Playing", games))
    report = report_on(match, played)
    if as_json:
        print(json.dumps(report.to_json(), indent=1))
    else:
        _print_report(console(), report)


@judges.command("style", epilog="Example: cuberails lab style wabash --bots medium --games 20 --seed 1 --jobs 2")
def show_style(
    title: TitleKey,
    bots: Bots = None,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games.")] = 20,
    players: Players = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    as_json: AsJson = False,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Show the habits of bots: endings, idle money, unused railroads, openings, prices, and what comes to nothing."""
    _check_counts(games, jobs)
    match = _match(title, board, players, bots, (USUAL,), seed, option)
    with executor_for(jobs, ray) as executor:
        found = style(match, progress(watched(match, games, executor), "Playing", games))
    if as_json:
        print(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
    else:
        print_style(console(), found)


@judges.command("calibrate", epilog="Example: cuberails lab calibrate wabash --games 60 --seed 1 --jobs 2")
def calibrate(
    title: TitleKey,
    bots: Bots = None,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games.")] = 40,
    moments: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many moments of each.")] = 9,
    players: Players = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    as_json: AsJson = False,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Ask whether the chances that people are told are honest: what was told in games of bots, and who won them."""
    _check_counts(games, jobs)
    if moments < 1:
        raise SetupError(f"--moments must be at least 1, not {moments}")
    match = _match(title, board, players, bots, (SIEVE,), seed, option)
    with executor_for(jobs, ray) as executor:
        found = calibration(match, progress(forecasts_in_games(match, games, moments, executor), "Playing", games))
    if as_json:
        print(json.dumps(found.to_json(), indent=1))
    else:
        print_calibration(console(), found)


@judges.command("worth", epilog="Example: cuberails lab worth wabash --bots medium --games 12 --seed 1")
def measure_worth(
    title: TitleKey,
    bots: Bots = None,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games.")] = 12,
    moments: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many moments of each.")] = 6,
    plays: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many play-outs at each moment.")] = 20,
    players: Players = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    as_json: AsJson = False,
    option: Options = None,
    board: OwnBoard = None,
) -> None:
    """Ask how good `worth` is: what shares were expected to pay in games of bots, beside what they paid."""
    _check_counts(games, jobs)
    if min(moments, plays) < 1:
        raise SetupError("--moments and --plays must be at least 1")
    match = _match(title, board, players, bots, (USUAL,), seed, option)
    with executor_for(jobs, ray) as executor:
        found = [*progress(moments_in_games(match, games, moments, plays, executor), "Playing", games)]
    print_accuracy(console(), match, [each for game in found for each in game], as_json)


@judges.command("puzzles", epilog="Example: cuberails lab puzzles wabash --wanted 20 --out puzzles.json")
def find_puzzles(
    title: TitleKey,
    wanted: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many puzzles.")] = 24,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="In how many games at most.")] = 100,
    bots: Bots = None,
    players: Players = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    out: Annotated[Path, typer.Option(parser=expanded, metavar="FILE", help="Write them here.")] = Path("puzzles.json"),
) -> None:
    """Find puzzles in games of bots that search: positions where one action is clearly the best."""
    _check_counts(min(games, wanted), jobs)
    match = _match(title, None, players, bots, (SIEVE,), seed, None)
    with executor_for(jobs, ray) as executor:
        found = chosen(progress(puzzles_in_games(match, games, executor), "Playing", games), wanted)
    command = f"cuberails lab puzzles {match.board.title.key} --wanted {wanted} --seed {seed}"
    write(out, puzzles_text(match.board.title.key, found, command))
    print(f"{len(found)} puzzles are in {out}")


def _match(
    title: str,
    board: str | None,
    players: int | None,
    bots: list[str] | None,
    usual: tuple[str, ...],
    seed: int,
    option: list[str] | None,
) -> Match:
    """The match that the options of a command describe; without --bots between the usual ones."""
    kinds = tuple(bot_kinds(bots)) or usual
    seats = max(3, len(kinds)) if players is None else players
    return Match(board_for(find_title(title), board), seats, kinds, seed, options_of(option))


def _check_counts(games: int, jobs: int) -> None:
    if games < 1 or jobs < 1:
        raise SetupError(f"--games and --jobs must be at least 1, not {min(games, jobs)}")


def _print_summary(out: Console, summary: Summary, seconds: float | None) -> None:
    out.print(_shares("bot", list(summary.bots.items())))
    out.print(_shares("seat", [(f"seat {n}", share) for n, share in enumerate(summary.seats, 1)]))
    endings = grid("ending", "games")
    for ending, count in summary.endings.most_common():
        endings.add_row(Text(ending), f"{count} ({count / summary.games:.0%})")
    out.print(endings)
    took = "" if seconds is None else f", {seconds:.1f} s, {summary.decisions / seconds:,.0f} decisions a second"
    out.print(f"  {summary.games} games, {summary.mean_decisions:.1f} decisions a game{took}")


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


# Learning


@judges.command("learn", epilog="Example: cuberails lab learn wabash --games 400 --jobs 2 --out wabash")
def learn(
    title: TitleKey,
    generations: Annotated[int, typer.Option(parser=whole, metavar="N", help="How often to play and learn.")] = 3,
    games: Annotated[
        int,
        typer.Option(parser=whole, metavar="N", help="How many games a generation; the first has four times as many."),
    ] = 400,
    trials: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games against each rival.")] = 40,
    hidden: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many units the network has.")] = 16,
    alone: Annotated[
        bool, typer.Option("--alone", help="Replace the hand-made judge instead of correcting it.")
    ] = False,
    part: Annotated[float, typer.Option(metavar="P", help="How much of what the network says counts.")] = 1.0,
    one_ply: Annotated[bool, typer.Option("--one-ply", help="Try it without search: for long games.")] = False,
    hand: Annotated[bool, typer.Option("--hand", help="Fit the weights of the hand-made judge instead.")] = False,
    seed: Seed = 0,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    out: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Keep the run here, and go on with the one in it.")
    ] = None,
    board: OwnBoard = None,
) -> None:
    """Let bots learn a title by self-play: a network on its features, in a league of opponents, by TD(λ)."""
    if min(generations, games, trials, hidden, jobs) < 1:
        raise SetupError("--generations, --games, --trials, --hidden and --jobs must be at least 1")
    if not 0.0 < part <= 1.0:
        raise SetupError(f"--part must be more than 0 and at most 1, not {part:g}")
    where = board_for(find_title(title), board)
    folder = Path(os.path.expanduser(out or f"learned-{title}"))
    with executor_for(jobs, ray) as executor:
        if hand:
            _fit_by_hand(where, games, generations, seed, executor, folder)
        else:
            plan = {"generations": generations, "games": games, "trials": trials, "hidden": (hidden,), "seed": seed}
            _learn(
                where,
                {**plan, "hand_part": 0.0 if alone else 1.0, "net_part": part, "one_ply": one_ply},
                executor,
                folder,
            )


def _learn(board: Board, plan: dict[str, Any], executor: Executor, folder: Path) -> None:
    with lab_extra():
        from cuberails.lab.learn import Learning, Plan
    learning = Learning(board, Plan(**plan), folder, executor, progress)
    out = console()
    for report in learning.generations():
        shares = ", ".join(f"{share:.1%} against {name}" for name, share in report.shares.items())
        what = f"; won {shares}: {'kept' if report.kept else 'not kept'}" if shares else ""
        out.print(f"generation {report.generation}: loss {report.loss:.4f}{what}", highlight=False)
    kept = folder / "learned.json"
    out.print(f"The best is in {kept}" if kept.exists() else "None held against the league: the hand-made judge stays")


@judges.command("pool", epilog="Example: cuberails lab pool wabash learned-wabash/learned.json --games 100 --jobs 2")
def pool(
    title: TitleKey,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE…", help="Files that `lab learn` wrote.")] = None,
    games: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many games a cell.")] = 100,
    seed: Seed = 0,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    board: OwnBoard = None,
) -> None:
    """Which judge is best: the hand-made one and learned ones, each alone against every kind of opponent."""
    _check_counts(games, jobs)
    with lab_extra():
        from cuberails.lab.league import pool as cells
        from cuberails.lab.ratings import wilson_interval
    where = board_for(find_title(title), board)
    judges = {"hand": None, **{file: learned_in(file) for file in files or []}}
    table = grid("judge", "against", "players", "wins", "share", "95 %", "even")
    for column in table.columns[:2]:
        column.overflow = "fold"  # files differ in the end of their names
    with executor_for(jobs, ray) as executor:
        for cell in cells(where, judges, games, seed, executor, progress):
            low, high = wilson_interval(cell.wins, cell.games)
            share, even = cell.wins / cell.games, 1 / cell.players
            wins = f"{round(cell.wins, 1):g} of {cell.games}"
            row = f"{share:.1%}", f"{low:.1%}–{high:.1%}", f"{even:.1%}"
            table.add_row(cell.judge, cell.rival, str(cell.players), wins, *row)
    console().print(table)


def _fit_by_hand(board: Board, games: int, rounds: int, seed: int, executor: Executor, folder: Path) -> None:
    if games < 4:
        raise SetupError("--games must be at least 4: one in four is kept apart")
    with lab_extra():
        from cuberails.lab.weights import Fitting, fit_weights
    fitted = fit_weights(Fitting(board, games, seed, executor, progress), rounds)
    before, after = fitted.loss
    print(f"loss on games not used for fitting: {before:.4f} before, {after:.4f} after")
    print(f"games won against bots with the weights before: {fitted.won:g} of {fitted.contests}")
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "judge.toml", fitted.to_toml())
    print(f"The weights are in {folder / 'judge.toml'}")
