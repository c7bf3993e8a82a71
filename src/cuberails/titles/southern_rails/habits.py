"""Habits of players in Southern Rails: which categories are scored, and by how many shares."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.habits import AIMS, LENGTH, Amounts, Frequency, Habit, Habits
from cuberails.core.state import State
from cuberails.titles.southern_rails.board import SouthernRailsBoard
from cuberails.titles.southern_rails.events import Awarded, Withheld
from cuberails.titles.southern_rails.state import SouthernRails


class SouthernRailsHabits(Habits):
    """Watches a game of Southern Rails."""

    def __init__(self, first: State) -> None:
        assert isinstance(first, SouthernRails)
        names = first.board.categories
        self.scored = {name: Frequency(AIMS, f"scoring rounds in which “{name}” gave points") for name in names}
        self.led = {name: Frequency(AIMS, f"scoring rounds with a leader in “{name}”") for name in names}
        self.points = {name: Amounts(AIMS, f"points for “{name}” where it gave any") for name in names}

    def endings(self, board: Board) -> list[str]:
        assert isinstance(board, SouthernRailsBoard)
        return [f"scoring round {board.rounds} was the last (S8.1)", "nobody can place a cube (S8.2)"]

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        for event in events:
            if isinstance(event, Awarded):
                self.see_award(event.category, True, sum(event.points))
            elif isinstance(event, Withheld):
                self.see_award(event.category, False, 0)

    def see_award(self, category: str, led: bool, points: int) -> None:
        """A leader gives points only to those who hold shares of it: nobody may [S6.2]."""
        self.led[category].count(led)
        self.scored[category].count(points > 0)
        if points:
            self.points[category].add(points)

    def found(self, last: State) -> list[Habit]:
        assert isinstance(last, SouthernRails)
        rounds = Amounts(LENGTH, "scoring rounds", seen=[last.scorings])
        return [rounds, *self.led.values(), *self.scored.values(), *self.points.values()]
