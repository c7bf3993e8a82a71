"""Bots think in worker processes, so that nobody at any table waits for them."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from typing import TypeVar

from cuberails.bots import make
from cuberails.core.state import State
from cuberails.titles import load

LONGEST = 60
"""After so many seconds a bot has thought long enough."""

TRIES = 3

STRONGEST = "greedy"
"""The level of the bot that gives advice."""

Answer = TypeVar("Answer")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Question:
    """A position, as the numbers of the actions that led to it, and the bot that decides there."""

    title: str
    players: int
    options: dict[str, str]
    actions: list[int]
    level: str
    seed: str

    def position(self) -> State:
        game = load(self.title).new(self.players, self.options)
        everything = game.title.actions.all
        for action in self.actions:
            game.play(everything[action])
        return game


@dataclass(frozen=True)
class Idea:
    """An action that a bot thinks well of: its chance to win from there, if it can tell, and a sentence why."""

    action: str
    chance: float | None = None
    why: str = ""


def advise(question: Question) -> list[Idea]:
    """The best that the bot can think of, the very best first."""
    return [Idea(choose(question))]


def choose(question: Question) -> str:
    """What the bot does."""
    return make(question.level, question.seed).choose(question.position()).text


def within_time(work: Callable[[Question], Answer], question: Question) -> Answer:
    """Work in a worker process, which gives up after a while."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        return work(question)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def choose_anything(question: Question) -> str:
    """What a seat does whose bot fails: the game goes on."""
    return make("random", question.seed).choose(question.position()).text


def _settle_in() -> None:
    """In a new worker: the server alone answers to Ctrl-C, and a worker never outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _too_long)
    Thread(target=_end_with_parent, daemon=True).start()


def _too_long(_: int, __: object) -> None:
    raise TimeoutError(f"the bot thought for {LONGEST} seconds")


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Thinkers:
    """A pool of processes that choose for bots. One that was killed is replaced, and its questions are asked again."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False

    def warm_up(self) -> None:
        """Start a process before the first question comes."""
        self._ready().submit(os.getpid)

    def ask(self, question: Question, done: Callable[[str], None], tries: int = TRIES) -> None:
        """Have a bot choose. `done` gets its choice, from another thread; always, unless the server ends."""
        self._submit(choose, question).add_done_callback(partial(self._heard, question, done, tries))

    def advise(self, question: Question) -> Future[list[Idea]]:
        """Have a bot say what it would do; that may fail."""
        return self._submit(advise, question)

    def _submit(self, work: Callable[[Question], Answer], question: Question) -> Future[Answer]:
        pool = self._ready()
        try:
            answer = pool.submit(within_time, work, question)
        except Exception as error:
            answer = Future()
            answer.set_exception(error)
        answer.add_done_callback(partial(self._check, pool, question))
        return answer

    def _check(self, pool: ProcessPoolExecutor, question: Question, answer: Future[Answer]) -> None:
        error = None if self._closed or answer.cancelled() else answer.exception()
        if error is not None:
            _log.error("a %s bot failed in %s: %r", question.level, question.title, error)
        if isinstance(error, BrokenProcessPool):
            self._replace(pool)

    def _heard(self, question: Question, done: Callable[[str], None], tries: int, answer: Future[str]) -> None:
        if self._closed or answer.cancelled():
            return
        if answer.exception() is None:
            done(answer.result())
        elif tries > 1:
            self.ask(question, done, tries - 1)
        else:
            done(choose_anything(question))

    def _ready(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self._processes, get_context("spawn"), _settle_in)
            return self._pool

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is broken:
                self._pool = None

    def close(self) -> None:
        """Nobody waits for the bots any more."""
        self._closed = True
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
