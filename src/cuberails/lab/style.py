"""Style: the habits that bots show in many games, as figures, so that style is seen and not guessed.

Here is what can be seen in any title, from scenes and events alone; a title's own room `habits.py` sees the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from cuberails.bots.search import collector_paused
from cuberails.core.action import Action
from cuberails.core.event import Ended, Event, Forced, dividends_of
from cuberails.core.habits import (
    ENDINGS,
    IDLE_MONEY,
    LENGTH,
    OPENINGS,
    UNUSED,
    Amounts,
    Frequency,
    Habit,
    Habits,
    Tally,
)
from cuberails.core.scene import Company, Scene
from cuberails.core.state import CHANCE, State
from cuberails.lab.executor import Executor, Local
from cuberails.lab.simulate import TOO_LONG, Match, players_of, turns
from cuberails.titles import scene

TREASURY = "Treasury"
"""The label under which scenes tell what a railroad has."""
ROUNDS_OF_OPENING = 2
"""So many decisions of each seat, on the average, are the opening."""


@dataclass
class Style:
    """The habits in the games of a match."""

    match: Match
    games: int
    habits: list[Habit]

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**self.match.to_json(), "games": self.games, "habits": [_plain(habit) for habit in self.habits]}


def style(match: Match, games: Iterable[list[Habit]]) -> Style:
    """The habits of these games together, topic by topic."""
    count, found = 0, dict[tuple[str, str], Habit]()
    for habits in games:
        count += 1
        for habit in habits:
            key = habit.topic, habit.what
            if key in found:
                found[key].merge(habit)
            else:
                found[key] = habit
    topics = list(dict.fromkeys(topic for topic, _ in found))
    return Style(match, count, sorted(found.values(), key=lambda habit: topics.index(habit.topic)))


def watched(match: Match, games: int, executor: Executor | None = None) -> Iterator[list[Habit]]:
    """The habits of each game, in order; without an executor they are played here, one after the other."""
    match.check()
    return (executor or Local()).map(partial(watch_one, match), range(games))


def watch_one(match: Match, number: int) -> list[Habit]:
    """The habits in the game with this number: the same game as that of a simulation."""
    state = match.board.new(match.players, match.options)
    with collector_paused():
        actions = [action for _, action, _ in turns(state, *players_of(match, number))]
    return habits_of(match.board.new(match.players, match.options), actions)


def habits_of(first: State, actions: Iterable[Action]) -> list[Habit]:
    """The habits in the game that these actions make of a first position."""
    own = Habits(first) if first.title.habits is None else first.title.habits(first)
    watchers = [CommonHabits(first, own), own]
    before = first
    for action in actions:
        after = before.copy()
        events = [event.event if isinstance(event, Forced) else event for event in after.apply(action)]
        for watcher in watchers:
            watcher.see(before, action, events, after)
        before = after
    return [habit for watcher in watchers for habit in watcher.found(before)]


# What can be seen in any title


class CommonHabits(Habits):
    """Watches a game of any title; its `own` habits say how games can end, and who never builds."""

    def __init__(self, first: State, own: Habits) -> None:
        self.endings_known = own.endings(first.board)
        self.builds_never = own.never_build(first.board)
        self.decisions: list[str] = []
        self.ending = TOO_LONG
        self.paid: set[str] = set()
        """The companies that have paid dividends, as gains name them."""
        self.begun: dict[str, int] = {}
        """The companies that have started, with the track that they had then."""
        self.built: set[str] = set()
        self._look(scene(first))

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        if before.actor != CHANCE:
            self.decisions.append(action.text)
        for event in events:
            if isinstance(event, Ended):
                self.ending = event.why
            self.paid.update(gain.source for gain in event.gains() if any(gain.amounts))
        self._look(scene(after))

    def _look(self, seen: Scene) -> None:
        """Which companies have started by now, and which have built since."""
        for company in seen.companies:
            name = company.piece.name
            if name in self.built:
                continue
            track = _track(seen, name)
            if company.started:
                if track > self.begun.setdefault(name, track):
                    self.built.add(name)
            elif track == 0:
                self.begun.pop(name, None)  # it was about to start, and did not

    def found(self, last: State) -> list[Habit]:
        companies = scene(last).companies
        return [
            Tally(ENDINGS, "how games end", self.endings_known, [self.ending]),
            Amounts(LENGTH, "decisions", seen=[len(self.decisions)]),
            Amounts(LENGTH, "score of the winner", seen=[max(last.scores())]),
            Amounts(LENGTH, "score of the last", seen=[min(last.scores())]),
            *self._openings(last.players),
            *_treasuries(companies),
            *self._unused([company.piece.name for company in companies]),
        ]

    def _openings(self, players: int) -> list[Habit]:
        count = ROUNDS_OF_OPENING * players
        return [
            Tally(OPENINGS, "the first decision", seen=self.decisions[:1]),
            Tally(OPENINGS, f"the first {players} decisions", seen=["; ".join(self.decisions[:players])]),
            Tally(OPENINGS, f"the first {count} decisions", seen=["; ".join(self.decisions[:count])]),
        ]

    def _unused(self, names: list[str]) -> list[Habit]:
        never = [name for name in names if name not in self.begun]
        idle = [name for name in names if name in self.begun and name not in {*self.built, *self.builds_never}]
        found: list[Habit] = [
            Tally(UNUSED, "railroads never started", seen=never),
            Tally(UNUSED, "railroads started that built nothing", seen=idle),
        ]
        paying = {name for name in names if dividends_of(name, []).source in self.paid}
        if paying:
            poor = [name for name in names if name in self.begun and name not in paying]
            found.append(Tally(UNUSED, "railroads started that never paid a dividend", seen=poor))
        return found


def _track(seen: Scene, company: str) -> int:
    """How many pieces of a company are on the map; goods are no track."""
    pieces = [piece for tile in seen.map.tiles for piece in tile.cubes] + [link.piece for link in seen.map.links]
    return sum(piece is not None and piece.name == company and not piece.pawn for piece in pieces)


def _treasuries(companies: Sequence[Company]) -> list[Habit]:
    """What is left in treasuries, where railroads have one."""
    left = {company.piece.name: dict(company.facts).get(TREASURY, "") for company in companies}
    money = {name: int(text[1:]) for name, text in left.items() if text.startswith("$")}
    found: list[Habit] = [
        Amounts(IDLE_MONEY, f"left in the treasury of {name}", "$", [amount]) for name, amount in money.items()
    ]
    return [Amounts(IDLE_MONEY, "left in all treasuries together", "$", [sum(money.values())]), *found] if money else []


# Figures of habits


def _plain(habit: Habit) -> dict[str, Any]:
    named = {"topic": habit.topic, "what": habit.what}
    if isinstance(habit, Frequency):
        return {**named, "times": habit.times, "of": habit.of, "share": share_of(habit)}
    if isinstance(habit, Amounts):
        return {**named, "unit": habit.unit, **_spread(habit.seen), "seen": habit.seen}
    assert isinstance(habit, Tally)
    return {**named, "games": habit.games, "seen": dict(counts_of(habit)), "never": never_seen(habit)}


def share_of(habit: Frequency) -> float | None:
    return habit.times / habit.of if habit.of else None


def _spread(seen: Sequence[int]) -> dict[str, float | None]:
    if not seen:
        return {"mean": None, "least": None, "most": None}
    return {"mean": fmean(seen), "least": min(seen), "most": max(seen)}


def counts_of(habit: Tally) -> list[tuple[str, int]]:
    """What was seen and how often, the most frequent first."""
    return Counter(habit.seen).most_common()


def never_seen(habit: Tally) -> list[str]:
    return [name for name in habit.possible if name not in habit.seen]
