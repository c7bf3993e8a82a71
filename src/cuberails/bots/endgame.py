"""The end of a game, searched to the end: max^n with a transposition table, over the true results.

Each seat maximises its share of the win, and then its margin; of what is equal to another seat, the seat that asks
expects the worst. The search deepens step by step; a position whose end is
too far away has no known outcome. Where the seat to decide can win alone, no other action matters (immediate pruning),
so that a win is also proved where other lines are too long, or go through dice with many outcomes.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Final

from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.playout import after, pick
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.value import Value

PROBES: Final = 3
"""Random playouts that tell whether the end is near."""
PROBE_LENGTH: Final = 12
"""They give up after so many decisions."""
DEEPEST: Final = 48
"""How many decisions the search goes deep at most; bids do not count, since money limits them."""
MOST_LEVELS: Final = 160
"""How many decisions it goes deep with bids, at most: Python's own stack ends at some 1,000 calls."""
MOST_OUTCOMES: Final = 36
"""Where dice have more outcomes than this, none is searched."""
CLOCK_EVERY: Final = 16
"""One in this number of nodes looks at the clock."""

COMMON: Final = frozenset(["board", "options", "players", "rules_version", "phase", "listening", "events", "_legal"])
"""Attributes that every State has: none tells positions of one game apart but the phase, which is asked for apart."""


class Positions:
    """Tells positions of one title apart by their attributes, whatever these are."""

    def __init__(self, state: State) -> None:
        # By its name: compiled code would not see a class attribute of an interpreted state.
        remembered: tuple[str, ...] = getattr(type(state), "remembered")  # noqa: B009
        self.names: Final = [name for name in state.__getstate__() if name not in COMMON and name not in remembered]

    def key(self, state: State) -> tuple[object, ...]:
        """The same for two positions exactly if they are the same."""
        return tuple([_frozen(state.phase)] + [_frozen(getattr(state, name)) for name in self.names])

    def changes(self, before: State, there: State) -> int:
        """What differs between two positions beside whose decision it is: a bit mask of attributes."""
        changed, bit = 0, 1
        for name in self.names:
            old, new = getattr(before, name), getattr(there, name)
            if old is not new and _frozen(old) != _frozen(new):
                changed |= bit
            bit <<= 1
        return changed


def _frozen(value: object) -> object:
    """The same as something that can be a key of a dict."""
    if isinstance(value, list):
        return tuple([_frozen(each) for each in value]) if value and not isinstance(value[0], int) else tuple(value)
    if isinstance(value, Value):
        parts = value.__reduce__()
        return parts[0], _frozen(parts[1])
    if isinstance(value, tuple):
        return tuple([_frozen(each) for each in value])
    if isinstance(value, dict):
        return tuple([(name, _frozen(each)) for name, each in value.items()])
    return value


class Outcome:
    """How the game ends, or is expected to: each seat's share of the win, and its lead over the best other score."""

    def __init__(self, shares: list[float], margins: list[float]) -> None:
        self.shares: Final = shares
        self.margins: Final = margins

    def better(self, other: Outcome, seat: int) -> bool:
        """Whether a seat prefers this: the win first."""
        gain = self.shares[seat] - other.shares[seat]
        if abs(gain) > 1e-9:
            return gain > 0.0
        return self.margins[seat] > other.margins[seat] + 1e-9

    def wins(self, seat: int) -> bool:
        """Whether a seat wins alone, whatever the dice."""
        return self.shares[seat] > 1.0 - 1e-9


def loses(outcome: Outcome | None, seat: int) -> bool:
    """Whether a seat has no share of the win, whatever it does and the dice bring."""
    return outcome is not None and outcome.shares[seat] < 1e-9


def final(state: State) -> Outcome:
    """The outcome of a game that is over."""
    scores = state.scores()
    margins: list[float] = []
    for seat, score in enumerate(scores):
        others = scores[:seat] + scores[seat + 1 :]
        margins.append(float(score - max(others)))
    return Outcome(state.win_shares(), margins)


class OutOfBudget(Exception):
    """The nodes or the time are used up."""


