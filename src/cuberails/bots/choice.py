"""Which of the actions searched a bot takes: the best, in the opening any that seems as good, at times a slip."""

from __future__ import annotations

from math import sqrt

from cuberails.bots.endgame import Positions
from cuberails.bots.search import Node, variance_of_mean
from cuberails.core.auction import Auction, must_bid

TIE_MARGIN = 0.001
"""Of actions of one kind that differ by less in what a seat aims at, the one that does more is better."""
SLIP_MARGIN = 0.02
"""A slip never takes an action that is this much worse than the best."""
LEADING = 3
"""A slip is of a kind that one of so many leading actions has."""


class Choice:
    """The actions of a root that was searched, compared by what they do as well."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.seat = root.state.phase.actor
        self.ranked = root.ranked()
        self._positions = Positions(root.state)
        self._changes: dict[int, int] = {}

    @property
    def best(self) -> int:
        """The best action; of those of its kind that are as good and got as far, one that does more than it."""
        root, first = self.root, self.ranked[0]
        if root.results:
            return first
        alike = [n for n in self._alike(first) if root.rounds[n] == root.rounds[first]]
        equal = [n for n in alike if abs(root.regret(n, first, self.seat)) < TIE_MARGIN]
        return next((n for n in equal if self._does_less(first, n)), first)

    def as_good(self) -> list[int]:
        """The best action, and those of the last two rounds that differ from it by less than a standard error."""
        best, root = self.best, self.root
        if root.results:
            return [best]
        late = [n for n in self.ranked if root.rounds[n] >= root.rounds[best] - 1 and root.action_visits[n]]
        return [best] + [n for n in late if n != best and self._within_error(n, best) and self.is_comparable(n, best)]

    def _within_error(self, n: int, best: int) -> bool:
        variance = variance_of_mean(self.root, n, self.seat) + variance_of_mean(self.root, best, self.seat)
        return self.root.regret(n, best, self.seat) < sqrt(variance)

    def slips(self) -> list[int]:
        """The other actions that lose little, as far as they were searched, and do something comparable."""
        best, root = self.best, self.root
        if root.results:
            return []
        kinds = {root.actions[n].kind for n in self.ranked[:LEADING]}
        near = [n for n in self.ranked if n != best and root.regret(n, best, self.seat) < SLIP_MARGIN]
        return [n for n in near if root.actions[n].kind in kinds and self.is_comparable(n, best)]

    def is_comparable(self, n: int, best: int) -> bool:
        """Whether an action does something of its own, as the best does.

        Nobody gives up in an auction by a slip. Elsewhere it does no less than another action of its kind, and if it is
        of another kind than the best, each of them does something that the other does not. So it is never comparable
        to pass, to expand nothing, to put up a charter that nobody can complete, or to move goods without earning.
        """
        root = self.root
        if isinstance(root.state.phase, Auction):
            legal = root.state.legal_actions()
            return must_bid(legal) or root.actions[n] is not legal[-1]
        alike = self._alike(n)
        if any(self._does_less(n, m) for m in alike):
            return False
        return best in alike or (self._adds(n, best) and self._adds(best, n))

    def _alike(self, n: int) -> list[int]:
        """The actions of the same kind."""
        return [m for m, action in enumerate(self.root.actions) if action.kind == self.root.actions[n].kind]

    def _does_less(self, n: int, other: int) -> bool:
        """Whether another action changes everything that this one does, and more."""
        return not self._adds(n, other) and self.changes(n) != self.changes(other)

    def _adds(self, n: int, other: int) -> bool:
        """Whether an action changes something that another one does not."""
        return self.changes(n) & ~self.changes(other) != 0

    def changes(self, n: int) -> int:
        """What an action changes on the table until its turn is over and the auction that it opens is settled."""
        if n not in self._changes:
            self._changes[n] = self._positions.changes(self.root.state, self.root.judged[n])
        return self._changes[n]
