"""How fast the table is: `python benchmarks/table.py` prints a markdown table, in about a minute.

Actions are accepted by a real server over real connections, and each is on the disk before it is acknowledged.
Server times are those of one request in this process, without the network.
"""

from __future__ import annotations

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from cuberails.bots import make
from cuberails.core import state
from cuberails.core.game import Game
from cuberails.core.record import read_record
from cuberails.core.state import CHANCE
from cuberails.draw import html
from cuberails.server import acceptance, undoing
from cuberails.server.app import get_ready
from cuberails.server.requests import ActRequest, UndoRequest
from cuberails.server.store import ACT, Entry, Store, StoredSeat
from cuberails.server.stream import Packer, event_text, update_for
from cuberails.server.table import SNAPSHOT_EVERY, Table
from cuberails.server.tables import Tables
from cuberails.server.thinking import Thinkers
from cuberails.server.view import neutral, table_view
from cuberails.titles import keys, load

SECONDS = 6.0
RECORDS = Path(__file__).parent.parent / "tests" / "records"
Row = tuple[str, str, str]


def main() -> None:
    with tempfile.TemporaryDirectory() as room:
        rows = [
            *network(Path(room) / "network.db"),
            *updates(Path(room) / "updates.db"),
            *moments(Path(room) / "long.db"),
        ]
    load_now = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    compiled = "compiled" if str(state.__file__).endswith((".so", ".pyd")) else "interpreted"
    print(f"Engine {compiled}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, load average {load_now}\n")
    print("| what | measured | wanted |\n| --- | ---: | ---: |")
    for what, measured, wanted in rows:
        print(f"| {what} | {measured} | {wanted} |")


# Over the network


def network(file: Path) -> Iterator[Row]:
    with server(file) as port:
        for tables in (1, 10, 50):
            times = acted(port, tables)
            rate = len(times) / SECONDS
            ninety_nine = statistics.quantiles(times, n=100)[98] * 1000
            middle = statistics.median(times) * 1000
            yield f"accepted actions per second, {tables} tables at once", f"{rate:.0f}", ""
            yield f"… until acknowledged: median, 99th percentile ({tables})", f"{middle:.1f}, {ninety_nine:.1f} ms", ""
        yield from looks(port)
        for key in keys():
            page, files = first_page(port, key)
            yield (
                f"first page of {load(key).name}: page + files",
                f"{page / 1000:.0f} + {files / 1000:.0f} KB",
                "< 200 KB",
            )


