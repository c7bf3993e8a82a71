"""What shares are: who holds them, what the rules say that they pay, and what an event paid for each."""

from __future__ import annotations

from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.event import Event, Forced
from cuberails.core.state import State
from cuberails.core.value import Value


class Figure(Value):
    """One number about a share that a player can check: "pays now", "$4"."""

    def __init__(self, name: str, text: str) -> None:
        self.name: Final = name
        self.text: Final = text


class Share(Value):
    """The shares of one kind, named as at the table: how many each seat holds, how many are left, and figures."""

    def __init__(self, name: str, held: list[int], left: int, figures: list[Figure]) -> None:
        self.name: Final = name
        self.held: Final = held
        self.left: Final = left
        self.figures: Final = figures


class Lot(Value):
    """What an action gets for its seat outside of an auction: so many shares of this name, each at a price.

    `kind` is what that is called: a "draft pick", a "certificate", a share in the "market", a railroad's "start".
    """

    def __init__(self, name: str, kind: str, number: int, price: int) -> None:
        self.name: Final = name
        self.kind: Final = kind
        self.number: Final = number
        self.price: Final = price


class Payment(Value):
    """What an event paid for the shares of this name: for one share on the average, and to each seat."""

    def __init__(self, name: str, per_share: float, paid: list[int]) -> None:
        self.name: Final = name
        self.per_share: Final = per_share
        self.paid: Final = paid


class Correction(Value):
    """How play-outs of a title are to be read, fitted on games between better bots by `cuberails lab worth`.

    What they change is taken times `growth`, beside what a share would pay if nothing changed; how far apart they are,
    times `width`. With `whole_turns` a seat whose turn begins compares whole turns, which takes several times as long;
    `noise` is the scale of the Gumbel noise on what an action promises, which is a share of all scores.
    """

    def __init__(
        self, growth: float = 1.0, width: float = 1.0, whole_turns: bool = False, noise: float = 0.003
    ) -> None:
        self.growth: Final = growth
        self.width: Final = width
        self.whole_turns: Final = whole_turns
        self.noise: Final = noise


@mypyc_attr(allow_interpreted_subclasses=True)
class Shares:
    """What the shares of a title are; each title has its own, in its room `shares.py`.

    `unit` is what shares pay: "$", or "points" where they score; `gives` is the word for what they do until the end:
    they "pay", they "score", or they "bring" what they pay and then count. `correction` is for what play-outs say.
    """

    def __init__(self, unit: str = "$", correction: Correction | None = None, gives: str = "pay") -> None:
        self.unit: Final = unit
        self.gives: Final = gives
        self.correction: Final = correction or Correction()

    def shares(self, state: State) -> list[Share]:
        """Every share that is held or can be had, with figures that follow from the rules alone."""
        raise NotImplementedError

    def payments(self, state: State, event: Event) -> list[Payment]:
        """What an event paid, by share; the position is the one after the action that brought it about."""
        raise NotImplementedError

    def value(self, state: State, name: str) -> float:
        """What one share counts at the end of the game, besides what it has paid."""
        return 0.0

    def unchanged(self, state: State, name: str, payments: float) -> float:
        """What one share would pay in so many payments, and count at the end, if everything stayed as it is."""
        raise NotImplementedError

    def credit(self, state: State, seat: int, amount: int) -> None:
        """Add to what decides the game for a seat. The position is changed: give a copy."""
        raise NotImplementedError

    def lot(self, state: State, action: Action) -> Lot | None:
        """What a legal action gets; None if that is nothing whose price can be asked for."""
        return None

    def give(self, state: State, action: Action, seat: int) -> None:
        """A seat gets the lot of an action now and pays for it, whoever decides. The position changes: give a copy."""
        raise NotImplementedError

    def purse(self, state: State, seat: int) -> int:
        """The most that a seat could pay for all of a lot."""
        raise NotImplementedError

    def paid_by(self, state: State, events: list[Event]) -> list[Payment]:
        """What the events of one action paid; the position is the one after it."""
        found: list[Payment] = []
        for event in events:
            found += self.payments(state, event.event if isinstance(event, Forced) else event)
        return found


def added(values: list[int], seat: int, amount: int) -> list[int]:
    """A copy of these numbers, one for each seat, with the seat's own changed."""
    changed = values[:]
    changed[seat] += amount
    return changed
