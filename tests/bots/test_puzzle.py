"""Puzzles: what makes one, what a title keeps, and which one a day has."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

import cuberails
from cuberails.bots import puzzle
from cuberails.bots.advice import Idea
from cuberails.bots.puzzle import (
    CLEAR,
    DEEP,
    MOST_IDEAS,
    Puzzle,
    puzzle_in,
    puzzle_of_day,
    puzzles_of,
    puzzles_text,
    read_puzzles,
)
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.title import SetupError

SMALL = replace(DEEP, simulations=24)


def random_game(key: str, seed: int, count: int) -> Game:
    game, rng = Game(cuberails.load(key).board, ["Ann", "Bob", "Cy"]), Random(seed)
    while game.count < count:
        game.apply(pick(game.state, rng))
    return game


def test_a_position_where_one_action_wins_is_a_puzzle() -> None:
    """Wabash: to pass wins for certain, every bid loses for certain (tests/bots/test_endgame.py)."""
    game = random_game("wabash", 56, 117)
    found = puzzle_in(game, 117, config=SMALL)
    assert found is not None
    assert found.answer == "pass"
    assert found.solved_by("pass")
    assert not found.solved_by("bid 11")
    seat = game.state.phase.actor
    assert [idea.chances[seat] for idea in found.ideas] == [1.0] + [0.0] * (len(found.ideas) - 1)
    assert found.game().to_json() == game.to_json()


def test_a_position_with_several_good_actions_is_none() -> None:
    """Wabash: at the start a dollar more or less does not decide the game."""
    assert puzzle_in(random_game("wabash", 1, 0), 0, config=SMALL) is None


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_the_puzzles_of_a_title_can_be_played_and_their_answers_are_clearly_best(key: str) -> None:
    puzzles = puzzles_of(key)
    assert len(puzzles) >= 9
    assert len({tuple(each.actions) for each in puzzles}) == len(puzzles)
    for each in puzzles:
        state = each.game().state
        seat, legal = state.phase.actor, {action.text for action in state.legal_actions()}
        assert len(legal) >= 3
        assert 3 <= len(each.ideas) <= MOST_IDEAS
        assert {idea.action for idea in each.ideas} | set(each.also) <= legal
        answer, *others = (idea.chances[seat] for idea in each.ideas)
        assert all(answer - other >= CLEAR - 0.0011 for other in others)  # as rounded
        assert all(sum(idea.chances) == pytest.approx(1.0, abs=0.01) for idea in each.ideas)
        assert each.line[0] == each.answer
        here = state.copy()
        for text in each.line:
            here.apply(text)


def test_every_day_has_a_puzzle_and_all_come_before_any_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    count, day = 20, date(2026, 11, 18)
    puzzles = [made_up(f"bid {12 + n}") for n in range(count)]
    monkeypatch.setattr(puzzle, "puzzles_of", lambda key: puzzles)
    first = day - timedelta(day.toordinal() % count)
    turn, following = (
        [puzzles.index(puzzle_of_day("wabash", start + timedelta(n))) for n in range(count)]
        for start in (first, first + timedelta(count))
    )
    assert sorted(turn) == sorted(following) == [*range(count)]
    assert turn != following
    assert turn != [puzzles.index(puzzle_of_day("gmo", first + timedelta(n))) for n in range(count)]


def made_up(*actions: str) -> Puzzle:
    ideas = [Idea("bid 12", [0.5, 0.25, 0.25], "it is"), Idea("bid 14", [0.3, 0.35, 0.35], "it is not")]
    return Puzzle("wabash", 1, ["Ann", "Bob", "Cy"], list(actions), ideas, [], ["bid 12"])


def test_puzzles_are_the_same_after_they_were_written_and_share_their_games() -> None:
    puzzles = [made_up("bid 12"), made_up("bid 12", "pass", "pass"), made_up("bid 15"), made_up("bid 12", "pass")]
    text = puzzles_text("wabash", puzzles, "cuberails lab puzzles wabash")
    assert read_puzzles("puzzles.json", text) == puzzles
    assert [game["actions"] for game in json.loads(text)["games"]] == [["bid 12", "pass", "pass"], ["bid 15"]]


@pytest.mark.parametrize("text", ["", "[]", '{"title": "wabash", "games": [], "puzzles": [{"game": 3}]}'])
def test_what_are_no_puzzles_is_refused(text: str) -> None:
    with pytest.raises(SetupError, match=r"puzzles\.json is not what `cuberails lab puzzles` writes"):
        read_puzzles("puzzles.json", text)
