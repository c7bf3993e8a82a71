"""Order in the house in the browser: whoever bothers others at a table."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.serving import Server
from tests.browser.test_access import violations
from tests.browser.test_friends import opened, three


def test_somebody_is_muted_in_the_chat_and_heard_again(person: Opener, server: Server) -> None:
    ann, bob, cy, _ = three(person, server)
    for page in (ann, bob, cy):
        page.click("#tab-chat")
    bob.fill("#say input", "you play badly")
    bob.keyboard.press("Enter")
    line = ann.locator("#chat li", has_text="you play badly")
    line.get_by_role("button", name="about Bob").click()
    expect(ann.get_by_role("dialog", name="Bob")).to_be_visible()
    assert violations(ann) == []
    ann.get_by_role("button", name="Mute").click()
    expect(line).to_be_hidden()
    expect(ann.locator("#hidden-here")).to_contain_text("Bob is muted by you.")
    bob.fill("#say input", "very badly")
    bob.keyboard.press("Enter")
    expect(cy.locator("#chat")).to_contain_text("very badly")
    expect(ann.locator("#chat li", has_text="very badly")).to_be_attached()
    expect(ann.locator("#chat li", has_text="very badly")).to_be_hidden()
    ann.reload()
    ann.wait_for_selector("body.ready")
    ann.click("#tab-chat")
    expect(line).to_be_attached()
    expect(line).to_be_hidden()
    assert violations(ann) == []
    ann.get_by_role("button", name="Undo for Bob").click()
    expect(line).to_be_visible()
    expect(ann.locator("#hidden-here")).to_be_hidden()


def test_a_line_of_the_chat_is_reported(person: Opener, server: Server) -> None:
    ann, bob, _, table = three(person, server)
    ann.click("#tab-chat")
    bob.click("#tab-chat")
    bob.fill("#say input", "you play badly")
    bob.keyboard.press("Enter")
    ann.locator("#chat li").get_by_role("button", name="about Bob").click()
    ann.get_by_label("Why").fill("rude")
    with ann.expect_request("**/report") as asked:
        ann.get_by_role("button", name="Report").click()
    assert asked.value.post_data_json == {"line": 1, "reason": "rude"}
    expect(ann.locator("#note")).to_have_text("You have reported Bob to whoever runs this server.")
    assert asked.value.url == f"{server.address}/api/tables/{table['id']}/seats/1/report"


def test_the_host_removes_somebody_who_then_watches(person: Opener, server: Server) -> None:
    ann, bob, cy, _ = three(person, server)
    ann.click("#tab-more")
    expect(ann.locator("[data-place='0'] .about")).to_have_count(0)
    ann.locator("[data-place='1']").get_by_role("button", name="about Bob").click()
    with bob.expect_navigation():
        ann.get_by_role("button", name="Remove: a bot plays on").click()
    bob.wait_for_selector("body.ready")
    expect(bob.locator("#watching")).to_be_visible()
    expect(cy.locator("#chat .notice").first).to_have_text("The host has removed Bob from the table.")
    expect(ann.locator("[data-place='1'] .about")).to_be_hidden()
    cy.click("#tab-more")
    cy.locator("[data-place='0']").get_by_role("button", name="about Ann").click()
    expect(cy.get_by_role("dialog", name="Ann")).to_be_visible()
    expect(cy.get_by_role("button", name="Remove")).to_have_count(0)  # who is not host
    assert violations(cy) == []


def test_the_host_takes_a_seat_at_an_open_table_away(person: Opener, server: Server) -> None:
    ann, bob = person(), person()
    seats = [{"name": "Ann"}, {"by": "open"}, {"by": "open"}]
    id = opened(ann, server, seats)["id"]
    bob.request.post(f"{server.address}/api/lobby/{id}/join", data={"name": "Bob"})
    ann.goto(f"{server.address}/lobby/{id}")
    ann.wait_for_selector("body.ready")
    ann.get_by_role("button", name="Remove Bob").click()
    expect(ann.locator("#seats")).to_have_text("2 free seats")
    assert violations(ann) == []
