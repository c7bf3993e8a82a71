"""What people say to each other at a table. It has numbers of its own: nothing that is said makes an action stale."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

MOST_LETTERS = 500
"""The longest line."""

MOST_LINES = 5000
"""The longest chat of a table."""

KEPT = 200
"""So many of the last lines are at hand for those who come."""

HOST = -1
"""Where somebody sits who has no seat: only the host says something then."""


@dataclass(frozen=True)
class ChatLine:
    """Something that somebody said."""

    number: int
    seat: int
    text: str
    at: dt.datetime


class Chat:
    """The last lines of a table's chat."""

    def __init__(self) -> None:
        self.lines: list[ChatLine] = []
        self.lock = asyncio.Lock()
        """Held by whoever says something, while that is written."""

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.lines[-1].number if self.lines else 0

    def add(self, lines: Iterable[ChatLine]) -> None:
        """Take over lines that are stored; those that are known already are left out."""
        for line in lines:
            if line.number > self.last:
                self.lines.append(line)
        del self.lines[:-KEPT]

    def after(self, number: int) -> list[ChatLine]:
        """The lines behind a number, as far as they are at hand."""
        return [line for line in self.lines if line.number > number]
