"""The table in a real browser: played, left, taken back, looked at in the past, by mouse and by keyboard."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import cuberails
from cuberails.bots import LEVELS
from cuberails.server.pages import RECENT
from tests.browser.conftest import Opener
from tests.browser.player import (
    count,
    follow,
    is_over,
    open_title,
    open_with_bots,
    play,
    take_seat,
    wait_beyond,
    wait_for_turn,
)
from tests.browser.serving import Server
from tests.server.house import SLOW, hall, opened


def test_two_clicks_lead_from_the_home_page_to_a_game_in_play(person: Opener) -> None:
    page = person(new=True)
    open_title(page, "wabash")  # the first click
    assert wait_for_turn(page)
    before = count(page)
    page.locator("#choices button.main").click()  # the second: a bid
    wait_beyond(page, before)
    expect(page.locator("#log")).to_contain_text("Player bids $7 for PA")


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_a_whole_game_can_be_clicked_to_its_end(person: Opener, key: str) -> None:
    page = person()
    open_with_bots(page, key, "random" if key in ("gmo", "baltimore_ohio") else "greedy")
    play(page, Random(key), 700)
    assert is_over(page)
    expect(page.locator("#prompt")).to_contain_text("The game is over.")
    expect(page.locator("#course .standings li")).to_have_count(3)
    expect(page.locator("#course svg.chart")).to_be_visible()
    assert page.locator("#board .target").count() == 0


def test_everything_legal_is_offered_and_everything_offered_is_legal(person: Opener) -> None:
    page = person()
    open_title(page, "southern_rails")
    rng = Random(1)
    for _ in range(12):
        assert wait_for_turn(page)
        assert offered(page) == legal(page)
        before = count(page)
        follow(page, rng)
        wait_beyond(page, before)


def test_what_is_picked_word_by_word_is_all_that_is_legal(person: Opener) -> None:
    page = person()
    open_title(page, "baltimore_ohio")
    assert wait_for_turn(page)
    found = {str(button.get_attribute("data-action")) for button in page.locator("#choices [data-action]").all()}
    assert found <= legal(page)
    for railroad in page.locator("#choices [data-opens]").all():
        railroad.click()
        found |= picked(page, 0)
        page.keyboard.press("Escape")
    assert found == legal(page)


def picked(page: Page, level: int) -> set[str]:
    """Every action that is offered beside a railroad, or that the lists there can be set to, from one list on."""
    lists = page.locator("#chooser .picker select")
    if level == lists.count():
        return {str(button.get_attribute("data-action")) for button in page.locator("#chooser [data-action]").all()}
    found: set[str] = set()
    for value in lists.nth(level).locator("option").all_text_contents():
        lists.nth(level).select_option(value)
        found |= picked(page, level + 1)
    return found


def offered(page: Page) -> set[str]:
    """The actions behind buttons and highlighted places."""
    found: list[str] = page.eval_on_selector_all("#choices [data-action]", "all => all.map(b => b.dataset.action)")
    return set(found)


def legal(page: Page) -> set[str]:
    """What the server says."""
    id = page.url.rsplit("/", 1)[-1]
    answer = page.request.get(f"{page.url.split('/t/')[0]}/api/tables/{id}").json()
    return set(answer["legal"])


def test_a_place_tells_what_it_brings_before_it_is_chosen(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    while not page.locator("#board .target").count():
        assert wait_for_turn(page)
        before = count(page)
        expand = page.locator("#choices [data-action^='expand ']:not([data-action='expand nothing'])")
        (expand.first if expand.count() else page.locator("#choices button:not(.step):visible").first).click()
        wait_beyond(page, before)
        wait_for_turn(page)
    expect(page.locator("#choices [data-action^='build '] small").first).to_contain_text("$")
    page.locator("#board .target .aim").first.hover(force=True)
    expect(page.locator("#effect")).to_contain_text("Treasury $")
    expect(page.locator("#effect")).to_contain_text("income")


def test_a_bid_tells_what_the_share_pays_and_what_is_left(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    wait_for_turn(page)
    page.fill("#choices input.amount", "9")
    expect(page.locator("#effect")).to_contain_text("Player takes a share of PA for $9")
    expect(page.locator("#effect")).to_contain_text("Player: Cash $40 → $31")


def test_a_hint_tells_what_a_bot_would_do_and_what_that_brings(person: Opener) -> None:
    page = person()
    open_title(page, "southern_rails")
    wait_for_turn(page)
    hint = page.locator("[data-do=hint]")
    asked: list[Route] = []
    page.route("**/hint", lambda route: asked.append(route))  # a bot that takes its time
    with page.expect_request("**/hint"):
        hint.click()  # waits until the page stands still; a key pressed here went unheard now and then
    expect(hint).to_have_attribute("aria-busy", "true")
    expect(page.locator("#ideas")).to_contain_text("A strong bot is thinking about it")
    page.keyboard.press("h")
    hint.click(force=True)
    page.evaluate("() => fetch('/health').then(answer => answer.text())")  # what it asked for before is known by now
    assert len(asked) == 1
    asked[0].continue_()
    ideas = page.locator("#ideas li")
    expect(ideas).to_have_count(3, timeout=30_000)
    expect(hint).to_have_attribute("aria-busy", "false")
    for idea in ideas.all():
        sentence = idea.text_content() or ""
        assert re.search(r"Take \w+.* wins <?\d+% .*Medium 2 <?\d+%, Medium 3 <?\d+%.*\.$", sentence), sentence
    expect(page.locator("#choices button.idea")).to_have_count(3)
    ideas.first.locator("button").hover()
    expect(page.locator("#effect")).to_contain_text("takes a share of")
    before = count(page)
    ideas.first.locator("button").click()
    wait_beyond(page, before)
    expect(page.locator("#ideas")).to_be_hidden()
    wait_for_turn(page)
    with page.expect_request("**/hint"):
        page.keyboard.press("h")


def play_until_places(page: Page) -> None:
    """Take the first of the choices until there are some on the board."""
    while not page.locator("#board .target").count():
        assert wait_for_turn(page)
        before = count(page)
        page.keyboard.press("1")
        wait_beyond(page, before)
        wait_for_turn(page)


def test_a_hint_marks_its_places_on_the_board(person: Opener) -> None:
    page = person()
    open_with_bots(page, "southern_rails", "random")
    play_until_places(page)
    page.click("[data-do=hint]")
    expect(page.locator("#ideas li")).to_have_count(3, timeout=30_000)
    wanted = page.eval_on_selector_all("#ideas button", "all => all.map(b => b.dataset.action.split(' ').at(-1))")
    marked = page.eval_on_selector_all("#board .target.idea", "all => all.map(node => node.id.slice(4))")
    assert set(marked) == set(wanted)


def test_whose_turn_it_is_is_marked_now_and_then(person: Opener) -> None:
    page = person()
    host_a_game(page)
    deciding = page.locator(".seat.deciding")
    expect(deciding).to_have_attribute("id", "seat-0")
    page.click("#choices .main")
    wait_beyond(page, 0)
    expect(deciding).to_have_attribute("id", "seat-1")
    page.click("[data-time=first]")
    expect(deciding).to_have_attribute("id", "seat-0")
    page.keyboard.press("Escape")
    expect(deciding).to_have_attribute("id", "seat-1")


def test_a_bot_that_thinks_is_shown_at_work(person: Opener) -> None:
    page = person()
    open_with_bots(page, "southern_rails", "expert")
    wait_for_turn(page)
    expect(page.locator(".prompt.busy")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.locator(".prompt.busy #prompt")).to_have_text(re.compile("Expert 2 is thinking"))
    page.click("#tab-more")
    expect(page.locator("[data-place='1'] .by")).to_have_text(f"a bot plays (expert). {LEVELS['expert'].character}")


_SHARE = "bar => [Number(bar.ariaValueNow) / 100, bar.clientWidth / bar.parentElement.clientWidth]"


def test_a_bar_shows_how_far_a_bot_is(person: Opener, server: Server) -> None:
    with hall(server.file) as (tables, _):
        id = opened(tables, "b..", level=SLOW).id
    page = person()
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{server.address}/t/{id}")
    bar = page.locator(".prompt").get_by_role("progressbar", name="Thinking")
    expect(bar).to_be_visible()
    expect(bar).to_have_attribute("aria-valuenow", re.compile(r"\d+"))
    done, shown = bar.evaluate(_SHARE)
    assert 0 < done < 1
    assert abs(done - shown) < 0.02
    page.wait_for_function("done => document.querySelector('.prompt .work').ariaValueNow > 100 * done", arg=done)
    expect(page.locator("#prompt")).to_have_text("Ann is thinking…")  # this is read aloud, and does not change
    expect(page.locator(".prompt.busy")).to_have_count(0)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert count(page) == 1


def test_until_the_first_figure_comes_the_bar_runs_to_and_fro(person: Opener, server: Server) -> None:
    with hall(server.file) as (tables, _):
        id = opened(tables, "b..", level=SLOW).id
    page = person()
    page.route("**/events*", lambda route: None)  # nothing is heard of the table
    page.goto(f"{server.address}/t/{id}")
    bar = page.locator(".prompt.busy .work")
    expect(bar).to_have_css("animation-name", "run")
    assert bar.get_attribute("aria-valuenow") is None
    page.emulate_media(reduced_motion="reduce")
    expect(bar).to_have_css("animation-name", "none")


def test_a_bar_shows_how_far_a_hint_is(person: Opener) -> None:
    page = person()
    open_title(page, "southern_rails")
    wait_for_turn(page)
    page.route("**/hint", lambda route: None)  # a bot that takes its time
    page.keyboard.press("h")
    bar = page.locator("#ideas.busy").get_by_role("progressbar", name="Thinking")
    expect(bar).not_to_have_attribute("aria-valuenow", re.compile(""))
    answer = {"content_type": "text/event-stream", "body": "event: progress\ndata: 0.42\n\n"}
    page.route("**/events*", lambda route: route.fulfill(**answer))
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(bar).to_have_attribute("aria-valuenow", "42")
    expect(bar).to_have_attribute("aria-live", "off")  # it changes often, in a place that is read aloud
    expect(page.locator(".prompt .work")).to_have_count(0)


def test_the_start_of_a_long_log_comes_when_it_is_wanted(person: Opener) -> None:
    page = person()
    page.fill("[data-import] textarea", Path("tests/records/wabash/3-players-greedy.txt").read_text())
    page.click("text=Open record")
    page.wait_for_selector("main.table")
    page.wait_for_selector("body.ready")
    entries = page.locator("#log li")
    expect(entries).to_have_count(RECENT)
    page.click("#earlier")
    expect(entries).to_have_count(count(page))
    expect(entries.last).to_have_attribute("data-n", "1")
    expect(page.locator("#earlier")).to_be_hidden()


def test_an_amount_outside_the_range_cannot_be_sent(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    wait_for_turn(page)
    page.fill("#choices input.amount", "3")
    expect(page.locator("#choices .stepper .main")).to_be_disabled()
    page.fill("#choices input.amount", "9")
    expect(page.locator("#choices .stepper .main")).to_have_text("Bid 9")
    page.click("#choices [aria-label=More]")
    expect(page.locator("#choices .stepper .main")).to_have_text("Bid 10")


def test_an_amount_being_typed_survives_news_that_change_nothing(person: Opener) -> None:
    page = person()
    held: list[Route] = []
    page.route("**/events*", lambda route: held.append(route))
    open_title(page, "wabash")
    wait_for_turn(page)
    page.fill("#choices input.amount", "11")
    page.evaluate("document.querySelector('#choices').classList.add('waiting')")
    held[0].continue_()
    wait_for_turn(page)  # the news have come: nothing is waited for any more
    expect(page.locator("#choices input.amount")).to_have_value("11")
    expect(page.locator("#choices .stepper .main")).to_have_text("Bid 11")


def test_a_refusal_is_a_sentence_with_a_link_to_its_rule(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    wait_for_turn(page)
    # The page offers nothing illegal, so a hand must be slipped into it.
    page.evaluate("document.querySelector('#choices input.amount').max = 500")
    page.fill("#choices input.amount", "400")
    page.press("#choices input.amount", "Enter")
    page.locator("#refusal a.cite").click()
    expect(page.locator("#panel-rules")).to_be_visible()
    expect(page.locator("#rule-W2\\.4")).to_be_in_viewport()


def test_two_browsers_at_one_table_see_each_others_moves(person: Opener) -> None:
    anna, ben, guest = person(), person(), person()
    host_a_game(anna)
    anna.click("#tab-more")
    link = anna.locator("[data-copy^='/join/']").get_attribute("data-copy")
    assert link is not None
    base = anna.url.split("/t/")[0]
    take_seat(ben, base + link)
    guest.goto(anna.url)
    for turn in range(6):
        mover, other = (anna, ben) if turn_of(anna, ben) is anna else (ben, anna)
        before = count(mover)
        mover.locator("#choices button:not(.step):visible").first.click()
        for page in (mover, other, guest):
            wait_beyond(page, before)
        assert count(anna) == count(ben) == count(guest)
        assert anna.inner_html("#log li >> nth=0") == ben.inner_html("#log li >> nth=0"), turn
    expect(guest.locator("#choices button")).to_have_count(0)


def host_a_game(page: Page) -> None:
    """Wabash for two: the host, and a person by link."""
    page.click("[data-new=wabash]")
    page.click("[data-less]")
    page.locator("#new-table li select").nth(1).select_option("link")
    page.locator("#new-table li input").nth(0).fill("Anna")
    page.locator("#new-table li input").nth(1).fill("Ben")
    page.click("#new-table .main")
    page.wait_for_selector("main.table")
    page.wait_for_selector("body.ready")
    page.click("#invite >> text=To the table")


def turn_of(*pages: Page) -> Page:
    """The one of these who may choose now."""
    for page in pages:
        page.wait_for_selector("body.ready")
    return next(page for page in pages if page.locator(".prompt.yours").count())


def test_the_others_are_asked_before_their_moves_are_taken_back(person: Opener) -> None:
    anna, ben = person(), person()
    host_a_game(anna)
    link = anna.locator("[data-copy^='/join/']").get_attribute("data-copy")
    assert link is not None
    take_seat(ben, anna.url.split("/t/")[0] + link)
    for page in (anna, ben):
        wait_for_turn(page)
        before = count(page)
        page.locator("#choices .main").click()
        wait_beyond(page, before)
        wait_beyond(anna, before)
    assert count(anna) == 2
    anna.click("[data-do=undo]")
    expect(ben.locator("#asked")).to_contain_text("Anna wants to take back: Anna: bid 7, Ben: bid 8 (2 actions)")
    assert count(ben) == 2
    ben.click("#asked >> text=Agree")
    expect(anna.locator("#moment")).to_have_attribute("max", "0")
    expect(anna.locator("#log li")).to_have_count(0)


def test_a_reload_shows_the_same_table(person: Opener) -> None:
    page = person()
    open_title(page, "gmo")
    play(page, Random(3), 4)
    wait_for_turn(page)
    before = shown(page)
    page.reload()
    page.wait_for_selector("body.ready")
    assert shown(page) == before


def shown(page: Page) -> list[str]:
    """Everything that the page tells of the game, glow aside."""
    page.wait_for_function("() => !document.querySelector('.fresh')")
    page.mouse.move(0, 0)
    parts = [page.inner_html(place) for place in ("#prompt", "#board", "#seats", "#companies", "#tracks")]
    return [*parts, page.inner_text("#choices"), *log(page)]


def log(page: Page) -> list[str]:
    return page.locator("#log li").all_text_contents()


def test_a_killed_server_comes_back_and_the_game_goes_on(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.db")
    server.start()
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(server.address)
        open_title(page, "wabash")
        play(page, Random(4), 5)
        wait_for_turn(page)
        before, lines = count(page), log(page)
        server.kill()
        expect(page.locator("body.offline")).to_have_count(1)
        server.start()
        expect(page.locator("body.offline")).to_have_count(0, timeout=20_000)
        assert (count(page), log(page)) == (before, lines)
        play(page, Random(5), 3)
        assert count(page) > before
    finally:
        context.close()
        server.stop()


def test_undo_and_redo_lead_back_and_forth(person: Opener) -> None:
    page = person()
    open_title(page, "southern_rails")
    play(page, Random(6), 3)
    wait_for_turn(page)
    before = shown(page)
    then = count(page)
    follow(page, Random(7))
    wait_beyond(page, then)
    wait_for_turn(page)
    page.click("[data-do=undo]")
    expect(page.locator("#moment")).to_have_attribute("max", str(then))
    assert shown(page) == before
    page.click("[data-do=redo]")
    wait_beyond(page, then)
    assert count(page) > then


def test_any_moment_can_be_seen_linked_and_played_on(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    play(page, Random(8), 6)
    wait_for_turn(page)
    present = shown(page)
    page.keyboard.press("[")
    page.keyboard.press("[")
    expect(page.locator("#when")).to_have_text(f"{count(page) - 2} of {count(page)}")
    assert page.locator("#board .target").count() == 0
    page.click("[data-time=first]")
    expect(page.locator("#prompt")).to_contain_text("Bid $7 or more for PA, or pass")
    start = page.inner_html("#seats")
    assert start != present[2]
    page.keyboard.press("Escape")
    expect(page.locator("#when")).to_have_text("now")
    assert shown(page) == present
    link = f"{page.url}#at=3"
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#when")).to_contain_text("3 of")
    page.click("[data-time=fork]")
    page.wait_for_url(lambda url: "#" not in url)
    page.wait_for_selector("body.ready")
    assert page.locator("#log li[data-n='3']").count() == 1
    assert wait_for_turn(page)


def test_arrows_go_from_place_to_place(person: Opener) -> None:
    page = person()
    open_title(page, "southern_rails")
    play_until_places(page)
    page.keyboard.press("b")
    place = page.evaluate("document.activeElement.id")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") != place


def test_a_list_of_keys_is_opened_by_a_key(person: Opener) -> None:
    page = person()
    open_title(page, "southern_rails")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    expect(page.locator("#help table.keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


def test_a_new_person_gets_the_tour_once(person: Opener) -> None:
    page = person(new=True)
    open_title(page, "wabash")
    expect(page.locator("#help .tour")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.locator("#help")).to_be_hidden()


def test_the_rules_are_opened_at_the_rule_for_the_decision(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    wait_for_turn(page)
    expect(page.locator("#prompt a.cite")).to_have_text("W2.3")
    page.click("#tab-rules")
    expect(page.locator("#rule-W2\\.3")).to_be_in_viewport()
    expect(page.locator("#rule-W1\\.1")).not_to_be_in_viewport()
    expect(page.locator(".rule.now .number")).to_have_text("W2.3")
    expect(page.locator("#board")).to_be_in_viewport()
    page.click("#tab-table")
    page.click("#prompt a.cite")
    expect(page.locator("#rule-W2\\.3")).to_be_in_viewport()


def test_what_cannot_be_taken_back_or_played_again_is_not_offered(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    wait_for_turn(page)
    undo, redo = page.locator("[data-do=undo]"), page.locator("[data-do=redo]")
    expect(undo).to_be_disabled()
    expect(redo).to_be_disabled()
    page.click("#choices .main")
    expect(undo).to_be_enabled()
    expect(redo).to_be_disabled()
    wait_for_turn(page)
    undo.click()
    expect(redo).to_be_enabled()
    redo.click()
    expect(redo).to_be_disabled()


def test_people_at_one_screen_can_hand_it_over(person: Opener) -> None:
    page = person()
    page.click("[data-new=wabash]")
    page.click("[data-less]")
    page.locator("#new-table li select").nth(1).select_option("me")
    page.locator("#new-table li input").nth(1).fill("Ben")
    page.click("#new-table .main")
    wait_for_turn(page)
    screen = page.locator("#handover")
    page.click("#choices .main")
    wait_beyond(page, 0)
    expect(screen).to_be_hidden()  # nobody asked for it
    page.click("#tab-more")
    page.check("[data-switch=handover]")
    for name in ("Player 1", "Ben"):
        page.click("#choices .main")
        expect(screen).to_be_visible()
        expect(screen).to_contain_text(name)
        page.keyboard.press("Enter")
        expect(screen).to_be_hidden()
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.locator("[data-switch=handover]")).to_be_checked()


EARS = """
    window.heard = [];
    window.OscillatorNode = class extends OscillatorNode {
        constructor(audio, options) { super(audio, options); window.heard.push(options.frequency); }
    };
