"""A best-first tree search for several players that knows no title (max^n: each seat maximises its own reward).

A simulation selects actions by PUCT down to a position that is not expanded yet, expands it and backs its value up. The
value is the judge's, with an auction under way settled first; there are no rollouts unless a `SearchConfig` asks for
them. Expanding a position tries and judges every candidate action at once: that is the first estimate of each action,
the source of its prior, and the order in which progressive widening admits it.

At the root, actions are compared by sequential halving: in each round all that are left get the same number of visits,
and the better half stays. What a seat can expect changes with the depth of the search, since others will act as well,
so only actions with equally many visits can be compared. Those that are clearly worse are eliminated early.

Chance nodes draw their outcomes from a low-discrepancy sequence that starts at the same point after every action at the
root (common random numbers), so that no action looks better because its dice were luckier.

Where random playouts say that the end is near, `bots/endgame.py` first tries to search the position to the end of the
game; if that is possible within the budget, nothing else is searched.
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

from cuberails.bots.endgame import Endgame, Outcome, Positions, decisions_left
from cuberails.core.action import Action
from cuberails.core.auction import Auction, must_bid
from cuberails.core.judge import Judge
from cuberails.core.playout import after, pick
from cuberails.core.state import CHANCE, NOBODY, State

C_PUCT: Final = 1.0
"""The exploration constant of PUCT."""
PRIOR_SHARPNESS: Final = 6.0
"""The inverse temperature of the softmax that makes priors of first estimates, which are scaled to span 1."""
WIDENING: Final = 1.5
"""Progressive widening: 2 + WIDENING * sqrt(visits) actions of a position may be selected."""
CHANCE_WIDENING: Final = 2.0
"""Progressive widening of chance nodes: CHANCE_WIDENING * sqrt(visits) outcomes are drawn."""
MOST_ROOT_ACTIONS: Final = 17
"""No more actions than this take part in the halving, however large the budget."""
MOST_TURN_DECISIONS: Final = 8
"""How many further decisions, at most, complete a turn before it is judged."""
FEW_BIDS: Final = 4
"""Where there are more bids than this, only some of them are candidates."""
RAISE_PART: Final = 4
"""Where an auction is settled, bids rise by the least bid divided by this: seldom by a dollar, never far too much."""
MANY_ACTIONS: Final = 60
"""Where there are more actions than this, the history heuristic leaves most of them out."""
HISTORY_WIDTH: Final = 16
"""How many actions with a history remain there: those that did best."""
PRIOR_DEVIATION: Final = 0.05
"""The standard deviation of an action's rewards that is assumed before any visit."""
PRIOR_VISITS: Final = 8.0
"""How many visits that assumption counts as."""
ELIMINATION: Final = 3.0
"""An action is eliminated when its mean is worse than the best by more than this number of standard errors."""
GOLDEN_RATIO: Final = 0.6180339887498949
"""The step of the golden-ratio sequence, which spreads any number of points evenly over [0, 1)."""
END_NODES: Final = 200
"""The search to the end of the game may try this number of actions for each simulation of the budget."""
POINT_MIXING: Final = 997.0
"""The point drawn at one roll, times this modulo 1, is where the sequence of the next roll starts."""


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a search. Only the budget differs between the levels; docs/bots.md has what was compared.

    `simulations` and `seconds` are the budget. The reward of a seat is `win_weight` times its chance to win, and for
    the rest its share of all scores. `cap_bids`: nobody bids more than the judge thinks it is worth. `paranoid`: all
    other seats minimise the reward of the seat that searches instead of maximising their own. `rollout`: the policy
    that plays on to the end of the game before a position is judged, or "none". `settle_auctions`: an auction under
    way is carried to its end before a position is judged. `finalists`: at least this number of actions get
    as many visits as the best. `judge`: the title's "best", or its "hand"-made one, or a file of `cuberails lab learn`.
    `lean`: a feature of the title with a weight, to which the judge inclines, as in "near_chicago*0.5".
    `exact_end`: the end of the game is searched to the end, where it is near. `opening`: so many decisions of its own
    a bot draws among actions that seem equally good. `distinct`: of actions that come to the same position one is
    searched. `fair_bids`: a bot bids as little as it may, up to what the lot is worth to it by `bots/price.py`.
    """

    simulations: int = 256
    seconds: float = inf
    win_weight: float = 0.5
    cap_bids: bool = True
    paranoid: bool = False
    rollout: str = "none"
    settle_auctions: bool = True
    finalists: int = 1
    judge: str = "best"
    lean: str = ""
    exact_end: bool = True
    opening: int = 6
    distinct: bool = True
    fair_bids: bool = False


ROLLOUTS: Final = ("none", "random", "capped", "greedy")
"""The policies of rollouts: any action, any candidate (no bid that is too high), or what the judge likes best."""

OnProgress: TypeAlias = Callable[[float], None]
"""Called with the part of some work that is done, from 0 to 1."""


class Candidate:
    """An action that was tried: the position after it, and the reward of each seat.

    `start` is the position from which the search goes deeper: at the root, that in which the turn ends. `judged` is the
    one that was judged: at the root, that in which also an auction is settled.
    """

    def __init__(self, action: Action, after: State, start: State, judged: State, reward: list[float]) -> None:
        self.action: Final = action
        self.after: Final = after
        self.start: Final = start
        self.judged: Final = judged
        self.reward: Final = reward


class Node:
    """A position in the tree. Lists run parallel to `actions`, which are sorted by their first estimates, best first.

    `estimates` are the rewards of the seats judged right after an action, `totals` the sums of those backed up from its
    `action_visits`, `squares` the sum of squares for the seat to decide; `rounds` says how many rounds of the halving
    each action survived at the root. If a root was searched to the end of the game, `results` holds what each action
    leads to, None where that is not known, and `rounds` their order. At a chance node `outcomes` are the nodes known,
    `draws` the same in the order in which they were drawn, and `point` the start of the sequence that draws them.
    """

    def __init__(self, state: State, point: float) -> None:
        self.state: Final = state
        self.point: Final = point
        self.expanded: bool = False
        self.visits: int = 0
        self.actions: list[Action] = []
        self.priors: list[float] = []
        self.estimates: list[list[float]] = []
        self.after: list[State] = []
        self.starts: list[State] = []
        self.judged: list[State] = []
        self.results: list[Outcome | None] = []
        self.action_visits: list[int] = []
        self.rounds: list[int] = []
        self.totals: list[list[float]] = []
        self.squares: list[float] = []
        self.children: list[Node | None] = []
        self.outcomes: dict[Action, Node] = {}
        self.draws: list[Node] = []

    def mean(self, n: int, seat: int) -> float:
        """The mean reward of a seat after an action; the first estimate counts as one visit."""
        return (self.totals[n][seat] + self.estimates[n][seat]) / (self.action_visits[n] + 1)

    def regret(self, n: int, best: int, seat: int) -> float:
        """How much worse for a seat an action is than the best; by first estimates, if it was never visited."""
        if self.action_visits[n] == 0:
            return self.estimates[best][seat] - self.estimates[n][seat]
        return self.mean(best, seat) - self.mean(n, seat)

    def leave_out(self, actions: set[Action]) -> None:
        """Forget these actions."""
        kept = [n for n, action in enumerate(self.actions) if action not in actions]
        self.actions = [self.actions[n] for n in kept]
        self.priors = [self.priors[n] for n in kept]
        self.estimates = [self.estimates[n] for n in kept]
        self.after = [self.after[n] for n in kept]
        self.starts = [self.starts[n] for n in kept]
        self.judged = [self.judged[n] for n in kept]
        self.action_visits = [self.action_visits[n] for n in kept]
        self.rounds = [self.rounds[n] for n in kept]
        self.totals = [self.totals[n] for n in kept]
        self.squares = [self.squares[n] for n in kept]
        self.children = [self.children[n] for n in kept]

    def child(self, n: int) -> Node:
        node = self.children[n]
        if node is None:
            node = Node(self.starts[n], self.point)
            self.children[n] = node
        return node

    def child_after(self, action: Action) -> Node | None:
        """The node of the position right after an action, if there is one."""
        if self.state.phase.actor == CHANCE:
            return self.outcomes.get(action)
        for n, other in enumerate(self.actions):
            if other is action:
                return self.children[n] if self.starts[n] is self.after[n] else None
        return None

    def reuse(self, known: Node) -> None:
        """Take the statistics over from a node of the same position, which need not have all actions."""
        self.visits = known.visits
        place = {action.id: n for n, action in enumerate(self.actions)}
        for old, action in enumerate(known.actions):
            n = place.get(action.id, -1)
            if n >= 0:
                self.action_visits[n] = known.action_visits[old]
                self.totals[n] = known.totals[old]
                self.children[n] = known.children[old]
                self.squares[n] = known.squares[old]

    def ranked(self) -> list[int]:
        """The actions from the best to the worst: by rounds survived at the root, by visits elsewhere, then by mean."""
        seat = self.state.phase.actor
        order = self.rounds or self.action_visits
        return sorted(range(len(self.actions)), key=lambda n: (-order[n], -self.mean(n, seat)))


class Search:
    """Searches positions of one title. The tree is reused from move to move while `advance` hears of every action."""

    def __init__(self, judge: Judge, config: SearchConfig, rng: Random) -> None:
        self.judge: Final = judge
        self.config: Final = config
        self.rng: Final = rng
        self.root: Node | None = None
        self.seat: int = NOBODY
        self.simulations: int = 0
        self.began: float = 0.0
        # History heuristic: how much worse than the best an action was for a seat when it was last tried.
        self.history: dict[tuple[int, int], float] = {}
        # The range of all means in the tree, by which PUCT scales them to 0 … 1.
        self.lowest: float = 1.0
        self.highest: float = 0.0

    def advance(self, action: Action) -> None:
        """An action was taken: keep its subtree and forget the others."""
        if self.root is not None:
            self.root = self.root.child_after(action)

    def think(self, state: State, on_progress: OnProgress | None = None) -> Node:
        """Search a position until the budget is spent or one action is left."""
        with collector_paused():
            return self._think(state, on_progress)

    def _think(self, state: State, on_progress: OnProgress | None) -> Node:
        """Sequential halving over the actions at the root."""
        self.seat = state.phase.actor
        self.began = perf_counter()
        self.lowest, self.highest = 1.0, 0.0
        self.history.clear()
        root = self._root_for(state)
        if self._solve_end(root):
            return root
        config, number, part = self.config, 0, 0.0
        left = list(range(min(len(root.actions), max(2, min(MOST_ROOT_ACTIONS, int(sqrt(config.simulations)))))))
        rounds = _halving_rounds(len(left), config.finalists)
        for stage in range(1, rounds + 1):
            while part * rounds < stage and len(left) > 1:
                self._simulate(root, _least_visited(root, left))
                number += 1
                part = max(number / config.simulations, (perf_counter() - self.began) / config.seconds)
                if on_progress is not None:
                    on_progress(min(part, 1.0))
                if number & 15 == 0:
                    left = _not_eliminated(root, left, config.finalists)
            half = max(config.finalists, (len(left) + 1) // 2)
            left = _not_eliminated(root, left, config.finalists)
            for n in left:
                root.rounds[n] = stage
            left = left[:half]
        self.simulations += number
        return root

    def _root_for(self, state: State) -> Node:
        """The position, expanded anew. Statistics of the last search are reused, unless some actions begin a turn."""
        root, known = Node(state.copy(), self.rng.random()), self.root
        self._expand(root, True)
        root.rounds = [0] * len(root.actions)
        same = known is not None and known.state.phase.actor == self.seat and known.state._legal == state._legal
        if known is not None and same and root.starts == root.after:
            root.reuse(known)
        self.root = root
        return root

    def _solve_end(self, root: Node) -> bool:
        """Search the root to the end of the game, if that is near; whether its best action is known for certain.

        If it is not, what is known to lose is left out, as long as something else can be done.
        """
        config, state = self.config, root.state
        if not config.exact_end or len(root.actions) == 0:
            return False
        near = 1 if any(there.phase.actor == NOBODY for there in root.judged) else decisions_left(state, self.rng)
        if near == 0:
            return False
        end = Endgame(state, END_NODES * config.simulations, self.began + config.seconds / 2.0)
        found = end.solve(state, near)
        if found:
            self._set_outcomes(root, found)
        else:
            self._leave_out(root, end.losing)
        return len(found) > 0

    def _leave_out(self, root: Node, losing: set[Action]) -> None:
        """Search without actions that lose by force: with the other candidates, or if there are none, all others."""
        others = [action for action in root.state.legal_actions() if action not in losing]
        if not losing or not others:
            return
        root.leave_out(losing)
        if not root.actions:
            self._set_candidates(root, [self._try(root.state, action, True) for action in others])
            root.rounds = [0] * len(others)

    def _set_outcomes(self, root: Node, found: list[Outcome | None]) -> None:
        """All legal actions take the place of the candidates, ranked by what they lead to.

        Of equally good ones the judge decides. An action whose outcome is not known cannot be better than a sure win.
        """
        state, seat = root.state, root.state.phase.actor
        tried = [self._try(state, action, True) for action in state.legal_actions()]
        numbers = sorted(range(len(tried)), key=lambda n: (_rank(found[n], seat), -tried[n].reward[seat]))
        self._set_candidates(root, [tried[n] for n in numbers])
        root.results = [found[n] for n in numbers]
        root.rounds = list(range(len(numbers), 0, -1))
        for n, outcome in enumerate(root.results):
            if outcome is not None:
                root.estimates[n] = outcome.shares

    def _simulate(self, root: Node, action: int) -> None:
        """Select down to a node that is not expanded yet, expand it, and back its value up."""
        path = [root]
        taken = [action]
        node = root.child(action)
        while node.expanded:
            if node.state.phase.actor == CHANCE:
                node = self._draw(node)
            else:
                n = self._select(node)
                path.append(node)
                taken.append(n)
                node = node.child(n)
        value = self._expand(node)
        for visited, n in zip(path, taken):
            self._back_up(visited, n, value)

    def _back_up(self, node: Node, n: int, value: list[float]) -> None:
        actor = node.state.phase.actor
        node.visits += 1
        node.action_visits[n] += 1
        node.squares[n] += value[actor] * value[actor]
        total = node.totals[n]
        for seat, reward in enumerate(value):
            total[seat] += reward
        mean = node.mean(n, actor)
        if mean < self.lowest:
            self.lowest = mean
        if mean > self.highest:
            self.highest = mean

    def _draw(self, node: Node) -> Node:
        """An outcome of a chance node: a new one while widening permits, otherwise the known ones in turn.

        New ones follow the golden-ratio sequence from the node's `point`, the same one for all actions at the root.
        """
        drawn = len(node.draws)
        if drawn >= CHANCE_WIDENING * sqrt(node.visits + 1.0):
            child = node.draws[node.visits % drawn]
        else:
            point = (node.point + drawn * GOLDEN_RATIO) % 1.0
            action = node.state.phase.outcome(node.state, point)
            known = node.outcomes.get(action)
            child = Node(after(node.state, action), point * POINT_MIXING % 1.0) if known is None else known
            node.outcomes[action] = child
            node.draws.append(child)
        node.visits += 1
        return child

    def _select(self, node: Node) -> int:
        """PUCT among the actions that progressive widening admits; means are scaled by their range in the tree."""
        actor = node.state.phase.actor
        against = self.config.paranoid and actor != self.seat
        seat = self.seat if against else actor
        span = self.highest - self.lowest if self.highest > self.lowest else 1.0
        scale = C_PUCT * sqrt(node.visits + 1.0)
        best, chosen = -inf, 0
        for n in range(min(len(node.actions), 2 + int(WIDENING * sqrt(node.visits)))):
            mean = (node.mean(n, seat) - self.lowest) / span
            if against:
                mean = 1.0 - mean
            score = mean + scale * node.priors[n] / (node.action_visits[n] + 1.0)
            if score > best:
                best, chosen = score, n
        return chosen

    # Expansion and evaluation

    def _expand(self, node: Node, is_root: bool = False) -> list[float]:
        """Try the candidates of a position, at the root all legal actions; return the reward of each seat here."""
        state = node.state
        actor = state.phase.actor
        if actor == NOBODY or state.too_long:
            return self._reward(state)
        node.expanded = True
        if actor == CHANCE:
            return self._rolled_out(state)
        found = self.candidates(state, is_root)
        if is_root and self.config.distinct:
            found = _without_duplicates(found)
        found.sort(key=lambda each: -each.reward[actor])
        self._set_candidates(node, found)
        if self.config.rollout != "none":
            return self._rolled_out(node.after[0])
        if self.config.settle_auctions and isinstance(state.phase, Auction):
            return self._reward(self._settled(state))
        return node.estimates[0]

    def _set_candidates(self, node: Node, found: list[Candidate]) -> None:
        """These are the actions of a position, the best first; none has been visited."""
        actor, players = node.state.phase.actor, node.state.players
        node.actions = [each.action for each in found]
        node.after = [each.after for each in found]
        node.starts = [each.start for each in found]
        node.judged = [each.judged for each in found]
        node.estimates = [each.reward for each in found]
        node.priors = _priors([each.reward[actor] for each in found])
        node.action_visits = [0] * len(found)
        node.totals = [[0.0] * players for _ in found]
        node.squares = [0.0] * len(found)
        node.children = [None] * len(found)

    def candidates(self, state: State, is_root: bool = False) -> list[Candidate]:
        """The legal actions, tried: of many bids some, of many others those without a history or with a good one."""
        legal = state.legal_actions()
        if isinstance(state.phase, Auction):
            if len(legal) > FEW_BIDS:
                return self._bid_candidates(state, legal)
        elif len(legal) > MANY_ACTIONS and not is_root:
            legal = self._filter_by_history(state.phase.actor, legal)
        found = [self._try(state, action, is_root) for action in legal]
        if len(state.legal_actions()) > MANY_ACTIONS:
            self._update_history(state.phase.actor, found)
        return found

    def _try(self, state: State, action: Action, is_root: bool = False) -> Candidate:
        """An action, tried and judged; at the root, when the auction that it opens is settled or else the turn ends.

        Half of the seconds may go into that: on a slow machine the other actions are judged as they stand.
        """
        there = after(state, action)
        if not is_root or perf_counter() - self.began > self.config.seconds / 2.0:
            return Candidate(action, there, there, there, self._reward(there))
        if isinstance(there.phase, Auction):
            settled = self._settled(there) if self.config.settle_auctions else there
            return Candidate(action, there, there, settled, self._reward(settled))
        end = self._turn_completed(there, state.phase.actor)
        return Candidate(action, there, end, end, self._reward(end))

    def _turn_completed(self, state: State, seat: int) -> State:
        """The position after the turn, if the seat decides the rest of it greedily."""
        for _ in range(MOST_TURN_DECISIONS):
            if state.phase.actor != seat or isinstance(state.phase, Auction):
                break
            state = self.greedy(state).after
        return state

    def estimate(self, state: State) -> list[float]:
        """The reward of each seat without any search: an auction under way is settled, a turn completed."""
        if isinstance(state.phase, Auction):
            return self._reward(self._settled(state))
        seat = state.phase.actor
        return self._reward(state if seat in (CHANCE, NOBODY) else self._turn_completed(state, seat))

    def greedy(self, state: State) -> Candidate:
        """What the seat to decide likes best without any search."""
        seat = state.phase.actor
        return max(self.candidates(state), key=lambda each: each.reward[seat])

    def _bid_candidates(self, state: State, legal: list[Action]) -> list[Candidate]:
        """The best bid, the highest that is better than to pass, one between, and to pass.

        The best need not be the lowest: what is paid may be what the railroad can build with. It is the best of those
        tried on the way to the highest.
        """
        bids = Bids(self, state, legal)
        tried, best, limit = bids.tried, bids.best, bids.limit
        passing = [] if bids.passing is None else [bids.passing]
        if limit < 0:
            return passing or [tried[0]]
        between = (best + limit) // 2
        if between not in tried:
            tried[between] = self._try(state, legal[between])
        return [*(tried[n] for n in sorted({best, between, limit})), *passing]

    def _settled(self, state: State) -> State:
        """The position after the auction, if nobody bids what the judge thinks is too much."""
        phase = state.phase
        while isinstance(phase, Auction):
            seat = phase.actor
            state = self._bid_or_pass(state, phase.least // RAISE_PART)
            phase = state.phase
            if isinstance(phase, Auction) and phase.leader != seat and phase.inside >> seat & 1:
                break  # the next auction has begun
        return state

    def _bid_or_pass(self, state: State, jump: int) -> State:
        """The position after a seat has raised by a jump, or by as little as may be, or passed."""
        legal, seat = state.legal_actions(), state.phase.actor
        if must_bid(legal):
            bids = Bids(self, state, legal)
            return bids.tried[max(bids.best, 0)].after
        passing = self._try(state, legal[-1])
        for n in (jump, 0) if jump else (0,):
            if n < len(legal) - 1:
                raised = self._try(state, legal[n])
                if raised.reward[seat] > passing.reward[seat]:
                    return raised.after
        return passing.after

    def _filter_by_history(self, seat: int, legal: list[Action]) -> list[Action]:
        """Actions that this seat has not tried elsewhere in the tree, and of the others those that did best there."""
        new: list[Action] = []
        known: list[tuple[float, int]] = []
        for n, action in enumerate(legal):
            regret = self.history.get((seat, action.id), -1.0)
            if regret < 0.0:
                new.append(action)
            else:
                known.append((regret, n))
        known.sort()
        return new + [legal[n] for _, n in known[:HISTORY_WIDTH]]

    def _update_history(self, seat: int, tried: list[Candidate]) -> None:
        """Remember how much worse than the best each action was."""
        best = max([each.reward[seat] for each in tried])
        for each in tried:
            self.history[seat, each.action.id] = best - each.reward[seat]

    def _reward(self, state: State) -> list[float]:
        """What each seat maximises: its chance to win, mixed with its share of all scores."""
        weight = self.config.win_weight
        values, chances = self.judge.assess(state)
        total = 0.0
        for value in values:
            total += max(value, 0.0)
        if weight == 1.0 or total <= 0.0:
            return chances
        return [weight * chance + (1.0 - weight) * max(value, 0.0) / total for chance, value in zip(chances, values)]

    def _rolled_out(self, state: State) -> list[float]:
        """The reward of each seat at the end of a rollout, or here if there are no rollouts."""
        policy = self.config.rollout
        if policy != "none":
            state = state.copy()
            while state.phase.actor != NOBODY and not state.too_long:
                state.play(self._rollout_action(state, policy))
        return self._reward(state)

    def _rollout_action(self, state: State, policy: str) -> Action:
        if state.phase.actor == CHANCE or policy == "random":
            return pick(state, self.rng)
        if policy == "capped":
            found = self.candidates(state)
            return found[int(self.rng.random() * len(found))].action
        return self.greedy(state).action


class Bids:
    """What a seat may bid in an auction, numbered from the lowest legal bid, which is 0, as far as it was `tried`.

    `limit` is the highest bid that is better than to pass, found by binary search, and `best` the best of those tried;
    both are -1 if none is. A seat that must bid tries all from the lowest up, which is as good as to pass.
    """

    def __init__(self, search: Search, state: State, legal: list[Action]) -> None:
        seat, last = state.phase.actor, len(legal) - 1
        self.passing: Candidate | None = None
        self.tried: Final[dict[int, Candidate]] = {}
        if must_bid(legal):
            least = self._scan(search, state, legal)
        else:
            self.passing = search._try(state, legal[last])
            least = self.passing.reward[seat] if search.config.cap_bids else -inf
            self._bisect(search, state, legal[:last], least)
        good = [n for n, each in self.tried.items() if each.reward[seat] > least]
        self.limit: Final = max(good, default=-1)
        self.best: Final = max(good, key=lambda n: self.tried[n].reward[seat], default=-1)

    def _scan(self, search: Search, state: State, bids: list[Action]) -> float:
        """Try every bid from the lowest to the first that is too high; return what the lowest is worth."""
        seat, found = state.phase.actor, False
        for n, action in enumerate(bids):
            self.tried[n] = search._try(state, action)
            if self.tried[n].reward[seat] > self.tried[0].reward[seat]:
                found = True
            elif found:
                break
        return self.tried[0].reward[seat]

    def _bisect(self, search: Search, state: State, bids: list[Action], least: float) -> None:
        """Try the highest bid, and unless it is worth more than this, search for the highest that is."""
        seat, low, high = state.phase.actor, 0, len(bids)
        n = high - 1
        while low <= n < high:
            self.tried[n] = search._try(state, bids[n])
            if self.tried[n].reward[seat] > least:
                low = n + 1
            else:
                high = n
            n = (low + high) // 2
        if bids and 0 not in self.tried:
            self.tried[0] = search._try(state, bids[0])


@contextmanager
def collector_paused() -> Iterator[None]:
    """While trees grow Python does not look for cycles in them: there are none, and it took a third of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _priors(rewards: list[float]) -> list[float]:
    """The softmax of first estimates."""
    best = max(rewards)
    span = max(best - min(rewards), 1e-9)
    weights = [exp(PRIOR_SHARPNESS * (reward - best) / span) for reward in rewards]
    total = sum(weights)
    return [weight / total for weight in weights]


