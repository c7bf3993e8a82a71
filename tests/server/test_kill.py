"""`kill -9` of a real server at any moment: no acknowledged action is lost, and bots go on where they stood."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest

from tests.server.house import Guests, Killable, Person, until


class Inn:
    """A server that is killed and started again on the same port and file."""

    def __init__(self, file: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.file = file
        self.server = Killable(file, self.port, 0.0)
        self.guests = Guests(self.server.base)

    def kill_and_start(self) -> None:
        self.server.kill()
        self.server = Killable(self.file, self.port, 0.0)


@pytest.fixture
def inn(tmp_path: Path) -> Iterator[Inn]:
    inn = Inn(tmp_path / "inn.db")
    yield inn
    inn.guests.leave()
    inn.server.kill()


def test_kill_while_bots_and_people_play(inn: Inn) -> None:
    ann = inn.guests()
    bots = ann.open(seats=[{"by": "bot", "level": "random"}] * 3)["id"]
    own = ann.open(seats=[{}] * 3)["id"]
    acknowledged = [0]
    player = Thread(target=_play, args=(ann, own, acknowledged))
    player.start()
    until(lambda: acknowledged[0] > 3)
    time.sleep(random.random() * 0.3)
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
    ann = inn.guests()
    for _ in range(4):
        ann.open(title="baltimore_ohio", seats=[{"by": "bot"}] * 4)
    times = []
    for _ in range(40):
        start = time.perf_counter()
        assert ann.http.get("/health").text == "ok"
        times.append(time.perf_counter() - start)
        time.sleep(0.02)
    assert sorted(times)[len(times) // 2] < 0.25
