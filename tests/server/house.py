"""A house with tables for the tests: a real server on a free port, people who come to it, and bots that stand still."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, TypeVar

import httpx
import pytest

from cuberails.bots import Idea
from cuberails.core.board import Board
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.state import NOBODY
from cuberails.server import acceptance, seating, undoing
from cuberails.server.analysing import Analyses
from cuberails.server.app import create_app
from cuberails.server.clock import Clock
from cuberails.server.connections import SqliteConnection
from cuberails.server.identity import Identities
from cuberails.server.opening import open_table
from cuberails.server.postgres import PostgresConnection
from cuberails.server.queueing import Asker
from cuberails.server.requests import ActRequest, AnswerRequest, TableRequest, UndoRequest
from cuberails.server.running import Server, configuration
from cuberails.server.settings import Settings
from cuberails.server.store import Store, StoredSeat
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.thinking import TRIES, Question, Thinkers
from cuberails.titles import load

Json = dict[str, Any]
Result = TypeVar("Result")
SLOW = "search:simulations=1000000:seconds=2.5:finalists=9"
"""A bot that takes its time, however fast the machine."""
US = [{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"name": "Cy", "by": "link"}]


class Person:
    """A browser or a program at the tables of a server."""

    def __init__(self, base: str, key: str = "") -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.http = httpx.Client(base_url=base, headers=headers, timeout=30)

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: object, status: int = 200) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def open(self, title: str = "wabash", seats: object = US, **more: object) -> Json:
        request = {"title": title, "seats": seats, "seating": "listed", **more}
        opened: Json = self.post("/api/tables", request, 201)
        return opened

    def see(self, id: str) -> Json:
        seen: Json = self.get(f"/api/tables/{id}")
        return seen

    def act(self, id: str, seat: int, seq: int, action: str, status: int = 200) -> Json:
        answer: Json = self.post(f"/api/tables/{id}/act", {"seat": seat, "seq": seq, "action": action}, status)
        return answer

    def record(self, id: str) -> str:
        return self.http.get(f"/api/tables/{id}/record.txt").text

    def stream(self, id: str, query: str = "", last: str = "") -> Generator[Json]:
        """The events of a table as they come: updates, each with its id, and those of other kinds, which have none."""
        headers = {"Last-Event-ID": last} if last else {}
        with self.http.stream("GET", f"/api/tables/{id}/events{query}", headers=headers) as stream:
            assert stream.status_code == 200
            assert stream.headers["content-type"].startswith("text/event-stream")
            fields: dict[str, str] = {}
            for line in stream.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                    continue
                if "event" in fields:
                    assert "id" not in fields
                    yield {fields["event"]: json.loads(fields["data"])}
                elif "data" in fields:
                    yield {"id": fields["id"], **json.loads(fields["data"])}
                fields = {}
        raise AssertionError("the stream ended")

    def events(self, id: str, count: int = 1, query: str = "", last: str = "") -> list[Json]:
        """The first updates of a table's stream."""
        with closing(self.stream(id, query, last)) as stream:
            return list(islice((event for event in stream if "id" in event), count))


class Listener:
    """Somebody who listens to a table in a thread, until so many updates have come."""

    def __init__(self, person: Person, id: str, count: int) -> None:
        self.updates: list[Json] = []
        self.progress: list[float] = []
        self._thread = Thread(target=self._listen, args=(person, id, count), daemon=True)
        self._thread.start()

    def _listen(self, person: Person, id: str, count: int) -> None:
        with closing(person.stream(id)) as stream:
            for event in stream:
                if "progress" in event:
                    self.progress.append(event["progress"])
                else:
                    self.updates.append(event)
                if len(self.updates) == count:
                    return

    def wait_for(self, count: int) -> None:
        until(lambda: len(self.updates) >= count, 60)

    def end(self) -> list[Json]:
        """All updates, when the last has come."""
        self._thread.join(60)
        assert not self._thread.is_alive()
        return self.updates


class Guests:
    """Makes people, and sees them off in the end."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.people: list[Person] = []

    def __call__(self, key: str = "") -> Person:
        self.people.append(Person(self.base, key))
        return self.people[-1]

    def with_link(self, link: str) -> Person:
        """Somebody who opens the link of a seat."""
        person = self()
        assert person.http.get(link).status_code == 200
        assert person.http.post(link).status_code == 303
        return person

    def leave(self) -> None:
        for person in self.people:
            person.http.close()


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


@dataclass
class House:
    """A server in a thread of this process: its address, its tables and their analyses."""

    address: str
    tables: Hall
    analyses: Analyses


@contextmanager
def served(
    database: Path | str, boards: Sequence[Board] = (), clock: Clock | None = None, **more: Any
) -> Iterator[House]:
    """A server with these settings on a file with tables, which may not be there yet, or on the database of a URL."""
    settings = Settings(database=str(database), port=0, bot_processes=1, pace=0.0, **more)
    app = create_app(settings, boards, clock)
    server = Server(configuration(app, settings))
    thread = Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        yield House(address, Hall(app.state.tables), app.state.analyses)
    finally:
        server.should_exit = True
        thread.join()


class Killable:
    """A server in a process of its own, which can be killed."""

    def __init__(self, database: Path | str, port: int, pace: float) -> None:
        self.base = f"http://127.0.0.1:{port}"
        settings = {"DATABASE": str(database), "PACE": str(pace), "SECRET": "known to every server of these tests"}
        environment = os.environ | {f"CUBERAILS_{name}": value for name, value in settings.items()}
        command = [sys.executable, "-m", "uvicorn", "--factory", "cuberails.server.app:from_environment"]
        options = ["--port", str(port), "--log-level", "error"]
        self.process = subprocess.Popen(command + options, env=environment)
        until(self._answers, 60)

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the server did not start"
        try:
            return httpx.get(f"{self.base}/health").status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Still(Thinkers):
    """Bots that say nothing by themselves; a test answers for them."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[tuple[Question, Callable[[str], None]]] = []
        self.advised: list[tuple[Question, Future[list[Idea]]]] = []
        self.far: dict[Question, float] = {}

    def ask(self, question: Question, done: Callable[[str], None], asker: Asker, tries: int = TRIES) -> None:
        self.asked.append((question, done))
        self.far[question] = 0.0

    def advise(self, question: Question, asker: Asker) -> Future[list[Idea]]:
        self.advised.append((question, Future()))
        self.far[question] = 0.0
        return self.advised[-1][1]

    def progress(self, question: Question) -> float | None:
        return self.far.get(question)


