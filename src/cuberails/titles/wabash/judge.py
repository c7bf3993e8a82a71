"""What a position of Wabash Cannonball is worth to each seat: an estimate of its cash at the end."""

from __future__ import annotations

from typing import Final

from cuberails.core.state import State
from cuberails.titles.wabash.board import WabashBoard
from cuberails.titles.wabash.rules import ShareAuction, Wabash

SALES_A_ROUND: Final = 2.5
DEVELOPMENTS_A_ROUND: Final = 3.0
INCOME_PER_DOLLAR: Final = 0.12
"""What a dollar in a treasury will add to the income, on the average until the end."""
USEFUL_TREASURY: Final = 20
DILUTION: Final = 0.4
"""The part of a further share a round by which dividends are thinned out, on the average until the end."""
CHICAGO_HOPE: Final = 0.6
"""The chance of a railroad next to Chicago to pay its Chicago dividend."""


def worth(state: State) -> list[float]:
    """For each seat the cash it is likely to end with. An auction under way counts as won by the leader."""
    assert isinstance(state, Wabash)
    game: Wabash = state
    if game.phase.actor < -1:
        return [float(cash) for cash in game.cash]
    count = game.board.count
    rounds = rounds_left(game)
    phase = game.phase
    auctioned = leader = price = -1
    if isinstance(phase, ShareAuction):
        auctioned, leader = phase.railroad, phase.leader
        price = phase.highest
    values = [float(cash) for cash in game.cash]
    for rr in range(count):
        more, money = 0, game.treasury[rr]
        if rr == auctioned:
            more = 1
            money += price if leader >= 0 else phase_price(game, rr, rounds)
        share = share_value(game, rr, more, money, rounds)
        for seat in range(game.players):
            values[seat] += share * game.shares[seat * count + rr]
        if rr == auctioned and leader >= 0:
            values[leader] += share - price
    return values


def phase_price(game: Wabash, rr: int, rounds: float) -> int:
    """What a share that nobody has bid for yet will fetch: about what it is worth, as far as cash allows."""
    value = share_value(game, rr, 1, game.treasury[rr], rounds)
    cash = sorted(game.cash)
    return min(int(value), cash[-2] if len(cash) > 1 else cash[-1])


def share_value(game: Wabash, rr: int, more: int, money: int, rounds: float) -> float:
    """The dividends of one share until the end, if `more` shares are sold and the treasury holds `money`."""
    sold = game.sold(rr) + more
    if sold == 0:
        return 0.0
    spend = money if money < USEFUL_TREASURY else USEFUL_TREASURY
    if game.cubes[rr] * 3 < spend:
        spend = game.cubes[rr] * 3
    income = game.income[rr] + INCOME_PER_DOLLAR * spend
    unsold = game.board.shares[rr] - sold
    thinned = sold + DILUTION * min(float(unsold), rounds)
    return (income * rounds + chicago_bonus(game, rr, income)) / thinned


def chicago_bonus(game: Wabash, rr: int, income: float) -> float:
    """The Chicago dividend to come, the likelier the nearer the railroad is."""
    board = game.board
    away = distances(board)
    if not game.track[rr] or game.track[rr] & board.grid.bit[board.chicago]:
        return 0.0
    for step, ring in enumerate(away):
        if game.track[rr] & ring:
            return income * CHICAGO_HOPE * (1.0 - step / len(away))
    return 0.0


def rounds_left(game: Wabash) -> float:
    """About how many general dividends are still to come; the one of this round always is."""
    board = game.board
    unsold = sorted(game.unsold)
    by_shares = sum(unsold[: board.end_sold]) / SALES_A_ROUND
    by_cubes = (game.supply - board.end_cubes) / DEVELOPMENTS_A_ROUND
    by_detroit = float(len(board.tracks[board.detroit]) - 1 - game.industry[board.detroit])
    return 1.0 + max(0.0, min(by_shares, by_cubes, by_detroit))


_rings: Final[dict[int, list[int]]] = {}


def distances(board: WabashBoard) -> list[int]:
    """The hexes one, two, three … steps from Chicago, found once for a board."""
    rings = _rings.get(id(board))
    if rings is None:
        grid = board.grid
        seen = grid.bit[board.chicago]
        rings = []
        while ring := grid.spread(seen) & ~seen:
            rings.append(ring)
            seen |= ring
        _rings[id(board)] = rings
    return rings
