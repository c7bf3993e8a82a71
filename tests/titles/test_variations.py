"""Every title works on other boards than its own: smaller and larger ones, with other railroads, names and numbers."""

from __future__ import annotations

import importlib
import pickle
from math import isfinite
from random import Random
from xml.etree import ElementTree

import pytest

import cuberails
from cuberails.bots import make
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE, State
from cuberails.draw import html, svg, text
from cuberails.draw.board import form_of
from cuberails.draw.text import cells
from cuberails.titles import judge, judge_with, weights
from tests.titles.test_scenes import check_comparison
from tests.titles.variations import smallest, vary

VARIATIONS = 24
MOST_ACTIONS = 400
STOPS = 3
"""At so many positions of a game everything is drawn and judged, the first and the last among them."""

every_variation = pytest.mark.parametrize("seed", range(VARIATIONS))
every_title = pytest.mark.parametrize("key", cuberails.TITLES)


def new_game(key: str, text: str, seed: int) -> Game:
    title = cuberails.load(key)
    board, rng = title.read_board("variation.toml", text), Random(seed)
    players = rng.randint(title.least_players, title.most_players)
    options = {name: rng.choice(values) for name, values in board.options.items()}
    return Game(board, [f"Seat {n}" for n in range(players)], options)


def play(game: Game, rng: Random) -> list[State]:
    """A random game with every piece accounted for; some positions on the way."""
    check = importlib.import_module(f"tests.titles.{game.state.title.key}.account").check
    positions = [game.state.copy()]
    while game.state.actor is not None and not game.state.too_long and len(positions) <= MOST_ACTIONS:
        events = game.apply(pick(game.state, rng))
        assert all(event.say(game.seats) for event in events)
        if len(positions) % 7 == 0:
            check(game.state)
        positions.append(game.state.copy())
    check(game.state)
    return [positions[n * (len(positions) - 1) // (STOPS - 1)] for n in range(STOPS)]


@every_title
@every_variation
def test_a_board_of_ones_own_can_be_played_drawn_judged_and_recorded(key: str, seed: int) -> None:
    check_board(new_game(key, vary(key, seed), seed), seed)


@every_title
@pytest.mark.parametrize("seed", range(3))
def test_the_smallest_board_is_a_game_too(key: str, seed: int) -> None:
    check_board(new_game(key, smallest(key), seed), seed)


@pytest.mark.parametrize(("key", "opener"), [("wabash", "bid 7"), ("gmo", "bid 0")])
def test_nobody_bids_more_than_999_however_rich(key: str, opener: str) -> None:
    """[W2.4, G3.3]"""
    rich = {"wabash": ("money = 120", "money = 9999"), "gmo": ("[40, 30, 24]", "[9999, 9999, 9999]")}
    text = cuberails.load(key).board.text.replace(*rich[key])
    state = cuberails.new(key, 3, board=cuberails.read_board("rich.toml", text))
    state.apply(opener)
    assert [action.text for action in state.legal_actions()[-2:]] == ["bid 999", "pass"]
    assert "there is no 'bid 1000'" in (state.why_not("bid 1000") or "")
    events = state.apply("bid 999")  # nobody can answer
    assert len([event for event in events if "passes" in event.say(["Ann", "Bob", "Cy"])]) == 2


def check_board(game: Game, seed: int) -> None:
    """Everything that can be done with a game works on this board."""
    for state in play(game, Random(seed)):
        check_drawings(state, game.seats)
        check_judge(state)
        check_bots(state)
        again = pickle.loads(pickle.dumps(state))
        assert (again.board.digest, again.legal_actions()) == (state.board.digest, state.legal_actions())
    check_actions(game.state)
    record = game.to_text()
    read = cuberails.read(record)
    assert (read.to_text(), read.state.board.digest) == (record, game.state.board.digest)
    assert read.state.scores() == game.state.scores()


def check_drawings(state: State, names: list[str]) -> None:
    seen = cuberails.scene(state, names)
    check_comparison(seen)
    ElementTree.fromstring(svg(seen))
    ElementTree.fromstring(svg(seen, narrow=True))
    ElementTree.fromstring(html.map_picture(seen.map, "The map"))
    for part in html.parts(seen).values():
        ElementTree.fromstring(f"<p>{html.part(part, form_of(seen.map))}</p>")
    for width in (80, 120):
        assert all(cells(line) <= width for line in text(seen, width).splitlines())
        assert seen.map.tiles[0].id in text(seen, width)


def check_judge(state: State) -> None:
    key = state.title.key
    says = judge(key)
    values, chances = says.worth(state), says.chances(state)
    assert values == judge_with(key, weights(key)).worth(state)  # what it remembers of other boards does not matter
    assert all(isfinite(value) for value in values)
    assert [sum(says.terms(state, seat).values()) for seat in range(state.players)] == pytest.approx(values)
    assert sum(chances) == pytest.approx(1)


def check_bots(state: State) -> None:
    if state.actor not in (None, CHANCE):
        for name in ("greedy", "search:simulations=4"):
            assert make(name, 1).choose(state) in state.legal_actions()


def check_actions(state: State) -> None:
    actions = state.board.actions
    assert all(actions.parse(action.text) is action for action in actions.all)
