"""Whether the server can save what people do: tried now and then by a thread, and answered from memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread

from sqlalchemy.engine import Engine

from cuberails.server.trouble import Trouble

EVERY = 5.0
"""Seconds between two tries."""

PATIENCE = 20.0
"""After this number of seconds without a success the server is unwell. A try may wait 10 s for another writer."""


class Health:
    """Remembers when the database was last written to. It answers at once, even while the database hangs."""

    def __init__(
        self, probe: Callable[[], None], trouble: Trouble, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._probe = probe
        self._log = trouble
        self._clock = clock
        self._last = clock()
        self._ended = Event()

    def start(self) -> None:
        Thread(target=self._watch, name="health", daemon=True).start()

    def close(self) -> None:
        self._ended.set()

    def beat(self) -> None:
        """The database was written to just now."""
        self._last = self._clock()

    @property
    def age(self) -> float:
        """Seconds since the database was last written to."""
        return self._clock() - self._last

    @property
    def trouble(self) -> str:
        """What is wrong, as a sentence; empty while all is well."""
        age = self.age
        return f"The database could not be written to for {age:.0f} s." if age > PATIENCE else ""

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            self.check()

    def check(self) -> None:
        """Try the database once."""
        try:
            self._probe()
        except Exception as error:
            if not self._ended.is_set():
                self._log.say("the database cannot be written to", error)
        else:
            self.beat()
            self._log.over()


def write_probe(engine: Engine) -> None:
    """Write to the database without changing what it says, and read a little, so that a lock, a full disk and a damaged
    file are noticed."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            version = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
            connection.exec_driver_sql(f"PRAGMA user_version={version}")
        for table in ("alembic_version", "tables", "entries", "claims"):
            connection.exec_driver_sql(f"SELECT * FROM {table} LIMIT 1").all()
