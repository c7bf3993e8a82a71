"""What every request passes first: a limit to its size, and headers that keep strange code out of the pages."""

from __future__ import annotations

import logging
from collections.abc import Collection

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cuberails.server.refusal import Refused

MOST_BYTES = 400_000
"""The largest request: a long record."""

_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # links are keys: other sites do not learn them
    "cross-origin-opener-policy": "same-origin",
}
_FORMS = ("/join/", "/unsubscribe/")
"""Pages that are forms: an invitation, and the end of mail, which the key in its link allows whoever has it."""

_log = logging.getLogger(__name__)
_ENCODED = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]


class Guard:
    """Refuses large and foreign requests before anything is made of them, and adds the headers to every answer.

    `host_names` are the names of this server; a request for another one is refused, unless none is given. That is also
    what stops a strange site whose name was made to point here (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, host_names: Collection[str] = ()) -> None:
        self.app = app
        self._host_names = {name.lower() for name in host_names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headed = _Headed(scope, send)
        try:
            if self._host_names and _host_name(scope) not in self._host_names:
                await plain_answer(scope, 421, "wrong_host", "This server has another name.")(
                    scope, receive, headed.send
                )
            elif "\0" in scope["path"]:  # PostgreSQL knows no such sign, and nothing here is called so
                await plain_answer(scope, 404, "not_found", "There is no such page.")(scope, receive, headed.send)
            elif _is_foreign(scope):
                sentence = "A page of another site has asked for this; do it on a page of this server."
                await plain_answer(scope, 403, "foreign", sentence)(scope, receive, headed.send)
            else:
                await self.app(scope, _limited(scope, receive), headed.send)
        except Exception:
            _log.exception("a request failed")
            if not headed.started:
                sentence = "Something went wrong here, and it was noted; try again."
                await plain_answer(scope, 500, "failed", sentence)(scope, receive, headed.send)


class _Headed:
    """An answer on its way, with the headers that every answer has."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.started = False
        self._secure = scope["scheme"] == "https"
        self._send = send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = _safe_cookies(message["headers"]) if self._secure else message["headers"]
            message["headers"] = [*headers, *_ENCODED, *_keeping(headers)]
        await self._send(message)


_KEPT = {b"cache-control", b"etag"}
"""Headers of answers that say themselves how long they may be kept, or that are the same for everybody."""

_OWN = [(b"cache-control", b"private, no-cache")]


def _keeping(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What an answer for somebody says besides: that no proxy keeps it for others."""
    return [] if any(name in _KEPT for name, _ in headers) else _OWN


def _limited(scope: Scope, receive: Receive) -> Receive:
    """The body, part by part. A refusal here is answered like every other, with the fresh table."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        _check_kind(scope)
        message = await receive()
        read += len(message.get("body", b""))
        if max(read, _announced(scope)) > MOST_BYTES:
            raise Refused(413, "too_large", f"A request may hold {MOST_BYTES} bytes at most.")
        return message

    return limited


def plain_answer(scope: Scope, status: int, code: str, sentence: str) -> Response:
    """A refusal by somebody who knows neither pages nor tables."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": code, "message": sentence, "table": None}, status)
    return PlainTextResponse(sentence, status)


def _host_name(scope: Scope) -> str:
    """The name by which a request calls this server, without the port."""
    name, colon, port = _header(scope, b"host").strip().lower().rpartition(":")
    return (name if colon and port.isdecimal() else f"{name}{colon}{port}").rstrip(".")


def _is_foreign(scope: Scope) -> bool:
    """Whether a browser says that a page of another site wants to change something. Cookies come along from neighbours:
    for SameSite=Lax all hosts of a domain are one site. Programs say nothing of the kind."""
    changes = scope["method"] not in ("GET", "HEAD", "OPTIONS") and not scope["path"].startswith("/unsubscribe/")
    return changes and _header(scope, b"sec-fetch-site") in ("same-site", "cross-site")


def _safe_cookies(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A cookie that was set over https is never sent without it, and never set by any other host."""
    return [(name, b"__Host-" + value + b"; Secure" if name == b"set-cookie" else value) for name, value in headers]


def _check_kind(scope: Scope) -> None:
    """A form of another site can send everything but JSON; the few pages that are forms look after that themselves."""
    kind = _header(scope, b"content-type").partition(";")[0].strip().lower()
    form = kind == "application/x-www-form-urlencoded" and scope["path"].startswith(_FORMS)
    if scope["method"] == "POST" and kind != "application/json" and not form:
        raise Refused(415, "not_json", "Send JSON, with the content type application/json.")


def _announced(scope: Scope) -> int:
    length = _header(scope, b"content-length")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


def _header(scope: Scope, name: bytes) -> str:
    found: bytes = next((value for key, value in scope["headers"] if key == name), b"")
    return found.decode("latin-1")
