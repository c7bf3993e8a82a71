"""What happens only in Baltimore & Ohio, as events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core.event import Change, Deed, Event, Gain, for_seat, shares_bought


@dataclass
class Order(Event):
    """The player-order cards are dealt: the seats with card 1, 2, 3 …"""

    why: str
    seats: list[int]

    def say(self, names: Sequence[str]) -> str:
        return f"{self.why}: {', '.join(names[seat] for seat in self.seats)}"


@dataclass
class RoundBegun(Event):
    """A Market Round begins, or a Business Round, as `kind` says."""

    kind: str
    number: int

    def say(self, names: Sequence[str]) -> str:
        return f"{self.kind} Round {self.number} begins"

    def card(self) -> str:
        return f"{self.kind} Round"


@dataclass
class Valued(Event):
    """A counter moves on the valuation track, and why."""

    railroad: str
    before: int
    after: int
    why: str

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} ${self.before} → ${self.after} ({self.why})"

    def brief(self) -> str:
        return f"value ${self.after}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None

    def change(self) -> Change | None:
        return Change("value", self.before, self.after, "$")


@dataclass
class Traded(Event):
    """Shares are sold, bought or bought back; `deal` says which: "buys 3 PA". `paid` is what the seat itself pays,
    less than 0 if it is paid."""

    seat: int
    railroad: str
    deal: str
    price: int
    paid: int

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} {self.deal} for ${self.price}"

    def brief(self) -> str:
        return f"${self.price}"

    def subject(self) -> str:
        return self.railroad

    def gains(self) -> list[Gain]:
        if self.paid < 0:
            return [Gain("shares sold", for_seat(self.seat, -self.paid))]
        return shares_bought(self.seat, self.paid)

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], self.deal, f"for ${self.price}")


@dataclass
class Started(Event):
    """A railroad is started, or restarted after receivership, as `verb` says; the seat pays for the first shares."""

    seat: int
    verb: str
    railroad: str
    value: int
    shares: int
    price: int

    def say(self, names: Sequence[str]) -> str:
        shares = "1 share" if self.shares == 1 else f"{self.shares} shares"
        return f"{names[self.seat]} {self.verb} {self.railroad} at ${self.value} with {shares} for ${self.price}"

    def brief(self) -> str:
        return f"${self.price}"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return "New railroad"

    def gains(self) -> list[Gain]:
        return shares_bought(self.seat, self.price)

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], self.verb, f"{self.railroad} at ${self.value}")


@dataclass
class Presides(Event):
    """A seat takes the charter of a railroad."""

    seat: int
    railroad: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} becomes president of {self.railroad}"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return "New president"

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "becomes president of", self.railroad)


@dataclass
class Equipped(Event):
    """A railroad buys the top card of the equipment deck."""

    railroad: str
    number: int
    tech: int
    cost: int

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} buys equipment #{self.number} (tech {self.tech}) for ${self.cost}"

    def brief(self) -> str:
        return f"${self.cost}, tech {self.tech}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, "buys", f"equipment #{self.number} for ${self.cost}")


@dataclass
class TechBegun(Event):
    """The first card of a technology level was bought: it holds for all railroads from now on."""

    tech: int

    def say(self, names: Sequence[str]) -> str:
        return f"Technology level {self.tech} begins"

    def card(self) -> str:
        return f"Technology level {self.tech}"


@dataclass
class DutyDone(Event):
    """A railroad has track in all cities that its state wants it to serve first."""

    railroad: str
    owed_to: str

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} has done its duty to the {self.owed_to}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, "has done its duty to the", self.owed_to)


@dataclass
class CounterTaken(Event):
    """A railroad takes the `counter` of a hex, "coal" or "timber", in place of building."""

    railroad: str
    counter: str
    hex: str

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} takes the {self.counter} of {self.hex}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, f"takes the {self.counter} of", self.hex)


@dataclass
class Served(Event):
    railroad: str
    city: str

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} serves {self.city}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


@dataclass
class Earned(Event):
    """The accounts of a Business turn. `sources` are what was earned and where: "4 cities $110", "coal $40"."""

    railroad: str
    sources: list[str]
    maintenance: int
    net: int
    last: int

    def say(self, names: Sequence[str]) -> str:
        gross = ", ".join(self.sources) or "nothing"
        profit = f"net income ${self.net}" if self.net >= 0 else f"a loss of ${-self.net}"
        return f"{self.railroad} earns {gross}; maintenance ${self.maintenance}; {profit} (last ${self.last})"

    def brief(self) -> str:
        return f"net ${self.net}" if self.net >= 0 else f"loss ${-self.net}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return (
            Deed(self.railroad, "earns", f"${self.net} net")
            if self.net >= 0
            else Deed(self.railroad, "loses", f"${-self.net}")
        )


@dataclass
class LossCharged(Event):
    """The treasury of a railroad pays its `loss` as far as it can; the rest is forgiven."""

    railroad: str
    loss: int
    paid: int

    def say(self, names: Sequence[str]) -> str:
        if self.paid == self.loss:
            return f"{self.railroad} pays its loss of ${self.loss} from its treasury"
        if self.paid:
            return f"{self.railroad} pays ${self.paid} of its loss of ${self.loss}: all that is in its treasury"
        return f"{self.railroad} has nothing in its treasury to pay its loss of ${self.loss}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


@dataclass
class ShareReturned(Event):
    """The president of an unprofitable railroad gives a share back."""

    seat: int
    railroad: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} returns a share of {self.railroad}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "returns a share of", self.railroad)


@dataclass
class Receivership(Event):
    """Nobody owns a share of a railroad any more, and it stops running."""

    railroad: str

    def say(self, names: Sequence[str]) -> str:
        return f"{self.railroad} enters receivership: nobody holds a share of it"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return "Receivership"

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(self.railroad, "enters receivership")
