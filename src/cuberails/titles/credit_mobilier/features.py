"""What a learner sees of a position of Credit Mobilier."""

from __future__ import annotations

from typing import Final

from cuberails.core.board import Board
from cuberails.core.features import Features, best_first, best_of_others, mean_of_others
from cuberails.core.state import NOBODY, State
from cuberails.titles.credit_mobilier.board import BUILD, COAST, NORTH, WEST, CreditMobilierBoard
from cuberails.titles.credit_mobilier.judge import CreditMobilierJudge, Outlook, add_line_income, survey
from cuberails.titles.credit_mobilier.rules import More, Turn, dice_for
from cuberails.titles.credit_mobilier.state import CreditMobilier

OF_A_COMPANY: Final = ["treasury", "dividends", "income to come", "share promises", "held", "for sale", "dice"]
OF_A_RAILWAY: Final = [
    *("income of its track", "steps", "pawns", "pawns with track", "pawns that can go", "brings the end"),
]
OF_THE_TABLE: Final = [
    *("three players", "four players", "five players", "steps to the end", "end is near", "colors to arrive", "over"),
    *("track", "sites", "treasuries", "shares sold", "orange dice", "rolling", "builds", "moves", "actions left"),
]
OF_A_SEAT: Final = [
    *("cash", "cash beside the others", "cash beside the richest", "cash beside the left", "cash by the end"),
    *("next dividends", "next dividends beside the others", "next dividends beside the best"),
    *("dividends", "dividends beside the others", "dividends beside the best", "with cash beside the best"),
    *("income to come", "income to come beside the others", "income to come beside the best"),
    *("shares promise", "shares promise beside the others", "shares promise beside the best"),
    *("all beside the others", "all beside the best", "all beside the left"),
    *("shares", "shares beside the others", "shares beside the most", "could buy"),
    *("decides", "on turn", "turns until its own"),
]
OF_A_HOLDING: Final = ["shares", "shares beside the others", "part of the shares"]

A_PAYMENT: Final = 2.0
"""Rounds of dividends that the dice mostly allow at once."""
PAYMENTS: Final = 4
"""More of them a company hardly makes before the end, whatever its treasury holds."""
NEXT_SALE: Final = 2.0
"""Shares of a company that are sold before it pays again."""
TURNS_A_STEP: Final = 2.0
SOON: Final = 10.0
"""Turns; the end is near when fewer are left."""
ASSUMED: Final = {
    "calm": 1.0,
    "doubt": 0.0,
    "turns_a_step": TURNS_A_STEP,
    "patience": 15.0,
    "sure": 1.0,
    "hoped": 0.5,
    "next_sale": NEXT_SALE,
    "sales_a_turn": 0.1,
    "open_part": 1.0,
    "any_share": 0.0,
    "open_sure": 1.0,
}
"""Round numbers for what the judge makes of a share: all that is sure, and half of what can be hoped for."""


class CreditMobilierFeatures(Features):
    """The features of Credit Mobilier on a board.

    All railways are alike by the rules, so they stand in the order of what their shares promise, the best first.
    """

    def __init__(self, board: Board) -> None:
        assert isinstance(board, CreditMobilierBoard)
        self.judge: Final = CreditMobilierJudge(ASSUMED)
        self._prospects: Prospects | None = None
        builder = board.names[board.builder]
        railways = [f"railway {rank}" for rank in range(1, board.railways + 1)]
        shared = [f"{name}: {what}" for name in railways for what in OF_A_COMPANY + OF_A_RAILWAY]
        shared += [f"{builder}: {what}" for what in OF_A_COMPANY]
        own = [f"{name}: {what}" for name in [*railways, builder] for what in ["own " + held for held in OF_A_HOLDING]]
        super().__init__(shared + OF_THE_TABLE, OF_A_SEAT + own)

    def rows(self, position: State) -> list[list[float]]:
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        companies = Companies(state, self.prospects(state), self.judge)
        shared = companies.features()
        companies.add_table(shared)
        table = Table(state, companies)
        return [table.seen_from(shared, seat) for seat in range(state.players)]

    def prospects(self, state: CreditMobilier) -> Prospects:
        """The prospects of a position: known where neither goods nor track have changed since the last."""
        known = self._prospects
        if known is None or known.goods is not state.goods or known.track is not state.track:
            known = Prospects(state)
            self._prospects = known
        return known


