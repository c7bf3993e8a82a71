"""The scenes of a table, each made once for all viewers who see the same."""

from __future__ import annotations

from collections import OrderedDict

from cuberails.core.scene import Scene
from cuberails.server.history import History
from cuberails.titles import scene

MOST_SCENES = 8
"""How many scenes of a table are kept."""


class Scenes:
    """What is seen at a table, now and at any moment of its history."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._kept: OrderedDict[tuple[int, tuple[str, ...]], Scene] = OrderedDict()

    def after(self, count: int) -> Scene:
        """What is seen after a number of actions of the game as it stands."""
        return self._at_position(self._history.branch[count], self._history.game.seats)

    def at(self, seq: int) -> Scene:
        """What was seen when the log was at this number, be it taken back since or not; without names that changed."""
        return self._at_position(self._history.position_at[seq], self._history.names_at(seq))

    def _at_position(self, position: int, names: list[str]) -> Scene:
        key = position, tuple(names)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = scene(self._history.state(position), names)
            if len(self._kept) > MOST_SCENES:
                self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        self._kept.clear()
