"""The log: one line a record, no secrets, and the same trouble once in a while."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

import pytest

from cuberails.server.logs import JsonLines, OncePerInterval, TextLines, masked

SECRETS = {
    "GET /join/kPhM0aK1LY20/9r4D6EHB-3nksqqR HTTP/1.1": "GET /join/kPhM0aK1LY20/… HTTP/1.1",
    "cookie: a=1; cuberails_person=9r4D6EHB-3nksqqR; b=2": "cookie: a=1; cuberails_person=…; b=2",
    "__Host-cuberails_person=9r4D6EHB": "__Host-cuberails_person=…",
    "__Host-cuberails_session=session.9r4D6EHB": "__Host-cuberails_session=…",
    "authorization: Bearer 9r4D6EHB-3nksqqR": "authorization: Bearer …",
    "postgresql://cuberails:hunter2@db/cuberails": "postgresql://cuberails:…@db/cuberails",
    "__Host-cuberails_outside=eyJzdGF0ZSI6": "__Host-cuberails_outside=…",
    "550 <ann.b+club@mail.example.org>: unknown": "550 <…@…>: unknown",
    "postgresql://cuberails@db.example.org/tables": "postgresql://cuberails@db.example.org/tables",
    "GET /people/ann@example.org": "GET /people/…@…",
    "GET /t/kPhM0aK1LY20": "GET /t/kPhM0aK1LY20",
}


@pytest.mark.parametrize(("text", "shown"), SECRETS.items())
def test_secrets_are_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_a_record_is_one_line_of_key_and_value() -> None:
    line = TextLines().format(_record("table %s:\ntwo lines", "x"))
    assert "\n" not in line
    assert 'level=error logger=cuberails.test message="table x:\\ntwo lines"' in line


def test_a_record_is_one_line_of_json_with_its_traceback() -> None:
    record = _record("it failed")
    try:
        raise ValueError("at /join/table/secretsecretsecret")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    line = JsonLines().format(record)
    values = json.loads(line)
    assert "\n" not in line
    assert values["message"] == "it failed"
    assert "ValueError: at /join/table/…" in values["traceback"]
    assert "secretsecret" not in line


def test_repeated_trouble_is_logged_once_per_interval_with_its_number() -> None:
    time = [0.0]
    once = OncePerInterval(60, lambda: time[0])
    assert [once.filter(_record("table %s is lost", n)) for n in "abc"] == [True, False, False]
    assert once.filter(_record("another thing"))
    time[0] = 61.0
    later = _record("table %s is lost", "d")
    assert once.filter(later)
    assert "repeated=2" in TextLines().format(later)


def test_two_mistakes_of_one_kind_at_two_places_are_two_kinds_of_trouble() -> None:
    once = OncePerInterval()
    mistakes = [
        lambda: "".index("a"),
        lambda: "".index("b"),
    ]
    assert [once.filter(_failed(mistake)) for mistake in mistakes * 2] == [True, True, False, False]


def _failed(mistake: Callable[[], object]) -> logging.LogRecord:
    record = _record("it failed")
    try:
        mistake()
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    return record


def test_what_is_no_trouble_is_always_logged() -> None:
    once = OncePerInterval()
    assert all(once.filter(_record("request", level=logging.INFO)) for _ in range(3))


def _record(message: str, *values: object, level: int = logging.ERROR) -> logging.LogRecord:
    return logging.LogRecord("cuberails.test", level, __file__, 1, message, values, None)
