"""The server's log: one line a record, without secrets, and without saying the same thing over and over."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime

from cuberails.server.settings import Settings

ACCESS = "cuberails.access"
"""The name of the log of requests."""

QUIET = 60.0
"""Seconds in which trouble of one kind is logged once; how often it came meanwhile is told with the next."""

MOST_KINDS = 1000
"""How many kinds of trouble are remembered."""

_SECRETS = (
    (re.compile(r"(/join/[^/\s\"']*/)[^/\s\"'?]+"), r"\1…"),  # the link of a seat is the key to it
    (re.compile(r"(/unsubscribe/)[^/\s\"'?]+"), r"\1…"),
    (re.compile(r"((?:__Host-)?cuberails_(?:person|session|outside)=)[^;,\s\"']+"), r"\1…"),
    (re.compile(r"(Bearer\s+)[^,\s\"']+", re.IGNORECASE), r"\1…"),
    (re.compile(r"(://[^:/@\s]*:)[^@/\s]+@"), r"\1…@"),  # the password in the URL of a database
    (re.compile(r"(?<!//)(?<![\w.+-])[\w.+-]+@(?:[\w-]+\.)+[\w-]+"), "…@…"),  # an address for mail
)


def masked(text: str) -> str:
    """A text without cookies, keys, passwords and addresses for mail."""
    for secret, mask in _SECRETS:
        text = secret.sub(mask, text)
    return text


def set_up_logs(settings: Settings) -> None:
    """Send everything that this process logs to its standard error, as lines of text or JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if settings.log_format == "json" else TextLines())
    handler.addFilter(OncePerInterval())
    logging.basicConfig(handlers=[handler], level=settings.log_level.upper(), force=True)
    logging.getLogger(ACCESS).setLevel(logging.INFO if settings.access_log else logging.WARNING)
    logging.getLogger("alembic").setLevel(logging.WARNING)


class _Lines(logging.Formatter):
    """A record as names and values."""

    def values(self, record: logging.LogRecord) -> dict[str, object]:
        found: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        extra = getattr(record, "values", None)
        if isinstance(extra, dict):
            found |= {name: masked(value) if isinstance(value, str) else value for name, value in extra.items()}
        repeated = getattr(record, "repeated", 0)
        if repeated:
            found["repeated"] = repeated
        if record.exc_info:
            found["traceback"] = masked(self.formatException(record.exc_info))
        return found


class JsonLines(_Lines):
    """A record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(self.values(record), ensure_ascii=False, default=str)


class TextLines(_Lines):
    """A record as a line of key=value, values with blanks in quotes."""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(f"{name}={_quoted(value)}" for name, value in self.values(record).items())


def _quoted(value: object) -> str:
    text = str(value)
    plain = text.isprintable() and text and not set(text) & set(' "=')
    return text if plain else json.dumps(text, ensure_ascii=False)


class OncePerInterval(logging.Filter):
    """Lets trouble of one kind through once in a while, so that it cannot fill the disk.

    A kind is who logged it, its level, the words before values are put in, and the kind and place of an exception.
    """

    def __init__(self, seconds: float = QUIET, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._clock = clock
        self._last: OrderedDict[tuple[object, ...], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = (record.name, record.levelno, str(record.msg), *_place(record))
        now = self._clock()
        last, missed = self._last.get(kind, (-self._seconds, 0))
        if now - last < self._seconds:
            self._last[kind] = last, missed + 1
            return False
        self._last[kind] = now, 0
        self._last.move_to_end(kind)
        if len(self._last) > MOST_KINDS:
            self._last.popitem(last=False)
        record.repeated = missed
        return True


def _place(record: logging.LogRecord) -> tuple[object, ...]:
    """The kind of exception of a record, if it has one, and where that was raised."""
    if not record.exc_info:
        return ()
    kind, _, traceback = record.exc_info
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return (kind, traceback.tb_frame.f_code.co_filename, traceback.tb_lineno) if traceback else (kind,)
