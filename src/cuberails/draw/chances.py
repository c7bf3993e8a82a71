"""Every seat's chance to win over a whole game as one drawing: bands on top of each other that fill 100 % at any time.

Bands differ by pattern and by the name in them, so the drawing needs no colour. Text and lines have the colour of the
text around, so that it suits light and dark pages; alone it brings its own. No style is inside unless it is alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from cuberails.draw.palette import INK, PAINTS, PAPER, Paint
from cuberails.draw.pen import breadth, clean, element, fit, num, tooltip, words

BANDS: Final = [PAINTS[name] for name in ("blue", "yellow", "red", "green", "tan", "purple")]
"""The paint of each seat: neighbours differ in brightness as well as in pattern."""
_LEFT: Final = 40.0
_RIGHT: Final = 118.0
_LOW: Final = 24.0
_TYPE: Final = 13.0
"""The size of type."""
_SIGN: Final = 9.0
"""The radius of the sign of a turning point."""
_LEAD: Final = 14.0
"""The height in which lines lead from signs to their places."""
_EDGE: Final = 6.0

_STYLE: Final = f"""
.chances{{color:{INK};background:{PAPER};font-family:'Gill Sans',Avenir,'Segoe UI','Liberation Sans',sans-serif}}
@media(prefers-color-scheme:dark){{.chances{{color:#e9e2d3;background:#211e1a}}}}
"""


@dataclass(frozen=True)
class Mark:
    """A turning point: the number of actions before it, the sign that it has in the text, and what it was."""

    at: int
    sign: str
    words: str


def chances(
    names: Sequence[str],
    course: Sequence[Sequence[float]],
    marks: Sequence[Mark] = (),
    width: float = 760.0,
    height: float = 320.0,
    link: Callable[[int], str] | None = None,
    alone: bool = True,
    key: str = "",
) -> str:
    """The chances of all seats before the first action and after each, as SVG of this size.

    `link` is the address of each moment, where pressing the drawing leads there. `data-from`, `data-to`, `data-top` and
    `data-last` say where the bands begin and end and how many actions there are, for a page that does more. Several
    drawings on one page need a `key` each.
    """
    frame = Frame(width, height, course, marks, key)
    body = _patterns(frame, len(names)) + _bands(frame, names) + _axes(frame) + _signs(frame, marks)
    body += _names(frame, names) + _labels(frame, names)
    if link is not None:
        body += _links(frame, link)
    sizes: dict[str, str | float] = {"width": width, "height": height, "viewBox": f"0 0 {num(width)} {num(height)}"}
    if alone:
        body = element("style", _STYLE) + element("rect", width=width, height=height, fill="none") + body
        sizes["xmlns"] = "http://www.w3.org/2000/svg"
    return element(
        "svg",
        body,
        cls="chances",
        role="img" if link is None else "group",
        aria_label=_summary(names, course, marks),
        font_size=_TYPE,
        data_from=frame.left,
        data_to=frame.right,
        data_top=frame.top,
        data_last=str(frame.last),
        **sizes,
    )


def _summary(names: Sequence[str], course: Sequence[Sequence[float]], marks: Sequence[Mark]) -> str:
    """What the drawing shows, for who does not see it."""
    begin, end = (
        ", ".join(f"{clean(name)} {_percent(part)}" for name, part in zip(names, course[at], strict=True))
        for at in (0, -1)
    )
    turned = f" Turning points: {len(marks)}." if marks else ""
    return f"Chances to win over time. At the start: {begin}. At the end: {end}.{turned}"


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"


class Frame:
    """Where moments and chances are in the drawing; above it, where the signs of turning points are."""

    def __init__(
        self,
        width: float,
        height: float,
        course: Sequence[Sequence[float]],
        marks: Sequence[Mark] = (),
        key: str = "",
    ) -> None:
        self.course = course
        self.key = key
        self.last = max(1, len(course) - 1)
        self.left, self.right = _LEFT, width - _RIGHT
        self.signs = _apart([self.x(mark.at) for mark in marks], 2 * _SIGN + 1, self.right)
        self.top = _EDGE + (2 * _SIGN + _LEAD if marks else 0.0)
        self.bottom = height - _LOW

    def x(self, n: float) -> float:
        return self.left + (self.right - self.left) * n / self.last

    def y(self, part: float) -> float:
        """The height of the line under this part of all chances; the first seat is on top."""
        return self.top + (self.bottom - self.top) * part

    def above(self, n: int, seat: int) -> float:
        """The chances of all seats before this one."""
        return min(1.0, sum(self.course[n][:seat]))

    def upper(self, seat: int) -> list[tuple[float, float]]:
        """The line above the band of a seat; above the next one it is the line below."""
        return [(self.x(n), self.y(self.above(n, seat))) for n in range(len(self.course))]


def _apart(places: Sequence[float], gap: float, last: float) -> list[float]:
    """Places in a row, moved on where two would overlap, and back again where that leads out of the drawing."""
    placed, before = list(places), -gap
    for n, place in enumerate(places):
        before = placed[n] = max(place, before + gap)
    after = last + gap
    for n in range(len(placed) - 1, -1, -1):
        after = placed[n] = min(placed[n], after - gap)
    return placed


# Bands


def _patterns(frame: Frame, seats: int) -> str:
    return element("defs", "".join(_pattern(frame, seat) for seat in range(seats)))


def _pattern(frame: Frame, seat: int) -> str:
    paint = _paint(seat)
    ground = element("rect", width=4, height=4, fill=paint.fill)
    lines = element("path", d=paint.weave, stroke=paint.thread, stroke_width=0.5, fill="none")
    units = {"patternUnits": "userSpaceOnUse", "viewBox": "0 0 4 4"}
    return element("pattern", ground + lines, id=f"chance-{frame.key}{seat}", width=9, height=9, **units)


def _paint(seat: int) -> Paint:
    return BANDS[seat % len(BANDS)]


def _bands(frame: Frame, names: Sequence[str]) -> str:
    return "".join(_band(frame, seat, name) for seat, name in enumerate(names))


def _band(frame: Frame, seat: int, name: str) -> str:
    edge = [*frame.upper(seat), *reversed(frame.upper(seat + 1))]
    path = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in edge) + "Z"
    return element("path", tooltip(name), d=path, fill=_fill(frame, seat), stroke=PAPER, stroke_width=1.2, cls="band")


def _fill(frame: Frame, seat: int) -> str:
    return f"url(#chance-{frame.key}{seat}) {_paint(seat).fill}"


def _names(frame: Frame, names: Sequence[str]) -> str:
    """The names in their bands, on a plain ground, where there is room."""
    return "".join(_name_inside(frame, seat, fit(name, _TYPE, 110)) for seat, name in enumerate(names))


def _name_inside(frame: Frame, seat: int, name: str) -> str:
    paint, half, high = _paint(seat), breadth(name) * _TYPE / 2 + 4, _TYPE + 6
    room, x, y = _widest(frame.upper(seat), frame.upper(seat + 1), half)
    if room < high:
        return ""
    ground = element("rect", x=x - half, y=y - high / 2, width=2 * half, height=high, rx=4, fill=paint.fill)
    return ground + words(name, x, y + 4.5, "who", fill=paint.ink, text_anchor="middle")


Line = Sequence[tuple[float, float]]


def _widest(upper: Line, lower: Line, half: float) -> tuple[float, float, float]:
    """Where a band has most room for something of this half width: how much, and the point; of equals, the middle."""
    best, ends = (0.0, 0.0, 0.0), (upper[0][0] + half, upper[-1][0] - half)
    found: list[tuple[float, float, float]] = []
    for x in [x for x, _ in upper if ends[0] <= x <= ends[1]]:
        top = max(y for at, y in upper if abs(at - x) <= half)
        low = min(y for at, y in lower if abs(at - x) <= half)
        found.append((low - top, x, (top + low) / 2))
    most = max((room for room, _, _ in found), default=0.0)
    equal = [each for each in found if each[0] > most - 1.0]
    return equal[len(equal) // 2] if equal else best


# Around the bands


def _axes(frame: Frame) -> str:
    """The border, lines at every quarter, figures, and the end."""
    lines = "".join(f"M{num(frame.left)} {num(frame.y(part))}H{num(frame.right)}" for part in (0.25, 0.5, 0.75))
    drawn = element("path", d=lines, stroke=PAPER, stroke_opacity="0.5", stroke_dasharray="2 4", fill="none")
    border = f"M{num(frame.left)} {num(frame.top)}H{num(frame.right)}V{num(frame.bottom)}H{num(frame.left)}Z"
    drawn += element("path", d=border, stroke="currentColor", fill="none")
    drawn += "".join(
        _text(_percent(1.0 - part), frame.left - 5, frame.y(part) + 4, "end") for part in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    below = frame.bottom + 16
    drawn += "".join(_text(str(n), frame.x(n), below, "middle") for n in _steps(frame.last))
    return drawn + _text(f"end ({frame.last} actions)", frame.right, below, "start")


def _steps(last: int) -> list[int]:
    """Round numbers of actions to write below, none near the end."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if last <= 8 * step)
    return [n for n in range(0, last, step) if last - n > step / 3]


def _text(text: str, x: float, y: float, anchor: str) -> str:
    return words(text, x, y, "mark", fill="currentColor", text_anchor=anchor, font_size=_TYPE - 2)


def _labels(frame: Frame, names: Sequence[str]) -> str:
    """Right of the bands each seat's name with its chance at the end."""
    ends = [
        frame.y((frame.above(len(frame.course) - 1, seat) + frame.above(len(frame.course) - 1, seat + 1)) / 2)
        for seat in range(len(names))
    ]
    heights, drawn = _apart(ends, _TYPE + 4, frame.bottom - 6), ""
    for seat, name in enumerate(names):
        y = heights[seat]
        sample = element("rect", x=frame.right + 6, y=y - 6, width=12, height=12, fill=_fill(frame, seat))
        text = f"{fit(name, _TYPE, _RIGHT - 66)} {_percent(frame.course[-1][seat])}"
        drawn += sample + words(text, frame.right + 23, y + 4.5, "who", fill="currentColor")
    return drawn


def _signs(frame: Frame, marks: Sequence[Mark]) -> str:
    """The turning points: a sign above the bands, and a line that leads down through them."""
    return "".join(_sign(frame, mark, x) for mark, x in zip(marks, frame.signs, strict=True))


def _sign(frame: Frame, mark: Mark, x: float) -> str:
    y, place = _EDGE / 2 + _SIGN, num(frame.x(mark.at))
    lead = element("path", d=f"M{num(x)} {num(y + _SIGN)}L{place} {num(frame.top)}", stroke="currentColor")
    line = f"M{place} {num(frame.top)}V{num(frame.bottom)}"
    drawn = lead + element("path", d=line, stroke=PAPER, stroke_width=2.4, stroke_opacity="0.5")
    drawn += element("path", d=line, stroke=INK, stroke_width=1.1, stroke_dasharray="4 3")
    drawn += element("circle", cx=x, cy=y, r=_SIGN, fill="currentColor", fill_opacity="0.12", stroke="currentColor")
    drawn += words(mark.sign, x, y + 4, "sign", fill="currentColor", text_anchor="middle", font_size=_TYPE - 2)
    return element("g", tooltip(mark.words) + drawn, cls="turning")


def _links(frame: Frame, link: Callable[[int], str]) -> str:
    """Nothing to see, but each moment can be pressed, also from the keyboard where a page wants that."""
    half = (frame.right - frame.left) / frame.last / 2
    return "".join(
        element("a", _slice(frame, n, half), href=link(n), tabindex="-1", aria_label=f"action {n}")
        for n in range(len(frame.course))
    )


def _slice(frame: Frame, n: int, half: float) -> str:
    left, right = max(frame.left, frame.x(n) - half), min(frame.right, frame.x(n) + half)
    return element("rect", x=left, y=0, width=right - left, height=frame.bottom, fill="transparent")
