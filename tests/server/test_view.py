"""What a viewer gets: choices in groups, effects in figures, rules with links, scores over time."""

from __future__ import annotations

from random import Random

import pytest

import cuberails
from cuberails.core.menu import menu
from cuberails.core.playout import pick
from cuberails.core.state import State
from cuberails.server.chart import chart, places, standings
from cuberails.server.prose import paragraphs
from cuberails.server.view import Update, effect, groups, neutral, status, update
from cuberails.titles import load, scene
from tests.server.house import Hall, Still, act, opened, redo, undo

Quiet = tuple[Hall, Still]


def spread(found: list[Update]) -> list[tuple[str, str]]:
    """Groups as a page reads them: each action and its place."""
    actions: list[tuple[str, str]] = []
    for line in [line for group in found for line in group["lines"]]:
        if "ids" in line:
            actions += [(f"{line['head']} {id}", line["in"] + id) for id in line["ids"]]
        elif "from" in line:
            amounts = range(line["from"], line["to"] + 1, line["step"])
            actions += [(f"{line['head']} {n} {line['tail']}".strip(), "") for n in amounts]
        else:
            actions.append((line["text"], line["at"]))
    return actions


def places_of(state: State) -> dict[str, str]:
    seen = scene(state).map
    found = {text: tile.key for tile in seen.tiles for text in tile.targets}
    return found | {text: link.key for link in seen.links for text in link.targets}


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_groups_hold_every_legal_action_once_and_at_its_place(key: str) -> None:
    title = load(key)
    state, rng = title.new(title.least_players, {}), Random(1)
    while state.actor is not None:
        legal, places = state.legal_actions(), places_of(state)
        offered = spread(groups(menu(state, scene(state))))
        assert sorted(offered) == sorted((action.text, places.get(action.text, "")) for action in legal)
        state.play(pick(state, rng))


def test_a_long_row_of_amounts_takes_little_space() -> None:
    state = load("wabash").new(2, {})
    bids = {"head": "bid", "from": 7, "to": 60, "step": 1, "tail": "", "company": "", "briefs": []}
    assert groups(menu(state, scene(state)))[0]["lines"] == [bids]


def test_a_build_tells_its_income_for_each_dollar_and_only_to_who_asks(quiet: Quiet) -> None:
    table = opened(quiet[0])
    for text in ("bid 7", "pass", "pass", "bid 6", "pass", "pass", "bid 8", "pass", "pass", "bid 9", "pass", "pass"):
        act(table, [table.actor], table.actor, table.seq, text)
    act(table, [table.actor], table.actor, table.seq, "expand PA")
    place = next(tile for tile in table.scenes.after(table.seq).map.tiles if tile.targets)
    assert effect(table, place.targets[0])[-1] == place.gain == "no income for $1"
    assert not any(tile.gain for tile in neutral(table.scenes.after(table.seq)).map.tiles)


def test_a_bid_is_described_as_the_sale_that_it_would_be(quiet: Quiet) -> None:
    sentences = effect(opened(quiet[0]), "bid 9")
    assert sentences[0].endswith("takes a share of PA for $9")
    assert not any("bids" in line for line in sentences)


def test_only_what_was_taken_back_can_be_played_again(quiet: Quiet) -> None:
    table = opened(quiet[0])
    act(table, [0], 0, 0, "bid 9")
    assert (status(table, [0])["undo"], status(table, [0])["redo"]) == (True, False)
    undo(table, [0], 0, 1, None)
    assert (status(table, [0])["undo"], status(table, [0])["redo"]) == (False, True)
    assert not status(table, [])["redo"]  # spectators
    redo(table, [0], 0, 2, None)
    assert not status(table, [0])["redo"]


def test_the_rule_for_the_decision_comes_with_the_prompt(quiet: Quiet) -> None:
    table = opened(quiet[0])
    assert update(table, [0], 0)["rule"] == "W2.3"


def test_rules_are_safe_html_with_links() -> None:
    assert paragraphs("**Never** <b> & see W4.2\n\nas `W4.3` says") == (
        '<p><strong>Never</strong> &lt;b&gt; &amp; see <a class="cite" href="#rule-W4.2">W4.2</a></p>\n'
        "<p>as <code>W4.3</code> says</p>\n"
    )


def test_the_winner_stands_first_even_with_equal_scores() -> None:
    table = standings(["<Anna>", "Ben"], [5, 5], [1])
    assert table.index("Ben") < table.index("&lt;Anna&gt;")
    assert "<li value=2>&lt;Anna&gt;" in table


def test_who_is_level_has_the_same_place() -> None:
    assert places([7, 5, 7, 5], [0, 2]) == [1, 3, 1, 3]
    assert places([3, 5, 3, 1], []) == [2, 1, 2, 4]  # before the end
    assert "<li value=1 class=winner>Cy" in standings(["Ann", "Bob", "Cy"], [0, 0, 0], [0, 1, 2])


def test_a_chart_can_be_drawn_of_any_course() -> None:
    for course in ([[0, 0]], [[0, 0], [-5, 3]], [[7, 7]] * 50):
        drawn = chart(["Anna & Co", "Ben"], course)
        assert "<svg" in drawn
        assert "style=" not in drawn
        assert "Anna &amp; Co" in drawn
