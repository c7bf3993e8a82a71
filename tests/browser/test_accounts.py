"""Accounts on two devices: a passkey made on one signs in on the other, and the seats come along."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Opener
from tests.browser.player import open_title
from tests.browser.serving import Server
from tests.browser.test_access import violations
from tests.server.club.postbox import Postbox
from tests.server.house import served


class Authenticator:
    """What a phone or a key is to a browser: it makes passkeys and uses them, its owner agreeing."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
        options |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
        self._id = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]

    def keys(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._id})[
            "credentials"
        ]
        return found

    def take(self, keys: list[dict[str, Any]]) -> None:
        """Have keys of another device, as devices of one owner share them."""
        for key in keys:
            self._session.send("WebAuthn.addCredential", {"authenticatorId": self._id, "credential": key})

    def owner_refuses(self) -> None:
        self._session.send("WebAuthn.setUserVerified", {"authenticatorId": self._id, "isUserVerified": False})


@pytest.fixture
def home(server: Server) -> str:
    """The server by a name: an address of numbers has no passkeys."""
    return server.address.replace("127.0.0.1", "localhost")


def sign_up(page: Page, home: str, name: str) -> Authenticator:
    device = Authenticator(page)
    page.goto(f"{home}/sign-in")
    page.wait_for_selector("body.ready")
    page.get_by_label("Your name").fill(name)
    page.click("section:has(#new) >> text=Make an account")
    page.wait_for_url(f"{home}/")
    return device


def sign_in(page: Page, home: str, keys: list[dict[str, Any]]) -> None:
    Authenticator(page).take(keys)
    page.goto(f"{home}/sign-in")
    page.wait_for_selector("body.ready")
    page.click("text=Sign in with a passkey")
    page.wait_for_url(f"{home}/")


def own_page(page: Page, home: str) -> None:
    """From the head of a page to one's account."""
    page.click("a.me")
    page.wait_for_url(f"{home}/account")
    page.wait_for_selector("body.ready")


