"""The command that serves tables to browsers."""

from __future__ import annotations

import errno
import os
import socket
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from cuberails.cli.shared import board_in, version, whole
from cuberails.core.board import Board
from cuberails.core.title import SetupError
from cuberails.server.logs import masked
from cuberails.server.settings import Settings, read_settings
from cuberails.terminal.storage import games_folder

commands = typer.Typer()


Data = Annotated[
    str | None,
    typer.Option(
        "--data",
        "--database",
        metavar="FILE",
        help="The file with the tables, or the URL of a PostgreSQL database; a file in your data folder if not given.",
    ),
]
SettingsFile = Annotated[
    str | None, typer.Option("--settings", metavar="FILE", help="Settings in TOML, as docs/hosting.md explains them.")
]


@commands.command(epilog="Example: cuberails serve --port 8080")
def serve(
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="The address to listen at: 127.0.0.1, or 0.0.0.0 for everybody.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(parser=whole, metavar="PORT", help="The port to listen at; 8000 if not given.")
    ] = None,
    data: Data = None,
    processes: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="N", help="How many processes serve; more than one need PostgreSQL."),
    ] = None,
    settings: SettingsFile = None,
    board: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Offer the board in this file too; repeat for more.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Show the page in a browser.")] = True,
) -> None:
    """Play in the browser: alone against bots, at one screen, or with friends by links."""
    chosen = chosen_settings(settings, host=host, port=port, database=data, processes=processes)
    boards = [board_in(name) for name in board or []]
    with _listening(chosen.host, chosen.port) as door:
        address = _address(chosen.host, door.getsockname()[1])
        print(f"{version()}, is at {address} and saves its tables in {place(chosen)}. Ctrl-C ends it.", flush=True)
        if open_page:
            threading.Timer(1.0, webbrowser.open, (address,)).start()
        _run_server(door, chosen, boards)


def chosen_settings(file: str | None, **given: object) -> Settings:
    """The settings of the command line, the environment and a file, with the usual place for the tables."""
    found = read_settings(os.environ, file, **given)
    return found if found.database else replace(found, database=str(games_folder().parent / "tables.db"))


def place(settings: Settings) -> str:
    """Where the tables are: a file that is named as it was given, or a database without its password."""
    return masked(settings.database_url.removeprefix("sqlite:///"))


def _listening(host: str, port: int) -> socket.socket:
    """An open socket; taken before anything else, so that a busy port is reported at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # answers leave at once; Nagle would hold them 40 ms
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


def _run_server(door: socket.socket, settings: Settings, boards: Sequence[Board]) -> None:
    # Here and not above: the other commands start faster without a web server.
    from sqlalchemy.exc import DatabaseError

    from cuberails.server.app import create_app
    from cuberails.server.running import Processes, run

    if settings.database_url.startswith("sqlite:///"):
        if settings.processes > 1:
            raise SetupError("several processes need PostgreSQL; name its database with --database")
        Path(place(settings)).parent.mkdir(parents=True, exist_ok=True)
    try:
        app = create_app(settings, boards)
    except DatabaseError as error:
        raise SetupError(f"{place(settings)} cannot keep tables: {error.orig}") from None
    if settings.processes == 1:
        run(app, settings, [door])
    else:
        app.state.tables.store.close()
        Processes(settings, boards, [door]).run()
