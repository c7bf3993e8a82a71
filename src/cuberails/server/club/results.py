"""Results of finished games: who took which place and how they kept time, written in the same transaction as the end.

A seat counts for the person who did most for it, be it played by a bot for a while, or who never answered until time
was up, which is known of them from then on. Without such a person it counts for the bot.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Select, func, select
from sqlalchemy.engine import Engine

from cuberails.core.state import NOBODY, State
from cuberails.server import chart
from cuberails.server.clock import Timestamp, stored_time
from cuberails.server.club.clocks import NO_PACE, Pace
from cuberails.server.connections import Statement
from cuberails.server.models import ResultRow
from cuberails.server.store import ACT, REDO, TIMEOUT, UNDO, Claims, Entry, time_text

if TYPE_CHECKING:
    from cuberails.server.table import Table

_ADD = (
    "INSERT INTO results (table_id, seat, title, person, bot, score, place, ended, rated, pace, decisions, timeouts,"
    " answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_REMOVE = "DELETE FROM results WHERE table_id = ?"

_MOVES = (ACT, UNDO, REDO)
"""The entries of a log that lead to another position."""


@dataclass(frozen=True)
class Played:
    """Who played a seat in the end: a person, or a bot of this level."""

    person: str
    bot: str


@dataclass(frozen=True)
class Result:
    """How a seat came out of a game: its place from 1 on, the same for those who are level, and how it kept time."""

    table: str
    seat: int
    title: str
    person: str
    bot: str
    score: int
    place: int
    ended: dt.datetime
    rated: bool
    pace: Pace = NO_PACE


def places(state: State) -> list[int]:
    """The place of each seat in the end."""
    return chart.places(state.scores(), state.winners())


def players(log: Sequence[Entry], bots: Sequence[str], claims: Claims) -> list[Played]:
    """Who played each seat: who did most for it, else who came to it first and gave it to no bot, else that bot."""
    return [_player(log, seat, bot, claims) for seat, bot in enumerate(bots)]


def _player(log: Sequence[Entry], seat: int, bot: str, claims: Claims) -> Played:
    acted = Counter(entry.person for entry in log if entry.kind == ACT and entry.seat == seat and entry.person)
    if acted:
        return Played(acted.most_common(1)[0][0], "")
    came = sorted((at or dt.datetime.min, person) for (claimed, person), at in claims.items() if claimed == seat)
    late = any(entry.kind == TIMEOUT and entry.seat == seat for entry in log)
    return Played(came[0][1], "") if came and (late or not bot) else Played("", bot)


def results_after(table: Table, entries: list[Entry], state: State) -> list[Statement]:
    """What new entries of a log, which lead to this position, change about the results of its game."""
    if not counts(table) or not any(entry.kind in _MOVES for entry in entries):
        return []
    if state.phase.actor != NOBODY:
        return removing(table.id) if table.actor == NOBODY else []
    time = table.time.after(entries, NOBODY)
    return recording(table, state, [*table.history.log, *entries], time.clocks.paces())


def counts(table: Table) -> bool:
    """Whether what a table comes to is a result: a fork or a record that was opened has been played elsewhere."""
    return not table.history.origin


def recording(table: Table, state: State, log: Sequence[Entry], paces: Sequence[Pace]) -> list[Statement]:
    """The results of a game that has ended in this position by this log, in place of what it came to before."""
    title, time = state.title.key, time_text(stored_time(_ended(log)))
    who = players(log, [seat.bot for seat in table.seats], table.claims)
    seats = zip(who, state.scores(), places(state), paces, strict=True)
    rows: list[tuple[object, ...]] = [
        (table.id, seat, title, each.person, each.bot, score, place, time, table.rated, *astuple(pace))
        for seat, (each, score, place, pace) in enumerate(seats)
    ]
    return [*removing(table.id), (_ADD, rows)]


def removing(table: str) -> list[Statement]:
    """A table has no results."""
    return [(_REMOVE, [(table,)])]


def _ended(log: Sequence[Entry]) -> Timestamp:
    """When the last action of a game was done."""
    return next(entry.at for entry in reversed(log) if entry.kind in _MOVES)


def rated_results(engine: Engine, title: str) -> list[list[Result]]:
    """The rated games of a title in the order in which they ended, each as the results of its seats."""
    query = select(ResultRow).where(ResultRow.title == title, ResultRow.rated.is_(True))
    games: dict[str, list[Result]] = {}
    for result in _found(engine, query.order_by(ResultRow.ended, ResultRow.table_id, ResultRow.seat)):
        games.setdefault(result.table, []).append(result)
    return list(games.values())


def results_of(engine: Engine, person: str) -> list[list[Result]]:
    """The games of a person, the latest first, each as the results of its seats."""
    own = select(ResultRow.table_id).where(ResultRow.person == person)
    query = select(ResultRow).where(ResultRow.table_id.in_(own))
    games: dict[str, list[Result]] = {}
    for result in _found(engine, query.order_by(ResultRow.ended.desc(), ResultRow.table_id, ResultRow.seat)):
        games.setdefault(result.table, []).append(result)
    return list(games.values())


def count_of_results(engine: Engine, title: str) -> tuple[int, dt.datetime | None]:
    """How many rated results a title has, and when the last came: where both are the same, nothing is new."""
    query = select(func.count(), func.max(ResultRow.ended)).where(ResultRow.title == title, ResultRow.rated.is_(True))
    with engine.connect() as connection:
        count, last = connection.execute(query).one()
        return count, last


def _found(engine: Engine, query: Select[ResultRow]) -> Iterator[Result]:
    with engine.connect() as connection:
        rows = connection.execute(query).all()
    for row in rows:
        pace = Pace(row.pace, row.decisions, row.timeouts, row.answer)
        ended = row.ended
        yield Result(
            row.table_id, row.seat, row.title, row.person, row.bot, row.score, row.place, ended, row.rated, pace
        )
