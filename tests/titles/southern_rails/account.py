"""Where every cube and share of a Southern Rails position is."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.southern_rails.rules import SouthernRails, Turn


def check(state: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(state, SouthernRails)
    game: SouthernRails = state
    board, grid = game.board, game.board.grid
    for rr in range(board.count):
        assert sum(game.shares[rr :: board.count]) + game.stock[rr] == board.shares[rr]
        assert game.track[rr].bit_count() + game.cubes[rr] == board.cubes[rr]
        assert game.reach[rr] == grid.spread(game.track[rr])
        check_progress(game, rr)
        check_placements(game, rr)
        assert connected(game, game.track[rr])
    assert min(*game.cubes, *game.stock, *game.points, *game.earned) >= 0
    assert game.full == grid.mask([n for n, room in enumerate(board.room) if standing_in(game, n) == room])
    assert all(standing_in(game, n) <= room for n, room in enumerate(board.room))
    assert sorted(game.order) == list(range(game.players))
    assert all(now >= last for now, last in zip(game.points, game.earned, strict=True))
    assert game.scorings <= board.rounds
    if isinstance(game.phase, Turn):
        assert all(held == 2 + game.scorings for held in holdings(game))


def standing_in(game: SouthernRails, n: int) -> int:
    return sum(1 for track in game.track if track & game.board.grid.bit[n])


def holdings(game: SouthernRails) -> list[int]:
    """The number of shares of each seat."""
    count = game.board.count
    return [sum(game.shares[seat * count : seat * count + count]) for seat in range(game.players)]


def check_progress(game: SouthernRails, rr: int) -> None:
    board = game.board
    hexes = board.grid.hexes(game.track[rr])
    assert game.revenue[rr] == sum(board.revenue[n] for n in hexes)
    for tier, kind in enumerate(board.tiers):
        cities = [n for n in hexes if board.kind[n] == kind]
        assert game.cities[rr * board.tier_count + tier] == len(cities)


def check_placements(game: SouthernRails, rr: int) -> None:
    """What is remembered of a railroad's placements, against the rules read once more."""
    known = game.placements[rr]
    if known is None:
        return
    board, own = game.board, game.track[rr]
    allowed = [
        f"place {board.railroads[rr]} {id}"
        for n, id in enumerate(board.grid.ids)
        if game.cubes[rr]
        and not own & board.grid.bit[n]
        and (not own or own & board.grid.near[n])
        and not game.full & board.grid.bit[n]
    ]
    assert [action.text for action in known] == allowed


def connected(game: SouthernRails, track: int) -> bool:
    """Whether the cubes of a railroad form one network."""
    grid = game.board.grid
    reached = 1 << track.bit_length() >> 1
    while reached != (more := (reached | grid.spread(reached)) & track):
        reached = more
    return reached == track
