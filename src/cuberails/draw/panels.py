"""Everything on the table beside the map: one function for each kind of part."""

from __future__ import annotations

from typing import Final, NamedTuple

from cuberails.core.scene import Company, Dice, Piece, Seat, Sheet, Track
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

LEADS: Final = "▲"
TIES: Final = "="
"""After the figures in which a railroad leads or is level with the leader."""
_NAMES: Final = (84.0, 132.0)
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
    aside = breadth(" · ".join(said)) * 14 <= room
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
        words(label, right - 8 - 19 * breadth(value), 21, "small end") + words(value, right, 21, "value end")
        for label, value in first
    )


def certificate(share: Piece, held: int) -> Block:
    """A number of shares of a company; its name is on them unless its letter says it."""
    colors = paint(share.color)
    name = "" if told_by_letter(share) else fit(share.name, 12, 66)
    sign = max(19.0, 6 + 13.5 * breadth(share.letter))
    wide = sign + 9 + 15 * breadth(f"×{held}") + (14 * breadth(name) + 2 if name else 0)
    body = (
        tooltip(f"{held} of {share.name}")
        + element("rect", width=wide, height=_CHIP, rx=2, cls="paper", stroke=colors.dark)
        + element("rect", x=1, y=1, width=sign, height=19, rx=1, fill=front(colors))
        + words(share.letter, 1 + sign / 2, 15.5, "letter", fill=colors.ink, font_size=13)
        + (words(name, sign + 5, 15.5, "small strong") if name else "")
        + words(f"×{held}", wide - 4, 15.5, "count end")
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
    """The railroads as a ledger: a column for each label; those not started in a line each below."""
    started = [row for row in rows if row.started]
    columns = ledger(started, width)
    lines = [company(row, columns, width) for row in started]
    lines += [_unstarted(row, width) for row in rows if not row.started]
    return stack([ledger_head(columns, width), *lines], 0)


def ledger(rows: list[Company], width: float) -> Ledger:
    """The columns, on as many lines as they need so that nothing collides."""
    found = [entries(row) for row in rows]
    first = min(_NAMES[1], max([_NAMES[0], *(32 + 16 * breadth(row.piece.name) for row in rows)]))
    labels = list(dict.fromkeys(label for row in found for label in row))
    needs = {label: _need(label, [row.get(label, "") for row in found]) for label in labels}
    lines = _filled(labels, needs, width - first)
    even = -(-len(labels) // max(len(lines), 1))
    halves = [labels[n : n + even] for n in range(0, len(labels), even or 1)]
    fits = all(sum(needs[label] for label in line) <= width - first for line in halves)
    return [_columns(line, needs, first, width) for line in (halves if fits else lines)]


def _filled(labels: list[str], needs: dict[str, float], room: float) -> list[list[str]]:
    """The labels of each line, as many as fit in."""
    lines: list[list[str]] = []
    for label in labels:
        if not lines or sum(needs[each] for each in lines[-1]) + needs[label] > room:
            lines.append([])
        lines[-1].append(label)
    return lines


def entries(row: Company) -> dict[str, str]:
    """What stands in the columns of a railroad: its facts, with marks for leaders and ties."""
    return {label: value + marks(row, label) for label, value in row.facts}


def marks(row: Company, label: str) -> str:
    """After a figure: whether the railroad leads with it or is level with the leader."""
    return LEADS if label in row.leads else TIES if label in row.ties else ""


def _need(label: str, values: list[str]) -> float:
    """How wide a column must be, in a wide font too."""
    return 8 + max([13 * max(map(breadth, label.split() or [""])), *(14 * breadth(value) for value in values)])


def _columns(labels: list[str], needs: dict[str, float], first: float, width: float) -> list[Column]:
    """What is left is shared out among the columns; a single one that is too wide gets what there is."""
    spare = (width - first - sum(needs[label] for label in labels)) / len(labels)
    columns = []
    for label in labels:
        wide = needs[label] + spare
        columns.append(Column(label, first + wide / 2, wide))
        first += wide
    return columns


def ledger_head(columns: Ledger, width: float) -> Block:
    """The labels over the columns."""
    body, y = "", 0.0
    for line in columns:
        broken = [lines_within(column.label, column.width / 12.5) for column in line]
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
    figures = entries(row)
    room = columns[0][0].middle - columns[0][0].width / 2 - 30 if columns else width - 30
    body = element("path", d=f"M0 .5h{num(width)}", cls="hair") + _railroad(row.piece, room)
    for k, line in enumerate(columns):
        body += "".join(_figure(figures.get(column.label, ""), column, 19 + 18 * k) for column in line)
    high = (_ROW if row.note else _ROW - 9) + 18 * (max(len(columns), 1) - 1)
    body += words(fit(row.note, 13, width - 30), 27, high - 4, "remark") if row.note else ""
    return Block(width, high, element("g", tooltip(account(row)) + body, id=row.key))


def _unstarted(row: Company, width: float) -> Block:
    """A railroad that has not started: its sign and why not."""
    left = 18 + 15.5 * breadth(row.piece.name) + (0 if row.piece.letter == row.piece.name else 24)
    body = element("path", d=f"M0 .5h{num(width)}", cls="hair") + _railroad(row.piece, _NAMES[0])
    body += words(fit(row.note, 12.5, width - left), left, 19, "remark")
    return Block(width, _ROW - 9, element("g", tooltip(account(row)) + body, id=row.key))


def _railroad(what: Piece, room: float) -> str:
    """The cube and the name of a railroad, or a sign if the letter is the name."""
    if what.letter == what.name:
        colors, wide = paint(what.color), min(room + 24, 8 + 14 * breadth(what.name))
        size = shrink(what.name, 14, wide - 6)
        paints = {"fill": front(colors), "stroke": colors.dark, "cls": "edge"}
        plate = element("rect", x=2, y=4, width=wide, height=20, rx=2, **paints)
        return plate + words(what.name, 2 + wide / 2, 19, "letter", fill=colors.ink, font_size=size)
    size = max(11.0, shrink(what.name, 15, room))
    return piece(what, 11, 14, 18) + words(fit(what.name, size - 0.01, room), 27, 19, "railroad", font_size=size)


def account(row: Company) -> str:
    """A railroad in a sentence, with what is cut short in the picture."""
    facts = ", ".join(f"{label} {value}{_standing(row, label)}" for label, value in row.facts)
    return f"{row.piece.name}: {facts}" + (f" ({row.note})" if row.note else "")


def _standing(row: Company, label: str) -> str:
    return " (leads)" if label in row.leads else " (tied)" if label in row.ties else ""


def _figure(value: str, column: Column, y: float) -> str:
    if not value:
        return ""
    size = max(11.0, shrink(value, 15, column.width - 3))
    ahead = " strongest" if value.endswith(LEADS) else ""
    return words(fit(value, size - 0.01, column.width), column.middle, y, f"figure{ahead}", font_size=size)


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
    wide = max(box * across, 14 * breadth(row.label))
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
        wide = max(14 * breadth(line) for line in [label, *lines])
        return Block(wide, LOW, words(label, 0, 13, "caption") + said)
    body = words(label, 0, 13, "caption") + words(value, 0, 50, "number")
    return Block(max(14 * breadth(label), 30 * breadth(value)), LOW, body)


def facts(pairs: list[Fact], width: float) -> Block:
    """What there is to know about the table as a whole."""
    drawn = [fact(pair) for pair in pairs]
    block = flow(drawn, width, 24)
    wide = sum(each.width + 24 for each in drawn) - 24
    return Block(min(wide, width), block.height, element("g", block.body, id="facts"))


def progress(pairs: list[Fact], width: float) -> Block:
    """The way to the end of the game, in lines of label and value."""
    shown = [f"{label} {value}" for label, value in pairs]
    blocks = [Block(14 * breadth(line), 18, words(line, 0, 13, "said")) for line in shown]
    block = flow(blocks, width, 14)
    return section("The way to the end", [Block(width, block.height, element("g", block.body, id="progress"))], 0)


def sheet(table: Sheet, most: float) -> Block:
    """A table to look things up in; the row that holds now stands out."""
    columns = list(zip(table.head, *table.rows))
    wides = [12 + 14 * max(map(breadth, column)) for column in columns]
    scale = min(1.0, most / sum(wides))
    body = _sheet_row(table.head, wides, 32, "label")
    for n, row in enumerate(table.rows):
        mark = element("rect", y=38 + 19 * n, width=sum(wides), height=19, cls="taken") if n == table.now else ""
        body += mark + _sheet_row(row, wides, 52 + 19 * n, "figure strongest" if n == table.now else "figure")
    caption = words(table.caption, 0, 13, "caption")
    high = 44 + 19 * len(table.rows)
    drawn = element("g", caption + body, id=table.key, transform=f"scale({scale:.3f})")
    return Block(max(sum(wides), 14 * breadth(table.caption)) * scale, high * scale, drawn)


def _sheet_row(row: list[str], wides: list[float], y: float, cls: str) -> str:
    """The first column from the left, the others around their middles."""
    body, x = words(row[0], 4, y, f"{cls} start"), wides[0]
    for value, wide in zip(row[1:], wides[1:]):
        body += words(value, x + wide / 2, y, cls)
        x += wide
    return body
