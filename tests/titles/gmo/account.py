"""Where every cube and share of a position of Gulf, Mobile & Ohio is, and that all else follows from them."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.gmo.rules import CharterBuild, ColorChoice, Gmo


def check(state: State) -> None:
    """Pieces are conserved, no rule of building is broken, and everything that is remembered follows from the board."""
    assert isinstance(state, Gmo)
    game: Gmo = state
    _shares(game)
    _cubes(game)
    for rr in range(game.board.count):
        _network(game, rr)
    _points(game)
    assert min(*game.cash, *game.supply) >= 0
    assert 0 <= game.marker < game.board.sales_to_dividend
    assert game.passes < game.players or game.actor is None


def _shares(game: Gmo) -> None:
    board = game.board
    waiting = game.phase.railroad if isinstance(game.phase, ColorChoice) else -1
    for rr in range(board.count):
        assert (game.president[rr] >= 0) == bool(game.chartered >> rr & 1)
        assert (game.holder[rr] >= 0) == bool(game.shared >> rr & 1)
        assert (game.color[rr] >= 0) == (game.president[rr] >= 0 and rr != waiting)
        homes = any(cubes_in(game, n) for n in board.homes[rr])
        assert bool(game.opened >> rr & 1) == (homes or bool(board.initial >> rr & 1))
    assert game.shared & ~game.chartered == 0
    assert game.chartered & ~game.opened == 0


def _cubes(game: Gmo) -> None:
    board = game.board
    for color, cubes in enumerate(board.cubes):
        own = [rr for rr in range(board.count) if game.color[rr] == color]
        on_map = sum(game.track[rr].bit_count() for rr in own)
        assert game.supply[color] + len(own) + on_map == cubes
        assert game.laid[color] == union([game.track[rr] for rr in own])
    everywhere = union(game.laid)
    assert not everywhere & board.mountains
    assert game.full == board.mountains | everywhere & board.rural
    for n in board.grid.hexes(everywhere & board.rural):
        assert cubes_in(game, n) == 1


def _network(game: Gmo, rr: int) -> None:
    """One connected piece that begins at home and joins two cities, apart from others of its colour."""
    board, grid, track = game.board, game.board.grid, game.track[rr]
    phase = game.phase
    starting = isinstance(phase, CharterBuild) and phase.railroad == rr
    if game.color[rr] < 0:
        assert track == 0
        return
    others = [n for n in range(board.count) if game.color[n] == game.color[rr] and n != rr]
    assert game.reach[rr] == grid.spread(track)
    assert game.barred[rr] == union([game.track[n] | grid.spread(game.track[n]) for n in others])
    assert not track & game.barred[rr]
    assert game.met[rr] == union(
        [1 << game.color[n] for n in range(board.count) if n != rr and game.track[n] & track & board.cities]
    )
    if not starting:
        assert (track & board.cities).bit_count() >= 2
    if track:
        homes = grid.mask(board.homes[rr]) & track
        piece = homes
        assert homes
        while piece != (more := piece | grid.spread(piece) & track):
            piece = more
        assert piece == track


def _points(game: Gmo) -> None:
    """Cities and charters score the same in any order; a connection is scored by the newcomer, if it is new to it."""
    board = game.board
    sure = 0
    for rr, track in enumerate(game.track):
        sure += sum(board.points[n] for n in board.grid.hexes(track))
        sure += (board.charter_points + board.bonus[rr]) if track else 0
    most = board.color_points * sum(met.bit_count() for met in game.met)
    assert sure <= sum(game.points) <= sure + most


def cubes_in(game: Gmo, n: int) -> int:
    return sum(1 for track in game.track if track & game.board.grid.bit[n])


def union(masks: list[int]) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total
