"""What becomes of somebody's seats when they leave for good, were banned, or are called otherwise by an admin."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from cuberails.bots import USUAL
from cuberails.core.state import NOBODY
from cuberails.server import seating
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.lobby import Lobby
from cuberails.server.connections import Write
from cuberails.server.naming import SOMEBODY
from cuberails.server.refusal import Refused
from cuberails.server.store import SEAT
from cuberails.server.table import Table
from cuberails.server.tables import Tables

_log = logging.getLogger(__name__)

EVERY_TABLE = 1_000_000

_REWRITE = "UPDATE entries SET text = ? WHERE table_id = ? AND seat = ? AND kind = 'name' AND person = ?"

TRIES = 5
"""So often a seat is changed anew when another process changes its table at the same moment."""

Change = Callable[[Table, int], Awaitable[None]]
"""What is done to one seat of a table."""


async def leave(tables: Tables, lobby: Lobby, accounts: Accounts, person: str) -> None:
    """Games stay: where somebody's name stood, seats are called somebody, and bots play on there."""
    await lobby.leave_all(person)

    async def give_up(table: Table, seat: int) -> None:
        await seating.rename(table, person, [seat], seat, SOMEBODY)
        await _have_bot_play(table, person, seat)

    await _at_all_seats(tables, person, give_up)
    await accounts.forget(person)


async def stand_in(tables: Tables, lobby: Lobby, person: str) -> None:
    """Bots play somebody's seats, so that nobody waits; as always, whoever owns a seat can take it back."""
    await lobby.leave_all(person)
    await _at_all_seats(tables, person, lambda table, seat: _have_bot_play(table, person, seat))


async def rename_seats(tables: Tables, person: str, name: str) -> None:
    """Somebody's seats have this name, and no log says which they had before."""

    async def rename(table: Table, seat: int) -> None:
        await seating.rename(table, person, [seat], seat, name)
        rows: list[tuple[object, ...]] = [(table.game.seats[seat], table.id, seat, person)]
        await table.writer.write(Write(table.id, [(_REWRITE, rows)]), table.generation)
        table.history.forget_names(person)

    await _at_all_seats(tables, person, rename)


async def _at_all_seats(tables: Tables, person: str, change: Change) -> None:
    for stored, seats in await asyncio.to_thread(tables.store.tables_of, person, EVERY_TABLE):
        try:
            table = await tables.find(stored.id)
            for seat in seats:
                await _insist(change, table, seat)
            await tables.driver.drive(table)
        except Refused as error:  # a table that cannot be read has no name to take away
            _log.warning("the seats of somebody at table %s stay as they are: %s", stored.id, error)


async def _insist(change: Change, table: Table, seat: int) -> None:
    for n in range(1, TRIES + 1):
        try:
            await change(table, seat)
            return
        except Refused as error:
            if error.code != "stale" or n == TRIES:
                raise


async def _have_bot_play(table: Table, person: str, seat: int) -> None:
    """Whoever is left at a table does not wait for a person who has gone."""
    async with table.lock:
        others = any(claimed == seat and who != person for claimed, who in table.claims)
        if table.actor != NOBODY and not others and not table.seats[seat].bot:
            await table.note(SEAT, USUAL, seat, person)
