"""Weights that win, by an evolution strategy: bots with perturbed weights play each other, and winners show the way.

In each game every bot scales the weights by Gaussian noise (in logarithms). The mean over all games of a bot's noise
times how much more it won than its share estimates the slope of the chance to win, as in natural evolution strategies.
Each weight moves along it, less what luck can explain: the mean is shrunk towards 0 by its own error (James and Stein).
That takes more games than `tune`, and is surer: a judge that predicts winners better need not choose better.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cuberails.core.board import Board
from cuberails.lab.fitting import Fitted, Fitting, Weights, play_with, scaled, table_size
from cuberails.lab.simulate import parallel_map
from cuberails.titles import weights

DEVIATION = 0.4
"""The standard deviation of the noise: by what part, about, the weights of the bots that play each other differ."""
LEARNING_RATE = 3.0
"""How far the weights move, in units of the estimated slope."""

Vector: TypeAlias = NDArray[np.float64]


def climb(fitting: Fitting, rounds: int) -> Fitted:
    """Move all weights along the estimated slope, and again from there."""
    title = fitting.board.title.key
    first = best = dict(weights(title))
    for number in range(1, rounds + 1):
        found = slopes(fitting, best, f"round {number}")
        best = scaled(best, (LEARNING_RATE * shrunk_mean(found)).tolist())
    won = fitting.contest(best, first, fitting.games)
    command = (
        f"cuberails lab climb {fitting.board.title.key} --games {fitting.games} --rounds {rounds} --seed {fitting.seed}"
    )
    return Fitted(fitting.board, command, best, won, fitting.games)


def slopes(fitting: Fitting, values: Weights, what: str) -> Vector:
    """For each game a row, with an estimate of the slope for each weight."""
    play = partial(_slope, fitting.board, fitting.simulations, f"{fitting.seed} {what}", values)
    games = fitting.bar(parallel_map(play, range(fitting.games), fitting.jobs), what, fitting.games)
    return np.array(list(games))


def _slope(board: Board, simulations: int, seed: str, values: Weights, number: int) -> list[float]:
    """One game between bots with perturbed weights: noise times advantage, summed over the seats."""
    players, rng = table_size(board.title, number), Random(f"leaning {seed} {number}")
    noise = [[rng.gauss(0.0, DEVIATION) for _ in values] for _ in range(players)]
    won = play_with(board, simulations, f"{seed} {number}", [scaled(values, each) for each in noise])
    advantage = np.array(won) - 1.0 / players
    slope: list[float] = (advantage @ np.array(noise)).tolist()
    return slope


def shrunk_mean(samples: Vector) -> Vector:
    """The mean of each column times 1 - error² / mean², or 0 if that is negative: then luck alone may have done it."""
    mean = samples.mean(axis=0)
    error = samples.var(axis=0, ddof=1) / len(samples)
    kept = np.maximum(0.0, 1.0 - np.divide(error, mean**2, out=np.full_like(mean, np.inf), where=mean != 0.0))
    shrunk: Vector = mean * kept
    return shrunk
