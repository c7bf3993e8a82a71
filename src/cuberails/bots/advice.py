"""Hints: what a bot that searches thinks best, how likely each seat is then to win, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cuberails.bots.players import EXPERT, Thinker
from cuberails.bots.search import Node, Told
from cuberails.core.judge import Judge
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import judge

IDEAS = 3
SEEN_OFTEN = 4
"""A line of play is followed as far as it was looked into this often."""
REASONS = 2


@dataclass(frozen=True)
class Idea:
    """An action, how likely each seat is to win after it, and one sentence why."""

    action: str
    chances: list[float]
    why: str


def advise(game: State, seed: int | str = 0, told: Told | None = None) -> list[Idea]:
    """The best three actions for the seat to decide, the very best first; `told` hears how much of the work is done."""
    actor = game.phase.actor
    if actor in (CHANCE, NOBODY):
        raise SetupError("there is nothing to advise: " + ("the game is over" if actor == NOBODY else "dice decide"))
    knows = judge(game.title.key)
    # With the win as its only aim, what the bot expects of an action is the chance that people are told.
    bot = Thinker(seed, replace(EXPERT, wins=1.0, finalists=IDEAS), knows=knows)
    root = bot.think(game, told)
    return [_idea(root, n, knows) for n in root.ranked()[:IDEAS]]


def _idea(root: Node, n: int, knows: Judge) -> Idea:
    seats = range(root.state.players)
    why = _why(knows, root.state, _line(root, n), root.state.phase.actor)
    return Idea(root.actions[n].text, [root.mean(n, seat) for seat in seats], why)


def _line(root: Node, n: int) -> State:
    """Where the game stands after an action and what everybody is then expected to do."""
    state, node = root.after[n], root.children[n]
    while node is not None and node.actions and node.visits >= SEEN_OFTEN:
        n = node.ranked()[0]
        state, node = node.after[n], node.children[n]
    return state


def _why(knows: Judge, before: State, after: State, seat: int) -> str:
    """What changes most for the seat, in the judge's eyes."""
    old, new = knows.terms(before, seat), knows.terms(after, seat)
    changes = {name: new.get(name, 0.0) - old.get(name, 0.0) for name in {**old, **new}}
    largest = sorted((name for name in changes if abs(changes[name]) >= 0.5), key=lambda name: -abs(changes[name]))
    told = [f"{name} {old.get(name, 0.0):.0f} → {new.get(name, 0.0):.0f}" for name in largest[:REASONS]]
    return f"your {', '.join(told)}" if told else "it keeps what you have"
