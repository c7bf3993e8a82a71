"""A real server in a process of its own, started as people start it, which can be killed and whose disk can be full."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import cuberails

PACKAGE = Path(cuberails.__file__).parents[1]


class Serving:
    """`cuberails serve` on a file with tables."""

    def __init__(self, file: Path) -> None:
        self.log = file.with_suffix(".log")
        command = [sys.executable, "-m", "cuberails.cli", "serve", "--no-open", "--port", "0", "--data", str(file)]
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "CUBERAILS_PACE": "0"}
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, cwd=file.parent
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)", line)
        assert found is not None, f"{line}{self.log.read_text()}"
        self.port = int(found[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it without a word, as a power cut would."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def fill_disk(self, room: int) -> None:
        """From now on, no file of this process can become larger than this."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))

    def free_disk(self) -> None:
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def memory(self) -> float:
        """Megabytes of memory that it uses."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
