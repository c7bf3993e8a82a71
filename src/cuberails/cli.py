"""The one command: cuberails."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import FrameType
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import Progress, track
from rich.table import Table as Grid
from rich.text import Text

from cuberails import TITLES, __version__, draw, load
from cuberails.bots import LEVELS, advise
from cuberails.core.action import UnknownAction
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.record import RecordError
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError, Title
from cuberails.lab import Match, Report, Ring, Share, Summary, climb, results, resumed, summarize, tune
from cuberails.lab import report as report_on
from cuberails.terminal import Table
from cuberails.terminal.keyboard import keyboard
from cuberails.terminal.saving import Keeper, games_folder, new_file, read_game, waiting_game, write
from cuberails.terminal.screen import COLUMNS, Screen
from cuberails.terminal.seats import people_names, seat_names
from cuberails.terminal.telling import log_lines, rules_about, standings, verdict
from cuberails.titles import scene

MOST_JOBS = 256

Item = TypeVar("Item")

app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


def _whole(text: str | int) -> int:
    """A number on the command line; typer's own complaint would not say what was typed."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{str(text)[:40]!r} is not a whole number") from None


TitleKey = Annotated[str, typer.Argument(metavar="TITLE", help="A title, as `cuberails titles` lists them.")]
Players = Annotated[int | None, typer.Option(parser=_whole, metavar="N", help="Seats at the table; 3 if not given.")]
Bots = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME…", help=f"Bots by kind: {', '.join(LEVELS)}. A short list repeats."),
]
Jobs = Annotated[int, typer.Option(parser=_whole, metavar="J", help="Processes that play side by side.")]
Seed = Annotated[int, typer.Option(parser=_whole, metavar="S", help="The same seed gives the same games.")]
WeightsFile = Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the weights to this file.")]
Options = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the title.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"cuberails {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="Example: cuberails play wabash --players 3")
def command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
) -> None:
    """Railway board games in which players share the railways they build."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(epilog="Example: cuberails titles")
def titles() -> None:
    """List the games that can be played."""
    grid = Grid("title", "game", "players", "options", box=None, padding=(0, 2), header_style="bold")
    for key in TITLES:
        title = load(key)
        options = [f"{name}={'|'.join(values)}" for name, values in title.options.items()]
        about = Text.assemble(title.name, "\n", (title.board.provenance.note or title.board.name, "dim"))
        grid.add_row(key, about, f"{title.least_players}–{title.most_players}", "\n".join(options))
    for column in grid.columns:
        column.no_wrap = column.header != "game"
    _console().print(grid)


@app.command(epilog="Example: cuberails play wabash --players 3 --bots greedy random")
def play(
    title: TitleKey,
    players: Players = None,
    humans: Annotated[
        int | None, typer.Option(parser=_whole, metavar="K", help="People at this terminal; 1 if not given.")
    ] = None,
    bots: Bots = None,
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="The name of a person; repeat for more.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=_whole, metavar="S", help="Bots and dice repeat themselves with a seed.")
    ] = None,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the game here; an unfinished game in it goes on.")
    ] = None,
    option: Options = None,
) -> None:
    """Play a game in the terminal, against bots or with friends.

    The game is kept after every action, in FILE or in your data folder, and can always be continued.
    """
    found = _title(title)
    settings = (players, humans, bots, name, option)
    seats = 3 if players is None else players
    found.check_players(seats)
    people = people_names(1 if humans is None else humans, name or [])
    fresh = Game(found.board, seat_names(seats, people, _split(bots)), _options(option))
    game, keeper = _kept_game(fresh, record, checked=any(setting is not None for setting in settings))
    _leave_in_order()
    try:
        Table(game, keeper, seed, keyboard(), _console()).run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


@app.command(epilog="Example: cuberails replay game.txt --at 20 --svg position.svg")
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record in text or JSON; - reads the input.")],
    at: Annotated[
        int | None, typer.Option(parser=_whole, metavar="N", help="After this many actions; negative: from the end.")
    ] = None,
    svg: Annotated[str | None, typer.Option(metavar="OUT", help="Draw the position into this file.")] = None,
) -> None:
    """Show a recorded game: the whole log and the last position, or any position."""
    game = read_game(file)
    count = _moment(game, at)
    view = scene(game.at(count), game.seats)
    if svg is not None:
        _draw_into(svg, draw.svg(view), file)
        return
    while len(game.steps) > count:
        game.undo()
    console = _console()
    for line in log_lines(game, 0 if at is None else max(0, count - 1)):
        console.print(Text(line), soft_wrap=True)
    Screen(console).board(view)
    if game.state.actor is None:
        console.print(Text(verdict(game)), standings(game), sep="\n")


@app.command(epilog="Example: cuberails rules wabash W4.2")
def rules(
    title: TitleKey,
    number: Annotated[
        list[str] | None, typer.Argument(metavar="[NUMBER]", help="A rule, a section, or a word.")
    ] = None,
) -> None:
    """Read the rules: all of them, a rule or a section by number, or those that speak of a word."""
    found = _title(title)
    asked = " ".join(number or []).strip()
    _console().print(Markdown(rules_about(found, asked) if asked else found.rulebook.text))


@app.command(epilog="Example: cuberails simulate wabash --games 200 --bots greedy random")
def simulate(
    title: TitleKey,
    games: Annotated[int, typer.Option(parser=_whole, metavar="N", help="How many games.")] = 100,
    players: Players = None,
    bots: Bots = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    option: Options = None,
) -> None:
    """Let bots play many games and sum them up, by seat and by bot."""
    match = _match(title, players, tuple(_split(bots)) or ("greedy",), seed, option, games, jobs)
    began = time.perf_counter()
    played = results(match, games, min(jobs, games, MOST_JOBS))
    summary = summarize(_progress(played, "Playing", games))
    _print_summary(_console(), summary, time.perf_counter() - began)


@app.command(epilog="Example: cuberails arena wabash --bots hard medium --players 4 --games 200 --jobs 2")
def arena(
    title: TitleKey,
    bots: Bots = None,
    games: Annotated[int, typer.Option(parser=_whole, metavar="N", help="How many games.")] = 60,
    players: Players = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the games here; those in it are not played again.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON.")] = False,
    option: Options = None,
) -> None:
    """Find out which bot is stronger: all seatings, shares of wins with their uncertainty, ratings."""
    kinds = tuple(_split(bots)) or ("greedy", "random", "random")
    match = _match(title, players or max(3, len(kinds)), kinds, seed, option, games, jobs)
    match.check()
    played = resumed(match, games, min(jobs, games, MOST_JOBS), Path(os.path.expanduser(file)) if file else None)
    report = report_on(match, list(_progress(played, "Playing", games)))
    if as_json:
        print(json.dumps(report.to_json(), indent=1))
    else:
        _print_report(_console(), report)


@app.command(epilog="Example: cuberails hint game.txt")
def hint(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record in text or JSON; - reads the input.")],
    at: Annotated[
        int | None, typer.Option(parser=_whole, metavar="N", help="After this many actions; negative: from the end.")
    ] = None,
) -> None:
    """What the strongest bot would do in a recorded game: its three best actions, the chances to win, and why."""
    game = read_game(file)
    state = game.at(_moment(game, at))
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("Thinking", total=1.0)
        ideas = advise(state, on_progress=lambda part: bar.update(task, completed=part))
    console = _console()
    console.print(Text(scene(state, game.seats).prompt, "bold"))
    grid = Grid("action", *game.seats, "why", box=None, padding=(0, 2), header_style="bold")
    for idea in ideas:
        grid.add_row(idea.action, *(f"{chance:.0%}" for chance in idea.chances), Text(idea.why))
    console.print(grid)


lab = typer.Typer(help="Tools for those who study the games.", no_args_is_help=True)
app.add_typer(lab, name="lab")


@lab.command("tune", epilog="Example: cuberails lab tune wabash --games 400 --jobs 2 --out judge.toml")
def tune_judge(
    title: TitleKey,
    games: Annotated[int, typer.Option(parser=_whole, metavar="N", help="How many games to learn from.")] = 400,
    rounds: Annotated[int, typer.Option(parser=_whole, metavar="R", help="How often to fit, and play on.")] = 2,
    seed: Seed = 0,
    jobs: Jobs = 1,
    out: WeightsFile = None,
) -> None:
    """Fit the weights of a title's judge: bots play, and the weights move to where they foretell the winners best."""
    if rounds < 1 or jobs < 1 or games < 4 * rounds:
        raise SetupError("--rounds and --jobs must be at least 1, and --games four times as many as --rounds")
    fitted = tune(_title(title).key, games, rounds, seed, jobs, _progress)
    print(f"loss on games not used for fitting: {fitted.before:.4f} before, {fitted.after:.4f} after", file=sys.stderr)
    _put_weights(fitted.to_toml(), fitted.won, fitted.contests, out)


