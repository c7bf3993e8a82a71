"""How the calibration of chances is written for people: reliability in bins, and Brier scores by thirds of the game."""

from __future__ import annotations

from rich.console import Console
from rich.table import Column
from rich.text import Text

from cuberails.bots.decision import percent
from cuberails.cli.shared import grid
from cuberails.lab.calibrate import BLUNTEST, LEAST_GAMES, SHARPEST, THIRDS, Calibration, Score


def print_calibration(out: Console, found: Calibration) -> None:
    match = found.match
    bots = ", ".join(dict.fromkeys(match.bots))
    games = "1 game" if found.games == 1 else f"{found.games} games"
    out.print(Text(f"{match.board.title.name}: {games} of {match.players} players ({bots})"))
    table = grid("predicted", "won", "seats")
    for each in found.bins:
        table.add_row(percent(each.predicted), percent(each.won), str(each.count))
    _right(table.columns)
    out.print(table)
    scores = grid("part of the game", "moments", "Brier", "1/n", "better by")
    _right(scores.columns[1:])
    for name, score in zip(("all", *THIRDS), (found.score, *found.thirds), strict=True):
        scores.add_row(name, *_figures(score))
    out.print(scores)
    out.print(Text(f"  sharpness {found.sharpness:.2f} ± {found.error:.2f}: {_meaning(found)}"))
    present = f"{match.board.title.key}/judge.toml has {found.present:g}"
    out.print(Text(f"  {present}; {found.fitted:.2f} would fit these games"))


def _right(columns: list[Column]) -> None:
    for column in columns:
        column.justify = "right"


def _figures(score: Score) -> tuple[str, str, str, str]:
    return str(score.moments), f"{score.brier:.4f}", f"{score.naive:.4f}", percent(score.skill)


def _meaning(found: Calibration) -> str:
    """Whether the chances were right, as far as so many games can tell."""
    off = found.sharpness - 1.0
    if found.games < LEAST_GAMES or not BLUNTEST * 1.01 < found.sharpness < SHARPEST * 0.99:
        return "these games are too few to tell"
    if abs(off) < 2.0 * found.error:
        return "no sign that the chances are too sure or too cautious"
    return "the chances are too sure" if off < 0.0 else "the chances are too cautious"
