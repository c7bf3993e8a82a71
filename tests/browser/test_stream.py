"""Pages out of sight: they give their connection back, look in now and then, and catch up when they are seen again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.player import count, take_seat, wait_beyond, wait_for_turn
from tests.browser.serving import Server

_SEEN = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def open_table(page: Page, server: Server, **request: object) -> Any:
    """A new table of this person's, by the interface."""
    return page.request.post(f"{server.address}/api/tables", data={"seating": "listed", **request}).json()


def visit(page: Page, path: str) -> None:
    page.clock.install()
    page.goto(path)
    page.wait_for_selector("body.ready")


def hide(page: Page) -> None:
    """Put a page behind others, long enough that it gives its connection back."""
    with closing(page):
        page.evaluate(_SEEN, True)
        page.clock.fast_forward(6_000)


@contextmanager
def closing(page: Page) -> Iterator[None]:
    """Until the page has closed its stream of events: from then on nobody can tell it anything."""
    with page.expect_event("requestfailed", lambda request: "/events" in request.url):
        yield


def act(page: Page, server: Server, id: str, seat: int, seq: int, action: str) -> None:
    request = {"seat": seat, "seq": seq, "action": action}
    assert page.request.post(f"{server.address}/api/tables/{id}/act", data=request).ok


def test_many_open_tables_do_not_stall_the_one_in_sight(person: Opener, server: Server) -> None:
    first = person()
    for _ in range(7):  # a browser opens six connections to one server at most
        page = first.context.new_page()
        path = open_table(page, server, title="wabash", seats=[{}, {"by": "bot"}, {"by": "bot"}])["page"]
        visit(page, server.address + path)
        expect(page.locator("body")).not_to_have_class("offline")
        hide(page)
    page.evaluate(_SEEN, False)
    assert wait_for_turn(page)
    before = count(page)
    page.locator("#choices button.main").click()
    wait_beyond(page, before)


def test_a_page_out_of_sight_learns_whose_turn_it_is_and_catches_up(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    table = open_table(ann, server, title="wabash", seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    id = table["id"]
    take_seat(bob, server.address + table["links"][1])
    visit(ann, server.address + table["page"])
    act(ann, server, id, 0, 0, "bid 7")
    expect(ann).not_to_have_title("● Wabash Cannonball · cuberails")
    hide(ann)
    act(bob, server, id, 1, 1, "bid 8")
    assert count(ann) == 1
    with closing(ann):
        ann.clock.fast_forward(26_000)
    expect(ann).to_have_title("● Wabash Cannonball · cuberails")
    assert count(ann) == 2
    act(ann, server, id, 0, 2, "pass")
    assert count(ann) == 2  # it only looked in
    ann.evaluate(_SEEN, False)
    wait_beyond(ann, 2)
