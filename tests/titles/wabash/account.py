"""Where every cube, share and dollar of a Wabash position is."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.wabash.state import Wabash
from tests.titles.wabash.position import incomes


def check(position: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(position, Wabash)
    state: Wabash = position
    board, grid = state.board, state.board.grid
    for rr in range(board.count):
        held = sum(state.shares[rr :: board.count])
        assert held + state.unsold[rr] == board.shares[rr]
        laid = state.track[rr].bit_count() if state.opened(rr) else 1  # the Wabash keeps its first cube aside
        assert laid + state.cubes[rr] + 1 == board.cubes[rr]
        assert state.reach[rr] == grid.spread(state.track[rr])
        assert state.buildable[rr] in (-1, state._find_buildable(rr))
    assert state.income == incomes(state)
    assert min(*state.cash, *state.treasury, *state.cubes, *state.unsold, state.supply) >= 0
    placed = (state.developed & ~board.industrial_bits).bit_count()
    assert placed + state.supply == board.development_cubes
    assert state.crowd == crowds(state)
    assert not state.crowd[1] & board.single
    assert all(0 <= marker <= limit for marker, limit in zip(state.markers, board.limits, strict=True))


def crowds(state: Wabash) -> list[int]:
    """The hexes with more than 0, 1, 2 … railroads, worked out from their track."""
    crowd = [0] * state.board.count
    for track in state.track:
        for k in range(len(crowd)):
            crowd[k], track = crowd[k] | track, crowd[k] & track
    return crowd
