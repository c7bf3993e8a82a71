"""The strokes of SVG: elements, text that fits, cubes, and blocks that can be laid out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Final
from unicodedata import east_asian_width

from cuberails.core.scene import Piece
from cuberails.draw.palette import GLYPHS, PAINTS, Paint, paint

DISC: Final = "●"
"""A piece with this letter is a round counter and not a cube."""

STAR: Final = "★"
"""Before the letter of a piece: it is the share that presides."""

PAIR: Final = ("translate(-17 -9)scale(.85)", "translate(17 -9)scale(.85)")
"""Where the two glyphs of open country stand in a tile."""


@dataclass
class Block:
    """A rectangle of the page and what is drawn in it."""

    width: float
    height: float
    body: str


def clean(text: str) -> str:
    """Text without characters that cannot be seen: some of them are no XML, others turn a line around."""
    return text if text.isprintable() else "".join(char for char in text if char.isprintable())


def num(value: float) -> str:
    """A coordinate, as short as it can be."""
    return f"{value:.1f}".removesuffix(".0")


def element(name: str, body: str = "", **attributes: str | float) -> str:
    """An SVG element. `body` is SVG; values of attributes are text, `cls` stands for class, `_` for a hyphen."""
    words = "".join(
        f' {"class" if key == "cls" else key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items()
    )
    return f"<{name}{words}>{body}</{name}>" if body else f"<{name}{words}/>"


def _value(value: str | float) -> str:
    return escape(clean(value)) if isinstance(value, str) else num(value)


def words(text: str, x: float, y: float, cls: str, **attributes: str | float) -> str:
    """A line of text."""
    return element("text", escape(clean(text)), x=x, y=y, cls=cls, **attributes)


def tooltip(text: str) -> str:
    """What a pointer or a screen reader finds out about the element around."""
    return element("title", escape(clean(text)))


def at(x: float, y: float, body: str) -> str:
    """The same drawing elsewhere."""
    return element("g", body, transform=f"translate({num(x)} {num(y)})")


def breadth(text: str) -> float:
    """About how wide a line is, in ems; fonts differ, so this errs on the wide side."""
    return sum(_em(char) for char in text)


def _em(char: str) -> float:
    if east_asian_width(char) in "WF":
        return 1.05
    if char in "iljtf.,:;'|!()1 ·":
        return 0.36
    return 0.76 if char.isupper() or char in "mw&@%—…★▲×" else 0.55


def fit(text: str, size: float, width: float) -> str:
    """The text, cut off with an ellipsis if it would be wider than that."""
    text = clean(text)
    if breadth(text) * size <= width:
        return text
    while text and breadth(text + "…") * size > width:
        text = text[:-1]
    return text.rstrip() + "…"


def shrink(text: str, size: float, width: float) -> float:
    """The size of type, at most `size`, in which a line of text is no wider than that."""
    return min(size, width / max(breadth(text), 0.1))


def lines_of(text: str, size: float, width: float, most: int) -> list[str]:
    """The text broken into lines of about equal length, at most `most` of them."""
    text = clean(text)
    lines = lines_within(text, width / size)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    else:
        lines = _balanced(text, width / size, len(lines))
    return [fit(line, size, width) for line in lines]


def _balanced(text: str, ems: float, count: int) -> list[str]:
    """The narrowest way to break a text that makes no more lines."""
    tries = [lines_within(text, ems * part / 20) for part in range(8, 21)]
    return next(lines for lines in tries if len(lines) == count)


def lines_within(text: str, ems: float) -> list[str]:
    """The text broken into lines no wider than that, unless a single word is."""
    lines: list[str] = []
    for word in text.split():
        if lines and breadth(f"{lines[-1]} {word}") <= ems:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


@cache
def supplies() -> str:
    """What parts of a drawing refer to, once for each drawing: patterns, pieces of every colour, and glyphs."""
    pieces = "".join(
        element("g", draw(colors), id=f"{name}-{colors.name}")
        for colors in PAINTS.values()
        for name, (draw, *_) in _SHAPES.items()
    )
    glyphs = "".join(element("path", d=path, id=f"glyph-{name}") + _pair(name) for name, path in GLYPHS.items())
    return element("defs", "".join(_weave(colors) for colors in PAINTS.values()) + pieces + glyphs)


def _pair(glyph: str) -> str:
    """What grows in open country, left and right above the cubes."""
    return element(
        "g", "".join(element("use", href=f"#glyph-{glyph}", transform=at) for at in PAIR), id=f"pair-{glyph}"
    )


def _weave(colors: Paint) -> str:
    ground = element("rect", width=4, height=4, fill=colors.fill)
    lines = element("path", d=colors.weave, stroke=colors.thread, fill="none") if colors.weave else ""
    units = {"patternUnits": "userSpaceOnUse", "viewBox": "0 0 4 4"}
    return element("pattern", ground + lines, id=f"weave-{colors.name}", width=5, height=5, **units)


def front(colors: Paint) -> str:
    """What the front of a piece is filled with: its pattern, or its plain colour where patterns are not at hand."""
    return f"url(#weave-{colors.name}) {colors.fill}"


def piece(what: Piece, x: float, y: float, size: float) -> str:
    """A cube, a pawn or a counter around a point, with its letter."""
    shape = "counter" if what.letter == DISC else "pawn" if what.pawn else "cube"
    _, left, low, height = _SHAPES[shape]
    ink, letter = paint(what.color).ink, what.letter if height else ""
    type_size = shrink(letter, height, _SIZE * 0.76)  # one letter keeps its size, two or more are smaller
    base = low - (height - type_size) * 0.3
    mark = words(letter, left, base, "letter", fill=ink, font_size=type_size) if letter else ""
    return _placed(shape, what.color, x, y, size, tooltip(what.name), mark)


def cube(color: str, x: float, y: float, size: float) -> str:
    """A wooden cube around a point, without a letter."""
    return _placed("cube", color, x, y, size)


def _placed(shape: str, color: str, x: float, y: float, size: float, before: str = "", mark: str = "") -> str:
    body = element("use", href=f"#{shape}-{paint(color).name}")
    place = f"translate({num(x)} {num(y)})scale({size / _SIZE:.3g})"
    return element("g", before + body + mark, transform=place)


def told_by_letter(what: Piece) -> bool:
    """Whether the letter of a piece is how its name begins, so that it need not be shown twice."""
    return what.name.upper().startswith(what.letter.lstrip(STAR).upper())


def tooltip_group(name: str, body: str) -> str:
    """A drawing that tells its name."""
    return element("g", tooltip(name) + body)


def _cube(colors: Paint) -> str:
    """A wooden cube seen from the front, a little from above and from the right."""
    return (
        element("path", d="M-10 -6.2l3.8 -3.8h16.2l-3.8 3.8z", fill=colors.light)
        + element("path", d="M6.2 -6.2l3.8 -3.8v16.2l-3.8 3.8z", fill=colors.dark)
        + element("path", d="M-10 -6.2h16.2v16.2h-16.2z", fill=front(colors))
        + element("path", d="M-10 -6.2l3.8 -3.8h16.2v16.2l-3.8 3.8h-16.2z", cls="edge", fill="none", stroke=colors.dark)
    )


def _pawn(colors: Paint) -> str:
    """A wooden pawn, half as tall again as a cube."""
    body = "M0 -8c4 9 9 12 9 21q-9 4 -18 0c0 -9 5 -12 9 -21z"
    return (
        element("path", d=body, fill=front(colors), stroke=colors.dark, cls="edge")
        + element("circle", cy=-9, r=5.4, fill=front(colors), stroke=colors.dark, cls="edge")
        + element("circle", cx=-1.4, cy=-10.4, r=2.1, fill=colors.light)
    )


def _counter(colors: Paint) -> str:
    """A round wooden counter."""
    return (
        element("circle", cy=1.2, r=8.4, fill=colors.dark)
        + element("circle", cy=-1, r=8.4, fill=colors.fill, cls="edge", stroke=colors.dark)
        + element("circle", cy=-1, r=4.8, fill=colors.light)
    )


_SIZE: Final = 20.0
"""Shapes are drawn around a point in this size."""

_SHAPES: Final[dict[str, tuple[Callable[[Paint], str], float, float, float]]] = {
    "cube": (_cube, -1.8, 7.6, 14.4),
    "pawn": (_pawn, 0.0, 11.2, 12.0),
    "counter": (_counter, 0.0, 0.0, 0.0),
}
"""The shapes of pieces: who draws them, where their letter stands, and how high it is."""


def stack(blocks: list[Block], gap: float) -> Block:
    """Blocks one below the other."""
    body, y = "", 0.0
    for block in blocks:
        body += at(0, y, block.body)
        y += block.height + gap
    return Block(max((block.width for block in blocks), default=0.0), max(y - gap, 0.0), body)


def flow(blocks: list[Block], width: float, gap: float) -> Block:
    """Blocks side by side, and on the next row where the width ends."""
    body, x, y, tall = "", 0.0, 0.0, 0.0
    for block in blocks:
        if x and x + block.width > width:
            x, y, tall = 0.0, y + tall + gap / 2, 0.0
        body += at(x, y, block.body)
        x, tall = x + block.width + gap, max(tall, block.height)
    return Block(width, y + tall, body)
