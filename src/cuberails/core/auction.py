"""An auction by rising bids, clockwise; a seat that passes is out. For the titles that have one."""

from __future__ import annotations

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.event import Bid, Event, Forced, Passed
from cuberails.core.state import Phase, Refusal, S, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Auction(Phase[S]):
    """One seat at a time bids at least `least` or passes. A title's subclass says what is sold and what follows.

    `inside` is a bit mask of the seats that have not passed, `leader` the highest bidder, -1 before any bid.
    """

    def __init__(self, actor: int, opener: int, inside: int, least: int, leader: int) -> None:
        self.actor = actor
        self.opener = opener
        self.inside = inside
        self.least = least
        self.leader = leader

    @property
    def highest(self) -> int:
        """The highest bid so far; -1 before any."""
        return self.least - 1 if self.leader >= 0 else -1

    def choices(self, bids: list[Action], give_up: Action, cash: int) -> list[Action]:
        """Every affordable bid of `bids`, which holds `bid 0` first, and the pass."""
        legal = bids[self.least : cash + 1]
        legal.append(give_up)
        return legal

    def refuse_bid(
        self, action: Action, bids: list[Action], give_up: Action, cash: int, rising: str, minimum: str, in_hand: str
    ) -> Refusal | None:
        """Why an action is none of the `choices`, or None if it is one.

        The last three are the title's rules: bids rise until all others pass, the first bid has a minimum, and
        nobody bids more than the cash in hand.
        """
        if action is give_up:
            return None
        if action.kind != bids[0].kind:
            return Refusal(rising, "an auction is under way: bid or pass")
        if action.a < self.least and self.leader >= 0:
            return Refusal(rising, f"the highest bid is ${self.highest}, so the next is at least ${self.least}")
        if action.a < self.least:
            return Refusal(minimum, f"the minimum bid is ${self.least}")
        if action.a > cash:
            return Refusal(in_hand, f"${action.a} is more than the ${cash} in hand")
        return None

    def raised(self, state: S, amount: int) -> None:
        """The seat asked bids: it leads, and everybody else still inside may answer."""
        if self.inside == 1 << self.actor:
            self.sold(state, self.actor, amount)
        else:
            self.ask(state, self._after(self.inside), self.inside, amount + 1, self.actor)

    def passed(self, state: S) -> None:
        """The seat asked is out."""
        inside = self.inside & ~(1 << self.actor)
        if inside == 0:
            self.unsold(state)
        elif self.leader >= 0 and inside == 1 << self.leader:
            self.sold(state, self.leader, self.least - 1)
        else:
            self.ask(state, self._after(inside), inside, self.least, self.leader)

    def _after(self, inside: int) -> int:
        """The next seat clockwise that is still inside."""
        above = inside >> (self.actor + 1)
        seat = self.actor + 1 if above else 0
        rest = above if above else inside
        while not rest & 1:
            rest >>= 1
            seat += 1
        return seat

    def ask(self, state: S, actor: int, inside: int, least: int, leader: int) -> None:
        """Continue the same auction at another seat."""
        raise NotImplementedError

    def sold(self, state: S, seat: int, price: int) -> None:
        raise NotImplementedError

    def unsold(self, state: S) -> None:
        raise NotImplementedError


def must_bid(legal: list[Action]) -> bool:
    """Whether these actions in an auction are all bids; otherwise the last one is to give up."""
    return len(legal) > 1 and legal[0].kind == legal[-1].kind


def pass_until_sold(state: State) -> list[Event]:
    """What the auction comes to if nobody raises the highest bid: everybody passes until the lot is sold.

    The position changes; returns what happened. Nothing happens where no bid leads.
    """
    events: list[Event] = []
    phase = state.phase
    if not isinstance(phase, Auction):
        return events
    leader, highest = phase.leader, phase.highest
    while isinstance(phase, Auction) and phase.leader == leader >= 0 and phase.highest == highest:
        events += state.apply(state.legal_actions()[-1])  # where somebody leads, the last action is to give up
        phase = state.phase
    return events


def is_bidding(event: Event) -> bool:
    """Whether this is a bid or a pass, and not what came of it."""
    return isinstance(event.event if isinstance(event, Forced) else event, (Bid, Passed))


def awarded(state: State, seat: int, price: int) -> State:
    """The position if a seat gets the lot of the auction under way at a price; the given one does not change."""
    phase, there = state.phase, state.copy()
    if not isinstance(phase, Auction):
        raise ValueError("no auction is under way")
    phase.sold(there, seat, price)
    there.settle()
    return there
