"""Webhooks from end to end: somebody adds one, is called there, and hears of nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from standardwebhooks import Webhook

from tests.server.club.conftest import calling_at_once
from tests.server.club.receiver import Receiver
from tests.server.club.test_accounts import Club
from tests.server.house import Guests, House, Person, until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with calling_at_once(tmp_path_factory.mktemp("house") / "house.db") as house:
        yield house


def webhook(person: Person, receiver: Receiver, kind: str = "json") -> dict[str, str]:
    added: dict[str, str] = person.post("/api/notifications", {"kind": kind, "target": f"{receiver.url}/secret"}, 201)
    return added


def two_people(guest: Guests) -> tuple[Person, Person, str]:
    """Ann, Bob, and a table where Ann begins."""
    ann = guest()
    opened = ann.open()
    return ann, guest.with_link(opened["links"][1]), opened["id"]


def test_a_plain_webhook_is_signed_with_a_secret_that_is_shown_once(guest: Guests, receiver: Receiver) -> None:
    ann, bob, id = two_people(guest)
    added = webhook(bob, receiver)
    ann.act(id, 0, 0, "bid 12")
    (request,) = receiver.wait_for(1)
    sent = Webhook(added["secret"]).verify(request.body, request.headers)
    assert sent["type"] == "cuberails.turn"
    assert sent["data"]["link"] == f"{bob.http.base_url}".rstrip("/") + f"/t/{id}"
    assert (sent["data"]["table"], sent["data"]["title"], sent["data"]["waiting"]) == (id, "wabash", 1)
    listed = bob.get("/api/notifications")
    assert [way["label"] for way in listed["ways"]] == ["127.0.0.1"]
    assert added["secret"] not in json.dumps(listed)
    assert receiver.url not in json.dumps(listed)


def test_discord_and_slack_get_what_they_understand(guest: Guests, receiver: Receiver) -> None:
    ann, bob, id = two_people(guest)
    ann.post(f"/api/tables/{id}/seats/0/name", {"name": "<!channel> @everyone *x*"})
    webhook(bob, receiver, "discord")
    webhook(bob, receiver, "slack")
    ann.act(id, 0, 1, "bid 12")
    bodies = [json.loads(request.body) for request in receiver.wait_for(2)]
    discord = next(body for body in bodies if "content" in body)
    slack = next(body for body in bodies if "text" in body)
    assert discord["content"].startswith("**Your turn: Wabash Cannonball**, for Bob\n")  # others may read that, too
    assert slack["text"].startswith("Your turn: Wabash Cannonball, for Bob\n")
    assert discord["allowed_mentions"] == {"parse": []}
    assert "\\*x\\*" in discord["content"]
    assert "&lt;!channel&gt;" in slack["text"]
    assert f"/t/{id}>" in slack["text"]


def test_a_test_can_be_sent_and_says_what_is_wrong(guest: Guests, receiver: Receiver) -> None:
    ann = guest()
    way = webhook(ann, receiver)["id"]
    assert ann.post(f"/api/notifications/{way}/test", {}) == {"sent": True}
    assert json.loads(receiver.requests[0].body)["type"] == "cuberails.test"
    receiver.status = 302
    refused = ann.post(f"/api/notifications/{way}/test", {}, 422)
    assert refused["error"] == "not_delivered"
    assert "redirect (302), which is not followed" in refused["message"]


def test_ways_are_their_persons_business(guest: Guests, receiver: Receiver) -> None:
    ann, bob = guest(), guest()
    bob.open()
    way = webhook(ann, receiver)["id"]
    assert bob.get("/api/notifications")["ways"] == []
    bob.post(f"/api/notifications/{way}/test", {}, 404)
    assert bob.http.delete(f"/api/notifications/{way}").status_code == 404
    assert ann.http.delete(f"/api/notifications/{way}").status_code == 200
    assert ann.get("/api/notifications")["ways"] == []
    ann.post(f"/api/notifications/{way}/test", {}, 404)


@pytest.mark.parametrize("target", ["https://10.0.0.1/", "http://example.invalid/", "mailto:ann@example.org"])
def test_an_address_that_cannot_be_asked_is_refused_at_once(guest: Guests, target: str) -> None:
    refused = guest().post("/api/notifications", {"kind": "json", "target": target}, 422)
    assert refused["error"] == "bad_address"


def test_nobody_has_more_ways_than_ten(guest: Guests, receiver: Receiver) -> None:
    ann = guest()
    for _ in range(10):
        webhook(ann, receiver)
    refused = ann.post("/api/notifications", {"kind": "json", "target": receiver.url}, 403)
    assert refused["error"] == "too_many_ways"


def test_tables_that_wait_are_listed_oldest_first_and_the_next_one_found(guest: Guests) -> None:
    ann, bob = guest(), guest()
    assert bob.get("/api/waiting") == []
    first, second = (ann.open() for _ in range(2))
    for opened in (second, first):
        ann.act(opened["id"], 0, 0, "bid 12")
    for opened in (first, second):
        bob.http.post(opened["links"][1])
    assert [table["id"] for table in bob.get("/api/waiting")] == [second["id"], first["id"]]
    assert bob.http.get("/next").headers["location"] == f"/t/{second['id']}"
    assert bob.http.get(f"/next?beside={second['id']}").headers["location"] == f"/t/{first['id']}"
    bob.act(second["id"], 1, 1, "bid 13")
    assert [table["id"] for table in bob.get("/api/waiting")] == [first["id"]]
    assert bob.http.get(f"/next?beside={first['id']}").headers["location"] == "/"


def test_who_is_asked_to_go_back_is_waited_for_until_they_answer(guest: Guests) -> None:
    ann = guest()
    table = ann.open()
    id = table["id"]
    bob, cy = (guest.with_link(link) for link in table["links"][1:])
    ann.act(id, 0, 0, "bid 12")
    bob.act(id, 1, 1, "bid 13")
    assert bob.get("/api/waiting") == []
    ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 2, "to": 0})
    assert [each["id"] for each in bob.get("/api/waiting")] == [id]
    assert bob.http.get("/next").headers["location"] == f"/t/{id}"
    home = bob.http.get("/").text
    assert 'data-waits="1"' in home  # the number on the icon of the app
    assert '<li class="yours">' in home
    assert '<span class="turn">your answer</span>' in home
    assert ann.get("/api/waiting") == []
    bob.post(f"/api/tables/{id}/answer", {"seat": 1, "seq": 3, "agree": True})
    assert bob.get("/api/waiting") == []  # now Cy is
    cy.post(f"/api/tables/{id}/answer", {"seat": 2, "seq": 4, "agree": False})
    assert [each["id"] for each in cy.get("/api/waiting")] == [id]  # it is his turn


def test_whoever_is_invited_is_called_to_the_table_that_waits(house: House, guest: Guests, receiver: Receiver) -> None:
    club = Club(house.tables)
    bob = guest(club.sign_in(club.account("Bob")))
    webhook(bob, receiver)
    ann = guest()
    id = ann.open(seats=[{"name": "Ann"}, {"by": "open"}], visibility="invited")["id"]
    ann.post(f"/api/lobby/{id}/invite", {"name": "Bob"})
    sent = json.loads(receiver.wait_for(1)[0].body)
    assert (sent["type"], sent["data"]["text"]) == ("cuberails.invited", "Ann wants you to play. With Ann.")
    assert sent["data"]["link"].endswith(f"/lobby/{id}")


def test_a_receiver_that_hangs_delays_no_action(guest: Guests, receiver: Receiver) -> None:
    ann, bob, id = two_people(guest)
    webhook(bob, receiver)
    receiver.gate.clear()
    seq = ann.act(id, 0, 0, "bid 12")["seq"]
    receiver.wait_for(1)  # and it hangs until the end of this test
    assert bob.act(id, 1, seq, "bid 13")["seq"] == seq + 1
    assert ann.open()["id"]
    assert not receiver.gate.is_set()


def test_no_address_of_a_webhook_is_logged(guest: Guests, receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    receiver.status = 500
    ann, bob, id = two_people(guest)
    webhook(bob, receiver)
    with caplog.at_level("INFO"):
        ann.act(id, 0, 0, "bid 12")
        receiver.wait_for(1)
        until(lambda: bob.get("/api/notifications")["ways"][0]["trouble"] != "")
    assert bob.get("/api/notifications")["ways"][0]["trouble"] == "it answered 500"
    assert "secret" not in caplog.text
