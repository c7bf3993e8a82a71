"""What happens in Wabash Cannonball and in no other title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core.event import Change, Deed, Event, Gain, shares_bought


@dataclass
class Sold(Event):
    """An auction has ended: a seat takes the share."""

    seat: int
    lot: str
    price: int

    def say(self, names: Sequence[str]) -> str:
        price = f"for ${self.price}" if self.price else "for nothing"
        return f"{names[self.seat]} takes a share of {self.lot} {price}"

    def subject(self) -> str:
        return self.lot

    def gains(self) -> list[Gain]:
        return shares_bought(self.seat, self.price)

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "takes", f"{self.lot} for {f'${self.price}' if self.price else 'nothing'}")


@dataclass
class Unsold(Event):
    """An auction has ended without a bid."""

    lot: str

    def say(self, names: Sequence[str]) -> str:
        return f"Nobody bids; the share of {self.lot} stays unsold"

    def subject(self) -> str:
        return self.lot


@dataclass
class IncomeRaised(Event):
    """The income of a railroad rises, and why."""

    railroad: str
    why: str
    income_before: int
    income_after: int

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} income {self.income_before} → {self.income_after} ({self.why})"

    def brief(self) -> str:
        return f"{self.railroad} +{self.income_after - self.income_before}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None

    def change(self) -> Change | None:
        return Change("income", self.income_before, self.income_after)


@dataclass
class Opened(Event):
    """A railroad that does not start with the game, the Wabash, has its first cube on the board."""

    railroad: str
    hex: str
    income: int

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} opens in {self.hex} with an income of {self.income}"

    def brief(self) -> str:
        return f"{self.railroad} opens"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return f"{self.railroad} opens"


@dataclass
class MarkersReturned(Event):
    """A general dividend is paid, and every decision is available again."""

    def say(self, names: Sequence[str]) -> str:
        return "The decision markers return to start"

    def card(self) -> str:
        return "General dividend"

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


@dataclass
class Grown(Event):
    """A city that grows by itself, Detroit, earns more from now on."""

    city: str
    income: int

    def say(self, names: Sequence[str]) -> str:
        return f"{self.city} grows to {self.income}"

    def card(self) -> str:
        return "General dividend"

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None
