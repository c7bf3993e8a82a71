"""Which bot is stronger, and how sure that is: many games in every seating, counted with intervals, and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cuberails.lab.ratings import Ratings, rate, wilson_interval
from cuberails.lab.simulate import Match, Result


@dataclass(frozen=True)
class Standing:
    """How a bot did. `even` is the share of wins it would have if all were alike; `low` and `high` are 95 % limits."""

    bot: str
    games: int
    wins: float
    even: float
    low: float
    high: float
    rating: float
    rating_error: float
    margin: float
    seconds: float

    @property
    def share(self) -> float:
        return self.wins / self.games


@dataclass(frozen=True)
class Report:
    """The figures of a match: how the bots did, the strongest first, and what each seat is worth as a rating."""

    match: Match
    games: int
    standings: list[Standing]
    seats: list[float]

    def to_json(self) -> dict[str, Any]:
        bots = [{**asdict(standing), "share": standing.share} for standing in self.standings]
        return {"match": self.match.to_json(), "games": self.games, "bots": bots, "seats": self.seats}


def report(match: Match, played: Sequence[Result]) -> Report:
    """Sum up the games of a match."""
    names = list(dict.fromkeys(match.seating(0)))
    ratings = rate(names, played)
    standings = [_standing(name, match, played, ratings) for name in names]
    standings.sort(key=lambda standing: -standing.rating)
    return Report(match, len(played), standings, ratings.seats)


def _standing(name: str, match: Match, played: Sequence[Result], ratings: Ratings) -> Standing:
    seats = [(result, seat) for result in played for seat, bot in enumerate(result.bots) if bot == name]
    wins = sum(1 / len(result.winners) for result, seat in seats if seat in result.winners)
    margin = sum(_margin(result.scores, seat) for result, seat in seats) / len(seats)
    decisions = sum(result.thought[seat][0] for result, seat in seats)
    seconds = sum(result.thought[seat][1] for result, seat in seats)
    return Standing(
        name,
        len(played),
        wins,
        match.seating(0).count(name) / match.players,
        *wilson_interval(wins, len(played)),
        *ratings.of(name),
        margin,
        seconds / max(1, decisions),
    )


def _margin(scores: Sequence[int], seat: int) -> float:
    """How far a seat is ahead of the best of the others, or behind it."""
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
