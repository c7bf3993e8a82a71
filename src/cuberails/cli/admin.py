"""`cuberails admin`: order on a server, for whoever runs it; while the server runs, or while it does not."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from cuberails.cli.serve import Data, SettingsFile, chosen_settings, place
from cuberails.cli.shared import console, grid
from cuberails.core.title import SetupError
from cuberails.draw.pen import clean
from cuberails.terminal.screen import Screen

if TYPE_CHECKING:
    from cuberails.server.club.administration import Somebody
    from cuberails.server.store import Store

commands = typer.Typer(help="Keep order on a server: people, tables, reports, bans.", no_args_is_help=True)


@contextmanager
def _opened(settings: str | None, data: str | None) -> Iterator[Store]:
    """The database of a server, which must be there."""
    from cuberails.server.backup import sqlite_file
    from cuberails.server.store import Store

    chosen = chosen_settings(settings, database=data)
    file = sqlite_file(chosen.database_url)
    if file is not None and not file.exists():
        raise SetupError(f"there are no tables in {place(chosen)}")
    store = Store(chosen.database_url)
    try:
        yield store
    finally:
        store.close()


@commands.command(epilog="Example: cuberails admin people Bob")
def people(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Whose name this occurs in; guests too.")] = "",
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """List the accounts, the newest first; with a name who is called so, guests at the last tables among them."""
    from cuberails.server.club import administration

    with _opened(settings, data) as store:
        found = administration.people(store.engine, name)
    table = grid("name", "person", "kind", "last seen", "")
    for each in found:
        banned = "banned" if each.banned else ""
        table.add_row(Text(clean(each.name)), Text(each.person), each.kind, _time(each.seen), banned)
    _show(table if found else "Nobody is called so." if name else "Nobody has an account yet.")


@commands.command(epilog="Example: cuberails admin tables")
def tables(data: Data = None, settings: SettingsFile = None) -> None:
    """List the tables where something has happened last."""
    from cuberails.server.club import administration

    with _opened(settings, data) as store:
        found = administration.tables(store.engine)
    table = grid("table", "title", "seats", "actions", "who finds it", "last")
    for each in found:
        names = Text(clean(", ".join(each.names)))
        table.add_row(Text(each.id), each.title, names, str(each.actions), each.visibility, _time(each.changed))
    _show(table if found else "There is no table yet.")


@commands.command(epilog="Example: cuberails admin reports --done Xy12_abc")
def reports(
    done: Annotated[str | None, typer.Option("--done", metavar="REPORT", help="You have dealt with this one.")] = None,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """List what people have reported and nobody has dealt with, the earliest first."""
    from cuberails.server.club import administration

    with _opened(settings, data) as store:
        if done and not administration.settle(store.engine, done):
            raise SetupError(f"there is no report {clean(done)!r}; look at the list of `cuberails admin reports`")
        found = administration.open_reports(store.engine)
    screen = Screen(console())
    for each in found:
        screen.say(f"{each.id}  {_time(each.at)}  {clean(each.name)} at table {each.table}", "bold")
        screen.say(f"  person {each.other}, reported by {each.person}")
        screen.say(f"  in the chat: {clean(each.line)}" if each.line else "  not for a line of the chat")
        if each.reason:
            screen.say(f"  because: {clean(each.reason)}")
    if not found:
        screen.say("Nothing is reported that nobody has dealt with.")


@commands.command(epilog="Example: cuberails admin ban Bob")
def ban(
    who: Annotated[
        str, typer.Argument(metavar="WHO", help="The name of an account, or a person as `people` shows it.")
    ],
    lift: Annotated[bool, typer.Option("--lift", help="Let them take part again.")] = False,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Ban somebody: they are signed out, can look on, and can no longer act, write, open tables or join them."""
    from cuberails.server.club import administration
    from cuberails.server.club.bans import banning, lifting

    with _opened(settings, data) as store:
        found = _wanted(store, who)
        administration.write(store, lifting(found.person) if lift else banning(found.person, found.name))
    said = "can take part again" if lift else "is banned, and signed out everywhere"
    print(f"{clean(found.name)} {said}.")


def _wanted(store: Store, who: str) -> Somebody:
    """The account with this name, or whoever the server knows as this person."""
    from cuberails.server.club import administration

    found = administration.somebody(store.engine, who)
    if found is None:
        raise SetupError(f"nobody is called {clean(who)!r} here; `cuberails admin people NAME` shows guests, too")
    return found


def _time(time: dt.datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _show(what: Table | str) -> None:
    screen = Screen(console())
    if isinstance(what, str):
        screen.say(what)
    else:
        screen.show(what)
