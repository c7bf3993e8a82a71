"""Standing orders on the page: given in a window, seen under the prompt, carried out while away, revoked."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.serving import Server
from tests.browser.test_access import violations
from tests.browser.test_decide import open_moment
from tests.browser.test_friends import act, come, opened, sit, three


def plan(page: Page) -> None:
    """Open the window by its key."""
    expect(page.locator("[data-do=plan]")).to_be_visible()
    page.keyboard.press("o")
    expect(page.locator("#plan")).to_be_visible()


def test_a_limit_bids_for_whoever_is_away(person: Opener, server: Server) -> None:
    ann, bob, _, table = three(person, server)
    plan(bob)
    assert violations(bob) == []
    bob.get_by_label("Bid up to, in dollars").fill("9")
    bob.keyboard.press("Enter")
    order = bob.locator("#orders li")
    expect(order).to_contain_text("Bid up to $9 in the auction of PA, then pass")
    assert violations(bob) == []
    expect(ann.locator("#orders")).to_be_hidden()  # nobody else sees it
    bob.goto("about:blank")
    act(ann, "bid 7")
    ann.wait_for_selector("#log [data-n='2'] >> text=bids $8")
    expect(ann.locator("#log [data-n='2']")).to_contain_text("by a standing order")
    expect(ann.locator("#log [data-n='1']")).not_to_contain_text("by a standing order")
    bob.goto(f"{server.address}{table['page']}")
    expect(order).to_have_count(1)
    order.get_by_role("button").click()
    expect(bob.locator("#orders")).to_be_hidden()


def test_keys_in_the_window_are_for_the_window(person: Opener, server: Server) -> None:
    _, bob, _, _ = three(person, server)
    plan(bob)
    expect(bob.get_by_label("Bid up to, in dollars")).to_be_focused()
    bob.keyboard.press("?")  # elsewhere this opens the list of keys
    expect(bob.locator("#help")).to_be_hidden()
    bob.keyboard.press("Escape")
    expect(bob.locator("#plan")).to_be_hidden()


def test_of_two_shares_whichever_is_left(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "southern_rails", "take")
    plan(page)
    page.locator("#plan form button", has_text="Order").click()
    expect(page.locator("#plan")).to_be_visible()  # nothing was chosen
    page.get_by_label("First choice").select_option("take blue")
    page.get_by_label("Otherwise").select_option("take red")
    page.locator("#plan form button", has_text="Order").click()
    page.wait_for_selector("#log li >> text=by a standing order", state="attached")
    expect(page.locator("#log")).to_contain_text("takes a share of blue")
    expect(page.locator("#orders")).to_be_hidden()  # it was done at once, since it was the turn of this seat


def test_a_share_is_ordered_on_a_phone_before_it_is_ones_turn(person: Opener, server: Server) -> None:
    host, guest = person(), person(width=390, height=844, touch=True)
    seats = [{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"name": "Cy", "by": "link"}]
    table = opened(host, server, seats, title="southern_rails")
    come(guest, server, table["links"][1])
    guest.locator("[data-do=plan]").tap()
    assert guest.evaluate("document.documentElement.scrollWidth <= innerWidth")
    guest.get_by_label("First choice").select_option("take blue")
    guest.get_by_label("Otherwise").select_option("take red")
    assert violations(guest) == []
    guest.locator("#plan form button", has_text="Order").tap()
    expect(guest.locator("#orders li")).to_contain_text("In the draft of first shares: take blue, or else take red")
    sit(host, server, table["page"])
    act(host, "take blue")
    guest.wait_for_selector("#log li >> text=by a standing order", state="attached")
    expect(guest.locator("#log")).to_contain_text("takes a share of red")
    expect(guest.get_by_text("Over: In the draft of first shares: take blue, or else take red.")).to_be_visible()


def test_where_nothing_can_be_ordered_ahead_the_key_says_so(person: Opener, server: Server) -> None:
    page = person()
    sit(
        page,
        server,
        opened(page, server, [{"name": "Ann"}, {"name": "Bob", "by": "link"}], title="credit_mobilier")["page"],
    )
    expect(page.locator("[data-do=plan]")).to_be_hidden()
    page.evaluate("document.querySelector('#invite').close()")
    page.keyboard.press("o")
    expect(page.get_by_text("There is nothing to order ahead now.")).to_be_visible()


def test_a_railroad_runs_as_last_time(person: Opener, server: Server) -> None:
    page = person()
    open_moment(page, server, "baltimore_ohio", "scrap", 60)
    before = page.locator("#log li").count()
    plan(page)
    run = page.locator("#plan button", has_text="buys and builds nothing").first
    expect(run).to_contain_text("At once, for the rest of this turn:")  # it has begun
    run.click()
    page.wait_for_function(f"() => document.querySelectorAll('#log li').length > {before}")
    page.wait_for_selector("#log li >> text=by a standing order", state="attached")
