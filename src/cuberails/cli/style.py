"""How the habits of bots are written for people: a table for each topic."""

from __future__ import annotations

from itertools import groupby
from statistics import fmean

from rich.console import Console
from rich.table import Column
from rich.text import Text

from cuberails.cli.shared import grid
from cuberails.core.habits import Amounts, Frequency, Habit, Tally
from cuberails.lab.style import Style, counts_of, never_seen, share_of

SHORT_NAME = 12
"""Names up to this length stand side by side, longer ones one below the other."""
MOST_LINES = 5
"""Of long names only so many are listed."""
WIDTH_OF_WORDS = 46


def print_style(out: Console, style: Style) -> None:
    match = style.match
    bots = ", ".join(dict.fromkeys(match.bots))
    games = "1 game" if style.games == 1 else f"{style.games} games"
    out.print(Text(f"{match.board.title.name}: {games} of {match.players} players ({bots}), seed {match.seed}"))
    for topic, habits in groupby(style.habits, key=lambda habit: habit.topic):
        table = grid(Column(topic, width=WIDTH_OF_WORDS), Column("", overflow="fold"), padding=1)
        for habit in habits:
            table.add_row(Text(habit.what), Text(figure(habit)))
        out.print()
        out.print(table)


def figure(habit: Habit) -> str:
    """What was found, in a few words."""
    if isinstance(habit, Frequency):
        share = share_of(habit)
        return "no occasion" if share is None else f"{habit.times} of {habit.of} ({share:.0%})"
    if isinstance(habit, Amounts):
        return _amounts(habit)
    assert isinstance(habit, Tally)
    return _tally(habit)


def _amounts(habit: Amounts) -> str:
    """The mean, the least and the most, and how many there were."""
    seen, unit = habit.seen, habit.unit
    if not seen:
        return "none"
    mean = f"{unit}{fmean(seen):,.1f}"
    spread = f"{unit}{min(seen):,} to {unit}{max(seen):,}" if min(seen) < max(seen) else "always"
    return f"{mean} ({spread}; {len(seen)} seen)"


def _tally(habit: Tally) -> str:
    """Short names side by side; of long ones how many there are, and the most frequent."""
    counts, games = counts_of(habit), _games(habit.games)
    if not counts:
        lines = [f"none in {games}"]
    elif all(len(name) <= SHORT_NAME for name, _ in counts):
        lines = [", ".join(f"{name} {count}×" for name, count in counts) + f" in {games}"]
    else:
        lines = [f"{len(counts)} different in {games}"]
        lines += [f"{count}× {name}" for name, count in counts[:MOST_LINES]]
        lines += ["…"] * (len(counts) > MOST_LINES)
    return "\n".join(lines + [f"never: {name}" for name in never_seen(habit)])


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
