"""Commands for hosts: a copy of the tables, and whether a new version still plays everything alike."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from cuberails.cli.serve import Data, SettingsFile, chosen_settings, place
from cuberails.cli.shared import progress
from cuberails.core.title import SetupError
from cuberails.terminal.storage import read_text

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


def _has_tables(url: str) -> bool:
    from cuberails.server.backup import sqlite_file

    file = sqlite_file(url)
    return file is None or file.exists()


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
