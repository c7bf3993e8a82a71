"""Where every cube, share and dollar of a Wabash position is."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.wabash.rules import Wabash
from tests.titles.wabash.position import incomes


def check(state: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(state, Wabash)
    game: Wabash = state
    board, grid = game.board, game.board.grid
    for rr in range(board.count):
        held = sum(game.shares[rr :: board.count])
        assert held + game.unsold[rr] == board.shares[rr]
        laid = game.track[rr].bit_count() if game.opened(rr) else 1  # the Wabash keeps its first cube aside
        assert laid + game.cubes[rr] + 1 == board.cubes[rr]
        assert game.reach[rr] == grid.spread(game.track[rr])
        assert game.buildable[rr] in (-1, game._find_buildable(rr))
    assert game.income == incomes(game)
    assert min(*game.cash, *game.treasury, *game.cubes, *game.unsold, game.supply) >= 0
    placed = (game.developed & ~board.industrial_bits).bit_count()
    assert placed + game.supply == board.development_cubes
    assert game.crowd == crowds(game)
    assert not game.crowd[1] & board.single
    assert all(0 <= marker <= limit for marker, limit in zip(game.markers, board.limits, strict=True))


def crowds(game: Wabash) -> list[int]:
    """The hexes with more than 0, 1, 2 … railroads, worked out from their track."""
    crowd = [0] * game.board.count
    for track in game.track:
        for k in range(len(crowd)):
            crowd[k], track = crowd[k] | track, crowd[k] & track
    return crowd
