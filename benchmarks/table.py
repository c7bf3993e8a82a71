"""How fast the table is: `python -m benchmarks.table` prints a markdown table, in about two minutes.

Actions are accepted by a real server, started by `cuberails serve`, over real connections from this process on the same
cores, and each is on the disk before it is acknowledged (SQLite, synchronous FULL). Server times further below are
those of one request in this process, without the network.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import uvloop

from benchmarks.clients import Connection, Measured, act_at, memory, watch
from cuberails.bots import make
from cuberails.core import state
from cuberails.core.game import Game
from cuberails.core.record import read_record
from cuberails.draw import html
from cuberails.server import acceptance, undoing
from cuberails.server.app import get_ready
from cuberails.server.identity import Identities
from cuberails.server.requests import ActRequest, UndoRequest
from cuberails.server.store import Store, StoredSeat
from cuberails.server.stream import Packer, event_for
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.thinking import Thinkers
from cuberails.server.view import neutral, table_view
from cuberails.titles import keys, load
from tests.server.postgres import running

SECONDS = 6.0
RECORDS = Path(__file__).parent.parent / "tests" / "records"
Row = tuple[str, str, str]


def main() -> None:
    with tempfile.TemporaryDirectory() as room:
        rows = [
            *network(Path(room) / "network.db"),
            *on_postgresql(),
            *crowd(Path(room) / "crowd.db"),
            *asyncio.run(in_this_process(Path(room))),
        ]
    load_now = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    compiled = "compiled" if str(state.__file__).endswith((".so", ".pyd")) else "interpreted"
    print(f"Engine {compiled}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, load average {load_now}\n")
    print("| what | measured | wanted |\n| --- | ---: | ---: |")
    for what, measured, wanted in rows:
        print(f"| {what} | {measured} | {wanted} |")


# Over the network


BARS = {1: "≥ 700", 50: "≥ 2,500, 99 % < 50 ms", 400: "≥ 1,500"}


def network(file: Path) -> Iterator[Row]:
    with server(str(file)) as (port, pid):
        yield from acted(port, pid, 1, BARS[1])
        ours = uvloop.run(act_at(port, pid, 50, SECONDS))
        yield from figures_of(ours, 50, BARS[50])
        yield from beside_peer(Path(f"{file}-peer"), ours)
        yield from acted(port, pid, 400, BARS[400])
        yield from looks(port)
        for key in keys():
            page, files = first_page(port, key)
            yield (
                f"first page of {load(key).name}: page + files",
                f"{page / 1000:.0f} + {files / 1000:.0f} KB",
                "< 200 KB",
            )


def acted(port: int, pid: int, tables: int, bar: str) -> Iterator[Row]:
    yield from figures_of(uvloop.run(act_at(port, pid, tables, SECONDS)), tables, bar)


def figures_of(measured: Measured, tables: int, bar: str) -> Iterator[Row]:
    middle, slow = measured.percentile(50), measured.percentile(99)
    yield f"accepted actions per second, {tables} tables at once", f"{measured.rate:.0f}", bar
    yield f"… until acknowledged: median, 99th percentile ({tables})", f"{middle:.1f}, {slow:.1f} ms", ""
    yield f"… processor of the server for each ({tables})", f"{measured.processor_each:.3f} ms", ""


def on_postgresql() -> Iterator[Row]:
    """One process on a PostgreSQL of Debian's, with its usual durability."""
    with running(fsync="on") as postgres, server(postgres.new_database()) as (port, pid):
        for what, measured, wanted in acted(port, pid, 50, "≥ 1,500"):
            yield f"PostgreSQL: {what}", measured, wanted if what.startswith("accepted") else ""


