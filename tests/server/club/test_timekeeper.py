"""Clocks at tables, by a clock that the tests move: time is up, a bot takes the seat, its person comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cuberails.core.record import read_record
from cuberails.server import acceptance, seating
from cuberails.server.club.rest import Rest, running_time
from cuberails.server.club.rest_routes import renew_rests
from cuberails.server.club.time_store import beating, due, resting
from cuberails.server.club.timekeeper import Timekeeper, time_out
from cuberails.server.club.timing import BEAT, LOST
from cuberails.server.notices import notices
from cuberails.server.refusal import Refused
from cuberails.server.rematch import rematch
from cuberails.server.requests import ActRequest, SeatRequest, TableRequest, TimeRequest
from cuberails.server.table import Table
from cuberails.server.view import clocks_view, moment_view
from cuberails.titles import load
from tests.server.house import Hall, HandClock, act, answer, hall, opened_by, short_record, undo, until
from tests.server.postgres import Postgres

LIVE = TimeRequest(kind="live", minutes=10, increment=15, level="easy")
SLOW = TimeRequest(kind="correspondence", days=3)
MINUTE, HOUR, DAY = 60, 3600, 86400


class Club:
    """Tables with a clock of their own, and whoever looks after their clocks."""

    def __init__(self, tables: Hall, clock: HandClock) -> None:
        self.tables = tables
        self.clock = clock
        self.keeper = Timekeeper(tables.tables)
        tables.store.timing.confirmed = 0.0
        self.look()

    def look(self) -> None:
        self.tables.run(self.keeper.look())

    def wait(self, seconds: float) -> None:
        """Time passes, and the server is at work all the while."""
        self.clock.advance(seconds)
        self.tables.run(self.tables.tables.writer.write(beating(self.clock.now(), None)))
        self.look()

    def open(self, time: TimeRequest | None = LIVE, seats: str = "...", title: str = "wabash") -> Table:
        """A table of Ann with a seat for each letter: "." is hers too, "l" has a link, "b" is a bot."""
        kinds = {".": "me", "l": "link", "b": "bot"}
        wanted = [SeatRequest(name=f"Seat {n}", by=kinds[kind], level="random") for n, kind in enumerate(seats)]
        return opened_by(self.tables, TableRequest(title=title, seats=wanted, seating="listed", time_control=time))

    def take_back(self, table: Table, seat: int) -> None:
        self.tables.run(seating.change_player(table, "Ann", [seat], seat, ""))


@contextmanager
def club(database: Path | str, clock: HandClock) -> Iterator[Club]:
    with hall(database, clock=clock) as (tables, _):
        yield Club(tables, clock)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Club]:
    with club(tmp_path / "tables.db", HandClock()) as made:
        yield made


def left(table: Table) -> list[float]:
    """What each seat has left now."""
    seen = clocks_view(table)
    assert seen is not None
    found = list(table.time.clocks.left)
    if seen["running"] >= 0:
        found[seen["running"]] = running_time(table.time.timing.now(), seen["deadline"], seen["stops"])
    return [round(each, 2) for each in found]


EVERYBODY = [0, 1, 2]


def test_each_seat_uses_its_own_time(here: Club) -> None:
    table = here.open()
    here.wait(20)
    act(table, EVERYBODY, 0, 0, "bid 12")
    assert left(table) == [595, 600, 600]
    here.wait(MINUTE)
    assert left(table) == [595, 540, 600]


def test_when_time_is_up_a_bot_of_the_chosen_level_takes_the_seat(here: Club) -> None:
    table = here.open()
    here.wait(599)
    assert table.seats[0].bot == ""
    here.wait(1)
    assert [seat.bot for seat in table.seats] == ["easy", "", ""]
    assert [(entry.kind, entry.text, entry.seat, entry.spent) for entry in table.history.log] == [
        ("timeout", "easy", 0, 600)
    ]
    assert table.thinking, "the bot was asked"


def test_the_person_takes_the_seat_back_with_a_fresh_allowance(here: Club) -> None:
    table = here.open()
    here.wait(600)
    here.clock.advance(5)
    here.take_back(table, 0)
    assert (table.seats[0].bot, left(table)) == ("", [300, 600, 600])
    here.wait(300)
    assert table.seats[0].bot == "easy"


def test_time_does_not_run_before_everybody_has_come(here: Club) -> None:
    table = here.open(seats="..l")
    here.wait(2 * HOUR)
    act(table, [0, 1], 0, 0, "bid 12")
    assert left(table) == [600, 600, 600]
    here.wait(HOUR)
    here.tables.run(table.claim(2, "Cy"))
    here.wait(MINUTE)
    assert left(table) == [600, 540, 600]
    here.wait(9 * MINUTE)
    assert table.seats[1].bot == "easy"


def test_time_runs_when_the_host_seats_a_bot_for_whoever_does_not_come(here: Club) -> None:
    table = here.open(seats="..l")
    here.wait(HOUR)
    here.tables.run(seating.change_player(table, "Ann", [0, 1], 2, "random"))
    here.wait(MINUTE)
    assert left(table) == [540, 600, 600]


def test_time_does_not_run_while_an_answer_is_waited_for_but_not_for_ever(here: Club) -> None:
    table = here.open(seats=".ll")
    for seat, name in ((1, "Bob"), (2, "Cy")):
        here.tables.run(table.claim(seat, name))
    act(table, [0], 0, 0, "bid 12")
    act(table, [1], 1, 1, "bid 13")
    here.wait(10)
    undo(table, [0], 0, 2, None)
    here.wait(4 * MINUTE)
    assert left(table)[2] == 590
    answer(table, [1], 1, 3, False)
    here.wait(10)
    assert left(table)[2] == 580
    undo(table, [0], 0, 4, None)
    here.wait(MINUTE)
    assert left(table)[2] == 580
    here.wait(580)
    assert table.seats[2].bot == "easy", "the others waited five minutes for an answer, and no longer"


def test_a_bot_waits_for_an_answer_no_longer_than_people_do(here: Club) -> None:
    table = here.open(seats=".lb")
    here.tables.run(table.claim(1, "Bob"))
    act(table, [0], 0, 0, "bid 12")
    act(table, [1], 1, 1, "bid 13")
    undo(table, [0], 0, 2, None)
    assert not table.thinking
    here.wait(5 * MINUTE - 1)
    assert table.history.pending_undo is not None
    assert left(table) == [615, 615, 600]
    here.wait(1)
    assert table.thinking, "nobody has answered"
    assert notices(table.history, 3) == [{"seq": 4, "text": "Nobody has answered in time: the game goes on."}]


def test_the_answer_that_a_bot_waits_for_comes_in_time(here: Club) -> None:
    table = here.open(SLOW, seats=".lb")
    here.tables.run(table.claim(1, "Bob"))
    act(table, [0], 0, 0, "bid 12")
    act(table, [1], 1, 1, "bid 13")
    undo(table, [0], 0, 2, None)
    here.wait(DAY - 1)
    answer(table, [1], 1, 3, True)
    here.wait(HOUR)
    assert [entry.kind for entry in table.history.log] == ["act", "act", "ask", "undo"]


def test_clocks_are_not_turned_back(here: Club) -> None:
    table = here.open()
    here.wait(20)
    act(table, EVERYBODY, 0, 0, "bid 12")
    here.wait(30)
    undo(table, EVERYBODY, 0, 1, 0)
    assert left(table) == [595, 570, 600]


def test_a_name_takes_no_time_and_gives_none(here: Club) -> None:
    table = here.open()
    here.wait(20)
    here.tables.run(seating.rename(table, "Ann", EVERYBODY, 1, "Bob"))
    here.wait(20)
    assert left(table) == [560, 600, 600]


def test_no_clock_runs_at_other_tables(here: Club) -> None:
    table = here.open(None)
    here.wait(HOUR)
    act(table, EVERYBODY, 0, 0, "bid 12")
    assert clocks_view(table) is None
    assert [entry.spent for entry in table.history.log] == [None]
    assert table.time.deadline is None


def test_whose_time_was_up_plays_the_rematch_and_so_does_who_wants_it(here: Club) -> None:
    record, game = short_record(), read_record(short_record(), load)
    seats = [SeatRequest(name="Ann"), SeatRequest(name="Bob", by="link"), SeatRequest(name="Cy", by="link")]
    table = opened_by(here.tables, TableRequest(record=record, at=game.count - 2, seats=seats, time_control=LIVE))
    for seat, name in ((1, "Bob"), (2, "Cy")):
        here.tables.run(table.claim(seat, name))
    gone = table.actor
    host, other = [seat for seat in EVERYBODY if seat != gone]
    here.wait(10 * MINUTE)
    for seat in (host, other):
        here.tables.run(seating.change_player(table, "Ann", [0], seat, "random"))
    for step in game.steps[-2:]:
        here.tables.run(acceptance.play(table, step.action))
    assert [table.seats[seat].bot for seat in (gone, host, other)] == ["easy", "random", "random"]
    id = here.tables.run(rematch(here.tables.tables, table, table.game.seats[host], [host]))
    bots = {seat.name: seat.bot for seat in here.tables.find(id).seats}
    assert [bots[table.game.seats[seat]] for seat in (gone, host, other)] == ["", "", "random"]


def test_a_replay_shows_the_clocks(here: Club) -> None:
    table = here.open()
    here.wait(20)
    act(table, EVERYBODY, 0, 0, "bid 12")
    here.wait(40)
    act(table, EVERYBODY, 1, 1, "bid 13")
    assert [moment_view(table, count)["left"] for count in (0, 1, 2)] == [[600] * 3, [595, 600, 600], [595, 575, 600]]


# The server was away


def test_after_a_restart_the_clocks_stand_where_they_stood(database: str) -> None:
    clock = HandClock()
    with club(database, clock) as before:
        table = before.open()
        before.wait(20)
        act(table, EVERYBODY, 0, 0, "bid 12")
        before.wait(30)
        stood = left(table)
    clock.advance(8 * HOUR)  # nobody has said good-bye
    with club(database, clock) as after:
        again = after.tables.find(table.id)
        assert left(again) == stood == [595, 570, 600]
        after.wait(569)
        assert again.seats[1].bot == ""
        after.wait(1)
        assert again.seats[1].bot == "easy"


def test_a_machine_that_slept_wakes_with_the_clocks_where_they_stood(here: Club) -> None:
    table = here.open()
    here.wait(30)
    here.clock.advance(8 * HOUR)
    assert not here.tables.run(time_out(table)), "not before it is known that the server was away"
    here.look()
    assert left(table) == [570, 600, 600]
    assert table.seats[0].bot == ""


def test_a_short_delay_is_no_outage(here: Club) -> None:
    table = here.open()
    here.clock.advance(LOST - 1)
    here.look()
    assert left(table)[0] == 600 - (LOST - 1)


def test_tables_that_nobody_visits_are_looked_after(database: str) -> None:
    clock = HandClock()
    with club(database, clock) as before:
        id = before.open().id
    with club(database, clock) as after:
        assert after.tables.tables.live_count == 0
        after.wait(10 * MINUTE)
        assert after.tables.find(id).seats[0].bot == "easy"


def test_a_deadline_that_an_outage_has_moved_is_moved_in_the_database_too(database: str) -> None:
    clock = HandClock()
    with club(database, clock) as before:
        id = before.open().id
    clock.advance(HOUR)
    with club(database, clock) as after:
        after.wait(BEAT)
        assert due(after.tables.store.engine, clock.now() + 500) == []
        assert [found for found, _ in due(after.tables.store.engine, clock.now() + 600)] == [id]


# Several processes


def test_of_two_processes_one_seats_the_bot(database: str) -> None:
    clock = HandClock()
    with club(database, clock) as here, club(database, clock) as there:
        table = here.open()
        other = there.tables.find(table.id)
        here.wait(599)
        there.look()
        clock.advance(1)
        outcomes = []
        for house, seen in ((here, table), (there, other)):
            try:
                outcomes.append(house.tables.run(time_out(seen)))
            except Refused as refused:
                outcomes.append(refused.code == "stale")
        assert True in outcomes
        until(lambda: [entry.kind for entry in other.history.log] == ["timeout"])
        assert [entry.kind for entry in table.history.log] == ["timeout"]


def test_a_process_flags_a_table_of_another_one(database: str) -> None:
    clock = HandClock()
    with club(database, clock) as here, club(database, clock) as there:
        table = here.open()
        there.wait(10 * MINUTE)  # the other one is busy
        until(lambda: table.seats[0].bot == "easy")


@pytest.mark.parametrize("_", range(5))
def test_of_a_move_and_the_end_of_time_at_two_processes_one_counts(database: str, _: int) -> None:
    clock = HandClock()
    with club(database, clock) as here, club(database, clock) as there:
        table = here.open()
        other = there.tables.find(table.id)
        here.wait(599)
        there.look()
        clock.advance(1)

        async def at_once() -> tuple[bool | BaseException, BaseException | None]:
            acting = acceptance.act(table, EVERYBODY, ActRequest(seat=0, seq=0, action="bid 12"))
            return await asyncio.gather(time_out(other), acting, return_exceptions=True)

        ended, acted = here.tables.run(at_once())
        until(lambda: table.seq == other.seq == 1)
        kinds = [entry.kind for entry in other.history.log]
        assert kinds == (["act"] if acted is None else ["timeout"])
        assert [entry.kind for entry in table.history.log] == kinds
        assert (ended is True) == (kinds == ["timeout"])


def test_a_move_at_the_last_moment_counts(here: Club) -> None:
    table = here.open()
    here.wait(599)
    here.clock.advance(3)  # nobody has looked yet
    here.tables.run(acceptance.act(table, EVERYBODY, ActRequest(seat=0, seq=0, action="bid 12")))
    assert left(table)[0] == 15


# Quiet hours and holidays


def test_time_does_not_run_in_the_quiet_hours_of_whoever_decides(here: Club) -> None:
    """The tests begin on 15 January 2027 at 08:00 UTC."""
    now = here.clock.now()
    here.tables.run(here.tables.tables.writer.write(resting("Ann", now - 1, Rest("UTC", 22 * 60, 8 * 60))))
    table = here.open(SLOW)
    assert table.time.deadline == now + 3 * DAY + 50 * HOUR  # five nights of ten hours
    here.wait(13 * HOUR)
    assert left(table)[0] == 3 * DAY - 13 * HOUR
    here.wait(11 * HOUR)  # ten of them at night
    assert left(table)[0] == 3 * DAY - 14 * HOUR
    assert here.tables.find(table.id) is table
    here.wait(98 * HOUR)
    assert table.seats[0].bot == "medium"


def test_quiet_hours_of_others_do_not_matter_and_live_games_know_none(here: Club) -> None:
    rest = Rest("UTC", 8 * 60, 20 * 60)
    here.tables.run(here.tables.tables.writer.write(resting("Bob", here.clock.now() - 1, rest)))
    here.tables.run(here.tables.tables.writer.write(resting("Ann", here.clock.now() - 1, rest)))
    live = here.open()
    assert live.time.deadline == here.clock.now() + 600
    slow = here.open(SLOW, ".ll")
    for seat, name in ((1, "Bob"), (2, "Cy")):
        here.tables.run(slow.claim(seat, name))
    act(slow, [0], 0, 0, "bid 12")
    assert slow.time.deadline == here.clock.now() + 3 * DAY + 7 * 12 * HOUR - 12 * HOUR
    act(slow, [1], 1, 1, "bid 13")
    assert slow.time.deadline == here.clock.now() + 3 * DAY


def test_other_processes_hear_who_rests(postgres: Postgres) -> None:
    """Also of somebody whose clock does not run now: it may be another process that writes when it begins to."""
    url, clock = postgres.new_database(), HandClock()
    with club(url, clock) as here, club(url, clock) as there:
        table = here.open(SLOW, ".ll")
        for seat, name in ((1, "Bob"), (2, "Cy")):
            here.tables.run(table.claim(seat, name))
        other = there.tables.find(table.id)
        rest = Rest("UTC", 8 * 60, 20 * 60)
        here.tables.run(here.tables.tables.writer.write(resting("Bob", clock.now(), rest)))
        here.tables.run(renew_rests(here.tables.tables, table.id))
        until(lambda: other.time.rests.keys() == {1})
        act(other, [0], 0, 0, "bid 12")
        assert other.time.deadline == clock.now() + 3 * DAY + 7 * 12 * HOUR - 12 * HOUR
