"""Commands about the titles themselves: which there are, and their rules."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.text import Text

from cuberails import TITLES, load
from cuberails.cli.shared import TitleKey, console, find_title, grid
from cuberails.terminal.sentences import rules_about

commands = typer.Typer()


@commands.command(epilog="Example: cuberails titles")
def titles() -> None:
    """List the games that can be played, with their options and where their boards come from."""
    table = grid("title", "game", "players", "options")
    for key in TITLES:
        title = load(key)
        options = [f"{name}={'|'.join(values)}" for name, values in title.options.items()]
        about = Text.assemble(title.name, "\n", (title.board.provenance.note or title.board.name, "dim"))
        table.add_row(key, about, f"{title.least_players}–{title.most_players}", "\n".join(options))
    for column in table.columns:
        column.no_wrap = column.header != "game"
    console().print(table)


@commands.command(epilog="Example: cuberails rules wabash W4.2")
def rules(
    title: TitleKey,
    number: Annotated[
        list[str] | None, typer.Argument(metavar="[NUMBER]", help="A rule, a section, or a word.")
    ] = None,
) -> None:
    """Read the rules: all of them, a rule or a section by number, or those that speak of a word."""
    found = find_title(title)
    asked = " ".join(number or []).strip()
    console().print(Markdown(rules_about(found, asked) if asked else found.rulebook.text))
