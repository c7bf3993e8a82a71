"""Where every cube and share of a position of Gulf, Mobile & Ohio is, and that all else follows from them."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.gmo.rules import CharterBuild, ColorChoice
from cuberails.titles.gmo.state import Gmo


def check(position: State) -> None:
    """Pieces are conserved, no rule of building is broken, and everything that is remembered follows from the board."""
    assert isinstance(position, Gmo)
    state: Gmo = position
    _shares(state)
    _cubes(state)
    for rr in range(state.board.count):
        _network(state, rr)
    _points(state)
    assert min(*state.cash, *state.supply) >= 0
    assert 0 <= state.marker < state.board.sales_to_dividend
    assert state.passes < state.players or state.actor is None


def _shares(state: Gmo) -> None:
    board = state.board
    waiting = state.phase.railroad if isinstance(state.phase, ColorChoice) else -1
    for rr in range(board.count):
        assert (state.president[rr] >= 0) == bool(state.chartered >> rr & 1)
        assert (state.holder[rr] >= 0) == bool(state.shared >> rr & 1)
        assert (state.color[rr] >= 0) == (state.president[rr] >= 0 and rr != waiting)
        homes = any(cubes_in(state, n) for n in board.homes[rr])
        assert bool(state.opened >> rr & 1) == (homes or bool(board.initial >> rr & 1))
    assert state.shared & ~state.chartered == 0
    assert state.chartered & ~state.opened == 0


def _cubes(state: Gmo) -> None:
    board = state.board
    for color, cubes in enumerate(board.cubes):
        own = [rr for rr in range(board.count) if state.color[rr] == color]
        on_map = sum(state.track[rr].bit_count() for rr in own)
        assert state.supply[color] + len(own) + on_map == cubes
        assert state.laid[color] == union([state.track[rr] for rr in own])
    everywhere = union(state.laid)
    assert not everywhere & board.mountains
    assert state.full == board.mountains | everywhere & board.rural
    for n in board.grid.hexes(everywhere & board.rural):
        assert cubes_in(state, n) == 1


def _network(state: Gmo, rr: int) -> None:
    """One connected piece that begins at home and joins two cities, apart from others of its colour."""
    board, grid, track = state.board, state.board.grid, state.track[rr]
    phase = state.phase
    starting = isinstance(phase, CharterBuild) and phase.railroad == rr
    if state.color[rr] < 0:
        assert track == 0
        return
    others = [n for n in range(board.count) if state.color[n] == state.color[rr] and n != rr]
    assert state.reach[rr] == grid.spread(track)
    assert state.barred[rr] == union([state.track[n] | grid.spread(state.track[n]) for n in others])
    assert not track & state.barred[rr]
    _connections(state, rr)
    if not starting:
        assert (track & board.cities).bit_count() >= 2
    if track:
        homes = grid.mask(board.homes[rr]) & track
        piece = homes
        assert homes
        while piece != (more := piece | grid.spread(piece) & track):
            piece = more
        assert piece == track


def _connections(state: Gmo, rr: int) -> None:
    """The colours a railroad shares a city with; or by the option of them those that it came to, not they to it."""
    shared, owed = 0, 0
    for other, track in enumerate(state.track):
        if other != rr and track & state.track[rr] & state.board.cities:
            shared |= 1 << state.color[other]
            if not state.met[other] >> state.color[rr] & 1:
                owed |= 1 << state.color[other]
    if state.options["connection"] == "both":
        assert state.met[rr] == shared
    else:
        assert not state.met[rr] & ~shared
        assert not owed & ~state.met[rr]


def _points(state: Gmo) -> None:
    """Cities and charters score the same in any order; a connection is scored by the newcomer, if it is new to it.

    By the option a railroad has scored every connection that it has; otherwise it got some without points.
    """
    board = state.board
    sure = 0
    for rr, track in enumerate(state.track):
        sure += sum(board.points[n] for n in board.grid.hexes(track))
        sure += (board.charter_points + board.bonus[rr]) if track else 0
    most = board.color_points * sum(met.bit_count() for met in state.met)
    least = 0 if state.options["connection"] == "both" else most
    assert sure + least <= sum(state.points) <= sure + most


def cubes_in(state: Gmo, n: int) -> int:
    return sum(1 for track in state.track if track & state.board.grid.bit[n])


def union(masks: list[int]) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total