class Prospects:
    """What follows from goods and track alone, by company or by railway.

    `income` is all that is still to come if all goods go to the coast, `line` what of it track brings in; `steps` those
    of a railway's goods to the coast, `pawns` how many they are, `ready` those with track all the way.
    """

    def __init__(self, state: CreditMobilier) -> None:
        board = state.board
        freight = survey(state)
        self.goods: Final = state.goods
        self.track: Final = state.track
        self.line: Final = [0.0] * board.companies
        add_line_income(state, self.line, freight.pawns)
        self.income: Final = [goods + line for goods, line in zip(freight.income, self.line)]
        self.free: Final = state.track.count(-1)
        self.income[board.builder] += board.track_pays * self.free
        self.steps: Final = freight.of_color
        self.steps_to_end: Final = freight.steps
        self.pawns: Final = [0] * board.railways
        self.ready: Final = [0] * board.railways
        self.going: Final = [0] * board.railways
        leads = leading_to_coast(state)
        going = state.ways[WEST]
        for c in range(board.railways):
            self.count_pawns(state, c, leads, going)
        arriving = [n for n in best_first([float(-steps) for steps in self.steps]) if self.steps[n]]
        self.missing: Final = max(0, len(arriving) - board.end_colors)
        self.last: Final = arriving[: self.missing]

    def count_pawns(self, state: CreditMobilier, c: int, leads: int, going: int) -> None:
        """How many goods a railway has on the board, how many of them can reach the coast, and how many can go west."""
        board, size = state.board, state.board.size
        mask = state.stands[c]
        while mask:
            n = size - mask.bit_length()
            bit = board.bit[n]
            mask ^= bit
            here = state.goods[c * size + n]
            self.pawns[c] += here
            if leads & bit:
                self.ready[c] += here
            if going & bit:
                self.going[c] += here


def leading_to_coast(state: CreditMobilier) -> int:
    """The squares from where track leads all the way to the coast; columns further east depend on those before."""
    board = state.board
    west, north, south = state.ways
    found = 0
    for column in range(board.columns):
        for n in range(column, board.size, board.columns):
            there = board.beyond[n * 3 + WEST]
            if west & board.bit[n] and (there == COAST or found & board.bit[there]):
                found |= board.bit[n]
        for n in range(column + board.columns, board.size, board.columns):
            if north & board.bit[n] and found & board.bit[board.beyond[n * 3 + NORTH]]:
                found |= board.bit[n]
        for n in range(board.size - 2 * board.columns + column, -1, -board.columns):
            if south & board.bit[n] and found & board.bit[n + board.columns]:
                found |= board.bit[n]
    return found


