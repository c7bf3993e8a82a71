"""Whom somebody does not want to hear (muted), or to meet at all (blocked). Nobody is told by whom they are.

The chat of both is hidden on the page of whoever wants that. Somebody who is blocked can also neither ask for
friendship, nor invite, nor take a seat at an open table of that host.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.engine import Engine

from cuberails.server.chat import HOST
from cuberails.server.club.open_tables import LOBBY
from cuberails.server.connections import Statement, Write
from cuberails.server.models import BlockRow
from cuberails.server.refusal import Refused
from cuberails.server.store import now, time_text
from cuberails.server.table import Table

MUTED, BLOCKED = "muted", "blocked"

MOST_BLOCKS = 500
"""How many people somebody can have muted or blocked."""

_SET = (
    "INSERT INTO blocks (person, other, name, kind, at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (person, other) DO UPDATE SET kind = excluded.kind, name = excluded.name"
)
_END = "DELETE FROM blocks WHERE person = ? AND other = ?"
_END_FRIENDSHIP = "DELETE FROM friends WHERE person = ? AND friend = ?"


@dataclass(frozen=True)
class Block:
    """Whom somebody has muted or blocked, and what they were called then."""

    other: str
    name: str
    kind: str


def blocks_of(engine: Engine, person: str) -> dict[str, Block]:
    """Whom somebody has muted or blocked; to be called in a thread."""
    query = select(BlockRow.other, BlockRow.name, BlockRow.kind).where(BlockRow.person == person)
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(BlockRow.name, BlockRow.other)).all()
    return {row.other: Block(*row) for row in rows}


def has_blocked(engine: Engine, person: str, other: str) -> bool:
    """Whether somebody has blocked another one; to be called in a thread."""
    query = select(BlockRow.kind).where(BlockRow.person == person, BlockRow.other == other)
    with engine.connect() as connection:
        return connection.scalar(query) == BLOCKED


async def check_welcome(engine: Engine, person: str, other: str, sentence: str) -> None:
    """Refuse with this sentence what `other` wants of somebody who has blocked them."""
    if await asyncio.to_thread(has_blocked, engine, person, other):
        raise Refused(403, "blocked", sentence)


def blocking(person: str, others: Sequence[str], name: str, kind: str) -> Write:
    """Somebody mutes or blocks others, which ends a friendship, or does so no longer if there is no `kind`."""
    pairs: list[tuple[object, ...]] = [(person, other) for other in others]
    if not kind:
        return Write(LOBBY, [(_END, pairs)], announced=True)
    statements: list[Statement] = [(_SET, [(*pair, name, kind, time_text(now())) for pair in pairs])]
    if kind == BLOCKED:
        statements.append((_END_FRIENDSHIP, pairs + [pair[::-1] for pair in pairs]))
    return Write(LOBBY, statements, announced=True)


# At a table


def people_at(table: Table, seat: int) -> list[str]:
    """Whose a seat is, or who the host is who has none."""
    return [table.host] if seat == HOST else sorted(who for claimed, who in table.claims if claimed == seat)


def hidden_seats(table: Table, blocks: Iterable[Block]) -> dict[int, str]:
    """The seats of those whom somebody has muted or blocked, and which of both."""
    kinds = {block.other: block.kind for block in blocks}
    seats = [(seat, kinds.get(who)) for seat, who in sorted(table.claims)]
    return {seat: kind for seat, kind in [(HOST, kinds.get(table.host)), *seats] if kind}


async def set_block(table: Table, person: str, seat: int, kind: str) -> None:
    """Somebody mutes or blocks whoever sits at a seat, or does so no longer."""
    if not person:
        raise Refused(401, "nobody", "Take a seat or sign in first: otherwise nobody knows later who it was.")
    await table.refresh_claims()
    others = [other for other in people_at(table, seat) if other != person]
    if not others:
        raise Refused(422, "nobody_there", "Nobody but you or a bot sits there.")
    blocks = await asyncio.to_thread(blocks_of, table.store.engine, person)
    check_blocks(blocks, kind)
    name = "the host" if seat == HOST else table.game.seats[seat]
    await table.writer.write(blocking(person, others, name, kind), table.generation)


def check_blocks(blocks: dict[str, Block], kind: str) -> None:
    if kind and len(blocks) >= MOST_BLOCKS:
        raise Refused(
            403, "too_many_blocks", f"You have muted or blocked {MOST_BLOCKS} people; lift one of them first."
        )
