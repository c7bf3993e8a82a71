"""Events: what happened, as typed values. Logs, animations and transcripts are made of them.

`names` are the names of the seats; everything else is already in the game's own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core import mypyc_attr
from cuberails.core.value import Value


@mypyc_attr(allow_interpreted_subclasses=True)
class Event(Value):
    """Something that happened in a game."""

    def say(self, names: Sequence[str]) -> str:
        """The event as one sentence."""
        raise NotImplementedError

    def brief(self) -> str:
        """For a menu: what it costs and brings, as short as can be; "" where the action's own text says enough."""
        return ""


def in_brief(events: Sequence[Event]) -> str:
    """What an action would bring, as short as can be: "$4, +3" for a build, "PA +2" for a development."""
    briefs = [event.brief() for event in events]
    return ", ".join(dict.fromkeys(brief for brief in briefs if brief))


@dataclass
class Forced(Event):
    """The event of a forced step: an action that was carried out because it was the only legal one."""

    event: Event

    def say(self, names: Sequence[str]) -> str:
        return f"{self.event.say(names)} (no choice)"

    def brief(self) -> str:
        return self.event.brief()


@dataclass
class Bid(Event):
    seat: int
    amount: int
    lot: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} bids ${self.amount} for {self.lot}"


@dataclass
class Passed(Event):
    seat: int
    lot: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} passes on {self.lot}"


@dataclass
class Chosen(Event):
    """A seat has chosen what to do with its turn; the details follow."""

    seat: int
    choice: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} {self.choice}"


@dataclass
class Built(Event):
    railroad: str
    hex: str
    cost: int
    income_before: int
    income_after: int

    def say(self, names: Sequence[str]) -> str:
        text = f"{self.railroad} builds in {self.hex} for ${self.cost}"
        if self.income_after == self.income_before:
            return text
        return f"{text}; income {self.income_before} → {self.income_after}"

    def brief(self) -> str:
        more = self.income_after - self.income_before
        return f"${self.cost}, +{more}" if more else f"${self.cost}"


@dataclass
class Received(Event):
    """Money from the bank for a railroad's treasury."""

    railroad: str
    amount: int
    why: str

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} receives ${self.amount} ({self.why})"

    def brief(self) -> str:
        return f"{self.railroad} ${self.amount}"


@dataclass
class Dividend(Event):
    """A railroad pays its shareholders; `paid` holds the amount of each seat."""

    kind: str
    railroad: str
    per_share: int
    paid: list[int]

    def say(self, names: Sequence[str]) -> str:
        to = ", ".join(f"{names[seat]} ${amount}" for seat, amount in enumerate(self.paid) if amount)
        return f"{self.kind}: {self.railroad} pays ${self.per_share} a share" + (f": {to}" if to else "")

    def brief(self) -> str:
        return self.kind.casefold()


@dataclass
class Ended(Event):
    """The game is over. The reason is the same text for every game that ends this way."""

    rule: str
    reason: str

    def say(self, names: Sequence[str]) -> str:
        return f"The game ends: {self.reason} ({self.rule})"

    def brief(self) -> str:
        return "ends the game"
