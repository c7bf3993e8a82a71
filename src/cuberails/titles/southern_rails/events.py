"""What happens in Southern Rails, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cuberails.core.event import Change, Deed, Event, Gain

SCORING: Final = "Scoring round"
"""The heading of all that is told of a scoring round."""


@dataclass
class Took(Event):
    seat: int
    railroad: str

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes a share of {self.railroad}"

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], "takes a share of", self.railroad)


@dataclass
class Placed(Event):
    """A cube; `kind` is the kind of city that is now connected, "" in the country."""

    seat: int
    railroad: str
    hex: str
    kind: str
    revenue_before: int
    revenue_after: int

    def say(self, names: Sequence[str]) -> str:
        text = f"{names[self.seat]} places a {self.railroad} cube in {self.hex}"
        if not self.kind:
            return text
        return f"{text}, a {self.kind} city; revenue {self.revenue_before} → {self.revenue_after}"

    def brief(self) -> str:
        more = self.revenue_after - self.revenue_before
        return f"+{more}" if more else ""

    def subject(self) -> str:
        return self.railroad

    def deed(self, names: Sequence[str]) -> Deed | None:
        return Deed(names[self.seat], f"places a {self.railroad} cube in", self.hex)

    def change(self) -> Change | None:
        return Change("revenue", self.revenue_before, self.revenue_after)


@dataclass
class Skipped(Event):
    """A seat that can place no cube of any railroad it has a share of."""

    seat: int

    def say(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} can place no cube and is skipped"


@dataclass
class Scoring(Event):
    """A scoring round begins; the awards follow."""

    number: int
    why: str

    def say(self, names: Sequence[str]) -> str:
        return f"Scoring round {self.number}: {self.why}"

    def brief(self) -> str:
        return "scoring round"

    def card(self) -> str:
        return SCORING


@dataclass
class Awarded(Event):
    """A railroad alone leads a category; `points` holds what each seat receives for its shares."""

    category: str
    railroad: str
    figure: int
    per_share: int
    points: list[int]

    def say(self, names: Sequence[str]) -> str:
        to = ", ".join(f"{names[seat]} {points}" for seat, points in enumerate(self.points) if points)
        worth = f"{self.per_share} point{'' if self.per_share == 1 else 's'} a share"
        return f"{_title(self.category)}: {self.railroad} ({self.figure}), {worth}: {to or 'nobody owns one'}"

    def subject(self) -> str:
        return self.railroad

    def card(self) -> str:
        return SCORING

    def gains(self) -> list[Gain]:
        return [Gain(self.category, self.points, points=True)]

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


@dataclass
class Withheld(Event):
    """A category that nobody scores, and why."""

    category: str
    why: str

    def say(self, names: Sequence[str]) -> str:
        return f"{_title(self.category)}: {self.why}, so no points"

    def card(self) -> str:
        return SCORING

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


@dataclass
class Totals(Event):
    """What a scoring round gave each seat, and its score since the start."""

    earned: list[int]
    points: list[int]

    def say(self, names: Sequence[str]) -> str:
        lines = zip(names, self.earned, self.points, strict=True)
        return "The scores: " + ", ".join(f"{name} {total} (+{more})" for name, more, total in lines)

    def card(self) -> str:
        return SCORING

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


@dataclass
class Reordered(Event):
    order: list[int]

    def say(self, names: Sequence[str]) -> str:
        return "The new turn order: " + ", ".join(names[seat] for seat in self.order)

    def card(self) -> str:
        return SCORING

    def deed(self, names: Sequence[str]) -> Deed | None:
        return None


def _title(category: str) -> str:
    return category[:1].upper() + category[1:]
