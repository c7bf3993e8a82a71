"""What the log of a table says: the game as it stands, and every position that there ever was."""

from __future__ import annotations

from dataclasses import dataclass

from cuberails.core.game import Game, Step
from cuberails.core.state import State
from cuberails.core.title import SetupError
from cuberails.server.store import ACT, ASK, KINDS, REDO, UNDO, YES, Entry

Move = tuple[State, Step]
"""A step that was carried out already, and the position that it led to."""


@dataclass
class PendingUndo:
    """A seat wants to go back to the position after `to` actions; the seats in `asked` have not agreed yet."""

    seat: int
    to: int
    asked: set[int]


class History:
    """A log, entry by entry, and the game that it leads to.

    `counts[seq]` is how many actions were in force after an entry. A position is named by the entry that brought it
    about; those of the game that the table began with have numbers up to 0. `branch[count]` is the position after so
    many actions, be they taken back or not; `position_at[seq]` is the one after an entry of the log.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.log: list[Entry] = []
        self.pending_undo: PendingUndo | None = None
        self.origin = [step.action.text for step in game.steps]
        self.counts = [len(self.origin)]
        self.branch = list(range(-len(self.origin), 1))
        self.position_at = [0]

    def follow(self, entry: Entry, move: Move | None = None) -> None:
        """Do to the game what an entry says; with a move, that was computed before."""
        if entry.kind not in KINDS:
            raise SetupError(f"there is no kind of entry {entry.kind!r} in a log")
        count = self.counts[-1]
        if entry.kind == ACT:
            if move is None:
                self.game.apply(entry.text)
            else:
                self.game.push(*move)
            count += 1
            self.branch[count:] = [entry.seq]
        elif entry.kind in (UNDO, REDO):
            count = int(entry.text)
            self._go_to(count)
        self._follow_discussion(entry)
        self.log.append(entry)
        self.counts.append(count)
        self.position_at.append(self.branch[count])

    def _go_to(self, count: int) -> None:
        for _ in range(self.counts[-1] - count):
            self.game.undo()
        for _ in range(count - self.counts[-1]):
            self.game.redo()

    def _follow_discussion(self, entry: Entry) -> None:
        """Any entry but an agreement ends the discussion whether to go back."""
        if entry.kind == YES and self.pending_undo:
            self.pending_undo.asked -= {int(word) for word in entry.text.split()}
        else:
            self.pending_undo = _read_request(entry) if entry.kind == ASK else None

    def unchanged_since(self, seq: int) -> int:
        """How many of the actions in force at this number of the log have never been taken back since."""
        return min(self.counts[seq:])

    def state(self, position: int) -> State:
        """A position by its name. If it is not on the branch, it is played again from where the two part."""
        texts: list[str] = []
        while not self._on_branch(position):
            text, position = self._way_to(position)
            texts.append(text)
        state = self.game.at(self._count(position))
        if texts:
            state = state.copy()
        for text in reversed(texts):
            state.play(state.parse(text))
        return state

    def _count(self, position: int) -> int:
        """How many actions lead to a position."""
        return self.counts[position] if position > 0 else position + len(self.origin)

    def _on_branch(self, position: int) -> bool:
        count = self._count(position)
        return count < len(self.branch) and self.branch[count] == position

    def _way_to(self, position: int) -> tuple[str, int]:
        """The action that led to a position, and the position before it."""
        if position > 0:
            return self.log[position - 1].text, self.position_at[position - 1]
        return self.origin[self._count(position) - 1], position - 1


def _read_request(entry: Entry) -> PendingUndo:
    to, *asked = map(int, entry.text.split())
    return PendingUndo(entry.seat, to, set(asked))
