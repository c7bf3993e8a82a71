"""Clients for benchmarks/table.py: connections that cost little themselves, so that the server is what is measured.

They run in this process, on the same cores as the server, and read every answer: status, length and JSON.
"""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cuberails.titles import load


class Connection:
    """One connection that stays open, and the person who uses it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.headers = b"host: localhost\r\ncontent-type: application/json\r\n"

    @classmethod
    async def open(cls, port: int) -> Connection:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    def be(self, person: str) -> None:
        self.headers += b"cookie: cuberails_person=" + person.encode() + b"\r\n"

    async def ask(self, method: str, path: str, content: object = None) -> Any:
        """The JSON of an answer that must be a success."""
        body = b"" if content is None else msgspec.json.encode(content)
        self.send(method, path, body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        start = head.index(b"content-length: ") + 16
        answer = await self.reader.readexactly(int(head[start : head.index(b"\r", start)]))
        if head[9:10] != b"2":
            raise RuntimeError(f"{method} {path}: {answer.decode()[:300]}")
        return msgspec.json.decode(answer)

    def send(self, method: str, path: str, body: bytes = b"") -> None:
        line = f"{method} {path} HTTP/1.1\r\n".encode()
        self.writer.write(b"%b%bcontent-length: %d\r\n\r\n%b" % (line, self.headers, len(body), body))

    async def new_table(self, title: str) -> str:
        """The id of a new table where this person has all seats."""
        seats = [{"by": "me"}] * load(title).least_players
        opened = await self.ask("POST", "/api/tables", {"title": title, "seats": seats})
        self.headers = self.headers.partition(b"cookie")[0]
        self.be(opened["person"])
        return str(opened["id"])

    def close(self) -> None:
        self.writer.close()


@dataclass
class Measured:
    """What actions took: seconds by the clock each, and seconds of the server's processor in all."""

    seconds: float
    times: list[float] = field(default_factory=list)
    processor: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    def percentile(self, n: int) -> float:
        """In milliseconds."""
        return sorted(self.times)[len(self.times) * n // 100] * 1000

    @property
    def processor_each(self) -> float:
        """Milliseconds of the server's processor for each action."""
        return self.processor / len(self.times) * 1000


async def act_at(port: int, pid: int, tables: int, seconds: float) -> Measured:
    """Play at so many tables at once, as fast as the server answers, each table on a connection of its own."""
    players = [Player(await Connection.open(port)) for _ in range(tables)]
    for player in players:
        await player.sit_down()
    measured, before = Measured(seconds), processor_time(pid)
    end = time.perf_counter() + seconds
    await asyncio.gather(*(player.play(end, measured.times) for player in players))
    measured.processor = processor_time(pid) - before
    for player in players:
        player.connection.close()
    return measured


class Player:
    """Somebody who plays all seats of a table."""

    def __init__(self, connection: Connection, title: str = "wabash") -> None:
        self.connection = connection
        self.title = title
        self.id = ""
        self.seen: Any = None

    async def sit_down(self) -> None:
        self.id = await self.connection.new_table(self.title)
        self.seen = await self.connection.ask("GET", f"/api/tables/{self.id}")

    async def play(self, end: float, times: list[float]) -> None:
        while time.perf_counter() < end:
            if self.seen["status"]["over"]:
                await self.sit_down()
            start = time.perf_counter()
            await self.act()
            times.append(time.perf_counter() - start)

    async def act(self) -> None:
        seat, action = self.seen["status"]["actor"], self.seen["legal"][-1]
        request = {"seat": seat, "seq": self.seen["seq"], "action": action}
        self.seen = await self.connection.ask("POST", f"/api/tables/{self.id}/act", request)


async def watch(port: int, viewers: int, actions: int) -> list[float]:
    """Seconds from an action's request until the last of so many viewers was told, for so many actions."""
    player = Player(await Connection.open(port), "baltimore_ohio")  # its updates are the largest
    await player.sit_down()
    streams = [await Connection.open(port) for _ in range(viewers)]
    for stream in streams:
        stream.send("GET", f"/api/tables/{player.id}/events")
        await stream.reader.readuntil(b"data: ")
    times: list[float] = []
    for n in range(player.seen["seq"] + 1, player.seen["seq"] + actions + 1):
        start = time.perf_counter()
        told = [asyncio.create_task(stream.reader.readuntil(b"id: %d\ndata: " % n)) for stream in streams]
        await player.act()
        await asyncio.gather(*told)
        times.append(time.perf_counter() - start)
    for stream in streams:
        stream.close()
    player.connection.close()
    return times


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that a process has in memory."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
