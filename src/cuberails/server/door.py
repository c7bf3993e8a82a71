"""The door: how many connections are open at once, and how long a visitor may take to say what is wanted.

Uvicorn has no limit of time for a request that does not come, and none for connections from one address. Connections
that ask for nothing cost others their place (slowloris), so they are the first to be closed when there are too many.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import Sequence
from ipaddress import ip_network
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from cuberails.server.limits import is_near, network, parsed

TO_ASK = 10.0
"""Seconds until the head of a request must have come."""

TO_TELL = 30.0
"""Seconds until its body must have come, too."""


TO_READ = 60.0
"""Seconds for which an answer may wait for somebody who does not read it."""


_DROP = struct.pack("ii", 1, 0)
"""For SO_LINGER: nothing is sent any more."""


class Door:
    """Counts the connections of one server: `most` in all, `per_address` from one address that is not `trusted`."""

    def __init__(self, most: int, per_address: int, trusted: Sequence[str] = ()) -> None:
        self._most = most
        self._per_address = per_address
        self._trusted = [ip_network(each) for each in trusted]
        self._idle: dict[Visit, None] = {}  # in the order in which they fell silent
        self._open: Counter[str] = Counter()

    def enter(self, visit: Visit) -> bool:
        """Whether there is room for one more connection; the one that has been idle the longest is closed for it."""
        who = visit.network
        if who and self._open[who] >= self._per_address and not self._make_room(who):
            return False
        if self._open.total() >= self._most and not self._make_room():
            return False
        self._open[who] += 1
        self._idle[visit] = None
        return True

    def leave(self, visit: Visit) -> None:
        self._idle.pop(visit, None)
        self._open[visit.network] -= 1
        if not self._open[visit.network]:
            del self._open[visit.network]

    def busy(self, visit: Visit) -> None:
        """Somebody asks for something."""
        self._idle.pop(visit, None)

    def idle(self, visit: Visit) -> None:
        """Somebody has been answered."""
        self._idle[visit] = None

    def _make_room(self, who: str = "") -> bool:
        found = next((visit for visit in self._idle if visit.network == who or not who), None)
        if found is not None:
            found.end()
        return found is not None

    def limited_network(self, address: str) -> str:
        """For whose connections one counts as; "" for this machine and for proxies, behind which is everybody."""
        return "" if is_near(address) or self._is_trusted(address) else network(address)

    def _is_trusted(self, address: str) -> bool:
        found = parsed(address)
        return found is not None and any(found in each for each in self._trusted)


class Visit(HttpToolsProtocol):
    """One connection. A request that does not come in time ends it."""

    door: Door
    network = ""
    _entered = False
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.network = self.door.limited_network(self.client[0] if self.client else "")
        self._entered = self.door.enter(self)
        if self._entered:
            self._expect(TO_ASK)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect(None)
        self._forgive()
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True  # uvicorn tells only the last of several requests at once
            self._answering.message_event.set()
        if self._entered:
            self._entered = False
            self.door.leave(self)
        super().connection_lost(exc)

    def end(self) -> None:
        """Close the connection at once, and free its place."""
        if self._entered:
            self._entered = False
            self.door.leave(self)
        connection = self.transport.get_extra_info("socket")
        if connection is not None:  # what nobody reads is not kept by the system either
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _DROP)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._expect(TO_ASK)  # on a connection that was kept
        super().data_received(data)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self.door.busy(self)
        self._expect(TO_TELL)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._expect(None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._entered and not self.transport.is_closing():
            self.door.idle(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(TO_READ, self.end)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._forgive()

    def _forgive(self) -> None:
        """Whoever did not read has read, or is gone."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _expect(self, seconds: float | None) -> None:
        """Set the time limit, in seconds, for what the client must send next; None for no limit."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.end)


def visits(door: Door) -> type[Visit]:
    """The protocol of a server with this door, for uvicorn."""
    attributes: dict[str, Any] = {"door": door}
    return type("Visit", (Visit,), attributes)
