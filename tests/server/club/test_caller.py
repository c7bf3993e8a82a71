"""People are called when it is their turn: once, unless they look, and until it has arrived or makes no sense."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Event

import pytest
from sqlalchemy import select

from cuberails.core.state import NOBODY
from cuberails.server import acceptance, undoing
from cuberails.server.club import calls, orders
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.caller import (
    CONCURRENT,
    GONE,
    LAST_LOOK,
    LATER,
    MOST_FAILURES,
    REFUSED,
    SENT,
    Caller,
    Outcome,
)
from cuberails.server.club.calls import GRACE, INVITED, call
from cuberails.server.club.clocks import LIVE, TimeControl
from cuberails.server.club.lobby import Lobby
from cuberails.server.club.mail import Mailer
from cuberails.server.club.messages import Message
from cuberails.server.club.outbox import LEASE, MAIL, PUSH, Way, leasing, muting, removing_signed_out
from cuberails.server.club.outside import Outside
from cuberails.server.club.sending import Sender
from cuberails.server.connections import Write
from cuberails.server.models import CallRow
from cuberails.server.requests import ActRequest, AnswerRequest, OrderRequest, SeatRequest, TableRequest, UndoRequest
from cuberails.server.settings import Settings
from cuberails.server.store import now
from cuberails.server.table import Table
from tests.server.club.conftest import Desk
from tests.server.club.receiver import Receiver
from tests.server.house import change_player, hall, on_loop, opened, until
from tests.server.postgres import Postgres

PEOPLE = ["Ann", "Bob", "Cy"]


def play(table: Table, text: str = "") -> None:
    """Whose turn it is does something, the first that is legal unless `text` says more."""
    seat = table.actor
    request = ActRequest(seat=seat, seq=table.seq, action=text or table.state.legal_actions()[0].text)
    on_loop(table.writer.loop, acceptance.act(table, [seat], request, table.game.seats[seat]))


def go_back(table: Table, seat: int, to: int) -> None:
    request = UndoRequest(seat=seat, seq=table.seq, to=to)
    on_loop(table.writer.loop, undoing.undo(table, [seat], request, table.game.seats[seat]))


def refuse_to_go_back(table: Table, seat: int) -> None:
    request = AnswerRequest(seat=seat, seq=table.seq, agree=False)
    on_loop(table.writer.loop, undoing.answer(table, [seat], request, table.game.seats[seat]))


def open_table(desk: Desk) -> Table:
    """Three people at Wabash Cannonball, each with a way to be called."""
    for person in PEOPLE:
        desk.add_way(person)
    return opened(desk.hall)


@pytest.fixture
def table(desk: Desk) -> Table:
    return open_table(desk)


def test_whose_turn_it_is_is_called_by_a_message_that_says_where_and_what(any_desk: Desk) -> None:
    table = open_table(any_desk)
    play(table, "bid 12")
    assert any_desk.deliver() == ["Bob turn"]
    _, sent = any_desk.sent[0]
    assert (sent.heading, sent.path) == ("Your turn: Wabash Cannonball", f"/t/{table.id}")
    assert sent.text == f"{table.state.prompt}. With Ann, Cy."
    assert sent.waiting == 1
    assert any_desk.deliver(dt.timedelta(days=1)) == []


def test_nobody_is_called_before_they_had_time_to_look(desk: Desk, table: Table) -> None:
    play(table, "bid 12")
    assert desk.deliver(dt.timedelta(0)) == []
    assert desk.deliver() == ["Bob turn"]


def test_a_turn_is_called_once_however_many_decisions_it_has(desk: Desk, table: Table) -> None:
    turns: list[str] = []
    dice = Random(3)
    called: list[str] = []
    while table.game.count < 24:
        before = table.game.seats[table.actor]
        play(table, dice.choice(table.state.legal_actions()).text)
        after = table.game.seats[table.actor]
        turns += [f"{after} turn"] if after != before else []
        called += desk.deliver()
    assert len(turns) < 23  # there were turns of several decisions
    assert called == turns


def test_nobody_is_called_who_has_decided_meanwhile(desk: Desk, table: Table) -> None:
    play(table, "bid 12")
    play(table, "bid 13")
    assert desk.deliver() == ["Cy turn"]


def test_nobody_is_called_who_looks_at_the_table(desk: Desk, table: Table) -> None:
    table.presence.arrive(table.claimed_by("Bob"))
    play(table, "bid 12")
    desk.deliver(GRACE - LAST_LOOK)
    table.presence = type(table.presence)(table.notify)  # Bob has gone: he knows
    assert desk.deliver() == []
    play(table, "bid 13")
    assert desk.deliver() == ["Cy turn"]


def test_who_left_the_table_just_before_their_turn_is_called(
    desk: Desk, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob put his phone away a moment ago, and his page has not given its connection back yet."""
    desk.time += dt.timedelta(hours=1)  # no clock but the desk's counts
    monkeypatch.setattr(calls, "now", lambda: desk.time)
    table.presence.arrive(table.claimed_by("Bob"))
    play(table, "bid 12")
    for _ in range(9):
        assert desk.deliver(dt.timedelta(seconds=1)) == []
    table.presence = type(table.presence)(table.notify)
    assert desk.deliver() == ["Bob turn"]


