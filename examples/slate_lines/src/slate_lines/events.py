"""What happens in Slate Lines and in no other title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core.event import Change, Deed, Event, Gain, shares_bought


@dataclass
class Sold(Event):
    """The highest bidder takes a share, and the price goes into the tramway's treasury."""

    seat: int
    tramway: str
    price: int

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes a share of {self.tramway} for ${self.price}"

    def subject(self) -> str:
        return self.tramway

    def gains(self) -> list[Gain]:
        return shares_bought(self.seat, self.price)

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "takes", f"{self.tramway} for ${self.price}")


@dataclass
class Unsold(Event):
    """Nobody wants the share that was offered."""

    tramway: str

    def say(self, names: Sequence[str]) -> str:
        return f"Nobody bids; the share of {self.tramway} stays unsold"

    def subject(self) -> str:
        return self.tramway


@dataclass
class SeamFound(Event):
    """The die has shown how much slate there is in a quarry."""

    tramway: str
    quarry: str
    slate: int
    income_before: int
    income_after: int

    def say(self, names: Sequence[str]) -> str:
        return (
            f"A seam of {self.slate} in {self.quarry}; {self.tramway} income {self.income_before} → {self.income_after}"
        )

    def subject(self) -> str:
        return self.tramway

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.tramway, "finds", f"a seam of {self.slate} in {self.quarry}")

    def change(self) -> Change | None:
        return Change("income", self.income_before, self.income_after)


@dataclass
class SeasonEnded(Event):
    """Every seat has had its turns, and dividends follow."""

    season: int

    def say(self, names: Sequence[str]) -> str:
        return f"Season {self.season} ends"

    def card(self) -> str:
        return "Dividends"
