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
from cuberails.cli.shared import console, grid, whole
from cuberails.core.title import SetupError
from cuberails.draw.pen import clean
from cuberails.terminal.screen import Screen

if TYPE_CHECKING:
    from cuberails.server.club.moderation import Somebody
    from cuberails.server.connections import Write
    from cuberails.server.store import Store

commands = typer.Typer(help="Keep order on a server: people, tables, reports, bans, admins.", no_args_is_help=True)

Whom = Annotated[
    str,
    typer.Argument(
        metavar="WHO", help="The name of an account, or a person as `people` shows it (after --, if need be)."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")]

SOON = "The server that runs does it at all tables now; if none runs, the next that starts."


@contextmanager
def _opened(settings: str | None, data: str | None) -> Iterator[Store]:
    """The database of a server, which must be there."""
    from cuberails.server.backup import sqlite_file
    from cuberails.server.store import Store

    chosen = chosen_settings(settings, database=data)
    file = sqlite_file(chosen.database_url)
    if file is not None and not file.is_file():
        raise SetupError(f"there are no tables in {place(chosen)}")
    store = Store(chosen.database_url)
    try:
        yield store
    finally:
        store.close()


# What there is to see


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
        banned = "banned" if each.ban else ""
        table.add_row(Text(clean(each.name)), Text(each.person), each.kind, _time(each.seen), banned)
    _show(table if found else "Nobody is called so." if name else "Nobody has an account yet.")


@commands.command(epilog="Example: cuberails admin tables Bob")
def tables(
    find: Annotated[
        str, typer.Argument(metavar="[WHICH]", help="A table, a name in its seats, or a person who sits there.")
    ] = "",
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """List the tables that wait for players, and those where something has happened last; or those you look for."""
    from cuberails.server.club import administration

    with _opened(settings, data) as store:
        found = administration.tables(store.engine, find)
    table = grid("table", "title", "seats", "actions", "who finds it", "last", "")
    for each in found:
        names = Text(clean(", ".join(each.names)))
        row = (Text(each.id), each.title, names, str(each.actions), each.visibility, _time(each.changed), each.state)
        table.add_row(*row)
    _show(table if found else "No table fits that." if find else "There is no table yet.")


@commands.command(epilog="Example: cuberails admin reports --done Xy12_abc")
def reports(
    done: Annotated[str | None, typer.Option("--done", metavar="REPORT", help="You have dealt with this one.")] = None,
    dealt_with: Annotated[bool, typer.Option("--old", help="Those that somebody has dealt with.")] = False,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """List what people have reported and nobody has dealt with, the earliest first."""
    from cuberails.server.club import administration, moderation

    with _opened(settings, data) as store:
        if done:
            report = administration.report(store.engine, done)
            if report is None:
                raise SetupError(f"there is no report {clean(done)!r}; look at the list of `cuberails admin reports`")
            administration.write(store, moderation.handle(moderation.HOST, report.id, report.other, report.name))
        found = administration.reports(store.engine, done=dealt_with)
    screen = Screen(console())
    for each in found:
        screen.say(f"{each.id}  {_time(each.at)}  {clean(each.name)} at table {each.table}", "bold")
        screen.say(f"  person {each.other}, reported by {each.person}")
        screen.say(f"  in the chat: {clean(each.line)}" if each.line else "  not for a line of the chat")
        if each.reason:
            screen.say(f"  because: {clean(each.reason)}")
    if not found:
        screen.say("Nothing is there." if dealt_with else "Nothing is reported that nobody has dealt with.")


@commands.command(epilog="Example: cuberails admin bans")
def bans(data: Data = None, settings: SettingsFile = None) -> None:
    """List who is banned, until when, and why."""
    from cuberails.server.club.bans import bans as stored_bans

    with _opened(settings, data) as store:
        found = stored_bans(store.engine).values()
    table = grid("name", "person", "since", "until", "why")
    for each in found:
        until = _time(each.until) or "for good"
        table.add_row(Text(clean(each.name)), Text(each.person), _time(each.at), until, Text(clean(each.reason)))
    _show(table if found else "Nobody is banned.")


@commands.command(epilog="Example: cuberails admin log")
def log(data: Data = None, settings: SettingsFile = None) -> None:
    """List what admins have done, and you, the latest first."""
    from cuberails.server.club import administration

    with _opened(settings, data) as store:
        found = administration.moderation_log(store.engine)
    table = grid("when", "who", "what", "whom", "")
    for each in found:
        table.add_row(
            _time(each.at), Text(clean(each.admin)), each.what, Text(clean(each.name)), Text(clean(each.text))
        )
    _show(table if found else "Nothing was done yet.")


# What there is to do


@commands.command(epilog="Example: cuberails admin ban Bob --days 7 --reason 'insults in the chat'")
def ban(
    who: Whom,
    lift: Annotated[bool, typer.Option("--lift", help="Let them take part again.")] = False,
    days: Annotated[int, typer.Option(parser=whole, metavar="N", help="For so many days; for good if not given.")] = 0,
    reason: Annotated[str, typer.Option(metavar="WHY", help="Why; they read it.")] = "",
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Ban somebody: they are signed out, can look on, and can no longer act, write, open tables or join them."""
    from cuberails.server.club import moderation

    with _opened(settings, data) as store:
        if not 0 <= days <= moderation.MOST_DAYS:
            raise SetupError(
                f"--days {days}: a ban is for 1 to {moderation.MOST_DAYS} days, or without --days for good"
            )
        found = _wanted(store, who)
        if lift and not found.ban:
            raise SetupError(f"{clean(found.name)} is not banned")
        change = (
            moderation.lift(moderation.HOST, found) if lift else moderation.ban(moderation.HOST, found, reason, days)
        )
        _write(store, change)
    said = "can take part again" if lift else "is banned, and signed out everywhere"
    print(f"{clean(found.name)} {said}.")


@commands.command(epilog="Example: cuberails admin rename 'Rude word' 'Player 7'")
def rename(
    who: Whom,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The new name; “Player” and a number if not given.")
    ] = "",
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Have somebody called otherwise, in their account and at all tables."""
    from cuberails.server.club import administration, moderation

    with _opened(settings, data) as store:
        found = _wanted(store, who)
        fresh = name or administration.free_name(store.engine)
        with _refusing():
            _write(store, moderation.rename(moderation.HOST, found, fresh))
    print(f"{clean(found.name)} is called {clean(fresh)} now. {SOON}")


@commands.command(epilog="Example: cuberails admin delete Bob")
def delete(who: Whom, yes: Yes = False, data: Data = None, settings: SettingsFile = None) -> None:
    """Delete an account, or all about a guest: games stay, their seats are called somebody."""
    from cuberails.server.club import moderation

    with _opened(settings, data) as store:
        found = _wanted(store, who)
        _ask(yes, f"Delete all about {clean(found.name)} ({found.kind})? This cannot be undone.")
        _write(store, moderation.delete(moderation.HOST, found))
    print(f"{clean(found.name)} is signed out, and nothing remains of them but the games. {SOON}")


@commands.command("delete-table", epilog="Example: cuberails admin delete-table x1Y2z3A4b5C6")
def delete_table(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table, as `tables` shows it.")],
    yes: Yes = False,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Delete a table with its log and its chat, or close one that waits for players."""
    from cuberails.server.club import administration, moderation

    with _opened(settings, data) as store:
        found = administration.table(store.engine, table)
        if found is None:
            raise SetupError(f"there is no table {clean(table)!r}; look at the list of `cuberails admin tables`")
        _ask(yes, f"Delete the table of {clean(found.said)} ({found.title}, {found.state})? This cannot be undone.")
        _write(store, moderation.close(moderation.HOST, found.id, found.said))
    print(f"The table of {clean(found.said)} is deleted. {SOON}")


@commands.command(epilog="Example: cuberails admin grant Ann")
def grant(who: Whom, data: Data = None, settings: SettingsFile = None) -> None:
    """Make somebody with an account an admin: they find the page /admin, and do there what these commands do."""
    from cuberails.server.club import moderation
    from cuberails.server.identity import has_account

    with _opened(settings, data) as store:
        found = _wanted(store, who)
        if not has_account(found.person):
            raise SetupError(f"{clean(found.name)} is a guest; an admin needs an account")
        if found.ban:
            raise SetupError(f"{clean(found.name)} is banned; lift that first")
        _write(store, moderation.grant(found))
    print(f"{clean(found.name)} is an admin: the page is /admin.")


@commands.command(epilog="Example: cuberails admin revoke Ann")
def revoke(who: Whom, data: Data = None, settings: SettingsFile = None) -> None:
    """Take away from somebody that they are an admin."""
    from cuberails.server.club import moderation

    with _opened(settings, data) as store:
        found = _wanted(store, who)
        if not found.admin:
            raise SetupError(f"{clean(found.name)} is no admin")
        _write(store, moderation.revoke(found))
    print(f"{clean(found.name)} is an admin no longer.")


def _wanted(store: Store, who: str) -> Somebody:
    """The account with this name, or whoever the server knows as this person."""
    from cuberails.server.club import administration

    found = administration.somebody(store.engine, who)
    if found is None:
        raise SetupError(f"nobody is called {clean(who)!r} here; `cuberails admin people NAME` shows guests, too")
    return found


def _write(store: Store, change: Write) -> None:
    from cuberails.server.club import administration

    administration.write(store, change)


@contextmanager
def _refusing() -> Iterator[None]:
    """What a server would refuse, the command says in its own way."""
    from cuberails.server.refusal import Refused

    try:
        yield
    except Refused as error:
        raise SetupError(error.detail) from None


def _ask(yes: bool, question: str) -> None:
    try:
        agreed = yes or typer.confirm(question)
    except typer.Abort:  # nobody is there to answer, or Ctrl-C
        print()
        agreed = False
    if not agreed:
        raise SetupError("nothing was deleted; --yes answers the question")


def _time(time: dt.datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _show(what: Table | str) -> None:
    screen = Screen(console())
    if isinstance(what, str):
        screen.say(what)
    else:
        screen.show(what)
