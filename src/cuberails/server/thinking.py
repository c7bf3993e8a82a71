"""Bots think in worker processes, so that nobody at any table waits for them."""

from __future__ import annotations

import logging
import os
import signal
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from ctypes import Array, c_double
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from typing import Any, TypeVar

from cuberails.bots import Bot, Idea, OnProgress, advise, make
from cuberails.core.state import State
from cuberails.server.queueing import Asker, FairQueue
from cuberails.titles import load

MOST_SECONDS = 60
"""How many seconds a bot may think."""

TRIES = 3

MOST_KEPT_BOTS = 8
"""How many bots a worker keeps with their search trees; that of an expert may take some 60 MB."""

SLOTS = 256
"""Of how many questions at once the progress can be seen."""

Answer = TypeVar("Answer")

_log = logging.getLogger(__name__)
_SPAWN = get_context("spawn")


@dataclass(frozen=True, eq=False)
class Question:
    """A position, as the numbers of the actions that led to it, and the bot that decides there.

    `game_id` is the same for all questions about one game, and for no other. A question equals only itself: the same
    may be asked twice.
    """

    title: str
    board_text: str
    rules_version: int
    players: int
    options: dict[str, str]
    actions: list[int]
    level: str
    game_id: str

    @property
    def seed(self) -> str:
        return f"{self.game_id} {len(self.actions)}"

    def position(self) -> State:
        # A title keeps the boards that were read last, so that a worker reads each only once.
        board = load(self.title).read_board("the table's board", self.board_text)
        state = board.new(self.players, self.options, self.rules_version)
        everything = state.board.actions.all
        for action in self.actions:
            state.play(everything[action])
        return state


Work = Callable[[Question, OnProgress], Answer]


def ideas(question: Question, on_progress: OnProgress) -> list[Idea]:
    """What the strongest bot would do there, the very best first."""
    return advise(question.position(), question.seed, on_progress)


def choose(question: Question, on_progress: OnProgress | None = None) -> str:
    """What the bot does."""
    position = question.position()
    seat = position.phase.actor
    bot = _bot_for(question, position, seat)
    action = bot.choose(position, on_progress)
    _kept_bots[question.game_id, question.level, seat] = bot, question.actions
    if len(_kept_bots) > MOST_KEPT_BOTS:
        _kept_bots.popitem(last=False)
    return action.text


_kept_bots: OrderedDict[tuple[str, str, int], tuple[Bot, list[int]]] = OrderedDict()
"""In a worker: the bots that were asked last, by game, level and seat, and the actions that they know of."""


def _bot_for(question: Question, position: State, seat: int) -> Bot:
    """The bot that has thought about this game before, having seen what happened since; otherwise a new one."""
    bot, seen = _kept_bots.pop((question.game_id, question.level, seat), (None, []))
    since = question.actions[len(seen) :]
    if bot is None or not since or question.actions[: len(seen)] != seen:  # it was taken back, or asked again
        return make(question.level, question.seed)
    for action in since:
        bot.observe(position.board.actions.all[action])
    return bot


_done: Array[c_double]
"""In a worker: what part of the work is done, by slots, in memory shared with the server."""


