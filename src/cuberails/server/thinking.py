"""Bots think in worker processes, so that nobody at any table waits for them."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from ctypes import Array, c_bool, c_double
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from typing import Any, TypeVar

from cuberails.bots import Bot, Idea, OnProgress, advise, make
from cuberails.bots.decision import Decision, judge_decision, judge_in_hindsight
from cuberails.bots.worth import Worth, worth
from cuberails.core.game import Game
from cuberails.core.state import State
from cuberails.server.queueing import Asker, FairQueue
from cuberails.titles import load

MOST_SECONDS = 60
"""How many seconds a bot may think; in the background, seconds of the processor's time."""

NICENESS = 10
"""How far a worker in the background stands back, in the words of Unix: beside a bot it gets a tenth of the time."""

VALUING_SECONDS = 20.0
"""How many seconds are spent on what a position is worth."""

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


def question_at(game: Game, count: int, level: str, game_id: str) -> Question:
    """The question about a game after so many of its actions."""
    state, board = game.state, game.board
    actions = [step.action.id for step in game.steps[:count]]
    return Question(
        board.title.key, board.text, state.rules_version, state.players, state.options, actions, level, game_id
    )


Work = Callable[[Question, OnProgress], Answer]


def ideas(question: Question, on_progress: OnProgress) -> list[Idea]:
    """What the strongest bot would do there, the very best first."""
    return advise(question.position(), question.seed, on_progress)


def value(plays: int, question: Question, on_progress: OnProgress) -> Worth:
    """What shares and lots are worth there, by so many play-outs, or those for which there is time."""
    start = time.monotonic()

    def report(part: float) -> None:
        on_progress(max(part, (time.monotonic() - start) / VALUING_SECONDS))

    return worth(question.position(), plays, seconds=VALUING_SECONDS, seed=question.seed, on_progress=report)


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


@dataclass(frozen=True)
class Judging:
    """The work to judge the action that was played in a position, for an analysis; the names are for its words."""

    action: int
    simulations: int
    seed: int
    names: list[str]
    hindsight: bool = False

    def __call__(self, question: Question, _: OnProgress) -> Decision:
        state, at = question.position(), len(question.actions)
        action = state.board.actions.all[self.action]
        judge = judge_in_hindsight if self.hindsight else judge_decision
        return judge(state, action, self.simulations, self.seed, at, self.names)


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


class Blackboard:
    """What server and workers write for each other to read, by slots, in memory that they share.

    The last slot is for questions that found no other: nobody reads how far they are, and nobody stops them.
    """

    def __init__(self) -> None:
        self.done: Array[c_double] = _SPAWN.RawArray(c_double, SLOTS + 1)
        """What part of the work is done: workers write it."""
        self.stop: Array[c_bool] = _SPAWN.RawArray(c_bool, SLOTS + 1)
        """Whether the work is to end: the server writes it."""

    def clear(self, slot: int) -> None:
        self.done[slot], self.stop[slot] = 0.0, False


class Stopped(Exception):
    """Work ends in the middle: nobody wants the answer any more, or people wait for the process."""


_blackboard: Blackboard
"""In a worker: where it is told how far the work is."""


def report(slot: int, part: float) -> None:
    """In a worker: so much of the work is done, unless it is to end."""
    if _blackboard.stop[slot]:
        raise Stopped
    _blackboard.done[slot] = part


def within_time(work: Work[Answer], question: Question, slot: int) -> Answer:
    """Work in a worker process, which reports its progress, and gives up after a while."""
    _limit_time(MOST_SECONDS)
    try:
        report(slot, 0.0)
        return work(question, partial(report, slot))
    finally:
        _limit_time(0)


_background = False
"""In a worker: whether it works in the background."""


