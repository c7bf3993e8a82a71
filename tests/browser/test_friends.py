"""Friends at a table, each with a browser of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.serving import Server
from tests.browser.test_access import violations


def requested_seating(page: Page, open_table: str) -> str:
    """What the page asks for when a press opens a table."""
    with page.expect_request("**/api/tables") as asked:
        page.click(open_table)
    page.wait_for_selector("main.table")
    return str(json.loads(asked.value.post_data or "")["seating"])


def test_seats_are_shuffled_unless_they_are_wanted_as_listed(person: Opener) -> None:
    page = person(listed=False)
    assert requested_seating(page, "[data-play=wabash]") == "shuffled"
    page.goto(page.url.partition("/t/")[0])
    page.click("[data-new=wabash]")
    page.get_by_label("Seats as listed").check()
    assert requested_seating(page, "#new-table .main") == "listed"


# Tables with people


def opened(page: Page, server: Server, seats: list[dict[str, str]], **more: object) -> Any:
    """A table that this person opens, in this order."""
    request = {"title": "wabash", "seats": seats, "seating": "listed", **more}
    return page.request.post(f"{server.address}/api/tables", data=request).json()


def sit(page: Page, server: Server, path: str) -> Page:
    page.goto(server.address + path)
    page.wait_for_selector("body.ready")
    return page


def come(page: Page, server: Server, link: str, name: str = "") -> Page:
    """Open the link of a seat, and take it under a name."""
    sit(page, server, link)
    if name:
        page.get_by_label("Your name at this table").fill(name)
    page.click("text=Take the seat")
    page.wait_for_selector("main.table")
    page.wait_for_selector("body.ready")
    return page


def three(person: Opener, server: Server) -> tuple[Page, Page, Page, Any]:
    """Ann, Bob and Cy, each with a browser of their own."""
    ann, bob, cy = person(), person(), person()
    table = opened(ann, server, [{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"name": "Cy", "by": "link"}])
    come(bob, server, table["links"][1])
    come(cy, server, table["links"][2])
    return sit(ann, server, table["page"]), bob, cy, table


def act(page: Page, action: str) -> None:
    """Do something where it is this page's turn, by the same request that its buttons send."""
    page.wait_for_selector("#choices button")
    page.evaluate(
        """async (action) => {
            const id = location.pathname.split("/")[2];
            const ask = async (path, options) => (await fetch(`/api/tables/${id}${path}`, options)).json();
            const { seq, status } = await ask("");
            const body = JSON.stringify({ seat: status.actor, seq, action });
            return ask("/act", { method: "POST", headers: { "content-type": "application/json" }, body });
        }""",
        action,
    )


def presence(page: Page, seat: int) -> str:
    return f"#seat-{seat} .presence"


# Invitations and names


def test_the_host_invites_right_after_opening_and_sees_friends_come(person: Opener, server: Server) -> None:
    ann, bob = person(), person(390, 844, touch=True)
    table = opened(ann, server, [{"name": "Ann"}, {"by": "link"}, {"by": "link"}, {"by": "bot", "level": "easy"}])
    sit(ann, server, table["page"])
    dialog = ann.get_by_role("dialog", name="Invite your friends")
    expect(dialog.locator("li")).to_have_count(2)
    expect(dialog.locator(".state")).to_have_text(["○ not come yet"] * 2)
    ann.wait_for_function(
        "() => [...document.querySelectorAll('#invite img')].every((code) => code.naturalWidth > 100)"
    )
    assert violations(ann) == []
    come(bob, server, table["links"][1], "Bob")
    expect(dialog.locator("li").first).to_contain_text("Bob")
    expect(dialog.locator(".state").first).to_have_text("✓ joined")
    expect(dialog.locator("li").first.get_by_text("Copy link")).to_be_hidden()
    dialog.get_by_text("To the table").click()
    expect(dialog).to_be_hidden()
    ann.get_by_role("button", name="Invite").click()
    expect(dialog).to_be_visible()
    ann.reload()
    ann.wait_for_selector("body.ready")
    expect(dialog).to_be_hidden()  # it comes by itself only once
    come(person(), server, table["links"][2], "Cy")
    expect(ann.get_by_role("button", name="Invite")).to_be_hidden()