class Hall:
    """Tables that live on an event loop, for tests outside of it: each call is carried out there, and waited for."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.driver = tables.driver
        self.boards = tables.boards

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        return on_loop(self.tables.writer.loop, coroutine)

    def open(self, game: Game, seats: list[StoredSeat], person: str) -> Table:
        return self.run(self.tables.open(game, seats, person))

    def find(self, id: str) -> Table:
        return self.run(self.tables.find(id))

    def visit(self, id: str) -> Table:
        return self.run(self.tables.visit(id))

    def watch(self, id: str, wake: Callable[[], None]) -> Table:
        return self.run(self.tables.watch(id, wake))

    def resume_bots(self) -> None:
        self.run(self.tables.resume_bots())

    def drive(self, table: Table) -> None:
        self.run(self.driver.drive(table))

    def advice(self, table: Table) -> Future[list[Idea]]:
        async def ask() -> Future[list[Idea]]:
            return self.driver.advice(table)

        return self.run(ask())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One event loop for all halls, in a thread of its own."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


def on_loop(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result(60)


@contextmanager
def hall(
    database: Path | str, boards: Sequence[Board] = (), clock: Clock | None = None
) -> Iterator[tuple[Hall, Still]]:
    """Tables without a server, in a file or a database with this URL."""
    still = Still()
    store = Store(Settings(database=str(database)).database_url, clock)
    tables = Tables(store, still, 0, Identities(b"a secret"), boards)

    async def start() -> None:
        tables.start()

    on_loop(_loop(), start())
    try:
        yield Hall(tables), still
    finally:
        on_loop(_loop(), tables.close())


class HandClock(Clock):
    """A clock that moves when a test says so."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds

    async def sleep(self, seconds: float) -> None:
        until = self._now + seconds
        while self._now < until:
            await asyncio.sleep(0.02)


def fail_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing can be written to any database."""

    def fail(*_: object) -> None:
        raise OSError("database is locked")

    for connection in (SqliteConnection, PostgresConnection):
        monkeypatch.setattr(connection, "write", fail)


def act(table: Table, own: list[int], seat: int, seq: int, action: str) -> None:
    on_loop(table.writer.loop, acceptance.act(table, own, ActRequest(seat=seat, seq=seq, action=action)))


def undo(table: Table, own: list[int], seat: int, seq: int, to: int | None) -> None:
    on_loop(table.writer.loop, undoing.undo(table, own, UndoRequest(seat=seat, seq=seq, to=to)))


def redo(table: Table, own: list[int], seat: int, seq: int, to: int | None) -> None:
    on_loop(table.writer.loop, undoing.redo(table, own, UndoRequest(seat=seat, seq=seq, to=to)))


def answer(table: Table, own: list[int], seat: int, seq: int, agree: bool) -> None:
    on_loop(table.writer.loop, undoing.answer(table, own, AnswerRequest(seat=seat, seq=seq, agree=agree)))


def change_player(table: Table, person: str, seat: int, level: str) -> None:
    on_loop(table.writer.loop, seating.change_player(table, person, table.claimed_by(person), seat, level))


def opened_by(tables: Hall, request: TableRequest, person: str = "Ann") -> Table:
    """The table that somebody asks for."""
    return tables.run(open_table(tables.tables, request, person))


def opened(tables: Hall, bots: str = "...", title: str = "wabash", level: str = "random", **more: Any) -> Table:
    """A table with a seat for each letter: "." for a person of its own, "b" for a bot. Ann is the host."""
    names = ["Ann", "Bob", "Cy", "Di", "Eve"][: len(bots)]
    seats = [
        StoredSeat(name, bot=level) if kind == "b" else StoredSeat(name, key=f"key of {name}")
        for name, kind in zip(names, bots)
    ]
    table = tables.run(tables.tables.open(Game(load(title).board, names, {}), seats, "Ann", **more))
    for n, kind in enumerate(bots):
        if kind == ".":
            tables.run(table.claim(n, names[n]))
    return table


def short_record() -> str:
    """The record of a whole game with few decisions: random players end Gulf, Mobile & Ohio early."""
    game, dice = Game(load("gmo").board, ["Ann", "Bob", "Cy"]), Random(30)
    while game.state.phase.actor != NOBODY:
        game.apply(pick(game.state, dice))
    return game.to_text()
