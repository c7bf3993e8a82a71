"""What the host of a server, or an admin, does for order there.

Each is one write, with a line in the log of moderation: the command and the page for admins make the same ones. What
has to be done at tables beside is left there as a chore, for the server that runs (see chores.py).
"""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass

from cuberails.server.club.accounts import checked_name
from cuberails.server.club.bans import ORDER, Ban, banning, lifting
from cuberails.server.connections import Statement, Write
from cuberails.server.identity import has_account
from cuberails.server.naming import clean, name_key
from cuberails.server.store import now, time_text

MOST_LETTERS = 300
"""The longest reason for a ban."""

MOST_DAYS = 3650
"""The longest ban that ends."""

BAN, LIFT, RENAME, DELETE, CLOSE, HANDLE = "ban", "lift", "rename", "delete", "close", "handle"
GRANT, REVOKE = "grant", "revoke"
"""The kinds of changes: a ban and its end, another name, somebody or a table deleted, a report dealt with, and who is
an admin."""

LEAVE, STAND_IN, NAME, TABLE = "leave", "stand in", "name", "table"
"""The kinds of chores: somebody leaves for good, bots play somebody's seats, somebody's seats are called otherwise, a
table is deleted."""

_LOG = "INSERT INTO moderation_log (id, at, person, admin, what, whom, name, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_CHORE = "INSERT INTO chores (id, at, kind, whom, text) VALUES (?, ?, ?, ?, ?)"
_RENAME = "UPDATE accounts SET name = ?, name_key = ? WHERE person = ?"
_NAMES = [
    f"UPDATE {table} SET name = ? WHERE {column} = ?"
    for table, column in (("open_seats", "person"), ("invitations", "person"), ("friends", "friend"))
]
_END_SESSIONS = "DELETE FROM sessions WHERE person = ?"
_HANDLE = "UPDATE reports SET done = ? WHERE id = ?"
_REVOKE = "DELETE FROM admins WHERE person = ?"
_GRANT = "INSERT INTO admins (person, at) VALUES (?, ?)"


@dataclass(frozen=True)
class Doer:
    """Who does something: an admin, or the host of the server at the command line."""

    person: str
    name: str


HOST = Doer("", "the host")


@dataclass(frozen=True)
class Somebody:
    """A person as the server knows them: by an account, or as a guest by the name at a seat. `seen` is when last."""

    person: str
    name: str
    seen: dt.datetime | None = None
    ban: Ban | None = None
    admin: bool = False

    @property
    def kind(self) -> str:
        return "admin" if self.admin else "account" if has_account(self.person) else "guest"


def ban(doer: Doer, whom: Somebody, reason: str = "", days: int = 0) -> Write:
    """Somebody can only look on, for so many days or with 0 for good; bots play their seats."""
    why, at = clean(reason, MOST_LETTERS), now()
    until = at + dt.timedelta(days=min(days, MOST_DAYS)) if days > 0 else None
    words = f"{'for good' if until is None else f'until {until:%Y-%m-%d %H:%M} UTC'}{': ' if why else ''}{why}"
    stored = banning(Ban(whom.person, whom.name, at, why, until))
    return _deed(doer, BAN, whom.person, whom.name, words, [*stored, chore(STAND_IN, whom.person)])


def lift(doer: Doer, whom: Somebody) -> Write:
    """Somebody may take part again."""
    return _deed(doer, LIFT, whom.person, whom.name, "", lifting(whom.person))


def rename(doer: Doer, whom: Somebody, name: str) -> Write:
    """Somebody is called otherwise, in their account and at all tables."""
    fresh = checked_name(name)
    account: list[Statement] = [(_RENAME, [(fresh, name_key(fresh), whom.person)])]
    others: list[Statement] = [(sql, [(fresh, whom.person)]) for sql in _NAMES]
    stored = [*account, *others, chore(NAME, whom.person, fresh)]
    return _deed(doer, RENAME, whom.person, fresh, f"was {whom.name}", stored)


def delete(doer: Doer, whom: Somebody) -> Write:
    """Nothing remains of somebody but that they played."""
    stored: list[Statement] = [(_END_SESSIONS, [(whom.person,)]), chore(LEAVE, whom.person)]
    return _deed(doer, DELETE, whom.person, whom.name, "", stored)


def close(doer: Doer, table: str, names: str) -> Write:
    """A table is deleted, with its log and its chat."""
    return _deed(doer, CLOSE, table, names, "", [chore(TABLE, table)])


def handle(doer: Doer, report: str, whom: str, name: str) -> Write:
    """Somebody has dealt with a report of this person."""
    return _deed(doer, HANDLE, whom, name, "", [(_HANDLE, [(True, report)])])


def grant(whom: Somebody) -> Write:
    """Somebody with an account is an admin from now on."""
    stored: list[Statement] = [(_REVOKE, [(whom.person,)]), (_GRANT, [(whom.person, time_text(now()))])]
    return _deed(HOST, GRANT, whom.person, whom.name, "", stored)


def revoke(whom: Somebody) -> Write:
    """Somebody is an admin no longer."""
    return _deed(HOST, REVOKE, whom.person, whom.name, "", [(_REVOKE, [(whom.person,)])])


def chore(kind: str, whom: str, text: str = "") -> Statement:
    """Something that is to be done at tables."""
    return _CHORE, [(secrets.token_urlsafe(12), time_text(now()), kind, whom, text)]


def _deed(doer: Doer, what: str, whom: str, name: str, text: str, statements: list[Statement]) -> Write:
    row = (secrets.token_urlsafe(12), time_text(now()), doer.person, doer.name, what, whom, name, text)
    return Write(ORDER, [*statements, (_LOG, [row])], announced=True)