@lab.command("climb", epilog="Example: cuberails lab climb gmo --games 240 --jobs 2 --out judge.toml")
def climb_judge(
    title: TitleKey,
    games: Annotated[int, typer.Option(parser=_whole, metavar="N", help="How many games a round.")] = 240,
    rounds: Annotated[int, typer.Option(parser=_whole, metavar="R", help="How often the weights move.")] = 2,
    seed: Seed = 0,
    jobs: Jobs = 1,
    out: WeightsFile = None,
) -> None:
    """Improve the weights of a title's judge: bots that weigh differently play, and the winners show the way."""
    if rounds < 1 or jobs < 1 or games < 3:
        raise SetupError("--rounds and --jobs must be at least 1, and --games at least 3")
    found = climb(Ring(_title(title).key, games, seed, jobs, _progress), rounds)
    _put_weights(found.to_toml(), found.won, found.games, out)


def _put_weights(text: str, won: float, games: int, out: str | None) -> None:
    print(f"games won against bots with the weights before: {won:g} of {games}", file=sys.stderr)
    if out is None:
        print(text, end="")
    else:
        write(Path(os.path.expanduser(out)), text)


@app.command(epilog="Example: cuberails serve --port 8080")
def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen at; 0.0.0.0 for everybody.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(parser=_whole, metavar="PORT", help="The port to listen at.")] = 8000,
    data: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the tables here; in your data folder if not given.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Show the page in a browser.")] = True,
) -> None:
    """Play in the browser: alone against bots, at one screen, or with friends by links."""
    if not 0 <= port <= 65535:
        raise SetupError(f"--port {port} is out of range: ports are 0 to 65535")
    file = Path(os.path.expanduser(data)).absolute() if data else games_folder().parent / "tables.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    with _listening(host, port) as door:
        address = _address(host, door.getsockname()[1])
        print(f"cuberails is at {address} and keeps its tables in {file}. Ctrl-C ends it.", flush=True)
        if open_page:
            threading.Timer(1.0, webbrowser.open, (address,)).start()
        _run_server(door, file)


