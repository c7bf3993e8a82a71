"""Everything on the table beside the map: one function for each kind of part."""

from __future__ import annotations

from typing import Final, NamedTuple

from cuberails.core.scene import Company, Dice, Piece, Seat, Track
from cuberails.draw.palette import paint
from cuberails.draw.pen import (
    Block,
    at,
    breadth,
    element,
    fit,
    flow,
    front,
    lines_of,
    lines_within,
    num,
    piece,
    shrink,
    stack,
    told_by_letter,
    tooltip,
    words,
)

Fact = tuple[str, str]

_COLUMNS: Final = 7
_NAMES: Final = (84.0, 124.0)
"""How wide the names of railroads are at least and at most."""
_ROW: Final = 36.0
_CHIP: Final = 21.0
"""The height of a certificate."""
_BOX_HEIGHT: Final = 40.0
_CAPTION: Final = 20.0
LOW: Final = _CAPTION + _BOX_HEIGHT
"""The height of a track that needs only one line."""
_MANY: Final = 6
"""How many pieces fit into two rows of a box."""
_FIGURE: Final = 7.0
"""A fact of more ems than this is a sentence and not a figure."""
_SENTENCE: Final = 330.0


def heading(title: str, note: str, width: float) -> Block:
    """The name of the game, and what players should know about this board."""
    title = fit(title, 30, width)
    body = element("g", words(title, 0, 30, "title"), id="title")
    lines = lines_of(note, 13, width, 3)
    note_body = "".join(words(line, 0, 50 + 17 * n, "note") for n, line in enumerate(lines))
    return Block(width, 40 + 17 * len(lines), body + element("g", note_body, id="note"))


def prompt(text: str, width: float) -> Block:
    """What is to be decided now."""
    lines = lines_of(text, 17, width - 36, 3)
    height = 62.0 if len(lines) < 3 else 84.0
    first = height / 2 + 6 - 11 * (len(lines) - 1)
    body = _card(width, height, "card call") + "".join(
        words(line, 20, first + 22 * n, "prompt") for n, line in enumerate(lines)
    )
    return Block(width, height, element("g", body, id="prompt"))


def _card(width: float, height: float, cls: str) -> str:
    return element("g", _sheet(width, height) + element("rect", width=4, height=height, cls="bar"), cls=cls)


def _sheet(width: float, height: float) -> str:
    return element("rect", width=width, height=height, cls="sheet")


def section(label: str, parts: list[Block], gap: float) -> Block:
    """Parts under a small heading."""
    body = stack(parts, gap)
    rule = element("path", d=f"M0 20.5h{num(body.width)}", cls="rule")
    return Block(body.width, body.height + 28, words(label, 0, 13, "section") + rule + at(0, 28, body.body))


def seat(who: Seat, width: float) -> Block:
    """A player: name, money, certificates, and whether it decides, leads, passed or won."""
    chips = [certificate(share, held) for share, held in who.shares]
    held = flow(chips, width - 32, 6)
    said = _status(who)
    room = width - 44 - sum(chip.width + 6 for chip in chips)
    aside = breadth(" · ".join(said)) * 12 <= room
    below = [] if aside else [words(line, 16, 18 * n, "small") for n, line in enumerate(_broken(said, width - 32))]
    low = 58.0 + max(0.0, held.height - _CHIP)
    high = low + 18 * len(below)
    cls = "card winner" if who.winner else "card turn" if who.deciding else "card"
    body = _card(width, high, cls) + _name(who.name, width - 150) + _money(who.facts[:1], width - 14)
    body += at(16, 29, held.body) if chips else ""
    body += at(0, low + 10, "".join(below)) if below else _aside(said, width - 14)
    return Block(width, high, element("g", tooltip(who.name) + body, id=who.key))


def _status(who: Seat) -> list[str]:
    """The facts after the first, and the turn."""
    turn = ["▸ to decide"] if who.deciding else ["★ winner"] if who.winner else []
    return [f"{label} {value}" for label, value in who.facts[1:]] + turn


def _aside(said: list[str], right: float) -> str:
    return words(" · ".join(said), right, 44, "small strong end") if said else ""


def _broken(said: list[str], width: float) -> list[str]:
    return [line.strip("· ") for line in lines_of(" · ".join(said), 12, width, 4)]


