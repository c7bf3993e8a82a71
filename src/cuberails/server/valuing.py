"""What shares and lots are worth: quick numbers at once, refined ones from a worker process.

A position is worked out once for all who ask, as long as one of them waits for it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from cuberails.bots.worth import Worth, worth
from cuberails.core.game import Game
from cuberails.server.opening import checked_moment
from cuberails.server.queueing import STUDY, Asker
from cuberails.server.refusal import NO_HELP, Refused
from cuberails.server.stream import LOOK
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.thinking import Question, Thinkers, question_at

PLAYS = (16, 160)
"""How many play-outs: first a few, for numbers that come soon, then all. The first are played again."""

MOST_KEPT = 128
"""How many answers are kept."""

REST = 0.3
"""Seconds that a position must stay before it is refined: nobody reads what flies past."""

FAILED = "The numbers could not be refined; ask again."

Key = tuple[str, ...]
"""A position, as the table and the actions that led to it, and how it is worked out."""

View = dict[str, Any]
Events = AsyncGenerator[bytes, None]


@dataclass
class Work:
    """What a position is worth, known or being worked out, and how many wait for it."""

    question: Question
    answer: asyncio.Future[Worth]
    waiting: int = 0

    @property
    def failed(self) -> bool:
        return self.answer.done() and (self.answer.cancelled() or self.answer.exception() is not None)


class Valuations:
    """The answers that are known and those that are worked out."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._known: OrderedDict[Key, Work] = OrderedDict()

    async def quick(self, table: Table, count: int) -> Worth:
        """What follows from the rules alone."""
        game = table.game.fork()

        def begin() -> asyncio.Future[Worth]:
            return asyncio.ensure_future(asyncio.to_thread(_quick, game, count))

        async with self._work(question_at(table.game, count, "", table.id), "quick", begin) as work:
            return await asyncio.shield(work.answer)

    def refined(self, table: Table, count: int, plays: int, person: str) -> AbstractAsyncContextManager[Work]:
        """What so many play-outs tell."""
        question = question_at(table.game, count, "", table.id)

        def begin() -> asyncio.Future[Worth]:
            return asyncio.wrap_future(self._thinkers.value(question, plays, Asker(person, lambda: STUDY)))

        return self._work(question, str(plays), begin)

    @asynccontextmanager
    async def _work(
        self, question: Question, kind: str, begin: Callable[[], asyncio.Future[Worth]]
    ) -> AsyncIterator[Work]:
        """The work on a position, begun unless it is under way or done. It ends when the last has left who waits."""
        key = (question.game_id, kind, *map(str, question.actions))
        work = self._known.get(key)
        if work is None or work.failed:
            work = self._known[key] = Work(question, begin())
        work.waiting += 1
        self._forget_oldest(key)
        try:
            yield work
        finally:
            work.waiting -= 1
            if not work.waiting:
                work.answer.cancel()  # what is done stays as it is

    def _forget_oldest(self, latest: Key) -> None:
        self._known.move_to_end(latest)
        idle = [key for key, work in self._known.items() if not work.waiting]
        for key in idle[: max(0, len(self._known) - MOST_KEPT)]:
            del self._known[key]

    def progress(self, work: Work) -> float:
        """What part of the work is done."""
        return self._thinkers.progress(work.question) or 0.0


def _quick(game: Game, count: int) -> Worth:
    while game.count > count:
        game.undo()
    return worth(game)


class Moment:
    """A moment of a table that somebody asks about: now, until the table moves on, or after so many actions."""

    def __init__(self, tables: Tables, valuations: Valuations, table: Table, at: int | None) -> None:
        if not table.help:
            raise Refused(403, "help_off", NO_HELP)
        self._tables = tables
        self._valuations = valuations
        self._table = table
        self._seq = table.seq
        self._now = at is None
        self._count = table.game.count if at is None else checked_moment(table.game, at)
        self._woken = asyncio.Event()

    @property
    def _over(self) -> bool:
        """Whether the game is over then, so that there is nothing to play out."""
        game = self._table.game
        return self._count == game.count and not game.state.legal_actions()

    @property
    def _gone(self) -> bool:
        """Whether the table has moved on, or nobody gets an answer any more."""
        moved = self._now and not self._table.history.still_at(self._seq)
        return moved or self._table.stale or self._tables.ended

    async def quick(self) -> View:
        """The numbers that follow from the rules alone."""
        found = await self._valuations.quick(self._table, self._count)
        return {"seq": self._seq, "count": self._count, "refined": False, "over": self._over, **_view(found)}

    async def events(self, quick: View, person: str) -> Events:
        """The quick numbers, how far the work is, and refined ones; or that the table has moved on."""
        self._table.watchers.add(self._woken.set)
        try:
            yield _event("worth", quick)
            await self._pause(REST)
            known: Worth | None = None
            for plays in PLAYS:
                if self._gone or self._over:
                    break
                async with self._valuations.refined(self._table, self._count, plays, person) as work:
                    async for part in self._awaited(work):
                        yield _event("progress", part)
                    if work.failed:
                        yield _event("failed", {"error": "no_worth", "message": FAILED})
                        break
                    if work.answer.done():
                        known = _better(known, work.answer.result())
                        yield _event("worth", _refined_view(quick, known))
            yield _event("gone" if self._gone else "done", {"seq": self._table.seq})
        finally:
            self._table.watchers.discard(self._woken.set)

    async def _awaited(self, work: Work) -> AsyncIterator[float]:
        """How far the work is, now and then, until it is done or not wanted any more."""
        while not self._gone and not work.answer.done():
            yield round(self._valuations.progress(work), 2)
            await self._pause(LOOK, work.answer)

    async def _pause(self, seconds: float, *answers: asyncio.Future[Worth]) -> None:
        """Wait a while, unless an answer comes or something happens at the table."""
        self._woken.clear()
        if self._gone:
            return
        waking = asyncio.ensure_future(self._woken.wait())
        awaited: set[asyncio.Future[Any]] = {waking, *answers}
        try:
            await asyncio.wait(awaited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waking.cancel()


def _better(known: Worth | None, found: Worth) -> Worth:
    """What was found later, but with what shares will pay by more play-outs: those may be the first."""
    if known is None or _plays(known) <= _plays(found):
        return found
    return replace(found, shares=known.shares)


def _plays(found: Worth) -> int:
    return max((share.will_pay.plays for share in found.shares if share.will_pay), default=0)


def _view(found: Worth) -> View:
    """The same for whoever asks: seats by their numbers, nobody in particular is spoken to."""
    view = found.to_json()
    del view["seat"]
    for price in view["prices"]:
        del price["words"]
    return view


def _refined_view(quick: View, found: Worth) -> View:
    """The refined numbers, with what was paid so far, which the history tells and not the position."""
    view = {**quick, "refined": True, **_view(found)}
    for share, known in zip(view["shares"], quick["shares"], strict=True):
        share["paid"] = known["paid"]
    return view


def _event(kind: str, data: object) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), msgspec.json.encode(data))
