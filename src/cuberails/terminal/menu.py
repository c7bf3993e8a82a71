"""The legal actions as a person sees and types them: grouped by their first word, numbered or as a range."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuberails.core.action import Action, UnknownAction
from cuberails.core.event import Built, Changed, Dividend, Ended, Event, Forced, Received
from cuberails.core.scene import Scene
from cuberails.core.state import State

MOST_EFFECTS = 150
"""With more actions than this the menu does not try each of them out."""
MOST_NAMES = 60
"""With more actions than this it does not name the places."""
LONG_ROW = 6
"""More actions of a kind than this are shown as ranges, if they have an amount after a name."""
_AMOUNT_AFTER_NAME = re.compile(r"(\S+ \S+) ([0-9]+)( .+)?")


class NotUnderstood(ValueError):
    """What was typed is no legal action; the message says why."""


class Choice:
    """One numbered entry: the action, what its row does not say about it, and what it would bring."""

    def __init__(self, number: int, action: Action, label: str, effect: str) -> None:
        self.number = number
        self.action = action
        self.label = label
        self.effect = effect


class Menu:
    """What can be chosen at a decision.

    `amounts` are the actions of which a plain number is the amount ("bid 12"): where there are any, typing a
    number means them. `spans` are those with an amount after a name ("buy PA 3"), as ranges to be typed out.
    `rows` holds everything else by how it begins.
    """

    def __init__(self, state: State, scene: Scene) -> None:
        self.state = state
        self.amounts: dict[int, Action] = {}
        self.spans: dict[str, list[str]] = {}
        self.rows: dict[str, list[Choice]] = {}
        words = _by_word(state.legal_actions())
        single = [word for word in words if all(amount_of(action) is not None for action in words[word])]
        if len(single) == 1:
            self.amounts = {amount: a for a in words.pop(single[0]) if (amount := amount_of(a)) is not None}
        places = {text: tile.name for tile in scene.map.tiles for text in tile.targets}
        for actions in words.values():
            if len(actions) > LONG_ROW and all(_AMOUNT_AFTER_NAME.fullmatch(action.text) for action in actions):
                self.spans.update(_spans(actions))
            else:
                self._add_row(actions, places if len(actions) <= MOST_NAMES else {})

    def _add_row(self, actions: Sequence[Action], places: dict[str, str]) -> None:
        for action in actions:
            head = action.word
            label = f"{action.text.removeprefix(head)} {places.get(action.text, '')}".strip()
            choice = Choice(len(self.choices) + 1, action, label, self._effect(action))
            self.rows.setdefault(head, []).append(choice)

    def _effect(self, action: Action) -> str:
        many = len(self.state.legal_actions()) > MOST_EFFECTS
        return "" if many else effect_of(self.state.copy().apply(action))

    @property
    def choices(self) -> list[Choice]:
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


def _by_word(actions: Sequence[Action]) -> dict[str, list[Action]]:
    words: dict[str, list[Action]] = {}
    for action in actions:
        words.setdefault(action.word, []).append(action)
    return words


def _spans(actions: Sequence[Action]) -> dict[str, list[str]]:
    """By what comes before the amount: "1–5", or with what comes after it "1–5 at 60"."""
    amounts: dict[str, dict[str, list[int]]] = {}
    for action in actions:
        head, amount, tail = _AMOUNT_AFTER_NAME.fullmatch(action.text).groups("")  # type: ignore[union-attr]
        amounts.setdefault(head, {}).setdefault(tail, []).append(int(amount))
    return {
        head: [run + tail for tail, numbers in tails.items() for run in _runs(numbers)]
        for head, tails in amounts.items()
    }


def _runs(numbers: Sequence[int]) -> list[str]:
    """Consecutive numbers as one range: 1, 2, 3, 5 as 1–3 and 5."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]


def _rest(action: Action) -> str:
    return action.text.removeprefix(action.word).strip()


def amount_of(action: Action) -> int | None:
    """The number, if a number is all that follows the first word."""
    rest = _rest(action)
    return int(rest) if rest.isdecimal() else None


def _means(typed: str, action: Action) -> bool:
    """Whether "b k4" or "k4" means "build K4", and "p" means "pass"."""
    plain, rest = typed.casefold().split(), _rest(action).casefold().split()
    return plain == rest or (plain[1:] == rest and action.word.startswith(plain[0]))


def effect_of(events: Sequence[Event]) -> str:
    """What an action would bring, as short as can be: "$4, +3" for a build, "PA +2" for a development."""
    told = [_brief(event) for event in events]
    return ", ".join(dict.fromkeys(text for text in told if text))


def _brief(event: Event) -> str:
    if isinstance(event, Forced):
        return _brief(event.event)
    if isinstance(event, Built):
        more = event.income_after - event.income_before
        return f"${event.cost}, +{more}" if more else f"${event.cost}"
    if isinstance(event, Changed):
        return f"{event.railroad} +{event.income_after - event.income_before}"
    if isinstance(event, Received):
        return f"{event.railroad} ${event.amount}"
    if isinstance(event, Dividend):
        return event.kind.casefold()
    return "ends the game" if isinstance(event, Ended) else event.brief()
