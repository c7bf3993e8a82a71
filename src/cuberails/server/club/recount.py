"""Results of finished games from their logs again."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.engine import Engine

from cuberails.core.action import UnknownAction
from cuberails.core.boardfile import BoardError
from cuberails.core.state import NOBODY, IllegalAction
from cuberails.core.title import SetupError
from cuberails.server.club.results import counts, recording, removing
from cuberails.server.connections import Write
from cuberails.server.models import TableRow
from cuberails.server.store import Store
from cuberails.server.table import read_table
from cuberails.server.writer import Writer


def finished_tables(engine: Engine) -> list[str]:
    """The tables whose games are over."""
    with engine.connect() as connection:
        return list(connection.scalars(select(TableRow.id).where(TableRow.waiting == NOBODY).order_by(TableRow.id)))


def record_again(store: Store, ids: Iterable[str]) -> tuple[int, list[str]]:
    """Write the results of these finished games as their logs tell them, in place of what is there; how many games have
    results, and which tables cannot be read: they keep what they have."""
    connection, count, unreadable = store.connect(), 0, []
    try:
        for id in ids:
            try:
                write = recorded_again(store, id)
            except (BoardError, IllegalAction, LookupError, SetupError, TypeError, UnknownAction, ValueError):
                unreadable.append(id)
                continue
            connection.write([write])
            count += len(write.statements) > 1
    finally:
        connection.close()
    return count, unreadable


def recorded_again(store: Store, id: str) -> Write:
    """What the log of a table says about its results."""
    table = read_table(store, Writer(store.connect, lambda _: None), id)
    if table is None or table.actor != NOBODY or not counts(table):
        return Write(id, removing(id))
    return Write(id, recording(table, table.state, table.history.log, table.time.clocks.paces()))
