"""What shares are worth: a panel that one key opens and closes, at once with quick numbers, then with refined ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, Route, expect

import cuberails
from tests.browser.conftest import Opener
from tests.browser.player import count, wait_beyond, wait_for_turn
from tests.browser.serving import Server
from tests.browser.test_access import SIZES, violations
from tests.browser.test_decide import open_moment

RECORDS = Path(__file__).parent.parent / "records"
RECORD = (RECORDS / "wabash" / "4-players-greedy.txt").read_text("utf-8")


def open_at(page: Page, server: Server, at: int, record: str = RECORD) -> None:
    """A table from a moment of a recorded game, at which nobody but people decides."""
    game = cuberails.read(record)
    seats = [{"name": name} for name in game.seats]
    request = {"record": record, "at": at, "seats": seats, "seating": "listed"}
    answer = page.request.post(f"{server.address}/api/tables", data=request).json()
    page.goto(server.address + answer["page"])
    page.wait_for_selector("body.ready")


def refining(page: Page, *kinds: str) -> list[str]:
    """From now on the server refines at once, as far as these events go; the addresses that were asked."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        quick = page.request.get(route.request.url.replace("/events", "")).json()
        bars = [{"from": low, "to": low + 10, "share": share} for low, share in ((10, 0.1), (20, 0.7), (30, 0.2))]
        will_pay = {"mean": 26.4, "low": 21, "high": 38, "bars": bars, "plays": 160}
        refined = {**quick, "refined": True, "shares": [{**share, "will_pay": will_pay} for share in quick["shares"]]}
        if "bid" in page.locator("#prompt").inner_text().lower():
            limits, most = [24, 27, None, 20], [40, 31, 12, 20]
            auction = {"lot": "B&O", "kind": "auction", "winner": 1, "low": 24, "high": 25, "chance": None}
            refined["prices"] = [{**auction, "limits": limits, "most": most}]
        data = {"quick": quick, "refined": refined, "progress": 0.4, "done": {"seq": 0}}
        names = {"quick": "worth", "refined": "worth"}
        body = "".join(f"event: {names.get(kind, kind)}\ndata: {json.dumps(data[kind])}\n\n" for kind in kinds)
        route.fulfill(body=body, content_type="text/event-stream")

    page.route("**/worth/events*", answer)
    return asked


REFINED = ("quick", "progress", "refined", "done")


def test_one_key_opens_it_with_quick_numbers_and_refined_ones_follow(person: Opener, server: Server) -> None:
    """Near the end of a game play-outs are short; these are real ones."""
    page = person()
    open_at(page, server, cuberails.read(RECORD).count - 3)
    expect(page.locator("#panel-worth")).to_be_hidden()
    page.keyboard.press("w")
    expect(page.locator("#shares > li")).to_have_count(5)
    expect(page.locator("[data-do=worth]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#worth-state")).to_contain_text("play-outs", timeout=60_000)
    expect(page.locator("#shares svg.spread")).to_have_count(5)
    expect(page.locator("#panel-worth").get_by_role("progressbar")).to_have_count(0, timeout=60_000)
    for key in ("w", "Escape"):
        page.keyboard.press(key)
        expect(page.locator("#panel-worth")).to_be_hidden()
        expect(page.locator("#panel-table")).to_be_visible()
        page.keyboard.press("w")
        expect(page.locator("#panel-worth")).to_be_visible()


def test_each_share_tells_who_holds_it_what_it_pays_and_what_it_will_pay(person: Opener, server: Server) -> None:
    page = person()
    refining(page, *REFINED)
    open_at(page, server, 130)
    page.click("[data-do=worth]")
    share = page.locator("#shares > li").filter(has=page.get_by_role("heading", name="B&O"))
    expect(share).to_contain_text("Ann 1, Cleo 1 · 2 left · has paid Ann $11, Cleo $11")
    expect(share.locator(".figures")).to_contain_text("pays now $7")
    expect(share.locator(".figures")).to_contain_text("with one more sold $5")
    expect(share.locator(".will-pay")).to_contain_text("will pay $26 80 %: $21–38")
    drawn = share.get_by_role("img")
    expect(drawn).to_have_attribute("aria-label", re.compile(r"B&O .* 160 play-outs: \$26 .* between \$21 and \$38"))
    expect(drawn.locator(".inside")).to_have_count(2)
    expect(drawn.locator(".outside")).to_have_count(1)  # hollow: the range can be seen without colour
    price = page.locator("#prices section")
    expect(price.get_by_role("heading")).to_have_text("B&O: expect $24–25, from Bob; a share will pay $26")
    texts = [" ".join(text.split()) for text in price.locator("li").all_inner_texts()]
    assert texts == ["Ann up to $24", "Bob up to $27", "Cleo rather not", "Dan up to $20+"]
    expect(price.get_by_title("$20 is all there is; perhaps more")).to_be_visible()
    page.get_by_text("How to read this").click()
    expect(page.locator("#worth-read")).to_contain_text("as likely to win the game with the share as without it")


