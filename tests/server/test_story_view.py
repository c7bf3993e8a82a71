"""What a viewer is told of what happened: since the own last action, and as cards."""

from __future__ import annotations

from pathlib import Path

import pytest

import cuberails
from cuberails.core.game import Game
from cuberails.server import story_view
from cuberails.server.view import update
from tests.server.house import Guests, Hall, Still, act, opened, undo

Quiet = tuple[Hall, Still]
RECORD = Path("tests/records/southern_rails/4-players-greedy.txt")
PA_SOLD = ("bid 7", "bid 8", "pass", "pass")
"""Seat 1 takes PA and opens the auction of the next railroad."""


def test_everybody_is_told_what_happened_since_their_own_last_action(quiet: Quiet) -> None:
    table = opened(quiet[0])
    for text in PA_SOLD:
        act(table, [table.actor], table.actor, table.seq, text)
    names = table.game.seats
    sold = {"n": 4, "seat": 1, "chip": ["PA", "P", "red"], "text": f"{names[1]} takes PA for $8"}
    assert update(table, [1], 0)["story"] == {"start": 2, "lines": [sold], "again": ""}
    assert update(table, [0], 0)["story"] == {"start": 4, "lines": []}


def test_at_one_screen_it_is_told_to_who_decides(quiet: Quiet) -> None:
    table = opened(quiet[0])
    act(table, [0], 0, 0, "bid 7")
    act(table, [1], 1, 1, "bid 8")
    act(table, [2], 2, 2, "bid 9")
    everybody = update(table, [0, 1, 2], 0)["story"]
    assert everybody["start"] == 1
    names = table.game.seats
    assert [line["text"] for line in everybody["lines"]] == [f"{names[1]} bids $8 for PA; {names[2]} bids $9 for PA"]


def test_spectators_are_told_nothing_of_their_own_moves(quiet: Quiet) -> None:
    table = opened(quiet[0])
    act(table, [0], 0, 0, "bid 7")
    assert update(table, [], 0)["story"] is None


def test_what_was_taken_back_is_not_told(quiet: Quiet) -> None:
    table = opened(quiet[0])
    act(table, [0], 0, 0, "bid 7")
    assert update(table, [0], 0)["story"]["start"] == 1
    undo(table, [0], 0, 1, None)
    assert update(table, [0], 0)["story"] == {"start": 0, "lines": [], "again": ""}


def test_who_has_not_acted_for_long_is_told_the_last_of_it_from_a_moment_that_stays(
    quiet: Quiet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story_view, "MOST_ACTIONS", 3)
    monkeypatch.setattr(story_view, "STRIDE", 2)
    table = opened(quiet[0])
    for text in ("bid 7", "bid 8", "bid 9", "pass"):
        act(table, [table.actor], table.actor, table.seq, text)
    starts = []
    for bid in range(10, 16):
        act(table, [table.actor], table.actor, table.seq, f"bid {bid}")
        starts.append(update(table, [0], 0)["story"]["start"])
    assert starts == [4, 4, 4, 6, 6, 8]


def test_cards_come_with_the_news_and_can_be_read_again(guest: Guests) -> None:
    ann = guest()
    id = ann.post("/api/tables", {"record": RECORD.read_text()}, 201)["id"]
    cards = ann.get(f"/api/tables/{id}/cards")
    assert [card["heading"] for card in cards] == ["Scoring round"] * (len(cards) - 1) + ["The game ends"]
    first = cards[0]
    assert first["rows"][0]["text"].startswith("Scoring round 1: ")
    scored = [row for row in first["rows"] if "amounts" in row]
    assert scored
    assert all(row["points"] and len(row["amounts"]) == 4 for row in scored)
    assert [name for name, _, _ in first["chips"]] == ["blue", "green"]
    assert ann.get(f"/api/tables/{id}/cards?start={first['n']}") == cards[1:]
    assert ann.http.get(f"/api/tables/{id}/cards?start=-1").status_code == 404


def test_an_update_has_the_cards_of_its_actions(quiet: Quiet) -> None:
    game = cuberails.read(RECORD.read_text())
    table = opened(quiet[0], "....", "southern_rails")
    dealt = []
    for step in game.steps[:50]:
        act(table, [step.seat], step.seat, table.seq, step.action.text)
        dealt += update(table, [], table.seq - 1)["cards"]
    assert [(card["n"], card["heading"]) for card in dealt] == [(n, "Scoring round") for n in scorings(game, 50)]


def scorings(game: Game, most: int) -> list[int]:
    return [n for n, events in enumerate(game.events(0, most), 1) if any(event.card() for event in events)]
