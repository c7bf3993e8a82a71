"""Hints: what a bot that searches thinks best, how likely each seat is then to win, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cuberails.bots.players import EXPERT, SearchBot
from cuberails.bots.search import Node, OnProgress
from cuberails.core.judge import Judge
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import judge as title_judge

IDEAS = 3
REASONS = 2
SMALLEST = 0.1
"""What differs by less, in dollars or points, is no reason."""


@dataclass(frozen=True)
class Idea:
    """An action, how likely each seat is to win after it, and one sentence why."""

    action: str
    chances: list[float]
    why: str


def advise(state: State, seed: int | str = 0, on_progress: OnProgress | None = None) -> list[Idea]:
    """The best three actions for the seat to decide, the very best first."""
    actor = state.phase.actor
    if actor in (CHANCE, NOBODY):
        raise SetupError("there is nothing to advise: " + ("the game is over" if actor == NOBODY else "dice decide"))
    judge = title_judge(state.title.key)
    # With the win as its only aim, what the bot expects of an action is the chance that people are told.
    bot = SearchBot(seed, replace(EXPERT, win_weight=1.0, finalists=IDEAS), judge=judge)
    root = bot.think(state, on_progress)
    best, *others = root.ranked()[:IDEAS]
    return [_idea(root, best, others, judge), *(_idea(root, n, [best], judge) for n in others)]


def _idea(root: Node, n: int, rivals: list[int], judge: Judge) -> Idea:
    """An action, and why it rather than the first of its rivals, if it has any."""
    seats = range(root.state.players)
    why = _why(root, n, rivals[0], judge) if rivals else "nothing else is worth a look"
    return Idea(root.actions[n].text, [root.mean(n, seat) for seat in seats], why)


def _why(root: Node, n: int, rival: int, judge: Judge) -> str:
    """What differs most for the seat from another action, in the judge's eyes, when its turn is over."""
    seat, other = root.state.phase.actor, root.actions[rival].text
    here, there = judge.terms(root.starts[n], seat), judge.terms(root.starts[rival], seat)
    gains = {name: here.get(name, 0.0) - there.get(name, 0.0) for name in {**there, **here}}
    largest = sorted((name for name in gains if abs(gains[name]) >= SMALLEST), key=lambda name: -abs(gains[name]))
    reasons = [f"{name} {_signed(gains[name])}" for name in largest[:REASONS]]
    return f"against {other}: your {', '.join(reasons)}" if reasons else f"at once as good for you as {other}"


def _signed(gain: float) -> str:
    amount = f"{abs(gain):.0f}" if abs(gain) >= 10 else f"{abs(gain):.1f}".removesuffix(".0")
    return f"+{amount}" if gain > 0 else f"−{amount}"
