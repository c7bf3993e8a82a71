"""Where somebody is waited for: to decide, or to answer whether the others may go back."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from cuberails.core.state import NOBODY
from cuberails.server.history import read_consents, read_request
from cuberails.server.models import ClaimRow, EntryRow, TableRow
from cuberails.server.store import ASK, NAME, YES, Entry, Store, StoredTable


def waiting_for(store: Store, person: str) -> list[StoredTable]:
    """The tables where somebody is waited for, the longest first. This takes its time, and belongs in a thread."""
    asked = [store.table(id) for id in _asked_at(store, person)]
    found = {table.id: table for table in [*store.waiting_for(person), *asked] if table is not None}
    return sorted(found.values(), key=lambda table: table.changed)


def _asked_at(store: Store, person: str) -> list[str]:
    """The tables with a request to go back that waits for this person."""
    last = select(EntryRow.seq).where(EntryRow.table_id == TableRow.id, EntryRow.kind.not_in((NAME, YES)))
    newest = last.order_by(EntryRow.seq.desc()).limit(1).correlate(TableRow).scalar_subquery()
    own = select(ClaimRow.table_id).where(ClaimRow.person == person)
    query = (
        select(EntryRow)
        .join(TableRow, TableRow.id == EntryRow.table_id)
        .where(TableRow.id.in_(own), TableRow.waiting != NOBODY, EntryRow.seq == newest, EntryRow.kind == ASK)
    )
    with store.session() as session:
        return [row.table_id for row in session.scalars(query) if _waits(session, row, person)]


def _waits(session: Session, row: EntryRow, person: str) -> bool:
    """Whether this person has to answer a request yet."""
    pending = read_request(Entry(row.seq, row.kind, row.text, row.seat))
    answers = select(EntryRow.text).where(EntryRow.table_id == row.table_id, EntryRow.seq > row.seq)
    for text in session.scalars(answers.where(EntryRow.kind == YES)):
        pending.consents -= read_consents(text)
    seats = select(ClaimRow.seat).where(ClaimRow.table_id == row.table_id, ClaimRow.person == person)
    own = set(session.scalars(seats))
    return any(seat in own and whose in ("", person) for seat, whose in pending.consents)
