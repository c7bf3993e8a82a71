"""Where a game was decided: at each decision every seat's chance, the best action, and what the played one lost.

The unit of work is one decision: it is searched anew from its position alone, with the win as the only aim. So
decisions can be judged in any order and in several processes, what is done stays done, and dice that were not yet
rolled are not seen: the search draws its own. The action that was played is visited as often as the best one, because
only actions that were searched equally deep can be compared. Where the search of what followed finds much less than
had been expected, the decision is judged again in hindsight: what followed the action played, and what would have
followed the main others, are searched equally deep. Budgets count simulations and not seconds: the same seed
gives the same analysis on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from random import Random
from string import ascii_uppercase
from typing import Any

from cuberails.bots.advice import reason, told_after
from cuberails.bots.endgame import Positions
from cuberails.bots.price import fair_price
from cuberails.bots.search import FEW_BIDS, Node, OnProgress, Search, SearchConfig, collector_paused
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.event import Bid, Passed
from cuberails.core.game import Game, advance
from cuberails.core.playout import after
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import calibrated, judge_for

AS_GOOD = 0.005
"""An action that loses less of the chance to win than this is as good as the best."""
LITTLE = 0.03
"""One that loses less than this is good; searches of a quick analysis cannot tell much less apart."""
MUCH = 0.08
"""One that loses less than this is a slip, any other a mistake."""
DECISIVE = 0.12
"""A mistake that loses this much is a turning point, if it is also a large part of the chance that was there."""
LARGE_PART = 0.25
"""What a large part of a chance is."""
MOST_GIFTS = 8
"""So many gifts of a game are told, those that cost most."""
MOST_KINDS = 5
"""By so many kinds of decisions it is told how much was lost; the rest is told together."""
CONFIRMING = 4
"""What seems a mistake or a gift is searched again with so many times the simulations."""
SOON = 12
"""What was lost and is there again before so many more actions, though nobody gave it back, was hardly lost."""
NEARLY = 0.75
"""It is there again where so large a part of it is."""
MOST_AGAIN = 24
"""So many decisions of a game, at most, are judged again in hindsight: those after which most was missing."""
RIVALS = 3
"""So many other actions are then searched as deeply as the one played."""
LINE_LENGTH = 6
"""How many actions of the likely continuation are told, the best action included."""
TRUSTED_VISITS = 2
"""The likely continuation ends where fewer visits than this would tell it."""

HINDSIGHT = "at first it seemed no better; what follows each of them was searched to tell them apart"
"""Why one action is better than another where that was found in hindsight."""

VERDICTS = ("best", "good", "slip", "mistake", "turning point")
"""What an action is called, by what it lost."""


@dataclass(frozen=True)
class Budget:
    """How much an analysis may search: simulations for a whole game, and the least and the most for a decision."""

    name: str
    game: int
    least: int
    most: int

    def simulations(self, decisions: int) -> int:
        """For each decision of a game that has so many."""
        return max(self.least, min(self.most, self.game // max(1, decisions)))


BUDGETS = {"quick": Budget("quick", 12_000, 24, 120), "deep": Budget("deep", 120_000, 120, 1_200)}
"""By name: about a minute for a game with the compiled engine on one core, and some minutes."""


@dataclass(frozen=True)
class Decision:
    """A decision that was judged. Chances are of every seat, those of `seat` decide.

    `at` is the number of actions before it. `before` are the chances with the best action, `after` those with the
    action played; `loss` is what the seat lost, 0 at least. `kind` says what was decided: "auction", or the first word
    of the action. `line` is the best action and its likely continuation, `why` a sentence on what speaks for it;
    `played_line` is the same from the action played, if that was another one.
    `obvious`: nothing else was worth a look, and nothing was searched. `exact`: searched to the end of the game.
    `doubtful`: what it seemed to cost was soon there again. `hindsight`: judged again, since the search of what
    followed found much less than had been expected.
    """

    at: int
    seat: int
    action: str
    best: str
    before: list[float]
    after: list[float]
    loss: float
    kind: str
    verdict: str
    line: list[str]
    played_line: list[str]
    words: str
    why: str
    obvious: bool = False
    exact: bool = False
    doubtful: bool = False
    hindsight: bool = False

    @property
    def changes(self) -> list[float]:
        """How each seat's chance differs from that after the best action."""
        return [after - before for before, after in zip(self.before, self.after, strict=True)]

    @property
    def gift(self) -> int | None:
        """The seat that paid, where a decision cost another one much and its own seat next to nothing."""
        most = min(self.changes)
        decisive = self.loss < LITTLE and most <= -DECISIVE and not self.doubtful
        return self.changes.index(most) if decisive else None