def _name(name: str, width: float) -> str:
    return words(fit(name, 17, width), 16, 21, "person")


def _money(first: list[Fact], right: float) -> str:
    return "".join(
        words(label, right - 10 - 16 * breadth(value), 21, "small end") + words(value, right, 21, "value end")
        for label, value in first
    )


def certificate(share: Piece, held: int) -> Block:
    """A number of shares of a company; its name is on them unless its letter says it."""
    colors = paint(share.color)
    name = "" if told_by_letter(share) else fit(share.name, 12, 66)
    wide = 44 + (11 * breadth(name) + 4 if name else 0)
    body = (
        tooltip(f"{held} of {share.name}")
        + element("rect", width=wide, height=_CHIP, rx=2, cls="paper", stroke=colors.dark)
        + element("rect", x=1, y=1, width=19, height=19, rx=1, fill=front(colors))
        + words(share.letter, 10.5, 15.5, "letter", fill=colors.ink, font_size=13)
        + (words(name, 24, 15.5, "small strong") if name else "")
        + words(f"×{held}", wide - 12, 15.5, "count")
    )
    return Block(wide, _CHIP, element("g", body))


class Column(NamedTuple):
    """A column of figures: its label, its middle and its width."""

    label: str
    middle: float
    width: float


Ledger = list[list[Column]]
"""The columns of the railroads' table, on as many lines as they need."""


def companies(rows: list[Company], width: float) -> Block:
    """The railroads as a ledger: a column for each label, several lines where there are many."""
    columns = ledger(rows, width)
    return stack([ledger_head(columns, width), *(company(row, columns, width) for row in rows)], 0)


def ledger(rows: list[Company], width: float) -> Ledger:
    """The columns: all of one width, unless some need more."""
    labels = list(dict.fromkeys(label for row in rows for label, _ in row.facts))
    first = min(_NAMES[1], max([_NAMES[0], *(30 + 15 * breadth(row.piece.name) for row in rows)]))
    chunks = [labels[n : n + _COLUMNS] for n in range(0, len(labels), _COLUMNS)]
    return [_columns(chunk, rows, first, width) for chunk in chunks]


def _columns(labels: list[str], rows: list[Company], first: float, width: float) -> list[Column]:
    columns = []
    for label, wide in zip(labels, _widths(labels, rows, width - first)):
        columns.append(Column(label, first + wide / 2, wide))
        first += wide
    return columns


def _widths(labels: list[str], rows: list[Company], width: float) -> list[float]:
    """Equal widths if all fits in; else what the labels need, and the rest where the values are long."""
    heads = [4 + 11 * max(map(breadth, label.split())) for label in labels]
    values = [4 + 11 * max(breadth(dict(row.facts).get(label, "")) for row in rows) for label in labels]
    equal = width / len(labels)
    if max(heads + values) <= equal:
        return [equal] * len(labels)
    wants = [max(0.0, value - head) for head, value in zip(heads, values)]
    spare = max(0.0, width - sum(heads)) / (sum(wants) or 1)
    wides = [head + want * spare for head, want in zip(heads, wants)]
    return [wide * width / sum(wides) for wide in wides]


def ledger_head(columns: Ledger, width: float) -> Block:
    """The labels over the columns."""
    body, y = "", 0.0
    for line in columns:
        broken = [lines_within(column.label, column.width / 10.5) for column in line]
        tall = max(map(len, broken))
        body += "".join(
            words(word, column.middle, y + 12 * (tall - len(parts) + k) + 10, "label")
            for column, parts in zip(line, broken)
            for k, word in enumerate(parts)
        )
        y += 12 * tall + 4
    return Block(width, y, element("g", body, id="ledger"))


def company(row: Company, columns: Ledger, width: float) -> Block:
    """A railroad: its cube, its name, its figures under the labels, and a note."""
    facts = dict(row.facts)
    room = columns[0][0].middle - columns[0][0].width / 2 - 30 if columns else width - 30
    size = max(11.0, shrink(row.piece.name, 15, room))
    body = element("path", d=f"M0 .5h{num(width)}", cls="hair") + piece(row.piece, 11, 14, 18)
    body += words(fit(row.piece.name, size - 0.01, room), 27, 19, "railroad", font_size=size)
    for k, line in enumerate(columns):
        body += "".join(_figure(facts.get(column.label, ""), column, 19 + 18 * k) for column in line)
    high = _ROW + 18 * (max(len(columns), 1) - 1)
    body += words(fit(row.note, 11, width - 30), 27, high - 4, "remark") if row.note else ""
    return Block(width, high, element("g", tooltip(account(row)) + body, id=row.key))