class Companies:
    """What each share of a company has: in the treasury, of the income to come, and what it promises until the end.

    Of the treasury it can get all `dividends` in a few payments; `soon` is what the next of them gives.
    """

    def __init__(self, state: CreditMobilier, prospects: Prospects, judge: CreditMobilierJudge) -> None:
        board, phase = state.board, state.phase
        self.state: Final = state
        self.board: Final = board
        self.prospects: Final = prospects
        self.over: Final = phase.actor == NOBODY
        self.turns: Final = TURNS_A_STEP * prospects.steps_to_end
        self.dividends: Final = [
            min(money / held, A_PAYMENT * PAYMENTS) if held else 0.0 for money, held in zip(state.treasury, state.held)
        ]
        self.soon: Final = [min(dividends, A_PAYMENT) for dividends in self.dividends]
        income = [0.0] * board.companies if self.over else prospects.income
        self.income: Final = [money / (held + NEXT_SALE) for money, held in zip(income, state.held)]
        outlook = Outlook(prospects.income, self.turns, 0.0)
        self.value: Final = [judge.share_value(state, c, outlook) for c in range(board.companies)]
        self.ranked: Final = best_first(self.value[: board.railways])
        self.roll: Final = phase.roll if isinstance(phase, Turn) else -1

    def features(self) -> list[float]:
        """The features of all companies: the railways, the best first, and the construction company."""
        row: list[float] = []
        for c in self.ranked:
            self.add_company(row, c)
            self.add_railway(row, c)
        self.add_company(row, self.board.builder)
        return row

    def add_company(self, row: list[float], c: int) -> None:
        """The features of any company."""
        state, board = self.state, self.board
        left = state.for_sale(c)
        row.append(state.treasury[c] / 20.0)
        row.append(self.dividends[c] / 4.0)
        row.append(self.prospects.income[c] / 50.0)
        row.append(self.value[c] / 8.0)
        row.append(state.held[c] / 20.0)
        row.append((left if left < board.shares else board.shares) / board.shares)
        row.append(dice_for(board, self.roll, c) / board.dice if self.roll >= 0 else 0.0)

    def add_railway(self, row: list[float], c: int) -> None:
        """The features of a railway's goods and track."""
        prospects, pawns = self.prospects, self.board.pawns
        row.append(prospects.line[c] / 30.0)
        row.append(prospects.steps[c] / 25.0)
        row.append(prospects.pawns[c] / pawns)
        row.append(prospects.ready[c] / pawns)
        row.append(prospects.going[c] / pawns)
        row.append(1.0 if c in prospects.last else 0.0)

    def add_table(self, row: list[float]) -> None:
        """The features of the table as a whole."""
        state, board, phase, prospects = self.state, self.board, self.state.phase, self.prospects
        row.append(1.0 if state.players == 3 else 0.0)
        row.append(1.0 if state.players == 4 else 0.0)
        row.append(1.0 if state.players >= 5 else 0.0)
        row.append(prospects.steps_to_end / 30.0)
        row.append(SOON / (SOON + self.turns))
        row.append(prospects.missing / (board.railways - board.end_colors))
        row.append(1.0 if self.over else 0.0)
        row.append(1.0 - prospects.free / len(state.track))
        row.append(state.sites.bit_count() / 15.0)
        row.append(sum(state.treasury) / 60.0)
        row.append(sum(state.held) / (board.shares * board.companies))
        row.append(board.rolled[self.roll][board.dividend] / board.dice if self.roll >= 0 else 0.0)
        more = phase if isinstance(phase, More) else None
        row.append(1.0 if phase.actor < 0 and not self.over else 0.0)
        row.append(1.0 if more is not None and more.kind == BUILD else 0.0)
        row.append(1.0 if more is not None and more.kind != BUILD else 0.0)
        row.append(more.left / board.dice if more is not None else 0.0)


