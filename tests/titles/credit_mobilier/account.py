"""Where every pawn, share, piece of track and dollar of a Credit Mobilier position is."""

from __future__ import annotations

from cuberails.core.state import CHANCE, State
from cuberails.titles.credit_mobilier.board import COAST
from cuberails.titles.credit_mobilier.rules import Drawing
from cuberails.titles.credit_mobilier.state import CreditMobilier


def check(position: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(position, CreditMobilier)
    state: CreditMobilier = position
    board = state.board
    for c in range(board.companies):
        held = sum(state.shares[c :: board.companies])
        assert held == state.held[c]
        assert held + state.for_sale(c) == state.certificates
        assert state.for_sale(c) >= 0
    for c in range(board.railways):
        assert state.lid[c] + state.goods_out(c) + state.coast[c] == board.pawns
        squares = [n for n in range(board.size) if state.goods[c * board.size + n]]
        assert state.stands[c] == sum(board.bit[n] for n in squares)
        assert state.builds[c] is None or state.builds[c] == state._find_builds(c)
        assert state.moves[c] is None or state.moves[c] == state._find_moves(c)
    assert min(*state.cash, *state.treasury, *state.lid, *state.goods) >= 0
    check_money(state)
    check_track(state)
    assert state.turn == (state.turns - 1) % state.players
    assert (state.actor is None) == (not isinstance(state.phase, Drawing) and state.colors_out() <= board.end_colors)
    assert state.actor in (None, CHANCE, state.turn)


def check_money(state: CreditMobilier) -> None:
    """What track and goods have earned is in the treasuries and, less the price of the shares, with the players."""
    board = state.board
    bought = sum(state.held) - state.players * board.start_shares
    earned = state.players * board.start_cash - bought * board.price + board.track_pays * state.built.bit_count()
    earned += (board.goods_pay + board.line_pays) * steps_west(state)
    assert sum(state.cash) + sum(state.treasury) == earned


def steps_west(state: CreditMobilier) -> int:
    """How many steps west all goods have made: one pawn began in each square."""
    board = state.board
    if isinstance(state.phase, Drawing):
        return 0
    began = sum(n % board.columns + 1 for n in range(board.size))
    total = sum(count * (at % board.size % board.columns + 1) for at, count in enumerate(state.goods))
    return began - total


def check_track(state: CreditMobilier) -> None:
    """The masks of track follow from the pieces laid, and all of them are connected to the eastern side."""
    board = state.board
    laid = [slot for slot, owner in enumerate(state.track) if owner >= 0]
    assert state.built == sum(board.slot_bit[slot] for slot in laid)
    connected = set(board.eastern)
    far = laid
    while near := [slot for slot in far if not connected.isdisjoint(board.ends[slot])]:
        connected.update(n for slot in near for n in board.ends[slot] if n != COAST)
        far = [slot for slot in far if slot not in near]
    assert not far
    free = [slot for slot, owner in enumerate(state.track) if owner < 0 and not connected.isdisjoint(board.ends[slot])]
    assert state.sites == sum(board.slot_bit[slot] for slot in free)
    for way in range(3):
        along = [board.slot_at[n * 3 + way] for n in range(board.size)]
        assert state.ways[way] == sum(
            bit for slot, bit in zip(along, board.bit) if slot >= 0 and state.track[slot] >= 0
        )
