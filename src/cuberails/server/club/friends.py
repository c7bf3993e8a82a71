"""The people whom somebody knows here: whom they have played with, and friends, which both sides have to want.

Nobody is told the name by which the server knows another person: each gets a sign of their own for everybody.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import distinct, func, select
from sqlalchemy.orm import aliased

from cuberails.server.club.accounts import Accounts
from cuberails.server.club.blocks import BLOCKED, blocking, blocks_of, check_blocks, check_welcome
from cuberails.server.club.open_tables import LOBBY
from cuberails.server.connections import Write
from cuberails.server.identity import HASHED
from cuberails.server.models import ClaimRow, FriendRow, TableRow
from cuberails.server.naming import clean
from cuberails.server.refusal import Refused
from cuberails.server.store import DAMAGED, Store, now, time_text
from cuberails.server.tables import Tables

MOST_TABLES = 50
"""So many of somebody's last tables are looked through for the people there."""

MOST_FRIENDS = 200
"""How many friends, asked or asking, somebody can have."""

_SET = (
    "INSERT INTO friends (person, friend, name, agreed, at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (person, friend) DO UPDATE SET agreed = excluded.agreed"
)
_OFFER = "INSERT INTO friends (person, friend, name, agreed, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_END = "DELETE FROM friends WHERE person = ? AND friend = ?"

FRIEND, ASKING, ASKED, MET = "friend", "asking", "asked", "met"
"""How somebody is known: as a friend, as one who asks to be it or was asked, or from a table; or as `BLOCKED`."""


@dataclass(frozen=True)
class Contact:
    """Somebody whom a person knows. `own_name` is what that person was called at the table where they met."""

    person: str
    name: str
    kind: str
    own_name: str = ""


class Friends:
    """Who knows whom. `on_change` is called when two people are friends, or no longer."""

    def __init__(self, tables: Tables, accounts: Accounts, on_change: Callable[[], None]) -> None:
        self._tables = tables
        self._accounts = accounts
        self._on_change = on_change

    def sign(self, viewer: str, person: str) -> str:
        """How `viewer` is to name a person to the server."""
        return self._tables.identities.contact(viewer, person)

    async def contacts(self, person: str) -> list[Contact]:
        """Whom somebody knows: friends first, then those met most lately. Accounts have the name that they chose."""
        return await asyncio.to_thread(self._contacts, person) if person else []

    def _contacts(self, person: str) -> list[Contact]:
        met = _met(self._tables.store, person)
        known = {each.person: each for each in _friends(self._tables.store, person)}
        found = {**known, **{each.person: each for each in met if each.person not in known}}
        blocks = blocks_of(self._tables.store.engine, person).values()
        found |= {each.other: Contact(each.other, each.name, BLOCKED) for each in blocks if each.kind == BLOCKED}
        accounts = self._accounts.accounts_of(found)
        own_names = {each.person: each.own_name for each in met}
        return [
            Contact(each, accounts[each].name if each in accounts else known.name, known.kind, own_names.get(each, ""))
            for each, known in found.items()
        ]

    async def seen(self, person: str, here: set[str]) -> list[dict[str, Any]]:
        """Whom somebody knows, and which friends are among the people who are `here`."""
        return [
            {
                "id": self.sign(person, each.person),
                "name": each.name,
                "kind": each.kind,
                "here": each.kind == FRIEND and each.person in here,
            }
            for each in await self.contacts(person)
        ]

    async def find(self, person: str, sign: str) -> Contact:
        """Whom a sign means that this person was told."""
        for contact in await self.contacts(person):
            if self.sign(person, contact.person) == sign:
                return contact
        raise Refused(404, "no_person", "You know nobody by this sign; look at the list of your people again.")

    async def by_name(self, person: str, name: str) -> Contact:
        """Who has this name: somebody whom a person knows, or an account."""
        wanted = clean(name)
        found = [each for each in await self.contacts(person) if each.name.casefold() == wanted.casefold()]
        if len(found) > 1:
            raise Refused(409, "ambiguous", f"You know several people called {wanted}; choose one from the list.")
        account = None if found else await asyncio.to_thread(self._accounts.by_name, wanted)
        if account is not None:
            return Contact(account.person, account.name, MET)
        if not found:
            sentence = f"You have played with nobody called “{wanted}”, and there is no account of this name."
            raise Refused(404, "no_person", sentence)
        return found[0]

    async def set_friend(self, person: str, sign: str, wanted: bool) -> None:
        """Somebody asks for friendship or agrees to it, or ends or refuses it."""
        contact = await self.find(person, sign)
        if not wanted:
            ended: list[tuple[object, ...]] = [(person, contact.person), (contact.person, person)]
            await self._write(Write(LOBBY, [(_END, ended)], announced=True))
            return
        if contact.kind == BLOCKED:
            raise Refused(409, "blocked", f"You have blocked {contact.name}; lift that first.")
        sentence = f"{contact.name} does not want to be asked by you."
        await check_welcome(self._tables.store.engine, contact.person, person, sentence)
        if (
            sum(each.kind in (FRIEND, ASKING, ASKED) for each in await self.contacts(person)) >= MOST_FRIENDS
            and contact.kind == MET
        ):
            raise Refused(403, "too_many_friends", f"You have {MOST_FRIENDS} friends, and there is no room for more.")
        account = await asyncio.to_thread(self._accounts.account_of, person)
        own_name = account.name if account else contact.own_name or "Somebody"
        time = time_text(now())
        ours: tuple[object, ...] = (person, contact.person, contact.name, True, time)
        theirs: tuple[object, ...] = (contact.person, person, own_name, False, time)
        await self._write(Write(LOBBY, [(_SET, [ours]), (_OFFER, [theirs])], announced=True))

    async def set_block(self, person: str, sign: str, kind: str) -> None:
        """Somebody mutes or blocks a person whom they know, or does so no longer."""
        contact = await self.find(person, sign)
        check_blocks(await asyncio.to_thread(blocks_of, self._tables.store.engine, person), kind)
        await self._write(blocking(person, [contact.person], contact.name, kind))

    async def _write(self, write: Write) -> None:
        try:
            await self._tables.writer.write(write)
        finally:
            self._on_change()