@contextmanager
def server(file: Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    environment = os.environ | {"CUBERAILS_DATABASE": f"sqlite:///{file}"}
    command = [sys.executable, "-m", "uvicorn", "--factory", "cuberails.server.app:from_environment"]
    process = subprocess.Popen([*command, "--port", str(port), "--log-level", "error"], env=environment)
    try:
        while not _answers(port):
            time.sleep(0.1)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


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


def acted(port: int, tables: int) -> list[float]:
    """How long each action took at so many tables at once."""
    times: list[float] = []
    end = time.perf_counter() + SECONDS
    players = [Thread(target=act, args=(port, end, times)) for _ in range(tables)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    return times


def act(port: int, end: float, times: list[float]) -> None:
    browser = Browser(port)
    seen = None
    while time.perf_counter() < end:
        if seen is None or seen["status"]["over"]:
            id = browser.open("wabash")
            seen = json.loads(browser.plain(f"/api/tables/{id}"))
        request = {"seat": seen["status"]["actor"], "seq": seen["seq"], "action": seen["legal"][-1]}
        start = time.perf_counter()
        seen = browser.post(f"/api/tables/{id}/act", request)
        times.append(time.perf_counter() - start)


def looks(port: int) -> Iterator[Row]:
    """The longest recorded game, as a browser sees it."""
    game, browser, dice = longest(), Browser(port), Random(1)
    id = browser.post("/api/tables", {"record": game.to_text(comments=False)})["id"]
    name = f"{game.title.name}, {len(game.steps)} actions, over the network"

    def any_moment() -> None:
        browser.get(f"/api/tables/{id}/at/{dice.randrange(len(game.steps))}")

    yield f"page of a finished game ({name})", milliseconds(lambda: browser.get(f"/t/{id}")), "< 25 ms"
    yield f"any moment of it ({name})", milliseconds(any_moment, 60), "< 20 ms"


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


@contextmanager
def hall(file: Path) -> Iterator[Tables]:
    tables = Tables(Store(f"sqlite:///{file}"), Thinkers(1), 0)
    yield tables
    tables.close()


def seats(names: list[str]) -> list[StoredSeat]:
    return [StoredSeat(name, key=name) for name in names]


def updates(file: Path, most: int = 120) -> Iterator[Row]:
    """What each viewer is sent after each action: all seats, and one who only watches."""
    with hall(file) as tables:
        for key in keys():
            names = ["Ann", "Bob", "Cy"]
            table = tables.open(Game(load(key).board, names), seats(names), "Ann")
            viewers = [Viewer([0]), Viewer([1]), Viewer([2]), Viewer([])]
            bot, sizes = make("greedy", 1), []
            while table.state.legal_actions() and table.seq < most:
                before = table.seq
                request = ActRequest(seat=table.actor, seq=before, action=bot.choose(table.state).text)
                acceptance.act(table, [table.actor], request)
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
        text = event_text(update_for(table, self.seats, since))
        return len(self.packer(text)), len(text.encode())


def longest() -> Game:
    games = (read_record(path.read_text(), load) for path in RECORDS.glob("*/*.txt"))
    return max(games, key=lambda game: len(game.steps))


def moments(file: Path) -> Iterator[Row]:
    """The last move of the longest recorded game."""
    get_ready()
    game = longest()
    with hall(file) as tables:
        id = kept(tables, game)
        count = len(game.steps)

        def cold() -> None:
            tables._live.clear()
            table = tables.find(id)
            table_view(table, [])
            table.scene(count)

        def cold_without_snapshot() -> None:
            tables.store.save_snapshot(id, "none", b"")
            cold()

        def undo_and_redo() -> None:
            table = tables.find(id)
            undoing.undo(table, people, UndoRequest(seat=0, seq=table.seq, to=count // 2))
            update_for(table, [0], table.seq - 1)
            undoing.redo(table, people, UndoRequest(seat=0, seq=table.seq, to=count))

        def travel() -> None:
            table = tables.find(id)
            table._scenes.clear()
            html.changes(neutral(table.scene(count)), neutral(table.scene(count // 2)))

        people = list(range(len(game.seats)))
        name = f"{game.title.name}, {count} actions"
        yield f"load, nothing in memory ({name})", milliseconds(cold), "< 20 ms"
        yield (
            "… after an update of the program, when everything is played again",
            milliseconds(cold_without_snapshot),
            "",
        )
        cold()
        yield (
            "undo to the middle with its update, and redo (two on the disk)",
            milliseconds(undo_and_redo),
            "< 20 ms each",
        )
        yield "time travel to the middle", milliseconds(travel), "< 20 ms"


def kept(tables: Tables, game: Game) -> str:
    """A table with the whole game in its log."""
    begun = Game(game.board, game.seats, game.state.options)
    table = tables.open(begun, seats(game.seats), "Ann")
    entries = [Entry(n, ACT, step.action.text, step.seat) for n, step in enumerate(game.steps, 1)]
    rolled = table.seq  # dice that were rolled when the table was opened
    if rolled:
        begun = Game(game.board, game.seats, game.state.options)
        for step in game.steps[:rolled]:
            begun.apply(step.action)
        table = tables.open(begun, table.seats, "Ann")
        entries = [Entry(e.seq - rolled, e.kind, e.text, e.seat) for e in entries[rolled:]]
    for part in (
        entries[: 1 - SNAPSHOT_EVERY],
        entries[1 - SNAPSHOT_EVERY :],
    ):  # as many as there can be behind a snapshot
        tables.store.append(table.id, part, CHANCE, table.seats)
        table.refresh()
    return table.id


def milliseconds(do: Callable[[], object], times: int = 15) -> str:
    """The median by the clock, and the mean time of the processor."""
    taken, busy = [], time.process_time()
    for _ in range(times):
        start = time.perf_counter()
        do()
        taken.append(time.perf_counter() - start)
    busy = (time.process_time() - busy) / times
    return f"{statistics.median(taken) * 1000:.1f} ms (processor {busy * 1000:.1f} ms)"


if __name__ == "__main__":
    main()
