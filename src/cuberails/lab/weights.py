"""The weights of a hand-made judge: the maximum-likelihood fit of its chances to the outcomes of games between bots.

The chances are a softmax of what the judge thinks each seat will end with, so this is multinomial logistic regression,
but not a linear one, since the weights sit anywhere inside the judge: Powell's method minimises the cross-entropy
without derivatives. A ridge penalty on the logarithms of the weights keeps each where it is without evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import ceil, exp, log
from random import Random
from typing import TypeAlias

import numpy as np
from scipy.optimize import minimize

from cuberails.bots.players import SearchBot, perturbed
from cuberails.bots.search import SearchConfig, collector_paused
from cuberails.core.board import Board
from cuberails.core.judge import Judge
from cuberails.core.state import State
from cuberails.lab.executor import Executor
from cuberails.lab.league import Bar, table_size
from cuberails.lab.simulate import turns
from cuberails.titles import judge_with, weights

Weights: TypeAlias = Mapping[str, float]

SIMULATIONS = 48
"""The budget of the bots that try weights."""
CONTEST_PLAYERS = 3
"""The number of players when new weights play against old ones."""
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
class Fitting:
    """What is to be fitted, and how: the board, the number of games, the seed, and who plays the games."""

    board: Board
    games: int
    seed: int
    executor: Executor
    bar: Bar
    simulations: int = SIMULATIONS

    def contest(self, new: Weights, old: Weights, games: int) -> float:
        """How many games a bot with the new weights wins, alone against two with the old ones."""
        what = "new weights against old"
        play = partial(contest_game, self.board, self.simulations, f"{self.seed} {what}", new, old)
        return sum(self.bar(self.executor.map(play, range(games)), what, games))


@dataclass(frozen=True)
class Fitted:
    """The outcome: weights, and how many of the `contests` a bot with them won, alone among bots with those before.

    `loss` is how badly the judge predicted the winners with the weights before and with these.
    """

    board: Board
    command: str
    weights: Weights
    won: float
    contests: int
    loss: tuple[float, float]

    def to_toml(self) -> str:
        """The file `judge.toml` of the title: where its weights come from, and the weights."""
        board = () if self.board.built_in else (f'board = "{self.board.name}"',)
        lines = [
            "# What the hand-made judge of this title weighs; `cuberails lab learn --hand` writes this file.",
            "",
            "[fitted]",
            f"date = {date.today().isoformat()}",
            f'command = "{self.command}"',
            *board,
            f"loss_before = {self.loss[0]:.4f}",
            f"loss = {self.loss[1]:.4f}",
            f"won = {round(self.won, 2)}",
            f"contests = {self.contests}",
            "",
            "[weights]",
            *(f"{name} = {round(value, 4)}" for name, value in self.weights.items()),
        ]
        return "\n".join(lines) + "\n"


def contest_game(board: Board, simulations: int, seed: str, new: Weights, old: Weights, number: int) -> float:
    """One game: the share of the win of the bot with the new weights.

    All weights get a little noise, as those of bots have: without dice every game would be the same otherwise.
    """
    challenger, noise = number % CONTEST_PLAYERS, Random(f"taste {seed} {number}")
    sides = [new if seat == challenger else old for seat in range(CONTEST_PLAYERS)]
    won = play_with(board, simulations, f"{seed} {number}", [perturbed(side, noise) for side in sides])
    return won[challenger]


def play_with(board: Board, simulations: int, seed: str, weights: Sequence[Weights]) -> list[float]:
    """One game between bots with these weights: each seat's share of the win."""
    state, config = board.new(len(weights)), SearchConfig(simulations=simulations)
    judges = [judge_with(board.title.key, each) for each in weights]
    bots = [SearchBot(f"{seed} {seat}", config, judge=judge) for seat, judge in enumerate(judges)]
    with collector_paused():
        for _ in turns(state, bots, Random(f"contest {seed}")):
            pass
    return state.win_shares()


@dataclass(frozen=True)
class Lesson:
    """A position, and each seat's share of the win at the end."""

    position: State
    won: list[float]


def fit_weights(fitting: Fitting, rounds: int) -> Fitted:
    """Let bots play and fit the weights, then let bots with the new weights play, and so on: `games` a round.

    Every fourth game is held out: the loss is measured there.
    """
    title, games = fitting.board.title.key, fitting.games
    first = best = weights(title)
    learned: list[list[Lesson]] = []
    for number in range(rounds):
        numbers = range(number * games, (number + 1) * games)
        learned += fitting.bar(lessons(fitting, best, numbers), f"Round {number + 1}: playing", len(numbers))
        studied = [lesson for count, of_game in enumerate(learned) if count % 4 for lesson in of_game]
        best = fit(title, best, studied[:: ceil(len(studied) / MOST_LESSONS)])
    held_out = [lesson for of_game in learned[::4] for lesson in of_game]
    before, after = (loss(judge_with(title, values), held_out) for values in (first, best))
    contests = min(games, MOST_CONTESTS)
    command = f"cuberails lab learn {title} --hand --generations {rounds} --games {games} --seed {fitting.seed}"
    return Fitted(fitting.board, command, best, fitting.contest(best, first, contests), contests, (before, after))


def lessons(fitting: Fitting, values: Weights, numbers: range) -> Iterator[list[Lesson]]:
    """The positions to learn from, game by game, of teachers with these weights."""
    played = fitting.executor.map(partial(_play, fitting.board, values, fitting.seed), numbers)
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


def scaled(weights: Weights, logarithms: Iterable[float]) -> dict[str, float]:
    """Each weight times e to the power of a number: methods search for these powers, so that no weight changes sign."""
    return {name: value * exp(power) for (name, value), power in zip(weights.items(), logarithms, strict=True)}
