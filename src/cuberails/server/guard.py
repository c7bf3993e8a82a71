"""What every request passes first: a limit to its size, and headers that keep strange code out of the pages."""

from __future__ import annotations

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
_ENCODED = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]


class Guard:
    """Refuses large and foreign requests before anything is made of them, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        read = 0

        async def limited() -> Message:
            """The body, part by part. A refusal here is answered like every other, with the fresh table."""
            nonlocal read
            _check_kind(scope)
            message = await receive()
            read += len(message.get("body", b""))
            if max(read, _announced(scope)) > MOST_BYTES:
                raise Refused(413, "too_large", f"A request may hold {MOST_BYTES} bytes at most.")
            return message

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = _safe_cookies(message["headers"]) if scope["scheme"] == "https" else message["headers"]
                message["headers"] = [*headers, *_ENCODED]
            await send(message)

        await self.app(scope, limited, headed)


def _safe_cookies(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A cookie that was set over https is never sent without it."""
    return [(name, value + b"; Secure" if name == b"set-cookie" else value) for name, value in headers]


def _check_kind(scope: Scope) -> None:
    """A form of another site can send everything but JSON."""
    kind = _header(scope, b"content-type").partition(";")[0].strip().lower()
    if scope["method"] == "POST" and kind != "application/json":
        raise Refused(415, "not_json", "Send JSON, with the content type application/json.")


def _announced(scope: Scope) -> int:
    length = _header(scope, b"content-length")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


def _header(scope: Scope, name: bytes) -> str:
    found: bytes = next((value for key, value in scope["headers"] if key == name), b"")
    return found.decode("latin-1")