def test_a_password_never_stands_in_an_address_however_slowly_a_page_loads(browser: Browser, home: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{home}/sign-in")
    page.click("summary")
    page.get_by_label("Name", exact=True).fill("Dot in a hurry")
    page.get_by_label("Password").fill("typed before the scripts")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Password")).to_have_value("typed before the scripts")
    assert page.url == f"{home}/sign-in"
    page.context.close()


def test_a_passkey_of_one_device_signs_in_on_another_and_all_seats_are_there(person: Opener, home: str) -> None:
    phone, desk = person(390, 844), person()
    phone.goto(home)
    open_title(phone, "wabash")
    desk.goto(home)
    open_title(desk, "southern_rails")
    device = sign_up(phone, home, "Ann of two devices")
    expect(phone.locator(".own li")).to_have_count(1)
    expect(phone.locator("a.me")).to_contain_text("Ann of two devices")
    sign_in(desk, home, device.keys())
    expect(desk.locator(".own li")).to_have_count(2)
    phone.reload()
    expect(phone.locator(".own li")).to_have_count(2)
    desk.click(".own li:has-text('Wabash') a")
    desk.wait_for_selector("body.ready")
    expect(desk.locator("#watching")).to_be_hidden()
    expect(desk.locator("header a.me")).to_contain_text("Ann of two devices")


def test_who_signs_in_at_a_table_is_back_at_it(person: Opener, home: str) -> None:
    phone, desk = person(390, 844), person()
    device = sign_up(phone, home, "Ann who was at a table")
    desk.goto(home)
    open_title(desk, "wabash")
    table = desk.url
    Authenticator(desk).take(device.keys())
    desk.click("header >> text=Sign in")
    desk.wait_for_selector("body.ready")
    desk.click("text=Sign in with a passkey")
    desk.wait_for_url(table)
    expect(desk.locator("header a.me")).to_contain_text("Ann who was at a table")
    expect(desk.locator("#watching")).to_be_hidden()  # the seat came along


def test_a_device_that_was_signed_out_elsewhere_is_a_guest_at_once(person: Opener, home: str) -> None:
    phone, desk = person(390, 844), person()
    device = sign_up(phone, home, "Bob who lost his phone")
    open_title(phone, "wabash")
    sign_in(desk, home, device.keys())
    own_page(desk, home)
    expect(desk.locator("[data-list=devices] li")).to_have_count(2)
    desk.locator("[data-list=devices] li", has_not_text="this device").get_by_text("Sign out").click()
    expect(desk.locator("[data-told]")).to_contain_text("is signed out")
    expect(desk.locator("[data-list=devices] li")).to_have_count(1)
    expect(phone.locator("#watching")).to_be_visible(timeout=15_000)  # nobody has to load the page again
    phone.wait_for_selector("body.ready")
    phone.goto(home)
    expect(phone.locator("a.me")).to_have_text("Sign in")


def test_who_signs_out_plays_on_as_the_guest_they_were(person: Opener, home: str) -> None:
    page = person()
    page.goto(home)
    open_title(page, "wabash")
    Authenticator(page)
    page.goto(f"{home}/sign-in")
    page.wait_for_selector("body.ready")
    page.get_by_label("Bring along").uncheck()
    page.get_by_label("Your name").fill("Cy for a moment")
    page.click("section:has(#new) >> text=Make an account")
    page.wait_for_url(f"{home}/")
    expect(page.locator(".own li")).to_have_count(0)
    own_page(page, home)
    page.click("text=Sign out")
    page.wait_for_url(f"{home}/")
    expect(page.locator(".own li")).to_have_count(1)


def test_a_link_in_a_mail_signs_in_by_a_press_once(person: Opener, tmp_path: Path) -> None:
    postbox = Postbox()
    with served(tmp_path / "tables.db", **postbox.settings) as house:
        phone, desk = person(390, 844), person()
        phone.goto(f"{house.address}/sign-in")
        phone.wait_for_selector("body.ready")
        phone.fill("[type=email]", "ann@example.org")
        phone.keyboard.press("Enter")
        link = re.search(r"/sign-in/link#\S+", postbox.mail_to("ann@example.org").get_content())
        assert link
        asked: list[str] = []
        desk.on("request", lambda request: asked.append(f"{request.url} {request.headers.get('referer')}"))
        desk.goto(house.address + link[0])
        desk.wait_for_selector("body.ready")
        assert not [each for each in asked if link[0].rpartition(".")[2] in each]
        assert desk.url == f"{house.address}/sign-in/link"
        assert desk.request.get(f"{house.address}/api/account").status == 401
        assert violations(desk) == []
        desk.get_by_label("Your name").fill("Ann by mail")
        desk.click("text=Make the account")
        expect(desk.locator("a.me")).to_contain_text("Ann by mail")
        phone.goto(house.address + link[0])
        expect(phone.locator("[data-refusal]")).to_contain_text("each works once, for 15 minutes")
        for page in (phone, desk):
            page.goto("about:blank")
    postbox.close()


def test_an_owner_who_is_not_there_is_told_so(person: Opener, home: str) -> None:
    page = person()
    device = Authenticator(page)
    device.owner_refuses()
    page.goto(f"{home}/sign-in")
    page.get_by_label("Your name").fill("Di")
    page.click("section:has(#new) >> text=Make an account")
    expect(page.locator("[data-refusal]")).to_contain_text("No passkey was used")


def test_where_no_passkeys_are_possible_a_password_is_offered(person: Opener, server: Server) -> None:
    page = person(path="/sign-in")  # by numbers
    expect(page.get_by_text("Sign in with a passkey")).to_be_hidden()
    expect(page.get_by_text("Passkeys cannot be used at this address")).to_be_visible()
    page.fill("[data-password] [name=name]", "Eve without keys")
    page.fill("[data-password] [name=password]", "correct horse battery")
    page.click("[data-password] >> text=Make an account")
    page.wait_for_url(f"{server.address}/")
    expect(page.locator("a.me")).to_contain_text("Eve without keys")


def test_an_account_is_looked_after_on_its_page(person: Opener, home: str) -> None:
    page = person()
    sign_up(page, home, "Fay")
    own_page(page, home)
    page.get_by_label("As others see it").fill("Fay the Second")
    page.click("text=Change the name")
    expect(page.locator("h1")).to_have_text("Fay the Second")
    page.click("[data-list=passkeys] >> text=Remove")
    expect(page.locator("[data-refusal]")).to_contain_text("only way into the account")
    page.click("summary:has-text('Your data')")
    with page.expect_download() as download:
        page.click("text=Download everything")
    assert download.value.suggested_filename == "cuberails-account.json"
    page.get_by_label("Write the name").fill("Fay the Second")
    page.click("text=Delete the account")
    page.wait_for_url(f"{home}/")
    expect(page.locator("a.me")).to_have_text("Sign in")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_of_an_account_has_a_violation(person: Opener, home: str, scheme: str) -> None:
    page = person(390, 844)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    found = []
    for path in ("/sign-in", "/sign-in/link"):
        page.goto(home + path)
        page.wait_for_selector("body.ready")
        for summary in page.locator("summary").all():
            summary.click()
        found += violations(page)
    sign_up(page, home, f"Gus in the {scheme}")
    own_page(page, home)
    for summary in page.locator("summary").all():
        summary.click()
    for width in (390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        found += violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert found == []
