"""Calls by e-mail: each or once a day, to a confirmed address only, and ended by one press."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest

from cuberails.server.club.caller import LATER, Outcome
from cuberails.server.club.outbox import MAIL
from tests.server.club.conftest import Desk, calling_at_once
from tests.server.club.postbox import Postbox
from tests.server.club.test_accounts import Club
from tests.server.club.test_caller import play
from tests.server.house import Guests, House, Person, opened, until

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    box = Postbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, postbox: Postbox) -> Iterator[House]:
    with calling_at_once(tmp_path_factory.mktemp("house") / "house.db", **postbox.settings) as house:
        yield house


@pytest.fixture
def bob(house: House, guest: Guests) -> Person:
    """Somebody with an account and a confirmed address."""
    club = Club(house.tables)
    account = club.accounts.by_email("bob@example.org") or club.account("Bob", "bob@example.org")
    return guest(club.sign_in(account))


def test_a_call_comes_by_mail_and_one_press_ends_that(guest: Guests, postbox: Postbox, bob: Person) -> None:
    way = bob.post("/api/notifications", {"kind": "mail"}, 201)
    ann = guest()
    table = ann.open()
    bob.http.post(table["links"][1])
    ann.act(table["id"], 0, 0, "bid 12")
    mail = postbox.mail_to("bob@example.org")
    assert mail["Subject"] == "Your turn: Wabash Cannonball"
    assert f"https://play.example.org/t/{table['id']}" in mail.get_content()
    assert "Bid $13 or more for PA, or pass. With Ann, Cy." in mail.get_content()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = re.fullmatch(r"<https://play.example.org(/unsubscribe/[^@>]+)>", mail["List-Unsubscribe"])
    assert link is not None
    robot = guest()
    assert "No more mail when it is your turn?" in robot.http.get(link[1]).text
    assert [each["id"] for each in bob.get("/api/notifications")["ways"]] == [way["id"]]  # to look changes nothing
    done = robot.http.post(link[1], data={"List-Unsubscribe": "One-Click"})
    assert (done.status_code, "not called by e-mail any more" in done.text) == (200, True)
    assert bob.get("/api/notifications")["ways"] == []
    assert "not called by e-mail any more" in robot.http.get(link[1]).text


def test_names_can_neither_break_a_mail_nor_add_to_it(guest: Guests, postbox: Postbox, bob: Person) -> None:
    bob.post("/api/notifications", {"kind": "mail"}, 201)
    ann = guest()
    table = ann.open(seats=[{"name": "A\r\nBcc: x@y.z"}, {"name": "Bob", "by": "link"}, {"name": "Ünal", "by": "link"}])
    bob.http.post(table["links"][1])
    before = len(postbox.mails)
    ann.act(table["id"], 0, 0, "bid 12")
    until(lambda: len(postbox.mails) > before)
    mail = postbox.mails[-1]
    assert mail["Bcc"] is None
    assert mail.get_content_type() == "text/plain"
    assert "With A Bcc: x@y.z, Ünal." in mail.get_content()


def test_a_link_that_was_made_up_ends_nothing(guest: Guests, bob: Person) -> None:
    way = bob.post("/api/notifications", {"kind": "mail"}, 201)["id"]
    assert guest().http.post(f"/unsubscribe/{way}.AAAAAAAAAAAAAAAAAAAAAA", data={}).status_code == 404
    assert [each["id"] for each in bob.get("/api/notifications")["ways"]] == [way]


def test_mail_goes_to_confirmed_addresses_only(guest: Guests) -> None:
    refused = guest().post("/api/notifications", {"kind": "mail"}, 422)
    assert refused["error"] == "no_mail"
    refused = guest().post("/api/notifications", {"kind": "mail", "target": "victim@example.org"}, 422)
    assert refused["error"] == "no_mail"


def test_a_test_comes_by_mail_and_no_address_is_logged(
    postbox: Postbox, bob: Person, caplog: pytest.LogCaptureFixture
) -> None:
    way = bob.post("/api/notifications", {"kind": "mail", "digest_hour": 7}, 201)
    assert way["digest_hour"] == 7
    with caplog.at_level("INFO"):
        assert bob.post(f"/api/notifications/{way['id']}/test", {}) == {"sent": True}
        assert postbox.mails[-1]["Subject"] == "cuberails: a test"
        postbox.answer = "550 bob@example.org is unknown"
        refused = bob.post(f"/api/notifications/{way['id']}/test", {}, 422)
        postbox.answer = ""
    assert refused["error"] == "not_delivered"
    ours = [record.getMessage() for record in caplog.records if record.name != "mail.log"]  # that is the mail server's
    assert "bob@example.org" not in " ".join(ours) + refused["message"]


# Each or once a day


def test_what_happens_soon_after_a_mail_is_told_together_in_the_next(desk: Desk) -> None:
    desk.add_way("Bob", MAIL)
    first, *others = [opened(desk.hall) for _ in range(3)]
    play(first, "bid 12")
    assert desk.deliver() == ["Bob turn"]
    for table in others:
        play(table, "bid 12")
    assert desk.deliver(MINUTE) == []
    assert desk.deliver(5 * MINUTE) == ["Bob turn"] * 2
    assert desk.letters == [1, 2]


def test_a_digest_comes_once_a_day_at_its_hour_with_what_still_holds(desk: Desk) -> None:
    hour = (desk.time + 3 * HOUR).hour
    desk.add_way("Bob", MAIL, hour)
    tables = [opened(desk.hall) for _ in range(3)]
    for table in tables:
        play(table, "bid 12")
    assert desk.deliver(HOUR) == []
    play(tables[0], "bid 13")  # Bob has seen it by himself
    assert desk.deliver(3 * HOUR) == ["Bob turn"] * 2
    assert desk.letters == [2]
    assert desk.deliver(DAY) == []


def test_a_digest_that_fails_is_tried_again_the_same_day(desk: Desk) -> None:
    desk.add_way("Bob", MAIL, (desk.time + 2 * HOUR).hour)
    play(opened(desk.hall), "bid 12")
    assert desk.deliver(MINUTE) == []
    desk.outcomes = [Outcome(LATER, "the mail server said 451")]
    assert desk.deliver(3 * HOUR) == ["Bob turn"]
    assert desk.deliver(MINUTE) == ["Bob turn"]
