"""Where every cube, share, card and counter of a Baltimore & Ohio position is."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio


def check(state: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(state, BaltimoreOhio)
    game: BaltimoreOhio = state
    check_money_and_shares(game)
    check_railroads(game)
    check_track(game)
    check_equipment(game)
    assert sorted(game.order) == (list(range(game.players)) if game.sets else [])


def check_money_and_shares(game: BaltimoreOhio) -> None:
    board = game.board
    assert min(*game.cash, *game.treasury, *game.shares, *game.held, *game.orphans) >= 0
    for rr in range(board.count):
        assert sum(game.holdings(rr)) + game.held[rr] + game.orphans[rr] == board.shares
        assert sum(game.holdings(rr)) == game.owned(rr)


def check_railroads(game: BaltimoreOhio) -> None:
    """Running railroads have a president with the most shares; the others have nothing but track and counters."""
    assert sorted(game.line) == [rr for rr, box in enumerate(game.box) if box >= 0]
    boxes = [game.box[rr] for rr in game.line]
    assert boxes == sorted(boxes, reverse=True)
    for rr, box in enumerate(game.box):
        assert box <= game.board.top
        if box >= 0:
            assert game.holdings(rr)[game.president[rr]] == max(game.holdings(rr)) > 0
        else:
            assert game.president[rr] == -1
            assert (game.owned(rr), game.treasury[rr], game.orphans[rr], sum(game.cards(rr))) == (0, 0, 0, 0)
            assert game.net[rr] == 0
    assert all(game.running(rr) for rr in game.queue)
    assert min(game.net) >= 0


def check_track(game: BaltimoreOhio) -> None:
    board, grid = game.board, game.board.grid
    for rr in range(board.count):
        # one cube marks the net income
        assert game.track[rr].bit_count() + game.cubes[rr] + 1 == board.cubes[rr]
        assert game.reach[rr] == grid.spread(game.track[rr])
        assert not game.running(rr) or game.track[rr] & grid.bit[board.start_hex[rr]]
    assert min(game.cubes) >= 0
    assert game.crowd == crowds(game)
    taken = board.coal & ~game.coal_left
    assert sum(game.coal) == taken.bit_count()
    for state, owner in enumerate(board.state_railroad):
        assert bool(game.fulfilled >> state & 1) == (not board.state_must[state] & ~game.track[owner])
    for rr in range(board.count):
        assert not game.coal[rr] or game.track[rr] & taken
    assert game.timber == -1 or game.track[game.timber] & grid.bit[game.timber_hex]


def check_equipment(game: BaltimoreOhio) -> None:
    """No tech has more cards in use than were bought, and the tech is that of the last card bought."""
    board = game.board
    bought = board.card_tech[: game.deck]
    for tech in range(1, board.levels + 1):
        in_use = sum(game.cards(rr)[tech - 1] for rr in range(board.count))
        assert 0 <= in_use <= bought.count(tech)
    assert game.tech == (bought[-1] if bought else 1)


def crowds(game: BaltimoreOhio) -> list[int]:
    """The hexes with more than 0, 1, 2 … railroads, worked out from their track."""
    crowd = [0] * game.board.count
    for track in game.track:
        for k in range(len(crowd)):
            crowd[k], track = crowd[k] | track, crowd[k] & track
    return crowd
