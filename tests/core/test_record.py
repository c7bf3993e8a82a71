"""Records: what is written can be read, and a bad file is refused with its place and the way out."""

from __future__ import annotations

import contextlib
import json
from random import Random

import pytest

import cuberails
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.record import RecordError
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError

HEADER = "cuberails 1\ntitle: wabash\nrules: 1\nboard: Queen edition, corrected\nseat: Ann\nseat: Bob\n\n"


def game_of(*texts: str) -> Game:
    game = Game(cuberails.load("wabash").board, ["Ann", "Bob"])
    for text in texts:
        game.apply(game.state.parse(text))
    return game


def test_a_text_record_is_header_and_actions() -> None:
    assert game_of("bid 8", "bid 9", "pass").to_text(comments=False) == (
        "cuberails 1\n"
        "title: wabash\n"
        "rules: 1\n"
        "board: Queen edition, corrected\n"
        "option: detroit automatic\n"
        "seat: Ann\n"
        "seat: Bob\n"
        "\n"
        "bid 8\n"
        "bid 9\n"
        "pass\n"
    )


def test_comments_tell_what_happened() -> None:
    text = game_of("bid 8", "pass").to_text()
    assert "bid 8               # Ann bids $8 for PA\n" in text
    assert "pass                # Bob passes on PA\n                    # Ann takes a share of PA for $8\n" in text


def test_json_has_the_same_content() -> None:
    game = game_of("bid 8", "pass")
    data = json.loads(game.to_json())
    assert data["actions"] == ["bid 8", "pass"]
    assert data["seats"] == ["Ann", "Bob"]
    assert cuberails.read(game.to_json()).to_text() == game.to_text()


def test_reading_forgives_case_comments_blank_lines_and_a_byte_order_mark() -> None:
    record = "\ufeff# my game\n" + HEADER + "# first\nBID  $8 # high?\n\n\npass\n"
    assert [step.action.text for step in cuberails.read(record).steps] == ["bid 8", "pass"]


def test_a_header_may_leave_out_what_has_a_default() -> None:
    game = cuberails.read("cuberails 1\ntitle: wabash\nseat: Ann\nseat: Bob\n\nbid 8\n")
    assert (len(game.steps), game.state.options) == (1, {"detroit": "automatic"})


def test_options_and_strange_names_survive() -> None:
    game = Game(cuberails.load("wabash").board, ["Ann # 1", 'B: "ö"', "  C\n D "], {"detroit": "players"})
    again = cuberails.read(game.to_text())
    assert again.seats == ["Ann # 1", 'B: "ö"', "C D"]
    assert again.state.options == {"detroit": "players"}


