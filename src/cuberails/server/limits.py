"""Rate limits by token buckets: generous to people, firm to scripts."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil
from threading import Lock

from cuberails.server.refusal import Refused

CLUB = 10
"""How many people may share one address."""

MOST_BUCKETS = 20_000
"""How many buckets are kept; the least recently used are dropped, and count as full again."""

AT_HOME = 100
"""At the server's own machine are programs, or a proxy that does not tell for whom it asks: a person there may do so
many times as much, which is about what the server can do for one."""


@dataclass(frozen=True)
class Rate:
    """What can be done `burst` times at once, and then `a_minute` times each minute; `action` says what, for people."""

    action: str
    burst: int
    a_minute: float


OPENING = Rate("open tables", 20, 6)
HOSTING = Rate("open so many tables", 200, 1)
"""In the long run, a table a minute: they are stored for good."""

IMPORTING = Rate("import records", 10, 3)
INVITING = Rate("invite people, or ask for friendship,", 30, 10)
JOINING = Rate("join and leave tables", 30, 30)
REPORTING = Rate("report people", 5, 1)
ACTING = Rate("play", 120, 240)
LOOKING = Rate("look ahead and back", 300, 900)
TALKING = Rate("write", 20, 40)
SOLVING = Rate("try actions", 30, 30)
ASKING = Rate("ask for hints", 12, 12)
ANALYSING = Rate("start an analysis", 6, 2)
VALUING = Rate("ask what shares are worth", 100, 200)
SIGNING_IN = Rate("sign in", 20, 10)
SIGNING_UP = Rate("make accounts", 5, 0.2)
GUESSING = Rate("try passwords of this account", 8, 2)
MAILING = Rate("ask for mail", 5, 0.2)
MAIL_TO = Rate("have mail sent to this address", 3, 1)
"""However many people ask: nobody's postbox is filled from here."""


@dataclass
class Bucket:
    """A token bucket: it starts full, loses a token with every request, and is refilled at a steady rate."""

    tokens: float
    at: float


class Limits:
    """The buckets of everybody: one for each person, and a large one for each address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[Rate, str], Bucket] = OrderedDict()
        self._lock = Lock()

    def take(self, rate: Rate, person: str, address: str) -> None:
        """Take a token for an action, or refuse and say when to come back."""
        self._take(rate, _concerned(person, address))

    def take_for(self, rate: Rate, whom: str) -> None:
        """The same for what is done to somebody, whoever does it."""
        self._take(rate, [(f"to {whom}", 1)])

    def _take(self, rate: Rate, buckets: list[tuple[str, int]]) -> None:
        with self._lock:
            concerned = [(self._bucket(rate, whose, times), times) for whose, times in buckets]
            wait = max((1 - bucket.tokens) / (rate.a_minute * times / 60) for bucket, times in concerned)
            if wait > 0:
                seconds = ceil(wait)
                when = f"{seconds} s" if seconds < 120 else f"{ceil(seconds / 60)} minutes"
                sentence = f"That was a lot at once: you can {rate.action} again in {when}."
                raise Refused(429, "too_many", sentence, {"Retry-After": str(seconds)})
            for bucket, _ in concerned:
                bucket.tokens -= 1

    def _bucket(self, rate: Rate, whose: str, times: int) -> Bucket:
        """A bucket as it is now."""
        now, most = self._clock(), rate.burst * times
        bucket = self._buckets.setdefault((rate, whose), Bucket(most, now))
        self._buckets.move_to_end((rate, whose))
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        bucket.tokens = min(most, bucket.tokens + (now - bucket.at) * rate.a_minute * times / 60)
        bucket.at = now
        return bucket


def _concerned(person: str, address: str) -> list[tuple[str, int]]:
    """Whose buckets are taken from, and how many times the rate each of them holds."""
    if is_near(address):
        return [(f"{person} at home", AT_HOME)]
    return [(network(address), CLUB), *([(person, 1)] if person else [])]


def is_near(address: str) -> bool:
    """Whether that is the server's own machine, or no address of a network."""
    found = parsed(address)
    return not address or (found is not None and found.is_loopback)


def network(address: str) -> str:
    """Who shares an address: of the newer kind a whole /64 network, for a house has as many as it likes."""
    found = parsed(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else str(found or address)


def parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address; one of the older kind also where it comes in the form of the newer (::ffff:192.0.2.1)."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
