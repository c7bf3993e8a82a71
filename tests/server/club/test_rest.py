"""Quiet hours and holidays: when the time of a person does not run, wherever that person lives."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from cuberails.server.club.rest import (
    DAY,
    Rest,
    Stop,
    at_present,
    deadline,
    holidays_taken,
    merged,
    most_quiet,
    read_rest,
    running_time,
    stops_of,
)
from tests.server.house import HandClock, Person, served

HOUR = 3600
BERLIN, KOLKATA = "Europe/Berlin", "Asia/Kolkata"
NIGHT = Rest(BERLIN, 22 * 60, 7 * 60)


def at(text: str, zone: str = BERLIN) -> float:
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def said(moment: float, zone: str = BERLIN) -> str:
    return f"{dt.datetime.fromtimestamp(moment, ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def until(rest: Rest, start: str, hours: float) -> str:
    """When somebody's hours are over."""
    return said(deadline(at(start, rest.zone), hours * HOUR, rest.stops), rest.zone)


def spent(rest: Rest, start: str, end: str) -> float:
    """The hours that run between two moments."""
    first, last = at(start, rest.zone), at(end, rest.zone)
    return running_time(first, last, rest.stops(first, last)) / HOUR


@pytest.mark.parametrize(
    ("rest", "start", "end", "hours"),
    [
        (Rest(), "2026-11-18 12:00", "2026-11-19 12:00", 24),
        (NIGHT, "2026-11-18 12:00", "2026-11-18 21:00", 9),  # none of it at night
        (NIGHT, "2026-11-18 21:00", "2026-11-18 23:00", 1),  # from the day into the night
        (NIGHT, "2026-11-18 23:00", "2026-11-19 03:00", 0),  # over midnight
        (NIGHT, "2026-11-19 03:00", "2026-11-19 08:00", 1),  # the night had begun the day before
        (NIGHT, "2026-11-18 12:00", "2026-11-20 12:00", 30),  # two whole days
        (Rest(BERLIN, 13 * 60, 14 * 60), "2026-11-18 12:00", "2026-11-18 15:00", 2),  # a rest at noon
        (Rest(BERLIN, 12 * 60, 0), "2026-11-18 06:00", "2026-11-19 06:00", 12),  # until midnight
        (Rest(BERLIN, 0, 8 * 60), "2026-11-18 23:00", "2026-11-19 09:00", 2),  # from midnight on
        (Rest(KOLKATA, 22 * 60, 7 * 60), "2026-11-18 21:30", "2026-11-19 07:30", 1),  # a zone of half an hour
        (NIGHT, "2026-03-28 21:00", "2026-03-29 08:00", 2),  # the night when summer time begins has 8 hours
        (NIGHT, "2026-10-24 21:00", "2026-10-25 08:00", 2),  # and that when it ends has 10
        (Rest(BERLIN, 120, 180), "2026-03-29 00:00", "2026-03-29 06:00", 5),  # an hour that does not exist that day
        (Rest(BERLIN, 150, 330), "2026-10-25 00:00", "2026-10-25 06:00", 3),  # the first 2:30 of two, to 5:30
    ],
)
def test_time_does_not_run_in_quiet_hours(rest: Rest, start: str, end: str, hours: float) -> None:
    assert spent(rest, start, end) == pytest.approx(hours)


@pytest.mark.parametrize(
    ("rest", "start", "hours", "end"),
    [
        (Rest(), "2026-11-18 12:00", 72, "2026-11-21 12:00"),
        (NIGHT, "2026-11-18 12:00", 10, "2026-11-18 22:00"),  # just before the night
        (NIGHT, "2026-11-18 12:00", 11, "2026-11-19 08:00"),
        (NIGHT, "2026-11-18 23:00", 1, "2026-11-19 08:00"),
        (NIGHT, "2026-11-18 12:00", 24, "2026-11-19 21:00"),  # 10 hours, a night, 14 hours
        (NIGHT, "2026-03-28 12:00", 11, "2026-03-29 08:00"),
        (Rest(BERLIN, 10 * 60, 22 * 60), "2026-11-18 08:00", 30 * 24, "2027-01-17 08:00"),  # half of each of 60 days
    ],
)
def test_a_deadline_waits_for_the_end_of_quiet_hours(rest: Rest, start: str, hours: float, end: str) -> None:
    assert until(rest, start, hours) == end


HOLIDAYS = Rest(BERLIN, 22 * 60, 7 * 60, ((dt.date(2026, 12, 24), dt.date(2026, 12, 26)),))


def test_holidays_last_from_their_first_midnight_to_their_last() -> None:
    assert spent(HOLIDAYS, "2026-12-23 20:00", "2026-12-27 08:00") == pytest.approx(2 + 1)
    assert until(HOLIDAYS, "2026-12-23 20:00", 2.5) == "2026-12-27 07:30"


