"""What happens in Credit Mobilier and in no other title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core.event import Deed, Event, Gain, dividends_of, shares_bought


@dataclass
class Drawn(Event):
    """A pawn comes out of the box lid."""

    color: str
    square: str

    def say(self, names: Sequence[str]) -> str:
        return f"{self.square} gets a {self.color} pawn"

    def subject(self) -> str:
        return self.color

    def preliminary(self) -> bool:
        return True


@dataclass
class Rolled(Event):
    """The dice have fallen; `colors` holds the colour of each die."""

    seat: int
    colors: list[str]

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} rolls {', '.join(self.colors[:-1])} and {self.colors[-1]}"

    def preliminary(self) -> bool:
        return True


@dataclass
class TurnLost(Event):
    """The dice allow nothing."""

    seat: int

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} can do nothing with these dice and loses the turn"


@dataclass
class Laid(Event):
    """A piece of track lies in a slot."""

    seat: int
    color: str
    slot: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} builds {self.color} track in {self.slot}"

    def subject(self) -> str:
        return self.color

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], f"builds {self.color} track in", self.slot)


@dataclass
class Moved(Event):
    """A pawn has gone one space along a track."""

    seat: int
    color: str
    start: str
    way: str
    end: str
    line: str

    def say(self, names: Sequence[str]) -> str:
        step = f"{self.way} from {self.start} to {self.end}"
        return f"{names[self.seat]} moves a {self.color} pawn {step} on {self.line} track"

    def subject(self) -> str:
        return self.color

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], f"moves {self.color} goods", f"from {self.start} to {self.end}")


@dataclass
class Bought(Event):
    """A seat has bought shares of a company; `shares` says how many, as "3 red shares"."""

    seat: int
    company: str
    shares: str
    price: int

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} buys {self.shares} for ${self.price}"

    def brief(self) -> str:
        return f"${self.price}"

    def subject(self) -> str:
        return self.company

    def gains(self) -> list[Gain]:
        return shares_bought(self.seat, self.price)

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "buys", f"{self.shares} for ${self.price}")


@dataclass
class PaidOut(Event):
    """A company has paid rounds of dividends; `paid` holds the amount of each seat, `left` what it has left."""

    company: str
    rounds: int
    paid: list[int]
    left: int

    def say(self, names: Sequence[str]) -> str:
        rounds = "a round" if self.rounds == 1 else f"{self.rounds} rounds"
        to = ", ".join(f"{names[seat]} ${amount}" for seat, amount in enumerate(self.paid) if amount)
        treasury = f"${self.left} is left" if self.left else "its treasury is empty"
        return f"{self.company} pays {rounds} of dividends: {to}; {treasury}"

    def brief(self) -> str:
        return f"${sum(self.paid)} paid"

    def subject(self) -> str:
        return self.company

    def card(self) -> str:
        return "Dividends"

    def gains(self) -> list[Gain]:
        return [dividends_of(self.company, self.paid)]

    def deed(self, names: Sequence[str]) -> Deed | None:
        rounds = "a round" if self.rounds == 1 else f"{self.rounds} rounds"
        return Deed(self.company, "pays", f"{rounds} of dividends")
