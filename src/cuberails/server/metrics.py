"""What the server counts and measures, for Prometheus."""

from __future__ import annotations

import re
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

_KINDS = (
    ("act", re.compile(r"/api/tables/[^/]+/act")),
    ("change", re.compile(r"/api/tables/[^/]+/(undo|redo|answer|seats/[^/]+)")),
    ("events", re.compile(r"/api/tables/[^/]+/(worth/)?events")),
    ("table", re.compile(r"/api/tables/[^/]+")),
    ("open", re.compile(r"/api/tables")),
    ("api", re.compile(r"/api/.*")),
    ("static", re.compile(r"/static/.*|/look\.css|/picture/.*")),
)
"""Kinds of requests by their paths, the first that fits; everything else is a page."""


def kind_of(path: str) -> str:
    """What kind of request a path means: few kinds, whatever strangers ask for."""
    return next((kind for kind, form in _KINDS if form.fullmatch(path)), "page")


class Metrics:
    """Counters and times of one server. The gauges are asked for when somebody reads them."""

    def __init__(self, gauges: dict[str, tuple[str, Callable[[], float]]]) -> None:
        """`gauges` are what can be counted at any moment: by name, what each is and how to count it."""
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._actions = Counter(
            "cuberails_actions", "Actions of people by what became of them.", ["outcome"], registry=self._registry
        )
        self._requests = Counter(
            "cuberails_requests", "Requests by kind and status.", ["kind", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "cuberails_request_seconds",
            "Seconds from a request to the end of its answer, by kind; streams are not among them.",
            ["kind"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        for outcome in ("accepted", "refused", "failed"):
            self._actions.labels(outcome)  # so that each is there from the start, as 0
        for name, (what, count) in gauges.items():
            Gauge(f"cuberails_{name}", what, registry=self._registry).set_function(count)

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(kind, str(status)).inc()
        if kind == "act":
            outcome = "accepted" if status == 200 else "refused" if status < 500 else "failed"
            self._actions.labels(outcome).inc()
        if kind != "events":
            self._seconds.labels(kind).observe(seconds)

    def text(self) -> bytes:
        """Everything in the form that Prometheus reads."""
        return bytes(generate_latest(self._registry))
