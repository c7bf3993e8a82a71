"""What the shares of Southern Rails score by the rules, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.share import Correction, Figure, Lot, Payment, Share, Shares, added
from cuberails.core.state import NOBODY, State
from cuberails.titles.southern_rails.board import TAKE, SouthernRailsBoard
from cuberails.titles.southern_rails.events import Awarded
from cuberails.titles.southern_rails.rules import place, take_share
from cuberails.titles.southern_rails.state import SouthernRails

MOST_POINTS: Final = 30
"""No share is worth more points than that; winners seldom have as many."""


class SouthernRailsShares(Shares):
    """The shares of the railroads: they score points in scoring rounds, and count nothing else [S6.2, S8.3]."""

    def __init__(self, board: Board) -> None:
        super().__init__("points", Correction(growth=0.93, width=0.25, noise=0.001), gives="score")

    def shares(self, position: State) -> list[Share]:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        board = state.board
        return [
            Share(name, state.shares[rr :: board.count], state.stock[rr], _figures(state, rr))
            for rr, name in enumerate(board.railroads)
        ]

    def payments(self, position: State, event: Event) -> list[Payment]:
        return [Payment(event.railroad, float(event.per_share), event.points)] if isinstance(event, Awarded) else []

    def unchanged(self, position: State, name: str, payments: float) -> float:
        """Every scoring round to come would be like one that is held now."""
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        return float(scorings_left(state) * points_now(state, state.board.railroads.index(name)))

    def credit(self, position: State, seat: int, amount: int) -> None:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        state.points = added(state.points, seat, amount)

    def lot(self, state: State, action: Action) -> Lot | None:
        """A pick costs nothing; its price is in points, which nobody pays [S2.1, S7.2]."""
        board = state.board
        assert isinstance(board, SouthernRailsBoard)
        return Lot(board.railroads[action.a], "draft pick", 1, 0) if action.kind == TAKE else None

    def give(self, position: State, action: Action, seat: int) -> None:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        take_share(state, seat, action.a)

    def purse(self, state: State, seat: int) -> int:
        return MOST_POINTS


def points_now(state: SouthernRails, rr: int) -> int:
    """What one share of a railroad would score in a scoring round now [S6.2]."""
    total = 0
    for category, points in enumerate(state.board.points):
        if state.leader(category) == rr:
            total += points
    return total


def best_cube(state: SouthernRails, rr: int) -> tuple[int, str]:
    """How many points more a share would score after the best single cube of its railroad, and where that is."""
    now, best, where = points_now(state, rr), 0, ""
    for action in state.can_place(rr):
        there = state.copy()
        place(there, 0, rr, action.b)
        more = points_now(there, rr) - now
        if more > best:
            best, where = more, state.board.label(action.b)
    return best, where


def _figures(state: SouthernRails, rr: int) -> list[Figure]:
    board = state.board
    led = [category for category in range(len(board.points)) if state.leader(category) == rr]
    figures = [Figure("scores now", _points(points_now(state, rr)))]
    figures += [Figure(board.categories[category], _points(board.points[category])) for category in led]
    more, where = best_cube(state, rr)
    figures.append(Figure("with one cube more", f"+{_points(more)} in {where}" if more else "+0 points"))
    return [*figures, Figure("scoring rounds left", f"{scorings_left(state)}")]


def scorings_left(state: SouthernRails) -> int:
    """How many scoring rounds there will be at most [S8.1, S8.2]."""
    return 0 if state.phase.actor == NOBODY else state.board.rounds - state.scorings


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"
