"""One table in memory: its history, its seats, and those who watch. Every change is stored first, then followed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from threading import RLock

from cuberails.bots import Idea
from cuberails.core.game import Game
from cuberails.core.scene import Scene
from cuberails.core.state import State
from cuberails.server import snapshots
from cuberails.server.history import History, Move, PendingUndo
from cuberails.server.refusal import Refused
from cuberails.server.store import ACT, REDO, SEAT, UNDO, Entry, SequenceConflict, Store, StoredTable
from cuberails.server.thinking import Question
from cuberails.titles import load, scene

SNAPSHOT_EVERY = 64
"""After so many entries a snapshot of a table is saved, so that they need not be played again."""

MOST_SCENES = 8
"""So many scenes of a table are kept, for viewers who see the same."""


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
    """One table in memory. Whoever looks at more than one thing holds `lock`."""

    def __init__(self, stored: StoredTable, store: Store, game: Game | None = None) -> None:
        """A table as it is stored; `game` is what it begins with, if somebody has that at hand."""
        self.id = stored.id
        self.host = stored.host
        self.seats = stored.seats
        self.lock = RLock()
        self.watchers: set[Callable[[], None]] = set()
        self.bot_work = BotWork()
        self._store = store
        self._scenes: OrderedDict[int, Scene] = OrderedDict()
        restored = None if game else snapshots.restore(store, stored.id)
        self.history = restored or History(game or first_game(stored, store))
        self._since_snapshot = 0 if restored else len(stored.origin)
        self.refresh()

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
    def undone(self) -> int:
        """How many actions were taken back and can be played again."""
        return len(self.history.branch) - 1 - len(self.game.steps)

    def played_by_people(self, seats: list[int]) -> list[int]:
        """Those of these seats that no bot plays at present."""
        return [seat for seat in seats if not self.seats[seat].bot]

    def claimed(self) -> list[int]:
        """The seats that belong to people, be they played by a bot at present or not."""
        return sorted(self._store.claimed(self.id))

    def scene(self, count: int) -> Scene:
        """What is seen after so many actions."""
        return self._scene(self.history.branch[count])

    def scene_at(self, seq: int) -> Scene:
        """What was seen when the log was at this number, be it taken back since or not."""
        return self._scene(self.history.position_at[seq])

    def _scene(self, position: int) -> Scene:
        found = self._scenes.get(position)
        if found is None:
            found = self._scenes[position] = scene(self.history.state(position), self.game.seats)
            if len(self._scenes) > MOST_SCENES:
                self._scenes.popitem(last=False)
        return found

    def question(self, level: str) -> Question:
        """What a bot must know to decide for the seat whose turn it is."""
        state, board = self.state, self.game.board
        actions = [step.action.id for step in self.game.steps]
        return Question(
            board.title.key, board.text, state.rules_version, state.players, state.options, actions, level, self.id
        )

    # Changes: stored first, then followed, then announced

    def play(self, moves: Sequence[Move]) -> None:
        """Take over moves that follow one another from the position now."""
        entries = [Entry(seq, ACT, step.action.text, step.seat) for seq, (_, step) in enumerate(moves, self.seq + 1)]
        self._write(entries, moves[-1][0].phase.actor, moves)

    def note(self, kind: str, text: str, seat: int) -> None:
        """Add one entry that is no action."""
        count = int(text) if kind in (UNDO, REDO) else len(self.game.steps)
        self._write([Entry(self.seq + 1, kind, text, seat)], self.game.at(count).phase.actor)

    def _write(self, entries: list[Entry], waiting: int, moves: Sequence[Move] = ()) -> None:
        seats = [replace(seat) for seat in self.seats]
        for entry in entries:
            if entry.kind == SEAT:
                seats[entry.seat].bot = entry.text
        try:
            self._store.append(self.id, entries, waiting, seats)
        except SequenceConflict:
            self.refresh()
            raise Refused(409, "stale", f"Somebody was quicker: the table is now at {self.seq}.") from None
        self._follow(entries, moves)
        self.notify()

    def refresh(self) -> None:
        """Take over what another process has written."""
        with self.lock:
            entries = self._store.entries(self.id, self.seq)
            self._follow(entries)
        if entries:
            self.notify()

    def _follow(self, entries: list[Entry], moves: Sequence[Move] = ()) -> None:
        for n, entry in enumerate(entries):
            self.history.follow(entry, moves[n] if moves else None)
            if entry.kind == SEAT:
                self.seats[entry.seat].bot = entry.text
        self._since_snapshot += len(entries)
        if self._since_snapshot >= SNAPSHOT_EVERY:
            self._since_snapshot = 0
            snapshots.save(self._store, self.id, self.history)

    def notify(self) -> None:
        """Wake everybody who watches: something has happened, or a bot has begun to think."""
        for wake in list(self.watchers):
            wake()


def first_game(stored: StoredTable, store: Store) -> Game:
    """A table's game as it began, on its own board and by its own version of the rules."""
    title = load(stored.title)
    text = store.board(stored.board) if stored.board else None
    board = title.board if text is None else title.read_board("the table's board", text)
    game = Game(board, [seat.name for seat in stored.seats], stored.options, title.checked_rules(stored.rules))
    for action in stored.origin:
        game.apply(action)
    return game
