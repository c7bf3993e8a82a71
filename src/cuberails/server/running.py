"""Running the application by uvicorn, as the settings say."""

from __future__ import annotations

import socket
import sys

import uvicorn
from fastapi import FastAPI

from cuberails.server.door import Door, visits
from cuberails.server.logs import set_up_logs
from cuberails.server.settings import Settings

OWN_FILES = 200
"""So many files the server needs for itself: database, bots, log."""

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
