"""Analyses of finished games: people start them, a process in the background works them off, and they are kept.

An analysis is judged decision by decision, and kept every now and then: after a restart it is resumed there. With
several processes a lock says which one works on it; the others wait for the lock, and take over if that one ends.
"""

from __future__ import annotations

import asyncio
import json
import logging
import zlib
from dataclasses import dataclass, field
from typing import Any

from cuberails.bots.analysis import BUDGETS, Analysis, Analyst, budget_named, record_digest
from cuberails.bots.decision import Decision
from cuberails.core.state import CHANCE, NOBODY
from cuberails.core.title import SetupError
from cuberails.server.queueing import UNWATCHED, Asker
from cuberails.server.refusal import Refused
from cuberails.server.store import keeping_analysis
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.thinking import TRIES, Judging, Thinkers, question_at
from cuberails.server.writer import WriteFailed

SAVED_PARTS = 20
"""So often while an analysis runs, what is done is kept."""

RETRY_AFTER = 2.0
"""Seconds until it is tried again to keep something, and to take over from another process."""

MOST_AT_ONCE = 3
"""So many analyses that one person has started may be under way."""

LESS = 4
"""A decision that took too long is searched with its simulations divided by this."""

NONE, RUNNING, COMPLETE, FAILED = "none", "running", "complete", "failed"

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Job:
    """An analysis under way: for whom, and how far it is."""

    table: Table
    person: str
    analyst: Analyst
    failed: bool = False
    task: asyncio.Task[None] = field(init=False)

    @property
    def key(self) -> tuple[str, str]:
        return self.table.id, self.analyst.budget.name

    @property
    def lock(self) -> str:
        return f"analysis {' '.join(self.key)}"

    @property
    def renamed(self) -> bool:
        """Whether somebody at the table is called otherwise now than in the words that were found."""
        return self.analyst.game.seats != self.table.game.seats

    @property
    def done(self) -> int:
        return self.analyst.total - len(self.analyst.pending)


