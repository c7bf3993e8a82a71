"""Accounts: who somebody is on all their devices. Everything can be played without one.

An account is a person with a name of its own kind (see identity.py), so whatever asks for a person asks for an account
as well. What reads the database takes its time and is to be called in a thread; what changes it goes to the writer.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select

from cuberails.server.club.personal import forgetting, moving
from cuberails.server.connections import Changes, SequenceConflict, Statement, Write
from cuberails.server.identity import has_account
from cuberails.server.models import AccountRow
from cuberails.server.naming import SOMEBODY, clean, name_key
from cuberails.server.refusal import Refused
from cuberails.server.store import Store, now, time_text
from cuberails.server.tables import Tables

ACCOUNTS = "accounts"
"""What a write is called that concerns accounts and no table, so that other processes hear of it."""

MOVED = "moved"
"""What a write is called, with the names of both, that makes a guest somebody with an account."""

FORGOTTEN = "forgotten"
"""What a write is called, with the name, after which somebody is not known any more."""

_ADD_ACCOUNT = "INSERT INTO accounts (person, name, name_key, email, password, created) VALUES (?, ?, ?, ?, ?, ?)"
_RENAME = "UPDATE accounts SET name = ?, name_key = ? WHERE person = ?"
_SET_EMAIL = "UPDATE accounts SET email = ? WHERE person = ?"
_END_LINKS = "DELETE FROM mail_links WHERE person = ? OR email = ?"
_SET_VISIBLE = "UPDATE accounts SET visible = ? WHERE person = ?"
_SET_PASSWORD = "UPDATE accounts SET password = ? WHERE person = ?"

_ADDRESS_IN_NAME = re.compile(r"\S@\S+\.\S")

NAME_TAKEN = Refused(409, "name_taken", "Somebody here has this name, or one that looks like it; choose another.")


@dataclass(frozen=True)
class Account:
    """Somebody with an account. `email` is "" unless its owner has confirmed it by a link that was sent there.

    Who is `visible` shows others what they have played, and where they stand.
    """

    person: str
    name: str
    email: str
    password: str
    created: dt.datetime
    visible: bool = False


class Accounts:
    """The accounts of a server."""

    def __init__(self, tables: Tables) -> None:
        self.store: Store = tables.store
        self._tables = tables
        tables.on_change.append(self._on_change)

    # To be called in a thread

    def account_of(self, person: str) -> Account | None:
        """The account of a person; None for guests."""
        return self.accounts_of([person]).get(person)

    def accounts_of(self, persons: Iterable[str]) -> dict[str, Account]:
        """The accounts of those of these people who have one."""
        wanted = [person for person in persons if has_account(person)]
        return {each.person: each for each in self._found(AccountRow.person.in_(wanted))} if wanted else {}

    def by_name(self, name: str) -> Account | None:
        """The account with this name, however it is spelled."""
        return next(self._found(AccountRow.name_key == name_key(name)), None)

    def by_email(self, email: str) -> Account | None:
        """The account whose owner reads mail at this address."""
        return next(self._found(AccountRow.email == email), None)

    def _found(self, condition: ColumnElement[bool]) -> Iterator[Account]:
        with self.store.engine.connect() as connection:
            rows = connection.execute(select(AccountRow).where(condition)).all()
        return (Account(row.person, row.name, row.email or "", row.password, row.created, row.visible) for row in rows)

    # Changes

    def new_person(self) -> str:
        """Who somebody will be who makes an account."""
        return self._tables.identities.new_account()

    async def create(
        self, name: str, email: str = "", password: str = "", person: str = "", also: Iterable[Statement] = ()
    ) -> Account:
        """A new account; `also` is stored with it, or neither is."""
        account = Account(person or self.new_person(), checked_name(name), email, password, now())
        key, time = name_key(account.name), time_text(account.created)
        row = (account.person, account.name, key, email or None, password, time)
        await self.write([(_ADD_ACCOUNT, [row]), *also], NAME_TAKEN)
        return account

    async def bring_along(self, guest: str, person: str) -> None:
        """Somebody who played as a guest has signed in: their seats, tables and notes come along."""
        if not guest or has_account(guest):
            return
        writer = self._tables.writer
        await writer.write(Write(f"{MOVED}:{guest}:{person}", moving(guest, person), announced=True))
        self._tables.hand_over(guest, person)

    def _on_change(self, changes: Changes) -> None:
        """Another process wrote: perhaps a guest became somebody with an account, or somebody has left."""
        for change in changes or ():
            kind, _, names = change.table.partition(":")
            if kind == MOVED:
                self._tables.hand_over(*names.split(":"))
            elif kind == FORGOTTEN:
                self._tables.forget(names)

    async def rename(self, person: str, name: str) -> None:
        fresh = checked_name(name)
        await self.write([(_RENAME, [(fresh, name_key(fresh), person)])], NAME_TAKEN)

    async def set_email(self, person: str, email: str, also: Iterable[Statement] = ()) -> None:
        """Somebody reads mail at this address, which they have shown; "" to forget it. Links that were sent before, to
        the address they had or to this one, do nothing any more."""
        taken = Refused(409, "email_taken", "There is another account with this address.")
        ended: Statement = (_END_LINKS, [(person, email or None)])
        await self.write([ended, *also, (_SET_EMAIL, [(email or None, person)])], taken)

    async def set_visible(self, person: str, visible: bool) -> None:
        """Whether others see what somebody has played, and where they stand."""
        await self.write([(_SET_VISIBLE, [(visible, person)])])

    async def set_password(self, person: str, password: str) -> None:
        """The hash of a password; "" for none."""
        await self.write([(_SET_PASSWORD, [(password, person)])])

    async def forget(self, person: str) -> None:
        """Nothing about somebody remains, except that somebody played."""
        await self._tables.writer.write(Write(f"{FORGOTTEN}:{person}", forgetting(person), announced=True))
        self._tables.forget(person)

    async def write(
        self, statements: Iterable[Statement], conflict: Refused | None = None, announced: bool = False
    ) -> None:
        """Write what concerns accounts, `announced` if a session ends; if it is there already, that is a conflict."""
        try:
            await self._tables.writer.write(Write(ACCOUNTS, list(statements), announced=announced))
        except SequenceConflict:
            raise conflict or Refused(409, "stale", "Somebody was quicker; load the page again.") from None


def checked_name(name: str) -> str:
    """A name for an account."""
    found = clean(name)
    if not any(unicodedata.category(sign)[0] in "LNS" for sign in found):
        raise Refused(400, "bad_name", "A name needs a letter, a number or another sign that can be seen.")
    if _ADDRESS_IN_NAME.search(found):
        raise Refused(400, "bad_name", "Others see this name: choose one that is no address for mail.")
    if name_key(found) == name_key(SOMEBODY):
        raise NAME_TAKEN
    return found
