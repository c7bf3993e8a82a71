"""Weights that choose: actions of many positions are played out, and the judge learns to tell their outcomes apart.

Who foretells winners well need not choose well, since most of what decides a game is the same after every action. So
here only differences between the actions of one position count, all played out with the same luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from cuberails.bots.players import Thinker
from cuberails.bots.search import AHEAD, Search, uncollected
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.judge import Judge
from cuberails.core.playout import after, sample
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.lab.climb import Bar, Ring, moved, table_size
from cuberails.lab.simulate import side_by_side, turns
from cuberails.lab.tune import CONTESTS, SLIPS, TEACHER, Fit, descend
from cuberails.titles import judge_with, load, weights

POSITIONS = 4
"""So many positions of each game are looked at."""
ACTIONS = 6
"""So many actions of each, at most, are played out."""
LEAN = 0.1
"""By what part, about, those who play out weigh differently: without dice all their games would be the same."""


@dataclass(frozen=True)
class Trial:
    """A decision: for each action the position when the seat's turn is over, and by how much it ended better.

    `gains` are differences between what the seat was ahead of the others' mean in the end and the mean of all actions.
    """

    seat: int
    positions: list[State]
    gains: list[float]


def weigh(title: str, games: int, playouts: int, seed: int, jobs: int, bar: Bar) -> Fit:
    """Let bots play, play out what they could have done, and fit the weights to what came of it.

    Told is what part of the differences is `explained`. It cannot be all: dice and what others do decide the rest.
    """
    first = weights(title)
    played = list(bar(trials(title, first, playouts, seed, range(games), jobs), "playing out", games))
    studied = [trial for count, state in enumerate(played) if count % 4 for trial in state]
    unseen = [trial for state in played[::4] for trial in state]
    best = descend(first, lambda values: 1.0 - explained(judge_with(title, values), studied))
    before, after = (explained(judge_with(title, values), unseen) for values in (first, best))
    ring = Ring(title, min(games, CONTESTS), seed, jobs, bar)
    won = ring.contest(best, first, "new weights against old")
    command = f"cuberails lab weigh {title} --games {games} --playouts {playouts} --seed {seed}"
    return Fit(title, command, games, best, before, after, won, ring.games, "explained")


def explained(judge: Judge, tried: Sequence[Trial]) -> float:
    """What part of the differences between actions a judge foretells: 1 if all, 0 if it might as well say nothing."""
    missed = total = 0.0
    for trial in tried:
        leads = [_ahead(judge.worth(position), trial.seat) for position in trial.positions]
        for foretold, gain in zip(_differences(leads), trial.gains, strict=True):
            missed += (foretold - gain) ** 2
            total += gain**2
    return 1.0 - missed / total if total else 0.0


def _ahead(values: Sequence[float], seat: int) -> float:
    """How far the seat is ahead of the others' mean."""
    return values[seat] - (sum(values) - values[seat]) / (len(values) - 1)


def _differences(values: Sequence[float]) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]


# Playing out


def trials(
    title: str, values: Mapping[str, float], playouts: int, seed: int, numbers: range, jobs: int
) -> Iterator[list[Trial]]:
    """What was tried, game by game, by bots that weigh like this."""
    found = side_by_side(partial(_try_out, title, values, playouts, seed), numbers, jobs)
    for number, tried in zip(numbers, found, strict=True):
        yield [_trial(load(title).new(table_size(title, number), {}), *each) for each in tried]


def _trial(state: State, history: list[int], lines: list[list[int]], leads: list[float]) -> Trial:
    """A decision from the numbers of the actions before it and, for each way to go on, of those after it."""
    everything = state.board.actions.all
    for action in history:
        state.play(everything[action])
    ends = []
    for line in lines:
        end = state.copy()
        for action in line:
            end.play(everything[action])
        ends.append(end)
    return Trial(state.phase.actor, ends, _differences(leads))


def _try_out(
    title: str, values: Mapping[str, float], playouts: int, seed: int, number: int
) -> list[tuple[list[int], list[list[int]], list[float]]]:
    """One game between teachers, and what would have come of some actions at some of its decisions."""
    rng = Random(f"weigh {seed} {number}")
    game, knows = load(title).new(table_size(title, number), {}), judge_with(title, values)
    bots = [Thinker(f"{seed} {number} {seat}", TEACHER, SLIPS, knows=knows) for seat in range(game.players)]
    search = Search(knows, TEACHER, rng)
    leans = [{name: rng.gauss(0.0, LEAN) for name in values} for _ in range(playouts)]
    others = [Search(judge_with(title, moved(values, lean)), TEACHER, rng) for lean in leans]
    history: list[int] = []
    choices: list[tuple[int, State]] = []
    with uncollected():
        for actor, action, _ in turns(game, bots, rng):
            if actor != CHANCE:
                choices.append((len(history), game.copy()))
            history.append(action.id)
        chosen = rng.sample(choices, min(POSITIONS, len(choices)))
        return [(history[:count], *_outcomes(search, state, others, rng.random())) for count, state in chosen]


def _outcomes(
    search: Search, state: State, others: Sequence[Search], luck: float
) -> tuple[list[list[int]], list[float]]:
    """For some of the actions: how the turn goes on after it, and how far ahead the seat is in the end, on average.

    Each of the others plays it out once, for all seats.
    """
    seat = state.phase.actor
    lines, leads = [], []
    for action in _promising(search, state):
        line, end = _turn(search, state, action)
        ends = [_played_out(other, end, Random(f"{luck} {n}")) for n, other in enumerate(others)]
        lines.append(line)
        leads.append(sum(_ahead(end.scores(), seat) for end in ends) / len(ends))
    return lines, leads


def _promising(search: Search, state: State) -> list[Action]:
    """What looks best at once, the best of each kind first: the rest is hardly ever chosen."""
    seat = state.phase.actor
    ranked = sorted(search.worth_a_look(state), key=lambda look: -look.reward[seat])
    kinds = {look.action.kind: look.action for look in reversed(ranked)}
    others = [look.action for look in ranked if kinds[look.action.kind] is not look.action]
    return [*kinds.values(), *others][:ACTIONS]


def _turn(search: Search, state: State, action: Action) -> tuple[list[int], State]:
    """An action and what looks best after it, as long as the same seat goes on."""
    line, seat, state = [action.id], state.phase.actor, after(state, action)
    while state.phase.actor == seat and not isinstance(state.phase, Auction) and len(line) <= AHEAD:
        look = search.at_once(state)
        line.append(look.action.id)
        state = look.after
    return line, state


def _played_out(search: Search, state: State, dice: Random) -> State:
    """The end, if everybody takes what looks best at once."""
    state = state.copy()
    while state.phase.actor != NOBODY and not state.too_long:
        state.play(sample(state, dice) if state.phase.actor == CHANCE else search.at_once(state).action)
    return state
