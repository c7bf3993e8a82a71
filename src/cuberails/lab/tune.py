"""Weights that predict: the maximum-likelihood fit of a judge's chances to the outcomes of games between bots.

The chances are a softmax of what the judge thinks each seat will end with, so this is multinomial logistic regression,
but not a linear one, since the weights sit anywhere inside the judge: Powell's method minimises the cross-entropy
without derivatives. A ridge penalty on the logarithms of the weights keeps each where it is without evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil, log
from random import Random

import numpy as np
from scipy.optimize import minimize

from cuberails.bots.players import SearchBot
from cuberails.bots.search import SearchConfig
from cuberails.core.board import Board
from cuberails.core.judge import Judge
from cuberails.core.state import State
from cuberails.lab.fitting import Fitted, Fitting, Weights, scaled, table_size
from cuberails.lab.simulate import parallel_map, turns
from cuberails.titles import judge_with, weights

TEACHER = SearchConfig(simulations=12)
SLIP_RATE = 0.3
"""How often a teacher slips, so that the lessons include unusual positions."""
MOST_CONTESTS = 60
"""How many games, at most, the new weights play against the old ones: better predictions need not mean better play."""
SPACING = 5
"""One position in this number is a lesson: neighbours teach the same."""
MOST_LESSONS = 6000
"""More positions than this make a fit slow and hardly better: some are left out evenly."""
FIRST_STEP, TOLERANCE = 0.3, 0.02
"""By what part a weight is changed at first, and how exactly it is found."""
LEAST_CHANCE = 0.002
"""A judge that was quite sure and quite wrong is not counted as worse than this."""
RIDGE = 0.002
"""The penalty: what it costs to scale a weight by e."""


@dataclass(frozen=True)
class Lesson:
    """A position, and each seat's share of the win at the end."""

    position: State
    won: list[float]


def tune(fitting: Fitting, rounds: int) -> Fitted:
    """Let bots play and fit the weights, then let bots with the new weights play, and so on.

    Every fourth game is held out: the loss is measured there.
    """
    title, games = fitting.board.title.key, fitting.games
    first = best = weights(title)
    learned: list[list[Lesson]] = []
    for number in range(rounds):
        numbers = range(number * games // rounds, (number + 1) * games // rounds)
        learned += fitting.bar(lessons(fitting, best, numbers), f"Round {number + 1}: playing", len(numbers))
        studied = [lesson for count, of_game in enumerate(learned) if count % 4 for lesson in of_game]
        best = fit(title, best, studied[:: ceil(len(studied) / MOST_LESSONS)])
    held_out = [lesson for of_game in learned[::4] for lesson in of_game]
    before, after = (loss(judge_with(title, values), held_out) for values in (first, best))
    contests = min(games, MOST_CONTESTS)
    command = f"cuberails lab tune {title} --games {games} --rounds {rounds} --seed {fitting.seed}"
    return Fitted(fitting.board, command, best, fitting.contest(best, first, contests), contests, (before, after))


def lessons(fitting: Fitting, values: Weights, numbers: range) -> Iterator[list[Lesson]]:
    """The positions to learn from, game by game, of teachers with these weights."""
    played = parallel_map(partial(_play, fitting.board, values, fitting.seed), numbers, fitting.jobs)
    for number, (actions, shares) in zip(numbers, played, strict=True):
        yield _positions(fitting.board, number, actions, shares)


def _play(board: Board, values: Weights, seed: int, number: int) -> tuple[list[int], list[float]]:
    """One game between teachers: the ids of its actions, and each seat's share of the win."""
    state = board.new(table_size(board.title, number))
    judge = judge_with(board.title.key, values)
    bots = [SearchBot(f"{seed} {number} {seat}", TEACHER, SLIP_RATE, judge=judge) for seat in range(state.players)]
    actions = [action.id for _, action, _ in turns(state, bots, Random(f"chance {seed} {number}"))]
    return actions, state.win_shares()


def _positions(board: Board, number: int, actions: list[int], won: list[float]) -> list[Lesson]:
    state = board.new(table_size(board.title, number))
    everything = board.actions.all
    found = []
    for count, action in enumerate(actions):
        if count % SPACING == number % SPACING:
            found.append(Lesson(state.copy(), won))
        state.play(everything[action])
    return found


def loss(judge: Judge, learned: list[Lesson]) -> float:
    """The cross-entropy: the mean of minus the logarithm of the chance that the judge gave to the winner."""
    total = 0.0
    for lesson in learned:
        chances = judge.chances(lesson.position)
        for chance, won in zip(chances, lesson.won, strict=True):
            if won:
                total -= won * log(max(chance, LEAST_CHANCE))
    return total / len(learned)


def fit(title: str, start: Weights, learned: list[Lesson]) -> Weights:
    """The weights with which the winners of these positions are predicted best."""
    return minimized(start, lambda values: loss(judge_with(title, values), learned))


def minimized(start: Weights, loss: Callable[[Weights], float]) -> Weights:
    """The weights near these with the least loss and penalty, found by Powell's method."""

    def cost(powers: list[float]) -> float:
        return loss(scaled(start, powers)) + RIDGE * float(np.dot(powers, powers))

    size = len(start)
    options = {"direc": FIRST_STEP * np.eye(size), "xtol": TOLERANCE, "ftol": 1e-5}
    found = minimize(cost, np.zeros(size), method="Powell", options=options)
    return scaled(start, found.x.tolist())