def _listening(host: str, port: int) -> socket.socket:
    """An open door; taken before anything else, so that a busy port is told at once."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
        door.listen()
    except OSError as error:
        door.close()
        reason = (
            "somebody else uses it; choose another with --port" if error.errno == errno.EADDRINUSE else error.strerror
        )
        raise SetupError(f"cannot listen at {host} port {port}: {reason}") from None
    return door


def _address(host: str, port: int) -> str:
    near = {"0.0.0.0": "localhost", "::": "localhost", "127.0.0.1": "localhost"}.get(host, host)
    return f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"


def _run_server(door: socket.socket, file: Path) -> None:
    # Here and not above: the other commands start faster without a web server.
    import uvicorn
    from sqlalchemy.exc import DatabaseError

    from cuberails.server.app import from_environment

    os.environ["CUBERAILS_DATABASE"] = f"sqlite:///{file}"
    try:
        served = from_environment()
    except DatabaseError as error:
        raise SetupError(f"{file} cannot keep tables: {error.orig}") from None
    config = uvicorn.Config(served, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[door])


# Helpers of the commands


def _match(
    title: str,
    players: int | None,
    bots: tuple[str, ...],
    seed: int,
    option: Sequence[str] | None,
    games: int,
    jobs: int,
) -> Match:
    if games < 1 or jobs < 1:
        raise SetupError(f"--games and --jobs must be at least 1, not {min(games, jobs)}")
    return Match(_title(title).key, 3 if players is None else players, bots, seed, _options(option))


def _progress(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    """The items with a bar that grows on a terminal."""
    bar = Console(stderr=True)
    return track(items, what, total, console=bar, transient=True, disable=not bar.is_terminal)


def _moment(game: Game, at: int | None) -> int:
    """How many actions of a game `--at` means."""
    total = len(game.steps)
    count = total if at is None else at + total if at < 0 else at
    if not 0 <= count <= total:
        raise SetupError(f"--at {at} is out of range: the game has {total} actions")
    return count


def _console() -> Console:
    """Pipes and files get the full width."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=COLUMNS)


def _title(key: str) -> Title:
    plain = key.casefold().replace("-", "_").replace(" ", "_")
    if plain in TITLES:
        return load(plain)
    near = get_close_matches(plain, TITLES, 1)
    hint = f"did you mean {near[0]}?" if near else f"the titles are {', '.join(TITLES)}"
    raise SetupError(f"there is no title {key!r}; {hint}")


def _split(bots: Sequence[str] | None) -> list[str]:
    return [kind.casefold() for entry in bots or [] for kind in re.split(r"[,\s]+", entry) if kind]


def _options(given: Sequence[str] | None) -> dict[str, str]:
    for entry in given or []:
        if "=" not in entry:
            raise SetupError(f"--option {entry!r} must be written as name=value")
    return {name.strip(): value.strip() for name, _, value in (entry.partition("=") for entry in given or [])}


def _kept_game(fresh: Game, record: str | None, checked: bool) -> tuple[Game, Keeper]:
    """The game to play and its keeper: the unfinished game in the file, or a fresh one."""
    if record is None:
        _mention_waiting(fresh.title)
        keeper = Keeper(new_file(fresh.title.key).absolute())
        keeper.trust(fresh)
        return fresh, keeper
    path = Path(os.path.expanduser(record)).absolute()
    keeper = Keeper(path)
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        write(path, fresh.to_text())
        return fresh, Keeper(path)
    game = read_game(str(path))
    _check_same(game, fresh, record, checked)
    keeper.trust(game)
    return game, keeper


