"""Where every pawn, share, piece of track and dollar of a Credit Mobilier position is."""

from __future__ import annotations

from cuberails.core.state import CHANCE, State
from cuberails.titles.credit_mobilier.board import COAST
from cuberails.titles.credit_mobilier.rules import CreditMobilier, Drawing


def check(state: State) -> None:
    """Pieces are conserved and everything that is remembered follows from the board."""
    assert isinstance(state, CreditMobilier)
    game: CreditMobilier = state
    board = game.board
    for c in range(board.companies):
        held = sum(game.shares[c :: board.companies])
        assert held + game.unsold[c] == board.shares
        assert held == game.held(c)
    for c in range(board.railways):
        assert game.lid[c] + game.goods_out(c) + game.coast[c] == board.pawns
        squares = [n for n in range(board.size) if game.goods[c * board.size + n]]
        assert game.stands[c] == sum(board.bit[n] for n in squares)
        assert game.builds[c] is None or game.builds[c] == game._find_builds(c)
        assert game.moves[c] is None or game.moves[c] == game._find_moves(c)
    assert min(*game.cash, *game.treasury, *game.unsold, *game.lid, *game.goods) >= 0
    check_money(game)
    check_track(game)
    assert game.turn == (game.turns - 1) % game.players
    assert (game.actor is None) == (not isinstance(game.phase, Drawing) and game.colors_out() <= board.end_colors)
    assert game.actor in (None, CHANCE, game.turn)


def check_money(game: CreditMobilier) -> None:
    """What track and goods have earned is in the treasuries and, less the price of the shares, with the players."""
    board = game.board
    bought = sum(game.held(c) for c in range(board.companies)) - game.players * board.start_shares
    earned = game.players * board.start_cash - bought * board.price + board.track_pays * game.built.bit_count()
    earned += (board.goods_pay + board.line_pays) * steps_west(game)
    assert sum(game.cash) + sum(game.treasury) == earned


def steps_west(game: CreditMobilier) -> int:
    """How many steps west all goods have made: one pawn began in each square."""
    board = game.board
    if isinstance(game.phase, Drawing):
        return 0
    began = sum(n % board.columns + 1 for n in range(board.size))
    total = sum(count * (at % board.size % board.columns + 1) for at, count in enumerate(game.goods))
    return began - total


def check_track(game: CreditMobilier) -> None:
    """The masks of track follow from the pieces laid, and all of them are connected to the eastern side."""
    board = game.board
    laid = [slot for slot, owner in enumerate(game.track) if owner >= 0]
    assert game.built == sum(board.slot_bit[slot] for slot in laid)
    connected = set(board.eastern)
    far = laid
    while near := [slot for slot in far if not connected.isdisjoint(board.ends[slot])]:
        connected.update(n for slot in near for n in board.ends[slot] if n != COAST)
        far = [slot for slot in far if slot not in near]
    assert not far
    free = [slot for slot, owner in enumerate(game.track) if owner < 0 and not connected.isdisjoint(board.ends[slot])]
    assert game.sites == sum(board.slot_bit[slot] for slot in free)
    for way in range(3):
        along = [board.slot_at[n * 3 + way] for n in range(board.size)]
        assert game.ways[way] == sum(bit for slot, bit in zip(along, board.bit) if slot >= 0 and game.track[slot] >= 0)
