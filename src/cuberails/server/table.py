"""One table in memory: its history, its seats, and those who watch. Every change is stored first, then followed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from sys import intern
from typing import Any

from cuberails.bots import Idea
from cuberails.core.game import Game, Move
from cuberails.core.lesson import Lesson
from cuberails.core.state import State
from cuberails.server import lessons
from cuberails.server.chat import KEPT, Chat
from cuberails.server.clock import stored_time, timestamp
from cuberails.server.club.calls import calls_after
from cuberails.server.club.clocks import CORRESPONDENCE, SeatClocks
from cuberails.server.club.order_store import StandingOrder, stored_orders
from cuberails.server.club.results import results_after
from cuberails.server.club.tabletime import TableTime
from cuberails.server.club.time_store import rests_of_seats, timing_out
from cuberails.server.connections import SequenceConflict, Write
from cuberails.server.history import History
from cuberails.server.identity import GONE
from cuberails.server.presence import Presence
from cuberails.server.refusal import Refused
from cuberails.server.scenes import Scenes
from cuberails.server.store import (
    ACT,
    NAME,
    REDO,
    REMOVE,
    SEAT,
    TIMEOUT,
    UNDO,
    Claims,
    Entry,
    Store,
    StoredSeat,
    StoredTable,
    appending,
    claiming,
    seats_json,
)
from cuberails.server.thinking import Question, question_at
from cuberails.server.writer import Writer
from cuberails.titles import load

DELETED = -1
"""The generation of a table that was deleted: nothing is written to it any more."""

MOST_RENDERED = 32
"""How much of a table is kept as it was rendered."""

TABLE_BYTES, ACTION_BYTES = 120_000, 1_000
"""About what a table takes in memory with all that was rendered for those who play there, and what each action adds:
measured with the hostile client, and in Baltimore & Ohio, which takes most."""


@dataclass(frozen=True)
class Pondering:
    """A question that a bot thinks about, and at which sequence number it was asked.

    A hint is for one seat only; what a bot decides for itself concerns everybody.
    """

    seq: int
    question: Question
    seat: int | None = None


@dataclass
class BotWork:
    """What bots were asked at a table: `asked_at` is the sequence number of the last decision that was asked for,
    `advice` the last hint with its sequence number, `pondering` the last question of either kind."""

    asked_at: int = -1
    advice: tuple[int, Future[list[Idea]]] | None = None
    pondering: Pondering | None = None


class Table:
    """One table in memory. The event loop owns it: nothing else changes it, and nothing there waits while it does."""

    def __init__(self, stored: StoredTable, store: Store, writer: Writer, game: Game, claims: Claims) -> None:
        """A table as it is stored; `game` is what it begins with."""
        self.id = stored.id
        self.host = stored.host
        self.parent, self.parent_count = stored.parent, stored.parent_count
        self.help = stored.help
        """Whether people may ask for hints; that is settled when the table is opened."""
        self.visibility = stored.visibility
        self.time_control = stored.time_control
        self.rated = stored.rated
        self.seats = stored.seats
        self.lock = asyncio.Lock()
        """Held by whoever changes the table, while that is written; the next one waits."""
        self.claims = claims
        self.seats_by_key: dict[str, int] = {}
        """The seats with a link, by the digests of their keys."""
        self.make_keys: Callable[[Sequence[str]], dict[str, int]] = lambda _: {}
        """Makes those of the numbers that they come from."""
        self.vacated: dict[int, int] = {}
        """The seats from which somebody was removed, and at which sequence number last."""
        self.watchers: set[Callable[[], None]] = set()
        self.presence = Presence(self.notify)
        self.chat = Chat()
        self.orders: list[StandingOrder] = []
        """What seats have ordered ahead; never changed in place."""
        self.bot_work = BotWork()
        self.writer = writer
        self.generation = writer.generation
        """The generation of the database that the table was read from."""
        self.store = store
        self._seats_json = seats_json(self.seats)
        self.history = History(game)
        bots, opened = [seat.bot != "" for seat in self.seats], timestamp(stored.changed)
        clocks = SeatClocks(self.time_control, bots, game.state.phase.actor, opened)
        self.time = TableTime(clocks, lambda: self.claims, store.timing)
        self.stored_deadline = self.time.deadline
        self.scenes = Scenes(self.history)
        self._rendered: dict[Hashable, Any] = {}

    # What there is to know

    @property
    def seq(self) -> int:
        """The number of the last entry of the log."""
        return len(self.history.log)

    @property
    def game(self) -> Game:
        return self.history.game

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def actor(self) -> int:
        """The seat to decide; CHANCE, or NOBODY when the game is over."""
        return self.state.phase.actor

    @property
    def stale(self) -> bool:
        """Whether the database was opened anew since: the table there may be another one, and this one is given up."""
        return self.generation != self.writer.generation

    @property
    def thinking(self) -> bool:
        """Whether a bot is to decide; while people discuss whether to go back, bots wait."""
        actor = self.actor
        return actor >= 0 and self.seats[actor].bot != "" and self.history.pending_undo is None

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is given here, if this is the table of one."""
        return lessons.taught_at(self.game, self.seats)

    @property
    def endless(self) -> bool:
        """Whether nobody but bots plays a game that has become too long."""
        return self.state.too_long and all(seat.bot for seat in self.seats)

    @property
    def idle(self) -> bool:
        """Whether nobody follows it and no bot is to decide."""
        return not self.watchers and (not self.thinking or self.endless)

    def played_by_people(self, seats: list[int]) -> list[int]:
        """Those of these seats that no bot plays at present."""
        return [seat for seat in seats if not self.seats[seat].bot]

    def claimed(self) -> list[int]:
        """The seats that belong to people, be they played by a bot at present or not."""
        return sorted({seat for seat, _ in self.claims})

    def claimed_by(self, person: str) -> list[int]:
        """The seats that belong to this person."""
        return sorted(seat for seat, owner in self.claims if owner == person)

    def first_claimants(self, seat: int) -> set[str]:
        """Who came to a seat first; several, if it is not known which of them."""
        since = {person: at for (claimed, person), at in self.claims.items() if claimed == seat}
        first = None if None in since.values() else min((at for at in since.values() if at), default=None)
        return {person for person, at in since.items() if at == first}

    def rendered(self, key: Hashable, render: Callable[[], Any]) -> Any:
        """What looks the same to many viewers, rendered once until the table changes."""
        if key not in self._rendered:
            if len(self._rendered) >= MOST_RENDERED:
                self._rendered.clear()
            self._rendered[key] = render()
        return self._rendered[key]

    def question(self, level: str) -> Question:
        """What a bot must know to decide for the seat whose turn it is."""
        return question_at(self.game, self.game.count, lessons.level_of(level), self.id)

    # Changes: stored first, then followed, then announced. Whoever makes one holds `lock`

    async def play(self, moves: Sequence[Move], person: str = "", ordered: bool = False) -> None:
        """Take over moves that follow one another from the position now: the first is a person's, or a bot's."""
        steps = enumerate([move.step for move in moves], self.seq + 1)
        entries = [Entry(seq, ACT, step.action.text, step.seat) for seq, step in steps]
        entries[0].person = intern(person)
        entries[0].ordered = ordered
        await self._write(entries, moves[-1].state, self.game.count + len(moves), moves)

    async def note(self, kind: str, text: str, seat: int, person: str) -> None:
        """Add one entry of a person that is no action."""
        count = int(text) if kind in (UNDO, REDO) else self.game.count
        entry = Entry(self.seq + 1, kind, text, seat, intern(person))
        await self._write([entry], self.game.at(count), count)

    async def remove(self, seat: int, level: str, person: str) -> None:
        """Nobody may play a seat any more but a bot of this level, or without one whoever comes by its new link."""
        entries = [Entry(self.seq + 1, REMOVE, "", seat, intern(person))]
        if level != self.seats[seat].bot:
            entries.append(Entry(self.seq + 2, SEAT, level, seat, intern(person)))
        await self._write(entries, self.state, self.game.count)

    async def _write(self, entries: list[Entry], state: State, count: int, moves: Sequence[Move] = ()) -> None:
        self.time.stamp(entries)
        actor, seats = state.phase.actor, _seats_after(self.seats, entries) or self._seats_json
        write = appending(self.id, entries, actor, seats, count, self.time.deadline_after(entries, actor))
        write.statements.extend([*calls_after(self, entries, state), *results_after(self, entries, state)])
        # A client may go away while it waits: what is written is followed in any case.
        await asyncio.shield(self._write_and_follow(write, entries, moves))

    async def _write_and_follow(self, write: Write, entries: list[Entry], moves: Sequence[Move]) -> None:
        try:
            await self.writer.write(write, self.generation)
        except SequenceConflict:
            await self.refresh()
            raise Refused(409, "stale", f"Somebody was quicker: the table is now at {self.seq}.") from None
        self.follow(entries, moves)

    async def refresh(self) -> None:
        """Take over what another process has written."""
        self.follow(await asyncio.to_thread(self.store.entries, self.id, self.seq))

    async def refresh_claims(self) -> None:
        """Take over who has come to which seat by way of another process."""
        found = await asyncio.to_thread(self.store.claims, self.id)
        if not found.keys() <= self.claims.keys():
            self.claims.update(found)
            await self.refresh_rests()

    async def refresh_rests(self) -> None:
        """Take over the quiet hours and holidays of those who play here."""
        if self.time_control.kind == CORRESPONDENCE:
            self.time.rests = await asyncio.to_thread(rests_of_seats, self.store.engine, self.claims.copy())
        self.notify()

    async def claim(self, seat: int, person: str) -> None:
        """Somebody may play a seat from now on."""
        if (seat, person) not in self.claims:
            at = stored_time(self.store.timing.clock.now())
            await self.writer.write(claiming(self.id, seat, person, at), self.generation)
            self.claims[seat, person] = at
            await self.refresh_rests()
            if self.time:
                await self.renew_deadline()

    def hand_over(self, old: str, new: str) -> None:
        """One person becomes another, who has it stored already."""
        self.claims = {(seat, new if who == old else who): at for (seat, who), at in self.claims.items()}
        self.host = new if self.host == old else self.host
        self.orders = [replace(each, person=new) if each.person == old else each for each in self.orders]
        self.history.hand_over(old, new)
        self.notify()

    async def renew_deadline(self) -> None:
        """Something beside the log has moved the end of the clock that runs."""
        async with self.lock:
            deadline = self.time.deadline
            if deadline != self.stored_deadline:
                await self.writer.write(timing_out(self.id, deadline), self.generation)
                self.stored_deadline = deadline
            self.store.timing.add(self.id, deadline)

    def forget(self, person: str) -> None:
        """Somebody has left for good, and nothing of them is stored any more."""
        self.claims = {claim: at for claim, at in self.claims.items() if claim[1] != person}
        self.host = GONE if self.host == person else self.host
        self.orders = [each for each in self.orders if each.person != person]
        self.history.forget(person)
        self.notify()

    def follow(self, entries: list[Entry], moves: Sequence[Move] = ()) -> None:
        """Take over entries that are stored."""
        for n, entry in enumerate(entries):
            self.history.follow(entry, moves[n] if moves else None)
            self.time.follow(entry, self.actor)
            if _follow_seat(self.seats, entry):
                self._seats_json = seats_json(self.seats)
            if entry.kind == REMOVE:
                self._vacate(entry)
        if entries:
            self.stored_deadline = self.time.deadline
            self.store.timing.add(self.id, self.stored_deadline)
            self._rendered.clear()
            self.notify()

    def _vacate(self, entry: Entry) -> None:
        """Forget who came to a seat before this; whoever came by the new link since stays."""
        at, seat = stored_time(entry.at), entry.seat
        left = {claim: since for claim, since in self.claims.items() if claim[0] == seat and not (since and since > at)}
        self.claims = {claim: since for claim, since in self.claims.items() if claim not in left}
        self.orders = [order for order in self.orders if order.seat != seat]
        self.vacated[seat] = entry.seq
        self.renew_keys()

    def renew_keys(self) -> None:
        self.seats_by_key = self.make_keys([seat.key for seat in self.seats])

    def notify(self) -> None:
        """Wake everybody who watches: something has happened, or a bot has begun to think."""
        for wake in list(self.watchers):
            wake()


