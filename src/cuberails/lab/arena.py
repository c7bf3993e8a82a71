"""Which bot is stronger, and how sure that is: many games in every seating, counted with intervals, and ratings.

Games are kept in a file as they are played, one a line, so that a match can be resumed later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cuberails.core.title import SetupError
from cuberails.lab.ratings import Ratings, rate, wilson_interval
from cuberails.lab.simulate import Match, Result, results


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
            print(json.dumps(_header(match)), file=lines, flush=True)
        for result in results(match, games, jobs, first=len(kept)):
            print(json.dumps(asdict(result)), file=lines, flush=True)
            yield result


def _header(match: Match) -> dict[str, Any]:
    """The first line of a file: which match this is, by the digest of its board."""
    return {"arena": 1, **match.to_json()}


def _read(match: Match, file: Path) -> list[Result]:
    """The games in a file. A last line that was cut off is dropped; a file of another match is refused."""
    text = file.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    try:
        head, *entries = [json.loads(line) for line in whole.splitlines()] or [{}]
        kept = [_result(entry) for entry in entries]
    except (ValueError, KeyError, TypeError) as error:
        raise SetupError(f"{file} is not a file of the arena: {error}; name another file") from None
    if kept:
        _check_header(match, file, head)
    if whole != text:
        file.write_text(whole, "utf-8")
    return kept


def _check_header(match: Match, file: Path, head: dict[str, Any]) -> None:
    """SetupError if a file holds games of another match."""
    if "board" not in head:  # older files are about built-in boards
        head = {**head, "board": match.board.title.board.digest}
    expected = json.loads(json.dumps(_header(match)))
    others = [name for name in expected if head.get(name) != expected[name]]
    if others:
        problem = f"{file} holds games of another match ({', '.join(others)})"
        raise SetupError(f"{problem}; name another file, or resume that match")


def _result(entry: dict[str, Any]) -> Result:
    return Result(
        tuple(entry["bots"]),
        tuple(entry["scores"]),
        tuple(entry["winners"]),
        entry["decisions"],
        entry["ending"],
        tuple((count, seconds) for count, seconds in entry["thought"]),
    )
