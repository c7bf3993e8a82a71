"""What shares were expected to pay, beside what they paid: how good the numbers are that people get.

At moments of games between bots, each in a part of the game of its own, every share is asked for exactly as
`cuberails.worth` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from random import Random
from statistics import fmean
from typing import Any

from cuberails.bots.playouts import Expectation, PlayOut, expectation, play_out, unchanged
from cuberails.core.game import Game
from cuberails.core.share import Correction
from cuberails.core.state import CHANCE, State
from cuberails.lab.executor import Executor, Local
from cuberails.lab.simulate import Match, play_recorded
from cuberails.titles import shares_of

HELD = 0.8
"""The part of all moments at which the range should hold what was paid."""
WIDTHS = [n / 4 for n in range(1, 25)]
"""The widths of ranges that a fit compares."""


@dataclass(frozen=True)
class Moment:
    """A share at a moment: what it paid in each play-out, what it would have paid unchanged, and what it paid."""

    game: int
    share: str
    outcomes: list[float]
    steady: float
    paid: float

    def expected(self, correction: Correction) -> Expectation:
        """What people are told."""
        return expectation(self.outcomes, self.steady, correction)


@dataclass(frozen=True)
class Accuracy:
    """How good the expectations were: means, the mean error, the correlation, and how often the range held.

    `explained` is the part of the variance between shares that they explain: 1 minus that of their errors.
    """

    moments: int
    paid: float
    expected: float
    error: float
    correlation: float
    explained: float
    held: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def moments_in_games(
    match: Match, games: int, count: int, plays: int, executor: Executor | None = None
) -> Iterator[list[Moment]]:
    """Every share at this many moments of each game, in order."""
    match.check()
    return (executor or Local()).map(partial(moments_in_game, match, count, plays), range(games))


def moments_in_game(match: Match, count: int, plays: int, number: int) -> list[Moment]:
    """Every share at moments of the game with this number."""
    return moments_in(play_recorded(match, number), count, plays, match.seed, number)


def moments_in(game: Game, count: int, plays: int, seed: int, number: int) -> list[Moment]:
    """Every share at moments of a game that is over."""
    rng, paid = Random(f"moments {seed} {number}"), paid_until(game)
    decided = [at for at, step in enumerate(game.steps) if step.seat != CHANCE]
    chosen = [decided[int((n + rng.random()) * len(decided) / count)] for n in range(min(count, len(decided)))]
    return [each for at in chosen for each in _moments_at(game.at(at), number, plays, paid[at], paid[-1])]


def paid_until(game: Game) -> list[dict[str, float]]:
    """What one share of each name has paid before each action, and at last what it has paid and counts at the end."""
    shares, state = shares_of(game.board), game.at(0).copy()
    total: dict[str, float] = {}
    found = [total]
    for step in game.steps:
        payments = shares.paid_by(state, state.apply(step.action))
        if payments:
            total = dict(total)
        for payment in payments:
            total[payment.name] = total.get(payment.name, 0.0) + payment.per_share
        found.append(total)
    values = {share.name: shares.value(state, share.name) for share in shares.shares(state)}
    found[-1] = {name: total.get(name, 0.0) + value for name, value in values.items()}
    return found


def _moments_at(state: State, game: int, plays: int, before: dict[str, float], end: dict[str, float]) -> list[Moment]:
    played = [play_out(state, f"{game} {n}") for n in range(plays)]
    return [
        _moment(state, game, share.name, played, end.get(share.name, 0.0) - before.get(share.name, 0.0))
        for share in shares_of(state.board).shares(state)
    ]


def _moment(state: State, game: int, name: str, played: Sequence[PlayOut], paid: float) -> Moment:
    outcomes = [play.paid.get(name, 0.0) for play in played]
    return Moment(game, name, outcomes, unchanged(state, name, played), paid)


# Figures


def accuracy(moments: Sequence[Moment], correction: Correction) -> Accuracy:
    """How good what people are told is, read with a correction."""
    expectations = [moment.expected(correction) for moment in moments]
    paid, expected = [moment.paid for moment in moments], [each.mean for each in expectations]
    errors = [one - other for one, other in zip(paid, expected, strict=True)]
    return Accuracy(
        len(moments),
        fmean(paid),
        fmean(expected),
        fmean(map(abs, errors)),
        _correlation(paid, expected),
        1.0 - sum(error * error for error in errors) / (_products(paid, paid) or 1.0),
        fmean(each.low <= moment.paid <= each.high for each, moment in zip(expectations, moments, strict=True)),
    )


def _products(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of the products of the deviations from the means."""
    first, second = fmean(one), fmean(other)
    return sum((a - first) * (b - second) for a, b in zip(one, other, strict=True))


def _correlation(one: Sequence[float], other: Sequence[float]) -> float:
    scale = (_products(one, one) * _products(other, other)) ** 0.5
    return _products(one, other) / scale if scale else 0.0


def fitted(moments: Sequence[Moment]) -> Correction:
    """The correction that fits these moments: growth by least squares, then the width that holds what it should."""
    grown = [(fmean(moment.outcomes) - moment.steady, moment.paid - moment.steady) for moment in moments]
    below = sum(change * change for change, _ in grown)
    growth = round(sum(change * paid for change, paid in grown) / below, 2) if below else 1.0
    held = {width: accuracy(moments, Correction(growth, width)).held for width in WIDTHS}
    return Correction(growth, min(WIDTHS, key=lambda width: abs(held[width] - HELD)))
