"""Events: what happened, as typed values. Logs, animations and transcripts are made of them.

`names` are the names of the seats; everything else is already in the game's own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core import mypyc_attr
from cuberails.core.value import Value


@dataclass
class Gain:
    """What each seat got from one source, or gave for it if less than 0: "dividends of PA", "shares bought".

    In money unless `points`. `amounts` begins with seat 0; seats after the last that got something may be missing.
    """

    source: str
    amounts: list[int]
    points: bool = False


@dataclass
class Deed:
    """An event as a part of a summary: "PA", "builds in", "K4". What one doer does with one verb is told together."""

    doer: str
    verb: str
    what: str = ""


@dataclass
class Change:
    """A figure of the railroad that changes, by its name: the income from 5 to 8; `unit` stands before both."""

    name: str
    before: int
    after: int
    unit: str = ""


@mypyc_attr(allow_interpreted_subclasses=True)
class Event(Value):
    """Something that happened in a game."""

    def say(self, names: Sequence[str]) -> str:
        """The event as one sentence."""
        raise NotImplementedError

    def brief(self) -> str:
        """For a menu: what it costs and brings, as short as can be; "" where the action's own text says enough."""
        return ""

    def subject(self) -> str:
        """The railroad or company that it is about, as it is named at the table; "" if there is none."""
        return ""

    def card(self) -> str:
        """The heading of the card that tells it on the table, for what changes the game; "" if it needs none.

        Events of one action share a card if they have the same heading or are about the same railroad.
        """
        return ""

    def gains(self) -> list[Gain]:
        """What seats got or gave by it, by source: in the unit that decides the game, and dividends in any case."""
        return []

    def deed(self, names: Sequence[str]) -> Deed | None:
        """The event in a summary of many: by default its sentence; None where it can be left out."""
        return Deed("", self.say(names))

    def change(self) -> Change | None:
        """The figure of the railroad that it changes, if it does."""
        return None

    def preliminary(self) -> bool:
        """Whether it only leads up to something, as a bid does, and can be left out once that has happened."""
        return False


def for_seat(seat: int, amount: int) -> list[int]:
    """The amounts of a gain of one seat alone."""
    return [0] * seat + [amount]


def dividends_of(company: str, paid: list[int]) -> Gain:
    """What a company paid to each seat."""
    return Gain(f"dividends of {company}", paid)


def shares_bought(seat: int, price: int) -> list[Gain]:
    """What a seat paid for shares out of its own cash."""
    return [Gain("shares bought", for_seat(seat, -price))] if price else []


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

    def subject(self) -> str:
        return self.event.subject()

    def card(self) -> str:
        return self.event.card()

    def gains(self) -> list[Gain]:
        return self.event.gains()

    def deed(self, names: Sequence[str]) -> Deed | None:
        return self.event.deed(names)

    def change(self) -> Change | None:
        return self.event.change()

    def preliminary(self) -> bool:
        return self.event.preliminary()


@dataclass
class Bid(Event):
    seat: int
    amount: int
    lot: str
    railroad: str = ""
    """Whose share it is, where the lot is called otherwise."""

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} bids ${self.amount} for {self.lot}"

    def subject(self) -> str:
        return self.railroad or self.lot

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "bids", f"${self.amount} for {self.lot}")

    def preliminary(self) -> bool:
        return True


@dataclass
class Passed(Event):
    seat: int
    lot: str
    railroad: str = ""
    """Whose share it is, where the lot is called otherwise."""

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} passes on {self.lot}"

    def subject(self) -> str:
        return self.railroad or self.lot

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "passes")

    def preliminary(self) -> bool:
        return True


@dataclass
class Chosen(Event):
    """A seat has chosen what to do with its turn; the details follow."""

    seat: int
    choice: str
    railroad: str = ""
    """Whom it is for, where it is for one railroad."""

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} {self.choice}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], self.choice)

    def preliminary(self) -> bool:
        return self.railroad != ""


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

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, "builds in", self.hex)

    def change(self) -> Change | None:
        return Change("income", self.income_before, self.income_after)


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

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None  # a summary adds up what a railroad receives


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

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return "Dividends" if self.kind == "Dividend" else self.kind

    def gains(self) -> list[Gain]:
        return [dividends_of(self.railroad, self.paid)]

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, "pays", f"${self.per_share} a share")


@dataclass
class Ended(Event):
    """The game is over. The reason is the same text for every game that ends this way."""

    rule: str
    reason: str

    @property
    def why(self) -> str:
        """The reason with its rule."""
        return f"{self.reason} ({self.rule})"

    def say(self, names: Sequence[str]) -> str:
        return f"The game ends: {self.why}"

    def brief(self) -> str:
        return "ends the game"

    def card(self) -> str:
        return "The game ends"
