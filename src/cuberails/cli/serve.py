"""The command that serves tables to browsers."""

from __future__ import annotations

import errno
import os
import socket
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cuberails.cli.shared import board_in, whole
from cuberails.core.board import Board
from cuberails.core.title import SetupError
from cuberails.terminal.storage import games_folder

commands = typer.Typer()


@commands.command(epilog="Example: cuberails serve --port 8080")
def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen at; 0.0.0.0 for everybody.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(parser=whole, metavar="PORT", help="The port to listen at.")] = 8000,
    data: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the tables here; in your data folder if not given.")
    ] = None,
    board: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Offer the board in this file too; repeat for more.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Show the page in a browser.")] = True,
) -> None:
    """Play in the browser: alone against bots, at one screen, or with friends by links."""
    if not 0 <= port <= 65535:
        raise SetupError(f"--port {port} is out of range: ports are 0 to 65535")
    boards = [board_in(name) for name in board or []]
    file = Path(os.path.expanduser(data)).absolute() if data else games_folder().parent / "tables.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    with _listening(host, port) as door:
        address = _address(host, door.getsockname()[1])
        print(f"cuberails is at {address} and saves its tables in {file}. Ctrl-C ends it.", flush=True)
        if open_page:
            threading.Timer(1.0, webbrowser.open, (address,)).start()
        _run_server(door, file, boards)


def _listening(host: str, port: int) -> socket.socket:
    """An open socket; taken before anything else, so that a busy port is reported at once."""
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


def _run_server(door: socket.socket, file: Path, boards: Sequence[Board]) -> None:
    # Here and not above: the other commands start faster without a web server.
    import uvicorn
    from sqlalchemy.exc import DatabaseError

    from cuberails.server.app import from_environment

    os.environ["CUBERAILS_DATABASE"] = f"sqlite:///{file}"
    try:
        served = from_environment(boards)
    except DatabaseError as error:
        raise SetupError(f"{file} cannot keep tables: {error.orig}") from None
    config = uvicorn.Config(served, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[door])
