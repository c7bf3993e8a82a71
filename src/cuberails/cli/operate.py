"""Commands for hosts: a copy of the tables, and whether a new version still plays everything alike."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from cuberails.cli.serve import Data, SettingsFile, chosen_settings, place
from cuberails.cli.shared import console, grid, progress
from cuberails.core.title import SetupError
from cuberails.draw.pen import clean
from cuberails.terminal.screen import Screen
from cuberails.terminal.storage import read_text
from cuberails.titles import keys, load

if TYPE_CHECKING:
    from cuberails.server.club.standing import Standing

commands = typer.Typer()


@commands.command(epilog="Example: cuberails backup /backups/tables.db")
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where the copy goes; a copy of that name is replaced.")],
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Copy all tables as they stand at one moment, while people play. `cuberails serve --data FILE` continues them.

    The key of the server is copied too, to FILE.key: without it nobody would be recognized.
    """
    from cuberails.server.backup import back_up, back_up_key, sqlite_file

    chosen = chosen_settings(settings, database=data)
    source = sqlite_file(chosen.database_url)
    if source is None:
        raise SetupError(f"the tables are in {place(chosen)}: copy them with its own tool, say pg_dump for PostgreSQL")
    size = back_up(source, Path(file).expanduser())
    said = f"{source} is copied to {file} ({size / 1e6:.1f} MB)"
    if chosen.secret_file.exists() and not chosen.secret:
        key = replace(chosen, database=file).secret_file
        back_up_key(chosen.secret_file, key)
        said += f", and its key to {key.name} beside it: keep both, and keep the key from others"
    print(f"{said}.")


@commands.command(epilog="Example: cuberails check games/*.txt")
def check(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE…", help="Records to check too, in text or JSON.")
    ] = None,
    data: Data = None,
    settings: SettingsFile = None,
) -> int:
    """Play every stored table and record again with the installed rules and boards, and say which would change.

    The tables themselves stay as they are. The exit code is 1 if anything would change or cannot be read.
    """
    chosen = chosen_settings(settings, database=data)
    tables = [] if files and not _has_tables(chosen.database_url) else _tables_with_problems(chosen.database_url)
    problems = [*tables, *_records_with_problems(files or [])]
    for name, problem in problems:
        if problem:
            print(f"{name}: {problem}")
    bad = sum(bool(problem) for _, problem in problems)
    print(f"{len(problems)} checked, {bad or 'none'} would change or cannot be read.", file=sys.stderr)
    return 1 if bad else 0


@commands.command(epilog="Example: cuberails ratings wabash")
def ratings(
    title: Annotated[str | None, typer.Argument(metavar="[TITLE]", help="One title; all of them by default.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="First read the results of all finished games from their logs again.")
    ] = False,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Show how everybody with an account stands by the rated games of a server, and the bots, with all names."""
    from cuberails.server.club.recount import finished_tables, record_again
    from cuberails.server.club.standing import everybody
    from cuberails.server.store import Store

    chosen = chosen_settings(settings, database=data)
    if not _has_tables(chosen.database_url):
        raise SetupError(f"there are no tables in {place(chosen)}")
    wanted = [load(title).key] if title else keys()
    store = Store(chosen.database_url)
    try:
        if again:
            ids = finished_tables(store.engine)
            count, unreadable = record_again(store, progress(ids, "Tables", len(ids)))
            print(f"The results of {count} finished games are read from their logs.", file=sys.stderr)
            for id in unreadable:
                print(f"Table {id} cannot be read, and its results stay as they were.", file=sys.stderr)
        for key in wanted:
            _print_standings(load(key).name, everybody(store.engine, key))
    finally:
        store.close()


def _print_standings(name: str, standings: Sequence[Standing]) -> None:
    screen = Screen(console())
    screen.say(name, "bold")
    if not standings:
        screen.say("No rated game is over yet.")
        return
    table = grid("who", "at least", "rating", "games", "won")
    for column in table.columns[1:]:
        column.justify = "right"
    for each in standings:
        rating = f"{each.rating} ± {2 * each.uncertainty}"
        table.add_row(Text(clean(each.who)), str(each.at_least), rating, str(each.games), f"{each.wins:g}")
    screen.show(table)


def _has_tables(url: str) -> bool:
    from cuberails.server.backup import sqlite_file

    file = sqlite_file(url)
    return file is None or file.is_file()


def _tables_with_problems(url: str) -> list[tuple[str, str]]:
    from cuberails.server import checking

    with checking.opened_copy(url) as store:
        ids = checking.table_ids(store)
        return [(f"table {id}", checking.table_problem(store, id)) for id in progress(ids, "Tables", len(ids))]


def _records_with_problems(files: list[str]) -> Iterable[tuple[str, str]]:
    from cuberails.server.checking import record_problem

    for file in progress(files, "Records", len(files)):
        try:
            problem = record_problem(read_text(file))
        except UnicodeDecodeError:
            problem = "it cannot be read: it is not text in UTF-8"
        except (OSError, ValueError) as error:
            problem = f"it cannot be read: {getattr(error, 'strerror', None) or error}"
        yield file, problem
