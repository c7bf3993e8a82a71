"""Fitting the weights of a judge: bots play, and the weights move to where the judge foretells the winners best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import ceil, log
from random import Random

from cuberails.bots.players import SearchBot
from cuberails.bots.search import SearchConfig
from cuberails.core.judge import Judge
from cuberails.core.state import State
from cuberails.lab.climb import Bar, Ring, table_size, weights_file
from cuberails.lab.simulate import side_by_side, turns
from cuberails.titles import judge_with, load, weights

TEACHER = SearchConfig(simulations=12)
SLIPS = 0.3
"""Teachers are quick, and go off the beaten track now and then."""
CONTESTS = 60
"""At most so many games the new weights play against the old ones: who foretells better need not play better."""
APART = 5
"""Of the positions of a game, every so-many-th is looked at: neighbours tell the same."""
MOST_LESSONS = 6000
"""More positions than this make a fit slow and hardly better: some are left out evenly."""
FIRST_STEP, LAST_STEP = 0.3, 0.02
"""By what part a weight is changed at first, and when the fitting ends."""
LEAST_CHANCE = 0.002
"""A judge that was quite sure and quite wrong is not counted as worse than this."""
INERTIA = 0.002
"""What doubling a weight costs, about: without evidence a weight stays where it is."""


@dataclass(frozen=True)
class Lesson:
    """A position, and for each seat its part in the win at the end."""

    position: State
    won: list[float]


@dataclass(frozen=True)
class Fit:
    """The outcome: weights, and how good the judge was before and after, in games not used for fitting.

    The `loss` is the mean of minus the logarithm of the chance that the judge gave to the winner. `won` is how many of
    the `contests` a bot with these weights won, alone among bots with those before.
    """

    title: str
    command: str
    games: int
    weights: Mapping[str, float]
    before: float
    after: float
    won: float
    contests: int

    def to_toml(self) -> str:
        """The file `judge.toml` of the title."""
        facts = {
            "command": f'"{self.command}"',
            "games": self.games,
            "loss_before": f"{self.before:.4f}",
            "loss": f"{self.after:.4f}",
            "won": round(self.won, 2),
            "contests": self.contests,
        }
        return weights_file(self.title, facts, self.weights)


def tune(title: str, games: int, rounds: int, seed: int, jobs: int, bar: Bar) -> Fit:
    """Let bots play and fit the weights, then let bots that know the new weights play, and so on."""
    first = best = weights(title)
    learned: list[list[Lesson]] = []
    for number in range(rounds):
        numbers = range(number * games // rounds, (number + 1) * games // rounds)
        learned += bar(lessons(title, best, seed, numbers, jobs), f"Round {number + 1}: playing", len(numbers))
        studied = [lesson for count, state in enumerate(learned) if count % 4 for lesson in state]
        best = fit(title, best, studied[:: ceil(len(studied) / MOST_LESSONS)])
    unseen = [lesson for state in learned[::4] for lesson in state]
    before, after = (loss(judge_with(title, values), unseen) for values in (first, best))
    command = f"cuberails lab tune {title} --games {games} --rounds {rounds} --seed {seed}"
    ring = Ring(title, min(games, CONTESTS), seed, jobs, bar)
    won = ring.contest(best, first, "new weights against old")
    return Fit(title, command, games, best, before, after, won, ring.games)


def lessons(title: str, values: Mapping[str, float], seed: int, numbers: range, jobs: int) -> Iterator[list[Lesson]]:
    """The positions to learn from, game by game, of teachers that weigh like this."""
    histories = side_by_side(partial(_play, title, values, seed), numbers, jobs)
    for number, history in zip(numbers, histories, strict=True):
        yield _positions(title, number, *history)


def _play(title: str, values: Mapping[str, float], seed: int, number: int) -> tuple[list[int], list[float]]:
    """One game between teachers: the numbers of its actions, and each seat's part in the win."""
    state = load(title).new(table_size(title, number), {})
    judge = judge_with(title, values)
    bots = [SearchBot(f"{seed} {number} {seat}", TEACHER, SLIPS, judge=judge) for seat in range(state.players)]
    actions = [action.id for _, action, _ in turns(state, bots, Random(f"chance {seed} {number}"))]
    return actions, state.win_shares()


def _positions(title: str, number: int, actions: list[int], won: list[float]) -> list[Lesson]:
    state = load(title).new(table_size(title, number), {})
    everything = state.board.actions.all
    found = []
    for count, action in enumerate(actions):
        if count % APART == number % APART:
            found.append(Lesson(state.copy(), won))
        state.play(everything[action])
    return found


def loss(judge: Judge, learned: list[Lesson]) -> float:
    """How badly a judge foretells the winners of these positions."""
    total = 0.0
    for lesson in learned:
        chances = judge.chances(lesson.position)
        for chance, won in zip(chances, lesson.won, strict=True):
            if won:
                total -= won * log(max(chance, LEAST_CHANCE))
    return total / len(learned)


def fit(title: str, start: Mapping[str, float], learned: list[Lesson]) -> Mapping[str, float]:
    """The weights with which the winners of these positions are foretold best."""
    return descend(start, lambda values: loss(judge_with(title, values), learned))


def descend(start: Mapping[str, float], loss: Callable[[Mapping[str, float]], float]) -> Mapping[str, float]:
    """Change one weight after the other, a little less each round, and keep what makes the loss smaller."""

    def cost(values: Mapping[str, float]) -> float:
        return loss(values) + INERTIA * sum(log(values[name] / start[name]) ** 2 for name in start)

    best, least, step = start, cost(start), FIRST_STEP
    while step >= LAST_STEP:
        improved = False
        for name in best:
            for factor in (1 + step, 1 / (1 + step)):
                tried = {**best, name: best[name] * factor}
                if (found := cost(tried)) < least - 1e-6:
                    best, least, improved = tried, found, True
                    break
        if not improved:
            step /= 2
    return best
