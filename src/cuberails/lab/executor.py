"""Many games at once, in processes of this machine or on a Ray cluster: everywhere the same results in the same order.

A game is a call of `play` with its number, and depends on nothing else. Numbers go to workers in batches; a batch whose
worker was killed is played again.
"""

from __future__ import annotations

import os
import pickle
import signal
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread, current_thread, main_thread
from traceback import format_exc
from types import TracebackType
from typing import Any, Self, TypeVar

TRIES = 3
"""How often a batch is played before it is given up: perhaps it needs more memory than there is."""
MOST_JOBS = 256
LARGEST_BATCH = 20

Played = TypeVar("Played")
Play = Callable[[int], Played]
Batch = Sequence[int]

_SPAWN = get_context("spawn")


class WorkerLost(RuntimeError):
    """The workers that played a batch of games were lost again and again."""

    def __init__(self, batch: Batch) -> None:
        games = f"game {batch[0]}" if len(batch) == 1 else f"the games {batch[0]} to {batch[-1]}"
        super().__init__(f"{games} could not be played: {TRIES} workers were killed, perhaps for want of memory")


class Executor(ABC):
    """Plays games by their numbers. Use it in a `with` statement, which ends the workers."""

    def map(self, play: Play[Played], numbers: Batch) -> Iterator[Played]:
        """`play` of each number, in order. What is sent to workers is pickled, boards by their text.

        What `play` raises is raised here; WorkerLost if a batch lost its worker too often.
        """
        following, done = 0, dict[int, list[Played]]()
        for index, played in self._finished(self._share(play), _batches(numbers, self.workers)):
            done[index] = played
            while following in done:
                yield from done.pop(following)
                following += 1

    def _finished(self, shared: Any, batches: Sequence[Batch]) -> Iterator[tuple[int, list[Any]]]:
        """The batches as they are finished, each with its index."""
        waiting, failures = deque(range(len(batches))), Counter[int]()
        running: dict[Any, int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self._most_running():
                    index = waiting.popleft()
                    running[self._start(shared, batches[index])] = index
                for task in self._ready([*running]):
                    index = running.pop(task)
                    played = self._result(task)
                    if played is not None:
                        yield index, played
                        continue
                    failures[index] += 1
                    if failures[index] == TRIES:
                        raise WorkerLost(batches[index])
                    waiting.appendleft(index)
        finally:
            for task in running:
                self._cancel(task)

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many games are played at the same time."""

    def _most_running(self) -> int:
        """How many batches workers have at the same time."""
        return self.workers

    @abstractmethod
    def _share(self, play: Play[Any]) -> Any:
        """What is played, in the form in which it is sent with each batch."""

    @abstractmethod
    def _start(self, shared: Any, batch: Batch) -> Any:
        """Have a batch played: a task."""

    @abstractmethod
    def _ready(self, tasks: list[Any]) -> list[Any]:
        """Wait until at least one of the tasks has ended, in whatever way: those that have."""

    @abstractmethod
    def _result(self, task: Any) -> list[Any] | None:
        """The games of a task that has ended; None if its worker was lost."""

    @abstractmethod
    def _cancel(self, task: Any) -> None:
        """Nobody wants the games of this task any more."""

    @abstractmethod
    def close(self) -> None:
        """End the workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _batches(numbers: Batch, workers: int) -> list[Batch]:
    """Many for each worker, so that all end at about the same time."""
    size = max(1, min(LARGEST_BATCH, len(numbers) // (workers * 20)))
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]


def play_batch(play: bytes, batch: Batch) -> list[Any]:
    """In a worker: the games of a batch. What is played comes pickled, and stays the same for many batches."""
    return [_unpickled(play)(number) for number in batch]


_unpickled = lru_cache(maxsize=1)(pickle.loads)


# Processes of this machine


class Local(Executor):
    """`jobs` processes, which are started when they are needed; a single job is done in this process."""

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = min(jobs, MOST_JOBS)
        self._idle: list[_Worker] = []

    def map(self, play: Play[Played], numbers: Batch) -> Iterator[Played]:
        return super().map(play, numbers) if self.workers > 1 else map(play, numbers)

    @property
    def workers(self) -> int:
        return self._jobs

    def _share(self, play: Play[Any]) -> bytes:
        return pickle.dumps(play)

    def _start(self, shared: bytes, batch: Batch) -> _Worker:
        worker = self._idle.pop() if self._idle else _Worker()
        worker.start(shared, batch)
        return worker

    def _ready(self, tasks: list[_Worker]) -> list[_Worker]:
        pipes = wait([worker.pipe for worker in tasks])
        return [worker for worker in tasks if worker.pipe in pipes]

    def _result(self, task: _Worker) -> list[Any] | None:
        played = task.result()
        if played is not None:
            self._idle.append(task)
        return played

    def _cancel(self, task: _Worker) -> None:
        task.end()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().end()


class _Worker:
    """A process that plays one batch at a time."""

    def __init__(self) -> None:
        self.pipe, inner = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(inner,), daemon=True)
        with _interrupts_ignored():
            self._process.start()
        inner.close()

    def start(self, play: bytes, batch: Batch) -> None:
        with suppress(OSError):  # a process that has ended is noticed when its result is asked for
            self.pipe.send((play, batch))

    def result(self) -> list[Any] | None:
        """The games of the batch; None if the process has ended."""
        try:
            played, error = self.pipe.recv()
        except (EOFError, OSError):
            self.end()
            return None
        if error is not None:
            self.end()
            raise error
        return list(played)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes that are started inside ignore Ctrl-C; their parent handles it and cleans up."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: Connection) -> None:
    """In a worker: play the batches that come, as long as the parent lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_attempt(*pipe.recv()))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _attempt(play: bytes, batch: Batch) -> tuple[list[Any], Exception | None]:
    try:
        return play_batch(play, batch), None
    except Exception as error:
        error.add_note(f"In a worker process:\n{format_exc()}")
        return [], error
