"""A tree search for several players that knows no title: each seat chooses what is best for itself (max^n).

A position is judged where the tree ends, an auction as it is likely to end; nothing is played out to the end unless a
`Style` asks for it. Where a position is opened, every action worth a look is tried and judged at once. That gives the
first estimate of each action, and with it the order in which they are looked into: the longer a position is thought
about, the more of them.

At the root, what looks best is looked into in rounds, each action as often as the others, and after each round the
better half goes on. What a seat can expect after an action changes with how far one looks, since others will act as
well: only actions that were looked into alike can be compared.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import exp, inf, sqrt
from random import Random
from time import perf_counter
from typing import Final, TypeAlias

from cuberails.core.action import Action
from cuberails.core.auction import Auction, must_bid
from cuberails.core.judge import Judge
from cuberails.core.playout import after, pick
from cuberails.core.state import CHANCE, NOBODY, State

CURIOSITY: Final = 1.0
"""How much a search tries what it has not tried often, as against what has done well."""
SHARPNESS: Final = 6.0
"""How much more the actions that look best at first are looked into than the others."""
WIDEST: Final = 17
"""No more actions than this are compared at the root, however large the budget."""
AHEAD: Final = 8
"""So many decisions of its own, at most, a seat is carried on with to the end of its turn."""
WIDENING: Final = 1.5
"""How many more actions are looked into, times the root of how often the position was."""
FEW_BIDS: Final = 4
"""Where there are more bids than this, only some of them are looked at."""
JUMP: Final = 4
"""Where an auction is carried to its end, bids rise by one part of so many: seldom by a dollar, never far too much."""
MANY: Final = 60
"""Where there are more actions than this, most of those that did badly in other positions are not looked at again."""
FAMILIAR: Final = 16
"""So many of the actions known from there are looked at, those that did best."""
SPREAD: Final = 0.05
"""Before an action is looked into, what its visits will tell is expected to differ by about so much."""
SURMISE: Final = 8.0
"""That expectation counts as so many visits."""
DOUBT: Final = 3.0
"""An action is dropped when it is worse than the best by more than so many standard errors."""
FALLS: Final = 2.0
"""How many outcomes of dice are looked into, times the root of how often they were rolled."""
GOLDEN: Final = 0.6180339887498949
"""The step from one outcome to the next, as part of all: few or many, they are spread well."""
MIXING: Final = 997.0
"""The luck of one roll, times this, gives that of the next."""


@dataclass(frozen=True)
class Style:
    """How a search thinks. Only the budget differs between the levels; docs/bots.md tells what was compared.

    `wins` is the part of the win in what a seat aims at, the rest is its share of all scores. `capped`: nobody bids
    more than the judge thinks it is worth. `paranoid`: all others are expected to play against the seat. `playout`:
    how positions at the end of the tree are played out before they are judged, if at all. `settles`: an auction that
    is under way there is carried to its end. `finalists`: so many actions at least are looked into as far as the best.
    """

    simulations: int = 256
    seconds: float = inf
    wins: float = 0.5
    capped: bool = True
    paranoid: bool = False
    playout: str = "none"
    settles: bool = True
    finalists: int = 1


PLAYOUTS: Final = ("none", "random", "capped", "greedy")

Told: TypeAlias = Callable[[float], None]
"""Somebody who wants to hear how much of some work is done, from 0 to 1."""


class Look:
    """An action that was tried: the position after it, and what each seat can expect.

    `ahead` is the position from which it is looked into farther: at the root, that in which the turn ends.
    """

    def __init__(self, action: Action, after: State, ahead: State, reward: list[float]) -> None:
        self.action: Final = action
        self.after: Final = after
        self.ahead: Final = ahead
        self.reward: Final = reward


class Node:
    """A position in the tree. Lists run parallel to `actions`, which begin with what looks best at first.

    `first` is what each seat got judged right after an action, `totals` what it got from there in all visits, `squares`
    adds up the squares of what the seat to decide got; `rounds` says how many rounds each action lasted at the root.
    Where dice are rolled, `outcomes` are the positions known after them, `falls` the same in the order in which they
    came up; `luck`, from 0 to 1, says which one is the first.
    """

    def __init__(self, state: State, luck: float) -> None:
        self.state: Final = state
        self.luck: Final = luck
        self.opened: bool = False
        self.visits: int = 0
        self.actions: list[Action] = []
        self.priors: list[float] = []
        self.first: list[list[float]] = []
        self.after: list[State] = []
        self.ahead: list[State] = []
        self.tried: list[int] = []
        self.rounds: list[int] = []
        self.totals: list[list[float]] = []
        self.squares: list[float] = []
        self.children: list[Node | None] = []
        self.outcomes: dict[Action, Node] = {}
        self.falls: list[Node] = []

    def mean(self, n: int, seat: int) -> float:
        """What a seat can expect after an action; its first estimate counts as one visit."""
        return (self.totals[n][seat] + self.first[n][seat]) / (self.tried[n] + 1)

    def loss(self, n: int, best: int, seat: int) -> float:
        """How much worse for a seat an action is than the best; by first estimates, if it was not looked into."""
        if self.tried[n] == 0:
            return self.first[best][seat] - self.first[n][seat]
        return self.mean(best, seat) - self.mean(n, seat)

    def child(self, n: int) -> Node:
        node = self.children[n]
        if node is None:
            node = Node(self.ahead[n], self.luck)
            self.children[n] = node
        return node

    def following(self, action: Action) -> Node | None:
        """The position after an action, if it was looked into."""
        if self.state.phase.actor == CHANCE:
            return self.outcomes.get(action)
        for n, other in enumerate(self.actions):
            if other is action:
                return self.children[n] if self.ahead[n] is self.after[n] else None
        return None

    def take_over(self, known: Node) -> None:
        """Go on from what is known about the same position, of which not all actions need have been looked at."""
        self.visits = known.visits
        place = {action.id: n for n, action in enumerate(self.actions)}
        for old, action in enumerate(known.actions):
            n = place.get(action.id, -1)
            if n >= 0:
                self.tried[n] = known.tried[old]
                self.totals[n] = known.totals[old]
                self.children[n] = known.children[old]
                self.squares[n] = known.squares[old]

    def ranked(self) -> list[int]:
        """The actions from the best to the worst, as far as is known."""
        seat = self.state.phase.actor
        if self.rounds:
            return sorted(range(len(self.actions)), key=lambda n: (-self.rounds[n], -self.mean(n, seat)))
        return sorted(range(len(self.actions)), key=lambda n: (-self.tried[n], -self.mean(n, seat)))


class Search:
    """Thinks about positions of one title. The tree is kept while `moved` tells of every action taken."""

    def __init__(self, judge: Judge, style: Style, rng: Random) -> None:
        self.judge: Final = judge
        self.style: Final = style
        self.rng: Final = rng
        self.root: Node | None = None
        self.seat: int = NOBODY
        self.simulations: int = 0
        self.began: float = 0.0
        self.regrets: dict[tuple[int, int], float] = {}
        self.low: float = 1.0
        self.high: float = 0.0

    def moved(self, action: Action) -> None:
        """Somebody has acted: what was thought about other actions is forgotten."""
        if self.root is not None:
            self.root = self.root.following(action)

    def think(self, state: State, told: Told | None = None) -> Node:
        """Look into a position until the budget is spent or the choice is clear; `told` hears how far it is."""
        with uncollected():
            return self._think(state, told)

    def _think(self, state: State, told: Told | None) -> Node:
        self.seat = state.phase.actor
        self.began = perf_counter()
        self.low, self.high = 1.0, 0.0
        self.regrets.clear()
        root = self._root_for(state)
        style, number, part = self.style, 0, 0.0
        alive = list(range(min(len(root.actions), max(2, min(WIDEST, int(sqrt(style.simulations)))))))
        rounds = _rounds(len(alive), style.finalists)
        for stage in range(1, rounds + 1):
            while part * rounds < stage and len(alive) > 1:
                self._simulate(root, _least_tried(root, alive))
                number += 1
                part = max(number / style.simulations, (perf_counter() - self.began) / style.seconds)
                if told is not None:
                    told(min(part, 1.0))
                if number & 15 == 0:
                    alive = _hopeful(root, alive, style.finalists)
            half = max(style.finalists, (len(alive) + 1) // 2)
            alive = _hopeful(root, alive, style.finalists)
            for n in alive:
                root.rounds[n] = stage
            alive = alive[:half]
        self.simulations += number
        return root

    def _root_for(self, state: State) -> Node:
        """The position, opened anew. What is known of it is taken over, unless some actions only begin a turn."""
        root, known = Node(state.copy(), self.rng.random()), self.root
        self._open(root, True)
        root.rounds = [0] * len(root.actions)
        same = known is not None and known.state.phase.actor == self.seat and known.state._legal == state._legal
        if known is not None and same and root.ahead == root.after:
            root.take_over(known)
        self.root = root
        return root

    def _simulate(self, root: Node, action: int) -> None:
        """Go down the tree to a position that is not open yet, judge it, and tell all positions on the way."""
        path = [root]
        taken = [action]
        node = root.child(action)
        while node.opened:
            if node.state.phase.actor == CHANCE:
                node = self._outcome(node)
            else:
                n = self._select(node)
                path.append(node)
                taken.append(n)
                node = node.child(n)
        value = self._open(node)
        for visited, n in zip(path, taken):
            actor = visited.state.phase.actor
            visited.visits += 1
            visited.tried[n] += 1
            visited.squares[n] += value[actor] * value[actor]
            total = visited.totals[n]
            for seat, reward in enumerate(value):
                total[seat] += reward
            mean = visited.mean(n, actor)
            if mean < self.low:
                self.low = mean
            if mean > self.high:
                self.high = mean

    def _outcome(self, node: Node) -> Node:
        """What the dice show: one of few outcomes at first, and of more the longer this is thought about.

        They are spread evenly, and alike wherever dice are rolled for the first time: actions are compared by the same
        luck.
        """
        falls = len(node.falls)
        if falls >= FALLS * sqrt(node.visits + 1.0):
            child = node.falls[node.visits % falls]
        else:
            point = (node.luck + falls * GOLDEN) % 1.0
            action = node.state.phase.outcome(node.state, point)
            known = node.outcomes.get(action)
            child = Node(after(node.state, action), point * MIXING % 1.0) if known is None else known
            node.outcomes[action] = child
            node.falls.append(child)
        node.visits += 1
        return child

    def _select(self, node: Node) -> int:
        """What is best for the seat to decide, as far as is known, and not tried too often already."""
        actor = node.state.phase.actor
        against = self.style.paranoid and actor != self.seat
        seat = self.seat if against else actor
        span = self.high - self.low if self.high > self.low else 1.0
        scale = CURIOSITY * sqrt(node.visits + 1.0)
        best, chosen = -inf, 0
        for n in range(min(len(node.actions), 2 + int(WIDENING * sqrt(node.visits)))):
            mean = (node.mean(n, seat) - self.low) / span
            if against:
                mean = 1.0 - mean
            score = mean + scale * node.priors[n] / (node.tried[n] + 1.0)
            if score > best:
                best, chosen = score, n
        return chosen

    # Where the tree ends

    def _open(self, node: Node, whole: bool = False) -> list[float]:
        """Try every action worth a look, or the `whole` of them; return what each seat can expect here."""
        state = node.state
        actor = state.phase.actor
        if actor == NOBODY or state.too_long:
            return self._reward(state)
        node.opened = True
        if actor == CHANCE:
            return self._played_out(state)
        looks = self.worth_a_look(state, whole)
        looks.sort(key=lambda look: -look.reward[actor])
        node.actions = [look.action for look in looks]
        node.after = [look.after for look in looks]
        node.ahead = [look.ahead for look in looks]
        node.first = [look.reward for look in looks]
        node.priors = _priors([look.reward[actor] for look in looks])
        node.tried = [0] * len(looks)
        node.totals = [[0.0] * state.players for _ in looks]
        node.squares = [0.0] * len(looks)
        node.children = [None] * len(looks)
        if self.style.playout != "none":
            return self._played_out(node.after[0])
        if self.style.settles and isinstance(state.phase, Auction):
            return self._reward(self._settled(state))
        return node.first[0]

    def worth_a_look(self, state: State, whole: bool = False) -> list[Look]:
        """The legal actions, tried: of many bids some, of many others those that are new or did well elsewhere."""
        legal = state.legal_actions()
        if isinstance(state.phase, Auction):
            if len(legal) > FEW_BIDS:
                return self._bids(state, legal)
        elif len(legal) > MANY and not whole:
            legal = self._familiar(state.phase.actor, legal)
        looks = [self._look(state, action, whole) for action in legal]
        if len(state.legal_actions()) > MANY:
            self._remember(state.phase.actor, looks)
        return looks

    def _look(self, state: State, action: Action, settled: bool = False) -> Look:
        """An action, tried and judged; perhaps when the auction that it opens, or else the turn, is `settled`.

        Half of the seconds may go into that: on a slow machine the other actions are judged as they stand.
        """
        there = after(state, action)
        if not settled or perf_counter() - self.began > self.style.seconds / 2.0:
            return Look(action, there, there, self._reward(there))
        if isinstance(there.phase, Auction):
            return Look(action, there, there, self._reward(self._settled(there) if self.style.settles else there))
        ended = self._turn_ended(there, state.phase.actor)
        return Look(action, there, ended, self._reward(ended))

    def _turn_ended(self, state: State, seat: int) -> State:
        """The position after the turn, if the seat goes on deciding and always takes what looks best at once."""
        for _ in range(AHEAD):
            if state.phase.actor != seat or isinstance(state.phase, Auction):
                break
            state = self.at_once(state).after
        return state

    def at_once(self, state: State) -> Look:
        """What the seat to decide likes best without looking any farther."""
        seat = state.phase.actor
        return max(self.worth_a_look(state), key=lambda look: look.reward[seat])

    def _bids(self, state: State, legal: list[Action]) -> list[Look]:
        """The best bid, the highest that is better than to give up, one between, and to give up.

        The best need not be the lowest: what is paid may be what the railroad can build with. It is the best of those
        tried on the way to the highest.
        """
        offers = Offers(self, state, legal)
        tried, best, limit = offers.tried, offers.best, offers.limit
        give_up = [] if offers.give_up is None else [offers.give_up]
        if limit < 0:
            return give_up or [tried[0]]
        between = (best + limit) // 2
        if between not in tried:
            tried[between] = self._look(state, legal[between])
        return [*(tried[n] for n in sorted({best, between, limit})), *give_up]

    def _settled(self, state: State) -> State:
        """The position after the auction, if nobody bids what the judge thinks is too much."""
        phase = state.phase
        while isinstance(phase, Auction):
            seat = phase.actor
            state = self._answer(state, phase.least // JUMP)
            phase = state.phase
            if isinstance(phase, Auction) and phase.leader != seat and phase.inside >> seat & 1:
                break  # the next auction has begun
        return state

    def _answer(self, state: State, jump: int) -> State:
        """The position after a seat has raised by a jump, or by as little as may be, or given up."""
        legal, seat = state.legal_actions(), state.phase.actor
        if must_bid(legal):
            offers = Offers(self, state, legal)
            return offers.tried[max(offers.best, 0)].after
        give_up = self._look(state, legal[-1])
        for n in (jump, 0) if jump else (0,):
            if n < len(legal) - 1:
                raised = self._look(state, legal[n])
                if raised.reward[seat] > give_up.reward[seat]:
                    return raised.after
        return give_up.after

    def _familiar(self, seat: int, legal: list[Action]) -> list[Action]:
        """Actions that this seat was not seen to have elsewhere, and of the others those that did best there."""
        new: list[Action] = []
        known: list[tuple[float, int]] = []
        for n, action in enumerate(legal):
            regret = self.regrets.get((seat, action.id), -1.0)
            if regret < 0.0:
                new.append(action)
            else:
                known.append((regret, n))
        known.sort()
        return new + [legal[n] for _, n in known[:FAMILIAR]]

    def _remember(self, seat: int, looks: list[Look]) -> None:
        """How much worse than the best each action was."""
        best = max([look.reward[seat] for look in looks])
        for look in looks:
            self.regrets[seat, look.action.id] = best - look.reward[seat]

    def _reward(self, state: State) -> list[float]:
        """What each seat aims at: to win, and a large share of all scores."""
        values, wins = self.judge.worth(state), self.style.wins
        chances = self.judge.odds(state, values)
        total = 0.0
        for value in values:
            total += max(value, 0.0)
        if wins == 1.0 or total <= 0.0:
            return chances
        return [wins * chance + (1.0 - wins) * max(value, 0.0) / total for chance, value in zip(chances, values)]

    def _played_out(self, state: State) -> list[float]:
        """What each seat gets in the end if the game goes on as the style says."""
        style = self.style.playout
        if style != "none":
            state = state.copy()
            while state.phase.actor != NOBODY and not state.too_long:
                state.play(self._next(state, style))
        return self._reward(state)

    def _next(self, state: State, style: str) -> Action:
        if state.phase.actor == CHANCE or style == "random":
            return pick(state, self.rng)
        if style == "capped":
            looks = self.worth_a_look(state)
            return looks[int(self.rng.random() * len(looks))].action
        return self.at_once(state).action


class Offers:
    """What a seat may bid in an auction, numbered from the lowest legal bid, which is 0, as far as it was `tried`.

    `limit` is the highest bid that is better than to give up, found by halving, and `best` the best of those tried;
    both are -1 if none is. A seat that must bid goes up from the lowest, which is as good as to give up.
    """

    def __init__(self, search: Search, state: State, legal: list[Action]) -> None:
        seat, last = state.phase.actor, len(legal) - 1
        self.give_up: Look | None = None
        self.tried: Final[dict[int, Look]] = {}
        if must_bid(legal):
            least = self._climb(search, state, legal)
        else:
            self.give_up = search._look(state, legal[last])
            least = self.give_up.reward[seat] if search.style.capped else -inf
            self._halve(search, state, legal[:last], least)
        good = [n for n, look in self.tried.items() if look.reward[seat] > least]
        self.limit: Final = max(good, default=-1)
        self.best: Final = max(good, key=lambda n: self.tried[n].reward[seat], default=-1)

    def _climb(self, search: Search, state: State, bids: list[Action]) -> float:
        """Try every bid from the lowest to the first that is too high; return what the lowest is worth."""
        seat, found = state.phase.actor, False
        for n, action in enumerate(bids):
            self.tried[n] = search._look(state, action)
            if self.tried[n].reward[seat] > self.tried[0].reward[seat]:
                found = True
            elif found:
                break
        return self.tried[0].reward[seat]

    def _halve(self, search: Search, state: State, bids: list[Action], least: float) -> None:
        """Try the highest bid, and if it is not worth more than this, go down by halves to the highest that is."""
        seat, low, high = state.phase.actor, 0, len(bids)
        n = high - 1
        while low <= n < high:
            self.tried[n] = search._look(state, bids[n])
            if self.tried[n].reward[seat] > least:
                low = n + 1
            else:
                high = n
            n = (low + high) // 2
        if bids and 0 not in self.tried:
            self.tried[0] = search._look(state, bids[0])


@contextmanager
def uncollected() -> Iterator[None]:
    """While trees grow Python does not look for cycles in them: there are none, and it took a third of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _priors(rewards: list[float]) -> list[float]:
    """How much each action is looked into at first, all together 1; the best comes first."""
    span = max(rewards[0] - rewards[-1], 1e-9)
    weights = [exp(SHARPNESS * (reward - rewards[0]) / span) for reward in rewards]
    total = sum(weights)
    return [weight / total for weight in weights]


