"""What a game writes on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from textwrap import TextWrapper

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table as Grid
from rich.text import Text

from cuberails import draw
from cuberails.bots import OnProgress
from cuberails.core.game import Game
from cuberails.core.scene import Scene
from cuberails.draw.pen import clean
from cuberails.terminal.menu import Numbered, NumberedMenu
from cuberails.terminal.sentences import standings, verdict

COLUMNS = 100
"""From this width on a board looks as it should."""
MOST_NEWS = 16


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

    def board(self, scene: Scene, brief: bool = False) -> None:
        """The whole table, or only what changes; the prompt follows below the news."""
        color = self.console.color_system is not None
        text = draw.text(replace(scene, prompt=""), self.console.width, color, brief)
        self.console.print(Text.from_ansi(text), no_wrap=True, crop=True, overflow="crop", end="\n\n")
        self._drawn = _looks(scene)
        self._introduced = True

    def changed_board(self, scene: Scene) -> None:
        """The table, unless it was drawn last and still looks the same; after the first time briefly."""
        if _looks(scene) != self._drawn:
            self.board(scene, brief=self._introduced)

    def forget(self) -> None:
        """Let the next `changed_board` draw in any case, and all of it."""
        self._drawn = None
        self._introduced = False

    def news(self, lines: Sequence[str]) -> None:
        """What happened, the newest last."""
        if len(lines) > MOST_NEWS:
            self.say(f"  … {len(lines) - MOST_NEWS} more before; `log` shows all", "dim")
        for line in lines[-MOST_NEWS:]:
            self.say(f"  {line}", "dim")

    def menu(self, menu: NumberedMenu) -> None:
        """The choices, one row for each kind of action."""
        grid = Grid.grid(padding=(0, 1))
        if menu.amounts:
            grid.add_row(Text(f"  {menu.range}", "bold"), Text("type a number", "dim"))
        rows = {
            head: [_cell(choice, numbered=not menu.amounts) for choice in choices]
            for head, choices in menu.rows.items()
        }
        rows |= {head: [Text(span) for span in spans] for head, spans in menu.spans.items()}
        room = self.console.width - max(map(len, rows), default=0) - 4
        for head, cells in rows.items():
            grid.add_row(Text(f"  {head}", "bold"), _columns(cells, room))
        if menu.spans:
            grid.add_row(Text(), Text(f"type it out, as in {menu.texts()[-1]}", "dim"))
        self.console.print(grid)

    def end(self, game: Game) -> None:
        """The final standings."""
        self.say(f"The game is over. {verdict(game)}", "bold")
        self.console.print(standings(game))

    def markdown(self, text: str) -> None:
        self.show(Markdown(text))

    def show(self, what: RenderableType) -> None:
        self.console.print(what)


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
