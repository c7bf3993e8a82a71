"""The command as a whole: its groups of commands, and its errors, one sentence each."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cuberails.bots import LEVELS
from cuberails.cli import admin, analyse, board, lab, operate, play, records, serve, shared, titles
from cuberails.core.action import UnknownAction
from cuberails.core.boardfile import BoardError
from cuberails.core.record import RecordError
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError
from cuberails.draw.pen import clean
from cuberails.lab import WorkerLost

BAD_BOARD = 1
BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
for group in (titles, play, records, analyse, lab, serve, operate):
    app.add_typer(group.commands)
app.add_typer(board.commands, name="board")
app.add_typer(admin.commands, name="admin")


def _version(wanted: bool) -> None:
    if wanted:
        print(shared.version())
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="Example: cuberails play wabash --players 3")
def command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
) -> None:
    """Railway board games in which players share the railways they build."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 for a bad board, 2 for other input that cannot be used, 130 after Ctrl-C."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given = _bots_together(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(args=given, prog_name="cuberails", standalone_mode=False) or 0
    except typer.TyperException as error:
        return _complain(error.format_message())
    except BoardError as error:
        return _complain(str(error), BAD_BOARD)
    except (SetupError, RecordError, UnknownAction, IllegalAction, WorkerLost) as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"{error.filename or 'the file'}: {error.strerror or error}")
    if code == INTERRUPTED:
        print("Stopped.", file=sys.stderr)
    return int(code)


def _complain(sentence: str, code: int = BAD_INPUT) -> int:
    print(f"cuberails: {clean(' '.join(sentence.split()))}", file=sys.stderr)
    return code


def _bots_together(arguments: Sequence[str]) -> list[str]:
    """Let `--bots greedy random` mean what it says: typer takes one value an option."""
    gathered: list[str] = []
    for argument in arguments:
        if (argument in LEVELS or argument.startswith("search:")) and "--bots" in gathered[-2:-1]:
            gathered[-1] += f",{argument}"
        else:
            gathered.append(argument)
    return gathered
