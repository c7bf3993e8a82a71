"""Fair prices: for each seat the highest price at which it would rather have something than not.

Both positions are judged by how likely the seat is to win the game: that in which it has the lot at a price, and that
in which it has not. In an auction the latter is the one in which the rival who would pay most for it has it, at the
same price or at the most that the rival would pay; in a market it is the present one, and in a draft, where everybody
must take something, that in which the seat has the share that is worth least to it. In auctions and drafts positions
are searched where there is time for that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from random import Random
from time import perf_counter
from typing import Final

from cuberails.bots.search import OnProgress, Search, SearchConfig
from cuberails.core.action import Action
from cuberails.core.auction import Auction, awarded, must_bid
from cuberails.core.judge import Judge
from cuberails.core.playout import after
from cuberails.core.share import Lot
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import calibrated, judge_for, shares_of

ROUNDS: Final = 2
"""How often the limits are worked out: each seat's depends on what its rivals would pay."""
NEVER: Final = -1
"""The limit of a seat that would not have the lot for nothing, or is out of the auction."""

DEAR: Final = 10
"""What costs as many dollars has a price in whole ones; a share for a dollar may be worth $1.5."""

SIMULATIONS: Final = 8
"""With so many simulations positions are searched for what people are told: by the panel, in the terminal, in hints."""

Chances = Callable[[State], list[float]]


class TimeUp(Exception):
    """The seconds for a price are over."""


@dataclass(frozen=True)
class FairPrice:
    """What the lot of an auction is worth: `limits` by seat, -1 where it would not have it or cannot.

    `most` is what each seat could bid, -1 if it is out.
    `winner` is the seat that would get it, at a price from `low` to `high`, if everybody bids as far as its limit; -1
    if nobody would bid `low`, the least bid.
    """

    limits: list[int]
    most: list[int]
    winner: int
    low: int
    high: int


def fair_price(
    state: State,
    simulations: int = 0,
    seed: int | str = 0,
    on_progress: OnProgress | None = None,
    seconds: float = inf,
) -> FairPrice:
    """What the lot of the auction under way is worth to each seat.

    Positions are judged at once, or with a search of so many `simulations` each if that takes no more than the
    `seconds`.
    """
    if not isinstance(state.phase, Auction):
        raise SetupError("there is no auction under way, so there is no lot with a fair price")
    judge, began = judge_for(state.board), perf_counter()
    quick = Limits(state, outlook(judge, 0, seed), None, None)
    if not simulations:
        return quick.price()
    searched = in_time(outlook(judge, simulations, seed), began + seconds)
    try:
        return Limits(state, searched, quick, on_progress).price()
    except TimeUp:
        return quick.price()


def outlook(judge: Judge, simulations: int, seed: int | str) -> Chances:
    """What says how likely each seat is to win in a position; the same dice are drawn in each."""
    config = SearchConfig(simulations=max(1, simulations), win_weight=1.0, exact_end=simulations > 0)

    def at_once(state: State) -> list[float]:
        return Search(judge, config, Random(seed)).estimate(state)

    def searched(state: State) -> list[float]:
        if state.phase.actor in (CHANCE, NOBODY):
            return at_once(state)
        root = Search(judge, config, Random(seed)).think(state)
        best = root.ranked()[0]
        return [root.mean(best, seat) for seat in range(state.players)]

    return searched if simulations else at_once


def in_time(chances: Chances, until: float) -> Chances:
    """The same until a moment of `perf_counter`; then TimeUp."""

    def asked(state: State) -> list[float]:
        if perf_counter() > until:
            raise TimeUp
        return chances(state)

    return asked


