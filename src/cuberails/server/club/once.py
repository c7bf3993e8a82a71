"""Secrets that work once: each is written down when it is used, and of two who use it at a time one is refused."""

from __future__ import annotations

import datetime as dt

from cuberails.server.connections import Statement
from cuberails.server.identity import hashed
from cuberails.server.store import now, time_text

USED = "used"
"""The purpose of a row that says so of a link, or of a question that a passkey has answered."""

_ADD = "INSERT INTO mail_links (digest, purpose, email, person, name, expires) VALUES (?, ?, ?, ?, ?, ?)"
_TIDY = "DELETE FROM mail_links WHERE expires < ?"


def adding(digest: str, purpose: str, email: str, person: str, expires: dt.datetime) -> list[Statement]:
    """Write something down that works once until it expires, and forget what has expired."""
    row = (digest, purpose, email, person, "", time_text(expires))
    return [(_TIDY, [(time_text(now()),)]), (_ADD, [row])]


def using(secret: str, expires: dt.datetime) -> list[Statement]:
    """Write down that a secret was used. Who is second meets the row of the first."""
    return adding(hashed(f"{USED} {secret}"), USED, "", "", expires)
