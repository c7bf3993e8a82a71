"""serve: where it listens and what it keeps."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import cuberails
from cuberails.cli import main


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
    assert "--port 70000 is out of range" in capsys.readouterr().err


def test_serve_refuses_a_file_that_holds_something_else(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "letter.txt").write_text("Dear Anna, " * 500)
    assert main(["serve", "--no-open", "--port", "0", "--data", "letter.txt"]) == 2
    assert "letter.txt cannot keep tables: file is not a database" in capsys.readouterr().err


def test_serve_says_where_it_is_and_keeps_its_tables(home: Path) -> None:
    command = [sys.executable, "-m", "cuberails.cli", "serve", "--no-open", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(Path(cuberails.__file__).parents[1])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        address = re.search(r"http://localhost:\d+", said)
        assert address is not None, said
        assert _fetched(f"{address[0]}/health") == "ok"
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 130
    assert (home / "data" / "cuberails" / "tables.db").exists()


def _fetched(address: str) -> str:
    """The page at an address, once somebody answers there."""
    with urllib.request.urlopen(address, timeout=20) as answer:
        return str(answer.read(), "utf-8")
