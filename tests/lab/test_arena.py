"""The arena: honest intervals, ratings that do not depend on the order of games, and games that are kept."""

from __future__ import annotations

from math import log
from pathlib import Path
from random import Random

import pytest

from cuberails.core.title import SetupError
from cuberails.lab import Match, Result
from cuberails.lab.arena import report, resumed
from cuberails.lab.ratings import ELO, rate, wilson_interval
from tests.lab.boards import TINY, WABASH, rich

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
    played = list(resumed(MATCH, 6, 1, None))
    found = report(MATCH, played)
    assert [standing.bot for standing in found.standings] == ["greedy", "random"]
    assert sum(standing.wins for standing in found.standings) == pytest.approx(6)
    assert sum(standing.even for standing in found.standings) == pytest.approx(1)
    best = found.standings[0]
    assert best.low < best.share <= best.high + 1e-9
    assert best.margin > 0
    assert best.seconds > 0
    assert found.to_json()["bots"][0]["share"] == best.share


def test_games_are_kept_and_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    first = list(resumed(MATCH, 4, 1, file))
    kept = file.read_text("utf-8")
    longer = list(resumed(MATCH, 6, 1, file))
    assert file.read_text("utf-8").startswith(kept)
    assert longer[:4] == first
    assert longer == list(resumed(MATCH, 6, 1, None))
    assert list(resumed(MATCH, 2, 1, file)) == first[:2]


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    whole = list(resumed(MATCH, 3, 1, file))
    file.write_text(file.read_text("utf-8")[:-20], "utf-8")
    assert list(resumed(MATCH, 3, 1, file)) == whole
    assert len(file.read_text("utf-8").splitlines()) == 4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("hello\n", "is not a file of the arena"), ('{"arena": 1}\n{"bots": 3}\n', "is not a file of the arena")],
)
def test_other_files_are_refused_and_left_alone(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(SetupError, match=complaint):
        list(resumed(MATCH, 3, 1, file))
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        (Match(TINY, 3, ("greedy", "random", "random"), seed=5), "seed"),
        (Match(TINY, 3, ("random", "greedy", "random"), seed=4), "bots"),
        (Match(rich(), 3, ("greedy", "random", "random"), seed=4), "board"),
    ],
)
def test_games_of_another_match_are_refused(tmp_path: Path, other: Match, differs: str) -> None:
    file = tmp_path / "games.jsonl"
    list(resumed(MATCH, 1, 1, file))
    with pytest.raises(SetupError, match=rf"games of another match \({differs}\)"):
        list(resumed(other, 2, 1, file))


def test_a_file_from_before_boards_had_digests_is_about_the_built_in_board(tmp_path: Path) -> None:
    file, match = tmp_path / "games.jsonl", Match(WABASH, 3, ("random",))
    first = list(resumed(match, 1, 1, file))
    file.write_text(file.read_text("utf-8").replace(f'"board": "{WABASH.digest}", ', ""), "utf-8")
    assert list(resumed(match, 1, 1, file)) == first
    with pytest.raises(SetupError, match="another match"):
        list(resumed(Match(rich(), 3, ("random",)), 1, 1, file))
