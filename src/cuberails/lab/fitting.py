"""What the methods that fit a judge's weights share: the games they learn from, the contest at the end, the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import exp
from random import Random
from typing import Protocol, TypeAlias, TypeVar

from cuberails.bots.players import SearchBot, perturbed
from cuberails.bots.search import SearchConfig, collector_paused
from cuberails.core.board import Board
from cuberails.core.title import Title
from cuberails.lab.simulate import parallel_map, turns
from cuberails.titles import judge_with

SIMULATIONS = 48
"""The budget of the bots that try weights."""
CONTEST_PLAYERS = 3
"""The number of players when new weights play against old ones."""

Weights: TypeAlias = Mapping[str, float]
Item = TypeVar("Item")


class Bar(Protocol):
    """Shows progress: given items, what is done and how many there will be, it gives the items on."""

    def __call__(self, items: Iterable[Item], what: str, total: int, /) -> Iterable[Item]: ...


@dataclass(frozen=True)
class Fitting:
    """What is to be fitted, and how: the board, the number of games, the seed, the number of processes."""

    board: Board
    games: int
    seed: int
    jobs: int
    bar: Bar
    simulations: int = SIMULATIONS

    def contest(self, new: Weights, old: Weights, games: int) -> float:
        """How many games a bot with the new weights wins, alone against two with the old ones."""
        what = "new weights against old"
        play = partial(contest_game, self.board, self.simulations, f"{self.seed} {what}", new, old)
        return sum(self.bar(parallel_map(play, range(games), self.jobs), what, games))


@dataclass(frozen=True)
class Fitted:
    """The outcome: weights, and how many of the `contests` a bot with them won, alone among bots with those before.

    `loss` is how badly the judge predicted the winners with the weights before and with these, if that was measured.
    """

    board: Board
    command: str
    weights: Weights
    won: float
    contests: int
    loss: tuple[float, float] | None = None

    def to_toml(self) -> str:
        """The file `judge.toml` of the title: where its weights come from, and the weights."""
        board = () if self.board.built_in else (f'board = "{self.board.name}"',)
        loss = () if self.loss is None else (f"loss_before = {self.loss[0]:.4f}", f"loss = {self.loss[1]:.4f}")
        lines = [
            "# What the judge of this title weighs; `cuberails lab tune` and `lab climb` write this file.",
            "",
            "[fitted]",
            f"date = {date.today().isoformat()}",
            f'command = "{self.command}"',
            *board,
            *loss,
            f"won = {round(self.won, 2)}",
            f"contests = {self.contests}",
            "",
            "[weights]",
            *(f"{name} = {round(value, 4)}" for name, value in self.weights.items()),
        ]
        return "\n".join(lines) + "\n"


def contest_game(board: Board, simulations: int, seed: str, new: Weights, old: Weights, number: int) -> float:
    """One game: the share of the win of the bot with the new weights.

    All weights get a little noise, as those of bots have: without dice every game would be the same otherwise.
    """
    challenger, noise = number % CONTEST_PLAYERS, Random(f"taste {seed} {number}")
    sides = [new if seat == challenger else old for seat in range(CONTEST_PLAYERS)]
    won = play_with(board, simulations, f"{seed} {number}", [perturbed(side, noise) for side in sides])
    return won[challenger]


def play_with(board: Board, simulations: int, seed: str, weights: Sequence[Weights]) -> list[float]:
    """One game between bots with these weights: each seat's share of the win."""
    state, config = board.new(len(weights)), SearchConfig(simulations=simulations)
    judges = [judge_with(board.title.key, each) for each in weights]
    bots = [SearchBot(f"{seed} {seat}", config, judge=judge) for seat, judge in enumerate(judges)]
    with collector_paused():
        for _ in turns(state, bots, Random(f"contest {seed}")):
            pass
    return state.win_shares()


def table_size(title: Title, number: int) -> int:
    """How many play in the game with this number: all numbers of players from three on take turns."""
    counts = range(min(max(3, title.least_players), title.most_players), title.most_players + 1)
    return counts[number % len(counts)]


def scaled(weights: Weights, logarithms: Iterable[float]) -> dict[str, float]:
    """Each weight times e to the power of a number: methods search for these powers, so that no weight changes sign."""
    return {name: value * exp(power) for (name, value), power in zip(weights.items(), logarithms, strict=True)}
