"""The pages for admins in the browser: what was reported leads to a ban, another name, and a table that is gone."""

from __future__ import annotations

import sqlite3

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.serving import Server
from tests.browser.test_access import violations
from tests.browser.test_friends import opened, three
from tests.cli.calling import says

WIDTHS = (390, 820, 1440)


def admin(person: Opener, server: Server, capsys: pytest.CaptureFixture[str], name: str, width: int = 1440) -> Page:
    """Somebody with an account whom the command has made an admin."""
    page = person(width, 844)
    page.request.post(
        f"{server.address}/api/account/password/sign-up", data={"name": name, "password": "a long password"}
    )
    says(capsys, "admin", "grant", name, "--data", str(server.file))
    page.goto(f"{server.address}/account")
    page.click("text=Order in the house")
    page.wait_for_selector("body.ready")
    return page


def seen(page: Page) -> list[str]:
    """What is wrong with a page at any width."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        found += violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_leads_to_another_name_and_a_ban(
    person: Opener, server: Server, capsys: pytest.CaptureFixture[str], scheme: str
) -> None:
    ann, bob, _, _ = three(person, server)
    ada = admin(person, server, capsys, f"Ada in the {scheme}")
    ada.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for page in (ann, bob):
        page.click("#tab-chat")
    words = f"you play badly in the {scheme}"
    bob.fill("#say input", words)
    bob.keyboard.press("Enter")
    ann.locator("#chat li").get_by_role("button", name="about Bob").click()
    ann.get_by_label("Why").fill("rude")
    ann.get_by_role("button", name="Report").click()
    expect(ann.locator("#note")).to_contain_text("You have reported Bob")
    ada.reload()
    case = ada.locator(".cases li", has_text=words)
    expect(case).to_contain_text("“rude”, reported by Ann")
    assert seen(ada) == []

    case.get_by_role("button", name="Change the name").click()
    assert violations(ada) == []
    ada.get_by_label("New name").fill(f"Bobby {scheme}")
    ada.get_by_role("dialog").get_by_role("button", name="Change the name").click()
    expect(ada.locator("[data-told]")).to_have_text(f"Bob is called Bobby {scheme} now.")
    expect(ann.locator("#seats")).to_contain_text(f"Bobby {scheme}")

    case.get_by_role("button", name="Ban").click()
    ada.get_by_label("Why").fill("insults")
    ada.get_by_label("How long").select_option("for a week")
    assert violations(ada) == []
    ada.get_by_role("button", name="Cancel").click()
    expect(ada.get_by_role("dialog")).to_be_hidden()
    case.get_by_role("button", name="Ban").click()
    ada.get_by_label("How long").select_option("for a week")
    ada.get_by_label("Why").fill("insults")
    ada.get_by_role("dialog").get_by_role("button", name="Ban").click()
    expect(ada.locator("[data-told]")).to_contain_text("is banned")
    bob.fill("#say input", "what?")
    bob.keyboard.press("Enter")
    expect(bob.locator("#refusal")).to_contain_text("You were banned from this server until")
    case.get_by_role("button", name="I have dealt with it").click()
    expect(ada.locator("details summary")).to_contain_text("Dealt with")

    for part in ("People", "Tables", "Bans", "Log"):
        ada.get_by_role("link", name=part, exact=True).click()
        expect(ada.get_by_role("link", name=part, exact=True)).to_have_attribute("aria-current", "page")
        ada.wait_for_selector("body.ready")
        assert seen(ada) == []
    expect(ada.locator(".cases").first).to_contain_text("dealt with a report of Bob")
    ada.get_by_role("link", name="Bans", exact=True).click()
    ada.locator(".cases li", has_text=f"Bobby {scheme}").get_by_role("button", name="Lift the ban").click()
    expect(ada.locator("[data-told]")).to_contain_text("can take part again")


def test_a_table_is_found_by_a_name_and_deleted_while_people_are_there(
    person: Opener, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, _, _, table = three(person, server)
    ada = admin(person, server, capsys, "Ada on a phone", 390)
    ada.get_by_role("link", name="Tables", exact=True).click()
    ada.get_by_label("A name, or a table").fill(table["id"])
    ada.keyboard.press("Enter")
    expect(ada.locator(".cases li")).to_have_count(1)
    ada.get_by_role("button", name="Delete…").click()
    assert violations(ada) == []
    ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(ada.locator("[data-told]")).to_contain_text("is deleted")
    expect(ada.locator(".cases")).to_contain_text("No table fits that.")
    expect(ann.locator("main")).to_contain_text("There is no such table")


def test_somebody_is_deleted_only_by_their_name_and_nobody_else_finds_the_page(
    person: Opener, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    eve = person()
    eve.request.post(
        f"{server.address}/api/account/password/sign-up", data={"name": "Eve <b>", "password": "a long password"}
    )
    eve.goto(f"{server.address}/admin")
    expect(eve.locator("main")).to_contain_text("Only admins of this server can do that")
    ada = admin(person, server, capsys, "Ada who deletes")
    ada.get_by_role("link", name="People", exact=True).click()
    ada.get_by_label("A name").fill("eve")
    ada.keyboard.press("Enter")
    ada.get_by_role("button", name="Delete… Eve <b>").click()
    ada.get_by_label("Write their name").fill("Eve")
    ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(ada.locator("[data-refusal]")).to_contain_text("Write the name, Eve <b>")
    ada.get_by_role("button", name="Delete… Eve <b>").click()
    ada.get_by_label("Write their name").fill("Eve <b>")
    ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(ada.locator("[data-told]")).to_contain_text("Nothing remains of Eve <b>")
    eve.goto(server.address)
    expect(eve.locator("a.me")).to_have_text("Sign in")
    with sqlite3.connect(server.file) as database:
        assert database.execute("SELECT count(*) FROM accounts WHERE name = 'Eve <b>'").fetchone() == (0,)


def test_a_name_is_reported_where_people_wait(
    person: Opener, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = person(390, 844), person()
    free = [{"by": "open"}, {"by": "open"}]
    table = opened(ann, server, [{"name": "Ann"}, *free])
    bob.request.post(f"{server.address}/api/lobby/{table['id']}/join", data={"name": "Rude <b>words"})
    ann.goto(f"{server.address}/lobby/{table['id']}")
    ann.wait_for_selector("body.ready")
    ann.get_by_role("button", name="Report… Rude <b>words").click()
    assert violations(ann) == []
    ann.get_by_label("Why").fill("the name")
    ann.get_by_role("dialog").get_by_role("button", name="Report").click()
    expect(ann.locator("[data-told]")).to_contain_text("You have reported Rude <b>words")
    ada = admin(person, server, capsys, "Ada of the room", 390)
    case = ada.locator(".cases li", has_text="Rude <b>words")
    expect(case).to_contain_text("“the name”, reported by Ann")
    case.get_by_role("button", name="Change the name").click()
    ada.get_by_label("New name").fill("Bob the waiting")
    ada.get_by_role("dialog").get_by_role("button", name="Change the name").click()
    expect(ann.locator(".places")).to_contain_text("Bob the waiting")
