"""The lobby in the browser: people who do not know each other find a table, and play."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.player import follow, wait_for_turn
from tests.browser.serving import Server
from tests.browser.test_access import violations


def named(person: Opener, name: str, width: int = 1440, path: str = "/") -> Page:
    page = person(width, 900)
    page.context.add_init_script(f"location.host && localStorage.setItem('cuberails-name', '{name}')")
    page.goto(page.url + path.lstrip("/"))
    page.wait_for_selector("body.ready")
    return page


def ready(page: Page, path: str) -> None:
    page.wait_for_url(path)
    page.wait_for_selector("body.ready")


def offer(page: Page) -> str:
    """Open a table for everybody by the form; its id."""
    page.get_by_role("button", name="Open a table for everybody").click()
    form = page.get_by_role("dialog", name="New table")
    expect(form.locator("li select").nth(1)).to_have_value("link")
    form.get_by_role("button", name="Open the table").click()
    ready(page, "**/lobby/*")
    return page.url.rpartition("/")[2]


def test_three_strangers_meet_in_the_lobby_and_play(person: Opener) -> None:
    ann, bob, cy = named(person, "Ann"), named(person, "Bob", 820, "/lobby"), named(person, "Cy", 390, "/lobby")
    id = offer(ann)
    for page, name in ((bob, "Bob"), (cy, "Cy")):
        page.locator(f"[data-join='{id}']").click()  # it came into the list by itself
        ready(page, f"**/lobby/{id}")
        expect(ann.locator(".places")).to_contain_text(name)
    expect(bob.locator(".places")).to_contain_text("Cy")
    expect(ann.locator("#seats")).to_have_text("All seats are taken")
    for page in (ann, bob, cy):
        assert violations(page) == []
    ann.get_by_role("button", name="Start the game").click()
    for page in (ann, bob, cy):
        ready(page, f"**/t/{id}")
        expect(page.locator("#seat-0 th, #seat-0 h3").first).to_be_attached()
    players = {page.locator(".presence.you").first.inner_text() and page for page in (ann, bob, cy)}
    assert len(players) == 3
    for _ in range(3):
        turn = next(page for page in (ann, bob, cy) * 50 if page.locator("#choices button").count())
        wait_for_turn(turn)
        before = turn.locator("#moment").get_attribute("max")
        follow(turn, Random(1))
        for page in (ann, bob, cy):
            expect(page.locator("#moment")).not_to_have_attribute("max", before or "")


def test_the_host_starts_with_bots_and_others_watch(person: Opener) -> None:
    ann, bob = named(person, "Ann"), named(person, "Bob", path="/lobby")
    id = offer(ann)
    expect(bob.locator(f"[data-table='{id}']")).to_contain_text("Wabash Cannonball")
    ann.get_by_label("Bots for the free seats").select_option("easy")
    ann.get_by_role("button", name="Start the game").click()
    ready(ann, f"**/t/{id}")
    expect(bob.locator(f"[data-table='{id}']")).to_have_count(0)
    bob.locator(f".button[href='/t/{id}']").click()
    bob.wait_for_selector("main.table")
    expect(bob.get_by_text("You are watching")).to_be_visible()


def test_a_link_leads_to_the_room_and_a_host_who_leaves_closes_it(person: Opener, server: Server) -> None:
    ann, bob = named(person, "Ann"), person()
    id = offer(ann)
    bob.goto(f"{server.address}/t/{id}")
    ready(bob, f"**/lobby/{id}")
    bob.get_by_label("Your name at this table").fill("Bobby")
    bob.get_by_role("button", name="Join").click()
    expect(bob.get_by_text("You have a seat")).to_be_visible()
    expect(ann.locator(".places")).to_contain_text("Bobby")
    bob.get_by_role("button", name="Leave").click()
    ready(bob, "**/lobby")
    expect(ann.locator(".places")).not_to_contain_text("Bobby")
    bob.goto(f"{server.address}/lobby/{id}")
    bob.get_by_label("Your name at this table").press_sequentially("Bo")
    ann.get_by_role("button", name="Leave and close the table").click()
    ready(ann, "**/lobby")
    expect(bob.locator("main")).to_contain_text("This table was closed before its game began.")
    expect(bob.locator("main")).not_to_contain_text("waits for players")


def test_who_is_removed_from_a_table_that_waits_is_told_at_once(person: Opener) -> None:
    ann, bob = named(person, "Ann"), named(person, "Bob", 390, "/lobby")
    id = offer(ann)
    bob.locator(f"[data-join='{id}']").click()
    ready(bob, f"**/lobby/{id}")
    bob.get_by_role("button", name="Leave").click()
    ready(bob, "**/lobby")
    bob.locator(f"[data-join='{id}']").click()
    ready(bob, f"**/lobby/{id}")
    ann.get_by_role("button", name="Remove Bob").click()
    expect(bob.get_by_text("Ann has removed you from this table.")).to_be_visible()
    expect(bob.get_by_role("button", name="Join")).to_have_count(0)
    assert violations(bob) == []


def test_what_somebody_types_stays_when_others_come(person: Opener, server: Server) -> None:
    ann, bob, cy = named(person, "Ann"), person(), named(person, "Cy")
    id = offer(ann)
    bob.goto(f"{server.address}/lobby/{id}")
    field = bob.get_by_label("Your name at this table")
    field.fill("Rob")
    field.press("Home")
    cy.goto(f"{server.address}/lobby/{id}")
    cy.get_by_role("button", name="Join").click()
    expect(bob.locator(".places")).to_contain_text("Cy")
    expect(field).to_be_focused()
    bob.keyboard.type("Sir ")
    expect(field).to_have_value("Sir Rob")


HOLD_THE_FIRST = """() => {
    const real = fetch;
    window.fetch = async (url, ...more) => {
        const answer = await real(url, ...more);
        if (window.release || !url.endsWith("/room")) return answer;
        const body = await answer.text();
        await new Promise((release) => (window.release = release));
        return new Response(body, { headers: answer.headers });
    };
}"""
"""The first answer that says who is in the room comes when a test wants it."""


def test_an_answer_that_comes_late_hides_nothing_that_has_happened_since(person: Opener, server: Server) -> None:
    ann = named(person, "Ann")
    id = offer(ann)
    ann.evaluate(HOLD_THE_FIRST)
    for name in ("Bob", "Cy"):
        assert person().request.post(f"{server.address}/api/lobby/{id}/join", data={"name": name}).ok
        ann.wait_for_function("() => Boolean(window.release)")
    expect(ann.locator(".places")).to_contain_text("Cy")
    ann.evaluate("async () => (release(), (await fetch('/lobby/list')).text())")  # long after the first was read
    assert "Cy" in ann.locator(".places").inner_text()


def test_whoever_chooses_that_others_come_has_seats_for_them(person: Opener) -> None:
    ann = named(person, "Ann")
    ann.click("[data-new=wabash]")
    seats = ann.locator("#new-table li select")
    assert [seat.input_value() for seat in seats.all()] == ["me", "bot medium", "bot medium"]
    seats.nth(2).select_option("bot hard")
    ann.get_by_label("Who can come").select_option("public")
    assert [seat.input_value() for seat in seats.all()] == ["me", "link", "bot hard"]  # a bot that somebody chose stays


def test_whoever_has_the_link_to_a_table_comes_to_one_that_is_not_listed(person: Opener, server: Server) -> None:
    ann, bob = named(person, "Ann"), named(person, "Bob", 390, "/lobby")
    ann.click("[data-new=wabash]")
    ann.get_by_label("Who can come").select_option("unlisted")
    ann.get_by_role("button", name="Open the table").click()
    ready(ann, "**/lobby/*")
    id = ann.url.rpartition("/")[2]
    expect(ann.locator(".settled")).to_contain_text("whoever has the link to this page")
    assert id not in bob.request.get(f"{server.address}/lobby/list").text()
    bob.goto(f"{server.address}/lobby/{id}")
    bob.get_by_role("button", name="Join").click()
    expect(ann.locator(".places")).to_contain_text("Bob")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lobby_has_no_violation(person: Opener, server: Server, scheme: str) -> None:
    page = person()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    seats = [{"name": "Ann"}, {"by": "open"}, {"by": "bot"}]
    for more in ({"starts": "full", "help": False}, {"seats": [{"name": "Ann"}, {"by": "bot"}, {"by": "bot"}]}):
        request = {"title": "wabash", "seats": seats, "visibility": "public", **more}
        assert page.request.post(f"{server.address}/api/tables", data=request).ok
    for path in ("/lobby", "/"):
        page.goto(server.address + path)
        page.wait_for_selector("body.ready")
        assert violations(page) == []
        for width in (390, 820, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_somebody_is_invited_by_name_and_becomes_a_friend(person: Opener, server: Server) -> None:
    ann, bob = named(person, "Ann"), named(person, "Bob", 390)
    id = offer(ann)
    bob.request.post(f"{server.address}/api/lobby/{id}/join", data={"name": "Bob"})
    ann.get_by_role("button", name="Start the game").click()
    ready(ann, f"**/t/{id}")
    ann.goto(server.address)
    ann.click("[data-new=gmo]")
    ann.get_by_label("Who can come").select_option("invited")
    ann.locator("#new-table li select").nth(2).select_option("bot easy")
    ann.get_by_role("button", name="Open the table").click()
    ready(ann, "**/lobby/*")
    ann.get_by_label("Name", exact=True).fill("Nobody")
    ann.get_by_role("button", name="Invite", exact=True).click()
    expect(ann.get_by_role("alert")).to_contain_text("You have played with nobody called “Nobody”")
    ann.get_by_role("list", name="People you know").get_by_role("button", name="Bob").click()
    expect(ann.get_by_text("Invited, not here yet: Bob.")).to_be_visible()
    assert violations(ann) == []
    bob.goto(server.address)
    bob.get_by_text("Ann invites you").click()
    ready(bob, "**/lobby/*")
    assert violations(bob) == []
    bob.get_by_role("button", name="Join").click()
    expect(ann.locator("#seats")).to_have_text("All seats are taken")
    ann.goto(f"{server.address}/lobby")
    ann.get_by_role("button", name="Add as friend Bob").click()
    bob.goto(f"{server.address}/lobby")
    bob.get_by_role("button", name="Agree Ann").click()
    expect(ann.get_by_text("here now")).to_be_visible()
    assert violations(ann) == []
