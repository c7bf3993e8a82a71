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
from cuberails.titles import judge
from tests.titles.variations import vary

VARIATIONS = 24
MOST_ACTIONS = 400
STOPS = 3
"""At so many positions of a game everything is drawn and judged, the first and the last among them."""

every_variation = pytest.mark.parametrize("seed", range(VARIATIONS))
every_title = pytest.mark.parametrize("key", cuberails.TITLES)


def new_game(key: str, seed: int) -> Game:
    title = cuberails.load(key)
    board, rng = title.read_board("variation.toml", vary(key, seed)), Random(seed)
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
    game = new_game(key, seed)
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
    ElementTree.fromstring(svg(seen))
    ElementTree.fromstring(svg(seen, narrow=True))
    ElementTree.fromstring(html.map_picture(seen.map, "The map"))
    for part in html.parts(seen).values():
        ElementTree.fromstring(f"<p>{html.part(part, form_of(seen.map))}</p>")
    for width in (80, 120):
        assert all(cells(line) <= width for line in text(seen, width).splitlines())
        assert seen.map.tiles[0].id in text(seen, width)


def check_judge(state: State) -> None:
    says = judge(state.title.key)
    values, chances = says.worth(state), says.chances(state)
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