def test_going_back_and_on_again_calls_nobody_twice(any_desk: Desk) -> None:
    table = open_table(any_desk)
    play(table, "bid 12")
    assert any_desk.deliver() == ["Bob turn"]
    go_back(table, 0, 0)
    assert any_desk.deliver() == []
    play(table, "bid 14")
    assert any_desk.deliver() == []
    play(table, "bid 15")
    assert any_desk.deliver() == ["Cy turn"]


def order(table: Table, seat: int, **more: object) -> None:
    request = OrderRequest.model_validate({"seat": seat, "stage": "the auction of PA", **more})
    on_loop(table.writer.loop, orders.give(table, [seat], request, table.game.seats[seat]))


def carry_out(table: Table) -> bool:
    return on_loop(table.writer.loop, orders.carry_out(table))


def test_nobody_is_called_for_what_an_order_answers_but_when_it_has_ended(any_desk: Desk) -> None:
    table = open_table(any_desk)
    order(table, 1, kind="bid", limit=13)
    play(table, "bid 12")
    assert carry_out(table)  # Bob bids 13
    assert any_desk.deliver() == ["Cy turn"]
    play(table, "pass")
    play(table, "bid 14")
    assert carry_out(table)  # Bob passes, and PA is sold: he begins the next auction
    assert not carry_out(table)
    assert table.orders == []
    assert any_desk.deliver() == (["Bob turn"] if table.actor == 1 else ["Ann turn"])


def test_an_order_that_does_not_hold_any_more_calls_who_gave_it(any_desk: Desk) -> None:
    table = open_table(any_desk)
    order(table, 1, kind="pass")
    play(table, "bid 12")
    assert not carry_out(table)
    assert any_desk.deliver() == ["Bob turn"]


def test_who_answers_a_call_by_an_order_is_called_again_after_it(any_desk: Desk) -> None:
    """Called for one auction, they order ahead and leave: the next decision is another one."""
    table = open_table(any_desk)
    play(table, "bid 12")
    assert any_desk.deliver() == ["Bob turn"]
    order(table, 1, kind="bid", limit=13)
    assert carry_out(table)  # Bob bids 13
    play(table, "bid 14")
    play(table, "bid 15")
    assert carry_out(table)  # Bob passes
    play(table, "pass")
    while table.actor != 1:  # until he is asked in the next auction
        play(table)
    assert any_desk.deliver()[-1:] == ["Bob turn"]


def test_a_muted_table_calls_nobody(any_desk: Desk) -> None:
    table = open_table(any_desk)
    writer = any_desk.hall.tables.writer
    play(table, "bid 12")
    any_desk.hall.run(writer.write(Write(table.id, muting("Bob", table.id, True))))
    assert any_desk.deliver() == []
    play(table, "bid 13")
    play(table, "bid 14")
    play(table, "bid 15")
    assert any_desk.deliver() == []
    any_desk.hall.run(writer.write(Write(table.id, muting("Bob", table.id, False))))
    for bid in range(16, 19):
        play(table, f"bid {bid}")
    assert any_desk.deliver() == ["Bob turn"]


