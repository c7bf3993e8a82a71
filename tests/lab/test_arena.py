"""The arena: honest intervals, and ratings that do not depend on the order of games."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from cuberails.lab import Match, Result, results
from cuberails.lab.arena import report
from cuberails.lab.ratings import ELO, rate, wilson_interval
from tests.lab.boards import TINY, WABASH

MATCH = Match(TINY, 3, ("greedy", "random", "random"), seed=4)


def duel(winner: str, loser: str, seat: int = 0) -> Result:
    bots = (winner, loser) if seat == 0 else (loser, winner)
    scores = (2, 1) if seat == 0 else (1, 2)
    return Result(bots, scores, (seat,), 10, "why", ((5, 0.5), (5, 0.1)))


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (25, 100, 0.1755, 0.3431)],
)
def test_intervals_are_those_of_wilson(wins: float, games: int, low: float, high: float) -> None:
    assert wilson_interval(wins, games) == pytest.approx((low, high), abs=0.001)


def test_ratings_of_two_are_the_odds_between_them() -> None:
    """Three to one in 400 games, from both seats alike."""
    games = [duel("a", "b", n % 2) if n % 8 < 6 else duel("b", "a", n % 2) for n in range(400)]
    ratings = rate(["a", "b"], games)
    assert ratings.bots["a"] - ratings.bots["b"] == pytest.approx(ELO * log(3), abs=8)
    assert ratings.bots["a"] == pytest.approx(-ratings.bots["b"])
    assert ratings.seats == pytest.approx([0, 0], abs=1)
    assert 0 < ratings.errors["a"] < 30


def test_a_good_seat_is_not_taken_for_a_good_bot() -> None:
    """Seat 1 always wins, and both bots sit there equally often."""
    games = [duel("a", "b") if n % 2 else duel("b", "a") for n in range(40)]
    ratings = rate(["a", "b"], games)
    assert ratings.bots["a"] == pytest.approx(0, abs=1e-6)
    assert ratings.seats[0] > 200


def test_the_order_of_games_does_not_matter() -> None:
    games = [duel("a", "b", n % 2) for n in range(30)] + [duel("b", "a", n % 2) for n in range(12)]
    mixed = games[:]
    Random(1).shuffle(mixed)
    assert rate(["a", "b"], games).bots == pytest.approx(rate(["a", "b"], mixed).bots)


def test_all_seatings_are_played() -> None:
    match = Match(WABASH, 4, ("greedy", "random", "easy", "medium"))
    assert len({match.seating(number) for number in range(24)}) == 24
    assert match.seating(24) == match.seating(0)
    pairs = Match(WABASH, 4, ("greedy", "random"))
    assert len({pairs.seating(number) for number in range(6)}) == 6


def test_a_report_adds_up() -> None:
    played = list(results(MATCH, 6))
    found = report(MATCH, played)
    assert [standing.bot for standing in found.standings] == ["greedy", "random"]
    assert sum(standing.wins for standing in found.standings) == pytest.approx(6)
    assert sum(standing.even for standing in found.standings) == pytest.approx(1)
    best = found.standings[0]
    assert best.low < best.share <= best.high + 1e-9
    assert best.margin > 0
    assert best.seconds > 0
    assert found.to_json()["bots"][0]["share"] == best.share
