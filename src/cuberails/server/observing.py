"""The outermost layer of the server: it measures and logs requests, and answers /health and /metrics from memory."""

from __future__ import annotations

import logging
import time
from ipaddress import ip_address

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cuberails.server.health import Health
from cuberails.server.logs import ACCESS
from cuberails.server.metrics import CONTENT_TYPE, Metrics, kind_of

_FORWARDED = (b"x-forwarded-for", b"forwarded", b"x-real-ip")
_access = logging.getLogger(ACCESS)


class Observer:
    """Sees every request come and every answer leave. `readers` says who may read /metrics, as in the settings."""

    def __init__(self, app: ASGIApp, metrics: Metrics, health: Health, readers: str) -> None:
        self.app = app
        self._metrics = metrics
        self._health = health
        self._readers = readers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["path"] == "/health" and scope["method"] in ("GET", "HEAD"):
            await self._tell_health()(scope, receive, send)
        elif scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD"):
            await self._tell_metrics(scope)(scope, receive, send)
        else:
            await self._observe(scope, receive, send)

    def _tell_health(self) -> Response:
        trouble = self._health.trouble
        return PlainTextResponse(trouble or "ok", 503 if trouble else 200, {"Cache-Control": "no-store"})

    def _tell_metrics(self, scope: Scope) -> Response:
        if self._readers == "everybody" or (self._readers == "loopback" and _from_this_machine(scope)):
            return Response(self._metrics.text(), media_type=CONTENT_TYPE)
        return PlainTextResponse("The metrics of this server are not for everybody.", 403)

    async def _observe(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, status, kind = time.perf_counter(), 500, kind_of(scope["path"])

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            seconds = time.perf_counter() - start
            self._metrics.answered(kind, status, seconds)
            if _access.isEnabledFor(logging.INFO):
                _log_request(scope, status, seconds)


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    """One line about a request. The query is left out: nobody needs it, and somebody may put a secret there."""
    values = {
        "client": scope["client"][0] if scope.get("client") else "",
        "method": scope["method"],
        "path": scope["path"][:200],
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    _access.info("request", extra={"values": values})


def _from_this_machine(scope: Scope) -> bool:
    """Whether a program on this machine asks for itself; a proxy here asks for others, and says so in a header."""
    client = scope.get("client")
    if not client or any(name in _FORWARDED for name, _ in scope["headers"]):
        return False
    try:
        address = ip_address(client[0].partition("%")[0])
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