def account(row: Company) -> str:
    """A railroad in a sentence, with what is cut short in the picture."""
    facts = ", ".join(f"{label} {value}" for label, value in row.facts)
    return f"{row.piece.name}: {facts}" + (f" ({row.note})" if row.note else "")


def _figure(value: str, column: Column, y: float) -> str:
    if not value:
        return ""
    size = max(11.0, shrink(value, 15, column.width - 3))
    return words(fit(value, size - 0.01, column.width), column.middle, y, "figure", font_size=size)


def dice(roll: Dice, width: float) -> Block:
    """The dice as they fell."""
    body = words(fit(roll.label, 13, width - 160), 0, 22, "caption")
    left = width - 34 * len(roll.faces)
    body += "".join(at(left + 34 * n, 2, _die(face)) for n, face in enumerate(roll.faces))
    return Block(width, 34, element("g", body, id=roll.key))


def _die(face: Piece) -> str:
    colors = paint(face.color)
    sides = element("rect", width=29, height=29, rx=6, cls="paper", stroke=colors.dark)
    top = element("circle", cx=14.5, cy=14.5, r=10.5, fill=front(colors))
    mark = words(face.letter, 14.5, 19.2, "letter", fill=colors.ink, font_size=13)
    return element("g", tooltip(face.name) + sides + top + mark)


def track(row: Track, width: float) -> Block:
    """A row of boxes with pieces on some, on several lines if it is long."""
    count = len(row.boxes)
    most = int(width / 27)
    across = -(-count // -(-count // most))
    box = min(34.0, width / across)
    boxes = "".join(
        at(box * (n % across), _CAPTION + _BOX_HEIGHT * (n // across), _box(label, row.pieces[n], box))
        for n, label in enumerate(row.boxes)
    )
    high = _CAPTION + _BOX_HEIGHT * -(-count // across)
    wide = max(box * across, 11.5 * breadth(row.label))
    return Block(wide, high, element("g", words(row.label, 0, 13, "caption") + boxes, id=row.key))


def _box(label: str, pieces: list[Piece], width: float) -> str:
    cls = "box taken" if pieces else "box"
    frame = element("rect", width=width, height=_BOX_HEIGHT, cls=cls)
    return frame + words(label, width / 2, 12, "mark") + _heap(pieces, width / 2, 27)


def _heap(pieces: list[Piece], x: float, y: float) -> str:
    """Pieces in one box: one large, two side by side, more in two rows or, if they are very many, three."""
    count = 1 if len(pieces) < 3 else 2 if len(pieces) <= _MANY else 3
    across = max(1, -(-len(pieces) // count))
    size = min(19.0 if len(pieces) == 1 else 12.6 if count == 1 else 11.5 if across < 3 else 8.6, 33 / across)
    rows = [pieces[n : n + across] for n in range(0, len(pieces), across)]
    placed = (
        piece(each, x + (size + 0.4) * (n - (len(row) - 1) / 2), y + (size + 0.4) * (k - (len(rows) - 1) / 2), size)
        for k, row in enumerate(rows)
        for n, each in enumerate(row)
    )
    return "".join(placed)


def fact(pair: Fact) -> Block:
    """A label and its value, as large as a track; a value of many words in lines of small type."""
    label, value = pair
    if breadth(value) > _FIGURE:
        lines = lines_of(value, 13, _SENTENCE, 3)
        said = "".join(words(line, 0, 30 + 15 * n, "said") for n, line in enumerate(lines))
        wide = max(13 * breadth(line) for line in [label, *lines])
        return Block(wide, LOW, words(label, 0, 13, "caption") + said)
    body = words(label, 0, 13, "caption") + words(value, 0, 50, "number")
    return Block(11.5 * breadth(label), LOW, body)


def facts(pairs: list[Fact], width: float) -> Block:
    """What there is to know about the table as a whole."""
    drawn = [fact(pair) for pair in pairs]
    block = flow(drawn, width, 24)
    wide = sum(each.width + 24 for each in drawn) - 24
    return Block(min(wide, width), block.height, element("g", block.body, id="facts"))
