"""What happens in Slate Lines and in no other title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core.event import Event


@dataclass
class Sold(Event):
    """The highest bidder takes a share, and the price goes into the tramway's treasury."""

    seat: int
    tramway: str
    price: int

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes a share of {self.tramway} for ${self.price}"


@dataclass
class Unsold(Event):
    """Nobody wants the share that was offered."""

    tramway: str

    def say(self, names: Sequence[str]) -> str:
        return f"Nobody bids; the share of {self.tramway} stays unsold"


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


@dataclass
class SeasonEnded(Event):
    """Every seat has had its turns, and dividends follow."""

    season: int

    def say(self, names: Sequence[str]) -> str:
        return f"Season {self.season} ends"
