"""How much anybody may ask for: generous to people, firm to scripts."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_network
from math import ceil
from threading import Lock

from cuberails.server.refusal import Refused

CLUB = 10
"""Behind one address may be so many people."""

MOST_BUCKETS = 20_000
"""So many buckets are remembered; those that were not used for longest are forgotten, as if they were full again."""

NEAR = ("127.0.0.1", "::1")
"""Whoever sits at the server itself is not limited. Behind a proxy the address is that which the proxy tells."""


@dataclass(frozen=True)
class Rate:
    """Something that can be done `burst` times at once, and then `a_minute` times each minute."""

    deed: str
    burst: int
    a_minute: int


OPENING = Rate("open tables", 20, 6)
IMPORTING = Rate("import records", 10, 3)
ACTING = Rate("play", 120, 240)
ASKING = Rate("ask for hints", 12, 12)


@dataclass
class Bucket:
    """It starts full, loses a drop with every deed, and fills up again drop by drop."""

    drops: float
    at: float


class Limits:
    """The buckets of everybody: one for each person, and a large one for each address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._lock = Lock()

    def take(self, rate: Rate, person: str, address: str) -> None:
        """Let somebody do something, or refuse and say when to come back."""
        if not address or address in NEAR:
            return
        with self._lock:
            both = [(self._bucket(rate, _network(address), CLUB), CLUB)]
            if person:
                both.append((self._bucket(rate, person, 1), 1))
            wait = max((1 - bucket.drops) / (rate.a_minute * people / 60) for bucket, people in both)
            if wait > 0:
                seconds = ceil(wait)
                sentence = f"That was a lot at once: you can {rate.deed} again in {seconds} s."
                raise Refused(429, "too_many", sentence, {"Retry-After": str(seconds)})
            for bucket, _ in both:
                bucket.drops -= 1

    def _bucket(self, rate: Rate, whose: str, people: int) -> Bucket:
        """A bucket as it is now."""
        now, most = self._clock(), rate.burst * people
        bucket = self._buckets.setdefault((rate.deed, whose), Bucket(most, now))
        self._buckets.move_to_end((rate.deed, whose))
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        bucket.drops = min(most, bucket.drops + (now - bucket.at) * rate.a_minute * people / 60)
        bucket.at = now
        return bucket


def _network(address: str) -> str:
    """An address of the new kind stands for its whole network, for a house has as many as it likes."""
    try:
        return str(ip_network((address, 64), strict=False)) if ":" in address else address
    except ValueError:
        return address
