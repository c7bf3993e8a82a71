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
"""With more actions of a kind than this their amounts are shown as ranges."""


class NotUnderstood(ValueError):
    """What was typed is no legal action; the message says why."""


class Numbered:
    """An entry of the menu with its number, and what its row does not say about it.

    A range has an action for each of its amounts, and the amount is typed after the number; any other entry has no
    amounts and one action.
    """

    def __init__(self, number: int, label: str, brief: str, action: Action, amounts: dict[int, Action]) -> None:
        self.number = number
        self.label = label
        self.brief = brief
        self.action = action
        self.amounts = amounts

    @property
    def actions(self) -> list[Action]:
        return list(self.amounts.values()) or [self.action]


class NumberedMenu:
    """What can be typed at a decision.

    `amounts` are the actions of which a plain number is the amount ("bid 12"): where there are any, next to nothing
    else can be chosen, and typing a number means them. `rows` holds everything else by its first word.
    """

    def __init__(self, state: State, scene: Scene) -> None:
        self.state = state
        self.amounts: dict[int, Action] = {}
        self.rows: dict[str, list[Numbered]] = {}
        groups = menu(state, scene)
        bids = _bids(groups)
        if bids is not None:
            groups.remove(bids)
            self.amounts = {n: c.action for c in bids.choices if (n := amount_of(c.action)) is not None}
        for group in groups:
            self._add(group)

    def _add(self, group: Group) -> None:
        count, row = len(group.choices), self.rows.setdefault(group.word, [])
        for entry in group.entries:
            if isinstance(entry, Amounts) and count > LONG_ROW:
                row.append(_range(len(self.choices) + 1, group.word, entry))
            else:
                for choice in entry.choices:
                    row.append(_single(len(self.choices) + 1, choice, count <= MOST_NAMED))

    @property
    def choices(self) -> list[Numbered]:
        return [choice for row in self.rows.values() for choice in row]

    @property
    def ranges(self) -> list[Numbered]:
        return [choice for choice in self.choices if choice.amounts]

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
        """The action meant by a number, by a number and an amount, or by a text, its first word cut or left out."""
        if re.fullmatch(r"\$?[0-9]+", typed):
            return self._numbered(typed.lstrip("$0") or "0")
        if re.fullmatch(r"[0-9]+ +\$?[0-9]+", typed) and not self.amounts:
            number, amount = typed.replace("$", "").split()
            return self._amount(self._entry(number.lstrip("0") or "0"), amount.lstrip("0") or "0")
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
        entry = self._entry(digits)
        if entry.amounts:
            raise NotUnderstood(f"Number {digits} needs an amount after it: {range_example(entry)}.")
        return entry.action

    def _entry(self, digits: str) -> Numbered:
        found = [choice for choice in self.choices if str(choice.number) == digits]
        if found:
            return found[0]
        if not self.choices:
            raise NotUnderstood("There is nothing to choose any more.")
        raise NotUnderstood(f"There is no number {digits[:9]}; the choices are 1 to {len(self.choices)}.")

    def _amount(self, entry: Numbered, digits: str) -> Action:
        """The action of an entry with this amount; one without amounts takes none."""
        if not entry.amounts:
            raise NotUnderstood(f"Number {entry.number} is {entry.action} and takes no amount.")
        found = [action for amount, action in entry.amounts.items() if str(amount) == digits]
        if not found:
            raise NotUnderstood(f"{digits[:9]} is none of its amounts: {range_example(entry)}.")
        return found[0]

    def _shortened(self, typed: str) -> Action:
        found = [action for action in self.state.legal_actions() if _means(typed, action)]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotUnderstood(f"That could be {' or '.join(action.text for action in found[:4])}.")
        raise NotUnderstood(str(self.state.why_not(typed)))


def range_example(entry: Numbered) -> str:
    """How to choose from a range: "7 1 is buy PA 1, up to 7 9"."""
    least, most = min(entry.amounts), max(entry.amounts)
    return f"{entry.number} {least} is {entry.amounts[least]}, up to {entry.number} {most}"


def _bids(groups: list[Group]) -> Group | None:
    """The only group of plain amounts, if next to nothing else can be chosen: a bid beside a pass, in an auction."""
    plain = [group for group in groups if all(amount_of(choice.action) is not None for choice in group.choices)]
    others = sum(len(group.choices) for group in groups if group not in plain)
    return plain[0] if len(plain) == 1 and others <= 1 else None


def _single(number: int, choice: Choice, named: bool) -> Numbered:
    label = f"{choice.label} {choice.place_name if named else ''}".strip()
    return Numbered(number, label, choice.brief, choice.action, {})


def _range(number: int, word: str, entry: Amounts) -> Numbered:
    steps = f" by {entry.step}" if entry.step > 1 else ""
    amounts = f"{entry.first}–{entry.last}{steps}"
    label = " ".join(f"{entry.head.removeprefix(word)} {amounts} {entry.tail}".split())
    actions = dict(zip(entry.amounts, (choice.action for choice in entry.choices)))
    return Numbered(number, label, "", entry.choices[0].action, actions)


def _means(typed: str, action: Action) -> bool:
    """Whether "b k4" or "k4" means "build K4", and "p" means "pass"."""
    plain, rest = typed.casefold().split(), action.text.removeprefix(action.word).casefold().split()
    return plain == rest or (plain[1:] == rest and action.word.startswith(plain[0]))