# One decision


def judge_decision(
    state: State, action: Action, simulations: int, seed: int | str = 0, at: int = 0, names: Sequence[str] = ()
) -> Decision:
    """Judge an action that was taken in a position by the seat to decide; the names of all seats are for the words.

    What seems to have cost much is searched again, deeper and from another seed, and only that counts: of many
    decisions those seem worst that were unlucky in their search.
    """
    decision = _judged_once(state, action, simulations, seed, at, names)
    if decision.exact or (decision.loss < MUCH and decision.gift is None):
        return decision
    return _judged_once(state, action, CONFIRMING * simulations, f"again {seed}", at, names)


def judge_in_hindsight(
    state: State, action: Action, simulations: int, seed: int | str = 0, at: int = 0, names: Sequence[str] = ()
) -> Decision:
    """Judge an action after which less was left than had been expected, by what follows it and its main rivals.

    After each of them the next decision that is not obvious is searched. Where dice come before that, it is judged
    as any other.
    """
    root, played, rivals = _main_actions(state, action, simulations, f"hindsight {seed} {at}")
    found = {n: _followed(root, n, simulations, f"hindsight {seed} {at} {root.actions[n].text}") for n in rivals}
    known = {n: each for n, each in found.items() if each is not None}
    if played not in known:
        return replace(judge_decision(state, action, simulations, seed, at, names), hindsight=True)
    seat = state.phase.actor
    best = max(known, key=lambda n: (known[n].chances[seat], n == played))
    chosen = action if best == played else root.actions[best]
    before, there = known[best], known[played]
    loss = before.chances[seat] - there.chances[seat]
    called = names or [f"seat {n + 1}" for n in range(state.players)]
    verdict = verdict_on(loss, before.chances[seat], best == played)
    decision = Decision(
        at,
        seat,
        action.text,
        chosen.text,
        before.chances,
        there.chances,
        loss,
        kind_of(state, action),
        verdict,
        before.line,
        [] if best == played else there.line,
        _words(state, action, chosen, called, verdict),
        "" if best == played else HINDSIGHT,
        exact=before.exact and there.exact,
        hindsight=True,
    )
    return replace(decision, words=decision.words + _changes(decision, called))


def _main_actions(state: State, action: Action, simulations: int, seed: str) -> tuple[Node, int, list[int]]:
    """A position that was searched, the number of the action played, and those that are to be compared, it included.

    In an auction to pass and to bid as little as one may are always among them: no search need have thought of it.
    """
    config = SearchConfig(simulations=simulations, win_weight=1.0, finalists=2)
    search = Search(judge_for(state.board), config, Random(seed))
    root = search.think(state)
    with collector_paused():
        played = _place(search, root, action)
        main = [n for n in root.ranked() if n != played][:RIVALS]
        if isinstance(state.phase, Auction):
            legal = state.legal_actions()
            main += [_place(search, root, each) for each in (legal[0], legal[-1])]
    return root, played, list(dict.fromkeys([played, *main]))


@dataclass(frozen=True)
class _Following:
    """What a search found behind an action: the chances, the likely line, and whether it went to the end."""

    chances: list[float]
    line: list[str]
    exact: bool


