"""Results of finished games: who took which place, written in the same transaction as the end, and from the log again.

A seat counts for the person who did most for it, be it played by a bot for a while; without one, for the bot.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Select, func, select
from sqlalchemy.engine import Engine

from cuberails.core.state import NOBODY, State
from cuberails.server.connections import Statement, Write
from cuberails.server.history import actions_in_force
from cuberails.server.models import EntryRow, ResultRow, TableRow
from cuberails.server.store import ACT, REDO, UNDO, Claims, Entry, Store, now, time_text
from cuberails.titles import load

if TYPE_CHECKING:
    from cuberails.server.table import Table

_ADD = (
    "INSERT INTO results (table_id, seat, title, person, bot, score, place, ended, rated)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_REMOVE = "DELETE FROM results WHERE table_id = ?"


@dataclass(frozen=True)
class Played:
    """Who played a seat in the end: a person, or a bot of this level."""

    person: str
    bot: str


@dataclass(frozen=True)
class Result:
    """How a seat came out of a game: its place from 1 on, the same for those who are level."""

    table: str
    seat: int
    title: str
    person: str
    bot: str
    score: int
    place: int
    ended: dt.datetime
    rated: bool


def places(state: State) -> list[int]:
    """The place of each seat: who wins or shares the win has the first, the others follow by their scores."""
    scores, winners = state.scores(), state.winners()
    behind = [score for seat, score in enumerate(scores) if seat not in winners]
    after = [len(winners) + 1 + sum(other > score for other in behind) for score in scores]
    return [1 if seat in winners else place for seat, place in enumerate(after)]


def players(log: Sequence[Entry], bots: Sequence[str], claims: Claims) -> list[Played]:
    """Who played each seat: who did most for it, else who came to it first, else the bot of this level."""
    return [_player(log, seat, bot, claims) for seat, bot in enumerate(bots)]


def _player(log: Sequence[Entry], seat: int, bot: str, claims: Claims) -> Played:
    acted = Counter(entry.person for entry in log if entry.kind == ACT and entry.seat == seat and entry.person)
    if acted:
        return Played(acted.most_common(1)[0][0], "")
    came = sorted((at or dt.datetime.min, person) for (claimed, person), at in claims.items() if claimed == seat)
    return Played(came[0][1], "") if came and not bot else Played("", bot)


def results_after(table: Table, entries: list[Entry], state: State) -> list[Statement]:
    """What new entries of a log, which lead to this position, change about the results of its game."""
    if state.phase.actor == NOBODY:
        bots = [seat.bot for seat in table.seats]
        who = players([*table.history.log, *entries], bots, table.claims)
        return recording(table.id, state, who, now(), table.rated)
    return [(_REMOVE, [(table.id,)])] if entries[-1].kind in (UNDO, REDO) and table.actor == NOBODY else []


def recording(table: str, state: State, who: Sequence[Played], ended: dt.datetime, rated: bool) -> list[Statement]:
    """The results of a game, in place of what it came to before."""
    title, time = state.title.key, time_text(ended)
    rows: list[tuple[object, ...]] = [
        (table, seat, title, played.person, played.bot, score, place, time, rated)
        for seat, (played, score, place) in enumerate(zip(who, state.scores(), places(state), strict=True))
    ]
    return [(_REMOVE, [(table,)]), (_ADD, rows)]


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
        yield Result(row.table_id, row.seat, row.title, row.person, row.bot, row.score, row.place, row.ended, row.rated)


# From the logs again


def finished_tables(engine: Engine) -> list[str]:
    """The tables whose games are over."""
    with engine.connect() as connection:
        return list(connection.scalars(select(TableRow.id).where(TableRow.waiting == NOBODY).order_by(TableRow.id)))


def record_again(store: Store, ids: Iterable[str]) -> int:
    """Write the results of these finished games as their logs tell them, in place of what is there; how many."""
    connection, count = store.connect(), 0
    try:
        for id in ids:
            write = recorded_again(store, id)
            if write is not None:
                connection.write([write])
                count += 1
    finally:
        connection.close()
    return count


def recorded_again(store: Store, id: str) -> Write | None:
    """The results of a finished game as its log tells them; None if it has none."""
    stored = store.table(id)
    if stored is None or stored.waiting != NOBODY:
        return None
    log = store.entries(id, 0)
    title = load(stored.title)
    text = store.board_text(stored.board_digest) if stored.board_digest else None
    board = title.board if text is None else title.read_board("the table's board", text)
    state = board.new(len(stored.seats), stored.options, stored.rules)
    for action in actions_in_force(stored.origin, log):
        state.play(state.parse(action))
    who = players(log, [seat.bot for seat in stored.seats], store.claims(id))
    ended = _ended(store.engine, id) or stored.changed
    return Write(id, recording(id, state, who, ended, stored.rated))


def _ended(engine: Engine, id: str) -> dt.datetime | None:
    """When the last action of a game was done."""
    query = select(func.max(EntryRow.at)).where(EntryRow.table_id == id, EntryRow.kind.in_((ACT, REDO, UNDO)))
    with engine.connect() as connection:
        found: dt.datetime | None = connection.scalar(query)
        return found