def test_a_deadline_and_the_time_until_it_agree_whatever_is_set() -> None:
    dice = Random(5)
    for _ in range(200):
        quiet = dice.randrange(1440), dice.randrange(1, 12 * 60)
        day = dt.date(2026, 1, 1) + dt.timedelta(dice.randrange(300))
        zone = dice.choice([BERLIN, KOLKATA, "America/New_York", "Australia/Lord_Howe"])
        rest = Rest(zone, quiet[0], (quiet[0] + quiet[1]) % 1440, ((day, day + dt.timedelta(dice.randrange(20))),))
        start = at("2026-01-01 00:00") + dice.randrange(300 * DAY)
        left = dice.randrange(60, 14 * DAY)
        end = deadline(start, left, rest.stops)
        assert running_time(start, end, rest.stops(start, end)) == pytest.approx(left, abs=0.01)
        assert not [stop for stop in rest.stops(end - 5, end) if stop[1] >= end], "no clock is over while it rests"


def test_stops_are_merged() -> None:
    stops: list[Stop] = [(5, 7), (1, 3), (2, 4), (7, 8), (9, 9)]
    assert merged(stops) == [(1, 4), (5, 8)]
    assert running_time(0, 10, stops) == 4


def test_a_change_holds_from_then_on_and_never_before() -> None:
    changed = at("2026-11-19 12:00")
    rests = [(at("2026-11-01 00:00"), NIGHT), (changed, Rest(BERLIN))]
    first, last = at("2026-11-18 12:00"), at("2026-11-20 12:00")
    assert stops_of(rests, first, last) == [(at("2026-11-18 22:00"), at("2026-11-19 07:00"))]
    assert stops_of([(changed, NIGHT)], first, last) == [(at("2026-11-19 22:00"), at("2026-11-20 07:00"))]
    assert at_present(rests, changed - 1) == NIGHT
    assert at_present(rests, changed + 1) == Rest(BERLIN)
    assert at_present([], changed) == Rest()


def test_holidays_that_were_taken_count_though_the_list_was_changed_since() -> None:
    def holidays(first: str, last: str) -> Rest:
        return Rest(BERLIN, holidays=((dt.date.fromisoformat(first), dt.date.fromisoformat(last)),))

    autumn, winter = holidays("2026-10-01", "2026-10-20"), holidays("2026-12-01", "2026-12-10")
    now = at("2026-11-18 12:00")
    assert holidays_taken([(at("2026-09-01 00:00"), autumn)], winter, now) == 30
    assert holidays_taken([(at("2026-10-11 12:00"), autumn)], winter, now) == 20  # the first ten were not taken
    assert holidays_taken([(at("2025-09-01 00:00"), holidays("2025-10-01", "2025-10-20"))], winter, now) == 10
    assert holidays_taken([], holidays("2026-10-01", "2026-10-20"), now) == 0  # nobody can take days that are over


def test_whoever_changes_quiet_hours_again_and_again_has_no_more_of_them() -> None:
    day, night = Rest(BERLIN, 9 * 60, 21 * 60), Rest(BERLIN, 21 * 60, 9 * 60)
    began, evening = at("2026-11-18 09:00"), at("2026-11-18 21:00")
    assert most_quiet([], day, began) == 12 * HOUR
    assert most_quiet([(began, day)], night, evening) == 24 * HOUR
    assert most_quiet([(began, day)], day, evening) == 12 * HOUR  # the same again is no change
    assert most_quiet([(began, day)], night, at("2026-11-19 09:00")) == pytest.approx(12 * HOUR)
    later = Rest(BERLIN, 23 * 60, 8 * 60)
    assert most_quiet([(began, NIGHT)], later, at("2026-11-20 12:00")) == 9 * HOUR  # an hour later from now on
    away = Rest("America/New_York", NIGHT.quiet_from, NIGHT.quiet_to)
    assert most_quiet([(began, NIGHT)], away, at("2026-11-20 14:00")) == 9 * HOUR  # who travels
    holidays = Rest(BERLIN, holidays=((dt.date(2026, 11, 18), dt.date(2026, 11, 20)),))
    assert most_quiet([], holidays, evening) == 0  # they are counted apart


def test_nobody_rests_all_day_by_changes(tmp_path: Path) -> None:
    clock = HandClock(at("2027-01-15 08:00", "UTC"))
    with served(tmp_path / "tables.db", clock=clock) as house:
        ann = Person(house.address)
        ann.post("/api/rest", {"zone": "UTC", "quiet_from": "08:00", "quiet_to": "20:00"})
        clock.advance(12 * HOUR)
        refused = ann.post("/api/rest", {"zone": "UTC", "quiet_from": "20:00", "quiet_to": "08:00"}, 422)
        assert "24 quiet hours within a day, 12 at most" in refused["message"]
        ann.post("/api/rest", {"zone": "UTC", "quiet_from": "20:00", "quiet_to": "20:00"})
        ann.http.close()


def test_what_is_stored_is_read_back() -> None:
    assert read_rest(HOLIDAYS.text()) == HOLIDAYS
    assert Rest("Nowhere/Land", 60, 120).stops(0, DAY) == [(HOUR, 2 * HOUR)]
