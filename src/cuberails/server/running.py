"""Running the application by uvicorn, as the settings say."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import Sequence
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from threading import Thread

import uvicorn
from fastapi import FastAPI

from cuberails.core.board import Board
from cuberails.server.door import Door, visits
from cuberails.server.logs import set_up_logs
from cuberails.server.settings import Settings

_log = logging.getLogger(__name__)

OWN_FILES = 200
"""How many open files the server needs for itself: database, bots, log."""

GRACE = 1
"""Seconds that answers under way get when the server ends."""


def run(app: FastAPI, settings: Settings, doors: list[socket.socket]) -> None:
    """Serve at these sockets until somebody ends it."""
    set_up_logs(settings)
    Server(configuration(app, settings)).run(sockets=doors)


class Server(uvicorn.Server):
    """Sends those away who follow a table before it waits for answers under way to end."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.app.state.tables.end_streams()  # type: ignore[union-attr]  # it is a FastAPI
        await super().shutdown(sockets)


class Processes:
    """Several processes that serve at the same sockets. One that ends without being asked to is started again."""

    def __init__(self, settings: Settings, boards: Sequence[Board], doors: list[socket.socket]) -> None:
        self._context = get_context("spawn")
        self._work = settings, boards, doors
        self._ended = False

    def run(self) -> None:
        """Serve until somebody ends it."""
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._end)
        running = [self._start() for _ in range(self._work[0].processes)]
        while not self._ended:
            wait([process.sentinel for process in running], timeout=0.5)
            lost = [process for process in running if not process.is_alive()]
            if lost and not self._ended:
                _log.error("%d of %d processes ended; starting them again", len(lost), len(running))
                running = [self._start() if process in lost else process for process in running]
        for process in running:
            process.terminate()
        for process in running:
            process.join()

    def _start(self) -> SpawnProcess:
        process = self._context.Process(target=_serve, args=self._work)
        process.start()
        return process

    def _end(self, *_: object) -> None:
        self._ended = True


def _serve(settings: Settings, boards: Sequence[Board], doors: list[socket.socket]) -> None:
    """In a process of its own: serve until somebody ends it, or the one that started it is gone."""
    from cuberails.server.app import create_app

    Thread(target=_end_with_parent, daemon=True).start()
    run(create_app(settings, boards), settings, doors)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)


def configuration(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """What uvicorn has to know. Clients' addresses are believed from the trusted proxies only; by default from none."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        http=visits(Door(_most_connections(settings), settings.connections_per_address, settings.trusted_proxies)),
        ws="none",
        timeout_graceful_shutdown=GRACE,
    )


def _most_connections(settings: Settings) -> int:
    """As many as the settings say, and as the system has files for: a server that cannot accept anybody is no use."""
    if sys.platform == "win32":  # it has no such limit
        return settings.connections
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.connections + OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return settings.connections if soft == resource.RLIM_INFINITY else min(settings.connections, soft - OWN_FILES)
