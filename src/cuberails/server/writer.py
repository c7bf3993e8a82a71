"""The writer: one thread that writes everything, by group commit.

A durable write takes a disk its time, so all who wait share one transaction. Nobody is told that something happened
before it is on the disk. Between batches the thread looks whether other processes wrote to the database.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from cuberails.server.connections import Changes, Connection, SequenceConflict, Write
from cuberails.server.trouble import Trouble

LOOK = 0.05
"""Seconds between two looks at what other processes wrote, while there is nothing to write."""

LOOK_AGAIN = 1.0
"""Seconds until the next look after one that failed."""


class WriteFailed(Exception):
    """The database could not be written to (say, the disk is full), and nothing was changed."""


class PendingWrite:
    """A write that waits for the next transaction, and whoever waits for it.

    `generation` is that of the database from which it was known what to write.
    """

    def __init__(self, write: Write, generation: int, done: asyncio.Future[None]) -> None:
        self.write = write
        self.generation = generation
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
    """Writes what the event loop hands it. `on_change` is called there with what other processes did, `on_reopen` when
    the database was opened anew, so that nothing that was read before can be relied on."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        on_change: Callable[[Changes], None],
        on_reopen: Callable[[], None] = lambda: None,
        trouble: Trouble | None = None,
    ) -> None:
        self._connect = connect
        self._on_change = on_change
        self._on_reopen = on_reopen
        self._trouble = trouble or Trouble()
        self._look_at = 0.0
        self.generation = 0
        """How often the database was opened."""
        self._queue: SimpleQueue[PendingWrite | None] = SimpleQueue()
        self._thread: Thread | None = None
        self.loop: asyncio.AbstractEventLoop

    def start(self) -> None:
        """Begin, on the event loop that runs now."""
        self.loop = asyncio.get_running_loop()
        connection = self._connect()
        self.generation = connection.generation
        connection.listen(lambda changes: self._tell(self._on_change, changes))
        self._thread = Thread(target=self._run, args=(connection,), name="writer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, and end."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()

    async def write(self, write: Write, generation: int | None = None) -> None:
        """Returns when it is on the disk; SequenceConflict if another process was first, WriteFailed if it failed.

        What follows from a `generation` of the database is written to no other: a backup may have taken its place.
        """
        done: asyncio.Future[None] = self.loop.create_future()
        self._queue.put(PendingWrite(write, self.generation if generation is None else generation, done))
        await done

    # In the thread

    def _run(self, connection: Connection) -> None:
        ended = False
        while not ended:
            batch, ended = self._next_batch()
            self._look(connection)
            if batch:
                self._tell(_resolve, batch, self._outcomes(connection, batch))
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
        if time.monotonic() < self._look_at:
            return
        try:
            self._renew(connection)
            found = connection.changes()
        except Exception as error:
            self._look_at = time.monotonic() + LOOK_AGAIN
            self._trouble.say("what other processes did cannot be read", error)
        else:
            if found is None or found:
                self._tell(self._on_change, found)

    def _renew(self, connection: Connection) -> None:
        connection.renew()
        if connection.generation != self.generation:
            self.generation = connection.generation
            self._tell(self._on_reopen)

    def _outcomes(self, connection: Connection, batch: list[PendingWrite]) -> list[Exception | None]:
        """Write a batch, sorted by table so that those of two processes cannot wait for each other in a circle."""
        outcomes: list[Exception | None] = [WriteFailed("the database was replaced meanwhile") for _ in batch]
        try:
            self._renew(connection)
            current = [n for n, pending in enumerate(batch) if pending.generation == self.generation]
            order = sorted(current, key=lambda n: batch[n].write.table)
            taken = connection.write([batch[n].write for n in order])
            for n, conflict in zip(order, taken):
                outcomes[n] = SequenceConflict() if conflict else None
        except Exception as error:
            self._trouble.say("the database cannot be written to", error)
            outcomes = [WriteFailed(str(error)) for _ in batch]
        return outcomes

    def _tell(self, what: Callable[..., None], *about: object) -> None:
        with suppress(RuntimeError):  # the server has ended
            self.loop.call_soon_threadsafe(what, *about)


def _resolve(batch: list[PendingWrite], outcomes: list[Exception | None]) -> None:
    for pending, outcome in zip(batch, outcomes):
        pending.resolve(outcome)
