"""The menu of a decision as a person at a keyboard uses it: numbered, and found by whatever is typed."""

from __future__ import annotations

import re

from cuberails.core.action import Action, UnknownAction
from cuberails.core.menu import Amounts, Choice, Group, amount_of, menu
from cuberails.core.scene import Scene
from cuberails.core.state import State

MOST_NAMED = 60
"""With more actions of a kind than this their places are not named."""
LONG_ROW = 6
"""With more actions of a kind than this their amounts are shown as ranges, to be typed out."""


class NotUnderstood(ValueError):
    """What was typed is no legal action; the message says why."""


class Numbered:
    """A choice with its number in the menu, and what its row does not say about it."""

    def __init__(self, number: int, choice: Choice, named: bool) -> None:
        self.number = number
        self.action = choice.action
        self.label = f"{choice.label} {choice.place_name if named else ''}".strip()
        self.brief = choice.brief


class NumberedMenu:
    """What can be typed at a decision.

    `amounts` are the actions of which a plain number is the amount ("bid 12"): where there are any, typing a
    number means them. `spans` are those with an amount after a name ("buy PA 3"), as ranges to be typed out.
    `rows` holds everything else by its first word.
    """

    def __init__(self, state: State, scene: Scene) -> None:
        self.state = state
        self.amounts: dict[int, Action] = {}
        self.spans: dict[str, list[str]] = {}
        self.rows: dict[str, list[Numbered]] = {}
        groups = menu(state, scene)
        plain = [group for group in groups if all(amount_of(choice.action) is not None for choice in group.choices)]
        if len(plain) == 1:
            groups.remove(plain[0])
            self.amounts = {n: c.action for c in plain[0].choices if (n := amount_of(c.action)) is not None}
        for group in groups:
            self._add(group)

    def _add(self, group: Group) -> None:
        count = len(group.choices)
        for entry in group.entries:
            if isinstance(entry, Amounts) and count > LONG_ROW:
                span = f"{entry.first}–{entry.last} {entry.tail}".strip()
                self.spans.setdefault(entry.head, []).append(span)
            else:
                for choice in entry.choices:
                    row = self.rows.setdefault(group.word, [])
                    row.append(Numbered(len(self.choices) + 1, choice, count <= MOST_NAMED))

    @property
    def choices(self) -> list[Numbered]:
        return [choice for row in self.rows.values() for choice in row]

    @property
    def range(self) -> str:
        """The amounts in words: "bid 8–40"."""
        least, most = min(self.amounts), max(self.amounts)
        word = self.amounts[least].word
        return f"{word} {least}" if least == most else f"{word} {least}–{most}"

    def texts(self) -> list[str]:
        """What is worth completing: everything but amounts, of which the least is enough."""
        amounts = set(self.amounts.values())
        texts = [action.text for action in self.state.legal_actions() if action not in amounts]
        return [self.amounts[min(self.amounts)].text, *texts] if self.amounts else texts

    # What was typed

    def find(self, typed: str) -> Action:
        """The action meant by a number, a text, a text with a shortened first word, or one without it."""
        if re.fullmatch(r"\$?[0-9]+", typed):
            return self._numbered(typed.lstrip("$0") or "0")
        legal = self.state.legal_actions()
        try:
            action = self.state.parse(typed)
        except UnknownAction:
            return self._shortened(typed)
        if action in legal:
            return action
        raise NotUnderstood(f"{action} is not legal now. {self.state.why_not(typed)}")

    def _numbered(self, digits: str) -> Action:
        if self.amounts:
            word = next(iter(self.amounts.values())).word
            return self.find(f"{word} {digits}")
        found = [choice.action for choice in self.choices if str(choice.number) == digits]
        if found:
            return found[0]
        if not self.choices:
            raise NotUnderstood("There is nothing to choose any more.")
        raise NotUnderstood(f"There is no number {digits[:9]}; the choices are 1 to {len(self.choices)}.")

    def _shortened(self, typed: str) -> Action:
        found = [action for action in self.state.legal_actions() if _means(typed, action)]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotUnderstood(f"That could be {' or '.join(action.text for action in found[:4])}.")
        raise NotUnderstood(str(self.state.why_not(typed)))


def _means(typed: str, action: Action) -> bool:
    """Whether "b k4" or "k4" means "build K4", and "p" means "pass"."""
    plain, rest = typed.casefold().split(), action.text.removeprefix(action.word).casefold().split()
    return plain == rest or (plain[1:] == rest and action.word.startswith(plain[0]))