_SEATING = (SEAT, TIMEOUT, NAME, REMOVE)
"""The entries that say who sits where."""


def _seats_after(seats: list[StoredSeat], entries: list[Entry]) -> str:
    """Who sits where after these entries, as JSON; "" if that stays as it is."""
    changes = [entry for entry in entries if entry.kind in _SEATING]
    if not changes:
        return ""
    fresh = [replace(seat) for seat in seats]
    for entry in changes:
        _follow_seat(fresh, entry)
    return seats_json(fresh)


def _follow_seat(seats: list[StoredSeat], entry: Entry) -> bool:
    """Do to the seats what an entry says; False if it says nothing about them."""
    if entry.kind in (SEAT, TIMEOUT):
        seats[entry.seat].bot = entry.text
    elif entry.kind == NAME:
        seats[entry.seat].name = entry.text
    elif entry.kind == REMOVE:  # a key needs only be another one than before: it is made with the server's secret
        seats[entry.seat].key = f"after {entry.seq}"
    return entry.kind in _SEATING


def read_table(store: Store, writer: Writer, id: str) -> Table | None:
    """A table as it stands in the store; this takes its time, and nobody has the table yet."""
    generation = writer.generation
    stored = store.table(id)
    if stored is None:
        return None
    table = Table(stored, store, writer, first_game(stored, store), store.claims(id))
    table.generation = generation
    table.follow(store.entries(id, 0))
    if table.time_control.kind == CORRESPONDENCE:
        table.time.rests = rests_of_seats(store.engine, table.claims)
    table.stored_deadline = timestamp(stored.deadline) if stored.deadline else None
    table.chat.add(store.chat(id, 0, KEPT))
    table.orders = stored_orders(store.engine, id)
    return table


def first_game(stored: StoredTable, store: Store) -> Game:
    """A table's game as it began, on its own board and by its own version of the rules."""
    title = load(stored.title)
    text = store.board_text(stored.board_digest) if stored.board_digest else None
    board = title.board if text is None else title.read_board("the table's board", text)
    game = Game(board, [seat.name for seat in stored.seats], stored.options, title.checked_rules(stored.rules))
    for action in stored.origin:
        game.apply(action)
    return game
