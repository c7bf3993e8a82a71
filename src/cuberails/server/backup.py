"""A copy of the tables while people play."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from cuberails.core.title import SetupError

SQLITE = "sqlite:///"


class BackupError(SetupError):
    """A copy that could not be made, and what to do."""


def sqlite_file(url: str) -> Path | None:
    """The file of a database; None if it is no file."""
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def back_up(source: Path, target: Path) -> int:
    """Copy the tables as they stand at one moment into a file of their own; its size in bytes.

    SQLite's online backup, in one step: in WAL mode that reads one consistent state, and no writer waits for it. The
    copy is checked before it takes its name, so that a file of that name is always whole.
    """
    if os.path.realpath(source) == os.path.realpath(target):
        raise BackupError(f"{target} is the file with the tables itself; name another")
    if not source.is_file():
        raise BackupError(f"there are no tables in {source}")
    target = Path(os.path.realpath(target))
    beside = target.with_name(f".{target.name[:80]}.{os.getpid()}.tmp")
    try:
        beside.touch(0o600, exist_ok=False)  # who plays where is nobody else's business
        _copy(source, beside)
        os.replace(beside, target)
        return target.stat().st_size
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{source} cannot be copied to {target}: {error}") from None
    finally:
        beside.unlink(missing_ok=True)


def back_up_key(key: Path, target: Path) -> None:
    """Copy the secret of a server to where a server on the copy of its tables looks for it, for nobody else to read."""
    beside = target.with_name(f".{target.name[:80]}.{os.getpid()}.tmp")
    try:
        beside.touch(0o600, exist_ok=False)
        beside.write_bytes(key.read_bytes())
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise BackupError(f"{source} is damaged: {verdict}")
    with target.open("rb+") as file:
        os.fsync(file.fileno())