class Analyses:
    """The analyses of the games at all tables. Everything here happens on the event loop of the tables."""

    def __init__(self, tables: Tables, judges: Thinkers) -> None:
        self._tables = tables
        self._store = tables.store
        self._judges = judges
        self._locks = tables.store.locks()
        self._jobs: dict[tuple[str, str], Job] = {}
        self._closed = False

    @property
    def running(self) -> int:
        """How many are under way."""
        return sum(not job.failed for job in self._jobs.values())

    def close(self) -> None:
        self._closed = True
        for job in self._jobs.values():
            job.task.cancel()
        self._judges.close()
        self._locks.close()

    # What people ask for

    async def start(self, table: Table, budget: str, person: str) -> None:
        """Start an analysis of a table's game, or resume it; one that is under way or complete is for all."""
        budget_named(budget)
        await self.check(table)
        kept, job = await self._kept(table), self._job(table, budget)
        if kept.get(budget) or (job is not None and not job.failed):
            return
        if sum(job.person == person and not job.failed for job in self._jobs.values()) >= MOST_AT_ONCE:
            sentence = f"{MOST_AT_ONCE} analyses that you have started are under way; wait for one of them."
            raise Refused(429, "too_many", sentence)
        self._begin(table, budget, person)

    async def check(self, table: Table) -> None:
        """Refuse what would be help in a game that is not over yet."""
        if table.actor != NOBODY:
            raise Refused(409, "not_over", "This game is not over yet; it can be analysed when it is.")
        if await asyncio.to_thread(self._store.plays_without_help, table.id):
            sentence = "The game that this one comes from is played without help and is not over yet."
            raise Refused(403, "help_off", f"{sentence} Wait for its end; then this one can be analysed.")

    async def progress(self, table: Table) -> dict[str, dict[str, Any]]:
        """How far the analyses of a table's game are, by budget."""
        await self.check(table)
        kept = await self._kept(table)
        total = sum(step.seat != CHANCE for step in table.game.steps)
        return {budget: self._progress(table, budget, kept, total) for budget in BUDGETS}

    def _progress(self, table: Table, budget: str, kept: dict[str, bool], total: int) -> dict[str, Any]:
        job = self._job(table, budget)
        if kept.get(budget):
            return {"state": COMPLETE, "done": total, "total": total}
        if job is None and budget in kept:  # by a process that has ended, or another one works on it
            job = self._begin(table, budget, table.host)
        if job is None:
            return {"state": NONE, "done": 0, "total": total}
        return {"state": FAILED if job.failed else RUNNING, "done": job.done, "total": total}

    async def found(self, table: Table) -> Analysis | None:
        """What is known of a table's game: by the deepest analysis that is complete, or else by the one under way."""
        await self.check(table)
        kept = await self._kept(table)
        order = sorted(kept, key=lambda budget: (kept[budget], budget == "deep"), reverse=True)
        for budget in order:
            data = await asyncio.to_thread(self._store.analysis, table.id, _record(table), budget)
            if data is not None and (analysis := await asyncio.to_thread(unpacked, data)) is not None:
                return analysis
        return None

    async def _kept(self, table: Table) -> dict[str, bool]:
        """The budgets of the analyses that are stored; whether each is complete."""
        return await asyncio.to_thread(self._store.analyses, table.id, _record(table))

    def _job(self, table: Table, budget: str) -> Job | None:
        """The job for the game as it is now."""
        job = self._jobs.get((table.id, budget))
        return job if job is not None and job.analyst.record == _record(table) else None

    # Jobs

    async def resume(self) -> None:
        """After a restart: what was under way is worked on."""
        for id, budget in await asyncio.to_thread(self._store.unfinished_analyses):
            try:
                await self.progress(await self._tables.find(id))
            except Refused as error:
                _log.info("the %s analysis of table %s is not resumed: %s", budget, id, error)

    def _begin(self, table: Table, budget: str, person: str) -> Job:
        job = Job(table, person, Analyst(table.game, budget))
        before = self._jobs.get(job.key)  # it has failed, or is about a game that was taken back
        if before is not None:
            before.task.cancel()
        self._jobs[job.key] = job
        job.task = asyncio.get_running_loop().create_task(self._run(job))
        return job

    async def _run(self, job: Job) -> None:
        try:
            await self._lock(job)
            await self._work(job)
        except Exception:
            job.failed = True
            _log.exception("the %s analysis of table %s failed", job.analyst.budget.name, job.table.id)
        finally:
            if not self._closed:
                await self._locks.give_back(job.lock)
        if not job.failed and self._jobs.get(job.key) is job:
            del self._jobs[job.key]
            if job.renamed:
                self._begin(job.table, job.analyst.budget.name, job.person)

    async def _lock(self, job: Job) -> None:
        """Have the job for this process alone; as long as another one works on it, follow what that has kept."""
        while not await self._locks.take(job.lock):
            await self._catch_up(job)
            await asyncio.sleep(RETRY_AFTER)
        await self._catch_up(job)

    async def _catch_up(self, job: Job) -> None:
        id, budget = job.key
        data = await asyncio.to_thread(self._store.analysis, id, job.analyst.record, budget)
        analysis = None if data is None else await asyncio.to_thread(unpacked, data)
        if analysis is not None and analysis.seats == job.analyst.game.seats:
            for decision in analysis.decisions:
                job.analyst.add(decision)

    async def _work(self, job: Job) -> None:
        """Judge all decisions that are pending. What has begun is kept at once, and so resumed. Nothing is kept
        when somebody is called otherwise meanwhile: perhaps they have gone, and their name goes with them."""
        analyst = job.analyst
        every, number = max(1, analyst.total // SAVED_PARTS), 0
        while pending := analyst.pending:
            for at in pending:
                if job.renamed:
                    return
                if number % every == 0:
                    await self._save(job)
                analyst.add(await self._judged(job, at))
                number += 1
        if not job.renamed:
            await self._save(job)

    async def _judged(self, job: Job, at: int) -> Decision:
        """Judge a decision: one that takes too long is searched less, a process that was killed is replaced."""
        simulations, tries = job.analyst.budget.simulations(job.analyst.total), TRIES
        while True:
            try:
                return await self._answer(job, at, simulations)
            except Exception as error:
                if isinstance(error, TimeoutError) and simulations > 1:
                    simulations = max(1, simulations // LESS)
                else:
                    tries -= 1
                if tries == 0:
                    raise
                _log.warning("decision %d of table %s is judged again: %r", at, job.table.id, error)

    async def _answer(self, job: Job, at: int, simulations: int) -> Decision:
        analyst, game = job.analyst, job.analyst.game
        action, hindsight = game.steps[at].action.id, analyst.in_hindsight(at)
        work = Judging(action, simulations, analyst.seed, game.seats, hindsight)
        asker = Asker(job.person, lambda: UNWATCHED)
        return await asyncio.wrap_future(
            self._judges.judge(question_at(game, at, "analysis", job.table.id), work, asker)
        )

    async def _save(self, job: Job) -> None:
        """Keep what is done; if that fails (say, the disk is full), it is tried again."""
        id, budget = job.key
        analysis = job.analyst.analysis()
        data = await asyncio.to_thread(packed, analysis)
        write = keeping_analysis(id, budget, analysis.record, analysis.complete, data)
        while True:
            try:
                return await self._tables.writer.write(write, job.table.generation)
            except WriteFailed:
                if job.table.stale:
                    raise
                await asyncio.sleep(RETRY_AFTER)


def _record(table: Table) -> str:
    """The digest of a table's game."""
    digest: str = table.rendered("record", lambda: record_digest(table.game))
    return digest


def packed(analysis: Analysis) -> bytes:
    """An analysis as it is stored."""
    return zlib.compress(json.dumps(analysis.to_json(), ensure_ascii=False).encode())


def unpacked(data: bytes) -> Analysis | None:
    """An analysis as it was stored; None if that is damaged, or of a version to come."""
    try:
        return Analysis.from_json(json.loads(zlib.decompress(data)))
    except (zlib.error, ValueError, RecursionError, SetupError):
        return None