def test_every_seat_needs_a_name() -> None:
    with pytest.raises(SetupError, match="every seat needs a name"):
        Game(cuberails.load("wabash").board, ["Ann", " "])


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ("", "the record is empty; its first line must be: cuberails 1"),
        ("# only a comment\n", "the record is empty"),
        ("hello\n", "line 1: found 'hello'; a record begins with: cuberails 1"),
        ("cuberails 2\n", "line 1: found format '2'; this version reads format 1"),
        ("cuberails 1\n", "the header has no title"),
        ("cuberails 1\ntitle: wabash\n", "the header names no seats"),
        ("cuberails 1\ntitel: wabash\n", "line 2: found 'titel'; a header line is one of title, rules, board"),
        ("cuberails 1\ntitle: risk\nseat: A\nseat: B\n", "there is no title 'risk'"),
        ("cuberails 1\ntitle: wabash\nseat: A\n", "for 2 to 6 players, not 1"),
        ("cuberails 1\ntitle: wabash\nrules: 7\nseat: A\nseat: B\n", "follows rules version '7' of Wabash Cannonball"),
        ("cuberails 1\ntitle: wabash\nboard: Mars\nseat: A\nseat: B\n", "was played on board 'Mars'"),
        ("cuberails 1\ntitle: wabash\noption: speed fast\nseat: A\nseat: B\n", "has no option 'speed'"),
        (
            HEADER + "bid 8\nbid 7\n",
            "line 9: found 'bid 7': bid 7 is not legal now. W2.3: .* Legal there: bid 9, bid 10, bid 11 ",
        ),
        (HEADER + "bid 8\nbud 9\n", "line 9: found 'bud 9': .*did you mean bid 9.* Legal there: bid 9"),
        (HEADER + "bid 8\npass\nbi", r"line 10: found 'bi': .* Legal there: bid \d+.* \(\d+ in all\)"),
        (HEADER + "x" * 5000, "line 8: found 'xxx"),
        ("{", "this JSON cannot be read"),
        ("{}", 'an object with "cuberails": 1'),
        ('{"cuberails": 3}', "found format '3'"),
        ('{"cuberails": 1, "title": "wabash", "seats": ["A"]}', '"actions": found None; it must be a list of texts'),
        ('{"cuberails": 1, "title": "wabash", "seats": [1], "actions": []}', '"seats" must hold texts only'),
        ('{"cuberails": 1, "title": "wabash", "options": 3, "seats": ["A"], "actions": []}', '"options": found 3'),
        (
            '{"cuberails": 1, "title": "wabash", "seats": ["A", "B"], "actions": ["bid 8", "fly"]}',
            "\"actions\", number 2: found 'fly'",
        ),
        ("[" * 100_000, "a record begins with: cuberails 1"),
        ("{" + '"a":[' * 100_000, "this JSON cannot be read"),
    ],
)
def test_a_bad_record_is_refused_with_its_place(record: str, problem: str) -> None:
    with pytest.raises(RecordError, match=problem) as error:
        cuberails.read(record)
    assert len(str(error.value)) < 500


def test_nothing_may_follow_the_end() -> None:
    game = Game(cuberails.load("wabash").board, ["Ann", "Bob"])
    rng = Random(1)
    while game.state.actor is not None:
        game.apply(pick(game.state, rng))
    with pytest.raises(RecordError, match="found 'pass' after the end of the game; remove it"):
        cuberails.read(game.to_text() + "pass\n")


def test_every_truncation_is_read_or_refused_in_words() -> None:
    whole = game_of("bid 8", "bid 9", "pass", "bid 6", "pass").to_text()
    read = 0
    for length in range(len(whole)):
        with contextlib.suppress(RecordError):
            read += len(cuberails.read(whole[:length]).steps) > 0
    assert read > 5


def test_undo_and_redo() -> None:
    game = game_of("bid 8", "bid 9", "pass")
    assert game.undo()
    assert game.undo()
    assert (game.state.actor, [step.action.text for step in game.steps]) == (1, ["bid 8"])
    assert game.redo()
    assert [step.action.text for step in game.steps] == ["bid 8", "bid 9"]
    game.apply(game.state.parse("bid 20"))
    assert not game.redo()
    assert [step.action.text for step in game.steps] == ["bid 8", "bid 9", "bid 20"]
    assert [game.undo() for _ in range(4)] == [True, True, True, False]


def test_any_moment_can_be_looked_at() -> None:
    game = game_of("bid 8", "bid 9", "pass")
    assert [game.at(n).prompt for n in range(4)] == [
        "Bid $7 or more for PA, or pass",
        "Bid $9 or more for PA, or pass",
        "Bid $10 or more for PA, or pass",
        "Bid $6 or more for B&O, or pass",
    ]
    for count in (-1, 4):
        with pytest.raises(ValueError, match=f"the game has 3 actions; there is no position after {count}"):
            game.at(count)


def test_an_illegal_action_changes_nothing() -> None:
    game = game_of("bid 8", "bid 9", "pass")
    game.undo()
    before = game.to_text()
    with pytest.raises(IllegalAction, match=r"bid 9 is not legal now. W2\.3"):
        game.apply(game.state.parse("bid 9"))
    assert game.to_text() == before
    assert game.redo()  # not even what was undone is lost
