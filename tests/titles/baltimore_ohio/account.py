"""Where every cube, share, card and counter of a Baltimore & Ohio position is."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.business import timber_hex
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio


def check(position: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(position, BaltimoreOhio)
    state: BaltimoreOhio = position
    check_money_and_shares(state)
    check_railroads(state)
    check_track(state)
    check_equipment(state)
    assert sorted(state.round.order) == (list(range(state.players)) if state.round.sets else [])


def check_money_and_shares(state: BaltimoreOhio) -> None:
    board = state.board
    assert min(*state.cash, *state.treasury, *state.shares, *state.held, *state.orphans) >= 0
    for rr in range(board.count):
        assert sum(state.holdings(rr)) + state.held[rr] + state.orphans[rr] == board.shares
        assert sum(state.holdings(rr)) == state.owned(rr)


def check_railroads(state: BaltimoreOhio) -> None:
    """Running railroads have a president with the most shares; the others have nothing but track and counters."""
    assert sorted(state.line) == [rr for rr, box in enumerate(state.box) if box >= 0]
    boxes = [state.box[rr] for rr in state.line]
    assert boxes == sorted(boxes, reverse=True)
    for rr, box in enumerate(state.box):
        assert box <= state.board.top
        if box >= 0:
            assert state.holdings(rr)[state.president[rr]] == max(state.holdings(rr)) > 0
        else:
            assert state.president[rr] == -1
            assert (state.owned(rr), state.treasury[rr], state.orphans[rr], sum(state.cards(rr))) == (
                0,
                0,
                0,
                0,
            )
            assert state.net[rr] == 0
    assert all(state.running(rr) for rr in state.queue)
    assert min(state.net) >= 0


def check_track(state: BaltimoreOhio) -> None:
    board, grid = state.board, state.board.grid
    for rr in range(board.count):
        # one cube marks the net income
        assert state.track[rr].bit_count() + state.cubes[rr] + 1 == board.cubes[rr]
        assert state.reach[rr] == grid.spread(state.track[rr])
        assert not state.running(rr) or state.track[rr] & grid.bit[board.start_hex[rr]]
    assert min(state.cubes) >= 0
    assert state.crowd == crowds(state)
    taken = board.coal & ~state.coal_left
    assert sum(state.coal) == taken.bit_count()
    for duty, owner in enumerate(board.state_railroad):
        assert bool(state.fulfilled >> duty & 1) == (not board.state_must[duty] & ~state.track[owner])
    for rr in range(board.count):
        assert not state.coal[rr] or state.track[rr] & taken
    assert state.timber == -1 or state.track[state.timber] & grid.bit[timber_hex(state)]


def check_equipment(state: BaltimoreOhio) -> None:
    """No tech has more cards in use than were bought, and the tech is that of the last card bought."""
    board = state.board
    bought = board.card_tech[: state.deck]
    for tech in range(1, board.levels + 1):
        in_use = sum(state.cards(rr)[tech - 1] for rr in range(board.count))
        assert 0 <= in_use <= bought.count(tech)
    assert state.tech == (bought[-1] if bought else 1)


def crowds(state: BaltimoreOhio) -> list[int]:
    """The hexes with more than 0, 1, 2 … railroads, worked out from their track."""
    crowd = [0] * state.board.count
    for track in state.track:
        for k in range(len(crowd)):
            crowd[k], track = crowd[k] | track, crowd[k] & track
    return crowd