def beside_peer(file: Path, ours: Measured) -> Iterator[Row]:
    """The smallest honest server in Node.js, in the same run: an action on the disk before it is acknowledged."""
    folder = Path(__file__).parent / "peer"
    if not (folder / "node_modules").exists():
        install = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"]
        subprocess.run(install, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    with started(["node", str(folder / "server.js"), str(port), str(file)], port) as pid:
        theirs = uvloop.run(act_at(port, pid, 50, SECONDS))
    for what, measured, _ in figures_of(theirs, 50, ""):
        yield f"Node.js, no rules: {what}", measured, ""
    yield "… times as many actions a second as Node.js", f"{ours.rate / theirs.rate:.1f}", ""


def crowd(file: Path) -> Iterator[Row]:
    """Many viewers, and many tables in memory."""
    with server(str(file)) as (port, pid):
        last = statistics.quantiles(uvloop.run(watch(port, 500, 200)), n=100)[98] * 1000
        yield "500 viewers of one table: the last one told, 99th percentile", f"{last:.0f} ms", "< 150 ms"
    game, bar = longest(), "≤ 150 MB"
    for count in (0, 100, 300):
        with server(f"{file}-{count}") as (port, pid):
            before = memory(pid)
            uvloop.run(open_tables(port, 200, game, count))
            text = f"{memory(pid):.0f} MB, {before:.0f} before"
            yield f"memory with 200 live tables of {game.title.name}, {count} actions each", text, bar


async def open_tables(port: int, tables: int, game: Game, count: int) -> None:
    """So many tables from the first actions of a record, each looked at."""
    record = game.to_text(comments=False)
    for _ in range(tables):
        connection = await Connection.open(port)  # somebody else each time
        opened = await connection.ask("POST", "/api/tables", {"record": record, "at": count})
        connection.be(opened["person"])
        await connection.ask("GET", f"/api/tables/{opened['id']}")
        connection.close()


@contextmanager
def server(database: str) -> Iterator[tuple[int, int]]:
    """A server as people start it: its port and its process."""
    port = free_port()
    command = [sys.executable, "-m", "cuberails.cli", "serve", "--no-open", "--port", str(port), "--data", database]
    with started(command, port) as pid:
        yield port, pid


@contextmanager
def started(command: list[str], port: int) -> Iterator[int]:
    """A process that serves at a port."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while not _answers(port):
            time.sleep(0.1)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        return Browser(port).get("/health")[0] == 200
    except OSError:
        return False


class Browser:
    """One connection that stays open."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}

    def get(self, path: str) -> tuple[int, bytes]:
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def plain(self, path: str) -> str:
        """A text that is not packed."""
        self.connection.request("GET", path)
        return self.connection.getresponse().read().decode()

    def post(self, path: str, body: object) -> Any:
        headers = {name: value for name, value in self.headers.items() if name != "Accept-Encoding"}
        self.connection.request("POST", path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        return json.loads(answer.read())

    def open(self, title: str) -> str:
        people = [{"by": "me"}] * load(title).least_players
        opened = self.post("/api/tables", {"title": title, "seats": people})
        self.headers["Cookie"] = f"cuberails_person={opened['person']}"
        return str(opened["id"])


def looks(port: int) -> Iterator[Row]:
    """The longest recorded game, as a browser sees it."""
    game, browser, dice = longest(), Browser(port), Random(1)
    id = browser.post("/api/tables", {"record": game.to_text(comments=False)})["id"]
    name = f"{game.title.name}, {game.count} actions, over the network"

    async def page() -> None:
        browser.get(f"/t/{id}")

    async def any_moment() -> None:
        browser.get(f"/api/tables/{id}/at/{dice.randrange(game.count)}")

    yield f"page of a finished game ({name})", asyncio.run(milliseconds(page)), "< 25 ms"
    yield f"any moment of it ({name})", asyncio.run(milliseconds(any_moment, 60)), "< 20 ms"


def first_page(port: int, title: str) -> tuple[int, int]:
    """The packed bytes of a table's page, and of all that it loads."""
    browser = Browser(port)
    path = f"/t/{browser.open(title)}"
    page = browser.plain(path)
    wanted = [
        link for link in re.findall(r'(?:src|href)="(/[^"#?]+)', page) if re.search(r"\.(js|css|svg|woff2)$", link)
    ]
    loaded: set[str] = set()
    while wanted:
        link = wanted.pop()
        if link not in loaded:
            loaded.add(link)
            imports = re.findall(r'from "\./([^"]+)"', browser.plain(link)) if link.endswith(".js") else []
            wanted += [f"{link.rpartition('/')[0]}/{name}" for name in imports]
    return len(browser.get(path)[1]), sum(len(browser.get(link)[1]) for link in loaded)


# In this process


async def in_this_process(room: Path) -> list[Row]:
    found = [row async for row in updates(room / "updates.db")]
    return found + [row async for row in longest_game(room / "long.db")]


@asynccontextmanager
async def hall(file: Path) -> AsyncIterator[Tables]:
    tables = Tables(Store(f"sqlite:///{file}"), Thinkers(1), 0, Identities(b"a secret"))
    tables.start()
    yield tables
    await tables.close()


def seats(names: list[str]) -> list[StoredSeat]:
    return [StoredSeat(name, key=name) for name in names]


async def updates(file: Path, most: int = 120) -> AsyncIterator[Row]:
    """What each viewer is sent after each action: all seats, and one who only watches."""
    async with hall(file) as tables:
        for key in keys():
            names = ["Ann", "Bob", "Cy"]
            table = await tables.open(Game(load(key).board, names), seats(names), "Ann")
            viewers = [Viewer([0]), Viewer([1]), Viewer([2]), Viewer([])]
            bot, sizes = make("greedy", 1), []
            while table.state.legal_actions() and table.seq < most:
                before = table.seq
                request = ActRequest(seat=table.actor, seq=before, action=bot.choose(table.state).text)
                await acceptance.act(table, [table.actor], request)
                sizes += [viewer.receive(table, before) for viewer in viewers]
            packed, plain = [packed for packed, _ in sizes], [plain for _, plain in sizes]
            figures = [statistics.median(packed), max(packed), statistics.median(plain)]
            told = ", ".join(f"{figure / 1000:.1f}" for figure in figures)
            yield f"update of {load(key).name}: median, largest, median unpacked", f"{told} KB", "< 2 KB"


class Viewer:
    """Somebody who follows a table; the stream is packed, as browsers want it."""

    def __init__(self, seats: list[int]) -> None:
        self.seats = seats
        self.packer = Packer(True)

    def receive(self, table: Table, since: int) -> tuple[int, int]:
        """The bytes of an update, packed and not."""
        event = event_for(table, self.seats, since)
        return len(self.packer(event)), len(event)


def longest() -> Game:
    games = (read_record(path.read_text(), load) for path in RECORDS.glob("*/*.txt"))
    return max(games, key=lambda game: len(game.steps))


async def longest_game(file: Path) -> AsyncIterator[Row]:
    """The last move of the longest recorded game."""
    get_ready()
    game = longest()
    async with hall(file) as tables:
        id = (await tables.open(game, seats(game.seats), "Ann")).id
        count, people = game.count, list(range(len(game.seats)))

        async def cold() -> None:
            tables._live.clear()
            tables._known.clear()
            table = await tables.find(id)
            table_view(table, [])
            table.scenes.after(count)

        async def undo_and_redo() -> None:
            table = await tables.find(id)
            await undoing.undo(table, people, UndoRequest(seat=0, seq=table.seq, to=count // 2))
            event_for(table, [0], table.seq - 1)
            await undoing.redo(table, people, UndoRequest(seat=0, seq=table.seq, to=count))

        async def travel() -> None:
            table = await tables.find(id)
            table.scenes.clear()
            html.changes(neutral(table.scenes.after(count)), neutral(table.scenes.after(count // 2)))

        name = f"{game.title.name}, {count} actions"
        yield f"load, nothing in memory ({name})", await milliseconds(cold), "< 50 ms"
        yield (
            "undo to the middle with its update, and redo (two on the disk)",
            await milliseconds(undo_and_redo),
            "< 20 ms each",
        )
        yield "time travel to the middle", await milliseconds(travel), "< 20 ms"


async def milliseconds(do: Callable[[], Awaitable[object]], times: int = 15) -> str:
    """The median by the clock, and the mean time of the processor."""
    taken, busy = [], time.process_time()
    for _ in range(times):
        start = time.perf_counter()
        await do()
        taken.append(time.perf_counter() - start)
    busy = (time.process_time() - busy) / times
    return f"{statistics.median(taken) * 1000:.1f} ms (processor {busy * 1000:.1f} ms)"


if __name__ == "__main__":
    main()
