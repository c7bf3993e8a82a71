"""Where a game was decided: each of its decisions judged, and what they tell together.

What is done stays done, so that an analysis can be stopped and resumed. Where the search of what followed a decision
finds much less than had been expected, that decision is judged again in hindsight. Budgets count simulations and not
seconds: the same seed gives the same analysis on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from string import ascii_uppercase
from typing import Any

from cuberails.bots.decision import DECISIVE, MUCH, Decision, judge_decision, judge_in_hindsight
from cuberails.bots.search import OnProgress
from cuberails.core.game import Game
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import calibrated, judge_for

MOST_GIFTS = 8
"""So many gifts of a game are told, those that cost most."""
MOST_KINDS = 5
"""By so many kinds of decisions it is told how much was lost; the rest is told together."""
SOON = 12
"""What was lost and is there again before so many more actions, though nobody gave it back, was hardly lost."""
NEARLY = 0.75
"""It is there again where so large a part of it is."""
MOST_AGAIN = 24
"""So many decisions of a game, at most, are judged again in hindsight: those after which most was missing."""


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
