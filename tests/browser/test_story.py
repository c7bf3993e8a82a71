"""The table tells what happened: since the own move, on cards, by marks, and at a pace that one can follow."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.conftest import Opener
from tests.browser.player import count, follow, open_with_bots, wait_beyond, wait_for_turn
from tests.browser.serving import Server
from tests.browser.test_access import violations

RECORDS = Path(__file__).parent.parent / "records"
SIZES = [(390, 844), (820, 1180), (1366, 700), (1440, 900), (1920, 1080)]


def at(page: Page, record: str, moment: int | None) -> None:
    """A table from a moment of a recorded game, as the person who decides; from its end without one."""
    text = (RECORDS / f"{record}.txt").read_text()
    opened = page.evaluate(
        """async (request) => (await fetch('/api/tables', {
            method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(request)
        })).json()""",
        {"record": text, **({} if moment is None else {"at": moment})},
    )
    page.goto(page.url.split("/t/")[0].rstrip("/") + opened["page"])
    page.wait_for_selector("body.ready")


def shown(page: Page) -> int:
    """The moment that is shown."""
    return int(page.locator("#moment").input_value())


# Since your move


def test_the_last_turns_stand_under_the_prompt_and_lead_to_their_moments(person: Opener) -> None:
    page = person()
    at(page, "wabash/4-players-greedy", 126)
    lines = page.locator("#since .turns a")
    expect(page.locator("#since h2")).to_have_text("Since your move")
    expect(lines).to_have_text(
        [
            re.compile("Ann develops N6 Cumberland; income 11 → 12"),
            re.compile("Bob: PA builds in H5, M4 Altoona and K6; income 24 → 26"),
            re.compile("Cleo develops O4 Harrisburg; General dividend"),
        ]
    )
    expect(lines.nth(1).locator(".chip")).to_have_text("P")
    lines.nth(1).click()
    expect(page.locator("#when")).to_have_text("125 of 126")
    expect(page.locator("#since a.here")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#when")).to_have_text("now")


def test_the_strip_goes_when_one_acts(person: Opener) -> None:
    page = person(pace="slow")
    at(page, "wabash/4-players-greedy", 126)
    expect(page.locator("#since")).to_be_visible()
    before = count(page)
    page.locator("#choices [data-action]").first.click()
    wait_beyond(page, before)
    expect(page.locator("#since")).to_be_hidden()


def test_a_long_stretch_is_told_by_railroad_and_can_be_unfolded(person: Opener) -> None:
    page = person()
    at(page, "baltimore_ohio/4-players-greedy", 147)
    assert 3 <= page.locator("#since .turns li").count() <= 6
    expect(page.locator("#since .turns")).to_contain_text("NYC buys equipment #11 for $200, builds in G24 Philadelphia")
    steps = int(re.findall(r"\d+", page.locator("#since summary").inner_text())[0])
    page.locator("#since summary").click()
    expect(page.locator("#since .every li")).to_have_count(steps)


def test_who_passed_is_told_why_the_question_comes_again(person: Opener) -> None:
    page = person()
    at(page, "baltimore_ohio/3-players-greedy", 62)
    expect(page.locator("#since .again")).to_have_text("You passed; Cleo and Ann acted since, so you are asked again.")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_strip_fits_at_every_width(person: Opener, width: int, height: int) -> None:
    page = person(width, height)
    at(page, "baltimore_ohio/4-players-greedy", 147)
    expect(page.locator("#since .turns")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#since").evaluate("node => node.scrollWidth <= node.clientWidth + 1")


# Cards


def test_a_scoring_round_is_a_card_with_who_got_what(person: Opener) -> None:
    page = person()
    at(page, "southern_rails/4-players-greedy", 46)
    card = page.locator("#cards .card")
    expect(card.locator("h2")).to_contain_text("Scoring round")
    expect(card.locator("thead th")).to_have_text(["Ann", "Bob", "Cleo", "Dan"])
    revenue = card.locator("tr", has_text="Highest revenue")
    expect(revenue.locator("td")).to_have_text(["2", "2", "2", "–"])
    expect(card.locator(".total td")).to_have_text(["5", "6", "5", "2"])


def test_a_category_without_points_says_so(person: Opener) -> None:
    page = person()
    at(page, "southern_rails/4-players-greedy", 63)
    tied = page.locator("#cards tr", has_text="Most red cities")
    expect(tied).to_have_text("Most red cities: purple and green tie at 2, so no points")


def test_one_press_or_key_puts_a_card_away_for_good(person: Opener) -> None:
    page = person()
    at(page, "wabash/4-players-greedy", 126)
    card = page.locator("#cards .card")
    expect(card).to_contain_text("PA pays $9 a share")
    page.reload()  # it comes back until it is put away
    expect(card).to_be_visible()
    page.keyboard.press("x")
    expect(card).to_have_count(0)
    page.reload()
    page.wait_for_selector("body.ready")
    expect(card).to_have_count(0)


def test_several_cards_are_stacked_and_dismissed_one_by_one(person: Opener) -> None:
    page = person()
    at(page, "baltimore_ohio/4-players-greedy", 147)
    card = page.locator("#cards .card")
    expect(card).to_have_count(1)
    more = int(re.findall(r"\+(\d+) more", card.inner_text())[0])
    headings = []
    for left in range(more, -1, -1):
        expect(card.locator("footer span")).to_have_text([f"+{left} more"] if left else [])
        headings.append(card.locator("h2").inner_text())
        card.locator("header button").click()
    expect(card).to_have_count(0)
    assert any("Technology level 3" in heading for heading in headings)
    assert any("Market Round" in heading for heading in headings)


def test_all_cards_can_be_read_again(person: Opener) -> None:
    page = person()
    at(page, "southern_rails/4-players-greedy", None)
    if not page.locator("[data-do=events]").is_visible():
        page.click("#tab-log")
    page.click("[data-do=events]")
    entries = page.locator("#events li")
    expect(entries.locator("h3")).to_contain_text(["The game ends", "Scoring round", "Scoring round", "Scoring round"])
    entries.last.locator("a").click()
    expect(page.locator("#when")).to_have_text(re.compile(r"29 of \d+"))


@pytest.mark.parametrize(
    ("key", "moment"),
    [("wabash", 126), ("gmo", 42), ("baltimore_ohio", 460), ("credit_mobilier", 302)],
)
def test_a_card_covers_nothing_that_can_be_chosen(person: Opener, key: str, moment: int) -> None:
    """Wherever the card of the last turns lies, every place that can be chosen can be pressed."""
    for width, height in ((1366, 700), (820, 1180)):
        page = person(width, height)
        at(page, f"{key}/4-players-greedy", moment)
        expect(page.locator("#cards .card")).to_have_count(1)
        covered = """() => {
            const card = document.querySelector('#cards .card').getBoundingClientRect();
            return [...document.querySelectorAll('#board .target')].filter((target) => {
                const { left, right, top, bottom } = target.getBoundingClientRect();
                return left < card.right && right > card.left && top < card.bottom && bottom > card.top;
            }).map((target) => target.id);
        }"""
        assert page.locator("#board .target").count() > 1
        assert page.evaluate(covered) == []


# Marks


def test_what_is_new_stays_marked_until_one_acts(person: Opener) -> None:
    page = person(pace="slow")
    at(page, "wabash/4-players-greedy", 126)
    expect(page.locator("#board .ring")).to_have_count(5)  # PA has built three times, and two hexes were developed
    rings = page.locator("#board .tile:has(.ring)").evaluate_all("nodes => nodes.map(node => node.id).sort()")
    assert rings == ["hex-H5", "hex-K6", "hex-M4", "hex-N6", "hex-O4"]
    income = page.locator("#company-PA [data-fact=Income]")
    expect(income).to_have_attribute("data-delta", "+3")
    page.locator("[data-time=back]").click()
    expect(page.locator(".ring")).to_have_count(0)
    page.click("[data-time=now]")
    expect(page.locator("#board .ring")).to_have_count(5)
    before = count(page)
    page.locator("#choices [data-action]").first.click()
    wait_beyond(page, before)
    expect(page.locator("[data-delta='+3']")).to_have_count(0)


def test_marks_survive_that_a_part_is_drawn_again(person: Opener) -> None:
    """The bots act one after the other; at the next decision everything since then is marked."""
    page = person()
    open_with_bots(page, "southern_rails", "greedy")
    rng = Random(3)
    for _ in range(6):
        assert wait_for_turn(page)
        before = count(page)
        follow(page, rng)
        wait_beyond(page, before)
    assert wait_for_turn(page)
    built = page.locator("#since .turns", has_text="places").locator("li", has_text="places").count()
    expect(page.locator("#board .ring")).to_have_count(built)


def test_however_quickly_news_comes_the_page_asks_for_one_moment_at_a_time(person: Opener, server: Server) -> None:
    """Each of the three at this screen acted last at another moment. The page must not line up requests for them all:
    what a player does would wait behind."""
    page = person()
    seats = [{"name": name} for name in ("Ann", "Bob", "Cleo")]
    answer = page.request.post(f"{server.address}/api/tables", data={"title": "wabash", "seats": seats})
    id = answer.json()["id"]
    held: list[Route] = []
    page.route("**/at/1", lambda route: held.append(route))
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/at/" in request.url:
            asked.append(request.url.rpartition("/at/")[2])

    page.on("request", note)
    page.goto(f"{server.address}/t/{id}")
    page.wait_for_selector("body.ready")
    for n in range(8):
        data = {"seat": n % 3, "seq": n, "action": f"bid {n + 7}"}
        assert page.request.post(f"{server.address}/api/tables/{id}/act", data=data).ok
        wait_beyond(page, n)
    assert asked == ["1"]
    with page.expect_response("**/at/6"):  # when Cleo, who decides now, acted last
        held[0].continue_()
    assert asked == ["1", "6"]


# Motion

COUNT_ANIMATIONS = """
window.moved = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...rest) { window.moved += 1; return animate.apply(this, rest); };
"""


@pytest.mark.parametrize("wanted", [True, False])
def test_pieces_move_only_for_those_who_want_motion(person: Opener, wanted: bool) -> None:
    page = person()
    page.emulate_media(reduced_motion="no-preference" if wanted else "reduce")
    page.add_init_script(COUNT_ANIMATIONS)
    open_with_bots(page, "southern_rails", "random")
    rng = Random(5)
    for _ in range(5):
        assert wait_for_turn(page)
        before = count(page)
        follow(page, rng)
        wait_beyond(page, before)
    assert wait_for_turn(page)
    assert (page.evaluate("window.moved") > 0) == wanted


# Pace


def held_after_own_action(page: Page) -> int:
    """Pause, act, and wait until the others have acted too; how many actions are shown."""
    assert wait_for_turn(page)
    page.click("[data-pace=play]")
    before = count(page)
    page.locator("#choices [data-action]").first.click()
    wait_beyond(page, before)
    page.wait_for_selector("body.behind")
    return before + 1


def test_a_pause_holds_the_others_and_a_step_shows_the_next(person: Opener) -> None:
    page = person()
    open_with_bots(page, "southern_rails", "random")
    own = held_after_own_action(page)
    assert count(page) == own
    expect(page.locator("[data-pace=play]")).to_have_attribute("aria-label", "Continue")
    page.keyboard.press(".")
    assert count(page) == own + 1
    page.click("[data-pace=play]")
    assert wait_for_turn(page)
    expect(page.locator("body.behind")).to_have_count(0)
    assert count(page) > own + 1


def test_what_others_do_comes_step_by_step_and_a_key_shows_it_at_once(person: Opener) -> None:
    page = person(pace="slow")
    open_with_bots(page, "southern_rails", "random")
    assert wait_for_turn(page)
    before = count(page)
    page.evaluate(
        """() => {
            window.counts = [];
            const slider = document.querySelector('#moment');
            const watch = new MutationObserver(() => window.counts.push(Number(slider.max)));
            watch.observe(slider, {attributes: true, attributeFilter: ['max']});
        }"""
    )
    page.locator("#choices [data-action]").first.click()
    wait_beyond(page, before)
    page.wait_for_selector("body.behind")
    page.keyboard.press("Enter")
    expect(page.locator("body.behind")).to_have_count(0)
    assert wait_for_turn(page)
    shown = [each for each in page.evaluate("window.counts") if each != before]
    assert shown[0] == before + 1  # the own action first, and alone


def test_bots_among_themselves_can_be_watched_step_by_step(person: Opener) -> None:
    page = person(pace="normal")
    page.click("[data-watch=southern_rails]")
    page.wait_for_selector("body.ready main.table")
    page.click("[data-pace=play]")
    expect(page.locator("[data-pace=play]")).to_have_attribute("aria-label", "Continue")
    page.wait_for_selector("body.behind")
    held = count(page)
    page.click("[data-pace=step]")
    assert count(page) == held + 1
    page.wait_for_selector("body.behind")
    page.keyboard.press("p")
    wait_beyond(page, held + 1)
    assert page.locator("#log li").count() > 0


def test_the_pace_is_remembered(person: Opener) -> None:
    page = person()
    open_with_bots(page, "southern_rails", "random")
    page.select_option("#pace", "slow")
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.locator("#pace")).to_have_value("slow")


def test_a_finished_game_can_be_played_again_like_a_film(person: Opener) -> None:
    page = person()
    at(page, "wabash/2-players-greedy", None)
    play = page.locator("[data-pace=play]")
    expect(play).to_have_attribute("aria-label", "Play")
    play.click()
    expect(page.locator("#when")).to_have_text(re.compile(r"^[3-9] of"))
    page.keyboard.press("p")
    expect(play).to_have_attribute("aria-label", "Play")
    stopped = shown(page)
    page.click("[data-pace=step]")
    expect(page.locator("#when")).to_have_text(re.compile(rf"^{stopped + 1} of|^{stopped + 2} of"))
    page.locator("#moment").fill(str(count(page) - 2))
    expect(page.locator("#when")).to_have_text(re.compile(rf"^{count(page) - 2} of"))
    play.click()
    expect(page.locator("#when")).to_have_text("now")
    expect(play).to_have_attribute("aria-label", "Play")


# Going back


def place(slider: Locator) -> tuple[float, float]:
    """From where to where it reaches."""
    box = slider.bounding_box()
    assert box is not None
    return box["x"], box["width"]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_slider_never_changes_its_size_and_tells_the_moment(person: Opener, width: int, height: int) -> None:
    page = person(width, height)
    at(page, "wabash/4-players-greedy", 126)
    slider = page.locator("#moment")
    before = place(slider)
    slider.fill("125")
    expect(page.locator("#then")).to_have_text("PA builds in K6 for $4; income 25 → 26")
    assert place(slider) == before
    slider.fill("0")
    expect(page.locator("#then")).to_have_text("The start of the game")
    assert place(slider) == before
    page.keyboard.press("Escape")
    expect(page.locator("#past")).to_be_hidden()
    assert place(slider) == before


def test_the_table_as_text_is_that_of_the_moment(person: Opener) -> None:
    page = person()
    at(page, "wabash/4-players-greedy", 126)
    page.click("#tab-more")
    page.click("#words summary")
    expect(page.locator("#words pre")).to_contain_text("PA")
    now = page.locator("#words pre").inner_text()
    page.locator("#moment").fill("10")
    expect(page.locator("#words pre")).not_to_have_text(now)
    page.keyboard.press("Escape")
    expect(page.locator("#words pre")).to_have_text(now)


# For everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("record", "moment"),
    [
        ("wabash/4-players-greedy", 126),
        ("southern_rails/4-players-greedy", 63),
        ("baltimore_ohio/4-players-greedy", 147),
    ],
)
def test_what_is_told_has_no_violation(person: Opener, record: str, moment: int, scheme: str) -> None:
    page = person()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    at(page, record, moment)
    expect(page.locator(".changed").first).to_be_attached()
    for summary in page.locator("#since summary").all():
        summary.click()
    assert violations(page) == []
    page.click("[data-do=events]")
    expect(page.locator("#events li").first).to_be_visible()
    assert violations(page) == []
