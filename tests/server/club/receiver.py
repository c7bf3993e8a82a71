"""A receiver of webhooks and pushes on this machine."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

from tests.server.house import until


@dataclass
class Received:
    """A request that came: headers with small letters."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """Answers every request with `status`, after `gate` was opened; and at most so many headers as `more` has.

    With a certificate it speaks TLS.
    """

    def __init__(self, certificate: Path | None = None) -> None:
        self.requests: list[Received] = []
        self.status = 204
        self.more: dict[str, str] = {}
        self.gate = Event()
        self.gate.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.requests.append(Received(self.path, headers, body))
                receiver.gate.wait(60)
                self.send_response(receiver.status)
                for name, value in receiver.more.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    def wait_for(self, count: int) -> list[Received]:
        until(lambda: len(self.requests) >= count)
        return self.requests

    def __enter__(self) -> Receiver:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
