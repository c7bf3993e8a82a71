"""The bots: `random`, and `greedy`, which looks one decision ahead with the title's judge."""

from __future__ import annotations

from random import Random

from cuberails.core.action import Action
from cuberails.core.playout import pick
from cuberails.core.state import State
from cuberails.core.title import SetupError
from cuberails.titles import worth

FARTHEST = 8
"""How many decisions of its own greedy looks ahead: where all others can only pass they would never end."""
PROMISING = 8
"""How many actions greedy follows to their end, the best of each kind among them."""


class Bot:
    """A player that chooses for the seat to decide. The same seed gives the same choices."""

    name = "random"

    def __init__(self, seed: int | str) -> None:
        self.rng = Random(f"{self.name} {seed}")

    def choose(self, game: State) -> Action:
        return pick(game, self.rng)


class Greedy(Bot):
    """Takes the action after which its own worth stands highest above the others', on the average.

    Where it goes on deciding, it looks to the end of its own decisions: an expansion is judged by what it builds.
    """

    name = "greedy"

    def choose(self, game: State) -> Action:
        seat = game.phase.actor
        legal = game.legal_actions()[:]
        self.rng.shuffle(legal)
        return max(self._promising(game, legal, seat), key=lambda action: self._outlook(game, action, seat))

    def _promising(self, game: State, legal: list[Action], seat: int) -> list[Action]:
        """The actions that look best at once, one of each kind among them; the others are not worth a closer look."""
        if len(legal) <= PROMISING:
            return legal
        leads = {action: _lead(_after(game, action), seat) for action in legal}
        ranked = sorted(legal, key=lambda action: -leads[action])
        best_of_kind = list({action.kind: action for action in reversed(ranked)}.values())
        others = [action for action in ranked if action not in best_of_kind]
        return best_of_kind + others[: max(0, PROMISING - len(best_of_kind))]

    def _outlook(self, game: State, action: Action, seat: int) -> float:
        after = game.copy()
        after.play(action)
        for _ in range(FARTHEST):
            if after.phase.actor != seat:
                break
            here = after
            best = max(here.legal_actions(), key=lambda other: _lead(_after(here, other), seat))
            after.play(best)
        return _lead(after, seat)


def _after(game: State, action: Action) -> State:
    after = game.copy()
    after.play(action)
    return after


def _lead(game: State, seat: int) -> float:
    """How far the seat is ahead of the others' mean, in the judge's eyes."""
    values = worth(game)
    others = sum(values) - values[seat]
    return values[seat] - others / (len(values) - 1)


LEVELS: dict[str, type[Bot]] = {bot.name: bot for bot in (Bot, Greedy)}


def make(name: str, seed: int | str) -> Bot:
    """The bot of this name."""
    if name not in LEVELS:
        raise SetupError(f"there is no bot {name!r}; the bots are {', '.join(LEVELS)}")
    return LEVELS[name](seed)
