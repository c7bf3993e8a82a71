"""Running the application by uvicorn, as the settings say."""

from __future__ import annotations

import socket

import uvicorn
from starlette.types import ASGIApp

from cuberails.server.logs import set_up_logs
from cuberails.server.settings import Settings

GRACE = 1
"""Seconds that answers under way get when the server ends."""


def run(app: ASGIApp, settings: Settings, doors: list[socket.socket]) -> None:
    """Serve at these sockets until somebody ends it."""
    set_up_logs(settings)
    uvicorn.Server(configuration(app, settings)).run(sockets=doors)


def configuration(app: ASGIApp, settings: Settings) -> uvicorn.Config:
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
        timeout_graceful_shutdown=GRACE,
    )