def _without_duplicates(found: list[Candidate]) -> list[Candidate]:
    """Of actions that come to the same position, one: that which leads there at once, or else the first.

    To build the same track in another order is such an action, and to put up a charter that nobody will complete.
    """
    kept: list[Candidate] = []
    alike: dict[tuple[float, ...], list[Candidate]] = {}
    for each in found:
        alike.setdefault(tuple(each.reward), []).append(each)
    for group in alike.values():
        kept += group if len(group) == 1 else _distinct(group)
    return kept


def _distinct(found: list[Candidate]) -> list[Candidate]:
    """One candidate for each position that was judged."""
    positions = Positions(found[0].judged)
    places: dict[object, Candidate] = {}
    for each in found:
        key = positions.key(each.judged)
        known = places.get(key)
        if known is None or (known.after is not known.judged and each.after is each.judged):
            places[key] = each
    return list(places.values())


def _rank(outcome: Outcome | None, seat: int) -> tuple[float, float]:
    """Sorts outcomes from the best to the worst for a seat; those not known come last."""
    return (1.0, 0.0) if outcome is None else (-outcome.shares[seat], -outcome.margins[seat])


def _halving_rounds(actions: int, finalists: int) -> int:
    """After how many rounds, each of which halves the actions, no more than the finalists are left."""
    if actions < 2:
        return 0
    rounds = 1
    while finalists << rounds < actions:
        rounds += 1
    return rounds