def _followed(root: Node, n: int, simulations: int, seed: str) -> _Following | None:
    """What follows an action: the next decision that is not obvious is searched; None where dice come before it."""
    config = SearchConfig(simulations=simulations, win_weight=1.0, finalists=2)
    here, line = after(root.state, root.actions[n]), [root.actions[n].text]
    while here.phase.actor not in (CHANCE, NOBODY):
        search = Search(judge_for(here.board), config, Random(seed))
        node = search.think(here)
        best = node.ranked()[0]
        if len(node.actions) > 1:
            exact = len(node.results) > 0 and node.results[best] is not None
            with collector_paused():
                line += likely_line(search, node, best, node.actions[best])
            return _Following(told_after(node, best), line[:LINE_LENGTH], exact)
        line.append(node.actions[best].text)
        here = after(here, node.actions[best])
    return _Following(here.win_shares(), line[:LINE_LENGTH], True) if here.phase.actor == NOBODY else None


def _judged_once(
    state: State, action: Action, simulations: int, seed: int | str, at: int, names: Sequence[str]
) -> Decision:
    seat = state.phase.actor
    if seat in (CHANCE, NOBODY):
        raise SetupError("there is nothing to judge: " + ("the game is over" if seat == NOBODY else "dice decide"))
    config = SearchConfig(simulations=simulations, win_weight=1.0, finalists=2)
    search = Search(judge_for(state.board), config, Random(f"analysis {seed} {at}"))
    root = search.think(state)
    obvious = len(root.actions) == 1 and root.actions[0] is action
    with collector_paused():
        played = _place(search, root, action)
        best = _compared(search, root, played)
    before, there = told_after(root, best), told_after(root, played)
    loss = max(0.0, before[seat] - there[seat])
    chosen = action if best == played else root.actions[best]
    verdict = verdict_on(loss, before[seat], chosen is action)
    called = names or [f"seat {n + 1}" for n in range(state.players)]
    words = _words(state, action, chosen, called, verdict)
    decision = Decision(
        at,
        seat,
        action.text,
        chosen.text,
        before,
        there,
        loss,
        kind_of(state, action),
        verdict,
        likely_line(search, root, best, chosen),
        [] if best == played else likely_line(search, root, played, action),
        words,
        "" if best == played else reason(root, best, played, search.judge),
        obvious,
        len(root.results) > 0 and root.results[best] is not None and root.results[played] is not None,
    )
    return replace(decision, words=words + _changes(decision, called))


def kind_of(state: State, action: Action) -> str:
    """What is decided: "auction" where one is under way, else the first word of the action."""
    return "auction" if isinstance(state.phase, Auction) else action.word


def verdict_on(loss: float, before: float, is_best: bool) -> str:
    """What an action is called that lost this much of a chance."""
    if is_best or loss < AS_GOOD:
        return "best"
    if loss < LITTLE:
        return "good"
    if loss < MUCH:
        return "slip"
    return "turning point" if loss >= DECISIVE and loss >= LARGE_PART * before else "mistake"


def _place(search: Search, root: Node, action: Action) -> int:
    """The number of an action at the root, or of one that comes to the same position; else it is added."""
    for n, other in enumerate(root.actions):
        if other is action:
            return n
    state = root.state
    some_bids = isinstance(state.phase, Auction) and len(state.legal_actions()) > FEW_BIDS
    tried = search._try(state, action, not some_bids)
    positions = Positions(state)
    key = positions.key(tried.judged)
    for n, judged in enumerate(root.judged):
        if not some_bids and positions.key(judged) == key:
            return n
    root.actions.append(action)
    root.priors.append(0.0)
    root.estimates.append(tried.reward)
    root.after.append(tried.after)
    root.starts.append(tried.start)
    root.judged.append(tried.judged)
    root.action_visits.append(0)
    root.rounds.append(0)
    root.totals.append([0.0] * state.players)
    root.squares.append(0.0)
    root.children.append(None)
    return len(root.actions) - 1


