"""Where a game was decided, on the page: started at the end of a game, followed, and travelled through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import cuberails
from tests.browser.conftest import Opener
from tests.browser.test_access import violations
from tests.server.house import House, Person, served, short_record, until
from tests.server.judges import Judges

GAME = cuberails.read(short_record())
DECISIONS = sum(step.seat >= 0 for step in GAME.steps)


@pytest.fixture(scope="module")
def judges() -> Judges:
    return Judges()


@pytest.fixture(scope="module")
def house(judges: Judges, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose judges say what tests want."""
    with served(tmp_path_factory.mktemp("analysis") / "tables.db") as house:
        house.analyses._judges = judges
        yield house


def imported(house: House) -> str:
    person = Person(house.address)
    id: str = person.post("/api/tables", {"record": short_record()}, 201)["id"]
    person.http.close()
    return id


@pytest.fixture(scope="module")
def analysed(house: House, judges: Judges) -> str:
    """The address of the page of a game that was analysed."""
    id, person = imported(house), Person(house.address)
    person.post(f"/api/tables/{id}/analysis", {"budget": "quick"}, 202)
    judges.answer(DECISIONS)
    until(lambda: person.get(f"/api/tables/{id}/analysis/progress")["quick"]["state"] == "complete")
    person.http.close()
    return f"{house.address}/t/{id}/analysis"


def opened(page: Page, address: str) -> Page:
    """The page of an analysis, where the first turning point is shown."""
    page.goto(address)
    expect(page.locator("#said .label")).to_contain_text("turning point")
    return page


def test_the_button_at_the_end_leads_to_progress_and_that_to_the_chart(
    person: Opener, house: House, judges: Judges
) -> None:
    page = person()
    page.goto(f"{house.address}/t/{imported(house)}")
    page.get_by_role("button", name="Where was it decided?").click()
    bar = page.get_by_role("progressbar", name="Analysis")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    judges.answer(5)
    expect(bar).to_have_attribute("aria-valuenow", "5")
    expect(page.locator("#under-way")).to_contain_text("You can leave this page; it continues.")
    assert violations(page) == []
    judges.answer(DECISIONS - 5)
    expect(page.get_by_role("slider", name="Chances to win over time")).to_be_visible()
    expect(page.locator(".decisions li")).to_have_count(DECISIONS)
    expect(bar).to_have_count(0)
    expect(page.get_by_role("button", name="Search deeper")).to_be_visible()


def test_pressing_the_chart_shows_the_board_of_that_moment_beside_the_words(person: Opener, analysed: str) -> None:
    page = opened(person(), analysed)
    chart = page.locator("#chances svg:visible")
    box, width = chart.bounding_box(), chart.evaluate("svg => svg.viewBox.baseVal.width")
    assert box
    first, last = (float(chart.get_attribute(f"data-{name}") or 0) for name in ("from", "to"))
    at = DECISIONS // 2 + 1
    x = first + (last - first) * at / GAME.count
    page.mouse.click(box["x"] + box["width"] * x / width, box["y"] + box["height"] / 2)
    expect(page.locator("#when")).to_have_text(f"{at} of {GAME.count}")
    expect(page.locator(f"#d{at}")).to_have_attribute("aria-current", "step")
    step = GAME.steps[at]
    expect(page.locator("#said")).to_contain_text(f"{GAME.seats[step.seat]}: {step.action.text}")
    expect(page.locator("#asked-then")).to_contain_text(GAME.at(at).prompt)
    assert page.url.endswith(f"#at={at}")


def test_dragging_along_the_chart_travels_and_marks_no_text(person: Opener, analysed: str) -> None:
    page = opened(person(), analysed)
    box = page.locator("#chances svg:visible").bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] - 4, steps=4)
    page.mouse.up()
    expect(page.locator("#when")).to_have_text(f"0 of {GAME.count}")
    assert page.evaluate("getSelection().toString()") == ""


def test_a_link_to_a_moment_opens_there(person: Opener, analysed: str) -> None:
    page = person()
    page.goto(f"{analysed}#at=2")
    expect(page.locator("#when")).to_have_text(f"2 of {GAME.count}")
    expect(page.locator("#d2")).to_have_attribute("aria-current", "step")