def _least_visited(root: Node, left: list[int]) -> int:
    """Of these actions the one with the fewest visits; of equals, the first."""
    least = left[0]
    for n in left:
        if root.action_visits[n] < root.action_visits[least]:
            least = n
    return least


def _not_eliminated(root: Node, left: list[int], finalists: int) -> list[int]:
    """Of these actions, the best first, those that may still be the best, but no fewer than the finalists."""
    seat = root.state.phase.actor
    ranked = sorted(left, key=lambda n: -root.mean(n, seat))
    best, variance = root.mean(ranked[0], seat), variance_of_mean(root, ranked[0], seat)
    kept = ranked[:finalists]
    for n in ranked[finalists:]:
        if best - root.mean(n, seat) < ELIMINATION * sqrt(variance + variance_of_mean(root, n, seat)):
            kept.append(n)
    return kept


def variance_of_mean(root: Node, n: int, seat: int) -> float:
    """The squared standard error of an action's mean, with a prior for its variance."""
    visits = float(root.action_visits[n])
    if visits == 0.0:
        return 1.0
    mean = root.totals[n][seat] / visits
    spread = max(0.0, root.squares[n] - visits * mean * mean)
    return (spread + PRIOR_VISITS * PRIOR_DEVIATION * PRIOR_DEVIATION) / (visits + PRIOR_VISITS) / visits