def _limit_time(seconds: int) -> None:
    """In a worker: have it stopped after so many seconds; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF if _background else signal.ITIMER_REAL, seconds)


def choose_anything(question: Question) -> str:
    """What a seat does whose bot fails: the game continues."""
    return make("random", question.seed).choose(question.position()).text


def _start_worker(blackboard: Blackboard, background: bool) -> None:
    """In a new worker: the server alone answers to Ctrl-C, and a worker never outlives it."""
    global _blackboard, _background
    _blackboard, _background = blackboard, background
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGPROF if background else signal.SIGALRM, _time_out)
    if background and hasattr(os, "nice"):
        os.nice(NICENESS)
    Thread(target=_end_with_parent, daemon=True).start()


def _time_out(_: int, __: object) -> None:
    raise TimeoutError(f"the bot thought for {MOST_SECONDS} seconds")


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Slots:
    """Which question has which slot of the blackboard."""

    def __init__(self) -> None:
        self.blackboard = Blackboard()
        self.free = deque(range(SLOTS))
        self._taken: dict[Question, int] = {}

    def open(self, question: Question) -> int:
        if not self.free:
            return SLOTS
        slot = self._taken[question] = self.free.popleft()
        self.blackboard.clear(slot)
        return slot

    def close(self, question: Question) -> None:
        if question in self._taken:
            self.free.append(self._taken.pop(question))

    def progress(self, question: Question) -> float | None:
        slot = self._taken.get(question)
        return None if slot is None else min(1.0, self.blackboard.done[slot])

    def stop(self, question: Question) -> None:
        """Have the work on a question end where it next reports its progress."""
        slot = self._taken.get(question)
        if slot is not None:
            self.blackboard.stop[slot] = True

    def is_stopping(self, question: Question) -> bool:
        slot = self._taken.get(question)
        return slot is not None and self.blackboard.stop[slot]


@dataclass(frozen=True, eq=False)
class _Task:
    """Work that waits for a process, and its answer, which will come."""

    work: Work[Any]
    question: Question
    slot: int
    answer: Future[Any]
    asker: Asker
    since: float
    yields: bool
    """Whether it ends where people wait for a process, and is begun again later."""


class Thinkers:
    """A pool of processes that choose for bots. One that was killed is replaced, and its questions are asked again.

    A process gets one question at a time; all others wait in a fair queue. Who cancels an answer ends the work on it.
    In the `background` the processes stand back behind those of everybody else, so that no bot that people wait for is
    slower for them.
    """

    def __init__(self, processes: int, background: bool = False) -> None:
        self._processes = processes
        self._background = background
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False
        self._waiting: FairQueue[_Task] = FairQueue()
        self._running: set[_Task] = set()
        self._slots = _Slots()

    @property
    def queue_length(self) -> int:
        """How many questions were asked and have no answer yet."""
        return len(self._waiting) + len(self._running)

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

    def judge(self, question: Question, work: Judging, asker: Asker) -> Future[Decision]:
        """Judge an action that was played; that may fail."""
        return self._submit(work, question, asker)

    def value(self, question: Question, plays: int, asker: Asker) -> Future[Worth]:
        """Have it worked out what shares and lots are worth; that may fail, and makes way for bots."""
        return self._submit(partial(value, plays), question, asker, yields=True)

    def progress(self, question: Question) -> float | None:
        """What part of the answer is done, as far as the bot reports it; None if none thinks about it."""
        return self._slots.progress(question)

    def _submit(self, work: Work[Answer], question: Question, asker: Asker, yields: bool = False) -> Future[Answer]:
        answer: Future[Answer] = Future()
        with self._lock:
            task = _Task(work, question, self._slots.open(question), answer, asker, time.monotonic(), yields)
            self._waiting.put(task, asker, task.since)
        answer.add_done_callback(lambda answer: self._drop(task) if answer.cancelled() else None)
        self._start_waiting()
        return answer

    def _drop(self, task: _Task) -> None:
        """Nobody wants the answer any more."""
        with self._lock:
            if self._waiting.discard(task):
                self._slots.close(task.question)
            else:
                self._slots.stop(task.question)

    def _start_waiting(self) -> None:
        """Hand out what waits, as long as a process is free or can be freed."""
        while True:
            with self._lock:
                if self._closed or not self._waiting:
                    return
                if len(self._running) >= self._processes:
                    self._make_way()
                    return
                task = self._waiting.take()
                self._running.add(task)
            self._start(task)

    def _make_way(self) -> None:
        """Stop one task that yields, if people wait for something more urgent."""
        for task in self._running:
            can_stop = task.yields and not self._slots.is_stopping(task.question)
            if can_stop and self._waiting.is_held_up(task.asker, task.since):
                self._slots.stop(task.question)
                return

    def _start(self, task: _Task) -> None:
        pool = self._ready()
        try:
            running = pool.submit(within_time, task.work, task.question, task.slot)
        except Exception as error:
            running = Future()
            running.set_exception(error)
        running.add_done_callback(partial(self._finish, pool, task))

    def _finish(self, pool: ProcessPoolExecutor, task: _Task, running: Future[Any]) -> None:
        error = CancelledError() if running.cancelled() else running.exception()
        with self._lock:
            self._running.remove(task)
            again = isinstance(error, Stopped) and not task.answer.cancelled()
            if again:
                self._slots.blackboard.clear(task.slot)
                self._waiting.put(task, task.asker, task.since)
            else:
                self._slots.close(task.question)
        if not again and task.answer.set_running_or_notify_cancel():
            self._settle(pool, task, running, error)
        self._start_waiting()

    def _settle(
        self, pool: ProcessPoolExecutor, task: _Task, running: Future[Any], error: BaseException | None
    ) -> None:
        """Pass on the answer, or why there is none."""
        if error is None:
            task.answer.set_result(running.result())
        else:
            self._note_failure(pool, task.question, error)
            task.answer.set_exception(error)

    def _note_failure(self, pool: ProcessPoolExecutor, question: Question, error: BaseException) -> None:
        if self._closed:
            return
        _log.error("a %s bot failed in %s: %r", question.level, question.title, error)
        if isinstance(error, BrokenProcessPool):
            self._replace(pool)

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
                initial = self._slots.blackboard, self._background
                self._pool = ProcessPoolExecutor(self._processes, _SPAWN, _start_worker, initial)
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
