"""A title: everything about a game that stays the same while it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from cuberails.core.action import Actions
from cuberails.core.rulebook import Rulebook

if TYPE_CHECKING:
    from cuberails.core.state import State


class SetupError(ValueError):
    """A game that cannot be set up: wrong number of players, unknown title or option."""


class Title:
    """One game on one board. A title's own subclass adds its tables.

    `minutes` is about how long a game takes people. `options` names each option with its permitted values,
    the default first. `board` names the board and `reconstructed` is a sentence for players where it is not
    known to be the printed one. `loader` finds this very object again in another process: `loader(key)`.
    """

    key: str
    name: str
    least_players: int
    most_players: int
    minutes: int
    rules_version: int
    board: str
    reconstructed: str
    options: dict[str, tuple[str, ...]]
    actions: Actions
    rulebook: Rulebook
    loader: Callable[[str], Title]

    def new(self, players: int, options: Mapping[str, str]) -> State:
        """A game at its first decision."""
        self.check_players(players)
        return self.set_up(players, self.checked_options(options))

    def set_up(self, players: int, options: dict[str, str]) -> State:
        raise NotImplementedError

    def check_players(self, players: int) -> None:
        if not self.least_players <= players <= self.most_players:
            raise SetupError(f"{self.name} is for {self.least_players} to {self.most_players} players, not {players}")

    def checked_options(self, given: Mapping[str, str]) -> dict[str, str]:
        """The options of a game: those given, the others at their default."""
        for name, value in given.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise SetupError(f"{self.name} has no option {name!r}; its options: {known}")
            if value not in self.options[name]:
                raise SetupError(f"option {name} cannot be {value!r}; it can be {' or '.join(self.options[name])}")
        return {name: given.get(name, values[0]) for name, values in self.options.items()}

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return self.loader, (self.key,)
