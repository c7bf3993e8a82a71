"""Clocks at a table, seen by two people with a browser each; the clock of the server moves when a test says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.test_access import violations
from tests.server.house import HandClock, House, served, until


@dataclass
class TimedHouse:
    """A server in this process, whose clock stands still but for what a test lets pass."""

    house: House
    clock: HandClock

    @property
    def address(self) -> str:
        return self.house.address

    def wait(self, seconds: float) -> None:
        """Time passes, in which the server gives its signs of life."""
        timing = self.house.tables.store.timing
        while seconds > 0:
            step = min(seconds, 10)
            self.clock.advance(step)
            until(lambda: timing.confirmed >= self.clock.now() - 5)
            seconds -= step


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TimedHouse]:
    clock = HandClock()
    with served(tmp_path_factory.mktemp("timed") / "tables.db", clock=clock) as house:
        yield TimedHouse(house, clock)


def sit(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("body.ready")
    return page


def friends(person: Opener, timed: TimedHouse, control: dict[str, Any], width: int = 1440) -> tuple[Page, Page]:
    """Ann and Bob at a table with this time control."""
    ann, bob = person(width, 900), person(width, 900)
    seats = [{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"by": "bot", "level": "random"}]
    request = {"title": "wabash", "seats": seats, "seating": "listed", "time_control": control}
    table = ann.request.post(f"{timed.address}/api/tables", data=request).json()
    bob.goto(timed.address + table["links"][1])
    assert control["level"] in (bob.locator("main").text_content() or "")
    bob.click("text=Take the seat")
    bob.wait_for_selector("body.ready")
    sit(ann, timed.address + table["page"])
    return ann, bob


def bid(page: Page, amount: int) -> None:
    page.evaluate(
        """async (amount) => {
            const id = location.pathname.split('/')[2];
            const seen = await (await fetch(`/api/tables/${id}`)).json();
            const body = JSON.stringify({ seat: seen.status.actor, seq: seen.seq, action: `bid ${amount}` });
            const headers = { 'Content-Type': 'application/json' };
            await fetch(`/api/tables/${id}/act`, { method: 'POST', headers, body });
        }""",
        amount,
    )


LIVE = {"kind": "live", "minutes": 2, "increment": 10, "level": "easy"}


def test_a_person_vanishes_a_bot_takes_the_seat_and_the_person_comes_back_by_a_press(
    person: Opener, timed: TimedHouse
) -> None:
    ann, bob = friends(person, timed, LIVE)
    expect(ann.locator("#clock")).to_contain_text(re.compile(r"Your time: (2:00|1:5\d)"))
    timed.wait(20)
    bid(ann, 12)
    for page in (ann, bob):
        expect(page.locator("#seat-0 .clock")).to_contain_text(re.compile("1:50|1:49"))
        expect(page.locator("#seat-1 .clock.runs")).to_be_visible()
        expect(page.locator("#seat-0 .clock")).to_have_attribute("title", re.compile("usually answers in 20 s"))
    bob.click("#tab-more")
    expect(bob.locator("[data-place='0']")).to_contain_text("usually answers in 20 s")
    expect(bob.locator("[data-place='1'] .answers")).to_be_empty()
    expect(ann.locator("#clock")).to_contain_text("Bob’s time: ")
    bob.goto("about:blank")
    timed.wait(120)
    expect(ann.locator("#note")).to_contain_text("Bob's time is up: a bot (easy) plays for Bob now.")
    bob.go_back()
    bob.wait_for_selector("body.ready")
    expect(bob.locator("#standing-in")).to_contain_text("A bot (easy) plays for you.")
    assert violations(bob) == []
    bob.click("text=Take my seat back")
    expect(bob.locator("#standing-in")).to_be_hidden()
    expect(ann.locator("#seat-1 .clock")).to_contain_text(re.compile("1:00|0:5"))  # half of what each began with


@pytest.mark.parametrize("width", [390, 1440])
def test_clocks_tick_without_a_request_and_low_time_is_pointed_out(
    person: Opener, timed: TimedHouse, width: int
) -> None:
    ann, _ = friends(person, timed, LIVE, width)
    timed.wait(100)
    ann.reload()
    ann.wait_for_selector("body.ready")
    asked: list[str] = []
    ann.on("request", lambda request: asked.append(request.url))
    expect(ann.locator("#clock.low")).to_contain_text(re.compile(r"0:1\d"))
    before = ann.locator("#clock").text_content() or ""
    expect(ann.locator("#clock")).not_to_have_text(before)
    assert asked == []
    assert violations(ann) == []


def test_a_replay_shows_the_clocks_of_its_moments(person: Opener, timed: TimedHouse) -> None:
    ann, _ = friends(person, timed, LIVE)
    timed.wait(20)
    bid(ann, 12)
    expect(ann.locator("#seat-0 .clock")).to_contain_text("1:50")
    ann.click("[data-time=back]")
    expect(ann.locator("#seat-0 .clock")).to_contain_text("2:00")
    expect(ann.locator("#clock")).to_be_hidden()
    ann.click("[data-time=now]")
    expect(ann.locator("#seat-0 .clock")).to_contain_text("1:50")


def test_the_form_for_a_new_table_offers_time_controls(person: Opener, timed: TimedHouse) -> None:
    page = person()
    sit(page, timed.address)
    page.click("[data-new=wabash]")
    menu = page.get_by_label("To decide")
    menu.select_option("live")
    page.get_by_label("Minutes").fill("5")
    page.get_by_label("seconds more a turn").fill("7")
    page.get_by_label("the seat is played by a bot").select_option("hard")
    assert violations(page) == []
    menu.select_option("correspondence 3")
    expect(page.get_by_label("Minutes")).to_be_hidden()
    menu.select_option("live")
    page.click("#new-table .main")
    page.wait_for_selector("main.table")
    page.wait_for_selector("body.ready")
    expect(page.locator("#clock")).to_contain_text("Your time: ")
    page.click("#tab-more")
    expect(page.locator("#time-here")).to_contain_text(
        "5 min + 7 s a turn. When somebody’s time is up, a bot (hard) plays"
    )
    sit(page, timed.address)
    expect(page.locator(".own li").first).to_contain_text("5 min + 7 s a turn")


def test_in_a_correspondence_game_the_page_says_until_when(person: Opener, timed: TimedHouse) -> None:
    ann, bob = friends(person, timed, {"kind": "correspondence", "days": 3, "level": "medium"})
    timed.wait(60)
    bid(ann, 12)
    expect(bob.locator("#clock")).to_contain_text(re.compile(r"Your time: (3 d 0 h|2 d 23 h) \(until .+\)"))
    expect(ann.locator("#clock")).to_contain_text("Bob’s time: ")


def test_quiet_hours_and_holidays_are_set_on_a_page_and_move_the_deadline(person: Opener, timed: TimedHouse) -> None:
    ann, bob = friends(person, timed, {"kind": "correspondence", "days": 3, "level": "medium"})
    id = ann.url.split("/")[-1].split("#")[0]
    before = ann.request.get(f"{timed.address}/api/tables/{id}").json()["clocks"]["deadline"]
    page = ann.context.new_page()
    sit(page, f"{timed.address}/rest")
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    page.get_by_label("Each day from").fill("07:00")
    page.get_by_label("to", exact=True).fill("23:00")
    page.click("text=Save")
    expect(page.get_by_role("alert")).to_have_text(
        "Quiet hours can last 12 hours of a day; others would wait too long."
    )
    page.get_by_label("Each day from").fill("22:00")
    page.get_by_label("to", exact=True).fill("07:00")
    page.click("text=Add holidays")
    page.get_by_label("From", exact=True).fill("2027-01-16")
    page.get_by_label("to and with").fill("2027-01-17")
    assert violations(page) == []
    page.click("text=Save")
    expect(page.locator("output")).to_have_text("Saved; it holds from now on.")
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.get_by_label("From", exact=True)).to_have_value("2027-01-16")
    after = ann.request.get(f"{timed.address}/api/tables/{id}").json()["clocks"]["deadline"]
    assert after - before > 2 * 24 * 3600
    expect(bob.locator("#clock")).to_contain_text("Ann’s time: 2 d 23 h (until")