def _rounds(actions: int, finalists: int) -> int:
    """After how many rounds, each of which halves them, no more than so many of the actions are left."""
    if actions < 2:
        return 0
    rounds = 1
    while finalists << rounds < actions:
        rounds += 1
    return rounds


def _least_tried(root: Node, alive: list[int]) -> int:
    """Of these actions the one that was looked into least; of equals, the one that looked best at first."""
    least = alive[0]
    for n in alive:
        if root.tried[n] < root.tried[least]:
            least = n
    return least


def _hopeful(root: Node, alive: list[int], finalists: int) -> list[int]:
    """Of these actions, the best first, those that may still turn out to be the best, but not fewer than so many."""
    seat = root.state.phase.actor
    ranked = sorted(alive, key=lambda n: -root.mean(n, seat))
    best, error = root.mean(ranked[0], seat), _error(root, ranked[0], seat)
    hopeful = ranked[:finalists]
    for n in ranked[finalists:]:
        if best - root.mean(n, seat) < DOUBT * sqrt(error + _error(root, n, seat)):
            hopeful.append(n)
    return hopeful


def _error(root: Node, n: int, seat: int) -> float:
    """How wrong what is known about an action may be: the variance of its mean."""
    times = float(root.tried[n])
    if times == 0.0:
        return 1.0
    mean = root.totals[n][seat] / times
    spread = max(0.0, root.squares[n] - times * mean * mean)
    return (spread + SURMISE * SPREAD * SPREAD) / (times + SURMISE) / times
