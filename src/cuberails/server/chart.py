"""How a game went: the final standings, and the scores over time as a drawing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from cuberails.draw.pen import clean, element, words

_WIDE, _HIGH = 360.0, 180.0
_LEFT, _TOP, _RIGHT, _LOW = 30.0, 8.0, 90.0, 20.0
"""The margins of the drawing: figures on the left, names on the right."""

_GAP = 11.0
"""Names on the right keep this distance from each other."""


def in_order(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """Seats from the best to the last; who wins is before all others."""
    return sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat]))


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of each seat: who wins or shares the win has the first, the others follow by their scores."""
    behind = [score for seat, score in enumerate(scores) if seat not in winners]
    after = [len(winners) + 1 + sum(other > score for other in behind) for score in scores]
    return [1 if seat in winners else place for seat, place in enumerate(after)]


def standings(names: Sequence[str], scores: Sequence[int], winners: Sequence[int]) -> str:
    """Seats from the best to the last; those who are level have the same place."""
    place = places(scores, winners)
    rows = "".join(
        f"<li value={place[seat]}{' class=winner' if seat in winners else ''}>"
        f"{_text(names[seat])} <b>{scores[seat]}</b></li>"
        for seat in in_order(scores, winners)
    )
    return f'<ol class="standings" aria-label="Standings">{rows}</ol>'


def chart(names: Sequence[str], course: Sequence[Sequence[int]]) -> str:
    """The scores of all seats after each action: a line each, which differ by name and by dashes.

    `data-chart` has what a page needs to travel along it: the scores, and where the drawing begins and ends.
    """
    top = max(1, max(max(scores) for scores in course))
    low = min(0, min(min(scores) for scores in course))
    last = max(1, len(course) - 1)

    def place(n: int, score: int) -> tuple[float, float]:
        x = _LEFT + (_WIDE - _LEFT - _RIGHT) * n / last
        return x, _TOP + (_HIGH - _TOP - _LOW) * (top - score) / (top - low)

    lines = "".join(
        element("path", d=_path([place(n, scores[seat]) for n, scores in enumerate(course)]), cls=f"line line-{seat}")
        for seat in range(len(names))
    )
    ends = _apart([place(last, score)[1] for score in course[-1]])
    labels = "".join(
        words(f"{name[:14]} {course[-1][seat]}", _WIDE - _RIGHT + 5, ends[seat] + 3.5, f"who line-{seat}")
        for seat, name in enumerate(names)
    )
    drawing = element(
        "svg",
        _axes(top, low, last, place(0, 0)[1]) + lines + labels,
        cls="chart",
        viewBox=f"0 0 {_WIDE:.0f} {_HIGH:.0f}",
        role="img",
        aria_label="Scores over time. At the end: " + ", ".join(f"{n} {s}" for n, s in zip(names, course[-1])),
    )
    known = {"names": list(names), "course": course, "from": _LEFT, "to": _WIDE - _RIGHT, "high": _HIGH}
    return f'<div class="travel" data-chart="{escape(json.dumps(known))}">{drawing}<output></output></div>'


def _axes(top: int, low: int, last: int, zero: float) -> str:
    right, bottom = _WIDE - _RIGHT, _HIGH - _LOW
    marks = words(str(top), _LEFT - 4, _TOP + 8, "mark end") + words(str(low), _LEFT - 4, bottom, "mark end")
    marks += words("0", _LEFT, _HIGH - 6, "mark") + words(f"{last} actions", right, _HIGH - 6, "mark end")
    return element("path", d=f"M{_LEFT} {_TOP}V{bottom}M{_LEFT} {zero:.1f}H{right}", cls="axis") + marks


def _path(points: Sequence[tuple[float, float]]) -> str:
    """A line through the points; those on a level stretch are left out."""
    kept = [
        point
        for n, point in enumerate(points)
        if n in (0, len(points) - 1) or not points[n - 1][1] == point[1] == points[n + 1][1]
    ]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in kept)


def _apart(heights: Sequence[float]) -> list[float]:
    """The heights, moved down where two would overlap, and all up again where that leads out of the drawing."""
    placed = list(heights)
    above = -_GAP
    for seat in sorted(range(len(heights)), key=lambda seat: heights[seat]):
        above = placed[seat] = max(heights[seat], above + _GAP)
    over = max(0.0, above - (_HIGH - _LOW))
    return [height - over for height in placed]


def _text(text: str) -> str:
    return escape(clean(text))
