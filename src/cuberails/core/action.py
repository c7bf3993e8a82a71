"""Actions: one decision each, as values with a stable text and a stable number."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cuberails.core.board import Board


MOST_ACTIONS: Final = 20_000
"""How many actions a board can have; the built-in ones have 700 to 2,300."""


class ActionSpaceError(ValueError):
    """A board whose actions cannot be told apart, or are too many."""


class UnknownAction(ValueError):
    """A text that is no action of the board at all, legal or not."""


class Action:
    """One decision. There is exactly one object for each id of a board, so `is` and `==` agree.

    `kind` numbers the kinds of a title; `word` is that kind's first word ("build"). `a`, `b` and `c`
    are the arguments as numbers (a hex, a railroad, an amount), -1 where there is none.
    """

    def __init__(self, actions: Actions, id: int, kind: int, word: str, text: str, a: int, b: int, c: int) -> None:
        self.actions: Final = actions
        self.id: Final = id
        self.kind: Final = kind
        self.word: Final = word
        self.text: Final = text
        self.a: Final = a
        self.b: Final = b
        self.c: Final = c

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __lt__(self, other: Action) -> bool:
        return self.id < other.id

    def __hash__(self) -> int:
        # Compiled by mypyc, a class that defines an order has no hash unless it says so.
        return self.id

    def __reduce__(self) -> tuple[object, tuple[Board, int]]:
        # Unpickling must find the one object again: identity is equality.
        return _restore, (self.actions.board, self.id)


def _restore(board: Board, id: int) -> Action:
    return board.actions.all[id]


class Actions:
    """The fixed action space of a board: every action that could ever be legal, in order of id.

    `words` are the first words of its kinds, in the order in which the title numbers them.
    Titles keep the slices they need (all bids, all builds …) and list legal actions by picking from them.
    """

    def __init__(self, board: Board, words: list[str]) -> None:
        self.board: Final = board
        self.words: Final = words
        self.all: Final[list[Action]] = []
        self._by_text: Final[dict[str, Action]] = {}

    def __len__(self) -> int:
        return len(self.all)

    def add(self, kind: int, text: str, a: int = -1, b: int = -1, c: int = -1) -> Action:
        action = Action(self, len(self.all), kind, self.words[kind], text, a, b, c)
        key = _plain(text)
        if key in self._by_text:
            raise ActionSpaceError(f"two actions would be called {text!r}; use names that differ")
        if len(self.all) == MOST_ACTIONS:
            raise ActionSpaceError(f"makes more than {MOST_ACTIONS} actions; use a smaller map or lower numbers")
        self.all.append(action)
        self._by_text[key] = action
        return action

    def add_all(self, kind: int, texts: list[str]) -> list[Action]:
        """One action a text; each gets its position as argument `a`."""
        return [self.add(kind, text, a) for a, text in enumerate(texts)]

    def parse(self, text: str) -> Action:
        """The action of this text. Case, spare blanks and dollar signs do not matter."""
        action = self._by_text.get(_plain(text))
        if action is None:
            raise UnknownAction(self._unknown(text))
        return action

    def _unknown(self, text: str) -> str:
        word = _plain(text).partition(" ")[0]
        if not word:
            return "an action needs a text, for example: " + self.all[0].text
        shown = text if len(text) <= 40 else text[:37] + "..."
        near = self.nearest(text, [action.text for action in self.all])
        if word in self.words:
            examples = near or [action.text for action in self.all if action.word == word]
            return f"there is no {shown!r}; {word} is written like: {', '.join(examples[:3])}"
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        return f"{shown!r} is not an action; actions begin with {', '.join(dict.fromkeys(self.words))}{hint}"

    @staticmethod
    def nearest(text: str, among: list[str], most: int = 3) -> list[str]:
        """The spellings among these that are most like the text; where it ends in an amount, the nearest amounts."""
        plain = {_plain(other): other for other in among}
        words, _, amount = _plain(text).rpartition(" ")
        if amount.isdecimal():
            same = [key for key in plain if key.rpartition(" ")[0] == words and key.rpartition(" ")[2].isdecimal()]
            if same:
                same.sort(key=lambda key: abs(int(key.rpartition(" ")[2]) - int(amount[:9])))
                return [plain[key] for key in same[:most]]
        return [plain[key] for key in get_close_matches(_plain(text), list(plain), most, 0.6)]


def _plain(text: str) -> str:
    return " ".join(text.replace("$", "").casefold().split())
