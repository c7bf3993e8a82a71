"""Games a second with one and two workers, processes and Ray nodes, on this machine. `make bench` runs it.

Workers are started and have played before the clock runs; each figure is the best of several rounds. Random bots play
the shortest games there are, so there the executor itself costs most.
"""

from __future__ import annotations

import os
import tempfile
import time
from functools import partial

import cuberails
from cuberails.lab import Executor, Local, Match, play_one

ROUNDS = 3
WORKERS = (1, 2)
GAMES = {"random": 400, "greedy": 24}
"""How many games of these bots are timed."""


def rate(executor: Executor, bots: str) -> float:
    """Games a second."""
    match = Match(cuberails.load("wabash").board, 3, (bots,))
    list(executor.map(partial(play_one, match), range(GAMES[bots] // 10)))
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        count = len(list(executor.map(partial(play_one, match), range(GAMES[bots]))))
        best = max(best, count / (time.perf_counter() - began))
    return best


def processes() -> list[list[float]]:
    """For each number of workers, the rates of all bots."""
    found = []
    for workers in WORKERS:
        with Local(workers) as executor:
            found.append([rate(executor, bots) for bots in GAMES])
    return found


def ray_nodes() -> list[list[float]]:
    """The same with nodes of one processor each."""
    from cuberails.lab.cluster import RayCluster  # first, for it silences Ray

    from ray.cluster_utils import Cluster  # isort: skip

    found: list[list[float]] = []
    cluster = Cluster()
    try:
        for workers in WORKERS:
            head = {} if found else {"include_dashboard": False}
            cluster.add_node(num_cpus=1, object_store_memory=80 << 20, **head)
            with RayCluster(cluster.address) as executor:
                assert executor.workers == workers
                found.append([rate(executor, bots) for bots in GAMES])
        return found
    finally:
        cluster.shutdown()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as short:  # sockets have short names
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": os.urandom(32).hex(), "HOME": short}
        os.environ |= {"RAY_TMPDIR": short, "RAY_worker_niceness": "0"}  # as for processes
        rows = zip(WORKERS, processes(), ray_nodes(), strict=True)
        print(f"Wabash Cannonball, 3 players, games a second, best of {ROUNDS}; load {os.getloadavg()[0]:.1f}\n")
        print("| workers |" + "".join(f" {bots}: processes | {bots}: Ray |" for bots in GAMES))
        print("|" + " --- |" * (1 + 2 * len(GAMES)))
        for workers, local, ray in rows:
            figures = "".join(f" {one:,.1f} | {other:,.1f} |" for one, other in zip(local, ray, strict=True))
            print(f"| {workers} |{figures}")


if __name__ == "__main__":
    main()
