"""What every title that can be learned promises of its features, on random games of every number of players."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from math import isfinite
from random import Random

import pytest

import cuberails
from cuberails.core.board import Board
from cuberails.core.playout import pick
from cuberails.core.state import State
from cuberails.titles import features, features_of
from tests.titles.variations import vary

LEARNED = [key for key in cuberails.TITLES if cuberails.load(key).features is not None]
TABLES = [
    (key, players)
    for key in LEARNED
    for players in range(cuberails.load(key).least_players, cuberails.load(key).most_players + 1)
]
every_table = pytest.mark.parametrize(("key", "players"), TABLES)
every_title = pytest.mark.parametrize("key", LEARNED)
GAMES = 5
"""Random games of each number of players show most of what can happen, though hardly ever the Wabash at Chicago."""
LARGEST = 8.0
"""Numbers are about -1 … 1; games of chance go astray, yet not so far."""


def positions(board: Board, players: int, every: int = 7, seed: int = 0) -> Iterator[State]:
    """Every so many positions of a random game, the first and the last among them."""
    state, rng = board.new(players), Random(f"{board.title.key} {players} {seed}")
    for number in range(100_000):
        if number % every == 0 or state.actor is None or state.too_long:
            yield state
        if state.actor is None or state.too_long:
            return
        state.play(pick(state, rng))


@every_table
def test_each_seat_sees_a_number_of_sensible_size_for_every_name(key: str, players: int) -> None:
    board = cuberails.load(key).board
    names = features_of(board).names
    for state in positions(board, players):
        rows = features_of(board).rows(state)
        assert [len(row) for row in rows] == [len(names)] * players
        for row in rows:
            assert {name: number for name, number in zip(names, row) if not abs(number) <= LARGEST} == {}


@every_table
def test_the_first_numbers_are_shared_by_all_seats_and_the_others_are_not(key: str, players: int) -> None:
    board = cuberails.load(key).board
    seen = features_of(board)
    differ: set[str] = set()
    for state in positions(board, players, 20):
        rows = seen.rows(state)
        assert all(row[: seen.shared] == rows[0][: seen.shared] for row in rows)
        differ |= {name for name, *numbers in zip(seen.names, *rows) if len(set(numbers)) > 1}
    assert len(differ) > (len(seen.names) - seen.shared) / 2


@every_title
def test_names_are_unique_and_as_many_for_any_number_of_players(key: str) -> None:
    names = features_of(cuberails.load(key).board).names
    assert len(set(names)) == len(names)
    assert names == [name.strip() for name in names]


@every_title
def test_nearly_all_features_vary(key: str) -> None:
    """A number that is always the same teaches nothing."""
    board = cuberails.load(key).board
    seen: dict[str, set[float]] = {name: set() for name in features_of(board).names}
    for players in range(board.title.least_players, board.title.most_players + 1):
        for seed in range(GAMES):
            for state in positions(board, players, 3, seed):
                for name, number in features(state, 0).items():
                    seen[name].add(number)
    constant = [name for name, numbers in seen.items() if len(numbers) == 1]
    assert len(constant) < len(seen) / 6, constant


@every_title
def test_a_position_that_was_stored_looks_the_same(key: str) -> None:
    board = cuberails.load(key).board
    for state in positions(board, board.title.least_players, 25):
        stored = pickle.loads(pickle.dumps(state))
        assert features_of(stored.board).rows(stored) == features_of(board).rows(state.copy())


@every_title
@pytest.mark.parametrize("seed", range(4))
def test_every_board_of_a_title_has_features(key: str, seed: int) -> None:
    board = cuberails.read_board(f"{key} {seed}", vary(key, seed))
    names = features_of(board).names
    assert len(set(names)) == len(names)
    for state in positions(board, board.title.most_players, 15):
        for row in features_of(board).rows(state):
            assert len(row) == len(names)
            assert all(isfinite(number) for number in row)
