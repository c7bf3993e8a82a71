"""The writer's own way to the database: the driver itself, without layers between. Here for SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from cuberails.server.sqlitefile import FileConnection, SqliteFile, needs_reopening


class SequenceConflict(Exception):
    """Another writer has used this sequence number first."""


Statement = tuple[str, list[tuple[object, ...]]]
"""SQL with `?` for its parameters, and rows of those."""


class Write(NamedTuple):
    """What is written to one table, all of it or nothing; `seq` is what its log then reaches, or 0.

    `announced` if other processes should hear of it although the log stays as it is.
    """

    table: str
    statements: list[Statement]
    seq: int = 0
    announced: bool = False


class Change(NamedTuple):
    """What another process did: the table, and the number that its log has reached; 0 if it did something else."""

    table: str
    seq: int


Changes = Sequence[Change] | None
"""What other processes did; None if that is something, and it is unknown what."""


class Connection(Protocol):
    """A connection that belongs to the writer alone."""

    generation: int
    """How often the database was opened: what was read before may not stand there any more."""

    def renew(self) -> None:
        """Open the database anew if it was unreadable, or another one has taken its place."""

    def write(self, writes: Sequence[Write]) -> list[bool]:
        """Write all in one durable transaction, and say of each whether it conflicts with what is there already."""

    def changes(self) -> Changes:
        """What other processes did since the last call, for databases that have to be asked."""

    def listen(self, tell: Callable[[Changes], None]) -> None:
        """Tell from now on, by another thread, what other processes do, for databases that say so themselves."""

    def close(self) -> None: ...


class Locks(Protocol):
    """Which process has its bots think at a table."""

    async def take(self, table: str) -> bool:
        """Whether this process may have a bot think at a table; if not, another one does."""

    async def give_back(self, table: str) -> None:
        """Let others have their bots think there."""

    def close(self) -> None: ...


def by_statement(writes: Iterable[Write]) -> dict[str, list[tuple[object, ...]]]:
    """The rows of all writes by their SQL, each of which is then executed once for many rows."""
    together: dict[str, list[tuple[object, ...]]] = {}
    for write in writes:
        for sql, rows in write.statements:
            together.setdefault(sql, []).extend(rows)
    return together


class SqliteConnection:
    """SQLite. `prepare` brings a file that has taken the place of the first to the newest form."""

    def __init__(self, file: SqliteFile, prepare: Callable[[], None]) -> None:
        self._file = file
        self._prepare = prepare
        self._broken = False
        self.generation = 1
        self._connection: FileConnection
        self._open()

    def _open(self) -> None:
        self._connection = self._file.connect(isolation_level=None)
        self._version = self._data_version()

    def renew(self) -> None:
        if self._broken or self._replaced():
            self._broken = True  # until all of this has succeeded
            self._connection.close()
            self._prepare()
            self._open()
            self.generation += 1
            self._broken = False

    def _replaced(self) -> bool:
        """Whether the file is gone that is open: what is written there is lost."""
        return self._connection.file_id != self._file.id

    def write(self, writes: Sequence[Write]) -> list[bool]:
        try:
            return self._write(writes)
        except sqlite3.Error as error:
            self._broken = self._broken or needs_reopening(error)
            raise

    def _write(self, writes: Sequence[Write]) -> list[bool]:
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        try:
            conflicts = self._write_together(writes)
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise
        if self._replaced():  # while it was written to
            raise sqlite3.OperationalError("another file has taken the place of the database")
        return conflicts

    def _write_together(self, writes: Sequence[Write]) -> list[bool]:
        """All as one, which is quick; one by one if any of them conflicts."""
        self._connection.execute("SAVEPOINT together")
        try:
            for sql, rows in by_statement(writes).items():
                self._connection.executemany(sql, rows)
        except sqlite3.IntegrityError:
            self._connection.execute("ROLLBACK TO together")
            return [self._conflicts(write) for write in writes]
        return [False] * len(writes)

    def _conflicts(self, write: Write) -> bool:
        self._connection.execute("SAVEPOINT one")
        try:
            for sql, rows in write.statements:
                self._connection.executemany(sql, rows)
        except sqlite3.IntegrityError:
            self._connection.execute("ROLLBACK TO one")
            return True
        return False

    def changes(self) -> Changes:
        try:
            before, self._version = self._version, self._data_version()
        except sqlite3.Error as error:
            self._broken = self._broken or needs_reopening(error)
            raise
        return [] if self._version == before else None

    def _data_version(self) -> int:
        """A number that changes exactly if another connection has written."""
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def listen(self, tell: Callable[[Changes], None]) -> None:
        """SQLite tells nothing by itself; `changes` asks it."""

    def close(self) -> None:
        self._connection.close()


class NoLocks:
    """Where one process has all tables to itself, as it usually has with SQLite, its bots may always think."""

    async def take(self, table: str) -> bool:
        return True

    async def give_back(self, table: str) -> None:
        return None

    def close(self) -> None:
        return None
