"""Whether the installed rules and boards still lead every stored table and record to where it stands."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic.util import CommandError
from sqlalchemy import select
from sqlalchemy.exc import DatabaseError

from cuberails.core.action import UnknownAction
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.record import RecordError, read_record
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError
from cuberails.server.backup import BackupError, back_up, sqlite_file
from cuberails.server.history import History
from cuberails.server.models import TableRow
from cuberails.server.store import ACT, Entry, Store, StoredTable
from cuberails.server.table import first_game
from cuberails.titles import load

_NUMBER = re.compile(r"\d+")


@contextmanager
def opened_copy(url: str) -> Iterator[Store]:
    """The tables of a database, to look at: a file is copied first, so that it stays in the form that it has."""
    file = sqlite_file(url)
    if file is None:
        raise BackupError("a database that is no file is not checked in place: restore a dump of it, and check that")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tables.db"
        back_up(file, copy)
        try:
            store = Store(f"sqlite:///{copy}")
        except (DatabaseError, CommandError) as error:
            raise BackupError(f"{file} cannot be read: {getattr(error, 'orig', error)}") from None
        try:
            yield store
        finally:
            store.close()


def table_ids(store: Store) -> list[str]:
    """All tables, the oldest first."""
    with store.engine.connect() as connection:
        return list(connection.scalars(select(TableRow.id).order_by(TableRow.created, TableRow.id)))


def table_problem(store: Store, id: str) -> str:
    """Why a table would not be what it was; empty if it is. Every entry of its log is followed anew."""
    stored = store.table(id)
    if stored is None:
        return "it is gone"
    try:
        return _replayed(stored, store)
    except (BoardError, SetupError) as error:
        return f"it cannot be read: {error}"
    except (IllegalAction, UnknownAction, ValueError, IndexError) as error:
        return f"what it begins with cannot be played: {error}"


def _replayed(stored: StoredTable, store: Store) -> str:
    history = History(first_game(stored, store))
    for expected, entry in enumerate(store.entries(stored.id, 0), 1):
        if entry.seq != expected:
            return f"entry {expected} of its log is missing"
        actor = history.game.state.phase.actor
        if entry.kind == ACT and entry.seat != actor:
            then, now = _who(stored, entry.seat), _who(stored, actor)
            return f"entry {entry.seq} ({entry.text}) was decided by {then}, now by {now}"
        problem = _followed(history, entry)
        if problem:
            return problem
    actor = history.game.state.phase.actor
    if actor != stored.waiting:
        return f"in the end {_who(stored, stored.waiting)} was waited for, now {_who(stored, actor)}"
    return ""


def _followed(history: History, entry: Entry) -> str:
    try:
        history.follow(entry)
    except (IllegalAction, UnknownAction) as error:
        return f"entry {entry.seq} ({entry.text}) is no longer legal: {error}"
    except (ValueError, IndexError) as error:
        return f"entry {entry.seq} ({entry.kind} {entry.text}) cannot be followed: {error}"
    return ""


def _who(stored: StoredTable, seat: int) -> str:
    return stored.seats[seat].name if 0 <= seat < len(stored.seats) else "dice" if seat == -1 else "nobody"


def record_problem(text: str) -> str:
    """Why a record would not be what it was; empty if it is.

    A record in text tells in its comments what happened. The words may change between versions, but not the numbers.
    """
    try:
        game = read_record(text, load)
    except RecordError as error:
        return f"it cannot be read: {error}"
    return "" if text.lstrip("\ufeff \t\r\n").startswith("{") else _told_otherwise(text, game)


def _told_otherwise(text: str, game: Game) -> str:
    then, now = _numbers(text), _numbers(game.to_text())
    for n, (action, before) in enumerate(then):
        if before and before != now[n][1]:
            return f"after action {n + 1} ({action}) other numbers come out: {now[n][1]} instead of {before}"
    return ""


def _numbers(text: str) -> list[tuple[str, list[str]]]:
    """The actions of a record in text, each with the numbers in its comments."""
    found: list[tuple[str, list[str]]] = []
    lines = iter(text.splitlines())
    for line in lines:
        action, _, comment = line.partition("#")
        if action.strip() and ":" not in action and action[0] != "|" and not action.startswith("cuberails "):
            found.append((action.strip(), _NUMBER.findall(comment)))
        elif found and line[:1] == " ":
            found[-1][1].extend(_NUMBER.findall(comment))
    return found
