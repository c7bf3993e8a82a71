"""The lobby: tables that wait for players are offered, joined, left and started here, by way of any process."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from cuberails.core.game import Game
from cuberails.server.acceptance import DICE
from cuberails.server.club.accounts import ACCOUNTS
from cuberails.server.club.bans import ORDER
from cuberails.server.club.blocks import check_welcome, has_blocked
from cuberails.server.club.open_tables import (
    CLOSED,
    FULL,
    INVITED,
    LOBBY,
    OPEN,
    REMOVED,
    STARTED,
    OpenTable,
    Seated,
    changing,
    idle_tables,
    not_open,
    offering,
    open_tables_of,
    read_open_table,
    read_open_tables,
    removing,
    was_removed,
    with_players,
)
from cuberails.server.connections import Changes, SequenceConflict, Write
from cuberails.server.identity import HASHED
from cuberails.server.naming import clean
from cuberails.server.opening import beginning, check_level, check_rated, check_unfinished, open_table, time_control
from cuberails.server.refusal import Refused
from cuberails.server.requests import SeatRequest, TableRequest
from cuberails.server.store import now
from cuberails.server.table import Table
from cuberails.server.tables import Gathered, Tables, new_id

MOST_WAITING = 10
"""How many tables of one host can wait for players at a time."""

MOST_INVITED = 20
"""How many people can be invited to a table who have not come."""

TIDY_EVERY = 3600.0
"""Seconds between two looks at tables that nobody comes to."""

TRIES = 8
"""So often a change is made anew when other processes change the same table at the same moment."""

_log = logging.getLogger(__name__)

Change = Callable[[OpenTable], OpenTable]
"""What somebody does to an open table; it refuses what cannot be done."""


class Lobby:
    """The open tables of a server. Whoever is in `watchers` is woken when something has changed.

    What stands in the database decides; what is kept here is only a list to show, read again after each change.
    """

    def __init__(self, tables: Tables, days: int = 14) -> None:
        """`days` are those after which a table that nobody comes to is closed."""
        self._tables = tables
        self._patience = dt.timedelta(days=days)
        self._store = tables.store
        self.watchers: set[Callable[[], None]] = set()
        self.visitors: Counter[str] = Counter()
        """Who follows the lobby by way of this process, on how many pages."""
        self.version = 0
        """Rises with every change that is known in this process."""
        self._lock = asyncio.Lock()
        """Held by whoever changes an open table, so that in one process nobody is too late by a moment."""
        self._list: list[OpenTable] = []
        self._listed_at = -1
        tables.on_change.append(self._hear)

    # What is offered

    async def listed(self) -> list[OpenTable]:
        """All tables that wait for players, the newest first, and then those that were closed lately."""
        while self._listed_at != self.version:
            version = self.version
            self._list = await asyncio.to_thread(read_open_tables, self._store)
            self._listed_at = version
        return self._list

    async def find(self, id: str) -> OpenTable:
        """An open table as it stands, whatever has become of it."""
        table = await asyncio.to_thread(read_open_table, self._store, id)
        if table is None:
            raise Refused(404, "no_table", "No table with this link waits for players; check the link.")
        return table

    def people_here(self) -> set[str]:
        """Who follows the lobby or a table of theirs now, as far as this process knows."""
        return self._tables.people_here() | set(self.visitors)

    def notify(self) -> None:
        """Wake everybody who watches."""
        self.version += 1
        for wake in list(self.watchers):
            wake()

    def _hear(self, changes: Changes) -> None:
        """Another process may have changed something that is listed here."""
        ids = {LOBBY, ACCOUNTS, ORDER, *(table.id for table in self._list)}
        if changes is None or any(change.table in ids and not change.seq for change in changes):
            self.notify()

    # What people do

    async def offer(self, request: TableRequest, person: str) -> OpenTable:
        """A new open table of this host, who takes the seats that are his own."""
        _check_offered(request)
        await asyncio.to_thread(check_unfinished, self._tables, person)
        if sum(table.host == person and table.state == OPEN for table in await self.listed()) >= MOST_WAITING:
            sentence = f"{MOST_WAITING} of your tables wait for players. Start or leave one of them first."
            raise Refused(403, "too_many_tables", sentence)
        game, _ = await asyncio.to_thread(beginning, self._tables, request, None)
        table = replace(_offered(request, game, person), invited=await self._people_of(request.people_of, person))
        await self._write(offering(table, game.board.text))
        return table

    async def join(self, id: str, person: str, name: str) -> OpenTable:
        """Somebody takes a free seat; the table starts if it wanted to when that was the last."""
        await self._check_welcome(await self.find(id), person)
        table = await self._change(id, "joined", person, lambda table: _joined(table, person, name))
        if table.request.starts == FULL and not table.free:
            with suppress(Refused):  # somebody has left meanwhile, or the host was quicker
                await self.start(id, table.host)
            table = await self.find(id)
        return table

    async def _check_welcome(self, table: OpenTable, person: str) -> None:
        """Whether the host wants somebody at the table."""
        sentence = "The host of this table does not want to play with you."
        await check_welcome(self._store.engine, table.host, person, sentence)
        if await self.has_removed(table, person):
            raise Refused(403, "removed", f"{table.host_name} has removed you from this table; look for another one.")

    async def has_removed(self, table: OpenTable, person: str) -> bool:
        """Whether the host has taken somebody's seat away, who was not invited again."""
        if not person or person in table.invited or table.seats_of(person):
            return False
        return await asyncio.to_thread(was_removed, self._store, table.id, person)

    async def leave(self, id: str, person: str) -> OpenTable:
        """Somebody gives up a seat. Of a host who leaves, who came first takes the place; alone he closes the table."""
        return await self._change(id, "left", person, lambda table: _left(table, person))

    async def leave_all(self, person: str) -> None:
        """Somebody leaves for good: nobody waits for a host who has gone, or for somebody who will not come."""
        for id in await asyncio.to_thread(open_tables_of, self._store, person):
            with suppress(Refused):  # it has started meanwhile, or was closed
                await self.leave(id, person)

    async def remove(self, id: str, host: str, seat: int) -> OpenTable:
        """The host takes somebody's seat away, who cannot take one there again unless the host invites them."""
        seated = (await self.find(id)).seated.get(seat)
        if seated is None or seated.person == host:
            raise Refused(422, "nobody_there", "Nobody but you sits there.")
        return await self._change(id, REMOVED, seated.person, lambda table: _without(table, host, seated.person))

    async def close(self, id: str) -> None:
        """An admin closes a table that waits for players; those who sit there are told. Of a game that has begun, its
        place here goes."""
        with suppress(Refused):
            await self._change(id, "closed", "", lambda table: replace(table, state=CLOSED))
        table = await asyncio.to_thread(read_open_table, self._store, id)
        if table is not None and table.state == STARTED:
            await self._write(removing([id]))

    async def _people_of(self, id: str, person: str) -> dict[str, str]:
        """The other people at a table where somebody has a seat, with their names."""
        if not id:
            return {}
        table = await self._tables.find(id)
        await table.refresh_claims()
        if not table.claimed_by(person) and person != table.host:
            raise Refused(403, "not_your_seat", "Only people with a seat at a table can invite the others again.")
        claims = [(seat, each) for seat, each in table.claims if each != person and not each.startswith(HASHED)]
        if not claims:
            raise Refused(422, "nobody_there", "Nobody has played at that table but you and bots.")
        return {
            each: table.game.seats[seat]
            for seat, each in claims[:MOST_INVITED]
            if not await asyncio.to_thread(has_blocked, self._store.engine, each, person)
        }

    async def invite(self, id: str, host: str, person: str, name: str) -> OpenTable:
        """The host invites somebody, who finds the table among his own from now on."""
        await check_welcome(self._store.engine, person, host, f"{name} does not want to be invited by you.")
        return await self._change(id, "invited", host, lambda table: _invited(table, host, {person: name}))

    async def start(self, id: str, person: str, level: str = "") -> Table:
        """The host starts the game; bots of this level take the seats that are free, and without one none may be."""
        if level:
            check_level(level)
        async with self._lock:
            for _ in range(TRIES):
                with suppress(SequenceConflict):
                    return await self._started(await self.find(id), person, level)
        raise _busy()

    async def _started(self, table: OpenTable, person: str, level: str) -> Table:
        _check_start(table, person, level)
        board = await asyncio.to_thread(self._store.board_text, table.board) if table.board else None
        order = _order(table.request)
        fresh = replace(table, state=STARTED, version=table.version + 1, changed=now())
        claims = [(n, table.seated[seat].person) for n, seat in enumerate(order) if seat in table.seated]
        gathered = Gathered(table.id, claims, changing(table, fresh, STARTED, person))
        started = await open_table(self._tables, with_players(table, level, order, board or ""), table.host, gathered)
        self.notify()
        return started

    async def _change(self, id: str, what: str, person: str, make: Change) -> OpenTable:
        async with self._lock:
            for _ in range(TRIES):
                before = await self.find(id)
                refusal = not_open(before, person)
                if refusal is not None and not (what == "left" and before.tells(person)):
                    raise refusal
                table = replace(make(before), version=before.version + 1, changed=now())
                with suppress(SequenceConflict):  # by way of another process; what stands there now decides
                    await self._write(Write(LOBBY, changing(before, table, what, person), announced=True))
                    return table
        raise _busy()

    # Tables that never start

    async def keep_tidy(self) -> None:
        """Look after tables that nobody comes to, for as long as the server runs."""
        while True:
            try:
                await self.tidy(now())
            except Exception:
                _log.exception("open tables cannot be looked after")
            await asyncio.sleep(TIDY_EVERY)

    async def tidy(self, time: dt.datetime) -> None:
        """Close tables that nobody comes to; those who sat there are told as long again, then nothing remains. Of
        several processes that do so, one does."""
        since = time - self._patience
        for id in await asyncio.to_thread(idle_tables, self._store, [OPEN], since):
            with suppress(Refused):  # somebody has come meanwhile, or it has started
                await self._change(id, "expired", "", lambda table: _expired(table, since))
        over = await asyncio.to_thread(idle_tables, self._store, [STARTED, CLOSED], since)
        if over:
            await self._write(removing(over))

    async def _write(self, write: Write) -> None:
        try:
            await self._tables.writer.write(write)
        finally:  # perhaps it was written though nobody waits for it any more
            self.notify()