def test_links_are_copied_and_shared(person: Opener, server: Server) -> None:
    ann = person()
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.add_init_script("window.shared = []; navigator.share = async (what) => window.shared.push(what.url)")
    table = opened(ann, server, [{"name": "Ann"}, {"by": "link"}])
    sit(ann, server, table["page"])
    ann.click("#invite >> text=Copy link")
    ann.wait_for_selector("#note:visible")
    assert ann.evaluate("navigator.clipboard.readText()") == server.address + table["links"][1]
    ann.click("#invite >> text=Share…")
    assert ann.evaluate("window.shared") == [server.address + table["links"][1]]


def test_nobody_but_the_host_can_invite(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    table = opened(ann, server, [{"name": "Ann"}, {"by": "link"}, {"by": "link"}])
    come(bob, server, table["links"][1])
    expect(bob.locator("#invite")).to_be_hidden()
    expect(bob.locator("[data-invite]")).to_be_hidden()
    assert table["links"][2] not in bob.content()


def test_a_friend_names_himself_and_everything_says_it(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    table = opened(ann, server, [{"name": "Ann"}, {"by": "link"}])
    sit(ann, server, table["page"])
    ann.keyboard.press("Escape")
    bob.evaluate("localStorage.setItem('cuberails-name', 'Bobby')")
    sit(bob, server, table["links"][1])
    expect(bob.get_by_label("Your name at this table")).to_have_value("Bobby")
    bob.click("text=Take the seat")
    expect(ann.locator("#seat-1 th")).to_contain_text("Bobby")
    act(ann, "bid 12")
    expect(ann.locator("#prompt")).to_contain_text("Bobby decides")
    act(bob, "bid 13")
    expect(ann.locator("#log li").first).to_contain_text("Bobby")
    bob.click("#tab-more")
    bob.click("text=Change my name")
    bob.locator(".places form input").fill("Robert")
    bob.locator(".places form button").click()
    for page in (ann, bob):
        expect(page.locator("#seat-1 th")).to_contain_text("Robert")
        expect(page.locator("#log li").first).to_contain_text("Robert")
        expect(page.locator("#filter option").nth(2)).to_have_text("Robert")
        expect(page.locator('[data-place="1"] b')).to_have_text("Robert")


# Who is there


def test_everybody_sees_who_is_there_and_which_seat_is_his_own(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    table = opened(ann, server, [{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"name": "Cy", "by": "link"}])
    sit(ann, server, table["page"])
    expect(ann.locator(presence(ann, 0))).to_have_text("you")
    expect(ann.locator(presence(ann, 1))).to_have_text("not come yet")
    come(bob, server, table["links"][1])
    expect(ann.locator(presence(ann, 1))).to_have_text("here")
    expect(bob.locator(presence(bob, 1))).to_have_text("you")
    expect(bob.locator(presence(bob, 0))).to_have_text("here")
    expect(ann.locator('[data-place="1"] .by')).to_have_text("a person, here")
    bob.goto(server.address)
    expect(ann.locator(presence(ann, 1))).to_have_text("away")


@pytest.mark.parametrize("width", [390, 1366])
def test_spectators_are_told_that_they_watch(person: Opener, server: Server, width: int) -> None:
    ann, eve = person(), person(width, 844)
    table = opened(ann, server, [{"name": "Ann"}, {"by": "bot", "level": "easy"}])
    sit(ann, server, table["page"])
    sit(eve, server, table["page"])
    expect(eve.get_by_text("You are watching")).to_be_visible()
    expect(ann.get_by_text("You are watching")).to_be_hidden()
    expect(ann.locator("#spectators")).to_have_text("1 person watches.")
    eve.click("#tab-chat")
    expect(eve.get_by_text("Only people with a seat can write here.")).to_be_visible()
    assert violations(eve) == []


# A bot stands in


def test_a_person_sees_that_a_bot_plays_and_takes_the_seat_back(person: Opener, server: Server) -> None:
    ann, bob, cy, _ = three(person, server)
    ann.click("#tab-more")
    ann.click("[data-bot='1']")
    expect(bob.locator("#standing-in")).to_contain_text("A bot (medium) plays for you.")
    expect(ann.locator(presence(ann, 1))).to_have_text("a bot plays")
    expect(cy.locator("#standing-in")).to_be_hidden()
    bob.click("text=Take my seat back")
    expect(bob.locator("#standing-in")).to_be_hidden()
    expect(ann.locator(presence(ann, 1))).to_have_text("here")
    expect(ann.locator('[data-place="1"] [data-bot]')).to_have_text("Let a bot play")


# Going back


def test_a_request_to_go_back_says_what_and_the_answer_is_told(person: Opener, server: Server) -> None:
    ann, bob, cy, _ = three(person, server)
    act(ann, "bid 12")
    act(bob, "bid 13")
    expect(ann.locator("#prompt")).to_contain_text("Cy decides")
    words = "Ann wants to take back: Ann: bid 12, Bob: bid 13 (2 actions)."
    asking = [[bob], [bob, cy]]
    for answer, told in (("Refuse", "Bob refused to go back."), ("Agree", "Bob and Cy agreed: went back 2 actions.")):
        ann.click("[data-do=undo]")
        expect(ann.locator("#asked")).to_contain_text(words)
        expect(ann.locator("#asked button")).to_have_text("Go on instead")
        for page in asking.pop(0):
            expect(page.locator("#asked")).to_contain_text(words)
            page.locator("#asked").get_by_text(answer).click()
        for page in (ann, bob, cy):
            expect(page.locator("#chat")).to_contain_text(told)
            expect(page.locator("#asked")).to_be_hidden()
    expect(ann.locator("#note")).to_have_text("Bob and Cy agreed: went back 2 actions.")
    expect(ann.locator("#prompt")).to_contain_text("Your turn")


# Chat and notes


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_people_talk_beside_the_game(person: Opener, server: Server, width: int) -> None:
    ann, bob = person(), person(width, 844)
    table = opened(ann, server, [{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    come(bob, server, table["links"][1])
    sit(ann, server, table["page"])
    ann.click("#tab-chat")
    ann.locator("#say input").fill("Hello @Bob, <b>ready</b>?")
    ann.keyboard.press("Enter")
    expect(bob.locator("#tab-chat .unread")).to_have_text("1 new")
    expect(bob.locator("#note")).to_have_text("Ann: Hello @Bob, <b>ready</b>?")
    bob.click("#tab-chat")
    expect(bob.locator("#chat li[data-n]")).to_contain_text("Hello @Bob, <b>ready</b>?")
    expect(bob.locator("#chat mark.me")).to_have_text("@Bob")
    expect(bob.locator("#tab-chat .unread")).to_be_hidden()
    bob.locator("#say input").fill("u 7 [ yes")  # no key of the table is pressed by writing
    bob.click("#say button")
    expect(ann.locator("#chat li[data-n]").last).to_contain_text("u 7 [ yes")
    expect(ann.locator("#tab-chat .unread")).to_be_hidden()
    assert violations(bob) == []
    bob.reload()
    bob.wait_for_selector("body.ready")
    expect(bob.locator("#chat li[data-n]")).to_have_count(2)
    expect(bob.locator("#tab-chat .unread")).to_be_hidden()
    act(ann, "bid 12")  # what was said has made nothing stale
    expect(bob.locator("#prompt")).to_contain_text("Your turn")


def test_what_was_said_while_the_connection_was_lost_comes_later(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    table = opened(ann, server, [{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    come(bob, server, table["links"][1])
    bob.click("#tab-chat")
    bob.context.set_offline(True)
    for text in ("one", "two"):
        answer = ann.request.post(f"{server.address}/api/tables/{table['id']}/chat", data={"text": text})
        assert answer.ok
    bob.context.set_offline(False)
    bob.evaluate("dispatchEvent(new Event('online'))")
    expect(bob.locator("#chat li[data-n] span:not(.unseen)")).to_have_text(["one", "two"])


def test_notes_are_saved_and_private(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    table = opened(ann, server, [{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    come(bob, server, table["links"][1])
    for page in (sit(ann, server, table["page"]), bob):
        page.keyboard.press("Escape")
        page.click("#tab-chat")
        page.click("#notes summary")
        expect(page.get_by_label("My notes")).to_be_enabled()
    ann.get_by_label("My notes").fill("Bob bluffs.")
    expect(ann.locator("#notes output")).to_have_text("Saved")
    ann.reload()
    ann.wait_for_selector("body.ready")
    ann.click("#tab-chat")
    ann.click("#notes summary")
    expect(ann.get_by_label("My notes")).to_have_value("Bob bluffs.")
    expect(bob.get_by_label("My notes")).to_have_value("")


# A rematch, and forks


def test_a_rematch_is_one_press_for_everybody(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    record = (Path("tests/records/wabash") / "2-players-greedy.txt").read_text()
    seats = [{"name": "Ann"}, {"name": "Bob", "by": "link"}]
    table = ann.request.post(f"{server.address}/api/tables", data={"record": record, "seats": seats}).json()
    come(bob, server, table["links"][1])
    sit(ann, server, table["page"])
    ann.get_by_role("button", name="Rematch").click()
    ann.wait_for_url(lambda url: table["id"] not in url)
    ann.wait_for_selector("body.ready")
    bob.click("text=Rematch: join")
    bob.wait_for_url(ann.url)
    bob.wait_for_selector("body.ready")
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        expect(page.locator("#seats tr:has(.presence.you) th")).to_contain_text(name)
    expect(ann.get_by_text("Rematch: to the game before")).to_be_visible()


def test_who_vanished_belongs_to_the_same_people_again(person: Opener, server: Server) -> None:
    ann, bob = person(), person(width=390, height=844)
    record = (Path("tests/records/wabash") / "3-players-greedy.txt").read_text()
    seats = [{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"by": "bot", "level": "easy"}]
    pace = {"kind": "correspondence", "days": 4, "level": "hard"}
    request = {"record": record, "seats": seats, "time_control": pace}
    table = ann.request.post(f"{server.address}/api/tables", data=request).json()
    come(bob, server, table["links"][1])
    stand_in = f"{server.address}/api/tables/{table['id']}/seats/1"
    assert ann.request.post(stand_in, data={"level": "easy"}).ok
    sit(bob, server, table["page"])
    expect(bob.locator("#seat-1 .presence")).to_contain_text("a bot plays")
    expect(bob.locator("#standing-in")).to_be_hidden()  # there is nothing to play any more
    sit(ann, server, table["page"])
    ann.get_by_role("link", name="Same people, another game").click()
    form = ann.get_by_role("dialog", name="New table")
    expect(form.locator("li select")).to_have_count(3)
    assert [seat.input_value() for seat in form.locator("li select").all()] == ["me", "link", "bot medium"]
    expect(form.get_by_label("To decide")).to_have_value("correspondence")
    expect(form.locator("[name=days]")).to_have_value("4")
    expect(form.locator("[name=stand_in]")).to_have_value("hard")


def test_a_fork_says_where_it_comes_from_with_a_way_back(person: Opener, server: Server) -> None:
    ann = person()
    table = opened(ann, server, [{"name": "Ann"}, {"name": "Bob"}])
    sit(ann, server, table["page"])
    act(ann, "bid 12")
    fork = ann.request.post(f"{server.address}/api/tables", data={"fork": table["id"], "at": 1}).json()
    sit(ann, server, fork["page"])
    ann.click("text=From another table, move 1")
    ann.wait_for_url(f"**/t/{table['id']}#at=1")
    sit(ann, server, "/")
    expect(ann.locator(".own li").first).to_contain_text("from another table, move 1")


def test_own_tables_tell_players_date_progress_and_turn(person: Opener, server: Server) -> None:
    ann = person()
    table = opened(ann, server, [{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    sit(ann, server, table["page"])
    ann.keyboard.press("Escape")
    act(ann, "bid 12")
    sit(ann, server, "/")
    card = ann.locator(".own li").first
    for text in ("Wabash Cannonball", "Ann, Bob", "1 action", "Bob decides"):
        expect(card).to_contain_text(text)
    expect(card.locator("time")).to_be_visible()
