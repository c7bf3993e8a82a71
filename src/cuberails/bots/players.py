"""The bots: `random`, `greedy`, which looks one decision ahead with the title's judge, and four that search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import inf
from random import Random
from typing import Any

from cuberails.bots.search import PLAYOUTS, Node, Search, Style, Told
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.judge import Judge
from cuberails.core.playout import after, pick
from cuberails.core.state import NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import judge_with, weights, worth

FARTHEST = 8
"""How many decisions of its own greedy looks ahead: where all others can only pass they would never end."""
PROMISING = 8
"""How many actions greedy follows to their end, the best of each kind among them."""

ALIKE = 0.02
"""Actions that differ by less than this part of what a seat is worth are as good as each other: one is drawn."""
TASTE = 0.01
"""By what part the weights of a bot differ from those of its title's judge."""
WORST_SLIP = 0.02
"""Nobody takes an action that is this much worse than the best."""
WHILE_BIDDING = 0.5
"""In an auction bots slip less often, by this factor: they are asked again and again about the same thing."""


class Bot:
    """A player that chooses for the seat to decide. The same seed gives the same choices."""

    name = "random"

    def __init__(self, seed: int | str) -> None:
        self.rng = Random(f"{self.name} {seed}")

    def choose(self, state: State, told: Told | None = None) -> Action:
        """What to do there; `told` hears how much of the thinking is done, from bots that take their time."""
        return pick(state, self.rng)

    def saw(self, action: Action) -> None:
        """Somebody at the table has acted. Whoever keeps a bot for a whole game tells it of every action."""


class Greedy(Bot):
    """Takes the action after which its own worth stands highest above the others', on the average.

    Where it goes on deciding, it looks to the end of its own decisions: an expansion is judged by what it builds.
    """

    name = "greedy"

    def choose(self, state: State, told: Told | None = None) -> Action:
        seat = state.phase.actor
        promising = self._promising(state, state.legal_actions(), seat)
        outlooks = [self._outlook(state, action, seat) for action in promising]
        enough = max(outlooks) - ALIKE * sum(map(abs, worth(state))) / state.players
        return self.rng.choice([promising[n] for n, outlook in enumerate(outlooks) if outlook >= enough])

    def _promising(self, state: State, legal: list[Action], seat: int) -> list[Action]:
        """The actions that look best at once, one of each kind among them; the others are not worth a closer look."""
        if len(legal) <= PROMISING:
            return legal
        leads = {action: _lead(after(state, action), seat) for action in legal}
        ranked = sorted(legal, key=lambda action: -leads[action])
        best_of_kind = list({action.kind: action for action in reversed(ranked)}.values())
        others = [action for action in ranked if action not in best_of_kind]
        return best_of_kind + others[: max(0, PROMISING - len(best_of_kind))]

    def _outlook(self, state: State, action: Action, seat: int) -> float:
        here = after(state, action)
        for _ in range(FARTHEST):
            if here.phase.actor != seat:
                break
            here = max((after(here, other) for other in here.legal_actions()), key=lambda there: _lead(there, seat))
        return _lead(here, seat)


def _lead(state: State, seat: int) -> float:
    """How far the seat is ahead of the others' mean, in the judge's eyes; an end without a win is worst of all."""
    if state.phase.actor == NOBODY and seat not in state.winners():
        return -inf
    values = worth(state)
    others = sum(values) - values[seat]
    return values[seat] - others / (len(values) - 1)


