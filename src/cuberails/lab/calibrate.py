"""Are the chances that people are told honest? What searches said at moments of games, beside who won those games.

A moment is judged exactly as an analysis with the quick budget judges it. The moments of a game are spread over it at
random, and the games are none that anything was fitted on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from math import exp, log, sqrt
from random import Random
from statistics import fmean
from typing import Any

from cuberails.bots.analysis import BUDGETS
from cuberails.bots.decision import judge_decision
from cuberails.bots.search import collector_paused
from cuberails.core.game import Game
from cuberails.core.state import CHANCE, NOBODY
from cuberails.lab.executor import Executor, Local
from cuberails.lab.simulate import Match, play_recorded
from cuberails.titles import sharpness

BINS = 10
THIRDS = ("first third", "second third", "last third")
LEAST_GAMES = 10
"""Of fewer games, whose moments have one result each, not even the error of the sharpness is known."""

LEAST_CHANCE = 0.002
"""Where a chance that was told counts in logarithms, it counts as at least this: people read 0 %."""
BLUNTEST, SHARPEST = 0.2, 5.0
"""The sharpness is looked for between these."""
STEPS = 40
"""So often that range is halved."""


@dataclass(frozen=True)
class Forecast:
    """A moment of a game: how much of it was over, each seat's chance as told there, and its share of the win."""

    game: int
    part: float
    chances: list[float]
    won: list[float]


@dataclass(frozen=True)
class Bin:
    """Seats that were told about the same chance: how many, what they were told, and how often they won."""

    count: int
    predicted: float
    won: float


@dataclass(frozen=True)
class Score:
    """The Brier score of the chances told and of telling everybody 1/n; 0 is best, `skill` is the part taken off."""

    moments: int
    brier: float
    naive: float

    @property
    def skill(self) -> float:
        return 1.0 - self.brier / self.naive if self.naive else 0.0


@dataclass(frozen=True)
class Calibration:
    """What was told and what came of it: reliability in bins, scores in all and by thirds of the game.

    `sharpness` is the power of all chances that would have been most likely to bring these results: below 1 they were
    overconfident, above 1 too cautious; `error` is its standard error, over games. `present` is the sharpness that the
    title has, by which the chances were told, and `fitted` the one that would fit these games.
    """

    match: Match
    games: int
    bins: list[Bin]
    score: Score
    thirds: list[Score]
    sharpness: float
    error: float

    @property
    def present(self) -> float:
        return sharpness(self.match.board.title.key)

    @property
    def fitted(self) -> float:
        return self.present * self.sharpness

    def to_json(self) -> dict[str, Any]:
        parts = dict(zip(THIRDS, map(asdict, self.thirds), strict=True))
        found = {"bins": [asdict(each) for each in self.bins], "score": asdict(self.score), "thirds": parts}
        fitted = {"sharpness": self.sharpness, "error": self.error, "present": self.present, "fitted": self.fitted}
        return {**self.match.to_json(), "games": self.games, **found, **fitted}


# Games


def forecasts_in_games(
    match: Match, games: int, moments: int, executor: Executor | None = None
) -> Iterator[list[Forecast]]:
    """What is told at this many moments of each game, in order."""
    match.check()
    return (executor or Local()).map(partial(forecasts_in_game, match, moments), range(games))


def forecasts_in_game(match: Match, moments: int, number: int) -> list[Forecast]:
    """What is told at moments of the game with this number."""
    return forecasts_in(play_recorded(match, number), moments, match.seed, number)


def forecasts_in(game: Game, moments: int, seed: int, number: int) -> list[Forecast]:
    """What is told at moments of a game that is over, each in a part of the game of its own."""
    rng = Random(f"moments {seed} {number}")
    decided = [at for at, step in enumerate(game.steps) if step.seat != CHANCE]
    if game.state.phase.actor != NOBODY or len(decided) < moments:
        return []
    simulations = BUDGETS["quick"].simulations(len(decided))
    found = []
    for n in range(moments):
        at = decided[int((n + rng.random()) * len(decided) / moments)]
        with collector_paused():
            decision = judge_decision(game.at(at), game.steps[at].action, simulations, seed, at)
        found.append(Forecast(number, at / game.count, decision.before, game.state.win_shares()))
    return found


# Figures


def calibration(match: Match, games: Iterable[Sequence[Forecast]]) -> Calibration:
    """The figures of what was told in these games."""
    played = [game for game in games if game]
    everything = [forecast for game in played for forecast in game]
    thirds = [[each for each in everything if int(3 * each.part) == n] for n in range(3)]
    scores = [score(third) for third in thirds]
    return Calibration(match, len(played), bins(everything), score(everything), scores, *fitted_sharpness(played))


def bins(everything: Sequence[Forecast], count: int = BINS) -> list[Bin]:
    """All seats at all moments by the chance they were told, the lowest first, in equally large bins."""
    pairs = sorted(pair for each in everything for pair in zip(each.chances, each.won, strict=True))
    edges = [n * len(pairs) // count for n in range(count + 1)]
    parts = [pairs[first:last] for first, last in pairwise(edges) if last > first]
    return [Bin(len(part), fmean(predicted for predicted, _ in part), fmean(won for _, won in part)) for part in parts]


def score(everything: Sequence[Forecast]) -> Score:
    """The mean over seats of the squared difference between what was told and what became true."""
    if not everything:
        return Score(0, 0.0, 0.0)
    even = [[1.0 / len(each.won)] * len(each.won) for each in everything]
    brier = fmean(_brier(each.chances, each.won) for each in everything)
    return Score(
        len(everything), brier, fmean(_brier(chance, each.won) for chance, each in zip(even, everything, strict=True))
    )


def _brier(chances: Sequence[float], won: Sequence[float]) -> float:
    return fmean((chance - share) ** 2 for chance, share in zip(chances, won, strict=True))


def fitted_sharpness(games: Sequence[Sequence[Forecast]]) -> tuple[float, float]:
    """The sharpness under which the results were most likely, and its standard error, by bisection.

    The loss, the cross-entropy of the results, is convex in it, so its slope rises. Moments of one game have the same
    result: for the error the slopes of a game count together (a cluster-robust estimate).
    """
    logs = [
        [([log(max(LEAST_CHANCE, chance)) for chance in each.chances], each.won) for each in game] for game in games
    ]

    def derivatives(sharpness: float) -> tuple[list[float], float]:
        """The slope of the loss of each game, and the second derivative of the loss of all."""
        found = [[_slope(moment, won, sharpness) for moment, won in game] for game in logs]
        return [sum(slope for slope, _ in game) for game in found], sum(bend for game in found for _, bend in game)

    low, high = BLUNTEST, SHARPEST
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if sum(derivatives(middle)[0]) > 0.0 else (middle, high)
    slopes, bend = derivatives(low)
    return (low, sqrt(sum(slope * slope for slope in slopes)) / bend) if bend > 0.0 else (1.0, 0.0)


def _slope(logs: Sequence[float], won: Sequence[float], sharpness: float) -> tuple[float, float]:
    """The first and the second derivative of the loss of one moment."""
    odds = [exp(sharpness * each) for each in logs]
    total = sum(odds)
    mean = sum(odd * each for odd, each in zip(odds, logs, strict=True)) / total
    square = sum(odd * each * each for odd, each in zip(odds, logs, strict=True)) / total
    return mean - sum(share * each for share, each in zip(won, logs, strict=True)), square - mean * mean