class Endgame:
    """Searches positions to the end of the game, within so many nodes and until a moment of `perf_counter`."""

    def __init__(self, state: State, nodes: int, until: float) -> None:
        self.positions: Final = Positions(state)
        self.seat: Final = state.phase.actor
        self.nodes: int = nodes
        self.until: Final = until
        self.count: int = 0
        self.prunes: bool = True
        self.level: int = 0
        # The transposition table: outcomes of positions, and how deep those were searched that have none yet.
        self.known: Final[dict[object, Outcome]] = {}
        self.searched: Final[dict[object, int]] = {}
        # The killer heuristic: the action by which each seat won last is tried first.
        self.killers: Final[dict[int, Action]] = {}
        # The actions by which the seat that asks loses by force, as far as that is known.
        self.losing: Final[set[Action]] = set()

    def solve(self, state: State, first_depth: int) -> list[Outcome | None]:
        """The outcome of each legal action, as far as it is known, or nothing at all unless the best one is.

        Then those that lose by force are in `losing`, as far as they were found.
        """
        seat = state.phase.actor
        depth = max(1, min(first_depth, DEEPEST))
        found = self._outcomes(state, depth)
        while not _is_solved(found, seat):
            if depth == DEEPEST or self.count >= self.nodes:
                return []
            depth = min(2 * depth, DEEPEST)
            found = self._outcomes(state, depth)
        return self._without_pruning(state, depth) or found

    def _without_pruning(self, state: State, depth: int) -> list[Outcome | None]:
        """The outcome of each action with its true margin, if half of the nodes that are left are enough for all."""
        self.prunes = False
        self.known.clear()
        self.searched.clear()
        self.nodes -= (self.nodes - self.count) // 2
        while True:
            found = self._outcomes(state, depth)
            if None not in found:
                return found
            if depth == DEEPEST or self.count >= self.nodes:
                return []
            depth = min(2 * depth, DEEPEST)

    def _outcomes(self, state: State, depth: int) -> list[Outcome | None]:
        """The outcome of each legal action, if it is known so many decisions deep."""
        found: list[Outcome | None] = [None] * len(state.legal_actions())
        self.level = 0
        try:
            for n, action in enumerate(state.legal_actions()):
                found[n] = self._outcome(self._step(state, action), depth - 1)
        except OutOfBudget:
            pass
        self.losing.update(action for action, end in zip(state.legal_actions(), found) if loses(end, self.seat))
        return found

    def _step(self, state: State, action: Action) -> State:
        if self.count >= self.nodes:
            raise OutOfBudget
        self.count += 1
        if self.count % CLOCK_EVERY == 0 and perf_counter() > self.until:
            self.count = self.nodes
            raise OutOfBudget
        return after(state, action)

    def _outcome(self, state: State, depth: int) -> Outcome | None:
        actor = state.phase.actor
        if actor == NOBODY:
            return final(state)
        if depth <= 0 or self.level >= MOST_LEVELS or state.too_long:
            return None
        key = self.positions.key(state)
        known = self.known.get(key)
        if known is not None:
            return known
        if self.searched.get(key, 0) >= depth:
            return None
        self.level += 1
        found = self._expected(state, depth) if actor == CHANCE else self._best(state, actor, depth)
        self.level -= 1
        if found is None:
            self.searched[key] = depth
        else:
            self.known[key] = found
        return found

    def _best(self, state: State, seat: int, depth: int) -> Outcome | None:
        """What the seat to decide can reach: known if that of every action is, or if it wins by one of them."""
        best: Outcome | None = None
        complete = True
        deeper = depth if isinstance(state.phase, Auction) else depth - 1
        for action in self._ordered(state.legal_actions(), seat):
            found = self._outcome(self._step(state, action), deeper)
            if found is None:
                complete = False
                continue
            if self.prunes and found.wins(seat):
                self.killers[seat] = action
                return found
            if best is None or found.better(best, seat) or self._is_worse_tie(found, best, seat):
                best = found
        return best if complete else None

    def _is_worse_tie(self, found: Outcome, best: Outcome, seat: int) -> bool:
        """Whether another seat, to which both are equal, could choose this and do harm to the seat that asks."""
        return not best.better(found, seat) and best.better(found, self.seat)

    def _ordered(self, legal: list[Action], seat: int) -> list[Action]:
        killer = self.killers.get(seat)
        if killer is None or killer not in legal:
            return legal
        return [killer] + [action for action in legal if action is not killer]

    def _expected(self, state: State, depth: int) -> Outcome | None:
        """The mean over all outcomes of the dice, each by its probability."""
        if len(state.legal_actions()) > MOST_OUTCOMES:
            return None
        shares, margins = [0.0] * state.players, [0.0] * state.players
        for action, probability in state.chance_outcomes():
            found = self._outcome(self._step(state, action), depth - 1)
            if found is None:
                return None
            for seat in range(state.players):
                shares[seat] += probability * found.shares[seat]
                margins[seat] += probability * found.margins[seat]
        return Outcome(shares, margins)


def _is_solved(found: list[Outcome | None], seat: int) -> bool:
    """Whether the best of these outcomes is known: all are, or one of them is a win."""
    complete = True
    for outcome in found:
        if outcome is None:
            complete = False
        elif outcome.wins(seat):
            return True
    return complete


def decisions_left(state: State, rng: Random) -> int:
    """The fewest decisions in which random playouts come to the end; 0 unless all do within reach."""
    fewest = PROBE_LENGTH
    for _ in range(PROBES):
        count = _probe(state.copy(), rng)
        if count == 0:
            return 0
        fewest = min(fewest, count)
    return fewest


def _probe(state: State, rng: Random) -> int:
    """In how many decisions one random playout comes to the end; 0 if not within reach."""
    for count in range(1, PROBE_LENGTH + 1):
        if state.too_long:
            return 0
        state.play(pick(state, rng))
        if state.phase.actor == NOBODY:
            return count
    return 0