class Thinker(Bot):
    """Searches a tree. `slips` is how often it begins with another action than the best, one that loses little.

    What it has begun it carries out as well as it can: it does not slip while it goes on deciding.
    `knows` is the judge to be asked. Otherwise a bot has a taste of its own: it weighs a little differently from the
    title's judge, so that not every game begins alike.
    """

    def __init__(
        self, seed: int | str, style: Style, slips: float = 0.0, name: str = "search", knows: Judge | None = None
    ) -> None:
        self.name = name
        super().__init__(seed)
        self.style = style
        self.slips = slips
        self.knows = knows
        self._search: Search | None = None
        self._chosen: Action | None = None
        self._goes_on = False

    def choose(self, state: State, told: Told | None = None) -> Action:
        root = self.think(state, told)
        best = root.ranked()[0]
        slips = self.rng.random() < self._carelessness(state)
        others = self._nearly_as_good(root, best) if slips else []
        self._chosen = root.actions[self.rng.choice(others) if others else best]
        return self._chosen

    def _carelessness(self, state: State) -> float:
        """How likely it is to slip at this decision."""
        if isinstance(state.phase, Auction):
            return self.slips * WHILE_BIDDING
        return 0.0 if self._goes_on else self.slips

    @staticmethod
    def _nearly_as_good(root: Node, best: int) -> list[int]:
        """The other actions that lose little, as far as they were looked into."""
        seat = root.state.phase.actor
        others = [n for n in range(len(root.actions)) if n != best]
        return [n for n in others if root.loss(n, best, seat) < WORST_SLIP]

    def think(self, state: State, told: Told | None = None) -> Node:
        """The position with what was found out about it."""
        if self._search is None:
            self._search = Search(self.knows or self._taste(state.title.key), self.style, self.rng)
        return self._search.think(state, told)

    def _taste(self, key: str) -> Judge:
        return judge_with(key, tasted(weights(key), self.rng))

    def saw(self, action: Action) -> None:
        self._goes_on = action is self._chosen
        self._chosen = None
        if self._search is not None:
            self._search.moved(action)


def tasted(values: Mapping[str, float], rng: Random) -> dict[str, float]:
    """Weights of a bot's own, a little different from these."""
    return {name: value * rng.gauss(1.0, TASTE) for name, value in values.items()}


@dataclass(frozen=True)
class Level:
    """A kind of bot that can be chosen by its name; `character` is what people read about it."""

    character: str
    make: Callable[[str, int | str], Bot]


def _thinker(style: Style, slips: float) -> Callable[[str, int | str], Bot]:
    """A level: its budget with how long it may take even on a slow machine, and how often it slips."""
    return lambda name, seed: Thinker(seed, style, slips, name)


EXPERT = Style(1200, 5.5)
"""How the strongest level thinks, and whoever gives hints."""

LEVELS = {
    "random": Level("Plays anything that is legal.", lambda _, seed: Bot(seed)),
    "greedy": Level("Takes what looks best at once, whatever you may answer.", lambda _, seed: Greedy(seed)),
    "easy": Level("Knows the rules and a few prices; easily tempted.", _thinker(Style(12, 0.08), 0.8)),
    "medium": Level("Sees your answer coming, now and then too late.", _thinker(Style(32, 0.4), 0.5)),
    "hard": Level("Plans its turns and knows what a share is worth.", _thinker(Style(120, 1.8), 0.2)),
    "expert": Level("Thinks as long as you would, and forgets nothing.", _thinker(EXPERT, 0.0)),
}
"""All bots by name, the weakest first."""

STRONGEST = "expert"
USUAL = "medium"
"""The bots that sit down unless somebody asks for others: fair opponents that answer at once."""


def make(name: str, seed: int | str) -> Bot:
    """The bot of this name. `search:simulations=64:paranoid=1` is one with a style of its own."""
    if name.startswith("search:"):
        return Thinker(seed, _style(name), name=name)
    if name not in LEVELS:
        raise SetupError(f"there is no bot {name!r}; the bots are {', '.join(LEVELS)}")
    return LEVELS[name].make(name, seed)


def _style(name: str) -> Style:
    """The style that the parts of a name spell out."""
    kinds = {field.name: type(getattr(Style(), field.name)) for field in fields(Style)}
    chosen: dict[str, Any] = {}
    for part in name.split(":")[1:]:
        key, _, value = part.partition("=")
        if key not in kinds:
            raise SetupError(f"a search has no {key!r}; it has {', '.join(kinds)}, as in search:simulations=64")
        try:
            chosen[key] = bool(int(value)) if kinds[key] is bool else kinds[key](value)
        except ValueError:
            raise SetupError(f"{value!r} is no value for {key}; write a number, as in search:simulations=64") from None
        if key in ("simulations", "seconds", "finalists") and not chosen[key] > 0:
            raise SetupError(f"{value!r} is no value for {key}; it must be more than 0, as in search:simulations=64")
    if chosen.get("playout", "none") not in PLAYOUTS:
        raise SetupError(f"there is no playout {chosen['playout']!r}; there are {', '.join(PLAYOUTS)}")
    return Style(**chosen)