def test_who_is_asked_to_go_back_is_called_until_that_is_answered(any_desk: Desk) -> None:
    desk, table = any_desk, open_table(any_desk)
    play(table, "bid 12")
    play(table, "bid 13")
    desk.deliver()
    desk.sent.clear()
    go_back(table, 0, 0)
    assert sorted(desk.deliver()) == ["Bob undo", "Cy undo"]
    assert [sent.waiting for _, sent in desk.sent] == [1, 1]
    assert desk.sent[0][1].text.startswith("Ann wants to take back: Ann: bid 12, Bob: bid 13 (2 actions)")
    refuse_to_go_back(table, 1)
    go_back(table, 0, 0)
    refuse_to_go_back(table, 0)
    assert desk.deliver() == []


def test_whose_seat_a_bot_takes_is_called(desk: Desk, table: Table) -> None:
    change_player(table, "Ann", 1, "easy")
    change_player(table, "Ann", 0, "easy")  # her own, which she knows
    assert desk.deliver() == ["Bob taken"]


def test_all_are_called_when_the_game_is_over_but_who_ended_it(desk: Desk) -> None:
    for person in PEOPLE:
        desk.add_way(person)
    table = opened(desk.hall, title="southern_rails")
    while table.actor != NOBODY:
        last = table.game.seats[table.actor]
        play(table)
    assert sorted(desk.deliver()) == sorted(f"{person} over" for person in PEOPLE if person != last)
    assert desk.sent[0][1].text.startswith("Winner: ")


def test_an_invitation_is_a_call_that_anybody_can_write(desk: Desk, table: Table) -> None:
    write = Write(table.id, [call("Cy", INVITED, table.id, text="Ann wants you here.")])
    desk.hall.run(desk.hall.tables.writer.write(write))
    assert desk.deliver() == ["Cy invited"]
    assert desk.sent[0][1].text == "Ann wants you here. With Ann, Bob, Cy."


def test_the_same_people_are_called_when_somebody_wants_them_again(any_desk: Desk) -> None:
    table = open_table(any_desk)
    seats = [SeatRequest(name="Ann"), SeatRequest(by="open"), SeatRequest(by="open")]
    request = TableRequest(title="gmo", seats=seats, visibility="invited", people_of=table.id)
    any_desk.hall.run(Lobby(any_desk.hall.tables).offer(request, "Ann"))
    assert sorted(any_desk.deliver()) == ["Bob invited", "Cy invited"]
    assert any_desk.sent[0][1].text == "Ann wants you to play. With Ann."


def test_who_has_no_way_leaves_nothing_in_the_outbox(desk: Desk) -> None:
    table = opened(desk.hall)
    play(table, "bid 12")
    desk.add_way("Bob")
    assert desk.deliver() == []


def test_quiet_hours_and_holidays_hold_calls_back_until_they_end(any_desk: Desk) -> None:
    table = open_table(any_desk)
    any_desk.rests("Bob", hours=3)
    play(table, "bid 12")
    assert any_desk.deliver(dt.timedelta(hours=1)) == []
    assert any_desk.deliver(dt.timedelta(hours=1)) == []
    assert any_desk.deliver(dt.timedelta(hours=1)) == ["Bob turn"]
    play(table, "bid 13")
    assert any_desk.deliver() == ["Cy turn"]  # who has set nothing is called at once


def test_what_was_decided_in_quiet_hours_calls_nobody_after_them(desk: Desk, table: Table) -> None:
    desk.rests("Bob", hours=3)
    play(table, "bid 12")
    assert desk.deliver(dt.timedelta(hours=1)) == []
    play(table, "bid 13")
    assert desk.deliver(dt.timedelta(hours=1)) == ["Cy turn"]
    assert desk.deliver(dt.timedelta(hours=3)) == []


