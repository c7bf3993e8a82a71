"""Standing orders: decisions that a seat makes ahead, what they do when it is asked, and when they are over.

An order never does anything by itself: it names the legal action that the seat wants in a position. It belongs to a
*stage* of the game, such as one auction or one market round, which each title names in its room `orders.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.auction import Auction, must_bid
from cuberails.core.state import State
from cuberails.core.value import Value

BID: Final = "bid"
"""Bid as little as possible in an auction, up to a limit, then give up."""
PASS: Final = "pass"
"""Pass until somebody else does more than pass."""
CHOOSE: Final = "choose"
"""When next asked in this stage, take the first of some actions that is still possible."""
RUN: Final = "run"
"""Run a railroad when its turn comes."""

GIVE_UP: Final = "pass"
DONE: Final = "done"
"""What these actions are called in every title."""

MOST_CHOICES: Final = 4
"""So many actions can be named, one in case the other is not possible any more."""
MOST_BID: Final = 999


class Order(Value):
    """What a seat wants in a stage: the first of `actions` that is legal, or with BID to bid up to `limit`.

    A title can say in its own `words` what an order does.
    """

    def __init__(self, kind: str, stage: str, actions: list[str], limit: int = 0, words: str = "") -> None:
        self.kind: Final = kind
        self.stage: Final = stage
        self.actions: Final = actions
        self.limit: Final = limit
        self.words: Final = words or _words(kind, stage, actions, limit)

    @property
    def until(self) -> str:
        """When it is over, in words."""
        if self.kind == BID:
            return "until the auction ends"
        if self.kind == PASS:
            return "until somebody else does more, or it ends"
        if self.kind == CHOOSE:
            return "once; if nothing of it is possible, you decide"
        return "once; if something of it is not possible, you decide"

    def replaces(self, other: Order) -> bool:
        """Whether a seat cannot want both: they are for the same stage."""
        return self.stage == other.stage


def _words(kind: str, stage: str, actions: list[str], limit: int) -> str:
    """What an order does, for who gave it."""
    if kind == BID:
        return f"Bid up to ${limit} in {stage}, then pass"
    if kind == PASS:
        return f"Pass in {stage}"
    return f"In {stage}: {', or else '.join(actions) if kind == CHOOSE else ', '.join(actions)}"


class PastAction(Value):
    """What happened since an order was given: an action of a seat, and the stage in which it was done."""

    def __init__(self, seat: int, action: str, stage: str) -> None:
        self.seat: Final = seat
        self.action: Final = action
        self.stage: Final = stage


@mypyc_attr(allow_interpreted_subclasses=True)
class Orders:
    """Which orders a title takes. Each title with stages has its own, in its room `orders.py`."""

    def stage(self, state: State) -> str:
        """The stage that the decision belongs to, as in "the auction of PA"; "" if orders cannot be given for it."""
        return ""

    def choices(self, state: State, seat: int) -> list[Action]:
        """What a seat could choose in this stage if it were asked now; nothing where that cannot be told."""
        phase, there = state.phase, state.copy()
        if not isinstance(phase, Auction):
            return []
        phase.ask(there, seat, phase.inside, phase.least, phase.leader)
        return there.phase.legal(there)

    def errands(self, state: State, seat: int) -> list[Order]:
        """Orders for stages to come, complete as they stand."""
        return []

    def takes_part(self, state: State, seat: int) -> bool:
        """Whether a seat may still be asked in this stage."""
        phase = state.phase
        return phase.inside >> seat & 1 == 1 if isinstance(phase, Auction) else self.stage(state) != ""

    # Giving one

    def why_not(self, state: State, seat: int, order: Order) -> str:
        """Why an order cannot be given now, in a sentence; "" if it can."""
        if order.kind == RUN:
            known = [(errand.stage, errand.actions) for errand in self.errands(state, seat)]
            return "" if (order.stage, order.actions) in known else "You run no railroad in that way."
        stage = self.stage(state)
        if not stage or order.stage != stage:
            return f"That order is for {order.stage or 'nothing'}; {f'this is {stage}' if stage else 'it is over'}."
        if not self.takes_part(state, seat):
            return f"You are out of {stage}."
        return self._why_not_here(state, seat, order)

    def _why_not_here(self, state: State, seat: int, order: Order) -> str:
        if order.kind == BID:
            if not isinstance(state.phase, Auction):
                return "You can give a limit for bids in an auction only."
            return "" if 0 <= order.limit <= MOST_BID else f"A limit is a whole number from 0 to {MOST_BID}."
        possible = {action.text for action in self.choices(state, seat)}
        if order.kind == PASS:
            return "" if order.actions == [GIVE_UP] and GIVE_UP in possible else f"You cannot pass in {order.stage}."
        if order.kind != CHOOSE:
            return f"There is no kind of order {order.kind!r}; the kinds are {BID}, {PASS}, {CHOOSE} and {RUN}."
        if not 1 <= len(order.actions) <= MOST_CHOICES:
            return f"Name one to {MOST_CHOICES} actions, the one that you like best first."
        missing = [text for text in order.actions if text not in possible]
        return f"{missing[0]!r} is not possible in {order.stage}." if missing else ""

    # Carrying it out

    def answer(self, state: State, seat: int, order: Order, past: Sequence[PastAction]) -> Action | None:
        """The legal action that the order wants now; None if the seat is not asked, or has to decide itself."""
        if state.phase.actor != seat or self.stage(state) != order.stage:
            return None
        legal = state.legal_actions()
        if order.kind == BID:
            return _bid_up_to(legal, order.limit)
        begun = order.kind == CHOOSE and any(each.seat == seat for each in past)
        wanted = [DONE] if begun else order.actions
        return next((action for text in wanted for action in legal if action.text == text), None)

    def is_over(self, state: State, seat: int, order: Order, past: Sequence[PastAction]) -> bool:
        """Whether the condition has come that ends an order, after these actions since it was given."""
        here = self.stage(state) == order.stage
        if order.kind == RUN:
            over = not here and self._was_run(state, seat, order, past)
        else:  # another stage of the same name may have begun meanwhile
            over = not here or any(each.stage != order.stage for each in past)
        if order.kind == CHOOSE:
            over = over or (state.phase.actor != seat and any(each.seat == seat for each in past))
        elif order.kind != RUN:
            over = over or not self.takes_part(state, seat)
        if order.kind == PASS:
            over = over or any(each.seat not in (seat, -1) and each.action != GIVE_UP for each in past)
        asked = here and (state.phase.actor == seat or order.kind == RUN)
        return over or (asked and self.answer(state, seat, order, past) is None)

    def _was_run(self, state: State, seat: int, order: Order, past: Sequence[PastAction]) -> bool:
        """Whether the turn of a railroad is over that was to be run, or the railroad is not the seat's any more."""
        if any(each.seat == seat and each.stage == order.stage for each in past):
            return True
        return all(errand.stage != order.stage for errand in self.errands(state, seat))


def _bid_up_to(legal: list[Action], limit: int) -> Action | None:
    """The least bid if that is within the limit, else the pass; None for who must bid more than that."""
    if legal[0] is not legal[-1] and legal[0].a <= limit:
        return legal[0]
    return None if must_bid(legal) else legal[-1]
