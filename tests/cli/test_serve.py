"""serve: where it listens and what it keeps."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path

import pytest

from cuberails.cli import main
from tests.cli.calling import own_board, refuses, started


def test_serve_says_that_a_port_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["serve", "--no-open", "--port", str(port)]) == 2
    complaint = capsys.readouterr().err
    assert complaint == (
        f"cuberails: cannot listen at 127.0.0.1 port {port}: somebody else uses it; choose another with --port\n"
    )


def test_serve_refuses_a_port_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-open", "--port", "70000"]) == 2
    assert "--port: found '70000'; it must be between 0 and 65535" in capsys.readouterr().err


def test_serve_refuses_a_file_that_holds_something_else(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "letter.txt").write_text("Dear Anna, " * 500)
    assert main(["serve", "--no-open", "--port", "0", "--data", "letter.txt"]) == 2
    assert "letter.txt cannot keep tables: file is not a database" in capsys.readouterr().err


def test_serve_says_where_it_is_and_saves_its_tables(home: Path) -> None:
    with started(home, "serve", "--no-open", "--port", "0") as server:
        assert fetched(server, "/health") == "ok"
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 130
    assert (home / "data" / "cuberails" / "tables.db").exists()


def test_serve_offers_boards_of_ones_own(home: Path) -> None:
    own_board(home)
    with started(home, "serve", "--no-open", "--port", "0", "--board", "my.toml") as server:
        titles = json.loads(fetched(server, "/api/titles"))
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 130
    wabash = next(title for title in titles if title["key"] == "wabash")
    assert [board["name"] for board in wabash["boards"]] == ["Queen edition, corrected", "Rich start"]


def test_serve_refuses_a_bad_board_before_it_listens(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = own_board(home)
    file.write_text(file.read_text().replace("money = 600", "money = -1"))
    printed = refuses(capsys, "serve", "--no-open", "--port", "0", "--board", "my.toml", code=1)
    assert "my.toml, components.money: found -1" in printed
    assert not (home / "data").exists()


def fetched(server: subprocess.Popen[str], path: str) -> str:
    """What a server that is just starting answers."""
    assert server.stdout is not None
    said = server.stdout.readline()
    address = re.search(r"http://localhost:\d+", said)
    assert address is not None, said
    with urllib.request.urlopen(address[0] + path, timeout=20) as answer:
        return str(answer.read(), "utf-8")
