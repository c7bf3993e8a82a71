"""The writer: one thread that writes everything, by group commit.

A durable write takes a disk its time, so all who wait share one transaction. Nobody is told that something happened
before it is on the disk. Between batches the thread looks whether other processes wrote to the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from cuberails.server.connections import Changes, Connection, SequenceConflict, Write

LOOK = 0.05
"""Seconds between two looks at what other processes wrote, while there is nothing to write."""

_log = logging.getLogger(__name__)


class WriteFailed(Exception):
    """The database could not be written to (say, the disk is full), and nothing was changed."""


class PendingWrite:
    """A write that waits for the next transaction, and whoever waits for it."""

    def __init__(self, write: Write, done: asyncio.Future[None]) -> None:
        self.write = write
        self.done = done

    def resolve(self, outcome: Exception | None) -> None:
        """Tell whoever waits, on the event loop."""
        if self.done.done():  # nobody waits any more
            return
        if outcome is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(outcome)


class Writer:
    """Writes what the event loop hands it. `on_change` is called there with what other processes did."""

    def __init__(self, connect: Callable[[], Connection], on_change: Callable[[Changes], None]) -> None:
        self._connect = connect
        self._on_change = on_change
        self._queue: SimpleQueue[PendingWrite | None] = SimpleQueue()
        self._thread: Thread | None = None
        self.loop: asyncio.AbstractEventLoop

    def start(self) -> None:
        """Begin, on the event loop that runs now."""
        self.loop = asyncio.get_running_loop()
        connection = self._connect()
        connection.listen(lambda changes: self._tell(self._on_change, changes))
        self._thread = Thread(target=self._run, args=(connection,), name="writer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, and end."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()

    async def write(self, write: Write) -> None:
        """Returns when it is on the disk; SequenceConflict if another process was first, WriteFailed if it failed."""
        done: asyncio.Future[None] = self.loop.create_future()
        self._queue.put(PendingWrite(write, done))
        await done

    # In the thread

    def _run(self, connection: Connection) -> None:
        ended = False
        while not ended:
            batch, ended = self._next_batch()
            self._look(connection)
            if batch:
                outcomes = _outcomes(connection, batch)
                self._tell(_resolve, batch, outcomes)
        connection.close()

    def _next_batch(self) -> tuple[list[PendingWrite], bool]:
        """All that waits, and whether it is the last; nothing, if nothing comes for a while."""
        batch: list[PendingWrite] = []
        try:
            pending = self._queue.get(timeout=LOOK)
            while pending is not None:
                batch.append(pending)
                pending = self._queue.get_nowait()
        except Empty:
            return batch, False
        return batch, True

    def _look(self, connection: Connection) -> None:
        try:
            found = connection.changes()
        except Exception as error:
            _log.error("what other processes did cannot be read: %s", error)
        else:
            if found is None or found:
                self._tell(self._on_change, found)

    def _tell(self, what: Callable[..., None], *about: object) -> None:
        with suppress(RuntimeError):  # the server has ended
            self.loop.call_soon_threadsafe(what, *about)


def _resolve(batch: list[PendingWrite], outcomes: list[Exception | None]) -> None:
    for pending, outcome in zip(batch, outcomes):
        pending.resolve(outcome)


def _outcomes(connection: Connection, batch: list[PendingWrite]) -> list[Exception | None]:
    """Write a batch, sorted by table so that those of two processes cannot wait for each other in a circle."""
    order = sorted(range(len(batch)), key=lambda n: batch[n].write.table)
    outcomes: list[Exception | None] = [None] * len(batch)
    try:
        taken = connection.write([batch[n].write for n in order])
        for n, conflict in zip(order, taken):
            outcomes[n] = SequenceConflict() if conflict else None
    except Exception as error:
        _log.error("the database cannot be written to: %s", error)
        outcomes = [WriteFailed(str(error)) for _ in batch]
    return outcomes
