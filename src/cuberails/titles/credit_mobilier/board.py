"""The board of Credit Mobilier as tables: what never changes while it is played, and every action there is."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial
from typing import Final

from cuberails.core.action import Action, Actions
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardFile, Section, letters_of
from cuberails.core.title import Title

DRAW: Final = 0
ROLL: Final = 1
BUILD: Final = 2
MOVE: Final = 3
BUY: Final = 4
PAY: Final = 5
DONE: Final = 6
WORDS: Final = ["draw", "roll", "build", "move", "buy", "pay", "done"]

WEST: Final = 0
NORTH: Final = 1
SOUTH: Final = 2
WAYS: Final = ["west", "north", "south"]

COAST: Final = -1
"""The Pacific Coast, where a square is asked for."""

MOST_ROWS: Final = 26
MOST_COLUMNS: Final = 40
MOST_FALLS: Final = 100_000
"""Each way in which the dice can fall is listed."""

UNLIMITED: Final = 1 << 40
"""The shares of a company that never run out: more than could ever be bought."""


class CreditMobilierBoard(Board):
    """Credit Mobilier on a board. Colours, squares and slots are numbers; sets of squares or slots are bit masks.

    The railways come first among the companies, then the construction company, and among the colours of the dice
    also the colour of dividends. `builder` is the number of the one, `dividend` of the other. In a mask the first
    square or slot is the highest bit, so that taking bits from the top yields board order.
    """

    def __init__(self, title: Title, file: BoardFile) -> None:
        super().__init__(title, file)
        self._read_colors(file)
        self._read_map(file)
        self._read_numbers(file)
        self._read_dice(file)
        file.end()
        self._make_actions()

    # The colours

    def _read_colors(self, file: Section) -> None:
        railways, construction, dividends = file.tables("railways"), file.table("construction"), file.table("dividends")
        self.colors = file.words("railways")
        self.railways = len(self.colors)
        self.builder = self.railways
        self.companies = self.railways + 1
        self.dividend = self.companies
        self.colors += [construction.word("color"), dividends.word("color")]
        self.names = [color.capitalize() for color in self.colors]
        self.names[self.builder] = construction.line("name")
        self.letters = letters_of([*railways, construction, dividends])
        if len({color.casefold() for color in self.colors}) < len(self.colors):
            construction.fail("color", f"each of {', '.join(self.colors)} must be a colour of its own")

    # The map

    def _read_map(self, file: Section) -> None:
        lines = [line.split() for line in file.text("map").splitlines() if line.strip()]
        self.columns = len(lines[0]) if lines else 0
        self.rows = len(lines) // 2
        if not lines or lines[0] != [str(n + 1) for n in range(self.columns)] or len(lines) % 2:
            file.fail(
                "map",
                "needs a line of column numbers 1 2 3 …, then a line for each row and for the gaps below it",
            )
        if self.rows > MOST_ROWS or self.columns > MOST_COLUMNS:
            file.fail("map", f"is too large; it needs at most {MOST_ROWS} rows, A to Z, and {MOST_COLUMNS} columns")
        west: list[bool] = []
        south: list[bool] = []
        for n, line in enumerate(lines[1:]):
            if n % 2 == 0:
                west += self._symbols(file, n // 2, line, "o", "--o")
            else:
                south += self._symbols(file, n // 2, line, ".", "|")
        self.size = self.rows * self.columns
        self.squares = [f"{chr(65 + n // self.columns)}{n % self.columns + 1}" for n in range(self.size)]
        self.bit = [1 << (self.size - 1 - n) for n in range(self.size)]
        self.eastern = [n for n in range(self.size) if n % self.columns == self.columns - 1]
        self._number_slots(west, south)
        self._check_ways(file)

    def _symbols(self, file: Section, row: int, line: list[str], without: str, having: str) -> list[bool]:
        """Where a line of the map has a track symbol."""
        letter = chr(65 + row)
        words = line[1:] if without == "o" else line
        what = f"row {letter}" if without == "o" else f"the line below row {letter}"
        if without == "o" and line[0] != letter:
            file.fail("map", f"{what} must begin with its letter {letter}, but begins with {line[0]!r}")
        wrong = [word for word in words if word not in (without, having)]
        if wrong:
            file.fail("map", f"{what} has {wrong[0]!r}; it needs {having} or {without} in every column")
        if len(words) != self.columns:
            file.fail("map", f"{what} has {len(words)} words for {self.columns} columns")
        return [word == having for word in words]

    def _number_slots(self, west: list[bool], south: list[bool]) -> None:
        """First all slots that lead west, then all that lead south, each in the order of the squares."""
        self.slots: list[str] = []
        self.ends: list[tuple[int, int]] = []  # of each slot: the eastern or northern square, then the other one
        self.slot_at = [-1] * (self.size * 3)  # by square times 3 plus way
        self.beyond = [COAST] * (self.size * 3)
        for n in range(self.size):
            if west[n]:
                other = n - 1 if n % self.columns else COAST
                self._add_slot(f"{self.squares[n]}W", n, other, WEST, -1)
        for n in range(self.size - self.columns):
            if south[n]:
                self._add_slot(f"{self.squares[n]}S", n, n + self.columns, SOUTH, NORTH)
        count = len(self.slots)
        self.slot_bit = [1 << (count - 1 - slot) for slot in range(count)]
        ending = [0] * self.size  # by square: the slots that end there
        for bit, (one, other) in zip(self.slot_bit, self.ends):
            ending[one] |= bit
            if other != COAST:
                ending[other] |= bit
        self.near = [self._touching([one, other], ending) for one, other in self.ends]
        self.first_sites = self._touching(self.eastern, ending)
        self.coastal = sum(bit for bit, (_, other) in zip(self.slot_bit, self.ends) if other == COAST)

    def _add_slot(self, id: str, n: int, other: int, there: int, back: int) -> None:
        slot = len(self.slots)
        self.slots.append(id)
        self.ends.append((n, other))
        self.slot_at[n * 3 + there] = slot
        self.beyond[n * 3 + there] = other
        if back >= 0:
            self.slot_at[other * 3 + back] = slot
            self.beyond[other * 3 + back] = n

    def _touching(self, squares: list[int], ending: list[int]) -> int:
        """The slots that end at one of these squares; the coast carries no connection [C4.4]."""
        total = 0
        for n in squares:
            if n != COAST:
                total |= ending[n]
        return total

    def _check_ways(self, file: Section) -> None:
        """A pawn that could never reach the coast would keep the game from ending."""
        arriving = {COAST}
        while more := {n for n in range(self.size) if n not in arriving and self._leads_to(n, arriving)}:
            arriving |= more
        stuck = [id for n, id in enumerate(self.squares) if n not in arriving]
        if stuck:
            file.fail("map", f"goods from {stuck[0]} could never reach the coast; give it a track symbol that leads on")
        sites, before = self.first_sites, 0
        while sites != before:
            before = sites
            for near, bit in zip(self.near, self.slot_bit):
                sites |= near if sites & bit else 0
        apart = [id for id, bit in zip(self.slots, self.slot_bit) if not sites & bit]
        if apart:
            file.fail("map", f"{apart[0]} could never be connected to the eastern side; give it track symbols to there")

    def _leads_to(self, n: int, squares: set[int]) -> bool:
        return any(self.slot_at[n * 3 + way] >= 0 and self.beyond[n * 3 + way] in squares for way in range(3))

    # Numbers and dice

    def _read_numbers(self, file: Section) -> None:
        parts, start = file.table("components"), file.table("start")
        self.pawns = parts.whole("pawns", 1)
        if self.pawns * self.railways < self.size:
            least = -(-self.size // self.railways)
            parts.fail("pawns", f"found {self.pawns}; {self.size} squares need at least {least} of each railway")
        self.start_cash = start.whole("cash")
        self.start_shares = start.whole("shares")
        self.shares = parts.whole("shares", 1)
        if self.shares < self.start_shares * self.title.most_players:
            need = self.start_shares * self.title.most_players
            parts.fail("shares", f"found {self.shares}; {self.title.most_players} players begin with {need} together")
        self.options = {"certificates": (str(self.shares), "unlimited")}
        economy, end = file.table("economy"), file.table("end")
        self.track_pays = economy.whole("track")
        self.goods_pay = economy.whole("goods")
        self.line_pays = economy.whole("line")
        self.price = economy.whole("share", 1)
        self.end_colors = end.whole("colors")
        if self.end_colors >= self.railways:
            end.fail("colors", f"found {self.end_colors}; it must be less than the {self.railways} railways")
        self.longest = end.whole("turns", 1)

    def _read_dice(self, file: Section) -> None:
        table = file.table("dice")
        self.dice = table.whole("count", 2)
        faces = table.texts("faces")
        for color in self.colors:
            if color not in faces:
                table.fail("faces", f"{color} is missing; every colour needs a face")
        for face in faces:
            if face not in self.colors:
                table.fail("faces", f"{face!r} is no colour; the colours are {', '.join(self.colors)}")
        if len(faces) ** self.dice > MOST_FALLS:
            table.fail("count", f"{self.dice} dice with {len(faces)} faces can fall in too many ways; it needs fewer")
        on_die = [faces.count(color) for color in self.colors]
        self.roll_words: list[str] = []
        self.roll_weights: list[int] = []
        self.rolled: list[list[int]] = []  # by roll: the number of dice of each colour
        for roll in combinations_with_replacement(range(len(self.colors)), self.dice):
            counts = [roll.count(color) for color in range(len(self.colors))]
            weight = factorial(self.dice)
            for count, alike in zip(counts, on_die):
                weight = weight * alike**count // factorial(count)
            self.roll_words.append("".join(self.letters[color] for color in roll))
            self.roll_weights.append(weight)
            self.rolled.append(counts)

    # The actions

    def _make_actions(self) -> None:
        self.actions = actions = Actions(self, WORDS)
        railways, companies = self.colors[: self.railways], self.colors[: self.companies]
        self.draw = actions.add_all(DRAW, [f"draw {color}" for color in railways])
        self.roll = actions.add_all(ROLL, [f"roll {word}" for word in self.roll_words])
        self.build = [
            [actions.add(BUILD, f"build {color} {id}", c, slot) for slot, id in enumerate(self.slots)]
            for c, color in enumerate(railways)
        ]
        self.move = [self._moves(c) for c in range(self.railways)]
        self.buy_up_to = [self._amounts(BUY, c, self.dice) for c in range(len(companies))]
        # One die at least is orange, so no company has them all
        self.pay_up_to = [self._amounts(PAY, c, self.dice - 1) for c in range(len(companies))]
        self.done = actions.add(DONE, "done")
        # Each way in which the dice can fall, all equally likely
        self.falls = [roll for roll, weight in zip(self.roll, self.roll_weights) for _ in range(weight)]

    def _moves(self, c: int) -> list[int]:
        """The id of each step of a railway's pawns, by square times 3 plus way; -1 where no track symbol leads."""
        ids: list[int] = []
        for at, slot in enumerate(self.slot_at):
            text = f"move {self.colors[c]} {self.squares[at // 3]} {WAYS[at % 3]}"
            ids.append(self.actions.add(MOVE, text, c, at // 3, at % 3).id if slot >= 0 else -1)
        return ids

    def _amounts(self, kind: int, c: int, most: int) -> list[list[Action]]:
        """For each n, the actions with amounts from 1 to n."""
        all = [self.actions.add(kind, f"{WORDS[kind]} {self.colors[c]} {n}", c, n) for n in range(1, most + 1)]
        return [all[:n] for n in range(most + 1)]

    # Words for people

    def space(self, n: int) -> str:
        """A square or the coast: "A3", "the Pacific Coast"."""
        return "the Pacific Coast" if n == COAST else self.squares[n]

    def stock(self, c: int, n: int) -> str:
        """Shares for people: "3 red shares", "1 Credit Mobilier share"."""
        name = self.names[c] if c == self.builder else self.colors[c]
        return f"{n} {name} share" + ("" if n == 1 else "s")
