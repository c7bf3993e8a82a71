"""Ratings of bots by the Plackett–Luce model, fitted to all games at once, so that their order cannot matter.

Who comes first is drawn by strength, then who comes next among the others. The strength of a player is that of its bot
plus the advantage of its seat. The strengths are the maximum a posteriori estimate with a Gaussian prior, their errors
come from the curvature there (Laplace's approximation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from cuberails.lab.simulate import Result

Z_95 = 1.96
"""Standard deviations of a 95 % interval."""
ELO = 400 / log(10)
"""Ratings are on the scale of chess: 400 more is ten to one."""
PRIOR_DEVIATION = 4.0
"""The standard deviation of strengths before any game: without it a bot that always wins has no finite rating."""

Vector: TypeAlias = NDArray[np.float64]
Player: TypeAlias = tuple[int, int]
"""The places of a player's bot and of its seat among the strengths."""
Stage: TypeAlias = tuple[tuple[Player, ...], tuple[Player, ...]]
"""Those who come next in a game, more than one if they are tied, and all among whom they come next."""


@dataclass(frozen=True)
class Ratings:
    """Strengths of bots and advantages of seats on the scale of chess, each group about 0, and the bots' errors."""

    bots: dict[str, float]
    errors: dict[str, float]
    seats: list[float]

    def of(self, bot: str) -> tuple[float, float]:
        return self.bots[bot], self.errors[bot]


def rate(names: Sequence[str], played: Sequence[Result]) -> Ratings:
    """The ratings of these bots after these games."""
    place = {name: n for n, name in enumerate(names)}
    likelihood = Likelihood(Counter(stage for result in played for stage in _stages(result, place)))
    size = len(names) + len(played[0].scores)
    found = minimize(
        likelihood.loss, np.zeros(size), jac=likelihood.slope, hess=likelihood.curvature, method="trust-exact"
    )
    bots, seats = found.x[: len(names)], found.x[len(names) :]
    errors = _errors(likelihood.curvature(found.x), len(names))
    return Ratings(
        dict(zip(names, (ELO * (bots - bots.mean())).tolist(), strict=True)),
        dict(zip(names, (ELO * Z_95 * errors).tolist(), strict=True)),
        (ELO * (seats - seats.mean())).tolist(),
    )


def _errors(curvature: Vector, bots: int) -> Vector:
    """The standard deviation of each bot's strength against the mean of all bots."""
    covariance = np.linalg.inv(curvature)[:bots, :bots]
    from_mean = np.eye(bots) - 1.0 / bots
    errors: Vector = np.sqrt(np.diag(from_mean @ covariance @ from_mean.T))
    return errors


def _stages(result: Result, place: Mapping[str, int]) -> Iterator[Stage]:
    """Who came first, then who came next, until one place is left; winners before others with the same score."""
    groups: dict[tuple[bool, int], list[Player]] = {}
    for seat, score in enumerate(result.scores):
        rank = (seat not in result.winners, -score)
        groups.setdefault(rank, []).append((place[result.bots[seat]], len(place) + seat))
    ranked = [groups[rank] for rank in sorted(groups)]
    for n in range(len(ranked) - 1):
        yield tuple(ranked[n]), tuple(player for group in ranked[n:] for player in group)


class Likelihood:
    """Minus the logarithm of the posterior density of strengths, given how often each stage was seen."""

    def __init__(self, stages: Mapping[Stage, int]) -> None:
        self.stages = stages

    def loss(self, strengths: Vector) -> float:
        total = float(strengths @ strengths) / (2.0 * PRIOR_DEVIATION**2)
        for (first, left), times in self.stages.items():
            values = np.array([strengths[bot] + strengths[seat] for bot, seat in left])
            chosen = sum(float(strengths[bot] + strengths[seat]) for bot, seat in first)
            total += times * (len(first) * float(np.logaddexp.reduce(values)) - chosen)
        return total

    def slope(self, strengths: Vector) -> Vector:
        slope: Vector = strengths / PRIOR_DEVIATION**2
        for (first, left), times in self.stages.items():
            players, chances = _model(strengths, left)
            slope = slope + times * (len(first) * chances @ players - _rows(len(strengths), first).sum(axis=0))
        return slope

    def curvature(self, strengths: Vector) -> Vector:
        curvature: Vector = np.eye(len(strengths)) / PRIOR_DEVIATION**2
        for (first, left), times in self.stages.items():
            players, chances = _model(strengths, left)
            likely = chances @ players
            curvature += times * len(first) * (players.T * chances @ players - np.outer(likely, likely))
        return curvature


def _rows(size: int, players: Sequence[Player]) -> Vector:
    """A row for each player, with a 1 for its bot and for its seat."""
    rows = np.zeros((len(players), size))
    for n, player in enumerate(players):
        rows[n, list(player)] = 1.0
    return rows


def _model(strengths: Vector, left: Sequence[Player]) -> tuple[Vector, Vector]:
    """These players as rows, and the chance of each to come next."""
    players = _rows(len(strengths), left)
    values = players @ strengths
    weights = np.exp(values - values.max())
    return players, weights / weights.sum()


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % limits of a share of wins."""
    share, part = wins / games, Z_95 * Z_95 / games
    middle = (share + part / 2) / (1 + part)
    off = Z_95 * sqrt(share * (1 - share) / games + part / (4 * games)) / (1 + part)
    return middle - off, middle + off