class Limits:
    """Works out how far each seat would go in an auction; what others worked out at once is where it begins."""

    def __init__(self, state: State, chances: Chances, known: Limits | None, on_progress: OnProgress | None) -> None:
        phase = state.phase
        assert isinstance(phase, Auction)
        self.state: Final = state
        self.phase: Final = phase
        self.chances: Final = chances
        self.on_progress: Final = on_progress
        self.judged: Final[dict[tuple[int, int], list[float]]] = {}
        self.seats: Final = [seat for seat in range(state.players) if phase.inside >> seat & 1]
        self.most: Final = [most_bid(state, n) if n in self.seats else NEVER for n in range(state.players)]
        self.limits: Final[list[int]] = list(self.most if known is None else known.limits)
        self.limits[:] = [limit if seat in self.seats else NEVER for seat, limit in enumerate(self.limits)]
        self._work_out(ROUNDS if known is None else 1)

    def _work_out(self, rounds: int) -> None:
        steps = rounds * len(self.seats)
        for step in range(steps):
            seat = self.seats[step % len(self.seats)]
            self.limits[seat] = self._limit(seat)
            if self.on_progress is not None:
                self.on_progress((step + 1) / steps)

    def _limit(self, seat: int) -> int:
        """The highest price at which a seat would rather have the lot, found by binary search."""
        low, high = NEVER, self.most[seat]
        while low < high:
            price = (low + high + 1) // 2
            if self._with(seat, price)[seat] >= self._without(seat, price)[seat]:
                low = price
            else:
                high = price - 1
        return low

    def _rival(self, seat: int) -> int:
        """The other seat that would pay most; -1 if there is none."""
        others = [other for other in self.seats if other != seat]
        return max(others, key=lambda other: (self.limits[other], other == self.phase.leader), default=-1)

    def _without(self, seat: int, price: int) -> list[float]:
        """The chances of all seats if a rival has the lot instead: at this price or its limit, or what it has bid."""
        rival, leader = self._rival(seat), self.phase.leader
        if rival < 0:
            return self._unsold()
        if leader not in (NEVER, seat) and self.limits[rival] < self.phase.least:
            return self._with(leader, self.phase.highest)
        return self._with(rival, max(0, min(price, self.limits[rival])))

    def _with(self, seat: int, price: int) -> list[float]:
        """The chances of all seats if one of them has the lot at a price."""
        known = self.judged.get((seat, price))
        if known is None:
            known = self.chances(awarded(self.state, seat, price))
            self.judged[seat, price] = known
        return known

    def _unsold(self) -> list[float]:
        """The chances if the only seat that is left does not bid."""
        known = self.judged.get((-1, 0))
        if known is None:
            legal = self.state.legal_actions()
            known = self.chances(after(self.state, legal[0] if must_bid(legal) else legal[-1]))
            self.judged[-1, 0] = known
        return known

    def price(self) -> FairPrice:
        """The limits, and what the auction would come to."""
        phase, limits = self.phase, self.limits
        ranked = sorted(self.seats, key=lambda seat: (-limits[seat], seat != phase.leader))
        if not ranked or limits[ranked[0]] < phase.least - (phase.leader == ranked[0]):
            price = phase.highest if phase.leader >= 0 else phase.least
            return FairPrice(limits, self.most, phase.leader, price, price)
        second = limits[ranked[1]] if len(ranked) > 1 else NEVER
        low = max(second, phase.highest if phase.leader == ranked[0] else phase.least)
        return FairPrice(limits, self.most, ranked[0], low, min(low + 1, limits[ranked[0]]) if second >= low else low)


def most_bid(state: State, seat: int) -> int:
    """The most that a seat could bid in the auction under way."""
    phase, there = state.phase, state.copy()
    assert isinstance(phase, Auction)
    phase.ask(there, seat, phase.inside, phase.least, phase.leader)
    own = phase.highest if phase.leader == seat else NEVER
    return max([own, *(action.a for action in there.phase.legal(there))])  # a pass has no amount: -1


def fair_bid(state: State, judge: Judge, simulations: int, seed: int | str, seconds: float = inf) -> Action:
    """What a seat does that bids as little as it may, as long as that is no more than the lot is worth to it.

    When the `seconds` are over, positions are judged as they stand, which takes next to no time.
    """
    legal = state.legal_actions()
    if must_bid(legal):
        return legal[0]
    try:
        limits = Limits(state, in_time(outlook(judge, simulations, seed), perf_counter() + seconds), None, None).limits
    except TimeUp:
        limits = Limits(state, judge.chances, None, None).limits
    return legal[0] if limits[state.phase.actor] >= legal[0].a else legal[-1]


# What is had without an auction


@dataclass(frozen=True)
class Offer:
    """Something that the seat to decide can have by an action, and how much a share of it is worth to each seat.

    The `limits` are -1 where a seat would not have it for nothing; of points, and where a share costs few dollars, also
    parts count. `most` is what each could pay. Where something must be taken, `chance` is how likely the seat to decide
    is to win with it, as people are told it; a lead by a single point may be worth more than the points say.
    """

    lot: Lot
    limits: list[float]
    most: list[int]
    chance: float | None


def offers(
    state: State,
    simulations: int = 0,
    seed: int | str = 0,
    on_progress: OnProgress | None = None,
    seconds: float = inf,
) -> list[Offer]:
    """What the legal actions get, and what that is worth to each seat.

    Where something must be taken, what it is worth to the seat to decide is judged at once, or with a search of so many
    `simulations` if that takes no more than the `seconds`; if only the limits take longer, the chances of the actions
    are still searched. What others would give for it is judged at once: they do not decide there. Elsewhere all
    positions are judged at once: a search would find that who has not got a share now can have it in the next turn, and
    at what it costs nobody would pay more.
    """
    judge, began = judge_for(state.board), perf_counter()
    lots = _best_lots(state, judge)
    at_once = Offers(state, lots, judge.chances)
    quick = at_once.found(None, None)
    if not (simulations and at_once.must_take and lots):
        return quick
    searched = Offers(state, lots, in_time(outlook(judge, simulations, seed), began + seconds))
    chances = [offer.chance for offer in quick]
    try:
        chances = searched.actor_chances()
        return searched.found(quick, on_progress)
    except TimeUp:
        return [replace(offer, chance=chance) for offer, chance in zip(quick, chances, strict=True)]