"""


def test_sounds_are_off_until_they_are_wanted(person: Opener) -> None:
    page = person()
    page.add_init_script(EARS)
    open_title(page, "wabash")
    wait_for_turn(page)
    page.click("#choices .main")
    wait_beyond(page, 0)
    wait_for_turn(page)
    assert page.evaluate("heard") == []
    page.click("#tab-more")
    page.check("[data-switch=sound]")
    before = count(page)
    page.click("#choices .main")
    wait_beyond(page, before)
    wait_for_turn(page)
    page.wait_for_function("() => heard.length >= 3")  # a tick for the move, two notes for the next turn


def test_a_double_click_is_not_an_error(person: Opener) -> None:
    page = person()
    open_title(page, "southern_rails")
    wait_for_turn(page)
    # The page waits after the first click, so the second is sent past it.
    with page.expect_response(lambda answer: answer.status == 409) as refused:
        page.evaluate("for (const _ of [1, 2]) document.querySelector('#choices button').click()")
    assert refused.value.json()["error"] == "done_already"
    wait_for_turn(page)
    expect(page.locator("#refusal")).to_be_hidden()


def test_the_board_zooms_and_moves_by_wheel_buttons_and_keys(person: Opener) -> None:
    page = person()
    open_title(page, "wabash")
    board = page.locator("#board")
    whole = board.get_attribute("viewBox")
    page.click("[data-zoom=in]")
    near = board.get_attribute("viewBox")
    assert near != whole
    page.focus("#viewport")
    page.keyboard.press("ArrowRight")
    assert board.get_attribute("viewBox") != near
    page.keyboard.press("0")
    assert board.get_attribute("viewBox") == whole
    board.hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function("whole => document.querySelector('#board').getAttribute('viewBox') !== whole", arg=whole)


def test_the_host_can_let_a_bot_play_and_take_the_seat_back(person: Opener) -> None:
    page = person()
    host_a_game(page)
    page.click("#tab-more")
    page.click("[data-bot='1']")
    expect(page.locator("[data-place='1'] .by")).to_contain_text("bot")
    page.locator("#choices .main").click()
    page.wait_for_function("() => Number(document.querySelector('#moment').max) > 1")
    page.click("[data-bot='1']")
    expect(page.locator("[data-place='1'] .by")).to_have_text("a person, not come yet")


def test_a_record_can_be_downloaded_and_opened_again(person: Opener, tmp_path: Path) -> None:
    page = person()
    open_title(page, "wabash")
    play(page, Random(9), 4)
    wait_for_turn(page)
    page.click("#tab-more")
    with page.expect_download() as waiting:
        page.click("text=Record as text")
    file = tmp_path / "record.txt"
    waiting.value.save_as(file)
    lines = log(page)
    page.goto(page.url.split("/t/")[0])
    expect(page.locator(".own li")).to_have_count(1)
    page.set_input_files("[data-import] [type=file]", file)
    page.click("text=Open record")
    page.wait_for_selector("main.table")
    assert log(page)[-len(lines) :] == lines


def test_bots_can_be_watched(person: Opener) -> None:
    page = person()
    page.click("[data-watch=gmo]")
    page.wait_for_selector("main.table")
    page.wait_for_function("() => Number(document.querySelector('#moment').max) > 5")
    expect(page.locator("#choices button")).to_have_count(0)
