"""The menu: the legal actions of a decision, grouped for people, with what each costs and brings.

Terminal, page and programs show the same one, each in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cuberails.core.action import Action
from cuberails.core.event import in_brief
from cuberails.core.scene import Scene
from cuberails.core.state import State

MOST_TRIED: Final = 150
"""With more actions than this the menu does not try each of them out."""
MOST_AMOUNTS_TRIED: Final = 10
"""Longer ranges of amounts are not tried out: a player does not read what every single bid brings."""
LEAST_TOGETHER: Final = 3
"""Fewer actions than this stand by themselves."""

_SINGLE: Final = 0
_PLACES: Final = 1
_AMOUNTS: Final = 2


@dataclass
class Choice:
    """One action. `place` is the key of the part of the map that it points at and `place_name` the name printed
    there, both "" if there is none; `company` is the key of the railroad that it is about, if it is not placed on the
    map; `brief` is what it costs and brings: "$4, +3"."""

    action: Action
    place: str = ""
    place_name: str = ""
    brief: str = ""
    company: str = ""

    @property
    def choices(self) -> list[Choice]:
        return [self]

    @property
    def label(self) -> str:
        """The action without its first word."""
        return self.action.text.removeprefix(self.action.word).strip()


@dataclass
class Amounts:
    """Actions that differ in an amount only: `head` 3 `tail`, `head` 3 + `step` `tail`, and so on."""

    head: str
    tail: str
    amounts: list[int]
    choices: list[Choice]

    @property
    def first(self) -> int:
        return self.amounts[0]

    @property
    def last(self) -> int:
        return self.amounts[-1]

    @property
    def step(self) -> int:
        return self.amounts[1] - self.amounts[0]


@dataclass
class Places:
    """Actions `head` and an id, each at the part of the scene with the key `prefix` and that id."""

    head: str
    prefix: str
    choices: list[Choice]

    @property
    def ids(self) -> list[str]:
        return [choice.place.removeprefix(self.prefix) for choice in self.choices]


Entry = Choice | Amounts | Places


@dataclass
class Group:
    """All legal actions with the same first word."""

    word: str
    entries: list[Entry]

    @property
    def choices(self) -> list[Choice]:
        return [choice for entry in self.entries for choice in entry.choices]


def menu(state: State, scene: Scene) -> list[Group]:
    """What can be chosen at this decision, in the order in which it becomes legal; `scene` shows the same position."""
    by_word: dict[str, list[Choice]] = {}
    places = _places(scene)
    companies = {row.key for row in scene.companies}
    for action in state.legal_actions():
        place, name = places.get(action.text, ("", ""))
        company = "" if place else _company(action, companies)
        by_word.setdefault(action.word, []).append(Choice(action, place, name, company=company))
    groups = [Group(word, _entries(choices)) for word, choices in by_word.items()]
    _try_out(state, groups)
    return groups


def _places(scene: Scene) -> dict[str, tuple[str, str]]:
    """By the text of an action: the key and the name of the part of the scene that it points at."""
    found = {text: (tile.key, tile.name) for tile in scene.map.tiles for text in tile.targets}
    found.update({text: (link.key, "") for link in scene.map.links for text in link.targets})
    return found


def _company(action: Action, companies: set[str]) -> str:
    """The key of the railroad whose name is the second word of an action: of PA in "buy PA 3"."""
    words = action.text.split(" ")
    key = f"company-{words[1]}" if len(words) > 1 else ""
    return key if key in companies else ""


# What belongs together


def _entries(choices: list[Choice]) -> list[Entry]:
    alike: dict[tuple[int, str, str], list[Choice]] = {}
    for choice in choices:
        alike.setdefault(_pattern(choice), []).append(choice)
    entries: list[Entry] = []
    for (kind, head, rest), row in alike.items():
        if kind == _PLACES and len(row) >= LEAST_TOGETHER:
            entries.append(Places(head, rest, row))
        elif kind == _AMOUNTS:
            entries.extend(_ranges(head, rest, row))
        else:
            entries.extend(row)
    return entries


def _pattern(choice: Choice) -> tuple[int, str, str]:
    """What a choice shares with those that it is shown together with."""
    text = choice.action.text
    if choice.place:
        head, _, id = text.rpartition(" ")
        return (_PLACES, head, choice.place.removesuffix(id)) if choice.place.endswith(id) else (_SINGLE, text, "")
    words = text.split(" ")
    at = _amount_at(words)
    return (_AMOUNTS, " ".join(words[:at]), " ".join(words[at + 1 :])) if at else (_SINGLE, text, "")


def _amount_at(words: Sequence[str]) -> int:
    """The first word after the first that is a number; 0 if there is none."""
    return next((n for n, word in enumerate(words) if n and word.isdecimal()), 0)


def amount_of(action: Action) -> int | None:
    """The number, if a number is all that follows the first word: 12 of "bid 12"."""
    words = action.text.split(" ")
    return int(words[1]) if len(words) == 2 and words[1].isdecimal() else None


def _ranges(head: str, tail: str, row: list[Choice]) -> Iterator[Entry]:
    """Amounts with the same distance as ranges: 1, 2, 3, 4 and 7 are 1 to 4, and 7 by itself."""
    at = len(head.split(" "))
    found = sorted([(int(choice.action.text.split(" ")[at]), choice.action.id, choice) for choice in row])
    step = min([found[n + 1][0] - found[n][0] for n in range(len(found) - 1)], default=0)
    start = 0
    for n in range(1, len(found) + 1):
        if n == len(found) or found[n][0] - found[n - 1][0] != step:
            run = found[start:n]
            if len(run) >= LEAST_TOGETHER:
                yield Amounts(head, tail, [amount for amount, _, _ in run], [choice for _, _, choice in run])
            else:
                yield from [choice for _, _, choice in run]
            start = n


# What each brings


def _try_out(state: State, groups: Sequence[Group]) -> None:
    """Carry out each choice on a copy, unless they are too many."""
    entries = [entry for group in groups for entry in group.entries]
    tried = [
        choice
        for entry in entries
        if not isinstance(entry, Amounts) or len(entry.choices) <= MOST_AMOUNTS_TRIED
        for choice in entry.choices
    ]
    if len(tried) <= MOST_TRIED:
        for choice in tried:
            choice.brief = in_brief(state.copy().apply(choice.action))