def test_a_live_game_calls_in_quiet_hours_too_since_its_time_runs(desk: Desk) -> None:
    desk.add_way("Bob")
    table = opened(desk.hall, time_control=TimeControl(LIVE, 600))
    desk.rests("Bob", hours=3)
    play(table, "bid 12")
    assert desk.deliver() == ["Bob turn"]


def test_a_daily_mail_comes_at_its_hour_also_in_quiet_hours(desk: Desk) -> None:
    """They were chosen both, and the hour is the more exact wish."""
    desk.add_way("Bob", MAIL, (desk.time + dt.timedelta(hours=2)).hour)
    table = opened(desk.hall)
    desk.rests("Bob", hours=9)
    play(table, "bid 12")
    assert desk.deliver(dt.timedelta(hours=3)) == ["Bob turn"]


def test_who_was_removed_from_a_table_is_not_called_to_it(any_desk: Desk) -> None:
    table = open_table(any_desk)
    play(table, "bid 12")
    on_loop(table.writer.loop, table.remove(1, "easy", "Ann"))
    assert any_desk.deliver() == []


def test_a_device_that_was_signed_out_leaves_nothing_behind(any_desk: Desk) -> None:
    signed_in, guest = any_desk.add_way("Bob", PUSH, session="a digest"), any_desk.add_way("Bob", PUSH)
    play(opened(any_desk.hall), "bid 12")
    any_desk.hall.run(any_desk.hall.tables.writer.write(Write("", removing_signed_out())))
    assert any_desk.way(signed_in.id) is None
    assert any_desk.way(guest.id) is not None
    assert kinds_in_outbox(any_desk) == ["turn"]


def test_the_outbox_forgets_what_was_said_and_at_the_end_of_a_game_everything(any_desk: Desk) -> None:
    for person in PEOPLE:
        any_desk.add_way(person)
    table = opened(any_desk.hall, title="southern_rails")
    play(table)
    play(table)
    go_back(table, 0, 0)
    any_desk.deliver()
    assert set(kinds_in_outbox(any_desk)) == {"turn"}  # that somebody wanted to go back was said
    refuse_to_go_back(table, 1)
    while table.actor != NOBODY:
        play(table)
    assert set(kinds_in_outbox(any_desk)) == {"over"}
    any_desk.deliver()
    assert kinds_in_outbox(any_desk) == []


def kinds_in_outbox(desk: Desk) -> Sequence[str]:
    with desk.hall.store.session() as session:
        return session.scalars(select(CallRow.kind)).all()


# Failures


def test_a_call_that_fails_is_tried_again_after_longer_and_longer(any_desk: Desk) -> None:
    table = open_table(any_desk)
    play(table, "bid 12")
    any_desk.outcomes = [Outcome(LATER, "it answered 500")] * 3
    assert any_desk.deliver() == ["Bob turn"]
    for seconds in (30, 120, 480):
        assert any_desk.deliver(dt.timedelta(seconds=seconds - 1)) == []
        assert any_desk.deliver(dt.timedelta(seconds=1)) == ["Bob turn"]
    way = any_desk.way(any_desk.sent[0][0].id)
    assert way is not None
    assert (way.failures, way.trouble) == (0, "")  # it has arrived
    assert any_desk.deliver(dt.timedelta(days=2)) == []


def test_a_receiver_that_wants_to_be_left_alone_is_left_alone(desk: Desk, table: Table) -> None:
    play(table, "bid 12")
    desk.outcomes = [Outcome(LATER, "it answered 429", 3600)]
    assert desk.deliver() == ["Bob turn"]
    assert desk.deliver(dt.timedelta(seconds=3599)) == []
    assert desk.deliver(dt.timedelta(seconds=1)) == ["Bob turn"]


def test_a_call_is_dropped_that_was_refused_and_the_next_one_tried(desk: Desk, table: Table) -> None:
    play(table, "bid 12")
    desk.outcomes = [Outcome(REFUSED, "it answered 400")]
    assert desk.deliver() == ["Bob turn"]
    assert desk.deliver(dt.timedelta(days=1)) == []
    play(table, "bid 13")
    play(table, "bid 14")
    play(table, "bid 15")
    assert "Bob turn" in desk.deliver()


