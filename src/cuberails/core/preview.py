"""A preview: what an action would bring about, before it is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.action import Action
from cuberails.core.auction import is_bidding, pass_until_sold
from cuberails.core.event import Bid
from cuberails.core.scene import Scene
from cuberails.core.state import State


def preview(state: State, action: Action, names: Sequence[str]) -> list[str]:
    """What a legal action would bring about, in sentences, and which figures it would change.

    A bid is shown as if nobody would bid more: what the share costs, what is left, and what shares pay then.
    """
    now = state.title.scene(state, names)
    after = state.copy()
    events = after.apply(action)
    if any(isinstance(event, Bid) for event in events):
        events = [event for event in events + pass_until_sold(after) if not is_bidding(event)]
    gains = [tile.gain for tile in now.map.tiles if tile.gain and action.text in tile.targets]
    figures = differences(now, state.title.scene(after, names))
    return [event.say(names) for event in events] + figures + gains


def differences(before: Scene, after: Scene) -> list[str]:
    """The figures that change, by whom they concern: "PA: Income 9 → 13, Treasury $54 → $50"."""
    old, lines = _figures(before), []
    for name, facts in _figures(after).items():
        then = old.get(name, {})
        changed = [(label, value) for label, value in facts.items() if then.get(label, value) != value]
        if changed:
            lines.append(f"{name}: " + ", ".join(f"{label} {then[label]} → {value}" for label, value in changed))
    return lines


def _figures(scene: Scene) -> dict[str, dict[str, str]]:
    found = {company.piece.name: dict(company.facts) for company in scene.companies}
    found.update({seat.name: dict(seat.facts) for seat in scene.seats})
    return found
