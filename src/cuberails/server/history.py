"""What the log of a table says: the game as it stands, and every position that there ever was."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cuberails.core.action import Action
from cuberails.core.game import Game
from cuberails.core.state import State
from cuberails.core.title import Title
from cuberails.server.store import ACT, ASK, REDO, UNDO, YES, Entry


@dataclass
class Request:
    """A seat wants to go back to the position after `to` actions; the seats in `asked` have not agreed yet."""

    seat: int
    to: int
    asked: set[int]


class History:
    """A log, entry by entry, and the game that it leads to.

    `moments[seq]` is how many actions were in force after an entry. A position is named by the entry that brought it
    about; those of the game that the table began with have numbers up to 0. `line[count]` is the position after so
    many actions, be they taken back or not; `been[seq]` is the one after an entry of the log.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.log: list[Entry] = []
        self.request: Request | None = None
        self.origin = [step.action.text for step in game.steps]
        self.moments = [len(self.origin)]
        self.line = list(range(-len(self.origin), 1))
        self.been = [0]

    def follow(self, entry: Entry) -> None:
        """Do to the game what an entry says."""
        count = self.moments[-1]
        if entry.kind == ACT:
            self.game.apply(actions_of(self.game.title)[entry.text])
            count += 1
            self.line[count:] = [entry.seq]
        elif entry.kind in (UNDO, REDO):
            count = int(entry.text)
            self._go_to(count)
        if entry.kind == YES and self.request:
            self.request.asked -= {int(word) for word in entry.text.split()}
        else:
            self.request = _request(entry) if entry.kind == ASK else None
        self.log.append(entry)
        self.moments.append(count)
        self.been.append(self.line[count])

    def _go_to(self, count: int) -> None:
        for _ in range(self.moments[-1] - count):
            self.game.undo()
        for _ in range(count - self.moments[-1]):
            self.game.redo()

    def still_true(self, seq: int) -> int:
        """How many of the actions in force at this number of the log have never been taken back since."""
        return min(self.moments[seq:])

    def state(self, position: int) -> State:
        """A position by its name. If the game went another way since, it is played again from where that began."""
        texts: list[str] = []
        while not self._in_line(position):
            text, position = self._way_to(position)
            texts.append(text)
        state = self.game.at(self._count(position))
        if texts:
            state = state.copy()
        for text in reversed(texts):
            state.play(actions_of(self.game.title)[text])
        return state

    def _count(self, position: int) -> int:
        """How many actions lead to a position."""
        return self.moments[position] if position > 0 else position + len(self.origin)

    def _in_line(self, position: int) -> bool:
        count = self._count(position)
        return count < len(self.line) and self.line[count] == position

    def _way_to(self, position: int) -> tuple[str, int]:
        """The action that led to a position, and the position before it."""
        if position > 0:
            return self.log[position - 1].text, self.been[position - 1]
        return self.origin[self._count(position) - 1], position - 1


@cache
def actions_of(title: Title) -> dict[str, Action]:
    """The actions of a title by their own text, as it stands in every log."""
    return {action.text: action for action in title.board.actions.all}


def _request(entry: Entry) -> Request:
    to, *asked = map(int, entry.text.split())
    return Request(entry.seat, to, set(asked))
