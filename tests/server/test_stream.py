"""A table as server-sent events: the first, those that were missed, and who gets what."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import httpx
import pytest

from cuberails.server.thinking import Question
from tests.server.house import Guests, House, Listener, Still, opened, served, until


def test_the_first_event_tells_how_the_table_stands(guest: Guests) -> None:
    ann = guest()
    id = ann.open()["id"]
    (event,) = ann.events(id)
    assert (event["id"], event["seq"], event["count"]) == ("0", 0, 0)
    assert event["you"]["seat"] == 0


def test_a_viewer_without_a_seat_gets_no_decision(guest: Guests) -> None:
    id = guest().open()["id"]
    (event,) = guest().events(id)
    assert event["you"] is None
    assert event["status"]["actor"] == 0


def test_others_see_an_action_when_it_happens(guest: Guests) -> None:
    ann = guest()
    opened = ann.open()
    bob = guest.with_link(opened["links"][1])
    listener = Listener(bob, opened["id"], 2)
    listener.wait_for(1)
    ann.act(opened["id"], 0, 0, "bid 12")
    seen = listener.end()
    assert [event["id"] for event in seen] == ["0", "1"]
    assert seen[1]["news"][0]["lines"] == ["Ann bids $12 for PA"]
    assert seen[1]["you"]["seat"] == 1
    assert seen[1]["status"]["actor"] == 1
    assert set(seen[1]["parts"]) == {"seat-0"}  # whose turn it is changes no part


def test_whoever_slept_gets_what_changed_since(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    for seq, action in enumerate(("bid 12", "bid 13", "bid 14")):
        ann.act(id, seq, seq, action)
    (event,) = ann.events(id, last="2")
    assert [step["n"] for step in event["news"]] == [3]
    (event,) = ann.events(id, query="?since=1")
    assert [step["n"] for step in event["news"]] == [2, 3]
    (event,) = ann.events(id, last="3")
    assert (event["news"], event["parts"]) == ([], {})
    (event,) = ann.events(id, query="?since=0", last="2")  # what the browser says counts more than the page
    assert len(event["news"]) == 1


@pytest.mark.parametrize("last", ["99", "-1", "x", "9" * 5000, "1.5", "²"])
def test_whoever_comes_with_nonsense_gets_all_news(guest: Guests, last: str) -> None:
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    ann.act(id, 0, 0, "bid 12")
    headers = [(b"Last-Event-ID", last.encode("latin-1"))]
    with ann.http.stream("GET", f"/api/tables/{id}/events", headers=headers) as stream:
        text = next(line for line in stream.iter_lines() if line.startswith("data: "))
    assert "bids $12" in text
    for since in ("99", "-7", "9" * 30):
        (event,) = ann.events(id, query=f"?since={since}")
        assert len(event["news"]) == 1
    assert ann.http.get(f"/api/tables/{id}/events?since=x").status_code == 400


def test_what_was_taken_back_and_played_otherwise_is_shown_anew(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    ann.act(id, 0, 0, "bid 12")
    ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 1})
    ann.act(id, 0, 2, "bid 20")
    (event,) = ann.events(id, last="1")
    assert [line for step in event["news"] for line in step["lines"]] == ["Player 1 bids $20 for PA"]
    assert event["prompt"].endswith("Bid $21 or more for PA, or pass")


def test_whoever_slept_through_two_undos_catches_up(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    ann.act(id, 0, 0, "bid 12")
    ann.act(id, 1, 1, "bid 13")
    ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 2, "to": 0})
    ann.act(id, 0, 3, "bid 20")
    ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 4, "to": 0})
    (event,) = ann.events(id, last="2")
    assert (event["count"], event["news"]) == (0, [])
    assert event["status"]["actor"] == 0
    assert set(event["parts"]) == {"seat-1"}  # its bid is gone, and whose turn it is changes no part


def test_a_seat_given_to_a_bot_is_no_longer_asked(guest: Guests) -> None:
    ann = guest()
    opened = ann.open()
    id = opened["id"]
    bob = guest.with_link(opened["links"][1])
    listener = Listener(bob, id, 3)
    listener.wait_for(1)
    ann.act(id, 0, 0, "bid 12")
    listener.wait_for(2)
    ann.post(f"/api/tables/{id}/seats/1", {"level": "random"})
    assert [event["you"] is not None for event in listener.end()] == [False, True, False]


def test_viewers_at_another_server_see_an_action_at_once(guest: Guests, house: House) -> None:
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    file = Path(house.tables.store.url.removeprefix("sqlite:///"))
    with served(file) as other:
        elsewhere = Guests(other.address)
        listener = Listener(elsewhere(), id, 2)
        listener.wait_for(1)
        ann.act(id, 0, 0, "bid 12")
        seen = listener.end()
        elsewhere.leave()
    assert [event["id"] for event in seen] == ["0", "1"]


def test_viewers_who_vanish_are_forgotten(guest: Guests, house: House) -> None:
    ann = guest()
    id = ann.open()["id"]
    for _ in range(5):
        guest().events(id)
    until(lambda: not house.tables.find(id).watchers)
    ann.act(id, 0, 0, "bid 12")
    assert ann.see(id)["seq"] == 1


def test_events_are_packed_for_those_who_accept_it(guest: Guests) -> None:
    ann = guest()
    id = ann.open()["id"]
    for accepted, packed in (("gzip", "gzip"), ("identity", None)):
        with ann.http.stream("GET", f"/api/tables/{id}/events", headers={"Accept-Encoding": accepted}) as stream:
            assert stream.headers.get("content-encoding") == packed
            assert any(line.startswith("data: ") for line in _first_lines(stream))


def _first_lines(stream: httpx.Response) -> list[str]:
    return list(islice(stream.iter_lines(), 5))


# How far bots are


@pytest.fixture
def still(house: House, monkeypatch: pytest.MonkeyPatch) -> Still:
    """Bots that a test answers for, at the tables of the house."""
    still = Still()
    monkeypatch.setattr(house.tables.driver, "thinkers", still)
    return still


def advance(still: Still, question: Question, far: float, listener: Listener) -> None:
    """A bot comes so far, and somebody hears of it."""
    still.far[question] = far
    until(lambda: listener.progress[-1:] == [far], 60)


def test_a_bot_that_thinks_long_tells_how_far_it_is(guest: Guests, house: House, still: Still) -> None:
    id = opened(house.tables, "b..").id
    question, done = still.asked[0]
    listener = Listener(guest(), id, 2)
    for far in (0.25, 0.5):
        advance(still, question, far, listener)
    done("bid 9")
    assert [event["id"] for event in listener.end()] == ["0", "1"]
    assert listener.progress == [0.25, 0.5]


def test_a_quick_bot_only_tells_what_it_does(guest: Guests, house: House, still: Still) -> None:
    listener = Listener(guest(), opened(house.tables, "b..").id, 2)
    listener.wait_for(1)
    still.asked[0][1]("bid 9")
    listener.end()
    assert listener.progress == []


def test_how_far_a_hint_is_hears_only_who_asked(guest: Guests, house: House, still: Still) -> None:
    ann = guest()
    id = ann.open()["id"]
    own, strange = Listener(ann, id, 2), Listener(guest(), id, 2)
    until(lambda: len(house.tables.find(id).watchers) == 2)
    with ThreadPoolExecutor(1) as pool:
        hint = pool.submit(ann.get, f"/api/tables/{id}/hint")
        until(lambda: bool(still.advised))
        question, ideas = still.advised[0]
        for far in (0.25, 0.5):
            advance(still, question, far, own)
        ideas.set_result([])
        assert hint.result()["ideas"] == []
    ann.act(id, 0, 0, "bid 12")
    own.end()
    strange.end()
    assert (own.progress, strange.progress) == ([0.25, 0.5], [])
