"""The look-ahead of a charter build against exhaustive search, and whole games in which railroads do get built."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from cuberails.core.action import Action
from cuberails.titles.gmo.board import BID, CHARTER
from cuberails.titles.gmo.rules import CharterBuild, ShareAuction, Turn
from cuberails.titles.gmo.state import Gmo, steps_to_city
from tests.titles.gmo.account import check
from tests.titles.gmo.position import fresh


def lively(state: Gmo, rng: Random) -> Action:
    """A random action that leads somewhere: seldom a pass, and charters at prices that pay for track."""
    legal = state.legal_actions()
    phase = state.phase
    if isinstance(phase, Turn) and len(legal) > 1 and rng.random() < 0.95:
        return rng.choice(legal[:-1])
    if isinstance(phase, ShareAuction) and phase.kind == CHARTER:
        enough = [action for action in legal if action.kind == BID and 9 <= action.a <= 24]
        return rng.choice(enough) if enough and phase.leader < 0 else legal[-1] if phase.leader >= 0 else legal[0]
    return rng.choice(legal)


def lively_games(count: int, seed: int, **options: str) -> Iterator[Gmo]:
    """Every position of some random games that go far."""
    rng = Random(seed)
    for number in range(count):
        state = fresh(3 + number % 3, **options)
        while state.actor is not None:
            yield state
            state.play(lively(state, rng))
        yield state


class Search:
    """Whether a second city can be reached: every sequence of legal cubes is tried, with no idea of distances."""

    def __init__(self, near: list[int], cities: int, shut: int) -> None:
        self.near = near
        self.cities = cities
        self.shut = shut
        self.size = len(near)
        self.known: dict[tuple[int, int], bool] = {}

    def places(self, track: int) -> list[int]:
        beside = [n for n in range(self.size) if self.bit(n) & ~(self.shut | track)]
        return [n for n in beside if self.near[n] & track]

    def bit(self, n: int) -> int:
        return 1 << (self.size - 1 - n)

    def reaches(self, track: int, cubes: int) -> bool:
        """Whether this track, which has one city, can join a second with so many further cubes."""
        key = track, cubes
        if key not in self.known:
            self.known[key] = cubes > 0 and any(
                bool(self.cities & self.bit(n)) or self.reaches(track | self.bit(n), cubes - 1)
                for n in self.places(track)
            )
        return self.known[key]

    def steps(self, track: int, cubes: int) -> set[int]:
        """The hexes after which a second city is in the track or still in reach."""
        return {
            n
            for n in self.places(track)
            if cubes > 0 and (self.cities & self.bit(n) or self.reaches(track | self.bit(n), cubes - 1))
        }


def test_the_look_ahead_equals_exhaustive_search_on_random_maps() -> None:
    """Random track in a random thicket of closed hexes, with none to four cubes left."""
    board = fresh(3).board
    grid = board.grid
    rng = Random(1)
    found = dict.fromkeys(("nowhere", "some", "everywhere"), 0)
    for _ in range(2500):
        home = rng.choice(grid.hexes(board.cities))
        closed = rng.choice((0.1, 0.3, 0.5, 0.6))
        shut = board.mountains | grid.mask([n for n in range(grid.size) if rng.random() < closed])
        shut &= ~grid.bit[home]
        track = grid.bit[home]
        for _ in range(rng.randrange(4)):
            beside = grid.hexes(grid.spread(track) & ~(shut | track | board.cities))
            if beside:
                track |= grid.bit[rng.choice(beside)]
        cubes = rng.randrange(5)
        near = grid.spread(track) & ~(shut | track)
        steps = set(grid.hexes(steps_to_city(grid, board.cities, near, shut | track, cubes)))
        assert steps == Search(grid.near, board.cities, shut).steps(track, cubes)
        found["nowhere" if not steps else "some" if len(steps) < near.bit_count() else "everywhere"] += 1
    assert min(found.values()) > 200, found


def test_the_look_ahead_equals_exhaustive_search_in_games() -> None:
    checked = 0
    for state in lively_games(60, seed=2):
        phase = state.phase
        if not isinstance(phase, CharterBuild) or phase.cities != 1:
            continue
        cubes = phase.cubes(state)
        if cubes > 5:
            continue  # too many ways to try them all
        grid, rr = state.board.grid, phase.railroad
        search = Search(grid.near, state.board.cities, state.barred[rr] | state.full & ~state.track[rr])
        assert {action.a for action in state.legal_actions()} == search.steps(state.track[rr], cubes)
        checked += 1
    assert checked > 200


def test_a_sale_is_cancelled_exactly_if_no_home_leads_to_a_second_city() -> None:
    """For every available charter of many positions, in every colour: the homes against exhaustive search."""
    rng = Random(3)
    some = 0
    for state in lively_games(40, seed=3):
        if not isinstance(state.phase, Turn) or rng.random() < 0.5:
            continue
        grid, board = state.board.grid, state.board
        for rr in range(board.count):
            if not state.charters() >> rr & 1:
                continue
            color, cubes = rng.randrange(len(board.colors)), rng.randrange(6)
            shadow = state.shadow(color)
            expected = set()
            for n in board.homes[rr]:
                free = cubes > 0 and not shadow & grid.bit[n] and state.may_open(rr, n)
                search = Search(grid.near, board.cities, shadow | state.full)
                if free and search.reaches(grid.bit[n], cubes - 1):
                    expected.add(n)
            assert set(grid.hexes(state.starts(rr, shadow, cubes))) == expected
            some += bool(expected)
    assert some > 200


@pytest.mark.parametrize("connection", ["both", "placer"])
def test_games_that_go_far_keep_every_piece_accounted_for(connection: str) -> None:
    ends = set()
    chartered = 0
    for state in lively_games(60, seed=4, connection=connection):
        check(state)
        if state.actor is None:
            ends.add(state.why_not("pass"))
            chartered += state.chartered.bit_count()
    assert ends == {"G10.1: the game is over", "G10.2: the game is over"}
    assert chartered > 60 * 8