def _compared(search: Search, root: Node, played: int) -> int:
    """The best action, when the one played was visited as often; it is the one played if that is no worse."""
    best, seat = root.ranked()[0], root.state.phase.actor
    enough = root.action_visits[best]
    if root.results:
        enough = search.config.simulations if root.results[played] is None else 0
    elif enough == 0 and played != best:  # the only candidate was not searched, but another action was played
        enough = search.config.simulations // 2
        _visit(search, root, best, enough)
    _visit(search, root, played, enough)
    return played if told_after(root, played)[seat] >= told_after(root, best)[seat] else best


def _visit(search: Search, root: Node, n: int, visits: int) -> None:
    while root.action_visits[n] < visits:
        search._simulate(root, n)


def likely_line(search: Search, root: Node, n: int, action: Action) -> list[str]:
    """An action, the rest of its turn, and what is likely to follow, as far as no dice are rolled."""
    line, here, seat = [action.text], after(root.state, action), root.state.phase.actor
    if action is not root.actions[n] or root.starts[n] is not root.after[n]:
        while here.phase.actor == seat and not isinstance(here.phase, Auction) and len(line) < LINE_LENGTH:
            following = search.greedy(here)
            line.append(following.action.text)
            here = following.after
    node = root.children[n]
    while node is not None and node.actions and len(line) < LINE_LENGTH:
        reply = node.ranked()[0]
        if node.action_visits[reply] < TRUSTED_VISITS:
            break
        line.append(node.actions[reply].text)
        node = node.children[reply]
    return line


# In words


def _words(state: State, action: Action, best: Action, names: Sequence[str], verdict: str) -> str:
    """What was done and what would have been better; where the game turned, also what the lot was worth."""
    did = _deed(state, action, names)
    if action is best:
        return did
    worth = _worth(state, action, best, names) if verdict == "turning point" else ""
    return f"{did} ({'as good' if verdict == 'best' else 'better'}: {best.text}){worth}"


def _deed(state: State, action: Action, names: Sequence[str]) -> str:
    """An action as its first event tells it: "letting PA go for $14", "PA builds in K4 for $3"."""
    events = advance(state, action).events
    if not events:
        return action.text
    first, phase = events[0], state.phase
    if isinstance(first, Bid):
        return f"bidding ${first.amount} for {first.lot}"
    if isinstance(first, Passed) and isinstance(phase, Auction):
        return f"letting {first.lot} go for ${phase.highest}" if phase.leader >= 0 else f"passing on {first.lot}"
    return first.say(names)


def _worth(state: State, action: Action, best: Action, names: Sequence[str]) -> str:
    """What the lot of an auction was worth to who let it go and to who leads, or to who bid too much for it.

    Nothing where that would not explain the better action: a price does not say all that a search finds.
    """
    phase = state.phase
    if not isinstance(phase, Auction):
        return ""
    limits, seat = fair_price(state).limits, phase.actor
    if best.a > action.a and limits[seat] >= best.a:  # to give up has no amount: -1
        leads = phase.leader >= 0 and limits[phase.leader] > phase.highest
        return f": worth ${limits[seat]} to {names[seat]}" + (
            f" and ${limits[phase.leader]} to {names[phase.leader]}" if leads else ""
        )
    if best.a < action.a and limits[seat] < action.a:
        return f": worth no more than ${max(0, limits[seat])} to {names[seat]}"
    return ""


def _changes(decision: Decision, names: Sequence[str]) -> str:
    """What became of the chance of who decided, and of that of who paid for it."""
    seat, other = decision.seat, decision.gift
    before, after = percent(decision.before[seat]), percent(decision.after[seat])
    own = f"stays at {before}" if before == after else f"fell from {before} to {after}"
    said = f"; {names[seat]}'s chance {own}"
    if other is None:
        return said
    return f"{said}, {names[other]}'s fell from {percent(decision.before[other])} to {percent(decision.after[other])}"


