"""Somebody leaves for good: games stay, and where their name stood, seats are called somebody."""

from __future__ import annotations

import asyncio
import logging

from cuberails.bots import USUAL
from cuberails.core.state import NOBODY
from cuberails.server import seating
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.lobby import Lobby
from cuberails.server.naming import SOMEBODY
from cuberails.server.refusal import Refused
from cuberails.server.store import SEAT
from cuberails.server.table import Table
from cuberails.server.tables import Tables

_log = logging.getLogger(__name__)

EVERY_TABLE = 1_000_000


async def leave(tables: Tables, lobby: Lobby, accounts: Accounts, person: str) -> None:
    """Take somebody's name from all seats that are theirs, have bots play on there, and forget them."""
    await lobby.leave_all(person)
    for stored, seats in await asyncio.to_thread(tables.store.tables_of, person, EVERY_TABLE):
        try:
            table = await tables.find(stored.id)
            for seat in seats:
                await _give_up(table, person, seat)
            await tables.driver.drive(table)
        except Refused as error:  # a table that cannot be read has no name to take away
            _log.warning("somebody leaves table %s as it is: %s", stored.id, error)
    await accounts.forget(person)


async def _give_up(table: Table, person: str, seat: int) -> None:
    """Whoever is left at a table neither waits for a person who has gone nor reads their name."""
    await seating.rename(table, person, [seat], seat, SOMEBODY)
    async with table.lock:
        others = any(claimed == seat and who != person for claimed, who in table.claims)
        if table.actor != NOBODY and not others and not table.seats[seat].bot:
            await table.note(SEAT, USUAL, seat, person)
