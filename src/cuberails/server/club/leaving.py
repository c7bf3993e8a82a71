"""What becomes of somebody's seats when they leave for good, were banned, or are called otherwise by an admin."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable

from cuberails.bots import USUAL
from cuberails.core.state import NOBODY
from cuberails.server import seating
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.calls import INVITED, TURN
from cuberails.server.club.lobby import Lobby
from cuberails.server.club.open_tables import LOBBY
from cuberails.server.club.personal import forgetting_at
from cuberails.server.connections import Statement, Write
from cuberails.server.naming import SOMEBODY
from cuberails.server.refusal import Refused
from cuberails.server.store import NAME, SEAT
from cuberails.server.table import Table
from cuberails.server.tables import Tables

_log = logging.getLogger(__name__)

EVERY_TABLE = 1_000_000

_REWRITE = "UPDATE entries SET text = ? WHERE table_id = ? AND seat = ? AND kind = 'name' AND person = ?"

_FORGET_ANALYSES = "DELETE FROM analyses WHERE table_id = ?"

_FORGET_CALLS = f"UPDATE calls SET text = '' WHERE table_id = ? AND kind <> '{TURN}'"
_FORGET_INVITATIONS = f"""
    UPDATE calls SET text = '' WHERE kind = '{INVITED}' AND table_id IN (SELECT id FROM open_tables WHERE host = ?)
"""
"""What waits to be said to others, which names who has done something; it is said without that."""

TRIES = 5
"""So often a seat is changed anew when another process changes its table at the same moment."""

Change = Callable[[Table, int], Awaitable[None]]
"""What is done to one seat of a table."""


async def leave(tables: Tables, lobby: Lobby, accounts: Accounts, person: str) -> None:
    """Games stay: where somebody's name stood, seats are called somebody, and bots play on there."""
    await tables.writer.write(Write(LOBBY, [(_FORGET_INVITATIONS, [(person,)])]))
    await lobby.leave_all(person)

    async def give_up(table: Table, seat: int) -> None:
        await _rename_everywhere(tables, table, person, seat, SOMEBODY)
        await _have_bot_play(table, person, seat)

    await _at_all_seats(tables, person, give_up)
    for id in await _rename_former_seats(tables, person, SOMEBODY):
        await tables.writer.write(Write(id, forgetting_at(id, person)))
    await accounts.forget(person)


async def stand_in(tables: Tables, lobby: Lobby, person: str) -> None:
    """Bots play somebody's seats, so that nobody waits; as always, whoever owns a seat can take it back."""
    await lobby.leave_all(person)
    await _at_all_seats(tables, person, lambda table, seat: _have_bot_play(table, person, seat))


async def rename_seats(tables: Tables, person: str, name: str) -> None:
    """Somebody's seats have this name, and no log says which they had before."""
    await tables.writer.write(Write(LOBBY, [(_FORGET_INVITATIONS, [(person,)])]))

    async def rename(table: Table, seat: int) -> None:
        await _rename_everywhere(tables, table, person, seat, name)
        rows: list[tuple[object, ...]] = [(table.game.seats[seat], table.id, seat, person)]
        await table.writer.write(Write(table.id, [(_REWRITE, rows)]), table.generation)
        table.history.forget_names(person)

    await _at_all_seats(tables, person, rename)
    await _rename_former_seats(tables, person, name)


async def _at_all_seats(tables: Tables, person: str, change: Change) -> None:
    for stored, seats in await asyncio.to_thread(tables.store.tables_of, person, EVERY_TABLE):
        await _at_seats(tables, stored.id, seats, change)


async def _at_seats(tables: Tables, id: str, seats: Iterable[int], change: Change) -> None:
    try:
        table = await tables.find(id)
        for seat in seats:
            await _insist(change, table, seat)
        await tables.driver.drive(table)
    except Refused as error:  # a table that cannot be read has no name to take away
        _log.warning("the seats of somebody at table %s stay as they are: %s", id, error)


async def _rename_former_seats(tables: Tables, person: str, name: str) -> Collection[str]:
    """Name the seats that are called as somebody was whom a host has removed; the tables whose logs tell of them."""

    async def rename(table: Table, seat: int) -> None:
        last = max(n for n, entry in enumerate(table.history.log) if (entry.person, entry.seat) == (person, seat))
        if not any((entry.kind, entry.seat) == (NAME, seat) for entry in table.history.log[last + 1 :]):
            await _rename_everywhere(tables, table, person, seat, name)

    traces = await asyncio.to_thread(tables.store.traces_of, person)
    for id, seats in traces.items():
        await _at_seats(tables, id, seats, rename)
    return traces


async def _rename_everywhere(tables: Tables, table: Table, person: str, seat: int, name: str) -> None:
    """Name a seat, and before it those at tables that were forked from this one: should the server be killed between,
    they are found again by the name that the seat still has."""
    own = [entry.text for entry in table.history.log if (entry.kind, entry.person, entry.seat) == (NAME, person, seat)]
    names, origins = {table.game.seats[seat], *own}, [table.id]
    for origin in origins:
        for id in await asyncio.to_thread(tables.store.forks_of, origin):
            origins.append(id)
            await _rename_fork(tables, id, seat, names, name)
    await _rename(table, person, seat, name)


async def _rename_fork(tables: Tables, id: str, seat: int, names: Collection[str], name: str) -> None:
    try:
        fork = await tables.find(id)
        if fork.game.seats[seat] in names:
            await _insist(lambda table, seat: _rename(table, "", seat, name), fork, seat)
    except Refused as error:
        _log.warning("a seat at table %s is called as before: %s", id, error)


async def _rename(table: Table, person: str, seat: int, name: str) -> None:
    """Name a seat, and forget what analyses have said about whoever has it, and what is still to be said."""
    await seating.rename(table, person, [seat], seat, name)
    forgetting: list[Statement] = [(sql, [(table.id,)]) for sql in (_FORGET_ANALYSES, _FORGET_CALLS)]
    await table.writer.write(Write(table.id, forgetting), table.generation)


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
