"""PostgreSQL: the writer's connection, what other processes say by NOTIFY, and whose bots think at a table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread

import psycopg
from psycopg import errors

from cuberails.server.connections import Change, Changes, Write, by_statement

CHANNEL = "cuberails"
"""The channel on which processes tell each other which log has reached which number."""

AGAIN = 1.0
"""Seconds until a lost connection is tried again."""

_log = logging.getLogger(__name__)
logging.getLogger("psycopg").setLevel(logging.ERROR)  # it warns of what is raised besides: of two writers one is late
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', %s)"


class PostgresConnection:
    """The writer's connection: a batch is one transaction, sent in pipeline mode without waiting between statements."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.generation = 1
        self._connection = psycopg.connect(url, autocommit=True)
        self._ended = Event()
        self._own: set[int] = {self._connection.info.backend_pid}

    def renew(self) -> None:
        """A lost connection is made again; what stands in the database is the same."""
        if self._connection.closed:
            self._connection = psycopg.connect(self._url, autocommit=True)
            self._own.add(self._connection.info.backend_pid)

    def write(self, writes: Sequence[Write]) -> list[bool]:
        try:
            self._write_together(writes)
        except (errors.UniqueViolation, errors.ForeignKeyViolation, errors.DeadlockDetected):
            # A foreign key fails where rows of one write stand before the table that another one makes.
            return [self._conflicts(write) for write in writes]
        return [False] * len(writes)

    def _write_together(self, writes: Sequence[Write]) -> None:
        """All as one, which is quick."""
        connection = self._connection
        with connection.pipeline(), connection.transaction(), connection.cursor() as cursor:
            for sql, rows in by_statement(writes).items():
                if rows:
                    cursor.executemany(_with_percents(sql), rows)
            announced = [write for write in writes if write.seq or write.announced]
            cursor.executemany(_NOTIFY, [(f"{write.table} {write.seq}",) for write in announced])

    def _conflicts(self, write: Write) -> bool:
        try:
            self._write_together([write])
        except psycopg.IntegrityError:
            return True
        return False

    def changes(self) -> Changes:
        """PostgreSQL says so itself; `listen` hears it."""
        return []

    def listen(self, tell: Callable[[Changes], None]) -> None:
        ready = Event()
        Thread(target=self._hear, args=(tell, ready), name="listener", daemon=True).start()
        ready.wait(10)

    def _hear(self, tell: Callable[[Changes], None], ready: Event) -> None:
        """Tell what others notify of; after a lost connection, that something may have happened meanwhile."""
        while not self._ended.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    if ready.is_set():
                        tell(None)
                    ready.set()
                    self._pass_on(connection, tell)
            except psycopg.Error as error:
                _log.error("what other processes did cannot be heard: %s", error)
                self._ended.wait(AGAIN)

    def _pass_on(self, connection: psycopg.Connection, tell: Callable[[Changes], None]) -> None:
        while not self._ended.is_set():
            for notice in connection.notifies(timeout=AGAIN, stop_after=1):
                table, _, seq = notice.payload.partition(" ")
                if notice.pid not in self._own and seq.isdecimal():
                    tell([Change(table, int(seq))])

    def close(self) -> None:
        self._ended.set()
        self._connection.close()


def _with_percents(sql: str) -> str:
    return sql.replace("?", "%s")


class TableLocks:
    """Which process has its bots think at a table: advisory locks, which end with the process that holds them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = Lock()
        self._connection: psycopg.Connection | None = None
        self._ended = False

    async def take(self, table: str) -> bool:
        """Whether this process may have a bot think at a table; if not, another one does."""
        return await asyncio.to_thread(self._ask, "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", table)

    async def give_back(self, table: str) -> None:
        await asyncio.to_thread(self._ask, "SELECT pg_advisory_unlock(hashtextextended(%s, 0))", table)

    def _ask(self, sql: str, table: str) -> bool:
        with self._lock:
            if self._ended:  # a thread that was still on its way
                return False
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._url, autocommit=True)
            row = self._connection.execute(sql, (table,)).fetchone()
            return bool(row and row[0])

    def close(self) -> None:
        with self._lock:
            self._ended = True
            if self._connection is not None:
                self._connection.close()
