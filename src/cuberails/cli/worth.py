"""How good `worth` is, written for people: what shares were expected to pay, beside what they paid."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from cuberails.cli.shared import grid
from cuberails.core.share import Correction
from cuberails.lab import Match
from cuberails.lab.worth import Accuracy, Moment, accuracy, fitted
from cuberails.titles import shares_of


def print_accuracy(out: Console, match: Match, moments: Sequence[Moment], as_json: bool) -> None:
    """The figures with the title's correction, with none, and with the one that would fit these games best."""
    shares, fit = shares_of(match.board), fitted(moments)
    corrected, plain = accuracy(moments, shares.correction), accuracy(moments, Correction())
    best = {"growth": fit.growth, "width": fit.width, **accuracy(moments, fit).to_json()}
    if as_json:
        found = {**match.to_json(), "corrected": corrected.to_json(), "plain": plain.to_json(), "fitted": best}
        print(json.dumps(found, indent=1))
        return
    out.print(Text(f"{match.board.title.name}: {len(moments)} moments of shares ({', '.join(match.bots)})"))
    table = grid("", "paid", "expected", "error", "correlation", "explained", "range held", padding=1)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, row in (("corrected", corrected), ("play-outs alone", plain), ("fitted", accuracy(moments, fit))):
        table.add_row(name, *_figures(row))
    out.print(table)
    out.print(Text(f"  fitted: growth {fit.growth:g}, width {fit.width:g}"))


def _figures(row: Accuracy) -> tuple[str, ...]:
    means = f"{row.paid:.1f}", f"{row.expected:.1f}", f"{row.error:.1f}"
    return *means, f"{row.correlation:.2f}", f"{row.explained:.0%}", f"{row.held:.0%}"
