"""The outbox: calls that wait to be delivered, the ways to call people, and who does not want to hear of which table.

A transactional outbox: what is written here was written with the move that it tells of. Each call is leased before it
is delivered, by optimistic concurrency on its number of tries, so that of several processes one delivers it; if that
one is killed meanwhile, the call is due again when the lease ends.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Select, case, func, or_, select

from cuberails.core.state import NOBODY
from cuberails.server.clock import stored_time, timestamp
from cuberails.server.club.calls import AGAIN, INVITED, OVER, TAKEN, TURN, UNDO
from cuberails.server.club.clocks import LIVE, read_time_control
from cuberails.server.club.rest import rests_until
from cuberails.server.club.time_store import rests
from cuberails.server.connections import Statement
from cuberails.server.models import CallRow, ClaimRow, EntryRow, MuteRow, TableRow, WayRow
from cuberails.server.store import ACT, NAME, YES, Store, StoredTable, time_text

PUSH, MAIL, DISCORD, SLACK, JSON = "push", "mail", "discord", "slack", "json"
WEBHOOKS = (DISCORD, SLACK, JSON)

LEASE = dt.timedelta(minutes=2)
"""So long a process may take to deliver a call before another one tries."""

MOST_OF_A_WAY = 50
"""So many calls by one way are looked at in one round: nobody's pile hides the calls of others."""

MOST = 500
"""So many calls are looked at in one round."""


@dataclass(frozen=True)
class Way:
    """A way to call a person; see `WayRow`."""

    id: str
    person: str
    kind: str
    target: str
    secret: str
    label: str
    base: str
    since: dt.datetime
    digest_hour: int = -1
    failures: int = 0
    stopped: bool = False
    trouble: str = ""
    session: str = ""


@dataclass(frozen=True)
class Call:
    """A call that waits; see `CallRow`."""

    way: Way
    table: str
    kind: str
    seq: int
    seat: int
    text: str
    due: dt.datetime
    tries: int
    sent_seq: int

    @property
    def key(self) -> tuple[str, str, str]:
        return self.way.id, self.table, self.kind


# What is written, as SQL that every database understands

