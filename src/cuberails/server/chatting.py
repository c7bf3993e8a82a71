"""Saying something at a table, and noting something about it for oneself."""

from __future__ import annotations

import asyncio

from cuberails.server.chat import HOST, KEPT, MOST_LETTERS, MOST_LINES, ChatLine
from cuberails.server.connections import SequenceConflict
from cuberails.server.naming import clean
from cuberails.server.refusal import Refused
from cuberails.server.store import noting, now, saying
from cuberails.server.table import Table

TRIES = 5
"""So often a line gets a new number, if others say something at the same moment by way of other processes."""


async def say(table: Table, person: str, own: list[int], seat: int | None, text: str) -> None:
    """Somebody with a seat, or the host, says something to all who follow the table."""
    speaker = _speaker(table, person, own, seat)
    words = clean(text, MOST_LETTERS)
    if not words:
        raise Refused(400, "bad_request", "Say something that can be read.")
    async with table.chat.lock:
        for _ in range(TRIES):
            if await asyncio.shield(_said(table, speaker, words)):
                return
    raise Refused(503, "busy", "Too many people speak at once; try again.")


async def _said(table: Table, speaker: int, words: str) -> bool:
    """Store a line, then tell it; False if its number was taken."""
    number = table.chat.last + 1
    if number > MOST_LINES:
        raise Refused(422, "too_long", f"This chat is full: it has {MOST_LINES} lines.")
    line = ChatLine(number, speaker, words, now())
    try:
        await table.writer.write(saying(table.id, line), table.generation)
    except SequenceConflict:
        await refresh_chat(table)
        return False
    table.chat.add([line])
    table.notify()
    return True


async def refresh_chat(table: Table) -> None:
    """Take over what was said by way of another process."""
    table.chat.add(await asyncio.to_thread(table.store.chat, table.id, table.chat.last, KEPT))
    table.notify()


def _speaker(table: Table, person: str, own: list[int], seat: int | None) -> int:
    check_belongs(table, person, own)
    if seat is None:
        return own[0] if own else HOST
    if seat not in own:
        raise Refused(401, "not_your_seat", "You can only speak for a seat of your own.")
    return seat


def check_belongs(table: Table, person: str, own: list[int]) -> None:
    """Whoever looks on may read and not write."""
    if not own and (not person or person != table.host):
        raise Refused(401, "not_your_seat", "Only people with a seat at this table can do that.")


async def note(table: Table, person: str, own: list[int], text: str) -> None:
    """Somebody notes something about the table for nobody else."""
    check_belongs(table, person, own)
    await table.writer.write(noting(table.id, person, text.replace("\0", "")), table.generation)


async def read_note(table: Table, person: str) -> str:
    return await asyncio.to_thread(table.store.note, table.id, person) if person else ""
