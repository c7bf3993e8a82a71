"""Judges on many boards: what they have worked out of one never serves another, and is forgotten with it."""

from __future__ import annotations

import gc
from random import Random

import pytest

import cuberails
from cuberails.core.judge import Judge
from cuberails.core.playout import pick
from cuberails.core.state import State
from cuberails.core.title import MOST_BOARDS
from cuberails.titles import judge_with, weights
from tests.titles.variations import vary


def board(key: str, seed: int) -> cuberails.Board:
    return cuberails.read_board(f"{key} {seed}", vary(key, seed))


def positions(where: cuberails.Board, count: int = 12) -> list[State]:
    """Every fifth position of a random game."""
    state, rng = where.new(where.title.least_players), Random(1)
    found: list[State] = []
    while state.actor is not None and len(found) < count:
        found.append(state.copy())
        for _ in range(5):
            if state.actor is not None:
                state.play(pick(state, rng))
    return found


def opinion(judge: Judge, states: list[State]) -> list[list[float]]:
    return [judge.worth(state) + judge.chances(state) for state in states]


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_what_is_known_of_one_board_does_not_serve_another(key: str) -> None:
    boards = [cuberails.load(key).board, board(key, 1), board(key, 2)]
    games = [positions(where) for where in boards]
    asked = judge_with(key, weights(key))
    for _ in range(2):
        for states in games:
            fresh = judge_with(key, weights(key))
            assert opinion(asked, states) == opinion(fresh, states)


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_boards_that_nobody_plays_on_any_more_are_forgotten(key: str) -> None:
    asked, text = judge_with(key, weights(key)), cuberails.load(key).board.text
    name = f'name = "{cuberails.load(key).board.name}"'
    assert name in text
    for number in range(2 * MOST_BOARDS):
        other = cuberails.read_board("another", text.replace(name, f'name = "{number}"'))
        opinion(asked, positions(other, 3))
    del other
    gc.collect()
    alive = [each for each in gc.get_objects() if isinstance(each, cuberails.Board) and each.title.key == key]
    assert len([each for each in alive if each.name.isdecimal()]) <= MOST_BOARDS
