"""Finding puzzles in games of bots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cuberails.bots.advice import Idea
from cuberails.bots.puzzle import Puzzle, read_puzzles
from cuberails.core.game import Game
from cuberails.core.state import CHANCE
from cuberails.lab import Match, puzzles
from cuberails.lab.puzzles import PART_OF_A_KIND, chosen, puzzles_in_game, sifted
from cuberails.lab.simulate import play_recorded
from tests.cli.calling import says
from tests.lab.boards import TINY, WABASH

SHORT = Match(TINY, 2, ("search:simulations=2",), seed=5)
Sifted = tuple[Game, list[int]]


@pytest.fixture(scope="module")
def game_and_places() -> Sifted:
    return sifted(SHORT, 1)


def test_the_sieve_plays_the_game_of_a_simulation_and_keeps_decisions(game_and_places: Sifted) -> None:
    game, places = game_and_places
    assert game.to_json() == play_recorded(SHORT, 1).to_json()
    assert places
    assert all(game.steps[at].seat != CHANCE for at in places)


def test_bots_that_do_not_search_leave_nothing_in_the_sieve() -> None:
    assert sifted(replace(SHORT, bots=("random",)), 0)[1] == []


def test_the_puzzles_of_a_game_are_positions_of_it(monkeypatch: pytest.MonkeyPatch, game_and_places: Sifted) -> None:
    monkeypatch.setattr(puzzles, "MOST_TRIED", 2)
    tried: list[int] = []

    def found(game: object, at: int, seed: str) -> Puzzle:
        tried.append(at)
        return puzzle("pass", at)

    monkeypatch.setattr(puzzles, "puzzle_in", found)
    monkeypatch.setattr(puzzles, "sifted", lambda match, number: game_and_places)
    assert len(puzzles_in_game(SHORT, 1)) == 2
    assert tried == game_and_places[1][:2]


def puzzle(answer: str, count: int = 0) -> Puzzle:
    """Somewhere in the first auction."""
    ideas = [Idea(answer, [0.6, 0.2, 0.2], ""), Idea("bid 30", [0.4, 0.3, 0.3], "")]
    return Puzzle("wabash", 1, ["Ann", "Bob", "Cy"], ["bid 12"], ideas, [], [answer])


def test_as_many_as_wanted_are_chosen_but_not_too_many_of_a_kind() -> None:
    found = chosen([[puzzle("pass")] * 3] * 9, 10)
    assert len(found) == PART_OF_A_KIND * 10  # all of them are decisions of an auction


def test_the_command_writes_a_file_that_can_be_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(puzzles, "puzzle_in", lambda game, at, seed: None)
    file = tmp_path / "puzzles.json"
    command = ("lab", "puzzles", "wabash", "--games", "1", "--bots", "random", "--out", str(file))
    assert "0 puzzles are in" in says(capsys, *command)
    assert read_puzzles(file.name, file.read_text("utf-8")) == []
    assert WABASH.title.key in file.read_text("utf-8")