def _busy() -> Refused:
    return Refused(503, "busy", "Too many people come and go at this table at once; try again.")


# Offering


def _check_offered(request: TableRequest) -> None:
    """Free seats are for new games, and whoever comes takes any of them."""
    check_rated(request)
    if request.record or request.fork or request.lesson:
        sentence = "Only a new game can wait for players in the lobby, not a record, a moment of a table, or a lesson."
        raise Refused(400, "bad_request", sentence)
    if any(seat.by == "link" for seat in request.seats):
        sentence = "A table with free seats has one link for all of them; make the seats by link free ones, too."
        raise Refused(400, "bad_request", sentence)
    time_control(request)  # it is refused now, not when the game begins


def _offered(request: TableRequest, game: Game, person: str) -> OpenTable:
    time = now()
    own = {n: seat for n, seat in enumerate(request.seats) if seat.by == "me"}
    seats = [_kept(seat) for seat in request.seats]
    board = "" if game.board.built_in else game.board.digest
    kept = {"seats": seats, "title": game.title.key, "board_source": "", "board_file": "the table's board"}
    return OpenTable(
        id=new_id(),
        version=1,
        state=OPEN,
        request=request.model_copy(update=kept),
        title=game.title.key,
        board=board,
        board_name=clean(game.board.name, 80),
        host=person,
        created=time,
        changed=time,
        seated={n: Seated(person, clean(seat.name) or f"Player {n + 1}", time) for n, seat in own.items()},
    )