def line_in_words(state: State, line: Sequence[str], names: Sequence[str]) -> list[str]:
    """A likely continuation with who does what, from this position on: "Bob: bid 9", "Ann: pass, expand NYC"."""
    here, words, last = state.copy(), list[str](), NOBODY
    for text in line:
        actor = here.phase.actor
        if actor == last:
            words[-1] += f", {text}"
        else:
            words.append(f"{names[actor]}: {text}")
        last = actor
        here.play(here.parse(text))
    return words


def percent(chance: float) -> str:
    """A chance as people read it: "41 %"."""
    return f"{100 * chance:.0f} %"


# The whole game


@dataclass
class Figures:
    """How a player decided: decisions that were a choice, how many of them were best, and the chance lost by kind."""

    seat: int
    decisions: int = 0
    best: int = 0
    lost: dict[str, float] = field(default_factory=dict)

    @property
    def best_share(self) -> float:
        return self.best / self.decisions if self.decisions else 1.0

    @property
    def total_lost(self) -> float:
        return sum(self.lost.values())

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "best_share": self.best_share, "total_lost": self.total_lost}

    def add(self, decision: Decision) -> None:
        self.decisions += 1
        self.best += decision.verdict == "best"
        if decision.verdict != "best" and not decision.doubtful:
            self.lost[decision.kind] = self.lost.get(decision.kind, 0.0) + decision.loss


