"""What happens in Gulf, Mobile & Ohio, as far as no other title knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cuberails.core.event import Deed, Event, Gain, for_seat

SOURCES: Final = {"city": "cities", "charter": "charters", "bonus": "bonuses of charters"}
"""What points are for, by the word that says it of one cube."""
CONNECTIONS: Final = "connections"
"""And what those are for that are told by a colour."""


@dataclass
class Bought(Event):
    """An auction has ended; `lot` says which share of the railroad it was."""

    seat: int
    railroad: str
    lot: str
    price: int

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes {self.lot} for ${self.price}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "takes", f"{self.lot} for ${self.price}")


@dataclass
class Colored(Event):
    seat: int
    railroad: str
    color: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} makes {self.railroad} {self.color}"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return "New railroad"

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "makes it", self.color)


@dataclass
class Cancelled(Event):
    """A charter that cannot be completed goes back, and so does its price."""

    seat: int
    railroad: str
    color: str
    price: int

    def say(self, names: Sequence[str]) -> str:
        back = f"{names[self.seat]} gets ${self.price} back"
        return f"{self.railroad} cannot join two cities in {self.color} for ${self.price}: sale cancelled, {back}"

    def brief(self) -> str:
        return "sale cancelled"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return "Sale cancelled"


@dataclass
class Laid(Event):
    """A cube on the map; `scored` names what each of its points is for."""

    seat: int
    railroad: str
    hex: str
    cost: int
    scored: list[tuple[str, int]]

    def say(self, names: Sequence[str]) -> str:
        text = f"{self.railroad} builds in {self.hex} for ${self.cost}"
        total = sum(points for _, points in self.scored)
        if not total:
            return text
        parts = ", ".join(f"{what} {points}" for what, points in self.scored if points)
        return f"{text}; {names[self.seat]} scores {total} ({parts})"

    def brief(self) -> str:
        total = sum(points for _, points in self.scored)
        return f"${self.cost}, +{total}" if total else f"${self.cost}"

    def subject(self) -> str:
        return self.railroad

    def gains(self) -> list[Gain]:
        return [Gain(SOURCES.get(what, CONNECTIONS), for_seat(self.seat, n), True) for what, n in self.scored if n]

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, "builds in", self.hex)


@dataclass
class Available(Event):
    """A cube in a home lets a railroad be chartered from now on."""

    railroad: str
    hex: str

    def say(self, names: Sequence[str]) -> str:
        return f"The {self.railroad} charter becomes available: there is a cube in {self.hex}"

    def brief(self) -> str:
        return f"{self.railroad} available"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return "New charter"

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, "becomes available")


@dataclass
class Marker(Event):
    """A common share has been sold and built for; the marker moves towards the next dividend."""

    at: int
    end: int

    def say(self, names: Sequence[str]) -> str:
        return f"The sale marker moves to {self.at} of {self.end}"

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


@dataclass
class Dividends(Event):
    """The bank pays for all shares; `paid` holds the amount of each seat."""

    paid: list[int]

    def say(self, names: Sequence[str]) -> str:
        to = ", ".join(f"{names[seat]} ${amount}" for seat, amount in enumerate(self.paid) if amount)
        return f"Dividends: {to}"

    def brief(self) -> str:
        return "dividends"

    def card(self) -> str:
        return "Dividends"

    def gains(self) -> list[Gain]:
        return [Gain("dividends", self.paid)]
