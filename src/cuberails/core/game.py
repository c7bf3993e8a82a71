"""A game: a position with its history. It can be undone, redone, looked at anywhere, and written down as a record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.state import State
from cuberails.core.title import SetupError, Title
from cuberails.core.value import Value

FORMAT: Final = 1
"""The version of the form of records."""
MOST_ACTIONS: Final = 5000
"""The longest record that is read, and the longest game at a table: the longest real games have some 1,200 actions."""
SNAPSHOT_EVERY: Final = 16
"""One position in this number of actions is kept; those between are played again when they are asked for."""
RECENT: Final = 8
"""How many of the positions that were asked for last are kept too."""
EVENTS_KEPT: Final = 16
"""The events of so many actions are kept, the last ones: those of a whole game take more memory than all the rest of
it, and are seldom asked for. The others come about anew when their actions are played again."""


class Step(Value):
    """One recorded action, and the seat that it is of."""

    def __init__(self, seat: int, action: Action) -> None:
        self.seat: Final = seat
        self.action: Final = action


class Move:
    """A step that was carried out: the position that it led to, and what it brought about."""

    def __init__(self, step: Step, state: State, events: list[Event]) -> None:
        self.step: Final = step
        self.state: Final = state
        self.events: Final = events


def advance(state: State, action: Action) -> Move:
    """Carry out a legal action; the given position stays as it is."""
    after = state.copy()
    events = after.apply(action)
    return Move(Step(state.phase.actor, action), after, events)


class Game:
    """A position with its history; `seats` are the names of the players.

    >>> import cuberails
    >>> game = cuberails.Game(cuberails.load("wabash").board, ["Ann", "Bob"])
    >>> events = game.apply("bid 12")
    >>> game
    <wabash: Ann, Bob, 1 action played>
    >>> game.undo(), game.state.prompt
    (True, 'Bid $7 or more for PA, or pass')
    """

    def __init__(
        self, board: Board, seats: Sequence[str], options: Mapping[str, str] | None = None, rules_version: int = 0
    ) -> None:
        self.board: Final = board
        self.seats: Final = [" ".join(name.split()) for name in seats]
        if "" in self.seats:
            raise SetupError("every seat needs a name")
        first = board.new(len(seats), options, rules_version)
        self._snapshots: Final[list[State]] = [first]  # the one at n is after n * SNAPSHOT_EVERY actions
        self._recent: Final[dict[int, State]] = {}  # by number of actions; the one used last is at the end
        self._steps: Final[list[Step]] = []
        self._events: Final[dict[int, list[Event]]] = {}  # by number of actions, as far as they are kept
        self._state = first
        self._at = 0

    @property
    def title(self) -> Title:
        return self.board.title

    @property
    def state(self) -> State:
        """The position now. Change it only by `apply`."""
        return self._state

    @property
    def count(self) -> int:
        """How many actions were played up to now."""
        return self._at

    @property
    def steps(self) -> list[Step]:
        """What was played up to now."""
        return self._steps[: self._at]

    def apply(self, action: Action | str) -> list[Event]:
        """Carry out a legal action, given as itself or as its text. What had been undone is forgotten."""
        move = advance(self.state, self.state.parse(action) if isinstance(action, str) else action)
        self.push(move)
        return move.events

    def push(self, move: Move) -> None:
        """Take over a move from the position now, made by `advance`."""
        if self._at < len(self._steps):
            self._forget_undone()
        self._steps.append(move.step)
        self._at += 1
        self._keep(self._at, move.state)
        self._events[self._at] = move.events
        self._events.pop(self._at - EVENTS_KEPT, None)
        self._state = move.state

    def _forget_undone(self) -> None:
        del self._steps[self._at :], self._snapshots[self._at // SNAPSHOT_EVERY + 1 :]
        for count in [count for count in self._recent if count > self._at]:
            del self._recent[count]
        for count in [count for count in self._events if count > self._at]:
            del self._events[count]

    def events(self, start: int = 0, end: int | None = None) -> list[list[Event]]:
        """What the actions between two moments brought about, a list for each; by default those of the whole game."""
        numbers = range(start, self._at if end is None else min(end, self._at))
        if all(n + 1 in self._events for n in numbers):
            return [self._events[n + 1] for n in numbers]
        state = self.at(start).copy()
        return [state.apply(self._steps[n].action) for n in numbers]

    def rename(self, seat: int, name: str) -> None:
        """Give a player another name, by which records and sentences call the seat from now on."""
        called = " ".join(name.split())
        if not called:
            raise SetupError("every seat needs a name")
        self.seats[seat] = called

    def fork(self) -> Game:
        """An independent copy of the game; positions and steps are shared."""
        game = Game(self.board, self.seats, self.state.options, self.state.rules_version)
        game._resume(self._snapshots, self._steps, self._at)
        return game

    def undo(self) -> bool:
        """Take back the last action; False if there is none."""
        if self._at == 0:
            return False
        self._go_to(self._at - 1)
        return True

    def redo(self) -> bool:
        """Play again what was undone; False if there is nothing."""
        if self._at == len(self._steps):
            return False
        self._go_to(self._at + 1)
        return True

    def at(self, count: int) -> State:
        """The position after this many actions, to be looked at and not changed."""
        if not 0 <= count <= len(self._steps):
            raise ValueError(f"the game has {len(self._steps)} actions; there is no position after {count}")
        return self._position(count)

    def _go_to(self, count: int) -> None:
        self._at = count
        self._state = self._position(count)

    def _position(self, count: int) -> State:
        """A position that is kept, or one that is played again from the nearest before it that is."""
        start = count
        while start % SNAPSHOT_EVERY and start not in self._recent:
            start -= 1
        state = self._recent.pop(start) if start in self._recent else self._snapshots[start // SNAPSHOT_EVERY]
        self._keep(start, state)
        for n in range(start, count):
            state = state.copy()
            state.play(self._steps[n].action)
            self._keep(n + 1, state)
        return state

    def _keep(self, count: int, state: State) -> None:
        """Keep a position: for good if it is a snapshot, otherwise for a while."""
        if count % SNAPSHOT_EVERY == 0:
            if count // SNAPSHOT_EVERY == len(self._snapshots):
                self._snapshots.append(state)
            return
        self._recent[count] = state
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]

    def __repr__(self) -> str:
        played = "1 action" if self._at == 1 else f"{self._at} actions"
        return f"<{self.title.key}: {', '.join(self.seats)}, {played} played>"

    def __reduce__(self) -> tuple[object, ...]:
        """To pickle a game: its snapshots and its steps."""
        return _restore, (self.board, self.seats, self._snapshots, self._steps, self._at)

    def _resume(self, snapshots: list[State], steps: list[Step], at: int) -> None:
        """Continue with this history."""
        self._snapshots[:] = snapshots
        self._steps[:] = steps
        self._go_to(at)

    def to_text(self, comments: bool = True) -> str:
        """The record as text; with comments it also tells what happened."""
        lines = [f"cuberails {FORMAT}", f"title: {self.title.key}", f"rules: {self.state.rules_version}"]
        lines.append(f"board: {self.board.name}")
        if not self.board.built_in:
            lines += [f"| {line}" if line else "|" for line in self.board.text.removesuffix("\n").split("\n")]
        lines += [f"option: {name} {value}" for name, value in self.state.options.items()]
        lines += [f"seat: {name}" for name in self.seats]
        lines.append("")
        if comments:
            for step, events in zip(self.steps, self.events()):
                lines += self._step_lines(step, events)
        else:
            lines += [step.action.text for step in self.steps]
        return "\n".join(lines) + "\n"

    def _step_lines(self, step: Step, events: list[Event]) -> list[str]:
        sentences = [event.say(self.seats) for event in events]
        first = f"{step.action.text:<19} # {sentences[0]}" if sentences else step.action.text
        return [first, *(f"{'':<19} # {sentence}" for sentence in sentences[1:])]

    def to_json(self) -> str:
        """The same content as JSON."""
        content: dict[str, object] = {
            "cuberails": FORMAT,
            "title": self.title.key,
            "rules": self.state.rules_version,
            "board": self.board.name,
            "options": self.state.options,
            "seats": self.seats,
            "actions": [step.action.text for step in self.steps],
        }
        if not self.board.built_in:
            content["board_text"] = self.board.text
        return json.dumps(content, ensure_ascii=False, indent=1)


def _restore(board: Board, seats: list[str], snapshots: list[State], steps: list[Step], at: int) -> Game:
    game = Game(board, seats, snapshots[0].options, snapshots[0].rules_version)
    game._resume(snapshots, steps, at)
    return game
