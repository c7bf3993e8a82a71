"""Standing orders at tables: given, secret, carried out, marked, revoked, and kept over a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import cuberails
from cuberails.server.club import orders
from cuberails.server.club.clocks import LIVE, TimeControl
from cuberails.server.club.order_store import removing
from cuberails.server.refusal import Refused
from cuberails.server.requests import OrderRequest
from cuberails.server.store import TIMEOUT
from cuberails.server.table import Table
from tests.server.club.test_accounts import Club
from tests.server.house import (
    Guests,
    Hall,
    HandClock,
    Person,
    Still,
    act,
    answer,
    change_player,
    hall,
    opened,
    undo,
    until,
)
from tests.server.postgres import Postgres

Quiet = tuple[Hall, Still]
PA = "the auction of PA"


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[Quiet]:
    with hall(tmp_path / "tables.db") as found:
        yield found


def give(tables: Hall, table: Table, seat: int, kind: str, **more: object) -> None:
    """A seat gives an order, as its owner."""
    request = OrderRequest.model_validate({"seat": seat, "kind": kind, "stage": PA, **more})
    tables.run(orders.give(table, [seat], request, table.game.seats[seat]))


def texts(table: Table) -> list[str]:
    return [step.action.text for step in table.game.steps]


def settled(tables: Hall, table: Table, wanted: list[str]) -> None:
    """Wait until exactly this was done at the table, by people and by orders."""
    tables.drive(table)
    until(lambda: texts(table) == wanted)


def test_bids_up_to_a_limit_while_away(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    give(tables, table, 1, "bid", limit=9)
    act(table, [0], 0, table.seq, "bid 7")
    settled(tables, table, ["bid 7", "bid 8"])
    act(table, [2], 2, table.seq, "pass")
    act(table, [0], 0, table.seq, "bid 10")
    settled(tables, table, ["bid 7", "bid 8", "pass", "bid 10", "pass"])
    until(lambda: table.orders == [])  # PA is sold
    assert table.history.ordered_since(0) == [2, 5]
    assert [entry.person for entry in table.history.log if entry.ordered] == ["Bob", "Bob"]


def test_two_orders_bid_against_each_other(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables, "..")
    give(tables, table, 0, "bid", limit=12)
    give(tables, table, 1, "bid", limit=10)
    settled(tables, table, ["bid 7", "bid 8", "bid 9", "bid 10", "bid 11", "pass"])
    assert table.state.prompt.startswith("Bid $")


def test_passing_stops_when_somebody_bids(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    give(tables, table, 2, "pass")
    act(table, [0], 0, table.seq, "bid 7")
    tables.drive(table)
    until(lambda: table.orders == [])
    act(table, [1], 1, table.seq, "pass")
    tables.drive(table)
    assert texts(table) == ["bid 7", "pass"]  # Cy is asked


def test_of_orders_that_contradict_each_other_the_later_one_holds(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    give(tables, table, 1, "bid", limit=20)
    give(tables, table, 1, "pass")
    assert [each["words"] for each in orders.orders_view(table, [1])] == [f"Pass in {PA}"]
    act(table, [0], 0, table.seq, "pass")
    settled(tables, table, ["pass", "pass"])


def test_a_fork_has_no_orders(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{"name": "Ann"}, {"name": "Bob"}])["id"]
    ann.post(f"/api/tables/{id}/orders", {"seat": 1, "kind": "bid", "stage": PA, "limit": 15})
    fork = ann.post("/api/tables", {"fork": id, "at": 0, "seats": [{"name": "Ann"}, {"name": "Bob"}]}, 201)["id"]
    assert ann.see(fork)["orders"] == []
    assert len(ann.see(id)["orders"]) == 1


def test_a_new_limit_takes_the_place_of_the_old_one(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    give(tables, table, 1, "bid", limit=9)
    give(tables, table, 1, "pass")
    give(tables, table, 1, "bid", limit=20)
    assert [each["words"] for each in orders.orders_view(table, [1])] == [f"Bid up to $20 in {PA}, then pass"]


def test_an_order_is_seen_by_its_own_seat_alone_and_can_be_revoked(guest: Guests) -> None:
    ann, bob = guest(), guest()
    table = ann.open(seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"name": "Cy", "by": "link"}])
    id = table["id"]
    bob = guest.with_link(table["links"][1])
    seen = bob.post(f"/api/tables/{id}/orders", {"seat": 1, "kind": "bid", "stage": PA, "limit": 15})
    assert [each["until"] for each in seen["orders"]] == ["until the auction ends"]
    assert ann.see(id)["orders"] == []
    assert "15" not in ann.http.get(f"/api/tables/{id}/orders").text
    order = seen["orders"][0]["id"]
    assert ann.http.delete(f"/api/tables/{id}/orders/{order}").status_code == 404
    assert bob.http.delete(f"/api/tables/{id}/orders/{order}").json()["orders"] == []
    assert bob.http.delete(f"/api/tables/{id}/orders/{order}").json()["error"] == "no_order"


def test_what_a_seat_can_order_is_offered(guest: Guests) -> None:
    ann = guest()
    id = ann.open()["id"]
    [offer] = ann.get(f"/api/tables/{id}/orders")["offers"]
    assert (offer["seat"], offer["stage"], offer["pass"], offer["choices"]) == (0, PA, True, [])
    assert offer["bid"]["from"] == 7
    draft = ann.open("southern_rails")["id"]
    [offer] = ann.get(f"/api/tables/{draft}/orders")["offers"]
    assert (offer["bid"], offer["pass"]) == (None, False)
    assert "take red" in offer["choices"]


def test_the_log_marks_what_was_done_by_an_order(guest: Guests) -> None:
    ann = guest()
    table = ann.open()
    bob = guest.with_link(table["links"][1])
    bob.post(f"/api/tables/{table['id']}/orders", {"seat": 1, "kind": "bid", "stage": PA, "limit": 15})
    ann.act(table["id"], 0, 0, "bid 7")
    until(lambda: ann.see(table["id"])["count"] == 2)
    assert [step["ordered"] for step in ann.get(f"/api/tables/{table['id']}/news")] == [False, True]
    assert "by a standing order" in ann.http.get(f"/t/{table['id']}").text


@pytest.mark.parametrize(
    ("request_", "status", "error"),
    [
        ({"seat": 1, "kind": "bid", "stage": PA, "limit": 9}, 401, "not_your_seat"),
        ({"seat": 7, "kind": "bid", "stage": PA, "limit": 9}, 404, "no_seat"),
        ({"seat": 0, "kind": "bid", "stage": "the auction of NYC", "limit": 9}, 422, "no_order"),
        ({"seat": 0, "kind": "dance", "stage": PA}, 422, "no_order"),
        ({"seat": 0, "kind": "bid", "stage": PA, "limit": "a lot"}, 400, "bad_request"),
        ({"seat": 0, "kind": "choose", "stage": PA, "actions": ["bid 7"] * 11}, 400, "bad_request"),
        ({"seat": 0}, 400, "bad_request"),
    ],
)
def test_a_bad_order_is_refused_in_a_sentence(guest: Guests, request_: object, status: int, error: str) -> None:
    ann = guest()
    id = ann.open()["id"]
    refusal = ann.post(f"/api/tables/{id}/orders", request_, status)
    assert refusal["error"] == error
    assert refusal["message"].endswith(".")
    assert ann.see(id)["orders"] == []


def test_whoever_goes_back_ends_the_orders(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    act(table, [0], 0, table.seq, "bid 7")
    give(tables, table, 2, "bid", limit=20)
    undo(table, [0], 0, table.seq, None)
    tables.drive(table)
    until(lambda: table.orders == [])


def test_orders_wait_while_people_discuss_whether_to_go_back(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    act(table, [0], 0, table.seq, "bid 7")
    act(table, [1], 1, table.seq, "bid 8")
    undo(table, [0], 0, table.seq, 0)
    assert table.history.pending_undo is not None
    give(tables, table, 2, "bid", limit=20)
    assert not tables.run(orders.carry_out(table))
    answer(table, [1], 1, table.seq, False)
    settled(tables, table, ["bid 7", "bid 8", "bid 9"])


def test_a_seat_that_a_bot_plays_has_no_orders(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    give(tables, table, 1, "bid", limit=20)
    change_player(table, "Ann", 1, "easy")
    tables.drive(table)
    until(lambda: table.orders == [])
    with pytest.raises(Refused, match="A bot plays for Bob"):
        give(tables, table, 1, "bid", limit=20)


def test_a_seat_whose_time_is_up_has_no_orders(quiet: Quiet) -> None:
    """The bot that takes it decides from then on, also if it acts before its person is back."""
    tables, _ = quiet
    table = opened(tables)
    give(tables, table, 1, "bid", limit=20)
    tables.run(table.note(TIMEOUT, "easy", 1, ""))
    act(table, [0], 0, table.seq, "bid 7")
    tables.drive(table)
    until(lambda: table.orders == [])
    assert texts(table) == ["bid 7"]


def test_an_order_takes_no_time_of_a_clock_and_is_no_answer(tmp_path: Path) -> None:
    clock = HandClock()
    with hall(tmp_path / "tables.db", clock=clock) as (tables, _):
        table = opened(tables, time_control=TimeControl(LIVE, 600))
        give(tables, table, 1, "bid", limit=9)
        tables.store.timing.confirmed = clock.now() + 1000  # the server is alive
        clock.advance(40)
        act(table, [0], 0, table.seq, "bid 7")
        settled(tables, table, ["bid 7", "bid 8"])
        assert [round(left) for left in table.time.clocks.left] == [560, 600, 600]
        assert [answer is None for answer in table.time.clocks.usual] == [False, True, True]


def test_what_an_order_did_is_told_to_who_was_away(guest: Guests) -> None:
    """The story goes back to what somebody decided themselves."""
    ann = guest()
    table = ann.open()
    id = table["id"]
    bob = guest.with_link(table["links"][1])
    bob.post(f"/api/tables/{id}/orders", {"seat": 1, "kind": "bid", "stage": PA, "limit": 15})
    ann.act(id, 0, 0, "bid 7")
    until(lambda: ann.see(id)["count"] == 2)
    [update] = bob.events(id)
    assert update["story"]["start"] == 0
    [update] = ann.events(id)
    assert update["story"]["start"] == 1


def test_nobody_hears_that_somebody_else_has_given_an_order(guest: Guests) -> None:
    ann = guest()
    table = ann.open()
    id, path = table["id"], f"/api/tables/{table['id']}/orders"
    bob = guest.with_link(table["links"][1])
    heard: dict[str, list[str]] = {}
    with closing(ann.stream(id, "?chat=0")) as hers, closing(bob.stream(id, "?chat=0")) as his:
        streams = {"Ann": hers, "Bob": his}
        for name, stream in streams.items():
            heard[name] = kinds_until(stream, "orders")  # how it stands at first
        bob.post(path, {"seat": 1, "kind": "bid", "stage": PA, "limit": 15})
        assert kinds_until(his, "orders")[-1] == "orders"
        ann.post(f"/api/tables/{id}/chat", {"seat": 0, "text": "hello"})
        assert kinds_until(hers, "chat") == ["chat"]


def kinds_until(stream: Iterator[dict[str, object]], kind: str) -> list[str]:
    """The kinds of the events up to the first of this kind."""
    found: list[str] = []
    while not found or found[-1] != kind:
        found.append(next(name for name in next(stream)))
    return [each for each in found if each not in ("presence", "id")]


def test_orders_outlive_a_restart_and_are_then_carried_out(tmp_path: Path) -> None:
    with hall(tmp_path / "tables.db") as (tables, _):
        table = opened(tables)
        id = table.id
        give(tables, table, 1, "bid", limit=9)
        act(table, [0], 0, table.seq, "bid 7")  # and the server ends before anything is carried out
    with hall(tmp_path / "tables.db") as (tables, _):
        tables.resume_bots()
        until(lambda: texts(tables.find(id)) == ["bid 7", "bid 8"])


def test_orders_come_along_into_an_account_and_go_with_it(quiet: Quiet) -> None:
    tables, _ = quiet
    table, club = opened(tables), Club(tables)
    account = club.account("Robert")
    give(tables, table, 1, "bid", limit=9)
    club.bring_along("Bob", account)
    act(table, [0], 0, table.seq, "bid 7")
    settled(tables, table, ["bid 7", "bid 8"])
    assert table.history.log[-1].person == account.person
    tables.run(club.accounts.forget(account.person))
    assert table.orders == []


def test_of_several_processes_one_carries_an_order_out(postgres: Postgres) -> None:
    """Given by way of one, it holds for what happens by way of another, and is carried out once."""
    url = postgres.new_database()
    with hall(url) as (first, _), hall(url) as (second, _):
        here = opened(first)
        there = second.find(here.id)
        give(first, here, 1, "bid", limit=9)
        act(there, [0], 0, there.seq, "bid 7")
        second.drive(there)
        until(lambda: texts(here) == texts(there) == ["bid 7", "bid 8"])
        first.run(orders.revoke(here, [1], here.orders[0].id))
        until(lambda: there.orders == [])
        act(there, [2], 2, there.seq, "bid 9")
        act(there, [0], 0, there.seq, "pass")
        second.drive(there)
        until(lambda: texts(here)[-1] == "pass")
        assert texts(there)[2:] == ["bid 9", "pass"]  # Bob decides


def test_what_was_revoked_by_way_of_another_process_is_not_done(postgres: Postgres) -> None:
    """Even a moment after, before this process has heard of it."""
    url = postgres.new_database()
    with hall(url) as (first, _), hall(url) as (second, _):
        here = opened(first)
        give(first, here, 1, "bid", limit=9)
        there = second.find(here.id)
        unheard = removing(here.id, here.orders)._replace(announced=False)
        first.run(first.tables.writer.write(unheard))
        assert len(there.orders) == 1
        act(there, [0], 0, there.seq, "bid 7")
        assert not second.run(orders.carry_out(there))
        assert (texts(there), there.orders) == (["bid 7"], [])


def test_no_seat_orders_without_end(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, _ = quiet
    table = opened(tables)
    monkeypatch.setattr(orders, "MOST_ORDERS", 0)
    with pytest.raises(Refused, match="0 standing orders at most; revoke one first"):
        give(tables, table, 1, "bid", limit=20)


def test_a_railroad_is_run_without_its_president(guest: Guests) -> None:
    """Baltimore & Ohio: buy and build nothing, then pay."""
    ann = guest()
    record = (Path(__file__).parents[2] / "records/baltimore_ohio/3-players-greedy.txt").read_text()
    id, seat, offer = president(ann, record)
    errand = next(each for each in offer["errands"] if each["actions"][-1] == "retain")
    before = ann.see(id)["count"]
    ann.post(f"/api/tables/{id}/orders", {"seat": seat, "kind": "run", **without_words(errand)})
    until(lambda: ann.see(id)["count"] > before)
    news = ann.get(f"/api/tables/{id}/news?start={before}")
    assert news[0]["seat"] == seat
    assert news[0]["ordered"]


def test_how_a_railroad_was_run_the_last_time_is_offered_as_that(guest: Guests) -> None:
    """Of paying and keeping the profit that which its president chose."""
    ann = guest()
    game = cuberails.read((Path(__file__).parents[2] / "records/baltimore_ohio/4-players-greedy.txt").read_text())
    at = next(n for n in range(game.count) if game.steps[n].action.text == "pay")
    assert game.title.orders is not None
    turn = game.title.orders.stage(game.at(at))
    opened = ann.post("/api/tables", {"record": game.to_text(), "at": at, "seats": [{"name": "A"}] * 4}, 201)
    assert offered_as_last_time(ann, opened["id"], turn) == []
    ann.act(opened["id"], game.steps[at].seat, 0, "pay")
    assert offered_as_last_time(ann, opened["id"], turn) == ["pay"]


def offered_as_last_time(ann: Person, id: str, turn: str) -> list[str]:
    """How the last turn of a railroad ended, as it is offered to its president."""
    offers = ann.get(f"/api/tables/{id}/orders")["offers"]
    errands = [each for offer in offers for each in offer["errands"] if each["stage"] == turn]
    return [each["actions"][-1] for each in errands if each["as_last_time"]]


def without_words(errand: dict[str, list[str]]) -> dict[str, object]:
    return {"stage": errand["stage"], "actions": errand["actions"]}


def president(ann: Person, record: str) -> tuple[str, int, dict[str, list[dict[str, list[str]]]]]:
    """A table at the first business turn of a recorded game, and the seat that runs the railroad."""
    game = cuberails.read(record)
    at = next(n for n in range(game.count) if game.at(n).prompt.startswith("Run "))
    seats = [{"name": name} for name in ("Ann", "Bob", "Cy")]
    id = ann.post("/api/tables", {"record": record, "at": at, "seats": seats}, 201)["id"]
    seat = game.at(at).phase.actor
    offers = ann.get(f"/api/tables/{id}/orders")["offers"]
    return id, seat, next(each for each in offers if each["seat"] == seat)
