"""Fitting the weights of a judge: bots play, and the weights move to where the judge foretells the winners best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import log
from multiprocessing import get_context
from random import Random

from cuberails.bots import make
from cuberails.core.judge import Judge
from cuberails.core.playout import sample
from cuberails.core.state import CHANCE, State
from cuberails.titles import judge_with, load, weights

TEACHER = "easy"
"""The level that plays: quick, and it goes off the beaten track now and then."""
APART = 5
"""Of the positions of a game, every so-many-th is looked at: neighbours tell the same."""
FIRST_STEP, LAST_STEP = 0.3, 0.02
"""By what part a weight is changed at first, and when the fitting ends."""
LEAST_CHANCE = 0.002
"""A judge that was quite sure and quite wrong is not counted as worse than this."""


@dataclass(frozen=True)
class Lesson:
    """A position, and for each seat its part in the win at the end."""

    position: State
    won: list[float]


@dataclass(frozen=True)
class Fit:
    """The outcome: weights, and how well winners were foretold before and after, in games not used for fitting.

    The loss is the mean of minus the logarithm of the chance that the judge gave to the winner.
    """

    title: str
    games: int
    seed: int
    weights: dict[str, float]
    before: float
    after: float

    def to_toml(self) -> str:
        """The file `judge.toml` of the title."""
        lines = [
            f"# What the judge of this title weighs, and how. `cuberails lab tune {self.title}` writes this file.",
            "",
            "[fitted]",
            f"date = {date.today().isoformat()}",
            f"games = {self.games}",
            f'command = "cuberails lab tune {self.title} --games {self.games} --seed {self.seed}"',
            f"loss_before = {self.before:.4f}",
            f"loss = {self.after:.4f}",
            "",
            "[weights]",
            *(
                f"{name} = {value:.4g}" if value % 1 else f"{name} = {value:.1f}"
                for name, value in self.weights.items()
            ),
        ]
        return "\n".join(lines) + "\n"


def lessons(title: str, games: int, seed: int, jobs: int = 1) -> Iterator[list[Lesson]]:
    """For each game the positions to learn from."""
    play = partial(_lessons_of, title, seed)
    if jobs == 1:
        yield from map(play, range(games))
        return
    with get_context("spawn").Pool(jobs) as pool:
        for number, won in enumerate(pool.imap(partial(_history, title, seed), range(games))):
            yield _positions(title, seed, number, *won)


def _lessons_of(title: str, seed: int, number: int) -> list[Lesson]:
    return _positions(title, seed, number, *_history(title, seed, number))


def _players(title: str, number: int) -> int:
    """The games go through all numbers of players."""
    found = load(title)
    counts = range(max(3, found.least_players), found.most_players + 1)
    return counts[number % len(counts)]


def _history(title: str, seed: int, number: int) -> tuple[list[int], list[float]]:
    """One game between teachers: the numbers of its actions, and each seat's part in the win."""
    game = load(title).new(_players(title, number), {})
    bots = [make(TEACHER, f"{seed} {number} {seat}") for seat in range(game.players)]
    dice = Random(f"chance {seed} {number}")
    actions = []
    while game.actor is not None and not game.too_long:
        action = sample(game, dice) if game.actor == CHANCE else bots[game.actor].choose(game)
        actions.append(action.id)
        game.play(action)
        for bot in bots:
            bot.saw(action)
    winners = game.winners()
    return actions, [1 / len(winners) if seat in winners else 0.0 for seat in range(game.players)]


def _positions(title: str, seed: int, number: int, actions: list[int], won: list[float]) -> list[Lesson]:
    game = load(title).new(_players(title, number), {})
    everything = game.title.actions.all
    found = []
    for count, action in enumerate(actions):
        if count % APART == (number + seed) % APART and game.actor is not None:
            found.append(Lesson(game.copy(), won))
        game.play(everything[action])
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


def fit(title: str, games: list[list[Lesson]], seed: int, told: Callable[[float, float], None] | None = None) -> Fit:
    """Change one weight after the other, a little less each round, and keep what makes the loss smaller."""
    learned = [lesson for number, game in enumerate(games) if number % 4 for lesson in game]
    unseen = [lesson for number, game in enumerate(games) if number % 4 == 0 for lesson in game]
    first = weights(title)
    best, least = dict(first), loss(judge_with(title, first), learned)
    step = FIRST_STEP
    while step >= LAST_STEP:
        improved = False
        for name in best:
            for factor in (1 + step, 1 / (1 + step)):
                tried = {**best, name: best[name] * factor}
                found = loss(judge_with(title, tried), learned)
                if found < least - 1e-6:
                    best, least, improved = tried, found, True
                    break
        if told is not None:
            told(step, least)
        if not improved:
            step /= 2
    return Fit(title, len(games), seed, best, _loss_of(title, first, unseen), _loss_of(title, best, unseen))


def _loss_of(title: str, values: Mapping[str, float], learned: list[Lesson]) -> float:
    return loss(judge_with(title, values), learned)
