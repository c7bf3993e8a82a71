"""Many games between bots, each reproducible from the seed and its number alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from itertools import permutations
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from cuberails.bots import Bot, make
from cuberails.bots.search import collector_paused
from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Ended
from cuberails.core.game import Game
from cuberails.core.playout import sample
from cuberails.core.state import CHANCE, State
from cuberails.core.title import SetupError
from cuberails.lab.executor import Executor, Local
from cuberails.lab.linefile import LineFile

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
"""What players are called in games that are recorded."""
TOO_LONG = "stopped: too long"
"""The ending of a game that went on for so long that a simulation stopped it."""


@dataclass(frozen=True)
class Match:
    """What is played: a board, the bots in the order in which they sit down, and a seed.

    A shorter list of bots is dealt round the table again and again. From game to game everybody moves on by one
    seat, and then sits next to others, until all have sat in every way: no bot owes its result to where it sits.
    """

    board: Board
    players: int
    bots: tuple[str, ...]
    seed: int = 0
    options: Mapping[str, str] = field(default_factory=dict)

    def check(self) -> None:
        """SetupError if this cannot be played."""
        self.board.new(self.players, self.options)
        if not self.bots:
            raise SetupError("a match needs at least one bot")
        if len(self.bots) > self.players:
            raise SetupError(f"{len(self.bots)} bots are too many for {self.players} seats")
        for name in self.bots:
            make(name, 0)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; a board is named by its digest."""
        return {
            "title": self.board.title.key,
            "board": self.board.digest,
            "players": self.players,
            "bots": list(self.bots),
            "seed": self.seed,
            "options": dict(self.options),
        }

    def seating(self, number: int) -> tuple[str, ...]:
        """Who sits where in the game with this number."""
        return self._seatings[number % len(self._seatings)]

    @cached_property
    def _seatings(self) -> list[tuple[str, ...]]:
        """Every way to sit, each followed by those in which everybody moves on by one seat."""
        first, *others = (self.bots[seat % len(self.bots)] for seat in range(self.players))
        rounds = [(first, *rest) for rest in permutations(others)]
        turned = (seats[by:] + seats[:by] for seats in rounds for by in range(self.players))
        return list(dict.fromkeys(turned))


@dataclass(frozen=True)
class Result:
    """How one game went; `ending` is the reason, alike for all games that end this way, and its rule."""

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    ending: str
    thought: tuple[tuple[int, float], ...] = field(default=(), compare=False)
    """For each seat how often it decided, and for how many seconds in all."""


@dataclass
class Share:
    """What a seat or a bot got out of its games; a shared win counts as a part."""

    games: int = 0
    wins: float = 0.0
    points: int = 0

    @property
    def win_share(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def mean_score(self) -> float:
        return self.points / self.games if self.games else 0.0

    def add(self, won: float, score: int) -> None:
        self.games += 1
        self.wins += won
        self.points += score


@dataclass
class Summary:
    """Many games in figures. A bot that sits at two seats of a game counts twice in it."""

    games: int
    decisions: int
    seats: list[Share]
    bots: dict[str, Share]
    endings: Counter[str]

    @property
    def mean_decisions(self) -> float:
        return self.decisions / self.games if self.games else 0.0


def simulate(match: Match, games: int, executor: Executor | None = None) -> Summary:
    """Play this many games and sum them up; the same whoever plays them."""
    return summarize(results(match, games, executor))


def results(match: Match, games: int, executor: Executor | None = None, file: Path | None = None) -> Iterator[Result]:
    """The games one by one, in order, played by the executor, or else in this process.

    A file keeps them: those that it has are not played again, and it gets the others.
    """
    match.check()
    executor = executor or Local()
    return _resumed(match, games, executor, file) if file else executor.map(partial(play_one, match), range(games))


def _resumed(match: Match, games: int, executor: Executor, path: Path) -> Iterator[Result]:
    with LineFile(path) as file:
        header = {"arena": 1, **match.to_json()}
        lines = file.resume(header, board=match.board.title.board.digest)  # older files do not name built-in boards
        try:
            kept = [_result(line) for line in lines]
        except (KeyError, TypeError, ValueError) as error:
            raise SetupError(f"{path} is not a file of games: {error!r}; name another file") from None
        yield from kept[:games]
        for result in executor.map(partial(play_one, match), range(len(kept), games)):
            file.append(asdict(result))
            yield result


def _result(entry: dict[str, Any]) -> Result:
    return Result(
        tuple(entry["bots"]),
        tuple(entry["scores"]),
        tuple(entry["winners"]),
        entry["decisions"],
        entry["ending"],
        tuple((count, seconds) for count, seconds in entry["thought"]),
    )


def play_one(match: Match, number: int) -> Result:
    """The game with this number."""
    state = match.board.new(match.players, match.options)
    bots, dice = players_of(match, number)
    decisions, thought = 0, [(0, 0.0)] * match.players
    before, last = state, None
    with collector_paused():
        for actor, action, seconds in turns(state, bots, dice):
            before, last = state.copy(), action
            decisions += 1
            if actor != CHANCE:
                count, so_far = thought[actor]
                thought[actor] = count + 1, so_far + seconds
    ending = _ending(before, last)
    seating = match.seating(number)
    return Result(seating, tuple(state.scores()), tuple(state.winners()), decisions, ending, tuple(thought))


def play_recorded(match: Match, number: int) -> Game:
    """The same game with its history, its players called by the names in NAMES."""
    game = Game(match.board, NAMES[: match.players], match.options)
    with collector_paused():
        for _, action, _ in turns(game.state.copy(), *players_of(match, number)):
            game.apply(action)
    return game


def players_of(match: Match, number: int) -> tuple[list[Bot], Random]:
    """The bots at the seats of the game with this number, and its dice."""
    bots = [make(name, f"{match.seed} {number} {seat}") for seat, name in enumerate(match.seating(number))]
    return bots, Random(f"chance {match.seed} {number}")


def turns(state: State, bots: Sequence[Bot], dice: Random) -> Iterator[tuple[int, Action, float]]:
    """Play a game: before each action who takes it, which it is, and for how many seconds they thought.

    IllegalAction if a bot chooses what is not legal.
    """
    while state.actor is not None and not state.too_long:
        began, actor = perf_counter(), state.actor
        action = sample(state, dice) if actor == CHANCE else bots[actor].choose(state)
        yield actor, action, perf_counter() - began
        if action not in state.legal_actions():
            state.apply(action)  # which refuses it and says why
        state.play(action)
        for bot in bots:
            bot.observe(action)


def _ending(before: State, last: Action | None) -> str:
    """Why the game ended. It was played without events, so its last action is applied once more, to a copy."""
    events = before.copy().apply(last) if last is not None else []
    for event in events:
        if isinstance(event, Ended):
            return event.why
    return TOO_LONG


def summarize(played: Iterable[Result]) -> Summary:
    """The figures of these games."""
    summary = Summary(0, 0, [], {}, Counter())
    for result in played:
        summary.games += 1
        summary.decisions += result.decisions
        summary.endings[result.ending] += 1
        _share_out(summary, result)
    return summary


def _share_out(summary: Summary, result: Result) -> None:
    while len(summary.seats) < len(result.scores):
        summary.seats.append(Share())
    for seat, score in enumerate(result.scores):
        won = 1 / len(result.winners) if seat in result.winners else 0.0
        summary.seats[seat].add(won, score)
        summary.bots.setdefault(result.bots[seat], Share()).add(won, score)
