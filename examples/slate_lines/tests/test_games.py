"""What every title promises, on random games of Slate Lines."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import cuberails
from cuberails.core.event import Built, Dividend, Event, Forced
from cuberails.core.game import Game
from cuberails.core.playout import pick, playout
from cuberails.core.state import State
from cuberails.titles import judge
from slate_lines import title
from slate_lines.board import SlateBoard
from slate_lines.state import Slate

every_table = pytest.mark.parametrize("players", [2, 3, 4])
every_option = pytest.mark.parametrize("seams", ["rolled", "even"])


def account(state: State) -> int:
    """Check where every cube and share is; return how many dollars there are outside the bank."""
    assert isinstance(state, Slate)
    board, grid = state.board, state.board.grid
    for tramway, track in enumerate(state.track):
        assert track.bit_count() + state.cubes[tramway] == board.cubes
        assert sum(state.shares[tramway :: board.count]) + state.unsold[tramway] == board.shares
        earned = sum(board.printed[n] + state.slate[n] for n in grid.hexes(track))
        assert state.income[tramway] == board.start_income[tramway] + earned
    assert min(*state.cash, *state.treasury, *state.cubes, *state.unsold) >= 0
    return sum(state.cash) + sum(state.treasury)


def everything(state: State) -> str:
    """All that can be told of a position from outside."""
    return repr((state.actor, state.prompt, state.legal_actions(), state.scores(), cuberails.scene(state)))


@every_table
@every_option
def test_money_and_pieces_are_conserved(players: int, seams: str) -> None:
    """Dividends come from the bank, and the printed cost of track goes to it; nothing else does."""
    rng = Random(players)
    for _ in range(50):
        state = title.new(players, {"seams": seams})
        while state.actor is not None:
            before = account(state)
            events = state.apply(pick(state, rng))
            assert account(state) - before == sum(from_the_bank(event) for event in events)


def from_the_bank(event: Event) -> int:
    """What an event brings to the table, less than 0 if it takes something away."""
    bare, board = event.event if isinstance(event, Forced) else event, title.board
    assert isinstance(board, SlateBoard)
    if isinstance(bare, Dividend):
        return sum(bare.paid)
    return -board.cost[board.grid.index[bare.hex.split()[0]]] if isinstance(bare, Built) else 0


@every_table
def test_refusals_are_the_specification(players: int) -> None:
    """`refuse` is None exactly if the action is legal, for every action there is, and cites a rule that exists."""
    rng, state = Random(players), title.new(players, {})
    while state.actor is not None:
        legal = state.legal_actions()
        assert len(legal) > 1
        for action in state.board.actions.all:
            refusal = state.phase.refuse(state, action)
            assert (refusal is None) == (action in legal), (state.prompt, action)
            assert refusal is None or refusal.rule in title.rulebook.rules
        assert state.rule in title.rulebook.rules
        state.play(pick(state, rng))


@every_table
def test_copies_and_pickles_are_independent_and_alike(players: int) -> None:
    rng, state = Random(players), title.new(players, {})
    while state.actor is not None:
        before = everything(state)
        twins = [state.copy(), pickle.loads(pickle.dumps(state))]
        for twin in twins:
            assert everything(twin) == before
            playout(twin, Random(1))
        assert everything(twins[0]) == everything(twins[1])
        assert everything(state) == before
        state.play(pick(state, rng))


@every_table
def test_records_and_pickled_games_play_out_the_same(players: int) -> None:
    rng = Random(players)
    game = Game(title.board, ["Ann", "Bob", "Cy", "Di"][:players])
    while game.state.actor is not None:
        game.apply(pick(game.state, rng))
    for text in (game.to_text(), game.to_json()):
        assert cuberails.read(text).to_text() == game.to_text()
    assert pickle.loads(pickle.dumps(game)).to_text() == game.to_text()


@every_table
def test_the_judge_explains_itself_and_knows_the_end(players: int) -> None:
    says, rng, state = judge("slate_lines"), Random(players), title.new(players, {})
    while state.actor is not None:
        worth = [sum(says.terms(state, seat).values()) for seat in range(players)]
        assert says.worth(state) == pytest.approx(worth)
        assert sum(says.chances(state)) == pytest.approx(1)
        state.play(pick(state, rng))
    assert says.worth(state) == state.scores()
