"""`make soak`: the hostile client and the trials at full size, with a table of figures for docs/reliability.md.

`python -m tests.hostile.soak --requests 100000 --races 2000 --kills 45 --seed anything`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from tests.hostile.client import Hostile
from tests.hostile.test_fuzz import attacked
from tests.hostile.trials import disk_filled, killed, networked, raced

Row = tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description="Attack the server for a long time.")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--races", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=45)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    chosen = parser.parse_args()
    print(f"Seed {chosen.seed}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}\n")
    print("| trial | outcome |\n| --- | --- |")
    with tempfile.TemporaryDirectory() as folder, Progress(console=Console(stderr=True)) as bars:
        for trial, outcome in _trials(Path(folder), bars, chosen):
            print(f"| {trial} | {outcome} |", flush=True)


def _trials(folder: Path, bars: Progress, chosen: argparse.Namespace) -> Iterator[Row]:
    seed = chosen.seed

    def bar(name: str, total: int) -> Advance:
        return Advance(bars, name, total)

    hostile = asyncio.run(attacked(folder / "fuzz.db", seed, chosen.requests, bar("requests", chosen.requests)))
    yield f"{chosen.requests:,} hostile requests to the application", _told(hostile)
    yield (
        "… memory at its highest, with the client",
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB",
    )
    some = max(500, chosen.requests // 20)
    hostile = asyncio.run(networked(folder / "net.db", seed, some, bar("by the network", some)))
    yield f"{some:,} by the network, a fifth of them below HTTP", _told(hostile)
    rounds = asyncio.run(raced(folder / "races.db", seed, chosen.races, bar("races", chosen.races)))
    yield f"{rounds:,} races of 4 clients at 2 processes for one sequence number", "exactly one won each time"
    kills = asyncio.run(killed(folder / "kills.db", seed, chosen.kills, bar("kills", chosen.kills)))
    yield f"{kills.kills} × `kill -9` while people act", f"{kills.acknowledged:,} acknowledged actions, none lost"
    full = asyncio.run(disk_filled(folder / "disk.db", 50, wait_for_health=True))
    health = "and /health said 503" if full.unhealthy else "but /health never said 503"
    yield (
        "a full disk",
        f"{full.refused} actions refused with 503 and a sentence, {health}; with room again it continued",
    )


class Advance:
    """A bar that grows by one with each call."""

    def __init__(self, bars: Progress, name: str, total: int) -> None:
        self._bars = bars
        self._task = bars.add_task(name, total=total)

    def __call__(self) -> None:
        self._bars.advance(self._task)


def _told(hostile: Hostile) -> str:
    answers = ", ".join(f"{status}: {count:,}" for status, count in sorted(hostile.answers.items()))
    return (
        f"{hostile.accepted:,} actions accepted, all legal, states as replayed; answers {answers}; "
        f"no answer: {hostile.unanswered:,}"
    )


if __name__ == "__main__":
    main()
