"""Being called, as people see it: the page with the ways, muted tables, the next table, and what a device shows."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.test_access import violations
from tests.server.club.conftest import calling_at_once
from tests.server.club.receiver import Receiver
from tests.server.club.test_push import Device
from tests.server.house import House

_SHOWN = """async (count) => {
    for (let tries = 0; tries < 3000; tries++) {
        const shown = await (await navigator.serviceWorker.getRegistration('/')).getNotifications();
        if (shown.length === count) return shown.map((each) => [each.title, each.body, each.data.path]);
        await new Promise((done) => setTimeout(done, 20));
    }
    return "never";
}"""
"""What a device shows, as soon as it shows so many messages."""

SEATS = [{"name": "Ann"}, {"name": "Bob", "by": "link"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with calling_at_once(tmp_path_factory.mktemp("house") / "house.db") as house:
        yield house


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def open_table(page: Page, server: House) -> str:
    """A table where Ann begins; its id."""
    request = {"title": "southern_rails", "seats": [*SEATS, {"by": "link"}], "seating": "listed"}
    return str(page.request.post(f"{server.address}/api/tables", data=request).json()["id"])


def test_a_webhook_is_added_tried_out_and_removed(person: Opener, receiver: Receiver) -> None:
    page = person(path="/notifications")
    page.select_option("[name=kind]", "json")
    page.get_by_label("Address of the webhook").fill("https://10.0.0.1/hook")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("alert")).to_contain_text("not on the public internet")
    page.get_by_label("Address of the webhook").fill(f"{receiver.url}/hook")
    page.get_by_role("button", name="Add").click()
    expect(page.locator("[data-secret] code")).to_contain_text("whsec_")
    page.get_by_role("button", name="Send a test to 127.0.0.1").click()
    expect(page.get_by_text("The test is on its way.")).to_be_visible()
    assert json.loads(receiver.wait_for(1)[0].body)["type"] == "cuberails.test"
    assert violations(page) == []
    receiver.status = 500
    page.get_by_role("button", name="Send a test to 127.0.0.1").click()
    expect(page.get_by_role("alert")).to_contain_text("it answered 500")
    page.get_by_role("button", name="Remove 127.0.0.1").click()
    expect(page.get_by_text("None so far.")).to_be_visible()


def test_mail_is_not_offered_where_the_server_sends_none(person: Opener) -> None:
    page = person(path="/notifications")
    expect(page.get_by_role("heading", name="On this device")).to_be_visible()
    assert page.get_by_text("e-mail").count() == 0


def test_a_table_is_muted_and_calls_again(person: Opener, server: House) -> None:
    page = person()
    id = open_table(page, server)
    page.goto(f"{server.address}/t/{id}")
    page.evaluate("document.querySelector('#invite').close()")
    page.click("#tab-more")
    page.get_by_label("Do not call me about this table").check()
    expect(page.get_by_text("This table does not call you any more.")).to_be_visible()
    page.goto(f"{server.address}/notifications")
    page.get_by_role("button", name="Call me again about Southern Rails").click()
    expect(page.get_by_role("heading", name="Tables that do not call you")).to_be_hidden()
    page.goto(f"{server.address}/t/{id}")
    page.evaluate("document.querySelector('#invite').close()")
    page.click("#tab-more")
    expect(page.get_by_label("Do not call me about this table")).not_to_be_checked()


def test_a_key_leads_to_the_table_that_has_waited_longest(person: Opener, server: House) -> None:
    page = person()
    oldest, _, here = (open_table(page, server) for _ in range(3))
    page.goto(f"{server.address}/t/{here}")
    page.wait_for_selector("body.ready")
    page.evaluate("document.querySelector('#invite').close()")
    page.locator("#viewport").focus()
    page.keyboard.press("n")
    page.wait_for_url(f"**/t/{oldest}")


def test_the_next_table_is_offered_as_soon_as_there_is_one(person: Opener, server: House) -> None:
    page = person()
    here = open_table(page, server)
    page.goto(f"{server.address}/t/{here}")
    page.wait_for_selector("body.ready")
    page.evaluate("document.querySelector('#invite').close()")
    expect(page.locator(".next")).to_be_hidden()
    other = open_table(page, server)
    page.locator("#choices button[data-action]").first.click()
    expect(page.locator(".next")).to_be_visible()
    assert (page.locator(".next").get_attribute("href") or "").endswith(other)


def test_a_device_shows_what_it_is_called_for(person: Opener, server: House) -> None:
    """The service worker gets a push from the browser itself: there is no push service in these tests."""
    page = person()
    page.context.grant_permissions(["notifications"], origin=server.address)
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    register = "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)"
    scope = page.evaluate(f"{register}.then((worker) => worker.scope)")
    assert scope == f"{server.address}/"
    id = open_table(page, server)
    words = {"heading": "Your turn: Wabash Cannonball", "text": "Bid $8 or more", "path": f"/t/{id}", "waiting": 2}
    push = {"origin": server.address, "registrationId": found[0], "data": json.dumps(words)}
    session.send("ServiceWorker.deliverPushMessage", push)
    assert page.evaluate(_SHOWN, 1) == [["Your turn: Wabash Cannonball", "Bid $8 or more", f"/t/{id}"]]
    page.goto(f"{server.address}/t/{id}")  # whoever has come needs it no more
    assert page.evaluate(_SHOWN, 0) == []


_PUSH_SERVICE = """
    let kept = OLD ? { unsubscribe: async () => (kept = null, true) } : null; // with another key
    PushManager.prototype.getSubscription = async () => kept;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        if (kept) throw new DOMException("There is one with another key.", "InvalidStateError");
        window.serverKey = applicationServerKey;
        kept = { unsubscribe: async () => (kept = null, true), toJSON: () => (SUBSCRIPTION) };
        return kept;
    };
