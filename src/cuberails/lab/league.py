"""The games that a learned judge learns from, and those that try it: self-play in a league of opponents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from random import Random
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cuberails.bots.players import Bot, SearchBot, make
from cuberails.bots.search import OnProgress, Search, SearchConfig, collector_paused
from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.judge import Judge
from cuberails.core.learned import Learned
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE, State
from cuberails.core.title import Title
from cuberails.lab.executor import Executor
from cuberails.lab.simulate import turns
from cuberails.titles import features_of, judge, judge_for, judge_with, weights

POSITIONS = 60
"""About how many positions of a game are lessons."""
WHOLE_TURNS = 0.25
"""How often a player compares whole turns instead of single actions: that is ten times as slow."""
STRANGERS = 0.5
"""In this part of all games some seats are taken by opponents of the league."""
QUICK = 8
"""The simulations of quick bots that search."""
WEIGHT_NOISE = 0.05
"""The relative standard deviation of the weights of hand-made opponents, so that they differ."""

HAND, HAND_TURNS, HAND_SEARCH, GREEDY = "hand", "hand whole turns", f"hand search {QUICK}", "greedy"
MEMBERS = {HAND: 6, HAND_TURNS: 2, HAND_SEARCH: 1, GREEDY: 1}
"""The opponents beside earlier checkpoints, with how often they play: the hand-made judge with each kind of planner."""
ONE_PLY_MEMBERS = {HAND: 6, HAND_TURNS: 2}
"""Those that play long games, too."""

Item = TypeVar("Item")


class Bar(Protocol):
    """Shows progress: given items, what is done and how many there will be, it gives the items on."""

    def __call__(self, items: Iterable[Item], what: str, total: int, /) -> Iterable[Item]: ...


class Planner(Bot):
    """One-ply search with a judge: takes the best action, or where `whole_turns` the one that begins the best turn.

    `temperature` is the scale of Gumbel noise on the rewards, which are chances to win; `wander` how often any legal
    action is taken. `wandered` says whether the last choice was such a one.
    """

    name = "planner"

    def __init__(
        self, seed: int | str, judge: Judge, whole_turns: bool, temperature: float = 0.0, wander: float = 0.0
    ) -> None:
        super().__init__(seed)
        self.whole_turns = whole_turns
        self.temperature = temperature
        self.wander = wander
        self.wandered = False
        self._search = Search(judge, SearchConfig(win_weight=1.0), self.rng)

    def choose(self, state: State, on_progress: OnProgress | None = None) -> Action:
        self.wandered = self.rng.random() < self.wander
        if self.wandered:
            return pick(state, self.rng)
        seat = state.phase.actor
        found = self._search.candidates(state, self.whole_turns)
        return max(found, key=lambda each: each.reward[seat] + self._noise()).action

    def _noise(self) -> float:
        return -self.temperature * log(-log(self.rng.random() or 0.5)) if self.temperature else 0.0


@dataclass(frozen=True)
class Play:
    """How a generation plays: the judge that learns, earlier ones, and how much is tried out."""

    board: Board
    seed: int
    pupil: Learned
    checkpoints: tuple[Learned, ...]
    temperature: float
    wander: float
    from_hand: bool = False
    """Whether hand-made bots play all seats, as they do before there is anything to play with."""
    one_ply: bool = False
    """Whether only opponents that do not search take part."""

    def lesson(self, number: int) -> Lesson:
        """The game with this number, as a lesson."""
        rng = Random(f"lesson {self.seed} {number}")
        state = self.board.new(table_size(self.board.title, number))
        bots = self._bots(state.players, rng)
        notes = Notes(self.board, self.pupil)
        with collector_paused():
            for actor, _, _ in turns(state, bots, Random(f"chance {self.seed} {number}")):
                bot = bots[actor] if actor != CHANCE else None
                notes.see(state, isinstance(bot, Planner) and bot.wandered)
        return notes.lesson(state)

    def _bots(self, players: int, rng: Random) -> list[Bot]:
        strangers = 0
        if self.from_hand:
            strangers = players
        elif rng.random() < STRANGERS:
            strangers = rng.randrange(1, players)
        taken = set(rng.sample(range(players), strangers))
        pupil = judge_for(self.board, known=self.pupil)
        return [self._stranger(rng) if seat in taken else self._planner(pupil, rng) for seat in range(players)]

    def _planner(self, judge: Judge, rng: Random) -> Planner:
        whole_turns = rng.random() < WHOLE_TURNS
        return Planner(rng.getrandbits(40), judge, whole_turns, self.temperature, self.wander)

    def _stranger(self, rng: Random) -> Bot:
        """An earlier checkpoint, as often as not, or another member of the league."""
        if self.checkpoints and not self.from_hand and rng.random() < 0.5:
            return self._planner(judge_for(self.board, known=rng.choice(self.checkpoints)), rng)
        members = ONE_PLY_MEMBERS if self.one_ply else MEMBERS
        return opponent(self.board, rng.choices([*members], [*members.values()])[0], rng, self.temperature)


def opponent(board: Board, member: str, rng: Random, temperature: float = 0.0) -> Bot:
    """A member of the league by name, with weights of its own."""
    seed, key = rng.getrandbits(40), board.title.key
    if member == GREEDY:
        return make(member, seed)
    own = judge_with(key, _own_weights(board, rng))
    if member == HAND_SEARCH:
        return SearchBot(seed, SearchConfig(QUICK), judge=own)
    return Planner(seed, own, member == HAND_TURNS, temperature)


# Lessons


@dataclass(frozen=True)
class Lesson:
    """Positions of one game: `rows` by position, seat and feature; `hand` is what the hand-made judge says of them.

    `wandered` tells after which of them an action was taken that nobody wanted. `won` and `scores` are the end.
    """

    rows: NDArray[np.float16]
    hand: NDArray[np.float32]
    wandered: NDArray[np.bool_]
    won: NDArray[np.float32]
    scores: NDArray[np.float32]


class Notes:
    """What is written down of a game while it is played: every second, fourth, eighth … position, if it is long."""

    def __init__(self, board: Board, pupil: Learned) -> None:
        self._features = features_of(board)
        self._hand = judge(board.title.key)
        self._hand_part = pupil.hand_part
        self._unit = pupil.score_unit
        self._rows: list[list[list[float]]] = []
        self._said: list[list[tuple[float, float]]] = []
        self._wandered: list[bool] = []
        self._every = 1
        self._seen = 0

    def see(self, state: State, wandered: bool) -> None:
        """A position, before an action that nobody wanted if somebody `wandered`."""
        self._seen += 1
        if self._seen % self._every:
            if wandered and self._wandered:
                self._wandered[-1] = True
            return
        self._rows.append(self._features.rows(state))
        values = self._hand.worth(state)
        scale = self._hand_part / self._hand.spread(state, values)
        self._said.append([(scale * value, self._hand_part * value / self._unit) for value in values])
        self._wandered.append(wandered)
        if len(self._rows) >= 2 * POSITIONS:
            self._every *= 2
            self._thin_out()

    def _thin_out(self) -> None:
        """Keep every second position; an action that nobody wanted is remembered by the one before it."""
        pairs = zip(self._wandered[::2], self._wandered[1::2], strict=True)
        self._wandered = [one or other for one, other in pairs]
        del self._rows[1::2], self._said[1::2]

    def lesson(self, end: State) -> Lesson:
        return Lesson(
            np.array(self._rows, np.float16),
            np.array(self._said, np.float32),
            np.array(self._wandered, np.bool_),
            np.array(end.win_shares(), np.float32),
            np.array(end.scores(), np.float32),
        )


def table_size(title: Title, number: int) -> int:
    """How many play in the game with this number: three or four, and in every fifth game any number."""
    usual = [count for count in (3, 4) if title.least_players <= count <= title.most_players]
    every = range(title.least_players, title.most_players + 1)
    if number % 5 == 4 or not usual:
        return every[number // 5 % len(every)]
    return usual[number % len(usual)]


# Trials

Known = Learned | None
"""What a judge has learned; None is the hand-made judge."""


@dataclass(frozen=True)
class Trial:
    """Games of a judge alone against others of a kind: a member of the league, or another judge.

    Judges have QUICK bots that search, or where `one_ply` planners of single actions: games may be long.
    """

    board: Board
    seed: int
    pupil: Known
    against: str | Known
    players: int = 3
    one_ply: bool = False

    def game(self, number: int) -> float:
        """The share of the win in the game with this number."""
        rng = Random(f"trial {self.seed} {number}")
        seat = number % self.players
        state = self.board.new(self.players)
        bots = [self._pupil(rng) if other == seat else self._other(rng) for other in range(self.players)]
        with collector_paused():
            for _ in turns(state, bots, Random(f"trial chance {self.seed} {number}")):
                pass
        return state.win_shares()[seat]

    def _pupil(self, rng: Random) -> Bot:
        return self._bot(self.pupil, rng)

    def _other(self, rng: Random) -> Bot:
        if isinstance(self.against, str):
            return opponent(self.board, self.against, rng)
        return self._bot(self.against, rng)

    def _bot(self, known: Known, rng: Random) -> Bot:
        if known is None:
            return opponent(self.board, HAND if self.one_ply else HAND_SEARCH, rng)
        judge = judge_for(self.board, _own_weights(self.board, rng), known)
        if self.one_ply:
            return Planner(rng.getrandbits(40), judge, False)
        return SearchBot(rng.getrandbits(40), SearchConfig(QUICK), judge=judge)


def _own_weights(board: Board, rng: Random) -> dict[str, float]:
    return {name: value * rng.gauss(1.0, WEIGHT_NOISE) for name, value in weights(board.title.key).items()}


@dataclass(frozen=True)
class Cell:
    """How often a judge won alone against others of a kind."""

    judge: str
    rival: str
    players: int
    games: int
    wins: float


def pool(
    board: Board, judges: Mapping[str, Known], games: int, seed: int, executor: Executor, bar: Bar
) -> Iterator[Cell]:
    """Each judge against every member of the pool and the other judges, three and four players, by the same seeds.

    `games` a cell, all by bots with a quick budget.
    """
    sizes = [players for players in (3, 4) if board.title.least_players <= players <= board.title.most_players]
    for name, known in judges.items():
        rivals: dict[str, str | Known] = {member: member for member in (HAND_TURNS, HAND_SEARCH, GREEDY)}
        rivals.update({other: against for other, against in judges.items() if other != name and against is not None})
        if known is None:
            del rivals[HAND_SEARCH]  # that is itself
        for players in sizes:
            for rival, against in rivals.items():
                trial = Trial(board, seed, known, against, players)
                played = bar(executor.map(trial.game, range(games)), f"{name} against {rival}", games)
                yield Cell(name, rival, players, games, sum(played))


def mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares)
