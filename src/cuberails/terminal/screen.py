"""What a game writes on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from textwrap import TextWrapper

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table as Grid
from rich.text import Text

from cuberails.bots import OnProgress
from cuberails.core.game import Game
from cuberails.core.scene import Scene
from cuberails.draw.pen import clean
from cuberails.draw.text import UNCHANGING, text_parts
from cuberails.terminal.menu import Numbered, NumberedMenu, range_example
from cuberails.terminal.sentences import standings, verdict

COLUMNS = 100
"""From this width on a board looks as it should."""
MOST_NEWS = 16
LEAST_NEWS = 4
"""So many lines of news are shown even if they take the place of a part of the board."""
SPACIOUS = 46
"""From this number of rows on there are blank lines between the parts of a board."""
FIRST = ("prompt", "map", "progress", "seats", "tracks")
"""What is shown before all else where there is not room for everything."""
PARTS_OF_MAP = ("legend", "map")


class Screen:
    """A console that knows boards, menus and news."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._drawn: object = None
        self._introduced = False

    def say(self, text: str, style: str = "") -> None:
        """A sentence. A terminal breaks it between words only, so that paths and amounts stay in one piece."""
        if self.console.is_terminal:
            fill = TextWrapper(self.console.width, break_long_words=False, break_on_hyphens=False).fill
            text = "\n".join(fill(line) for line in text.split("\n"))
        self.copyable(text, style)

    def copyable(self, text: str, style: str = "") -> None:
        """Lines that are not broken, since people copy them; none can command the terminal."""
        visible = "\n".join(clean(line) for line in text.split("\n"))
        self.console.print(Text(visible, style), soft_wrap=True)

    @contextmanager
    def thinking(self, name: str) -> Iterator[OnProgress]:
        """A transient progress bar; the thinker reports the progress."""
        columns = TextColumn("{task.description}"), BarColumn()
        with Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal) as bar:
            task = bar.add_task(f"{name} is thinking", total=1.0)
            yield lambda part: bar.update(task, completed=part)

    @property
    def rows(self) -> int:
        """How many rows are seen at once; pipes and files have no end."""
        return self.console.height if self.console.is_terminal else 1_000_000

    def board(self, scene: Scene) -> None:
        """The whole table, the newest parts last, without the prompt."""
        self._print_parts([lines for lines in self._parts(scene).values() if lines], 1)
        self._drawn = _looks(scene)
        self._introduced = True

    def map(self, scene: Scene) -> None:
        """Only the map and what its signs mean."""
        parts = self._parts(scene)
        self._print_parts([parts[name] for name in PARTS_OF_MAP if parts[name]], 1)

    def table(self, scene: Scene) -> None:
        """Everything but the map."""
        parts = self._parts(scene)
        self._print_parts([lines for name, lines in parts.items() if lines and name not in PARTS_OF_MAP], 1)

    def decision(self, scene: Scene, news: Sequence[str], menu: NumberedMenu) -> None:
        """What somebody needs to decide, on one screen: the table as far as there is room, the news, the choices.

        A table that was drawn last and still looks the same is not drawn again.
        """
        choices, news = self._grid(menu), self._wrapped(news)
        room = self.rows - self._height(Text(scene.prompt)) - self._height(choices) - 2
        if _looks(scene) != self._drawn:
            room -= self._draw_fitting(scene, room - min(LEAST_NEWS, len(news)))
        self.news(news, max(LEAST_NEWS, min(MOST_NEWS, room)))
        if room < 0:  # of choices that are more than a screen the last are seen, and below them what they are for
            self.show(choices)
        self.say(scene.prompt, "bold")
        if room >= 0:
            self.show(choices)

    def _draw_fitting(self, scene: Scene, room: int) -> int:
        """Draw the parts of the table that fit into so many rows, and say which do not; return how many were used."""
        parts = {name: lines for name, lines in self._parts(scene).items() if lines}
        if self._introduced:
            parts = {name: lines for name, lines in parts.items() if name not in UNCHANGING}
        gap = 1 if self.rows >= SPACIOUS else 0
        chosen, used = _fitting(parts, room, gap)
        self._print_parts([lines for name, lines in parts.items() if name in chosen], gap)
        self._drawn = _looks(scene)
        self._introduced = True
        missing = [name for name in parts if name not in chosen and name not in UNCHANGING]
        if missing:
            self.say(_not_shown(missing), "dim")
        return used

    def _parts(self, scene: Scene) -> dict[str, list[str]]:
        """The table by parts; the prompt itself follows below the news."""
        return text_parts(replace(scene, prompt=""), self.console.width, self.console.color_system is not None)

    def _print_parts(self, parts: Sequence[list[str]], gap: int) -> None:
        between = "\n" * (gap + 1)
        text = between.join("\n".join(lines) for lines in parts)
        if text:
            end = between if gap else "\n"
            self.console.print(Text.from_ansi(text), no_wrap=True, crop=True, overflow="crop", end=end)

    def _height(self, what: RenderableType) -> int:
        return len(self.console.render_lines(what, pad=False))

    def _wrapped(self, lines: Sequence[str]) -> list[str]:
        """The lines as they are broken on this terminal, two columns in; pipes break none."""
        if not self.console.is_terminal:
            return list(lines)
        wrapper = TextWrapper(self.console.width - 2, break_long_words=False, break_on_hyphens=False)
        return [part for line in lines for part in wrapper.wrap(line)]

    def news(self, lines: Sequence[str], most: int = MOST_NEWS) -> None:
        """What happened, the newest last."""
        if len(lines) > most:
            self.say(f"  … {len(lines) - most + 1} more before; `log` shows all", "dim")
            lines = lines[-most + 1 :]
        for line in lines:
            self.say(f"  {line}", "dim")

    def menu(self, menu: NumberedMenu) -> None:
        """The choices, one row for each kind of action."""
        self.show(self._grid(menu))

    def _grid(self, menu: NumberedMenu) -> Grid:
        grid = Grid.grid(padding=(0, 1))
        if menu.amounts:
            grid.add_row(Text(f"  {menu.range}", "bold"), Text("type a number", "dim"))
        room = self.console.width - max(map(len, menu.rows), default=0) - 4
        for head, choices in menu.rows.items():
            cells = [_cell(choice, numbered=not menu.amounts) for choice in choices]
            grid.add_row(Text(f"  {head}", "bold"), _columns(cells, room))
        if menu.ranges:
            grid.add_row(Text(), Text(f"type an amount after the number: {range_example(menu.ranges[0])}", "dim"))
        return grid

    def end(self, game: Game) -> None:
        """The final standings."""
        self.say(f"The game is over. {verdict(game)}", "bold")
        self.console.print(standings(game))

    def markdown(self, text: str) -> None:
        self.show(Markdown(text))

    def show(self, what: RenderableType) -> None:
        self.console.print(what)


