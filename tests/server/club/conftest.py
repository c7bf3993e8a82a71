"""A desk from which people are called, with a clock of the tests' own, and receivers on this machine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cuberails.server.clock import timestamp
from cuberails.server.club import caller, calls, outbox
from cuberails.server.club.caller import SENT, Caller, Outcome
from cuberails.server.club.messages import Message
from cuberails.server.club.outbox import Way
from cuberails.server.club.rest import Rest
from cuberails.server.club.time_store import resting
from cuberails.server.connections import Write
from cuberails.server.store import now
from tests.server.club.receiver import Receiver
from tests.server.house import Hall, House, hall, served


class Desk:
    """Tables in a hall, and a caller whose messages stay here. Its clock stands still unless a test moves it."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.time = now()
        self.sent: list[tuple[Way, Message]] = []
        self.letters: list[int] = []
        """How many messages went out together, each time."""
        self.outcomes: list[Outcome] = []
        self.caller = Caller(hall.tables, self._send, lambda: self.time)

    async def _send(self, way: Way, messages: Sequence[Message]) -> Outcome:
        self.sent += [(way, each) for each in messages]
        self.letters.append(len(messages))
        return self.outcomes.pop(0) if self.outcomes else Outcome(SENT)

    def add_way(self, person: str, kind: str = outbox.JSON, hour: int = -1, session: str = "") -> Way:
        target, secret = f"https://{person}.example", "whsec_MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0"
        way = Way(outbox.new_lease(), person, kind, target, secret, "example", "https://play.example", now(), hour)
        way = replace(way, session=session)
        self.hall.run(self.hall.tables.writer.write(Write("", outbox.adding(way))))
        return way

    def rests(self, person: str, hours: int) -> None:
        """From an hour ago on somebody has quiet hours, for so many hours from now."""
        begin, end = self.time - dt.timedelta(hours=1), self.time + dt.timedelta(hours=hours)
        start, stop = (moment.hour * 60 + moment.minute for moment in (begin, end))
        rest = Rest("UTC", start, stop)
        self.hall.run(self.hall.tables.writer.write(resting(person, timestamp(begin), rest)))

    def way(self, id: str) -> Way | None:
        return self.caller.outbox.way(id)

    def deliver(self, later: dt.timedelta = calls.GRACE) -> list[str]:
        """Let some time pass, deliver what is due then, and say to whom which kind of message went."""
        self.time = max(self.time, now()) + later
        before = len(self.sent)
        self.hall.run(self._round())
        return [f"{way.person} {sent.kind}" for way, sent in self.sent[before:]]

    async def _round(self) -> None:
        while await self.caller.round():
            await self.caller.settled()


@contextmanager
def calling_at_once(file: Path, **settings: Any) -> Iterator[House]:
    """A server that calls without delay, and may ask receivers on its own machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calls, "GRACE", dt.timedelta(0))
        patch.setattr(caller, "POLL", 0.02)
        with served(file, private_receivers=("127.0.0.0/8",), **settings) as house:
            yield house


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with hall(tmp_path / "desk.db") as (tables, _):
        yield Desk(tables)


@pytest.fixture
def any_desk(database: str) -> Iterator[Desk]:
    """A desk at a database of each kind."""
    with hall(database) as (tables, _):
        yield Desk(tables)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver
