"""A real PostgreSQL for the tests: in a temporary folder, at a unix socket only, and gone with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg


class Postgres:
    """A server with as many databases as the tests want."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def new_database(self) -> str:
        """The URL of a database with nothing in it."""
        name = f"tables{next(self._numbers)}"
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self._folder}"


@contextmanager
def running(fsync: str = "off") -> Iterator[Postgres]:
    """A server that ends with the tests. Without `fsync` what it wrote may not survive a loss of power, but a kill."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # short: the path of a unix socket has 107 letters at most
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    _run("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale")
    options = f"-c listen_addresses='' -c fsync={fsync} -c max_connections=200 -k {folder}"
    _run("pg_ctl", "-D", str(folder / "data"), "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield Postgres(folder)
    finally:
        _run("pg_ctl", "-D", str(folder / "data"), "-m", "immediate", "stop")
        shutil.rmtree(folder)


def _run(program: str, *arguments: str) -> None:
    """PostgreSQL refuses to run as root."""
    as_postgres = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    done = subprocess.run([*as_postgres, _path(program), *arguments], capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr


def _path(program: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    found = str(installed[-1]) if installed else shutil.which(program)
    assert found, f"these tests need PostgreSQL's {program}; scripts/postgres.sh installs it"
    return found