def test_a_device_that_is_gone_is_forgotten_and_a_webhook_stopped(desk: Desk) -> None:
    device, hook = desk.add_way("Bob", PUSH), desk.add_way("Bob")
    table = opened(desk.hall)
    play(table, "bid 12")
    desk.outcomes = [Outcome(GONE, "it answered 410")] * 2
    assert desk.deliver() == ["Bob turn"] * 2
    assert desk.way(device.id) is None
    stopped = desk.way(hook.id)
    assert stopped is not None
    assert (stopped.stopped, stopped.trouble) == (True, "it answered 410")
    for bid in range(13, 16):
        play(table, f"bid {bid}")
    assert desk.deliver() == []


def test_a_way_that_fails_for_long_is_stopped(desk: Desk, table: Table) -> None:
    play(table, "bid 12")
    desk.outcomes = [Outcome(LATER, "it answered 500")] * 99
    tries = 0
    for _ in range(MOST_FAILURES + 3):
        tries += len(desk.deliver(dt.timedelta(hours=6)))
    assert tries == MOST_FAILURES
    way = desk.way(desk.sent[0][0].id)
    assert way is not None
    assert way.stopped


def test_mail_is_tried_for_as_long_as_the_mail_server_of_the_host_is_away(desk: Desk) -> None:
    desk.add_way("Bob", MAIL)
    play(opened(desk.hall), "bid 12")
    desk.outcomes = [Outcome(LATER, "the mail server cannot be reached")] * (MOST_FAILURES + 3)
    for _ in range(MOST_FAILURES + 4):
        assert desk.deliver(dt.timedelta(hours=6)) == ["Bob turn"]
    way = desk.way(desk.sent[0][0].id)
    assert way is not None
    assert (way.stopped, way.failures) == (False, 0)


