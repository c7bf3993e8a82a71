"""What a learner sees of a position of Wabash Cannonball."""

from __future__ import annotations

from typing import Final

from cuberails.core.board import Board
from cuberails.core.features import Features, best_of_others, mean_of_others
from cuberails.core.state import State
from cuberails.titles.wabash.board import WabashBoard
from cuberails.titles.wabash.rules import CAPITALIZATION, Expansion, ShareAuction
from cuberails.titles.wabash.state import Wabash

OF_A_RAILROAD: Final = [
    "sold",
    "unsold",
    "income",
    "dividend",
    "next dividend",
    "treasury",
    "cubes",
    "Chicago",
    "on sale",
    "builds",
]
OF_THE_TABLE: Final = [
    *("three players", "four players", "five players or more"),
    *("capitalized", "developed", "expanded", "supply", "Detroit", "sales to the end", "sold out", "built out"),
    *("sales times dividends", "initial auction", "capitalization", "no bid yet", "bid"),
]
OF_A_SEAT: Final = [
    *("cash", "cash beside the others", "cash beside the richest", "cash of the left"),
    *("dividends", "dividends beside the others", "dividends beside the best", "dividends of the left"),
    *("dividends to come", "dividends to come beside the best", "treasuries", "treasuries beside the others"),
    *("near Chicago", "near Chicago beside the others", "decides", "turns until its own", "may bid"),
]
NO_AUCTION: Final = [0.0] * 4
OF_A_HOLDING: Final = ["shares", "shares beside the most", "part of the shares", "alone"]


class WabashFeatures(Features):
    """The features of Wabash Cannonball on a board."""

    def __init__(self, board: Board) -> None:
        assert isinstance(board, WabashBoard)
        self.board: Final[WabashBoard] = board
        names = board.railroads
        shared = [f"{name} {what}" for name in names for what in OF_A_RAILROAD]
        own = [f"{name} {what}" for name in names for what in OF_A_HOLDING]
        super().__init__(shared + OF_THE_TABLE, OF_A_SEAT + own)

    def rows(self, position: State) -> list[list[float]]:
        assert isinstance(position, Wabash)
        state: Wabash = position
        table = Table(state)
        shared = table.railroads()
        table.add_table(shared)
        return [table.seen_from(shared, seat) for seat in range(state.players)]