"""
"""A push service for a browser that has none: its subscription leads to a receiver of the tests' own."""


@pytest.mark.parametrize("old", [False, True])
def test_a_device_is_switched_on_called_and_switched_off(
    person: Opener, server: House, receiver: Receiver, old: bool
) -> None:
    """Also where it was switched on before and the server has another secret since."""
    page, phone = person(), Device(receiver)
    subscription = {"endpoint": phone.subscription["target"], "keys": phone.subscription["keys"]}
    service = _PUSH_SERVICE.replace("OLD", str(old).lower()).replace("SUBSCRIPTION", json.dumps(subscription))
    page.context.add_init_script(service)
    page.context.grant_permissions(["notifications"], origin=server.address)
    page.goto(f"{server.address}/notifications")
    box = page.get_by_label("Call me on this device")
    box.check()
    expect(page.get_by_text("You are called on this device, also while no page is open.")).to_be_visible()
    expect(page.locator("#ways ~ .ways")).to_contain_text("Chrome on ")
    key = page.request.get(f"{server.address}/api/notifications").json()["push_key"]
    assert page.evaluate("serverKey") == key
    wanted = {"title": "wabash", "seats": [{"name": "Bob", "by": "link"}, {"name": "Ann"}], "seating": "listed"}
    table = page.request.post(f"{server.address}/api/tables", data=wanted).json()
    bob = person().request
    assert bob.post(server.address + table["links"][0]).ok
    bid = {"seat": 0, "seq": 0, "action": "bid 12"}
    assert bob.post(f"{server.address}/api/tables/{table['id']}/act", data=bid).ok
    (request,) = receiver.wait_for(1)
    assert phone.read(request)["heading"] == "Your turn: Wabash Cannonball"
    box.uncheck()
    expect(page.get_by_text("None so far.")).to_be_visible()
    assert page.request.get(f"{server.address}/api/notifications").json()["ways"] == []


_RENEW = """async (subscription) => {
    PushManager.prototype.subscribe = async (options) => {
        if (!options.userVisibleOnly || !options.applicationServerKey) throw new TypeError("no key");
        return { toJSON: () => subscription };
    };
    await renew(new Event("pushsubscriptionchange"));
}"""
"""What happens when the browser gives its device another address, and says neither which nor what it was before."""


def test_a_device_that_gets_another_address_is_called_there(person: Opener, server: House, receiver: Receiver) -> None:
    page, phone = person(), Device(receiver)
    with page.context.expect_event("serviceworker") as started:
        page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)")
    subscription = {"endpoint": phone.subscription["target"], "keys": phone.subscription["keys"]}
    started.value.evaluate(_RENEW, subscription)
    (way,) = page.request.get(f"{server.address}/api/notifications").json()["ways"]
    assert page.request.post(f"{server.address}/api/notifications/{way['id']}/test", data={}).ok
    assert phone.read(receiver.wait_for(1)[0])["heading"] == "cuberails: a test"


def test_the_app_can_be_installed(person: Opener, server: House) -> None:
    page = person()
    manifest = page.request.get(f"{server.address}/manifest.webmanifest").json()
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    for icon in manifest["icons"]:
        assert page.request.get(server.address + icon["src"]).ok
    errors = page.context.new_cdp_session(page).send("Page.getAppManifest")["errors"]
    assert errors == []