def _best_lots(state: State, judge: Judge) -> list[tuple[Action, Lot]]:
    """Of each share and kind the lot that is best for the seat to decide: a railroad starts in many ways."""
    shares, seat = shares_of(state.board), state.phase.actor
    best: dict[tuple[str, str], tuple[float, Action, Lot]] = {}
    for action in state.legal_actions():
        lot = shares.lot(state, action)
        if lot is not None:
            there = state.copy()
            shares.give(there, action, seat)
            chance = judge.chances(there)[seat]
            if (lot.name, lot.kind) not in best or chance > best[lot.name, lot.kind][0]:
                best[lot.name, lot.kind] = chance, action, lot
    return [(action, lot) for _, action, lot in best.values()]


class Offers:
    """Works out what each lot is worth to each seat."""

    def __init__(self, state: State, lots: list[tuple[Action, Lot]], chances: Chances) -> None:
        self.state: Final = state
        self.lots: Final = lots
        self.chances: Final = chances
        self.shares: Final = shares_of(state.board)
        self.must_take: Final = {action.kind for action, _ in lots} == {each.kind for each in state.legal_actions()}
        self.judged: Final[dict[tuple[Action, int, int], list[float]]] = {}

    def found(self, known: list[Offer] | None, on_progress: OnProgress | None) -> list[Offer]:
        """The offers; of those `known` the limit of the seat to decide is looked for again, from where it was."""
        seats, offers = range(self.state.players), list[Offer]()
        asked = seats if known is None else [self.state.phase.actor]
        chances, without = self.actor_chances(), {seat: self._without(seat) for seat in asked}
        for n, (action, lot) in enumerate(self.lots):
            most = [self.shares.purse(self.state, seat) // lot.number for seat in seats]
            limits = list[float](most if known is None else known[n].limits)
            for seat in asked:
                limits[seat] = self._limit(action, lot, seat, without[seat], most[seat], int(limits[seat]))
            offers.append(Offer(lot, limits, most, chances[n]))
            if on_progress is not None:
                on_progress((n + 1) / len(self.lots))
        return offers

    def actor_chances(self) -> list[float | None]:
        """How likely the seat to decide is to win with each lot; None where it need not take any."""
        seat, board = self.state.phase.actor, self.state.board
        if not self.must_take:
            return [None] * len(self.lots)
        return [calibrated(board, self._with(action, lot, seat, lot.price))[seat] for action, lot in self.lots]

    def _without(self, seat: int) -> float:
        """How likely a seat is to win without a lot: as things stand, or if it must take one, with the least."""
        if not self.must_take:
            return self.chances(self.state)[seat]
        return min((self._with(action, lot, seat, lot.price)[seat] for action, lot in self.lots), default=0.0)

    def _with(self, action: Action, lot: Lot, seat: int, price: int) -> list[float]:
        """The chances of all seats if one of them has a lot, at a price for each share."""
        known = self.judged.get((action, seat, price))
        if known is None:
            known = self.chances(self._given(action, lot, seat, (lot.price - price) * lot.number))
            self.judged[action, seat, price] = known
        return known

    def _given(self, action: Action, lot: Lot, seat: int, more: int) -> State:
        """The position in which a seat has a lot, with so much more in its purse; the seat to decide has then decided.

        Where it need not take anything it might go on, and so might all others.
        """
        if self.must_take and seat == self.state.phase.actor:
            there = after(self.state, action)
        else:
            there = self.state.copy()
            self.shares.give(there, action, seat)
        self.shares.credit(there, seat, more)
        return there

    def _limit(self, action: Action, lot: Lot, seat: int, without: float, most: int, guess: int) -> float:
        """The highest price for each share of a lot at which a seat would rather have it."""

        def better(price: int) -> float:
            return self._with(action, lot, seat, price)[seat] - without

        low = _highest(better, most) if guess == most else _highest_from(better, guess, most)
        if low in (NEVER, most) or (self.shares.unit == "$" and lot.price >= DEAR):
            return low
        here, there = better(low), better(low + 1)
        return round(low + here / (here - there), 1)


def _highest(better: Callable[[int], float], most: int) -> int:
    """The highest price that is no worse than to go without, by binary search."""
    low, high = NEVER, most
    while low < high:
        price = (low + high + 1) // 2
        if better(price) >= 0.0:
            low = price
        else:
            high = price - 1
    return low


def _highest_from(better: Callable[[int], float], guess: int, most: int) -> int:
    """The same where a guess is not far off: dollar by dollar from there."""
    price = guess
    while price < most and better(price + 1) >= 0.0:
        price += 1
    while price > NEVER and better(price) < 0.0:
        price -= 1
    return price
