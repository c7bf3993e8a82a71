"""What the database knows of time: when the server was alive, which clocks are over soon, and when people rest."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.engine import Engine

from cuberails.server.clock import Timestamp, stored_time, timestamp
from cuberails.server.club.rest import Rest, Rests, Stop, read_rest
from cuberails.server.connections import Statement, Write
from cuberails.server.models import AliveRow, ClaimRow, OutageRow, RestRow, TableRow
from cuberails.server.store import deadline_text, time_text

_SET_DEADLINE = "UPDATE tables SET deadline = ? WHERE id = ?"
_BEAT = (
    "INSERT INTO alive (id, at) VALUES (1, ?)"
    " ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE alive.at < excluded.at"
)
_ADD_OUTAGE = "INSERT INTO outages (began, ended) VALUES (?, ?) ON CONFLICT DO NOTHING"
_ADD_REST = "INSERT INTO rests (person, since, text) VALUES (?, ?, ?)"

# What is written


def timing_out(id: str, deadline: Timestamp | None) -> Write:
    """The clock that runs at a table is over at another time."""
    return Write(id, [(_SET_DEADLINE, [(deadline_text(deadline), id)])], announced=True)


def beating(at: Timestamp, outage: Stop | None) -> Write:
    """A sign of life of the server, which was perhaps away before; of several processes that notice, one says so."""
    statements: list[Statement] = [(_BEAT, [(time_text(stored_time(at)),)])]
    if outage is not None:
        began, ended = (time_text(stored_time(moment)) for moment in outage)
        statements.insert(0, (_ADD_OUTAGE, [(began, ended)]))
    return Write("", statements)


def resting(person: str, since: Timestamp, rest: Rest) -> Write:
    """The quiet hours and holidays of a person from now on."""
    return Write("", [(_ADD_REST, [(person, time_text(stored_time(since)), rest.text())])])


def rest_changed(id: str) -> Write:
    """Other processes look anew who rests at a table."""
    return Write(id, [], announced=True)


# What is read


def due(engine: Engine, before: Timestamp) -> list[tuple[str, Timestamp]]:
    """The tables with a clock that may be over by then, and when."""
    query = select(TableRow.id, TableRow.deadline).where(TableRow.deadline <= stored_time(before))
    with engine.connect() as connection:
        return [(id, timestamp(deadline)) for id, deadline in connection.execute(query) if deadline]


def alive(engine: Engine, after: Timestamp) -> tuple[Timestamp | None, list[Stop]]:
    """When a server was last seen at work, and when none was since a moment."""
    gaps = select(OutageRow.began, OutageRow.ended).where(OutageRow.ended > stored_time(after))
    with engine.connect() as connection:
        seen = connection.scalar(select(AliveRow.at))
        found = [(timestamp(began), timestamp(ended)) for began, ended in connection.execute(gaps)]
    return timestamp(seen) if seen else None, found


def rests(engine: Engine, people: Iterable[str]) -> dict[str, list[tuple[Timestamp, Rest]]]:
    """What these people set of quiet hours and holidays, each since when it holds."""
    query = select(RestRow.person, RestRow.since, RestRow.text).where(RestRow.person.in_(list(people)))
    found: dict[str, list[tuple[Timestamp, Rest]]] = {}
    with engine.connect() as connection:
        for person, since, text in connection.execute(query.order_by(RestRow.since)):
            found.setdefault(person, []).append((timestamp(since), read_rest(text)))
    return found


def rests_of_seats(engine: Engine, claims: Mapping[tuple[int, str], dt.datetime | None]) -> dict[int, Rests]:
    """What those have set who came to each seat first."""
    came = sorted(claims, key=lambda claim: (claims[claim] or dt.datetime.min, claim), reverse=True)
    first = dict(came)  # the one who came first is the last to be put there
    found = rests(engine, first.values()) if first else {}
    return {seat: found[person] for seat, person in first.items() if person in found}


def timed_tables(engine: Engine, person: str) -> list[str]:
    """The tables where this person has a seat and some clock runs."""
    own = select(ClaimRow.table_id).where(ClaimRow.person == person)
    query = select(TableRow.id).where(TableRow.id.in_(own), TableRow.deadline.is_not(None))
    with engine.connect() as connection:
        return list(connection.scalars(query))