def test_arrow_keys_go_through_the_decisions_that_are_wanted(person: Opener, analysed: str) -> None:
    page = opened(person(), analysed)
    turned = [int(at) for at in page.locator("[data-decisive]").evaluate_all("all => all.map(row => row.dataset.at)")]
    current = page.locator(".decisions [aria-current]")
    for key, at in (("ArrowRight", turned[1]), ("ArrowLeft", turned[0])):
        page.keyboard.press(key)
        expect(current).to_have_attribute("data-at", str(at))
    page.locator("#of-verdict").select_option(label="all")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(current).to_have_attribute("data-at", str(turned[0] + 1))
    page.locator("#of-seat").select_option(label="Bob")
    page.get_by_role("button", name="Next").click()
    expect(current).to_have_attribute("data-seat", "1")


def test_who_presses_faster_than_moments_come_skips_none(person: Opener, analysed: str) -> None:
    page = opened(person(), analysed)
    decisive = page.locator("[data-decisive]")
    third = decisive.nth(2).get_attribute("data-at")
    page.evaluate("() => { for (let n = 0; n < 2; n++) document.querySelector('[data-step=\"1\"]').click(); }")
    expect(page.locator(".decisions [aria-current]")).to_have_attribute("data-at", str(third))
    expect(page.locator("#when")).to_have_text(f"{third} of {GAME.count}")


def test_the_list_can_be_of_one_player_and_one_kind(person: Opener, analysed: str) -> None:
    page = opened(person(), analysed)
    rows = page.locator(".decisions li:visible:not([aria-current])")
    told = rows.evaluate_all("all => all.map(row => [row.dataset.verdict, row.querySelector('.sign').textContent])")
    assert {(verdict, sign.isalpha()) for verdict, sign in told} == {("turning point", False), ("best", True)}
    page.locator("#of-verdict").select_option(label="all")
    expect(page.locator(".decisions li:visible")).to_have_count(DECISIONS)
    page.locator("#of-seat").select_option(label="Cy")
    assert set(rows.evaluate_all("all => all.map(row => row.dataset.seat)")) == {"2"}


def test_it_can_be_tried_from_a_turning_point(person: Opener, analysed: str) -> None:
    page = opened(person(), analysed)
    at = int(page.locator(".decisions [aria-current]").get_attribute("data-at") or 0)
    page.get_by_role("button", name="Try it from here").click()
    page.wait_for_url(lambda url: "/analysis" not in url)
    page.wait_for_selector("body.ready")
    expect(page.locator("#moment")).to_have_attribute("max", str(at))
    expect(page.locator(".prompt.yours")).to_be_visible()


def test_the_page_leads_to_the_mistakes_of_each_player(person: Opener, analysed: str) -> None:
    page = opened(person(), analysed)
    name = page.locator('[data-verdict="turning point"] .head b').first.inner_text()
    page.get_by_role("link", name=f"mistakes of {name}").click()
    page.wait_for_url("**/mistakes/*")


def test_the_file_opens_without_any_network_and_asks_for_nothing(
    person: Opener, browser: Browser, analysed: str, tmp_path: Path
) -> None:
    page = opened(person(), analysed)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    download.value.save_as(tmp_path / "analysis.html")
    context = browser.new_context(offline=True, java_script_enabled=False)
    try:
        alone, asked = context.new_page(), []
        alone.on("request", lambda request: asked.append(request.url))
        alone.goto(f"file://{tmp_path}/analysis.html")
        pictures = alone.locator(".decisions img:visible")
        assert pictures.count() == alone.locator("[data-decisive]").count() > 1
        assert pictures.first.evaluate("picture => picture.naturalWidth") > 0
        assert {url.partition(":")[0] for url in asked} <= {"file", "data"}
        expect(alone.locator("#d2")).to_be_hidden()
        alone.locator("#chances svg:visible a[href='#d2']").click()
        expect(alone.locator("#d2 .more")).to_be_visible()
        alone.get_by_role("radio", name="Bob").check()
        seats = alone.locator(".decisions li:visible").evaluate_all("all => all.map(row => row.dataset.seat)")
        assert set(seats) == {"1"}
        alone.set_viewport_size({"width": 390, "height": 844})
        heights = alone.locator(".figures thead th").evaluate_all("all => all.map(cell => cell.offsetHeight)")
        assert max(heights) < 40  # no word is broken
        assert alone.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        context.close()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (820, 1180), (1440, 900)])
def test_the_page_has_no_violation_and_nothing_leaves_it(
    person: Opener, analysed: str, width: int, height: int
) -> None:
    page = person(width, height)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        opened(page, analysed)
        page.locator("#of-verdict").select_option(label="all")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#chances svg:visible").count() == 1
