"""One table in memory: its history, its seats, and those who watch. Every change is stored first, then followed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from cuberails.bots import Idea
from cuberails.core.game import Game
from cuberails.core.state import State
from cuberails.server.connections import SequenceConflict
from cuberails.server.history import History, Move, PendingUndo
from cuberails.server.refusal import Refused
from cuberails.server.scenes import Scenes
from cuberails.server.store import (
    ACT,
    REDO,
    SEAT,
    UNDO,
    Claim,
    Entry,
    Store,
    StoredTable,
    appending,
    claiming,
    seats_json,
)
from cuberails.server.thinking import Question
from cuberails.server.writer import Writer
from cuberails.titles import load

MOST_RENDERED = 32
"""How much of a table is kept as it was rendered."""

TABLE_BYTES, ACTION_BYTES = 40_000, 2_000
"""About what a table takes in memory, and what each action adds: measured in Baltimore & Ohio, which takes most."""


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

    def __init__(self, stored: StoredTable, store: Store, writer: Writer, game: Game, claims: Iterable[Claim]) -> None:
        """A table as it is stored; `game` is what it begins with."""
        self.id = stored.id
        self.host = stored.host
        self.seats = stored.seats
        self.lock = asyncio.Lock()
        """Held by whoever changes the table, while that is written; the next one waits."""
        self.claims = set(claims)
        self.seats_by_key: dict[str, int] = {}
        """The seats with a link, by the digests of their keys."""
        self.watchers: set[Callable[[], None]] = set()
        self.bot_work = BotWork()
        self.writer = writer
        self._store = store
        self._seats_json = seats_json(self.seats)
        self.history = History(game)
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
    def pending_undo(self) -> PendingUndo | None:
        """A request to go back that waits for answers."""
        return self.history.pending_undo

    @property
    def thinking(self) -> bool:
        """Whether a bot is to decide; while people discuss whether to go back, bots wait."""
        actor = self.actor
        return actor >= 0 and self.seats[actor].bot != "" and self.pending_undo is None

    @property
    def endless(self) -> bool:
        """Whether nobody but bots plays a game that has become too long."""
        return self.state.too_long and all(seat.bot for seat in self.seats)

    @property
    def memory(self) -> int:
        """About how many bytes it takes."""
        return TABLE_BYTES + ACTION_BYTES * (len(self.history.origin) + self.seq)

    @property
    def undone(self) -> int:
        """How many actions were taken back and can be played again."""
        return len(self.history.branch) - 1 - self.game.count

    def played_by_people(self, seats: list[int]) -> list[int]:
        """Those of these seats that no bot plays at present."""
        return [seat for seat in seats if not self.seats[seat].bot]

    def claimed(self) -> list[int]:
        """The seats that belong to people, be they played by a bot at present or not."""
        return sorted({seat for seat, _ in self.claims})

    def claimed_by(self, person: str) -> list[int]:
        """The seats that belong to this person."""
        return sorted(seat for seat, owner in self.claims if owner == person)

    def rendered(self, key: Hashable, render: Callable[[], Any]) -> Any:
        """What looks the same to many viewers, rendered once until the table changes."""
        if key not in self._rendered:
            if len(self._rendered) >= MOST_RENDERED:
                self._rendered.clear()
            self._rendered[key] = render()
        return self._rendered[key]

    def question(self, level: str) -> Question:
        """What a bot must know to decide for the seat whose turn it is."""
        state, board = self.state, self.game.board
        actions = [step.action.id for step in self.game.steps]
        return Question(
            board.title.key, board.text, state.rules_version, state.players, state.options, actions, level, self.id
        )

    # Changes: stored first, then followed, then announced. Whoever makes one holds `lock`

    async def play(self, moves: Sequence[Move]) -> None:
        """Take over moves that follow one another from the position now."""
        entries = [Entry(seq, ACT, step.action.text, step.seat) for seq, (_, step) in enumerate(moves, self.seq + 1)]
        await self._write(entries, moves[-1][0].phase.actor, moves)

    async def note(self, kind: str, text: str, seat: int) -> None:
        """Add one entry that is no action."""
        count = int(text) if kind in (UNDO, REDO) else self.game.count
        await self._write([Entry(self.seq + 1, kind, text, seat)], self.game.at(count).phase.actor)

    async def _write(self, entries: list[Entry], waiting: int, moves: Sequence[Move] = ()) -> None:
        # A client may go away while it waits: what is written is followed in any case.
        await asyncio.shield(self._write_and_follow(entries, waiting, moves))

    async def _write_and_follow(self, entries: list[Entry], waiting: int, moves: Sequence[Move]) -> None:
        try:
            await self.writer.write(appending(self.id, entries, waiting, self._seats_after(entries)))
        except SequenceConflict:
            await self.refresh()
            raise Refused(409, "stale", f"Somebody was quicker: the table is now at {self.seq}.") from None
        self.follow(entries, moves)

    def _seats_after(self, entries: list[Entry]) -> str:
        """Who sits where after these entries, as JSON."""
        changes = {entry.seat: entry.text for entry in entries if entry.kind == SEAT}
        if not changes:
            return self._seats_json
        return seats_json([replace(seat, bot=changes.get(n, seat.bot)) for n, seat in enumerate(self.seats)])

    async def refresh(self) -> None:
        """Take over what another process has written."""
        self.follow(await asyncio.to_thread(self._store.entries, self.id, self.seq))

    async def refresh_claims(self) -> None:
        """Take over who has come to which seat by way of another process."""
        self.claims.update(await asyncio.to_thread(self._store.claims, self.id))

    async def claim(self, seat: int, person: str) -> None:
        """Somebody may play a seat from now on."""
        if (seat, person) not in self.claims:
            await self.writer.write(claiming(self.id, seat, person))
            self.claims.add((seat, person))

    def follow(self, entries: list[Entry], moves: Sequence[Move] = ()) -> None:
        """Take over entries that are stored."""
        for n, entry in enumerate(entries):
            self.history.follow(entry, moves[n] if moves else None)
            if entry.kind == SEAT:
                self.seats[entry.seat].bot = entry.text
                self._seats_json = seats_json(self.seats)
        if entries:
            self._rendered.clear()
            self.notify()

    def notify(self) -> None:
        """Wake everybody who watches: something has happened, or a bot has begun to think."""
        for wake in list(self.watchers):
            wake()


def read_table(store: Store, writer: Writer, id: str) -> Table | None:
    """A table as it stands in the store; this takes its time, and nobody has the table yet."""
    stored = store.table(id)
    if stored is None:
        return None
    table = Table(stored, store, writer, first_game(stored, store), store.claims(id))
    table.follow(store.entries(id, 0))
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
