"""Trouble with the database, logged once however many people meet it."""

from __future__ import annotations

import logging
from threading import Lock

_log = logging.getLogger(__name__)


class Trouble:
    """Logs each sentence once, until it is over; then that. Any thread may speak."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._lock = Lock()

    def say(self, what: str, error: Exception) -> None:
        """Log what cannot be done, and why; of SQLAlchemy's errors only what the driver says."""
        sentence = f"{what}: {getattr(error, 'orig', None) or error}"
        with self._lock:
            new = sentence not in self._said
            self._said.add(sentence)
        if new:
            _log.error(sentence)

    def over(self) -> None:
        """The database was read and written to just now."""
        with self._lock:
            was = bool(self._said)
            self._said.clear()
        if was:
            _log.warning("the database can be read and written to again")
