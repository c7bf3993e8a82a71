"""Accounts in the database: names that are one person's, guests whose seats come along, and what is stored of them."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from cuberails.server import acceptance, chatting, undoing
from cuberails.server.club.accounts import Account, Accounts
from cuberails.server.club.personal import PERSONAL, exported
from cuberails.server.club.sessions import Sessions, beginning, device_name, removing_expired
from cuberails.server.identity import VALID_DAYS, hashed
from cuberails.server.models import Base
from cuberails.server.naming import name_key
from cuberails.server.refusal import Refused
from cuberails.server.requests import ActRequest, AnswerRequest, UndoRequest
from cuberails.server.store import now, time_text
from cuberails.server.table import Table
from tests.server.house import Hall, hall, opened, until
from tests.server.postgres import Postgres


class Club:
    """The accounts of a hall, and the sessions there."""

    def __init__(self, tables: Hall) -> None:
        self.hall = tables
        self.accounts = Accounts(tables.tables)
        self.sessions = Sessions(self.accounts, tables.tables)

    def account(self, name: str, email: str = "") -> Account:
        return self.hall.run(self.accounts.create(name, email))

    def sign_in(self, account: Account) -> str:
        token, stored = beginning(account.person, "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
        self.hall.run(self.accounts.write([stored]))
        return token

    def who(self, token: str) -> str:
        session = self.hall.run(self.sessions.find(token))
        return session.person if session else ""

    def bring_along(self, guest: str, account: Account) -> None:
        self.hall.run(self.accounts.bring_along(guest, account.person))


def act(tables: Hall, table: Table, seat: int, action: str) -> None:
    """Whoever has a seat acts."""
    (person,) = table.first_claimants(seat)
    request = ActRequest(seat=seat, seq=table.seq, action=action)
    tables.run(acceptance.act(table, [seat], request, person))


@pytest.fixture
def club(database: str) -> Iterator[Club]:
    with hall(database) as (tables, _):
        yield Club(tables)


def test_an_account_is_found_by_its_person_its_name_and_its_address(club: Club) -> None:
    ann = club.account("Ann", "ann@example.org")
    bob = club.account("Bob")
    assert club.accounts.account_of(ann.person) == ann
    assert club.accounts.accounts_of([ann.person, bob.person, "a guest", ""]) == {ann.person: ann, bob.person: bob}
    assert club.accounts.by_name(" aNN ") == ann
    assert club.accounts.by_email("ann@example.org") == ann
    assert club.accounts.by_email("") is None
    assert club.accounts.by_name("Nobody") is None


@pytest.mark.parametrize(
    "alike",
    [
        *("Ann", "ANN", "Ａｎｎ", " A n n ", "Ann\u200b", "\u0410nn", "\u0391nn"),
        *("Ann\u3164", "A\u115fnn", "\u2800Ann", "Ann\ufe0f", "Ann\u034f", "Ann\U000e0100"),
    ],
)
def test_names_that_look_alike_are_one_name(club: Club, alike: str) -> None:
    ann = club.account("Ann")
    with pytest.raises(Refused, match="has this name"):
        club.account(alike)
    club.hall.run(club.accounts.rename(ann.person, alike))  # but she may spell it as she likes


@pytest.mark.parametrize("name", ["ann@example.org", "jürgen@example.org", "Ann, ann@example.org"])
def test_a_name_is_no_address_that_everybody_would_read(name: str, club: Club) -> None:
    with pytest.raises(Refused, match="no address for mail"):
        club.account(name)


def test_nobody_is_called_like_those_who_have_gone(club: Club) -> None:
    with pytest.raises(Refused, match="has this name"):
        club.account("Somebody")


@pytest.mark.parametrize("name", ["", "  ", "\u200b\n", "..", "-", "\u3164", "\u2800", "\uffa0\ufe0f"])
def test_a_name_can_be_seen(club: Club, name: str) -> None:
    with pytest.raises(Refused, match="needs a letter"):
        club.account(name)


def test_the_longest_name_can_be_compared() -> None:
    assert len(name_key("ﷺ" * 40)) == 160  # which is 18 letters each, when it is folded


def test_an_address_belongs_to_one_account(club: Club) -> None:
    ann, bob = club.account("Ann"), club.account("Bob")
    club.hall.run(club.accounts.set_email(ann.person, "us@example.org"))
    with pytest.raises(Refused, match="another account"):
        club.hall.run(club.accounts.set_email(bob.person, "us@example.org"))
    club.hall.run(club.accounts.set_email(ann.person, ""))
    club.hall.run(club.accounts.set_email(bob.person, "us@example.org"))
    assert club.accounts.by_email("us@example.org") == club.accounts.account_of(bob.person)


def test_what_a_guest_has_comes_along(club: Club) -> None:
    table = opened(club.hall, "..")
    act(club.hall, table, 0, "bid 7")
    club.hall.run(chatting.note(table, "Ann", [0], "Bob likes red."))
    ann = club.account("Ann")
    club.bring_along("Ann", ann)
    assert table.claimed_by(ann.person) == [0]
    assert table.claimed_by("Ann") == []
    assert table.host == ann.person
    assert club.hall.store.note(table.id, ann.person) == "Bob likes red."
    assert [stored.id for stored, _ in club.hall.store.tables_of(ann.person)] == [table.id]
    assert club.hall.store.tables_of("Ann") == []
    assert [entry.person for entry in club.hall.store.entries(table.id, 0)] == [ann.person]


def test_a_table_read_anew_knows_who_came_along(database: str) -> None:
    with hall(database) as (tables, _):
        table, club = opened(tables, ".."), Club(tables)
        ann = club.account("Ann")
        club.bring_along("Ann", ann)
    with hall(database) as (tables, _):
        again = tables.find(table.id)
        assert (again.host, again.claimed_by(ann.person)) == (ann.person, [0])


def test_who_was_asked_to_go_back_can_answer_after_signing_in(club: Club) -> None:
    table = opened(club.hall, "..")
    act(club.hall, table, 0, "bid 7")
    act(club.hall, table, 1, "pass")
    club.hall.run(undoing.undo(table, [0], UndoRequest(seat=0, seq=table.seq, to=0), "Ann"))
    bob = club.account("Bob")
    club.bring_along("Bob", bob)
    reply = AnswerRequest(seat=1, seq=table.seq, agree=True)
    club.hall.run(undoing.answer(table, table.claimed_by(bob.person), reply, bob.person))
    assert table.game.count == 0


def test_what_both_have_stays_as_the_account_has_it(club: Club) -> None:
    table = opened(club.hall, "..")
    ann = club.account("Ann")
    club.hall.run(table.claim(0, ann.person))
    club.hall.run(chatting.note(table, ann.person, [0], "mine"))
    club.hall.run(chatting.note(table, "Ann", [0], "the guest's"))
    club.bring_along("Ann", ann)
    assert table.claimed_by(ann.person) == [0]
    assert club.hall.store.note(table.id, ann.person) == "mine"


def test_nobody_is_given_to_an_account_but_a_guest(club: Club) -> None:
    ann, bob = club.account("Ann"), club.account("Bob")
    table = opened(club.hall, "..")
    club.hall.run(table.claim(0, bob.person))
    club.bring_along(bob.person, ann)
    club.bring_along("", ann)
    assert table.claimed_by(bob.person) == [0]
    assert table.claimed_by(ann.person) == []


def test_another_process_learns_who_came_along(postgres: Postgres) -> None:
    database = postgres.new_database()
    with hall(database) as (here, _), hall(database) as (there, _):
        club, _there = Club(here), Club(there)
        table = opened(here, "..")
        same = there.find(table.id)
        ann = club.account("Ann")
        club.bring_along("Ann", ann)
        until(lambda: same.claimed_by(ann.person) == [0] and same.host == ann.person)


# Sessions


def test_a_session_is_known_by_its_token_which_is_stored_nowhere(club: Club) -> None:
    ann = club.account("Ann")
    token = club.sign_in(ann)
    assert club.who(token) == ann.person
    assert club.who(token[:-1] + "~") == ""
    assert club.who("session.") == ""
    (session,) = club.sessions.of(ann.person)
    assert session.device == "Firefox on Linux"
    with club.hall.store.engine.connect() as connection:
        assert token[8:] not in str(connection.execute(text("SELECT * FROM sessions")).all())


def test_a_session_that_was_ended_is_over_at_once(club: Club) -> None:
    ann, bob = club.account("Ann"), club.account("Bob")
    phone, desk = club.sign_in(ann), club.sign_in(ann)
    assert {club.who(phone), club.who(desk)} == {ann.person}
    digest = club.sessions.known(phone)
    assert digest is not None
    club.hall.run(club.sessions.end(bob.person, digest.digest))  # it is not his
    assert club.who(phone) == ann.person
    club.hall.run(club.sessions.end(ann.person, digest.digest))
    assert club.sessions.known(phone) is None
    assert (club.who(phone), club.who(desk)) == ("", ann.person)


def test_all_other_sessions_can_be_ended(club: Club) -> None:
    ann, bob = club.account("Ann"), club.account("Bob")
    here, there, his = club.sign_in(ann), club.sign_in(ann), club.sign_in(bob)
    kept = club.hall.run(club.sessions.find(here))
    assert kept is not None
    club.hall.run(club.sessions.end_others(ann.person, kept.digest))
    assert (club.who(here), club.who(there), club.who(his)) == (ann.person, "", bob.person)


def test_a_session_that_another_process_ended_is_over_here_too(postgres: Postgres) -> None:
    database = postgres.new_database()
    with hall(database) as (one, _), hall(database) as (other, _):
        here, there = Club(one), Club(other)
        token = here.sign_in(here.account("Ann"))
        session = there.hall.run(there.sessions.find(token))
        assert session is not None
        ended = asyncio.run_coroutine_threadsafe(there.sessions.ended(token), there.hall.tables.writer.loop)
        here.hall.run(here.sessions.end(session.person, session.digest))
        until(lambda: there.sessions.known(token) is None)
        assert there.who(token) == ""
        ended.result(20)  # whoever waits for that hears of it, too


def test_nobody_is_believed_for_long_without_looking_again(database: str) -> None:
    time = [0.0]
    with hall(database) as (tables, _):
        club = Club(tables)
        club.sessions = Sessions(club.accounts, tables.tables, lambda: time[0])
        token = club.sign_in(club.account("Ann"))
        assert club.who(token)
        with tables.store.engine.begin() as connection:
            connection.execute(text("DELETE FROM sessions"))
        time[0] = 61
        assert club.sessions.known(token) is None
        assert club.who(token) == ""


def test_a_device_that_was_not_used_for_long_is_signed_out_and_not_listed(club: Club) -> None:
    ann = club.account("Ann")
    old, new = club.sign_in(ann), club.sign_in(ann)
    long_ago = time_text(now() - dt.timedelta(days=VALID_DAYS + 1))
    club.hall.run(club.accounts.write([("UPDATE sessions SET seen = ? WHERE digest = ?", [(long_ago, hashed(old))])]))
    assert club.who(old) == ""
    assert [each.digest for each in club.sessions.of(ann.person)] == [hashed(new)]
    club.hall.run(club.accounts.write(removing_expired()))
    with club.hall.store.engine.connect() as connection:
        assert connection.scalars(text("SELECT digest FROM sessions")).all() == [hashed(new)]


def test_nobody_is_signed_in_without_an_account(club: Club) -> None:
    ann = club.account("Ann")
    token = club.sign_in(ann)
    club.hall.run(club.accounts.forget(ann.person))
    late = club.sign_in(ann)  # at the same moment, on another device
    club.sessions.forget()
    assert (club.who(token), club.who(late)) == ("", "")


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15) Firefox/140.0", "Firefox on Mac"),
        ("python-httpx/0.28", "A program"),
        ("", "A program"),
    ],
)
def test_a_device_has_a_name_that_its_owner_understands(agent: str, name: str) -> None:
    assert device_name(agent) == name


# What is stored about people


def test_every_column_with_a_person_is_listed() -> None:
    named = {(each.table.name, each.column.name) for each in PERSONAL}
    there = {
        (table.name, column.name)
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if column.name in ("person", "host")
    }
    assert there <= named


def test_an_export_tells_everything_but_secrets(club: Club) -> None:
    table = opened(club.hall, "..")
    act(club.hall, table, 0, "bid 7")
    club.hall.run(chatting.note(table, "Ann", [0], "Bob likes red."))
    ann = club.account("Ann", "ann@example.org")
    club.bring_along("Ann", ann)
    token = club.sign_in(ann)
    club.hall.run(club.accounts.set_password(ann.person, "$argon2id$hash"))
    told = exported(club.hall.store.engine, ann.person)
    assert told["accounts"][0]["email"] == "ann@example.org"
    assert told["notes"] == [{"table_id": table.id, "text": "Bob likes red."}]
    assert [(claim["seat"], claim["name"]) for claim in told["claims"]] == [(0, "Ann")]
    assert [(entry["kind"], entry["text"]) for entry in told["entries"]] == [("act", "bid 7")]
    assert [session["device"] for session in told["sessions"]] == ["Firefox on Linux"]
    session = club.hall.run(club.sessions.find(token))
    assert session is not None
    for secret in (session.digest, "argon2"):
        assert secret not in str(told)


def test_an_export_tells_nothing_of_others(club: Club) -> None:
    table = opened(club.hall, "...")
    ann = club.account("Ann")
    club.bring_along("Ann", ann)
    act(club.hall, table, 0, "bid 7")
    act(club.hall, table, 1, "pass")
    club.hall.run(chatting.say(table, ann.person, [0], None, "mine"))
    club.hall.run(chatting.say(table, "Bob", [1], None, "his"))
    undoing_request = UndoRequest(seat=0, seq=table.seq, to=0)
    club.hall.run(undoing.undo(table, [0], undoing_request, ann.person))
    told = exported(club.hall.store.engine, ann.person)
    assert [line["text"] for line in told["chat"]] == ["mine"]
    assert [entry["text"] for entry in told["entries"] if entry["kind"] == "ask"] == ["0 1 2"]
    assert [each["id"] for each in told["tables"]] == [table.id]
    assert "Bob" not in str(told)
    assert "Cy" not in str(told)


def test_what_is_forgotten_is_nowhere_while_the_game_stays(club: Club) -> None:
    table = opened(club.hall, "..")
    act(club.hall, table, 0, "bid 7")
    ann = club.account("Ann", "ann@example.org")
    club.bring_along("Ann", ann)
    club.sign_in(ann)
    club.hall.run(club.accounts.forget(ann.person))
    assert {name: rows for name, rows in exported(club.hall.store.engine, ann.person).items() if rows} == {}
    (entry,) = club.hall.store.entries(table.id, 0)
    assert (entry.text, entry.person) == ("bid 7", "")
