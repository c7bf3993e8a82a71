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
"""The server's own machine: programs there, or a proxy that does not tell for whom it asks."""

AT_HOME = 100
"""A person there may do so many times as much, which is about what the server can do for one."""


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
        with self._lock:
            concerned = [(self._bucket(rate, whose, times), times) for whose, times in _concerned(person, address)]
            wait = max((1 - bucket.drops) / (rate.a_minute * times / 60) for bucket, times in concerned)
            if wait > 0:
                seconds = ceil(wait)
                sentence = f"That was a lot at once: you can {rate.deed} again in {seconds} s."
                raise Refused(429, "too_many", sentence, {"Retry-After": str(seconds)})
            for bucket, _ in concerned:
                bucket.drops -= 1

    def _bucket(self, rate: Rate, whose: str, times: int) -> Bucket:
        """A bucket as it is now."""
        now, most = self._clock(), rate.burst * times
        bucket = self._buckets.setdefault((rate.deed, whose), Bucket(most, now))
        self._buckets.move_to_end((rate.deed, whose))
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        bucket.drops = min(most, bucket.drops + (now - bucket.at) * rate.a_minute * times / 60)
        bucket.at = now
        return bucket


def _concerned(person: str, address: str) -> list[tuple[str, int]]:
    """Whose buckets a deed is taken from, and how many times the rate each of them holds."""
    if not address or address in NEAR:
        return [(f"{person} at home", AT_HOME)]
    return [(_network(address), CLUB), *([(person, 1)] if person else [])]


def _network(address: str) -> str:
    """An address of the new kind stands for its whole network, for a house has as many as it likes."""
    try:
        return str(ip_network((address, 64), strict=False)) if ":" in address else address
    except ValueError:
        return address
