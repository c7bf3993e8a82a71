"""Limits: generous to people, firm to scripts."""

from __future__ import annotations

import pytest

from cuberails.server.limits import ACTING, AT_HOME, CLUB, OPENING, Limits, Rate
from cuberails.server.refusal import Refused
from tests.server.house import Guests, Person, until

FAR = "203.0.113.7"


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def allowed(limits: Limits, rate: Rate, person: str, address: str = FAR) -> bool:
    try:
        limits.take(rate, person, address)
    except Refused:
        return False
    return True


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    limits, rate = Limits(clock), Rate("play", 5, 60)
    assert [allowed(limits, rate, "ann") for _ in range(7)] == [True] * 5 + [False] * 2
    with pytest.raises(Refused, match="you can play again in 1 s") as refusal:
        limits.take(rate, "ann", FAR)
    assert (refusal.value.status_code, refusal.value.headers) == (429, {"Retry-After": "1"})
    clock.time += 1
    assert [allowed(limits, rate, "ann") for _ in range(2)] == [True, False]
    clock.time += 3600
    assert [allowed(limits, rate, "ann") for _ in range(6)] == [True] * 5 + [False]


def test_it_is_said_when_one_can_come_back() -> None:
    for a_minute, when in ((1, "again in 60 s."), (0.2, "again in 5 minutes.")):
        limits, rate = Limits(Clock()), Rate("play", 1, a_minute)
        limits.take(rate, "ann", "192.0.2.1")
        with pytest.raises(Refused, match=when):
            limits.take(rate, "ann", "192.0.2.1")


def test_others_are_not_concerned() -> None:
    limits, rate = Limits(Clock()), Rate("play", 1, 1)
    assert allowed(limits, rate, "ann")
    assert not allowed(limits, rate, "ann")
    assert allowed(limits, rate, "bob")
    assert allowed(limits, Rate("open tables", 1, 1), "ann")


def test_a_script_with_many_faces_has_one_address() -> None:
    limits, rate = Limits(Clock()), Rate("play", 2, 1)
    assert sum(allowed(limits, rate, f"face {n}") for n in range(100)) == 2 * CLUB
    assert not allowed(limits, rate, "")
    assert allowed(limits, rate, "somebody else", "198.51.100.1")
    house = [allowed(limits, rate, "", f"2001:db8:0:1::{n:x}") for n in range(100)]  # one house, many addresses
    assert sum(house) == 2 * CLUB


def test_each_client_of_the_older_kind_has_its_own_bucket_at_a_server_of_the_newer() -> None:
    """With --host :: they come as ::ffff:192.0.2.1."""
    limits, rate = Limits(Clock()), Rate("play", 1, 1)
    assert sum(allowed(limits, rate, "", "::ffff:192.0.2.1") for _ in range(100)) == CLUB
    assert not allowed(limits, rate, "", "192.0.2.1")
    assert allowed(limits, rate, "", "::ffff:192.0.2.2")


@pytest.mark.parametrize("near", ["127.0.0.1", "::1", "::ffff:127.0.0.1", ""])
def test_at_the_server_itself_everybody_may_do_much_but_not_everything(near: str) -> None:
    """A proxy there may not tell for whom it asks: nobody behind it takes from what the others have."""
    limits, rate = Limits(Clock()), Rate("play", 1, 1)
    assert sum(allowed(limits, rate, "ann", near) for _ in range(2 * AT_HOME)) == AT_HOME
    assert sum(allowed(limits, rate, "", near) for _ in range(2 * AT_HOME)) == AT_HOME
    assert allowed(limits, rate, "bob", near)


def test_buckets_do_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.limits.MOST_BUCKETS", 50)
    limits, rate = Limits(Clock()), Rate("play", 2, 1)
    taken = sum(allowed(limits, rate, f"face {n}") for n in range(500))
    assert taken == 2 * CLUB  # the address is remembered, being used all the time
    assert len(limits._buckets) == 50


def far(guest: Guests, address: str) -> Person:
    """Somebody from far away, behind a proxy at the server."""
    person = guest()
    person.http.headers["X-Forwarded-For"] = address
    return person


def test_a_script_that_opens_tables_must_wait(guest: Guests) -> None:
    script = far(guest, "203.0.113.1")
    script.http.get("/")
    for _ in range(OPENING.burst):
        script.open()
    until(lambda: script.http.post("/api/tables", json={}).status_code == 429)
    answer = script.http.post("/api/tables", json={"title": "wabash", "seats": [{}, {}]})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert answer.json()["error"] == "too_many"
    assert "open tables again in" in answer.json()["message"]
    assert len(script.get("/api/tables")) == OPENING.burst


def test_a_script_that_acts_must_wait_and_changes_nothing(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{}, {}])["id"]
    ann.http.headers["X-Forwarded-For"] = "203.0.113.2"
    codes = [
        ann.http.post(f"/api/tables/{id}/act", json={"seat": 0, "seq": 9, "action": "pass"}).status_code
        for _ in range(ACTING.burst)
    ]
    assert set(codes) == {409}
    # A few requests a second are always free again: on a slow machine several must be tried at once.
    undo = {"seat": 0, "seq": 0}
    answers = [ann.http.post(f"/api/tables/{id}/undo", json=undo) for _ in range(ACTING.burst)]
    tables = [answer.json()["table"] for answer in answers if answer.status_code == 429]
    assert tables
    assert set(tables) == {None}
    assert ann.see(id)["seq"] == 0


def test_cookies_are_for_this_site_alone_and_over_https_never_sent_without(guest: Guests) -> None:
    for headers, secure in (({}, False), ({"X-Forwarded-Proto": "https"}, True)):
        cookie = guest().http.get("/", headers=headers).headers["set-cookie"].lower()
        assert "; httponly" in cookie
        assert "; samesite=lax" in cookie
        assert ("; secure" in cookie) == secure
