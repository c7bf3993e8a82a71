"""Weights that win: bots that weigh a little differently play each other, and the weights move towards the winners'.

That is slower than `tune`, and surer: a judge that foretells winners better need not choose better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import exp
from random import Random
from statistics import mean, variance
from typing import Protocol, TypeVar

from cuberails.bots.players import SearchBot, perturbed
from cuberails.bots.search import SearchConfig, collector_paused
from cuberails.lab.simulate import side_by_side, turns
from cuberails.titles import judge_with, load, weights

SIMULATIONS = 48
"""The budget of the bots that try weights."""
SPREAD = 0.4
"""By what part, about, the weights of the bots that play each other differ from those before."""
DUEL = 3
"""So many sit at the table when new weights play against old ones."""
STRIDE = 3.0
"""How far the weights go: so many times as far as the winners' were from the others'."""

Item = TypeVar("Item")


class Bar(Protocol):
    """Shows how far the work is: items, what is done, how many there will be."""

    def __call__(self, items: Iterable[Item], what: str, total: int, /) -> Iterable[Item]: ...


@dataclass(frozen=True)
class Climb:
    """The outcome: weights, and how many of `games` a bot with them won, alone among bots with the weights before."""

    title: str
    command: str
    weights: Mapping[str, float]
    won: float
    games: int

    def to_toml(self) -> str:
        """The file `judge.toml` of the title."""
        facts = {
            "command": f'"{self.command}"',
            "won": round(self.won, 2),
            "games": self.games,
        }
        return weights_file(self.title, facts, self.weights)


def weights_file(title: str, facts: Mapping[str, object], values: Mapping[str, float]) -> str:
    """The file `judge.toml` of a title: where its weights come from, and the weights."""
    lines = [
        "# What the judge of this title weighs; `cuberails lab tune` and `lab climb` write this file.",
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
    """Where weights are tried, in so many games between bots of so many simulations.

    The games of a round go through all numbers of players from three on; a contest has three.
    """

    title: str
    games: int
    seed: int
    jobs: int
    bar: Bar
    simulations: int = SIMULATIONS

    def contest(self, new: Mapping[str, float], old: Mapping[str, float], what: str) -> float:
        """How many games a bot with the new weights wins, alone against two with the old ones."""
        play = partial(_contest, self.title, self.simulations, f"{self.seed} {what}", new, old)
        return sum(self.bar(side_by_side(play, range(self.games), self.jobs), what, self.games))

    def leanings(self, values: Mapping[str, float], what: str) -> list[dict[str, float]]:
        """For each game, how much larger the winner weighed things than the others; as powers of e."""
        play = partial(_leaning, self.title, self.simulations, f"{self.seed} {what}", values)
        return list(self.bar(side_by_side(play, range(self.games), self.jobs), what, self.games))


def _contest(
    title: str, budget: int, seed: str, new: Mapping[str, float], old: Mapping[str, float], number: int
) -> float:
    """One game: the part in the win of the bot with the new weights.

    All have a taste of their own, as bots have: where there are no dice, every game would be the same without it.
    """
    challenger, chance = number % DUEL, Random(f"taste {seed} {number}")
    sides = [new if seat == challenger else old for seat in range(DUEL)]
    won = _play(title, budget, f"{seed} {number}", [perturbed(side, chance) for side in sides])
    return won[challenger]


def _leaning(title: str, budget: int, seed: str, values: Mapping[str, float], number: int) -> dict[str, float]:
    """One game between bots that weigh by chance more or less: what the winner weighed more than all on average."""
    players, chance = table_size(title, number), Random(f"leaning {seed} {number}")
    leans = [{name: chance.gauss(0.0, SPREAD) for name in values} for _ in range(players)]
    won = _play(title, budget, f"{seed} {number}", [moved(values, lean) for lean in leans])
    return {name: sum((part - 1 / players) * lean[name] for part, lean in zip(won, leans)) for name in values}


def _play(title: str, budget: int, seed: str, values: Sequence[Mapping[str, float]]) -> list[float]:
    """One game between bots that weigh like this: each seat's part in the win."""
    state, config = load(title).new(len(values), {}), SearchConfig(simulations=budget)
    bots = [SearchBot(f"{seed} {seat}", config, judge=judge_with(title, each)) for seat, each in enumerate(values)]
    with collector_paused():
        for _ in turns(state, bots, Random(f"contest {seed}")):
            pass
    return state.win_shares()


def table_size(title: str, number: int) -> int:
    """How many play in the game with this number: all numbers of players from three on take turns."""
    found = load(title)
    counts = range(max(3, found.least_players), found.most_players + 1)
    return counts[number % len(counts)]


def moved(values: Mapping[str, float], lean: Mapping[str, float]) -> dict[str, float]:
    """Weights that lean to one side: each times this power of e."""
    return {name: value * exp(lean[name]) for name, value in values.items()}


def climb(ring: Ring, rounds: int) -> Climb:
    """Move all weights to where the winners' were, and again from there."""
    first = best = dict(weights(ring.title))
    for number in range(rounds):
        found = ring.leanings(best, f"round {number + 1}")
        best = moved(best, {name: STRIDE * beyond_luck([lean[name] for lean in found]) for name in best})
    won = ring.contest(best, first, "new weights against old")
    command = f"cuberails lab climb {ring.title} --games {ring.games} --rounds {rounds} --seed {ring.seed}"
    return Climb(ring.title, command, best, won, ring.games)


def beyond_luck(leanings: Sequence[float]) -> float:
    """The mean, made smaller by as much as luck may have to do with it: nothing is left of what luck alone can do."""
    average = mean(leanings)
    luck = variance(leanings) / len(leanings)
    return average * max(0.0, 1.0 - luck / average**2) if average else 0.0