@dataclass(frozen=True)
class Analysis:
    """A game that was analysed. `chances` has those of every seat before the first action and after each.

    `record` is a digest of the game, to know it again. `complete` says whether all decisions were judged.
    """

    title: str
    seats: list[str]
    budget: str
    seed: int
    record: str
    complete: bool
    chances: list[list[float]]
    decisions: list[Decision]

    @property
    def turning_points(self) -> list[Decision]:
        """The decisions that decided the game, in the order of the game."""
        return [decision for decision in self.decisions if decision.verdict == "turning point"]

    @property
    def gifts(self) -> list[Decision]:
        """The decisions that were decisive for others, in the order of the game."""
        found = [decision for decision in self.decisions if decision.gift is not None]
        found.sort(key=lambda decision: min(decision.changes))
        return sorted(found[:MOST_GIFTS], key=lambda decision: decision.at)

    @property
    def signs(self) -> dict[int, str]:
        """What marks the decisions that decided the game: turning points have numbers, gifts have letters."""
        turned = {each.at: str(n) for n, each in enumerate(self.turning_points, 1)}
        return turned | {each.at: ascii_uppercase[n] for n, each in enumerate(self.gifts)}

    @property
    def decisive(self) -> list[Decision]:
        """The decisions that decided the game, in its order: those that have signs."""
        signs = self.signs
        return [decision for decision in self.decisions if decision.at in signs]

    @property
    def players(self) -> list[Figures]:
        """The figures of each seat, over the decisions that were not obvious."""
        found = [Figures(seat) for seat in range(len(self.seats))]
        for decision in self.decisions:
            if not decision.obvious:
                found[decision.seat].add(decision)
        return found

    @property
    def losses(self) -> dict[str, list[float]]:
        """How much of its chance each seat lost by what kind of decision: the main kinds, then all "other" ones."""
        players = self.players
        lost = {
            kind: [each.lost.get(kind, 0.0) for each in players]
            for kind in sorted({kind for each in players for kind in each.lost})
        }
        kinds = sorted(lost, key=lambda kind: -sum(lost[kind]))
        main, rest = {kind: lost[kind] for kind in kinds[:MOST_KINDS]}, [lost[kind] for kind in kinds[MOST_KINDS:]]
        return main | ({"other": [sum(seat) for seat in zip(*rest, strict=True)]} if rest else {})

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; the figures of players are there to be read, and are not read back."""
        return {"cuberails_analysis": 1, **asdict(self), "players": [each.to_json() for each in self.players]}

    @staticmethod
    def from_json(data: Any) -> Analysis:
        """An analysis from plain data; SetupError if it is none."""
        if not isinstance(data, dict) or data.get("cuberails_analysis") != 1:
            raise SetupError("this is no analysis of a game; `cuberails analyse RECORD --json FILE` writes one")
        names = ("title", "seats", "budget", "seed", "record", "complete", "chances")
        try:
            decisions = [Decision(**each) for each in data["decisions"]]
            return Analysis(**{name: data[name] for name in names}, decisions=decisions)
        except (KeyError, TypeError) as error:
            raise SetupError(f"this analysis cannot be read ({error}); analyse the record again") from None


class Analyst:
    """Analyses a game decision by decision; what is `known` from an earlier run is not judged again.

    `step` does the next decision. Or others do: `judge` of each number in `pending`, in any process, then `add`.
    """

    def __init__(
        self, game: Game, budget: str | Budget = "quick", seed: int = 0, known: Iterable[Decision] = ()
    ) -> None:
        self.game = game.fork()
        self.budget = budget_named(budget) if isinstance(budget, str) else budget
        self.seed = seed
        self.record = record_digest(game)
        self._counts = [n for n, step in enumerate(self.game.steps) if step.seat != CHANCE]
        self._done = {decision.at: decision for decision in known if decision.at in self._counts}

    @property
    def total(self) -> int:
        """How many decisions the game has."""
        return len(self._counts)

    @property
    def pending(self) -> list[int]:
        """The decisions that are to be judged, by the number of actions before them; at last those for hindsight."""
        return [at for at in self._counts if at not in self._done] or self._surprising()

    def in_hindsight(self, at: int) -> bool:
        """Whether a decision that is pending was judged before."""
        return at in self._done

    def judge(self, at: int) -> Decision:
        """Judge one decision; nothing here changes."""
        step = self.game.steps[at]
        simulations = self.budget.simulations(self.total)
        judge = judge_in_hindsight if self.in_hindsight(at) else judge_decision
        return judge(self.game.at(at), step.action, simulations, self.seed, at, self.game.seats)

    def add(self, decision: Decision) -> None:
        self._done[decision.at] = decision

    def step(self) -> Decision | None:
        """Judge the next decision; None if all are done."""
        if not self.pending:
            return None
        decision = self.judge(self.pending[0])
        self.add(decision)
        return decision

    def analysis(self) -> Analysis:
        """What is known so far."""
        decisions, chances = [self._done[at] for at in sorted(self._done)], self._chances()
        if not self.pending:
            decisions = [self._confirmed(decision, chances) for decision in decisions]
        return Analysis(
            title=self.game.title.key,
            seats=list(self.game.seats),
            budget=self.budget.name,
            seed=self.seed,
            record=self.record,
            complete=not self.pending,
            chances=chances,
            decisions=decisions,
        )

    def _surprising(self) -> list[int]:
        """The decisions after which somebody was found to have much less than had been expected.

        Each is judged in hindsight once. What is found there is what is expected of it from then on, and so leads to
        earlier decisions.
        """
        room = MOST_AGAIN - sum(decision.hindsight for decision in self._done.values())
        missing = {decision.at: lost for decision, lost in self._missing() if lost >= DECISIVE}
        return sorted(sorted(missing, key=lambda at: -missing[at])[: max(0, room)])

    def _missing(self) -> Iterator[tuple[Decision, float]]:
        """What was missing after each decision, when the next one was searched, of what had been expected.

        Of a decision that was searched, that of the seat which missed most; of an obvious one, which was not, that of
        its own seat. Over dice nothing is compared: they change what is expected.
        """
        expected, since = list[float](), list[Decision]()
        for at, step in enumerate(self.game.steps):
            decision = self._done.get(at)
            if step.seat == CHANCE or decision is None:
                expected = []
            elif decision.obvious:
                since.append(decision)
            else:
                yield from _missed(since, expected, decision.before)
                expected, since = decision.after, [decision]
        if self.game.state.phase.actor == NOBODY:
            yield from _missed(since, expected, self.game.state.win_shares())

    def _confirmed(self, decision: Decision, chances: list[list[float]]) -> Decision:
        """A decision that seemed to cost much, with a doubt if the searches that followed do not bear that out."""
        other = decision.gift
        seat = decision.seat if other is None else other
        lost = -decision.changes[seat]
        if lost < MUCH or decision.exact or decision.doubtful or not self._there_again(decision, seat, lost, chances):
            return decision
        verdict = "slip" if decision.verdict in ("mistake", "turning point") else decision.verdict
        words = f"{decision.words}, as it seemed; soon after it was there again"
        return replace(decision, doubtful=True, verdict=verdict, words=words)

    def _there_again(self, decision: Decision, seat: int, lost: float, chances: list[list[float]]) -> bool:
        """Whether a seat soon had its chance again, though nobody had made a mistake and no dice had been rolled."""
        enough = decision.before[seat] - (1.0 - NEARLY) * lost
        for at in range(decision.at + 1, min(decision.at + SOON, self.game.count)):
            if chances[at][seat] >= enough:
                return True
            later = self._done.get(at)
            if later is None or (later.seat != seat and (later.loss >= MUCH or later.gift is not None)):
                return False
        return False

    def _chances(self) -> list[list[float]]:
        """Before each action what the next decision that was searched says, at the end who has won.

        Before a roll of dice it is what the last decision was found to come to: nobody knew more then.
        """
        last = self.game.state
        value = last.win_shares() if last.phase.actor == NOBODY else forecasts_in(last)
        found, steps = [value], self.game.steps
        for at in range(self.game.count - 1, -1, -1):
            decision = self._done.get(at)
            if decision is not None and not decision.obvious:
                value = decision.before
            elif steps[at].seat == CHANCE:
                value = self._before_dice(at)
            found.append(value)
        return [list(each) for each in reversed(found)]

    def _before_dice(self, at: int) -> list[float]:
        """The chances before dice are rolled or something is drawn."""
        earlier = self._done.get(at - 1)
        if earlier is not None and not earlier.obvious:
            return earlier.after
        return forecasts_in(self.game.at(at))


def _missed(since: list[Decision], expected: list[float], found: list[float]) -> Iterator[tuple[Decision, float]]:
    """The decisions since something was expected that may be judged again, with how much less was found."""
    if not expected:
        return
    lost = [before - now for before, now in zip(expected, found, strict=True)]
    for decision in since:
        if not decision.hindsight and not decision.exact:
            yield decision, lost[decision.seat] if decision.obvious else max(lost)


def forecasts_in(state: State) -> list[float]:
    """Each seat's chance to win in a position, as people are told it, without any search."""
    return calibrated(state.board, judge_for(state.board).chances(state))


def record_digest(game: Game) -> str:
    """The same for games that went the same way, whatever the players are called."""
    record = {name: part for name, part in json.loads(game.to_json()).items() if name != "seats"}
    return sha256(json.dumps(record).encode()).hexdigest()[:16]


def budget_named(name: str) -> Budget:
    if name not in BUDGETS:
        raise SetupError(f"there is no budget {name!r}; the budgets are {' and '.join(BUDGETS)}")
    return BUDGETS[name]


def analyse(
    game: Game,
    budget: str | Budget = "quick",
    seed: int = 0,
    on_progress: OnProgress | None = None,
    known: Iterable[Decision] = (),
) -> Analysis:
    """Analyse a game, in this process."""
    analyst, part = Analyst(game, budget, seed, known), 0.0
    while analyst.step() is not None:
        part = max(part, 1.0 - len(analyst.pending) / analyst.total)
        if on_progress is not None:
            on_progress(part)
    return analyst.analysis()