def test_ways_that_hang_again_and_again_leave_places_for_others(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for person in ["Bob"] * CONCURRENT + ["Cy"]:
        desk.add_way(person)
    table = opened(desk.hall)
    play(table, "bid 12")
    desk.outcomes = [Outcome(LATER, "it hangs")] * CONCURRENT
    assert desk.deliver() == ["Bob turn"] * CONCURRENT
    reached: list[str] = []

    async def hang(way: Way, _: Sequence[Message]) -> Outcome:
        reached.append(way.person)
        if way.person == "Bob":
            await asyncio.Event().wait()
        return Outcome(SENT)

    monkeypatch.setattr(desk.caller, "_send", hang)
    desk.time += dt.timedelta(minutes=1)
    desk.hall.run(desk.caller.round())
    invited = call("Cy", INVITED, table.id, text="Ann wants you here.")
    desk.hall.run(desk.hall.tables.writer.write(Write(table.id, [invited])))
    desk.time += dt.timedelta(minutes=1)
    desk.hall.run(desk.caller.round())
    until(lambda: "Cy" in reached)
    desk.hall.run(desk.caller.close())


def test_a_mistake_here_is_logged_without_its_words_and_tried_again(
    desk: Desk, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> Outcome:
        raise ValueError("https://Bob.example/secret")

    play(table, "bid 12")
    with monkeypatch.context() as patch, caplog.at_level(logging.DEBUG):
        patch.setattr(desk.caller, "_send", fail)
        desk.deliver()
    assert "ValueError" in caplog.text
    assert "Bob.example" not in caplog.text
    assert desk.deliver(LEASE) == ["Bob turn"]


def test_whoever_fails_keeps_nobody_else_waiting(desk: Desk) -> None:
    desk.add_way("Bob")
    desk.add_way("Cy")
    tables = [opened(desk.hall) for _ in range(3)]
    for table in tables:
        play(table, "bid 12")
    desk.outcomes = [Outcome(LATER, "it hangs")]
    assert desk.deliver() == ["Bob turn"]
    for table in tables:
        play(table, "bid 13")
    called = desk.deliver() + desk.deliver(dt.timedelta(0)) + desk.deliver(dt.timedelta(0))
    assert called == ["Cy turn"] * 3


# Processes


@pytest.fixture
def desks(postgres: Postgres) -> Iterator[tuple[Desk, Desk]]:
    """Two processes, as it were, at one database."""
    url = postgres.new_database()
    with hall(url) as (first, _), hall(url) as (second, _):
        yield Desk(first), Desk(second)


def test_of_two_processes_one_delivers(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    for person in PEOPLE:
        first.add_way(person)
    for _ in range(5):
        play(opened(first.hall), "bid 12")
    for desk in desks:
        desk.time += GRACE * 2

    async def both() -> None:
        for _ in range(8):
            await asyncio.gather(first.caller.round(), second.caller.round())
            await asyncio.gather(first.caller.settled(), second.caller.settled())

    first.hall.run(both())
    sent = [message.table for desk in desks for _, message in desk.sent]
    assert len(sent) == len(set(sent)) == 5


def test_whoever_looks_at_the_table_at_another_process_is_not_called(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    first.add_way("Bob")
    table = opened(first.hall)
    there = second.hall.find(table.id)
    there.presence.arrive(there.claimed_by("Bob"))
    play(table, "bid 12")
    assert second.deliver(GRACE - LAST_LOOK) == []
    assert first.deliver() == []


def test_what_a_process_left_when_it_was_killed_is_delivered_after_the_lease(any_desk: Desk) -> None:
    table = open_table(any_desk)
    play(table, "bid 12")
    any_desk.time += GRACE * 2
    taken = leasing(any_desk.caller.outbox.waiting(any_desk.time), "of the dead", any_desk.time + LEASE)
    any_desk.hall.run(any_desk.hall.tables.writer.write(Write("", taken)))
    assert any_desk.deliver(LEASE / 2) == []
    assert any_desk.deliver(LEASE) == ["Bob turn"]


def test_kill_between_the_move_and_the_delivery_loses_no_call(tmp_path: Path) -> None:
    """A real `kill -9` of a process that has just been told that the move is stored."""
    file = tmp_path / "tables.db"
    program = f"from tests.server.club.test_caller import act_and_wait; act_and_wait({str(file)!r})"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stored\n"
        process.kill()
    with hall(file) as (tables, _):
        assert Desk(tables).deliver() == ["Bob turn"]


def act_and_wait(file: str) -> None:
    with hall(file) as (tables, _):
        play(open_table(Desk(tables)), "bid 12")
        print("stored", flush=True)
        Event().wait()


def test_kill_between_sending_and_noting_sends_the_same_call_again(tmp_path: Path, receiver: Receiver) -> None:
    """A real `kill -9` of a process whose request has come, and waits for the answer: at least once, with one id."""
    file = tmp_path / "tables.db"
    receiver.gate.clear()
    program = f"from tests.server.club.test_caller import act_and_send; act_and_send({str(file)!r}, {receiver.url!r})"
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        (request,) = receiver.wait_for(1)
        process.kill()
    receiver.gate.set()
    with hall(file) as (tables, _):
        desk = Desk(tables)
        assert desk.deliver() == []  # who took it may still be at it
        assert desk.deliver(LEASE * 2) == ["Bob turn"]
        assert desk.sent[0][1].id == request.headers["webhook-id"]
        assert desk.deliver(LEASE * 2) == []


def act_and_send(file: str, url: str) -> None:
    with hall(file) as (tables, _):
        desk = Desk(tables)
        desk.add_way("Bob")
        tables.run(tables.tables.writer.write(Write("", [("UPDATE ways SET target = ?", [(url,)])])))
        play(opened(tables), "bid 12")
        accounts, mailer = Accounts(tables.tables), Mailer(Settings())
        desk.caller = Caller(
            tables.tables,
            Sender(Outside(["127.0.0.0/8"]), tables.tables.identities, accounts, mailer),
            lambda: now() + GRACE * 2,
        )
        tables.run(desk.caller.round())
        Event().wait()