def _fitting(parts: Mapping[str, Sequence[str]], room: int, gap: int) -> tuple[set[str], int]:
    """The names of the parts that fit into so many rows, the most needed first, and the rows that they take."""
    chosen, used = set(), 0
    rest = sorted((name for name in parts if name not in FIRST), key=lambda name: name in UNCHANGING)
    hint = 0 if sum(len(lines) + gap for lines in parts.values()) <= room else 1  # a row says what is missing
    for name in [*(name for name in FIRST if name in parts), *rest]:
        taken = len(parts[name]) + gap
        if used + taken + hint <= room:
            chosen.add(name)
            used += taken
    return chosen, used + hint


def _not_shown(missing: Sequence[str]) -> str:
    """Which parts have no room, and how to see them."""
    named = {"companies": "railroads", "seats": "players"}
    tables = [named.get(name, name) for name in missing if name != "map"]
    ways = ["`map` shows the map"] if "map" in missing else []
    if tables:
        ways.append(f"`table` shows {', '.join(tables)}")
    return f"  Not all fits: {'; '.join(ways)}."


def _looks(scene: Scene) -> object:
    """What must be drawn again if it changes; bids and passes are reported in words."""
    return scene.map, scene.tracks, [company.facts for company in scene.companies]


def _cell(choice: Numbered, numbered: bool) -> Text:
    cell = Text.assemble((f"{choice.number:>3} ", "cyan") if numbered else "", choice.label)
    return cell.append(f"  {choice.brief}", "dim") if choice.brief else cell


def _columns(cells: Sequence[Text], width: int) -> Grid:
    """The cells in as few lines as possible, in columns that are read downwards."""
    for rows in range(1, len(cells) + 1):
        columns = [cells[n : n + rows] for n in range(0, len(cells), rows)]
        if sum(max(cell.cell_len for cell in column) + 2 for column in columns) <= width:
            break
    grid = Grid.grid(padding=(0, 2))
    for line in zip_longest(*columns, fillvalue=Text()):
        grid.add_row(*line)
    return grid
