"""Commands about the titles themselves: which there are, and their rules."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.text import Text

from cuberails import TITLES, load
from cuberails.cli.shared import TitleKey, console, find_title, grid
from cuberails.core.title import Title
from cuberails.terminal.sentences import rules_about

commands = typer.Typer()


@commands.command(epilog="Example: cuberails titles")
def titles() -> None:
    """List the games that can be played, with their options and where their boards come from."""
    table = grid("", "", padding=1)
    table.show_header = False
    table.columns[0].no_wrap = True
    for key in TITLES:
        table.add_row(Text(key, "bold"), _about(load(key)))
    console().print(table)


def _about(title: Title) -> Text:
    players = f"{title.least_players}–{title.most_players} players"
    options = [f"\n--option {name}={'|'.join(values)}" for name, values in title.options.items()]
    note = f"\nboard: {title.board.name}. {title.board.provenance.note}"
    return Text.assemble((title.name, "bold"), f", {players}, about {title.minutes} minutes", *options, (note, "dim"))


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
