"""Three friends in a club: from the lobby to the end of a game by the clock, and what remains of it."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.player import count, follow, wait_beyond, wait_for_turn
from tests.browser.serving import Server
from tests.browser.test_access import violations
from tests.browser.test_pages import overhang

MOST = 300
"""So many decisions at most: random players end Gulf, Mobile & Ohio early."""


def member(person: Opener, server: Server, name: str, width: int, path: str) -> Page:
    """Somebody with an account, who lets others see it, at a page of the club."""
    page = person(width, 900)
    account = {"name": name, "password": "correct horse battery"}
    assert page.request.post(f"{server.address}/api/account/password/sign-up", data=account).ok
    assert page.request.post(f"{server.address}/api/account/visible", data={"visible": True}).ok
    return sit(page, server.address + path)


def sit(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("body.ready")
    return page


def at_table(page: Page, id: str) -> None:
    page.wait_for_url(f"**/t/{id}")
    page.wait_for_selector("body.ready")


def play_to_the_end(pages: list[Page], rng: Random) -> None:
    """Each follows what their own page offers, until all see the end."""
    for _ in range(MOST):
        at = count(pages[0])
        for page in pages:
            page.wait_for_function("at => Number(document.querySelector('#moment').max) >= at", arg=at)
        if pages[0].locator("body.over").count():
            break
        turn = next(page for page in pages if page.locator(".prompt.yours").count())
        assert wait_for_turn(turn)
        follow(turn, rng)
        wait_beyond(turn, at)
    for page in pages:
        page.wait_for_selector("body.over")


def test_friends_meet_in_the_lobby_play_to_the_end_and_look_at_what_remains(person: Opener, server: Server) -> None:
    ann = member(person, server, "Ann of the club", 1440, "/")
    bob = member(person, server, "Bob of the club", 820, "/lobby")
    cy = member(person, server, "Cy of the club", 390, "/lobby")
    ann.click("[data-new=gmo]")
    ann.get_by_label("Who can come").select_option("public")
    ann.get_by_label("To decide").select_option("live 20 30")
    ann.get_by_label("Rated").check()
    ann.get_by_role("button", name="Open the table").click()
    ann.wait_for_url("**/lobby/*")
    id = ann.url.rpartition("/")[2]
    for page in (bob, cy):
        expect(page.locator(f"[data-table='{id}'] .terms")).to_contain_text("20 min + 30 s a turn · rated · no help")
        page.locator(f"[data-join='{id}']").click()  # by the name of the account
        page.wait_for_url(f"**/lobby/{id}")
    expect(ann.locator(".places")).to_contain_text("Cy of the club")
    expect(ann.get_by_role("link", name="Bob of the club")).to_have_attribute("href", "/people/Bob%20of%20the%20club")
    ann.get_by_role("button", name="Start the game").click()
    pages = [ann, bob, cy]
    for page in pages:
        at_table(page, id)
    play_to_the_end(pages, Random(3))
    expect(cy.locator("#course .standings li")).to_have_count(3)

    bob.goto(f"{server.address}/people/Ann%20of%20the%20club")
    expect(bob.locator(".results li")).to_have_count(1)
    expect(bob.locator(".results li")).to_contain_text("Gulf, Mobile & Ohio")
    expect(bob.locator(".results")).to_contain_text("against Bob of the club, Cy of the club · live · rated")
    expect(bob.locator("[data-reliability]")).to_contain_text("100 % of")
    expect(bob.locator(".facts")).to_contain_text("1 game live: usually answers in")
    cy.get_by_role("link", name="Standings").click()
    cy.wait_for_url("**/standings#gmo")
    expect(cy.locator("[data-own]")).to_contain_text("after 1 rated game. You can be listed from the 5th on.")
    for page in (bob, cy):
        assert violations(page) == []
        assert overhang(page) == 0

    ann.get_by_role("link", name="Same people, another game").click()
    again = ann.get_by_role("dialog", name="New table")
    expect(again.get_by_label("Who can come")).to_have_value("invited")
    expect(again.locator("[name=time]")).to_have_value("live 20 30")
    again.get_by_role("button", name="Open the table").click()
    ann.wait_for_url("**/lobby/*")
    expect(ann.get_by_text("Invited, not here yet:")).to_contain_text("Bob of the club")
    bob.goto(server.address)
    bob.get_by_text("Ann of the club invites you").click()
    bob.wait_for_url("**/lobby/*")
    bob.get_by_role("button", name="Join").click()
    expect(ann.locator(".places")).to_contain_text("Bob of the club")
