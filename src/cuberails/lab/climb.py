"""Weights that win: one after the other is changed, and a change that wins against the weights before it is kept.

That is slower than `tune`, and surer: a judge that foretells winners better need not choose better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import sqrt
from random import Random
from typing import Protocol, TypeVar

from cuberails.bots.players import Thinker
from cuberails.bots.search import Style
from cuberails.lab.simulate import side_by_side, turns
from cuberails.titles import judge_with, load, weights

SIMULATIONS = 48
"""The budget of the bots that try weights."""
FIRST_STEP, NEXT_STEP = 0.5, 0.5
"""By what part a weight is changed in the first round, and how much of that in the next."""
SURE = 1.0
"""A change is kept if its share of wins is so many standard errors above even."""

Item = TypeVar("Item")


class Bar(Protocol):
    """Shows how far the work is: items, what is done, how many there will be."""

    def __call__(self, items: Iterable[Item], what: str, total: int, /) -> Iterable[Item]: ...


@dataclass(frozen=True)
class Climb:
    """The outcome: weights, and how many of `games` a bot with them won, alone among bots with the weights before."""

    title: str
    command: str
    tried: int
    kept: int
    weights: Mapping[str, float]
    won: float
    games: int

    def to_toml(self) -> str:
        """The file `judge.toml` of the title."""
        facts = {
            "command": f'"{self.command}"',
            "changes_tried": self.tried,
            "changes_kept": self.kept,
            "won": round(self.won, 2),
            "games": self.games,
        }
        return weights_file(self.title, facts, self.weights)


def weights_file(title: str, facts: Mapping[str, object], values: Mapping[str, float]) -> str:
    """The file `judge.toml` of a title: where its weights come from, and the weights."""
    lines = [
        f"# What the judge of this title weighs; `cuberails lab tune {title}` and `lab climb {title}` write this file.",
        "",
        "[fitted]",
        f"date = {date.today().isoformat()}",
        *(f"{name} = {value}" for name, value in facts.items()),
        "",
        "[weights]",
        *(f"{name} = {round(value, 4)}" for name, value in values.items()),
    ]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Ring:
    """Where new weights are tried against old ones, in so many games between bots of so many simulations."""

    title: str
    games: int
    seed: int
    jobs: int
    bar: Bar
    simulations: int = SIMULATIONS

    @property
    def players(self) -> int:
        return max(3, load(self.title).least_players)

    def contest(self, new: Mapping[str, float], old: Mapping[str, float], what: str) -> float:
        """How many games a bot with the new weights wins, alone among bots with the old ones."""
        play = partial(_play, self.title, self.players, self.simulations, f"{self.seed} {what}", new, old)
        return sum(self.bar(side_by_side(play, range(self.games), self.jobs), what, self.games))

    def is_better(self, won: float) -> bool:
        """Whether so many wins are more than luck."""
        even = 1 / self.players
        return won / self.games - even > SURE * sqrt(even * (1 - even) / self.games)


def _play(
    title: str, players: int, budget: int, seed: str, new: Mapping[str, float], old: Mapping[str, float], number: int
) -> float:
    """One game: the part in the win of the bot with the new weights."""
    game, style = load(title).new(players, {}), Style(simulations=budget)
    challenger = number % players
    knows = [judge_with(title, new if seat == challenger else old) for seat in range(players)]
    bots = [Thinker(f"{seed} {number} {seat}", style, knows=judge) for seat, judge in enumerate(knows)]
    for _ in turns(game, bots, Random(f"contest {seed} {number}")):
        pass
    return game.parts_in_the_win()[challenger]


def climb(ring: Ring, rounds: int) -> Climb:
    """Try each weight a little larger and a little smaller, then again in smaller steps."""
    first = best = weights(ring.title)
    tried = kept = 0
    for number in range(rounds):
        step = 1 + FIRST_STEP * NEXT_STEP**number
        for name in first:
            for factor in (step, 1 / step):
                changed = {**best, name: best[name] * factor}
                tried += 1
                if ring.is_better(ring.contest(changed, best, f"{name} × {factor:.2f}")):
                    best = changed
                    kept += 1
                    break
    won = ring.contest(best, first, "new weights against old")
    command = f"cuberails lab climb {ring.title} --games {ring.games} --rounds {rounds} --seed {ring.seed}"
    return Climb(ring.title, command, tried, kept, best, won, ring.games)