class Table:
    """How the seats stand beside each other."""

    def __init__(self, state: CreditMobilier, companies: Companies) -> None:
        self.state: Final = state
        self.companies: Final = companies
        self.count: Final = state.board.companies
        self.cash: Final = [float(cash) for cash in state.cash]
        self.soon: Final = self.sums(companies.soon)
        self.dividends: Final = self.sums(companies.dividends)
        self.income: Final = self.sums(companies.income)
        self.value: Final = self.sums(companies.value)
        self.sure: Final = [cash + money for cash, money in zip(self.cash, self.dividends)]
        self.all: Final = [cash + money for cash, money in zip(self.cash, self.value)]
        self.shares: Final = [float(state.stock_of(seat)) for seat in range(state.players)]

    def sums(self, a_share: list[float]) -> list[float]:
        """For each seat what its shares make together, if one of each company makes this."""
        shares = self.state.shares
        totals: list[float] = []
        at = 0
        for _ in range(self.state.players):
            total = 0.0
            for each in a_share:
                held = shares[at]
                at += 1
                if held:
                    total += held * each
            totals.append(total)
        return totals

    def seen_from(self, shared: list[float], seat: int) -> list[float]:
        """The whole row of a seat."""
        row = shared[:]
        self.add_money(row, seat)
        self.add_prospects(row, seat)
        self.add_shares(row, seat)
        self.add_order(row, seat)
        for c in self.companies.ranked:
            self.add_holding(row, seat, c)
        self.add_holding(row, seat, self.state.board.builder)
        return row

    def add_money(self, row: list[float], seat: int) -> None:
        """The cash of a seat, and what it gets if every company pays once, or as often as can be."""
        cash, soon, dividends = self.cash, self.soon, self.dividends
        left = (seat + 1) % self.state.players
        richest = cash[seat] - best_of_others(cash, seat)
        row.append(cash[seat] / 40.0)
        row.append((cash[seat] - mean_of_others(cash, seat)) / 30.0)
        row.append(richest / 30.0)
        row.append((cash[seat] - cash[left]) / 30.0)
        row.append(richest / (1.0 + self.companies.turns / SOON) / 15.0)
        row.append(soon[seat] / 20.0)
        row.append((soon[seat] - mean_of_others(soon, seat)) / 10.0)
        row.append((soon[seat] - best_of_others(soon, seat)) / 10.0)
        row.append(dividends[seat] / 40.0)
        row.append((dividends[seat] - mean_of_others(dividends, seat)) / 30.0)
        row.append((dividends[seat] - best_of_others(dividends, seat)) / 30.0)
        row.append((self.sure[seat] - best_of_others(self.sure, seat)) / 30.0)

    def add_prospects(self, row: list[float], seat: int) -> None:
        """What the shares of a seat promise: of all income to come, until the end, and together with its cash."""
        income, value, total = self.income, self.value, self.all
        left = (seat + 1) % self.state.players
        row.append(income[seat] / 60.0)
        row.append((income[seat] - mean_of_others(income, seat)) / 40.0)
        row.append((income[seat] - best_of_others(income, seat)) / 40.0)
        row.append(value[seat] / 40.0)
        row.append((value[seat] - mean_of_others(value, seat)) / 30.0)
        row.append((value[seat] - best_of_others(value, seat)) / 30.0)
        row.append((total[seat] - mean_of_others(total, seat)) / 30.0)
        row.append((total[seat] - best_of_others(total, seat)) / 30.0)
        row.append((total[seat] - total[left]) / 30.0)

    def add_shares(self, row: list[float], seat: int) -> None:
        """How many shares a seat has, and could buy in a turn with all dice."""
        board, shares = self.state.board, self.shares
        affordable = self.state.cash[seat] // board.price
        row.append(shares[seat] / 20.0)
        row.append((shares[seat] - mean_of_others(shares, seat)) / 10.0)
        row.append((shares[seat] - best_of_others(shares, seat)) / 10.0)
        row.append((affordable if affordable < board.dice else board.dice) / board.dice)

    def add_order(self, row: list[float], seat: int) -> None:
        """When a seat is on turn: the dice are perhaps yet to be rolled for it."""
        state = self.state
        row.append(1.0 if state.phase.actor == seat else 0.0)
        row.append(1.0 if state.turn == seat else 0.0)
        row.append((seat - state.turn) % state.players / state.players)

    def add_holding(self, row: list[float], seat: int, c: int) -> None:
        """The features of what a seat holds of a company."""
        state = self.state
        held, own = state.held[c], state.shares[seat * self.count + c]
        row.append(own / 10.0)
        row.append((own - (held - own) / (state.players - 1)) / 10.0)
        row.append(own / held if held else 0.0)
