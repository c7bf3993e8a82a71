"""A real server in a process of its own, which tests start, kill and start again."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

_PROGRAM = """
import sys, uvicorn
from cuberails.server.app import create_app
from cuberails.server.settings import Settings
database, port, pace = sys.argv[1:]
if __name__ == "__main__":
    settings = Settings(database=database, bot_processes=1, pace=float(pace))
    uvicorn.run(create_app(settings), port=int(port), log_level="error")
"""


class Server:
    """Tables in a file, at a port of their own; `pace` is the pause before a bot's action is shown.

    `env` is the environment of the process, if it is not that of the tests.
    """

    def __init__(self, file: Path, pace: float = 0.0, env: Mapping[str, str] | None = None) -> None:
        self.file = file
        self._pace = pace
        self._env = env
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        arguments = [f"sqlite:///{self.file}", str(self._port), str(self._pace)]
        self._process = subprocess.Popen([sys.executable, "-c", _PROGRAM, *arguments], env=self._env)
        until = time.monotonic() + 120
        while not self._answers():
            assert self._process.poll() is None, "the server ended at once"
            assert time.monotonic() < until, "the server did not start within two minutes"
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def kill(self) -> None:
        """End it without a word, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])
