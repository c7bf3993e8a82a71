"""Many games on the machines of a Ray cluster, which must have the same cuberails."""

from __future__ import annotations

import logging
import os
import pickle
import socket
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # or Ray would print about lost nodes between our tables

import ray
from ray import cloudpickle
from ray.exceptions import (
    LocalRayletDiedError,
    NodeDiedError,
    ObjectLostError,
    OutOfMemoryError,
    RayError,
    RayTaskError,
    WorkerCrashedError,
)

from cuberails import __version__
from cuberails.core.title import SetupError
from cuberails.lab.executor import Batch, Executor, Play, play_batch

CONNECT_SECONDS = 10
LOST = (WorkerCrashedError, NodeDiedError, ObjectLostError, OutOfMemoryError, LocalRayletDiedError)


class RayCluster(Executor):
    """A cluster that runs already: at an address, or for `auto` the one that this machine belongs to."""

    def __init__(self, address: str) -> None:
        try:
            _knock(address)
            ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL)
        except (OSError, RuntimeError, ValueError, RayError) as error:
            reason = str(error).partition("\n")[0]
            hint = "`ray start --head` starts one, `ray start --address=…` adds a machine"
            raise SetupError(f"there is no Ray cluster to use at {address!r} ({hint}): {reason}") from None
        self._play = ray.remote(num_cpus=1, max_retries=0)(_play)  # Executor counts the tries

    @property
    def workers(self) -> int:
        return max(1, int(ray.cluster_resources().get("CPU", 0)))

    def _most_running(self) -> int:
        """One batch waits while another is played; machines that join later get theirs, too."""
        return 2 * self.workers + 2

    def _share(self, play: Play[Any]) -> Any:
        return ray.put(cloudpickle.dumps(play))  # pickled here, for arrays that Ray pickles cannot be written to

    def _start(self, shared: Any, batch: Batch) -> Any:
        return self._play.remote(__version__, shared, batch)

    def _ready(self, tasks: list[Any]) -> list[Any]:
        ready, _ = ray.wait(tasks)
        return list(ready)

    def _result(self, task: Any) -> list[Any] | None:
        try:
            return list(pickle.loads(ray.get(task)))
        except RayTaskError as error:
            if "failed to import" in str(error.cause):
                raise SetupError(f"a machine of the cluster has no cuberails: {_needed(__version__)}") from None
            raise error.cause from error
        except LOST:
            return None

    def _cancel(self, task: Any) -> None:
        ray.cancel(task)

    def close(self) -> None:
        ray.shutdown()


def _knock(address: str) -> None:
    """OSError if nobody listens there: Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and "/" not in host:
        socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()


def _needed(version: str) -> str:
    return f'all need pip install "cuberails[ray]=={version}"'


def _play(version: str, play: bytes, batch: Batch) -> Any:
    """On a machine of the cluster."""
    if version != __version__:
        raise SetupError(f"a machine of the cluster has cuberails {__version__}: {_needed(version)}")
    return cloudpickle.dumps(play_batch(play, batch))
