"""`kill -9` of a real server at any moment: no acknowledged action is lost, and bots go on where they stood."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Thread

import httpx
import pytest

from tests.server.house import Guests, Killable, Person, until


class Inn:
    """A server that is killed and started again on the same port and file."""

    def __init__(self, database: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.database = database
        self.server = Killable(database, self.port, 0.0)
        self.guests = Guests(self.server.base)

    def kill_and_start(self) -> None:
        self.server.kill()
        self.server = Killable(self.database, self.port, 0.0)


@pytest.fixture
def inn(database: str) -> Iterator[Inn]:
    inn = Inn(database)
    yield inn
    inn.guests.leave()
    inn.server.kill()


@pytest.mark.parametrize("seed", range(2))
def test_kill_while_bots_and_people_play(inn: Inn, seed: int) -> None:
    ann = inn.guests()
    bots = ann.open(seats=[{"by": "bot", "level": "random"}] * 3)["id"]
    own = ann.open(seats=[{}] * 3)["id"]
    acknowledged = [0]
    player = Thread(target=_play, args=(ann, own, acknowledged))
    player.start()
    moment = Random(seed).randrange(4, 60)
    until(lambda: acknowledged[0] >= moment, 60)
    before = inn.guests().record(bots)
    inn.kill_and_start()
    player.join()
    assert ann.see(own)["seq"] in (acknowledged[0], acknowledged[0] + 1)  # one may be kept and not yet acknowledged
    assert ann.record(bots).startswith(before)
    until(lambda: ann.see(bots)["status"]["over"], 60)


def _play(person: Person, id: str, acknowledged: list[int]) -> None:
    """Act as fast as possible until the server is gone."""
    seen = person.see(id)
    while not seen["status"]["over"]:
        try:
            seen = person.act(id, seen["status"]["actor"], seen["seq"], seen["legal"][0])
        except httpx.TransportError:
            return
        acknowledged[0] = seen["seq"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_no_bot_outlives_its_server(inn: Inn) -> None:
    ann = inn.guests()
    until(lambda: bool(_workers(inn)))
    ann.open(seats=[{"by": "bot"}] * 3)
    workers = _workers(inn)
    inn.server.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def _workers(inn: Inn) -> list[str]:
    pid = inn.server.process.pid
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_health_answers_while_bots_think(inn: Inn) -> None:
    """If thinking held the server up, it would answer only after the bot has moved."""
    ann = inn.guests()
    tables = [ann.open(title="baltimore_ohio", seats=[{"by": "bot", "level": "expert"}] * 4)["id"] for _ in range(4)]

    def answers_meanwhile() -> bool:
        before = thinking()
        assert ann.http.get("/health").text == "ok"
        return bool(before & thinking())

    def thinking() -> set[tuple[str, int]]:
        """The tables where a bot thinks, each with its sequence number."""
        seen = [ann.see(id) for id in tables]
        return {(table["id"], table["seq"]) for table in seen if table["status"]["thinking"]}

    until(answers_meanwhile, 60)


def test_the_end_of_the_server_ends_streams_without_a_word(tmp_path: Path) -> None:
    """SIGTERM: whoever follows a table is sent away properly, and the log says nothing of it."""
    environment = {**os.environ, "CUBERAILS_DATABASE": str(tmp_path / "tables.db"), "CUBERAILS_PORT": "0"}
    command = [sys.executable, "-c", "from cuberails.cli import main; main()", "serve", "--no-open"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
    with httpx.Client(base_url=address, timeout=30) as ann:
        until(lambda: _answers(ann), 60)
        id = ann.post("/api/tables", json={"title": "wabash", "seats": [{}, {}]}).json()["id"]
        with ExitStack() as stack:
            paths = [f"/api/tables/{id}/events", f"/api/tables/{id}/events?since=0"]
            streams = [stack.enter_context(ann.stream("GET", path)) for path in paths for _ in range(3)]
            lines = [stream.iter_lines() for stream in streams]
            assert {next(each) for each in lines} == {"retry: 1000"}
            server.terminate()
            rest = [list(each) for each in lines]  # they end as an answer ends, not as a broken connection
    assert all(any(line.startswith("id: ") for line in each) for each in rest)
    _, said = server.communicate(timeout=30)
    assert said == ""


def _answers(visitor: httpx.Client) -> bool:
    try:
        return visitor.get("/health").status_code == 200
    except httpx.TransportError:
        return False