class Table:
    """A position in which the auction under way is over: its leader has bought."""

    def __init__(self, state: Wabash) -> None:
        self.state: Final = state
        board = state.board
        count = board.count
        self.count: Final = count
        self.cash: Final = [float(cash) for cash in state.cash]
        self.shares: list[int] = state.shares
        self.treasury: list[int] = state.treasury
        self.sold: Final = [total - left for total, left in zip(board.shares, state.unsold)]
        self.lot: int = -1
        phase = state.phase
        if isinstance(phase, ShareAuction):
            self.lot = phase.railroad
            if phase.leader >= 0:
                self.shares, self.treasury = self.shares[:], self.treasury[:]
                self.shares[phase.leader * count + self.lot] += 1
                self.treasury[self.lot] += phase.highest
                self.cash[phase.leader] -= phase.highest
                self.sold[self.lot] += 1
        self.dividend: Final = [
            float(-(-income // sold)) if sold else 0.0 for income, sold in zip(state.income, self.sold)
        ]
        self.expands: Final = phase.railroad if isinstance(phase, Expansion) else -1
        self.near: Final = [self.nearness(track) for track in state.track]
        self.rounds: float = 0.0
        self.dividends: Final = self.sums(self.dividend)
        self.chicago: Final = self.sums([near * dividend for near, dividend in zip(self.near, self.dividend)])
        self.money: Final = self.sums([money / sold if sold else 0.0 for money, sold in zip(self.treasury, self.sold)])

    def sums(self, a_share: list[float]) -> list[float]:
        """For each seat what its shares make together, if one of each railroad makes this."""
        totals: list[float] = []
        at = 0
        for _ in range(self.state.players):
            total = 0.0
            for each in a_share:
                held = self.shares[at]
                at += 1
                if held:
                    total += held * each
            totals.append(total)
        return totals

    def nearness(self, track: int) -> float:
        """1 next to Chicago, less further away, and 0 where there is no track or it is there already."""
        board = self.state.board
        if not track or track & board.grid.bit[board.chicago]:
            return 0.0
        for step, ring in enumerate(board.chicago_rings):
            if track & ring:
                return 1.0 / (1.0 + step)
        return 0.0

    def railroads(self) -> list[float]:
        """The features of all railroads."""
        state, board = self.state, self.state.board
        row: list[float] = []
        for rr in range(self.count):
            sold, income = self.sold[rr], state.income[rr]
            total = board.shares[rr]
            row.append(sold / total)
            row.append((total - sold) / 6.0)
            row.append(income / 30.0)
            row.append(self.dividend[rr] / 10.0)
            row.append(income / (sold + 1) / 10.0 if sold < total else 0.0)
            row.append(self.treasury[rr] / 30.0)
            row.append(state.cubes[rr] / 20.0)
            row.append(self.near[rr])
            row.append(1.0 if rr == self.lot else 0.0)
            row.append(1.0 if rr == self.expands else 0.0)
        return row

    def add_table(self, row: list[float]) -> None:
        """The features of the table as a whole."""
        state, board = self.state, self.state.board
        phase, players = state.phase, state.players
        row.append(1.0 if players == 3 else 0.0)
        row.append(1.0 if players == 4 else 0.0)
        row.append(1.0 if players >= 5 else 0.0)
        for marker, limit in zip(state.markers, board.limits):
            row.append(marker / limit)
        row.append((state.supply - board.end_cubes) / 10.0)
        detroit = len(board.tracks[board.detroit])
        row.append(state.industry[board.detroit] / detroit)
        unsold = sorted([total - sold for total, sold in zip(board.shares, self.sold)])
        left, sold_out = 0, 0
        for number in unsold[: board.end_sold]:
            left += number
            if not number:
                sold_out += 1
        row.append(left / 8.0)
        row.append(sold_out / board.end_sold)
        row.append(state.cubes.count(0) / board.end_built)
        by_cubes = (state.supply - board.end_cubes) / 3.0
        by_detroit = float(detroit - 1 - state.industry[board.detroit])
        self.rounds = 1.0 + max(0.0, min(left / 2.5, by_cubes, by_detroit))
        row.append(sum(self.dividend) * self.rounds / 150.0)
        if isinstance(phase, ShareAuction):
            row.append(0.0 if phase.occasion == CAPITALIZATION else 1.0)
            row.append(1.0 if phase.occasion == CAPITALIZATION else 0.0)
            row.append(1.0 if phase.leader < 0 else 0.0)
            row.append(phase.least / 30.0)
        else:
            row += NO_AUCTION

    def seen_from(self, shared: list[float], seat: int) -> list[float]:
        """The whole row of a seat."""
        row = shared[:]
        state, phase, left = self.state, self.state.phase, (seat + 1) % self.state.players
        cash, dividends = self.cash, self.dividends
        best = best_of_others(dividends, seat)
        row.append(cash[seat] / 50.0)
        row.append((cash[seat] - mean_of_others(cash, seat)) / 30.0)
        row.append((cash[seat] - best_of_others(cash, seat)) / 30.0)
        row.append((cash[seat] - cash[left]) / 30.0)
        row.append(dividends[seat] / 20.0)
        row.append((dividends[seat] - mean_of_others(dividends, seat)) / 10.0)
        row.append((dividends[seat] - best) / 10.0)
        row.append((dividends[seat] - dividends[left]) / 10.0)
        row.append(dividends[seat] * self.rounds / 60.0)
        row.append((dividends[seat] - best) * self.rounds / 30.0)
        row.append(self.money[seat] / 20.0)
        row.append((self.money[seat] - mean_of_others(self.money, seat)) / 20.0)
        row.append(self.chicago[seat] / 10.0)
        row.append((self.chicago[seat] - mean_of_others(self.chicago, seat)) / 10.0)
        decides = phase.actor == seat
        row.append(1.0 if decides else 0.0)
        row.append((seat - state.turn) % state.players / state.players)
        row.append(1.0 if isinstance(phase, ShareAuction) and phase.inside >> seat & 1 and not decides else 0.0)
        self.add_holdings(row, seat)
        return row

    def add_holdings(self, row: list[float], seat: int) -> None:
        """The features of what a seat holds of each railroad."""
        count = self.count
        first = seat * count
        for rr in range(count):
            held, sold = self.shares[first + rr], self.sold[rr]
            most = 0
            for at in range(rr, len(self.shares), count):
                if self.shares[at] > most and at != first + rr:
                    most = self.shares[at]
            row.append(held / 3.0)
            row.append((held - most) / 3.0)
            row.append(held / sold if sold else 0.0)
            row.append(1.0 if held and held == sold else 0.0)