_ADD_WAY = (
    "INSERT INTO ways (id, person, kind, target, secret, label, base, since, digest_hour, session)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_REMOVE_CALLS = "DELETE FROM calls WHERE way_id = ?"
_REMOVE_WAY = "DELETE FROM ways WHERE id = ?"
_SIGNED_OUT = "session <> '' AND session NOT IN (SELECT digest FROM sessions)"
_STOP_WAY = "UPDATE ways SET stopped = (1 = 1), trouble = ?, retry_at = NULL WHERE id = ?"
_FAILED_WAY = "UPDATE ways SET failures = failures + 1, retry_at = ?, trouble = ? WHERE id = ?"
_GOOD_WAY = "UPDATE ways SET failures = 0, retry_at = ?, stopped = (1 = 0), trouble = '' WHERE id = ?"
_LEASE = (
    "UPDATE calls SET lease = ?, due = ?, tries = tries + 1"
    " WHERE way_id = ? AND table_id = ? AND kind = ? AND seq = ? AND tries = ? AND due IS NOT NULL"
)
_ANOTHER_TIME = "UPDATE calls SET due = ?, lease = '' WHERE way_id = ? AND table_id = ? AND kind = ? AND seq = ?"
_DONE = f"UPDATE calls SET due = NULL, lease = '' WHERE way_id = ? AND table_id = ? AND kind = '{TURN}' AND seq = ?"
_FORGET = "DELETE FROM calls WHERE way_id = ? AND table_id = ? AND kind = ? AND seq = ?"
_SENT = "UPDATE calls SET sent_seq = ? WHERE way_id = ? AND table_id = ? AND kind = ?"
_MUTE = "INSERT INTO mutes (person, table_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
_UNMUTE = "DELETE FROM mutes WHERE person = ? AND table_id = ?"
_FORGET_MUTED = "DELETE FROM calls WHERE table_id = ? AND way_id IN (SELECT id FROM ways WHERE person = ?)"


def adding(way: Way) -> list[Statement]:
    """A new way to call somebody."""
    row = (way.id, way.person, way.kind, way.target, way.secret, way.label, way.base, time_text(way.since))
    return [(_ADD_WAY, [(*row, way.digest_hour, way.session)])]


def removing(ids: Iterable[str]) -> list[Statement]:
    """Ways that are gone, with what waited there."""
    rows: list[tuple[object, ...]] = [(id,) for id in ids]
    return [(_REMOVE_CALLS, rows), (_REMOVE_WAY, rows)]


def keeping_device(person: str, before: str, session: str) -> Statement:
    """A device that somebody has called as a guest, or signed in `before`, is the one of another session now."""
    change = f"UPDATE ways SET session = ? WHERE person = ? AND kind = '{PUSH}' AND session = ?"
    return change, [(session, person, before)]


def removing_signed_out() -> list[Statement]:
    """The devices are not called any more whose session has ended."""
    calls = f"DELETE FROM calls WHERE way_id IN (SELECT id FROM ways WHERE {_SIGNED_OUT})"
    return [(calls, [()]), (f"DELETE FROM ways WHERE {_SIGNED_OUT}", [()])]


def stopping(way: Way, trouble: str) -> list[Statement]:
    """A way that is not used any more until its person has seen why."""
    return [(_REMOVE_CALLS, [(way.id,)]), (_STOP_WAY, [(trouble, way.id)])]


def failing(way: Way, retry_at: dt.datetime, trouble: str) -> list[Statement]:
    return [(_FAILED_WAY, [(time_text(retry_at), trouble, way.id)])]


def succeeding(way: Way, pause: dt.datetime | None = None) -> list[Statement]:
    """A way that works, which is left alone until a time if one is given."""
    return [(_GOOD_WAY, [(time_text(pause) if pause else None, way.id)])]


def leasing(calls: Iterable[Call], lease: str, until: dt.datetime) -> list[Statement]:
    """Take calls to deliver them, unless another process has."""
    return [(_LEASE, [(lease, time_text(until), *call.key, call.seq, call.tries) for call in calls])]


def postponing(calls: Iterable[Call], due: dt.datetime) -> list[Statement]:
    return [(_ANOTHER_TIME, [(time_text(due), *call.key, call.seq) for call in calls])]


def finishing(calls: Sequence[Call]) -> list[Statement]:
    """Nothing is left to do for these calls; one that took the place of such a call meanwhile still waits.

    That somebody was called for their turn is remembered until the game is over; all others go.
    """
    done: list[tuple[object, ...]] = [(call.way.id, call.table, call.seq) for call in calls if call.kind == TURN]
    gone: list[tuple[object, ...]] = [(*call.key, call.seq) for call in calls if call.kind != TURN]
    return [(sql, rows) for sql, rows in ((_DONE, done), (_FORGET, gone)) if rows]


def noting_sent(calls: Iterable[Call]) -> list[Statement]:
    return [(_SENT, [(call.seq, *call.key) for call in calls])]


def muting(person: str, table: str, muted: bool) -> list[Statement]:
    """Somebody does not want to be called about a table, or does again."""
    if muted:
        return [(_MUTE, [(person, table)]), (_FORGET_MUTED, [(table, person)])]
    return [(_UNMUTE, [(person, table)])]


def new_lease() -> str:
    return secrets.token_urlsafe(12)


# What is read


class Outbox:
    """What the store knows of calls and ways; each call of a method takes its time, and belongs in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def waiting(self, until: dt.datetime) -> list[Call]:
        """The calls that are due by then, the oldest first, of ways that may be tried by then; those last whose way has
        failed."""
        place = func.row_number().over(partition_by=CallRow.way_id, order_by=CallRow.due).label("place")
        inner = select(CallRow.way_id, CallRow.table_id, CallRow.kind, place).where(CallRow.due <= until).subquery()
        query = (
            _CALLS.join(
                inner,
                (inner.c.way_id == CallRow.way_id)
                & (inner.c.table_id == CallRow.table_id)
                & (inner.c.kind == CallRow.kind),
            )
            .where(inner.c.place <= MOST_OF_A_WAY, or_(WayRow.retry_at.is_(None), WayRow.retry_at <= until))
            .order_by(WayRow.failures > 0, CallRow.due)  # who fails keeps nobody else waiting
            .limit(MOST)
        )
        return self._calls(query)

    def leased(self, lease: str) -> list[Call]:
        return self._calls(_CALLS.where(CallRow.lease == lease).order_by(CallRow.due))

    def _calls(self, query: Select[CallRow, WayRow]) -> list[Call]:
        with self._store.session() as session:
            return [_call(call, way) for call, way in session.execute(query)]

    def ways(self, person: str) -> list[Way]:
        """The ways to call somebody, the oldest first."""
        query = select(WayRow).where(WayRow.person == person).order_by(WayRow.since, WayRow.id)
        with self._store.session() as session:
            return [_way(row) for row in session.scalars(query)]

    def way(self, id: str) -> Way | None:
        with self._store.session() as session:
            row = session.get(WayRow, id)
            return _way(row) if row else None

    def ways_to(self, kind: str, target: str) -> list[str]:
        """The ways that lead to the same place, whoever's they are."""
        query = select(WayRow.id).where(WayRow.kind == kind, WayRow.target == target)
        with self._store.session() as session:
            return list(session.scalars(query))

    def muted(self, person: str) -> list[str]:
        """The tables about which somebody does not want to be called."""
        query = select(MuteRow.table_id).where(MuteRow.person == person)
        with self._store.session() as session:
            return list(session.scalars(query))

    def resting(self, calls: Iterable[Call], time: dt.datetime) -> dict[Call, dt.datetime]:
        """Those of these calls that come in the quiet hours or holidays of their person, and when those end. In live
        games time runs all the same, and so their calls do not wait."""
        engine = self._store.engine
        known = rests(engine, {call.way.person for call in calls})
        found = {person: rests_until(each, timestamp(time)) for person, each in known.items()}
        until = {call: stored_time(end) for call in calls if (end := found.get(call.way.person))}
        query = select(TableRow.id, TableRow.time_control).where(TableRow.id.in_({call.table for call in until}))
        with self._store.session() as session:
            live = {id for id, control in session.execute(query) if read_time_control(control).kind == LIVE}
        return {call: end for call, end in until.items() if call.table not in live}

    def still_holds(self, call: Call, table: StoredTable) -> bool:
        """Whether a call still has a reason: what it tells is true, and the person has not shown to know it."""
        if call.kind in (TURN, TAKEN, UNDO) and not self._sits(call):
            return False
        if call.kind == TURN:
            return _waits_for(table, call.seat) and not self._acted_since(call)
        if call.kind == OVER:
            return table.waiting == NOBODY
        if call.kind == TAKEN:
            return table.seats[call.seat].bot != ""
        if call.kind == UNDO:
            return not self._answered_since(call)
        return call.kind not in (AGAIN, INVITED) or not self._decides(call, table)

    def _sits(self, call: Call) -> bool:
        """Whether the seat is still theirs that the call is about: the host may have removed them."""
        with self._store.session() as session:
            return session.get(ClaimRow, (call.table, call.seat, call.way.person)) is not None

    def _acted_since(self, call: Call) -> bool:
        """Whether they have decided since it was their turn, or nothing was done at all since they were called last.

        Whoever ordered ahead may not know that it came to that, and did not decide; but after it the turn is another.
        """
        decided = func.max(case((EntryRow.ordered.is_(False), EntryRow.seq)))
        acts = select(func.coalesce(decided, 0), func.coalesce(func.max(EntryRow.seq), 0)).where(
            EntryRow.table_id == call.table, EntryRow.seat == call.seat, EntryRow.kind == ACT
        )
        with self._store.session() as session:
            decided_at, done_at = session.execute(acts).one()
        return decided_at > call.seq or (call.sent_seq > 0 and done_at <= call.sent_seq)

    def _answered_since(self, call: Call) -> bool:
        """Whether a discussion whether to go back has ended, or this seat has agreed."""
        query = select(EntryRow.kind, EntryRow.seat).where(
            EntryRow.table_id == call.table, EntryRow.seq > call.seq, EntryRow.kind != NAME
        )
        with self._store.session() as session:
            return any(kind != YES or seat == call.seat for kind, seat in session.execute(query))

    def _decides(self, call: Call, table: StoredTable) -> bool:
        """Whether it is their turn at that table, about which they are called anyway."""
        claims = select(ClaimRow.seat).where(ClaimRow.table_id == call.table, ClaimRow.person == call.way.person)
        with self._store.session() as session:
            return any(_waits_for(table, seat) for seat in session.scalars(claims))


_CALLS = select(CallRow, WayRow).join(WayRow, WayRow.id == CallRow.way_id).where(CallRow.due.is_not(None))


def _waits_for(table: StoredTable, seat: int) -> bool:
    return table.waiting == seat and not table.seats[seat].bot


def _way(row: WayRow) -> Way:
    return Way(
        row.id,
        row.person,
        row.kind,
        row.target,
        row.secret,
        row.label,
        row.base,
        row.since,
        row.digest_hour,
        row.failures,
        row.stopped,
        row.trouble,
        row.session,
    )


def _call(row: CallRow, way: WayRow) -> Call:
    assert row.due is not None  # the query says so
    return Call(_way(way), row.table_id, row.kind, row.seq, row.seat, row.text, row.due, row.tries, row.sent_seq)
