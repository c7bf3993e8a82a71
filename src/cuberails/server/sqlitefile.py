"""The file of an SQLite database, which its host may replace by a backup while the server runs."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Literal

PATIENCE = 10.0
"""Seconds that a connection waits while another one writes."""

FileId = tuple[int, int] | None
"""Which file it is, whatever it is called: device and inode. None if there is none."""

Isolation = Literal["DEFERRED"] | None
"""When Python begins transactions by itself: before the first change, or never."""

_BROKEN = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_READONLY}
"""Not a full disk, which says FULL or IOERR: the same connection continues when there is room."""


def needs_reopening(error: BaseException | None) -> bool:
    """Whether an error says that the file is bad: a connection that has met such a file is not used again."""
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN


class FileConnection(sqlite3.Connection):
    """A connection that remembers which file it has opened."""

    file_id: FileId = None

    def close(self) -> None:
        """End a transaction too: whatever still holds a cursor would keep it, and its lock, beyond the end."""
        with suppress(sqlite3.Error):  # it is closed already
            self.rollback()
        super().close()


class SqliteFile:
    """Opens connections to the file that has this name now, for all threads."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._uri = f"{Path(name).absolute().as_uri()}?mode=rw"  # never a new, empty file in the place of a lost one
        self._lock = Lock()
        self._opened: FileId = None
        self._beside: dict[str, FileId] = {f"{name}-wal": None, f"{name}-shm": None}

    @property
    def id(self) -> FileId:
        """Which file has the name now."""
        return _id(self._name)

    def connect(self, isolation_level: Isolation = "DEFERRED") -> FileConnection:
        """A connection to the file as it is now. Readers never wait for a writer (WAL), and what was committed survives
        a crash (FULL)."""
        with self._lock:
            self._set_aside_old_log()
            connection = sqlite3.connect(
                self._uri,
                timeout=PATIENCE,
                isolation_level=isolation_level,
                check_same_thread=False,
                factory=FileConnection,
                uri=True,
            )
            try:
                connection.file_id = self._opened = self.id
                for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                    connection.execute(f"PRAGMA {pragma}")
            except BaseException:
                connection.close()
                raise
            self._beside = {name: _id(name) for name in self._beside}
            return connection

    def _set_aside_old_log(self) -> None:
        """The log (-wal) of a file that was replaced is of no use, and SQLite would mix it into the new one."""
        if self._opened in (None, self.id):
            return
        for name, id in self._beside.items():
            if id is not None and id == _id(name):
                with suppress(FileNotFoundError):  # another process was quicker
                    os.replace(name, f"{name}.replaced")


def _id(name: str) -> FileId:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino
