"""The bots: `random`, `greedy`, which looks one decision ahead with the title's judge, and four that search."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from cuberails.bots.choice import Choice
from cuberails.bots.price import fair_bid
from cuberails.bots.search import ROLLOUTS, Node, OnProgress, Search, SearchConfig
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.board import Board
from cuberails.core.judge import Judge
from cuberails.core.learned import LeaningJudge, Learned
from cuberails.core.playout import after, pick
from cuberails.core.state import NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import WeightError, features_of, judge_for, judge_with, read_learned, weights, worth

MOST_TURN_DECISIONS = 8
"""How many further decisions of its own greedy adds at most: where all others can only pass they would never end."""
MOST_FOLLOWED = 8
"""How many actions greedy follows to the end of the turn; the best of each kind are among them."""

TIE_MARGIN = 0.02
"""Actions that differ by less than this part of what a seat is worth are as good as each other: one is drawn."""
PRICED_POSITIONS = 40
"""About how many positions are compared to find a fair price."""
PRICED_SECONDS = 0.8
"""The part of the seconds of a decision in which they are; then they are judged without any search."""
WEIGHT_NOISE = 0.01
"""The relative standard deviation of a bot's weights from those of its title's judge."""
SLIPS_WHILE_BIDDING = 0.5
"""In an auction bots slip less often, by this factor: they are asked again and again about the same thing."""


class Bot:
    """A player that chooses for the seat to decide. The same seed gives the same choices."""

    name = "random"

    def __init__(self, seed: int | str) -> None:
        self.rng = Random(f"{self.name} {seed}")

    def reseed(self, seed: int | str) -> None:
        """Draw from another sequence from now on, whatever was drawn before; the character stays."""
        self.rng.seed(f"{self.name} {seed}")

    def choose(self, state: State, on_progress: OnProgress | None = None) -> Action:
        """What to do there; slow bots call `on_progress` with the fraction of their time that has passed."""
        return pick(state, self.rng)

    def observe(self, action: Action) -> None:
        """Another seat, or chance, has acted. A bot kept for several decisions must see every action."""


class Greedy(Bot):
    """One-ply search: takes the action after which its own worth stands highest above the others' mean.

    Where the seat decides again, the rest of its decisions is added, each the best at once: an expansion is judged by
    what it builds.
    """

    name = "greedy"

    def choose(self, state: State, on_progress: OnProgress | None = None) -> Action:
        seat = state.phase.actor
        promising = self._promising(state, state.legal_actions(), seat)
        outlooks = [self._outlook(state, action, seat) for action in promising]
        enough = max(outlooks) - TIE_MARGIN * sum(map(abs, worth(state))) / state.players
        return self.rng.choice([promising[n] for n, outlook in enumerate(outlooks) if outlook >= enough])

    def _promising(self, state: State, legal: list[Action], seat: int) -> list[Action]:
        """The actions that look best at once, one of each kind among them; the others are not worth a closer look."""
        if len(legal) <= MOST_FOLLOWED:
            return legal
        leads = {action: _lead(after(state, action), seat) for action in legal}
        ranked = sorted(legal, key=lambda action: -leads[action])
        best_of_kind = list({action.kind: action for action in reversed(ranked)}.values())
        others = [action for action in ranked if action not in best_of_kind]
        return best_of_kind + others[: max(0, MOST_FOLLOWED - len(best_of_kind))]

    def _outlook(self, state: State, action: Action, seat: int) -> float:
        here = after(state, action)
        for _ in range(MOST_TURN_DECISIONS):
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


class SearchBot(Bot):
    """Searches a tree. `slip_rate` is how often it takes another action than the best, one that loses little.

    It slips where its turn begins, not in the middle of it: what it has begun it carries out as well as it can.
    Without a `judge` it makes its own with weights a little different from the title's, and it draws its first
    decisions among actions that seem equally good, so that games begin unlike.
    """

    def __init__(
        self,
        seed: int | str,
        config: SearchConfig,
        slip_rate: float = 0.0,
        name: str = "search",
        judge: Judge | None = None,
    ) -> None:
        self.name = name
        super().__init__(seed)
        self.config = config
        self.slip_rate = slip_rate
        self.judge = judge
        self._seed = seed
        self._search: Search | None = None
        self._chosen: Action | None = None
        self._mid_turn = False
        self._decisions = 0

    def choose(self, state: State, on_progress: OnProgress | None = None) -> Action:
        if self.config.fair_bids and isinstance(state.phase, Auction):
            self._chosen = self._fair_bid(state)
            return self._chosen
        root = self.think(state, on_progress)
        self._chosen = root.actions[self._choice(Choice(root))]
        return self._chosen

    def _choice(self, choice: Choice) -> int:
        """The best action, or one that is as good while the game opens, or a slip."""
        self._decisions += 1
        slips = self.rng.random() < self._slip_chance(choice.root.state)
        others = choice.slips() if slips else []
        if not others and self._decisions <= self.config.opening:
            others = choice.as_good()
        return self.rng.choice(others) if others else choice.best

    def _slip_chance(self, state: State) -> float:
        """How likely it is to slip at this decision."""
        if isinstance(state.phase, Auction):
            return self.slip_rate * SLIPS_WHILE_BIDDING
        return 0.0 if self._mid_turn else self.slip_rate

    def _fair_bid(self, state: State) -> Action:
        """By prices whose positions share the budget of one decision: most budgets judge them at once."""
        config, judge = self.config, self._searching(state).judge
        simulations, seconds = config.simulations // PRICED_POSITIONS, config.seconds * PRICED_SECONDS
        return fair_bid(state, judge, simulations, self._seed, seconds)

    def think(self, state: State, on_progress: OnProgress | None = None) -> Node:
        """The root of the tree that was searched."""
        return self._searching(state).think(state, on_progress)

    def _searching(self, state: State) -> Search:
        if self._search is None:
            self._search = Search(self.judge or self._own_judge(state.board), self.config, self.rng)
        return self._search

    @property
    def root(self) -> Node | None:
        """The root of the tree now; right after a choice, that of the position in which it was made."""
        return self._search.root if self._search else None

    def _own_judge(self, board: Board) -> Judge:
        """Drawn from the seed of the bot alone: its weights are the same whenever it begins to think."""
        key, kind = board.title.key, self.config.judge
        own = perturbed(weights(key), Random(f"{self.name} weights {self._seed}"))
        if kind == "hand":
            judge = judge_with(key, own)
        else:
            judge = judge_for(board, own, None if kind == "best" else learned_in(kind))
        return leaning(judge, board, self.config.lean) if self.config.lean else judge

    def observe(self, action: Action) -> None:
        self._mid_turn = action is self._chosen
        self._chosen = None
        if self._search is not None:
            self._search.advance(action)


def perturbed(values: Mapping[str, float], rng: Random) -> dict[str, float]:
    """These weights with a little Gaussian noise: a bot's own."""
    return {name: value * rng.gauss(1.0, WEIGHT_NOISE) for name, value in values.items()}


def leaning(judge: Judge, board: Board, inclination: str) -> Judge:
    """The judge with an inclination to a feature, which is written as `near_chicago*0.5`."""
    name, _, weight = inclination.rpartition("*")
    seen = features_of(board)
    names = [re.sub(r"\W+", "_", each.casefold()) for each in seen.names]
    try:
        return LeaningJudge(judge, seen, names.index(name.casefold()), float(weight))
    except ValueError:
        raise SetupError(
            f"{inclination!r} is no inclination; write a feature and a number, as in {names[-1]}*0.5"
        ) from None


@cache
def learned_in(file: str) -> Learned:
    """What was learned, from a file of this path."""
    try:
        return read_learned(file, Path(file).read_text("utf-8"))
    except (OSError, WeightError) as error:
        raise SetupError(f"there is no judge {file!r}: {error}; say best, hand, or the file of a learned one") from None


@dataclass(frozen=True)
class Level:
    """A kind of bot that can be chosen by its name; `character` is what people read about it."""

    character: str
    make: Callable[[str, int | str], Bot]


def _searcher(config: SearchConfig, slip_rate: float) -> Callable[[str, int | str], Bot]:
    """A level: its budget with how long it may take even on a slow machine, and how often it slips."""
    return lambda name, seed: SearchBot(seed, config, slip_rate, name)


EXPERT = SearchConfig(simulations=1200, seconds=5.5)
"""The budget of the strongest level, and of hints."""

LEVELS = {
    "random": Level("Plays anything that is legal.", lambda _, seed: Bot(seed)),
    "greedy": Level("Takes what looks best at once, whatever you may answer.", lambda _, seed: Greedy(seed)),
    "easy": Level("Knows the rules and a few prices; easily tempted.", _searcher(SearchConfig(12, 0.08), 0.8)),
    "medium": Level("Sees your answer coming, now and then too late.", _searcher(SearchConfig(32, 0.4), 0.5)),
    "hard": Level("Plans its turns and knows what a share is worth.", _searcher(SearchConfig(120, 1.8), 0.05)),
    "expert": Level("Thinks as long as you would, and forgets nothing.", _searcher(EXPERT, 0.0)),
}
"""All bots by name, the weakest first."""

STRONGEST = "expert"
USUAL = "medium"
"""The default bots: fair opponents that answer at once."""


def make(name: str, seed: int | str) -> Bot:
    """The bot of this name. `search:simulations=64:paranoid=1` is one with settings of its own."""
    if name.startswith("search:"):
        return SearchBot(seed, _config(name), name=name)
    if name not in LEVELS:
        raise SetupError(f"there is no bot {name!r}; the bots are {', '.join(LEVELS)}")
    return LEVELS[name].make(name, seed)


def _config(name: str) -> SearchConfig:
    """The settings that the parts of a name spell out."""
    kinds = {field.name: type(getattr(SearchConfig(), field.name)) for field in fields(SearchConfig)}
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
    if chosen.get("rollout", "none") not in ROLLOUTS:
        raise SetupError(f"there is no rollout {chosen['rollout']!r}; there are {', '.join(ROLLOUTS)}")
    if chosen.get("judge", "best") not in ("best", "hand"):
        learned_in(chosen["judge"])
    return SearchConfig(**chosen)
