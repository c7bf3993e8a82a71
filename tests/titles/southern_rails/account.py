"""Where every cube and share of a Southern Rails position is."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.southern_rails.rules import Turn
from cuberails.titles.southern_rails.state import SouthernRails


def check(position: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(position, SouthernRails)
    state: SouthernRails = position
    board, grid = state.board, state.board.grid
    for rr in range(board.count):
        assert sum(state.shares[rr :: board.count]) + state.stock[rr] == board.shares[rr]
        assert state.track[rr].bit_count() + state.cubes[rr] == board.cubes[rr]
        assert state.reach[rr] == grid.spread(state.track[rr])
        check_progress(state, rr)
        check_placements(state, rr)
        assert connected(state, state.track[rr])
    assert min(*state.cubes, *state.stock, *state.points, *state.earned) >= 0
    assert state.full == grid.mask([n for n, room in enumerate(board.room) if standing_in(state, n) == room])
    assert all(standing_in(state, n) <= room for n, room in enumerate(board.room))
    assert sorted(state.order) == list(range(state.players))
    assert all(now >= last for now, last in zip(state.points, state.earned, strict=True))
    assert state.scorings <= board.rounds
    if isinstance(state.phase, Turn):
        assert all(held == 2 + state.scorings for held in holdings(state))


def standing_in(state: SouthernRails, n: int) -> int:
    return sum(1 for track in state.track if track & state.board.grid.bit[n])


def holdings(state: SouthernRails) -> list[int]:
    """The number of shares of each seat."""
    count = state.board.count
    return [sum(state.shares[seat * count : seat * count + count]) for seat in range(state.players)]


def check_progress(state: SouthernRails, rr: int) -> None:
    board = state.board
    hexes = board.grid.hexes(state.track[rr])
    assert state.revenue[rr] == sum(board.revenue[n] for n in hexes)
    for tier, kind in enumerate(board.tiers):
        cities = [n for n in hexes if board.kind[n] == kind]
        assert state.cities[rr * board.tier_count + tier] == len(cities)


def check_placements(state: SouthernRails, rr: int) -> None:
    """What is remembered of a railroad's placements, against the rules read once more."""
    known = state.placements[rr]
    if known is None:
        return
    board, own = state.board, state.track[rr]
    allowed = [
        f"place {board.railroads[rr]} {id}"
        for n, id in enumerate(board.grid.ids)
        if state.cubes[rr]
        and not own & board.grid.bit[n]
        and (not own or own & board.grid.near[n])
        and not state.full & board.grid.bit[n]
    ]
    assert [action.text for action in known] == allowed


def connected(state: SouthernRails, track: int) -> bool:
    """Whether the cubes of a railroad form one network."""
    grid = state.board.grid
    reached = 1 << track.bit_length() >> 1
    while reached != (more := (reached | grid.spread(reached)) & track):
        reached = more
    return reached == track