# To be called in a thread


def _friends(store: Store, person: str) -> list[Contact]:
    """Friends, and those who ask or were asked."""
    theirs = aliased(FriendRow)
    query = (
        select(FriendRow.friend, FriendRow.name, FriendRow.agreed, theirs.agreed)
        .join(theirs, (theirs.person == FriendRow.friend) & (theirs.friend == FriendRow.person))
        .where(FriendRow.person == person, FriendRow.friend != person)
        .order_by(FriendRow.name, FriendRow.friend)
        .limit(MOST_FRIENDS)
    )
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
    kinds = {(True, True): FRIEND, (True, False): ASKED, (False, True): ASKING}
    return [Contact(each, name, kinds.get((ours, other), MET)) for each, name, ours, other in rows]


def _met(store: Store, person: str) -> list[Contact]:
    """The people with whom somebody has a table in common, the latest first."""
    own = select(ClaimRow.table_id).where(ClaimRow.person == person)
    latest = select(TableRow.id, TableRow.seats).where(TableRow.id.in_(own)).order_by(TableRow.changed.desc())
    with store.engine.connect() as connection:
        tables = connection.execute(latest.limit(MOST_TABLES)).all()
        query = select(ClaimRow.table_id, ClaimRow.seat, ClaimRow.person)
        claims = connection.execute(query.where(ClaimRow.table_id.in_([id for id, _ in tables]))).all()
    found: dict[str, Contact] = {}
    for id, seats in tables:
        here = [(seat, each) for table, seat, each in claims if table == id]
        own_name = next((_name(seats, seat) for seat, each in here if each == person), "")
        for seat, each in here:
            if each != person and not each.startswith(HASHED):  # a program with the key of a seat is nobody elsewhere
                found.setdefault(each, Contact(each, _name(seats, seat), MET, own_name))
    return list(found.values())


def companions(store: Store, person: str, tables: list[str]) -> dict[str, int]:
    """How many other people have a seat at each of these tables, be it played by a bot at present or not."""
    others = ClaimRow.person != person, ClaimRow.person.not_like(f"{HASHED}%")
    query = select(ClaimRow.table_id, func.count(distinct(ClaimRow.person)))
    with store.engine.connect() as connection:
        found = connection.execute(query.where(ClaimRow.table_id.in_(tables), *others).group_by(ClaimRow.table_id))
        return {row[0]: row[1] for row in found}


def _name(seats: str, seat: int) -> str:
    """What a seat is called; "?" if that cannot be read."""
    try:
        return str(json.loads(seats)[seat]["name"])
    except DAMAGED:
        return "?"