def _kept(seat: SeatRequest) -> SeatRequest:
    """What is stored of a seat: who takes it is stored apart."""
    if seat.by != "bot":
        return SeatRequest(by="open")
    return seat.model_copy(update={"name": clean(seat.name)})


# Coming and going


def _joined(table: OpenTable, person: str, name: str) -> OpenTable:
    if table.seats_of(person):
        raise Refused(409, "seated", "You have a seat at this table already.")
    if table.request.visibility == INVITED and not table.belongs(person):
        sentence = f"Only people whom {table.host_name} has invited can take a seat at this table."
        raise Refused(403, "not_invited", sentence)
    if not table.free:
        raise Refused(409, "full", "All seats of this table are taken: somebody was quicker. Look for another one.")
    seat = table.free[0]
    seated = Seated(person, clean(name) or f"Player {seat + 1}", now())
    return replace(table, seated=table.seated | {seat: seated})


def _invited(table: OpenTable, host: str, people: dict[str, str]) -> OpenTable:
    if host != table.host:
        raise Refused(403, "not_host", f"Only {table.host_name} can invite people.")
    fresh = {person: name for person, name in people.items() if not table.belongs(person)}
    if not fresh:
        raise Refused(409, "invited", f"{' and '.join(people.values())} can come already.")
    if len(table.invited | fresh) > MOST_INVITED:
        raise Refused(403, "too_many_invited", f"You can invite {MOST_INVITED} people to a table, and no more.")
    return replace(table, invited=table.invited | fresh)


def _without(table: OpenTable, host: str, person: str) -> OpenTable:
    if host != table.host:
        raise Refused(403, "not_host", f"Only {table.host_name} can remove somebody.")
    seated = {n: each for n, each in table.seated.items() if each.person != person}
    invited = {each: name for each, name in table.invited.items() if each != person}
    return replace(table, seated=seated, invited=invited)


def _expired(table: OpenTable, since: dt.datetime) -> OpenTable:
    if table.changed >= since:
        raise Refused(409, "not_idle", "Somebody has come meanwhile.")
    return replace(table, state=CLOSED)


def _left(table: OpenTable, person: str) -> OpenTable:
    """Without somebody's seat, or without the invitation that they do not want."""
    if not table.belongs(person):
        raise Refused(409, "not_seated", "You have no seat at this table.")
    if person in table.invited and not table.seats_of(person):
        return replace(table, invited={each: name for each, name in table.invited.items() if each != person})
    seated = {n: each for n, each in table.seated.items() if each.person != person}
    if person != table.host:
        return replace(table, seated=seated)
    if not seated:
        return replace(table, seated={}, state=CLOSED)
    return replace(table, seated=seated, host=min(seated.values(), key=lambda each: each.at).person)


# Starting


def _check_start(table: OpenTable, person: str, level: str) -> None:
    refusal = not_open(table, person)
    if refusal is not None:
        raise refusal
    if person != table.host:
        raise Refused(403, "not_host", f"Only {table.host_name} can start the game.")
    if table.free and not level:
        raise Refused(409, "not_full", "Not all seats are taken; choose bots for the others, or wait.")


def _order(request: TableRequest) -> Sequence[int]:
    """In which order the seats stand in the game."""
    seats = range(len(request.seats))
    return DICE.sample(seats, len(seats)) if request.seating == "shuffled" else seats
