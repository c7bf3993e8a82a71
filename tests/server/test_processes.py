"""Several processes at one port on PostgreSQL: whoever answers, the table is the same, and each action counts once."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.server.house import Guests, Listener, Person, until
from tests.server.postgres import Postgres


class Server:
    """`cuberails serve` with three processes."""

    def __init__(self, database: str, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "cuberails.cli", "serve", "--no-open", "--port", str(port)]
        options = ["--database", database, "--processes", "3"]
        settings = {"CUBERAILS_PACE": "0", "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
        self.process = subprocess.Popen([*command, *options], env=os.environ | settings, stdout=subprocess.DEVNULL)
        until(self.answers, 60)

    def answers(self) -> bool:
        assert self.process.poll() is None, "the server did not start"
        try:
            return httpx.get(f"{self.base}/health").status_code == 200
        except httpx.TransportError:
            return False

    def children(self) -> list[int]:
        """The processes that serve; the one that multiprocessing has for itself has no children of its own."""
        pid = self.process.pid
        found = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.fixture
def server(postgres: Postgres, tmp_path: Path) -> Iterator[Server]:
    server = Server(postgres.new_database(), tmp_path)
    yield server
    server.process.terminate()
    assert server.process.wait(30) == 0


@pytest.fixture
def guest(server: Server) -> Iterator[Guests]:
    guests = Guests(server.base)
    yield guests
    guests.leave()


def twins(person: Person, count: int) -> list[Person]:
    """The same person on so many connections, which different processes may answer."""
    made = [Person(str(person.http.base_url)) for _ in range(count)]
    for twin in made:
        twin.http.cookies = person.http.cookies
    return made


def test_viewers_at_all_processes_are_told(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    listeners = [Listener(guest(), id, 2) for _ in range(8)]
    for listener in listeners:
        listener.wait_for(1)
    ann.act(id, 0, 0, "bid 12")
    for listener in listeners:
        assert [update["seq"] for update in listener.end()] == [0, 1]


def test_of_many_clicks_at_all_processes_one_wins(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    people = twins(ann, 9)

    def click(seq: int, n: int) -> int:
        body = {"seat": seq % 3, "seq": seq, "action": f"bid {10 + 9 * seq + n}"}
        return people[n].http.post(f"/api/tables/{id}/act", json=body).status_code

    with ThreadPoolExecutor(9) as pool:
        for seq in range(3):
            assert sorted(pool.map(partial(click, seq), range(9))) == [200] + [409] * 8
    until(lambda: ann.see(id)["seq"] == 3)  # whichever process answers, it hears of what the others accepted
    for person in people:
        person.http.close()


def test_whoever_has_acted_can_act_again_at_any_process(guest: Guests) -> None:
    """No process says that a table has moved on, or that a seat is not theirs, because it has not heard yet."""
    ann = guest()
    opened = ann.open()
    people = twins(guest.with_link(opened["links"][1]), 6)
    ann.act(opened["id"], 0, 0, "bid 12")
    for n, person in enumerate(people):
        person.act(opened["id"], 1, 1 + 2 * n, f"bid {13 + n}")
        person.post(f"/api/tables/{opened['id']}/undo", {"seat": 1, "seq": 2 + 2 * n})
    for person in people:
        person.http.close()


def test_bots_finish_their_game_though_a_process_is_killed(server: Server, guest: Guests) -> None:
    ann = guest()
    tables = [ann.open(seats=[{"by": "bot", "level": "random"}] * 3)["id"] for _ in range(3)]
    first = server.children()
    os.kill(first[0], signal.SIGKILL)
    until(lambda: len(server.children()) == len(first) and first[0] not in server.children(), 60)
    visitor = guest()
    viewers = [Listener(guest(), id, 1) for id in tables]  # where somebody looks on, bots are looked after
    until(lambda: all(_over(visitor, id) for id in tables), 120)
    for viewer in viewers:
        viewer.end()


def _over(person: Person, id: str) -> bool:
    try:
        return bool(person.see(id)["status"]["over"])
    except httpx.TransportError:
        return False  # that connection was to the process that is gone