def _check_same(game: Game, fresh: Game, record: str, checked: bool) -> None:
    """A game goes on only as it was begun."""
    if game.title is not fresh.title:
        raise SetupError(f"{record} holds a game of {game.title.name}; choose another file")
    if game.state.actor is None:
        raise SetupError(f"{record} holds a finished game; look at it with replay or choose another file")
    if checked and (game.seats != fresh.seats or game.state.options != fresh.state.options):
        raise SetupError(f"{record} holds another game, of {', '.join(game.seats)}; to go on with it, give no settings")


def _mention_waiting(title: Title) -> None:
    path = waiting_game(title.key)
    if path is not None:
        words = f"An older game is unfinished. To go on with it: cuberails play {title.key} --record "
        _console().print(Text(words + shlex.quote(str(path)), "dim"), soft_wrap=True)


def _leave_in_order() -> None:
    """A closed terminal or a polite kill ends the game like Ctrl-C does."""

    def leave(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)


def _draw_into(name: str, drawing: str, source: str) -> None:
    if name == "-":
        print(drawing)
        return
    if os.path.realpath(name) == os.path.realpath(source):
        raise SetupError(f"--svg {name} would overwrite the record itself")
    write(Path(name), drawing)


def _print_summary(console: Console, summary: Summary, seconds: float) -> None:
    console.print(_shares("bot", list(summary.bots.items())))
    seats = [(f"seat {n + 1}", share) for n, share in enumerate(summary.seats)]
    console.print(_shares("seat", seats))
    endings = Grid("ending", "games", box=None, padding=(0, 2), header_style="bold")
    for ending, count in summary.endings.most_common():
        endings.add_row(Text(ending), f"{count} ({count / summary.games:.0%})")
    console.print(endings)
    rate = summary.decisions / seconds
    console.print(
        f"  {summary.games} games, {summary.mean_decisions:.1f} decisions a game, "
        f"{seconds:.1f} s, {rate:,.0f} decisions a second"
    )


def _print_report(console: Console, report: Report) -> None:
    headings = ("bot", "wins", "share", "95 %", "even", "rating", "margin", "ms a decision")
    grid = Grid(*headings, box=None, padding=(0, 1), header_style="bold")
    grid.columns[0].overflow = "fold"  # a style is told apart by the end of its name
    grid.columns[0].min_width = max(map(len, LEVELS))
    for column in grid.columns[1:]:
        column.justify, column.no_wrap = "right", True
    grid.columns[-1].no_wrap = False  # its heading takes two lines, so that all fits in 80 columns
    for bot in report.standings:
        grid.add_row(
            bot.bot,
            f"{round(bot.wins, 1):g} of {bot.games}",
            f"{bot.share:.1%}",
            f"{bot.low:.1%}–{bot.high:.1%}",
            f"{bot.even:.1%}",
            f"{bot.rating:+.0f}±{bot.rating_error:.0f}",
            f"{bot.margin:+.1f}",
            f"{1000 * bot.seconds:.1f}",
        )
    console.print(grid)
    seats = ", ".join(f"{n}: {advantage:+.0f}" for n, advantage in enumerate(report.seats, 1))
    console.print(f" seats as ratings: {seats}")


def _shares(what: str, rows: Sequence[tuple[str, Share]]) -> Grid:
    grid = Grid(what, "played", "wins", "mean score", box=None, padding=(0, 2), header_style="bold")
    for column in grid.columns[1:]:
        column.justify = "right"
    for label, share in rows:
        grid.add_row(label, str(share.games), f"{share.win_share:.1%}", f"{share.mean_score:.1f}")
    return grid


# The entry point: every complaint is one sentence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 2 for input that cannot be used, 130 after Ctrl-C."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given = _bots_together(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(args=given, prog_name="cuberails", standalone_mode=False) or 0
    except typer.TyperException as error:
        return _complain(error.format_message())
    except (SetupError, RecordError, BoardError, UnknownAction, IllegalAction) as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"{error.filename or 'the file'}: {error.strerror or error}")
    if code == 130:
        print("Stopped.", file=sys.stderr)
    return int(code)


def _complain(sentence: str) -> int:
    print(f"cuberails: {' '.join(sentence.split())}", file=sys.stderr)
    return 2


def _bots_together(arguments: Sequence[str]) -> list[str]:
    """Let `--bots greedy random` mean what it says: typer takes one value an option."""
    gathered: list[str] = []
    for argument in arguments:
        if (argument in LEVELS or argument.startswith("search:")) and "--bots" in gathered[-2:-1]:
            gathered[-1] += f",{argument}"
        else:
            gathered.append(argument)
    return gathered


if __name__ == "__main__":
    sys.exit(main())