def test_a_draft_tells_points_and_the_chance_with_each_share(person: Opener, server: Server) -> None:
    page = person(390, 844)
    file = RECORDS / "southern_rails" / "3-players-greedy.txt"
    open_at(page, server, 39, file.read_text("utf-8"))
    page.keyboard.press("w")
    table = page.locator("#prices table")
    expect(table).to_be_visible(timeout=60_000)
    heads = table.locator("thead th").all_inner_texts()
    assert heads == ["Points that a share is worth", "Ann", "Bob", "Cleo", "Chance with it"]
    red = (
        table.locator("tbody tr").filter(has=page.get_by_role("rowheader", name="red")).locator("td").all_inner_texts()
    )
    assert all(re.fullmatch(r"\d+(\.\d)?", points) for points in red[:3])
    assert re.fullmatch(r"\d+ %", red[3])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_when_the_game_is_over_it_tells_what_shares_have_paid(person: Opener, server: Server) -> None:
    page = person()
    table = page.request.post(f"{server.address}/api/tables", data={"record": RECORD}).json()
    page.goto(server.address + table["page"])
    page.wait_for_selector("body.ready")
    page.keyboard.press("w")
    expect(page.locator("#worth-state")).to_have_text("The game is over: no share pays any more")
    expect(page.locator("#shares")).to_contain_text("has paid")
    expect(page.locator("#shares .will-pay")).to_have_count(0)
    expect(page.locator("#shares")).not_to_contain_text("pays now")


def test_whoever_has_one_seat_is_called_you_and_spectators_see_names(person: Opener, server: Server) -> None:
    page, spectator = person(), person()
    seats = [{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"name": "Cleo", "by": "link"}, {"by": "link"}]
    request = {"record": RECORD, "at": 130, "seats": seats, "seating": "listed"}
    table = page.request.post(f"{server.address}/api/tables", data=request).json()
    for each, called in ((page, "You"), (spectator, "Ann")):
        refining(each, *REFINED)
        each.goto(server.address + table["page"])
        each.wait_for_selector("body.ready")
        each.keyboard.press("w")
        expect(each.locator("#prices li").first).to_contain_text(called)
        expect(each.locator("#shares > li", has_text="B&O").first).to_contain_text(f"{called} 1, Cleo 1")


def test_when_the_table_moves_on_it_asks_anew_and_forgets_what_was_asked_before(person: Opener, server: Server) -> None:
    page = person()
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    open_at(page, server, 2)
    wait_for_turn(page)
    page.keyboard.press("w")
    expect(page.locator("#panel-worth").get_by_role("progressbar")).to_be_visible()
    expect(page.locator("#shares > li")).to_have_count(5)
    before = count(page)
    with page.expect_request("**/worth/events*") as asked:
        page.locator("#choices [data-action=pass]").click()
        wait_beyond(page, before)
    assert asked.value.url.endswith("/worth/events")
    page.wait_for_function("() => document.querySelector('#worth-state').textContent.includes('rules')")
    assert [url for url in failed if url.endswith("/worth/events")], "the first request was given up"


def test_it_follows_through_time(person: Opener, server: Server) -> None:
    page = person()
    asked = refining(page, *REFINED)
    open_at(page, server, 130)
    page.keyboard.press("w")
    expect(page.locator("#shares")).to_contain_text("has paid Ann $11, Cleo $11")
    page.locator("#moment").fill("20")
    expect(page.locator("#shares > li").first).to_contain_text("left")
    expect(page.locator("#shares")).not_to_contain_text("has paid")
    assert asked[-1].endswith("?at=20")
    page.keyboard.press("Escape")  # the panel first, then the present
    expect(page.locator("#panel-worth")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    expect(page.locator("#shares")).to_contain_text("has paid Ann $11, Cleo $11")


def test_what_could_not_be_refined_is_said_beside_the_quick_numbers(person: Opener, server: Server) -> None:
    page = person()
    open_at(page, server, 130)
    page.route(
        "**/worth/events*",
        lambda route: route.fulfill(
            status=429, content_type="application/json", body='{"error": "too_many", "message": "That was a lot."}'
        ),
    )
    page.keyboard.press("w")
    expect(page.locator("#worth-state")).to_have_text("That was a lot.")
    expect(page.locator("#panel-worth").get_by_role("progressbar")).to_have_count(0)


@pytest.mark.parametrize("key", ["wabash", "baltimore_ohio"])
def test_it_moves_nothing_that_is_to_be_decided_and_has_no_violation(person: Opener, server: Server, key: str) -> None:
    page = person(*SIZES[0])
    refining(page, *REFINED)
    word, start = {"wabash": ("bid", 100), "baltimore_ohio": ("buy", 150)}[key]
    open_moment(page, server, key, word, start)
    found = []
    for n, (width, height) in enumerate(SIZES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if n % 2 else "light")
        before = page.locator(".decide").bounding_box()
        page.keyboard.press("w")
        expect(page.locator("#shares svg.spread").first).to_be_attached()
        if page.evaluate("() => scrollY") == 0:
            assert page.locator(".decide").bounding_box() == before
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        found += [f"{key} at {width}: {violation}" for violation in violations(page)]
        page.keyboard.press("w")
        page.evaluate("() => scrollTo(0, 0)")
    assert found == []


def test_a_table_without_help_has_no_such_panel_and_says_why(person: Opener) -> None:
    page = person()
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.click("[data-new=wabash]")
    page.uncheck("#new-table [name=help]")
    page.click("#new-table .main")
    page.wait_for_selector("body.ready")
    wait_for_turn(page)
    expect(page.locator("#tab-worth")).to_have_count(0)
    expect(page.locator("[data-do=worth]")).to_have_attribute("aria-disabled", "true")
    page.evaluate("() => (document.querySelector('#note').hidden = true)")
    page.keyboard.press("w")
    expect(page.locator("#note")).to_contain_text("No help at this table")
    expect(page.locator("#note")).to_contain_text("fair prices")
    assert not [url for url in asked if "/worth" in url and "static" not in url]
