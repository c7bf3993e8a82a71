"""Plays on a Ray cluster of two nodes on this machine, and kills one of them in the middle; test_cluster.py runs it.

In a process of its own: Ray changes the environment, signals and logging of those who use it. What came of it is
written as JSON into the folder that is named on the command line.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict
from functools import partial
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from cuberails.cli import main
from cuberails.core.title import SetupError
from cuberails.lab import Match, Result, WorkerLost, play_one
from tests.lab.boards import TINY

MATCH = Match(TINY, 3, ("random",), seed=11)
GAMES, BEFORE = 60, 20
"""How many games are played; and how many before one node is killed."""
COMMAND = ("simulate", "wabash", "--games", "40", "--bots", "random", "--seed", "5")


def play_around_a_kill(folder: Path, number: int) -> Result:
    """A game; those in the middle wait until a node is killed."""
    import ray

    if number >= BEFORE:
        (folder / f"waits-{ray.get_runtime_context().get_node_id()}").touch()
        while not (folder / "killed").exists():
            sleep(0.02)
    return play_one(MATCH, number)


def kill_when_both_wait(cluster: Any, node: Any, folder: Path) -> None:
    while len(list(folder.glob("waits-*"))) < 2:
        sleep(0.02)
    cluster.remove_node(node, allow_graceful=False)
    (folder / "killed").touch()


def kill_worker(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise SetupError(f"game {number} is not for us")


def complaint(executor: Any, play: Any) -> str:
    try:
        list(executor.map(play, range(6)))
    except (WorkerLost, SetupError) as error:
        return str(error)
    return "none"


def command(*more: str) -> list[str]:
    """What a command prints, but for the time it took, and what it complains of."""
    out, complaints = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(complaints):
        code = main((*COMMAND, *more))
    return [str(code), *out.getvalue().splitlines()[:-1], complaints.getvalue()]


def run(folder: Path) -> dict[str, Any]:
    from cuberails.lab.cluster import RayCluster  # first, for it silences Ray

    from ray.cluster_utils import Cluster  # isort: skip

    node = {"num_cpus": 1, "object_store_memory": 80 << 20}
    cluster = Cluster(True, head_node_args={**node, "include_dashboard": False})
    second = cluster.add_node(**node)
    try:
        with RayCluster(cluster.address) as executor:
            Thread(target=kill_when_both_wait, args=(cluster, second, folder), daemon=True).start()
            found = {
                "games": [asdict(result) for result in executor.map(partial(play_around_a_kill, folder), range(GAMES))],
                "nodes": len(list(folder.glob("waits-*"))),
                "killed": complaint(executor, kill_worker),
                "raised": complaint(executor, refuse),
            }
        return found | {"command": command("--ray", cluster.address), "nowhere": command("--ray", "127.0.0.1:1")}
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as short:  # sockets have short names
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0123456789abcdef" * 4, "HOME": sys.argv[1]}
        os.environ |= {"RAY_TMPDIR": short, "RAY_worker_niceness": "0"}  # with Ray's 15 it would wait for other tests
        found = run(Path(sys.argv[1]))
    (Path(sys.argv[1]) / "found.json").write_text(json.dumps(found), "utf-8")
    sys.stdout.flush()
    os._exit(0)  # Ray's own threads are still there, and now and then one of them crashes while the interpreter ends
