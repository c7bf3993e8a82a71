"""Which bot is stronger, and how sure that is: many games in every seating, counted with intervals, and ratings.

Games are kept in a file as they are played, one a line, so that a match can be gone on with later.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

from cuberails.core.title import SetupError
from cuberails.lab.simulate import Match, Result, results

SURE = 1.96
"""Standard deviations of a 95 % interval."""
ELO = 400 / log(10)
"""Ratings are told on the scale of chess: 400 more is ten to one."""
DOUBT = 4.0
"""Before any game, strengths are taken to differ by about so much: without it a bot that always wins has no rating."""


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
        return {"match": asdict(self.match), "games": self.games, "bots": bots, "seats": self.seats}


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
        *interval(wins, len(played)),
        *ratings.of(name),
        margin,
        seconds / max(1, decisions),
    )


def _margin(scores: Sequence[int], seat: int) -> float:
    """How far a seat is ahead of the best of the others, or behind it."""
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % limits of a share of wins."""
    share, part = wins / games, SURE * SURE / games
    middle = (share + part / 2) / (1 + part)
    off = SURE * sqrt(share * (1 - share) / games + part / (4 * games)) / (1 + part)
    return middle - off, middle + off


# Ratings: all games at once, so that their order cannot matter


@dataclass(frozen=True)
class Ratings:
    """Strengths of bots and advantages of seats on the scale of chess, each group about 0, and the bots' errors."""

    bots: dict[str, float]
    errors: dict[str, float]
    seats: list[float]

    def of(self, bot: str) -> tuple[float, float]:
        return self.bots[bot], self.errors[bot]


def rate(names: Sequence[str], played: Sequence[Result]) -> Ratings:
    """Plackett and Luce: who comes first is drawn by strength, then who comes next; fitted by Newton's method."""
    seats = len(played[0].scores)
    size = len(names) + seats
    at = {name: n for n, name in enumerate(names)}
    games = [_finish(result, at) for result in played]
    strengths = [0.0] * size
    for _ in range(30):
        slope, bend = _derivatives(games, strengths, size)
        inverse = _inverse(bend)
        steps = [sum(inverse[row][n] * slope[n] for n in range(size)) for row in range(size)]
        strengths = [strength + step for strength, step in zip(strengths, steps, strict=True)]
        if max(map(abs, steps)) < 1e-9:
            break
    bots, advantages = strengths[: len(names)], strengths[len(names) :]
    middle, level = sum(bots) / len(bots), sum(advantages) / seats
    return Ratings(
        {name: ELO * (bots[n] - middle) for name, n in at.items()},
        {name: ELO * SURE * _error(inverse, n, len(names)) for name, n in at.items()},
        [ELO * (advantage - level) for advantage in advantages],
    )


def _error(inverse: list[list[float]], n: int, count: int) -> float:
    """The standard deviation of a bot's strength against the mean of all bots."""
    parts = [(1.0 if other == n else 0.0) - 1.0 / count for other in range(count)]
    return sqrt(sum(parts[i] * parts[j] * inverse[i][j] for i in range(count) for j in range(count)))


def _finish(result: Result, at: dict[str, int]) -> list[list[tuple[int, int]]]:
    """Who came first, second …; equal scores together, but winners before others. Each as its two parameters."""
    places: dict[tuple[bool, int], list[tuple[int, int]]] = {}
    for seat, score in enumerate(result.scores):
        place = (seat not in result.winners, -score)
        places.setdefault(place, []).append((at[result.bots[seat]], len(at) + seat))
    return [places[place] for place in sorted(places)]


def _derivatives(
    games: Iterable[list[list[tuple[int, int]]]], strengths: list[float], size: int
) -> tuple[list[float], list[list[float]]]:
    """Slope and curvature (turned positive) of the likelihood of these games."""
    slope = [-strength / (DOUBT * DOUBT) for strength in strengths]
    bend = [[1.0 / (DOUBT * DOUBT) if row == column else 0.0 for column in range(size)] for row in range(size)]
    for state in games:
        for place in range(len(state) - 1):
            left = [entry for group in state[place:] for entry in group]
            weights = [exp(strengths[bot] + strengths[seat]) for bot, seat in left]
            total = sum(weights)
            likely = [0.0] * size
            for (bot, seat), weight in zip(left, weights, strict=True):
                likely[bot] += weight / total
                likely[seat] += weight / total
            for bot, seat in state[place]:
                slope[bot] += 1.0
                slope[seat] += 1.0
            times = len(state[place])
            for row in range(size):
                slope[row] -= times * likely[row]
                for column in range(size):
                    bend[row][column] -= times * likely[row] * likely[column]
            for (bot, seat), weight in zip(left, weights, strict=True):
                for row in (bot, seat):
                    for column in (bot, seat):
                        bend[row][column] += times * weight / total
    return slope, bend


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Gauss and Jordan. The matrix is positive definite, so its diagonal serves as pivots."""
    size = len(matrix)
    rows = [[*row, *(1.0 if n == k else 0.0 for k in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        pivot = rows[n][n]
        rows[n] = [value / pivot for value in rows[n]]
        for other in range(size):
            if other != n and rows[other][n]:
                factor = rows[other][n]
                rows[other] = [value - factor * top for value, top in zip(rows[other], rows[n], strict=True)]
    return [row[size:] for row in rows]


# Games kept in a file


def resumed(match: Match, games: int, jobs: int, file: Path | None) -> Iterator[Result]:
    """The games of a match in order: first those that the file has, then new ones, which it gets."""
    kept = _read(match, file) if file is not None and file.exists() else []
    yield from kept[:games]
    if len(kept) >= games:
        return
    if file is None:
        yield from results(match, games, jobs)
        return
    with file.open("a", encoding="utf-8") as lines:
        if not kept and not file.stat().st_size:
            print(json.dumps({"arena": 1, **asdict(match)}), file=lines, flush=True)
        for result in results(match, games, jobs, first=len(kept)):
            print(json.dumps(asdict(result)), file=lines, flush=True)
            yield result


def _read(match: Match, file: Path) -> list[Result]:
    """The games in a file. A last line that was cut off is dropped; a file of another match is refused."""
    text = file.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    try:
        head, *games = [json.loads(line) for line in whole.splitlines()] or [{}]
        kept = [_result(state) for state in games]
    except (ValueError, KeyError, TypeError) as error:
        raise SetupError(f"{file} is not a file of the arena: {error}; name another file") from None
    if kept and head != json.loads(json.dumps({"arena": 1, **asdict(match)})):
        raise SetupError(f"{file} holds games of another match; name another file, or go on with that match")
    if whole != text:
        file.write_text(whole, "utf-8")
    return kept


def _result(state: dict[str, Any]) -> Result:
    return Result(
        tuple(state["bots"]),
        tuple(state["scores"]),
        tuple(state["winners"]),
        state["decisions"],
        state["ending"],
        tuple((count, seconds) for count, seconds in state["thought"]),
    )