def within_time(work: Work[Answer], question: Question, slot: int) -> Answer:
    """Work in a worker process, which reports its progress, and gives up after a while."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        return work(question, partial(_done.__setitem__, slot))
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def choose_anything(question: Question) -> str:
    """What a seat does whose bot fails: the game continues."""
    return make("random", question.seed).choose(question.position()).text


def _start_worker(done: Array[c_double]) -> None:
    """In a new worker: the server alone answers to Ctrl-C, and a worker never outlives it."""
    global _done
    _done = done
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _time_out)
    Thread(target=_end_with_parent, daemon=True).start()


def _time_out(_: int, __: object) -> None:
    raise TimeoutError(f"the bot thought for {MOST_SECONDS} seconds")


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@dataclass(frozen=True, eq=False)
class _Task:
    """Work that waits for a process, and its answer, which will come."""

    work: Work[Any]
    question: Question
    slot: int
    answer: Future[Any]


class Thinkers:
    """A pool of processes that choose for bots. One that was killed is replaced, and its questions are asked again.

    A process gets one question at a time; all others wait in a fair queue.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False
        self._waiting: FairQueue[_Task] = FairQueue()
        self._running = 0
        self._done: Array[c_double] = _SPAWN.RawArray(c_double, SLOTS + 1)
        self._free = deque(range(SLOTS))
        self._slots: dict[Question, int] = {}

    @property
    def queue_length(self) -> int:
        """How many questions were asked and have no answer yet."""
        return len(self._waiting) + self._running

    def warm_up(self) -> None:
        """Start a process before the first question comes."""
        self._ready().submit(os.getpid)

    def ask(self, question: Question, done: Callable[[str], None], asker: Asker, tries: int = TRIES) -> None:
        """Have a bot choose. `done` gets its choice, from another thread; always, unless the server ends."""
        answer = self._submit(choose, question, asker)
        answer.add_done_callback(partial(self._answered, question, done, asker, tries))

    def advise(self, question: Question, asker: Asker) -> Future[list[Idea]]:
        """Have the strongest bot say what it would do; that may fail."""
        return self._submit(ideas, question, asker)

    def progress(self, question: Question) -> float | None:
        """What part of the answer is done, as far as the bot reports it; None if none thinks about it."""
        slot = self._slots.get(question)
        return None if slot is None else min(1.0, self._done[slot])

    def _submit(self, work: Work[Answer], question: Question, asker: Asker) -> Future[Answer]:
        answer: Future[Answer] = Future()
        with self._lock:
            self._waiting.put(_Task(work, question, self._open_slot(question), answer), asker)
        self._start_waiting()
        return answer

    def _start_waiting(self) -> None:
        """Hand out what waits, as long as a process is free."""
        while True:
            with self._lock:
                if self._closed or not self._waiting or self._running >= self._processes:
                    return
                task = self._waiting.take()
                self._running += 1
            self._start(task)

    def _start(self, task: _Task) -> None:
        pool = self._ready()
        try:
            running = pool.submit(within_time, task.work, task.question, task.slot)
        except Exception as error:
            running = Future()
            running.set_exception(error)
        running.add_done_callback(partial(self._finish, pool, task))

    def _finish(self, pool: ProcessPoolExecutor, task: _Task, running: Future[Any]) -> None:
        with self._lock:
            self._running -= 1
            self._close_slot(task.question)
        if running.cancelled():  # the server ends
            task.answer.cancel()
            return
        error = running.exception()
        if error is None:
            task.answer.set_result(running.result())
        else:
            self._note_failure(pool, task.question, error)
            task.answer.set_exception(error)
        self._start_waiting()

    def _note_failure(self, pool: ProcessPoolExecutor, question: Question, error: BaseException) -> None:
        if self._closed:
            return
        _log.error("a %s bot failed in %s: %r", question.level, question.title, error)
        if isinstance(error, BrokenProcessPool):
            self._replace(pool)

    def _open_slot(self, question: Question) -> int:
        """Where a worker reports its progress. The last slot is for those who find no other, and nobody reads it."""
        if not self._free:
            return SLOTS
        slot = self._free.popleft()
        self._done[slot] = 0.0
        self._slots[question] = slot
        return slot

    def _close_slot(self, question: Question) -> None:
        if question in self._slots:
            self._free.append(self._slots.pop(question))

    def _answered(
        self, question: Question, done: Callable[[str], None], asker: Asker, tries: int, answer: Future[str]
    ) -> None:
        if self._closed or answer.cancelled():
            return
        if answer.exception() is None:
            done(answer.result())
        elif tries > 1:
            self.ask(question, done, asker, tries - 1)
        else:
            done(choose_anything(question))

    def _ready(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self._processes, _SPAWN, _start_worker, (self._done,))
            return self._pool

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is broken:
                self._pool = None

    def close(self) -> None:
        """Stop: nothing waits for the bots any more."""
        self._closed = True
        while self._waiting:
            self._waiting.take().answer.cancel()
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
