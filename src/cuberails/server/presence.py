"""Who is at a table: the people who follow it at this moment, by seat."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

GRACE = 4.0
"""Seconds until somebody has left whose stream has ended: who loads the page anew, or loses the connection, is back."""

CROWD = 20
"""So many spectators are counted: the more there are, the more would be told of every single one."""

WATCHING = -1
"""The place of those who have no seat."""


class Presence:
    """The streams of a table that are open in this process, by seat.

    `version` rises and `on_change` is called when people come and go.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._streams: Counter[int] = Counter()
        self.version = 0

    def arrive(self, own: Sequence[int]) -> None:
        """Somebody with these seats follows the table."""
        self._count(own, 1)

    def leave(self, own: Sequence[int]) -> None:
        """Somebody has gone, unless they are back soon."""
        asyncio.get_running_loop().call_later(GRACE, self._count, own, -1)

    def is_here(self, seat: int) -> bool:
        return self._streams[seat] > 0

    @property
    def watching(self) -> int:
        """How many follow the table without a seat; a crowd is not counted on."""
        return min(self._streams[WATCHING], CROWD)

    def _count(self, own: Sequence[int], by: int) -> None:
        before = self._seen()
        self._streams.update(dict.fromkeys(own or [WATCHING], by))
        if self._seen() != before:
            self.version += 1
            self._on_change()

    def _seen(self) -> tuple[int, list[int]]:
        return self.watching, sorted(seat for seat in self._streams if self.is_here(seat))
