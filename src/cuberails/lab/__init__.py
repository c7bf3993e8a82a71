"""Many games between bots: what they tell about the bots, the seats and the title.

`simulate` and `style` need the standard library only. `arena` and `learn` compute with numpy and scipy, the extra
`cuberails[lab]`; `cluster` plays on Ray, the extra `cuberails[ray]`. They are imported where they are used, inside
`lab_extra()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cuberails.core.title import SetupError
from cuberails.lab.executor import Executor, Local, WorkerLost
from cuberails.lab.simulate import Match, Result, Share, Summary, play_one, results, simulate, summarize

__all__ = [
    "Executor",
    "Local",
    "Match",
    "Result",
    "Share",
    "Summary",
    "WorkerLost",
    "executor_for",
    "lab_extra",
    "play_one",
    "results",
    "simulate",
    "summarize",
]

EXTRAS = {"numpy": "lab", "scipy": "lab", "ray": "ray"}
"""Packages that are not always installed, and the extra of cuberails that has them."""


@contextmanager
def lab_extra() -> Iterator[None]:
    """Put around an import of a module that needs the extra: SetupError says how to install what is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        command = f'pip install "cuberails[{EXTRAS[package]}]"'
        raise SetupError(f"this needs {package}, which is not installed: {command}") from None


def executor_for(jobs: int, ray: str | None = None) -> Executor:
    """The executor that a command is asked for: processes of this machine, or the Ray cluster at this address."""
    if ray is None:
        return Local(jobs)
    if jobs != 1:
        raise SetupError("--jobs counts processes of this machine; with --ray the cluster decides how many it has")
    with lab_extra():
        from cuberails.lab.cluster import RayCluster
    return RayCluster(ray)
