"""What happens only in Baltimore & Ohio, as events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuberails.core.event import Event


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
        return f"{self.railroad} ${self.after}"


@dataclass
class Presides(Event):
    seat: int
    railroad: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} becomes president of {self.railroad}"


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
        return f"${self.cost}"


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


@dataclass
class Order(Event):
    """The player-order cards are dealt: the seats with card 1, 2, 3 …"""

    why: str
    seats: list[int]

    def say(self, names: Sequence[str]) -> str:
        return f"{self.why}: {', '.join(names[seat] for seat in self.seats)}"
