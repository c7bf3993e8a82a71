"""What happened, told shortly: checked at every decision of every recorded game, and to the letter at some."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import cuberails
from cuberails.core.game import Game
from cuberails.core.story import MOST_LINES, Line, asked_again, cards, last_of, story
from cuberails.titles import scene

RECORDS = Path(__file__).parent.parent / "records"
FILES = sorted(file.relative_to(RECORDS).as_posix() for file in RECORDS.glob("*/*.txt"))
ADDED_UP = re.compile(r"Before that: .*|\d+ more|scores \d+|receives \$\d+")
"""What a line says that no event says by itself."""


@cache
def played(file: str) -> Game:
    return cuberails.read((RECORDS / file).read_text("utf-8"))


def at(file: str, count: int) -> Game:
    """A recorded game after so many actions."""
    game = played(file).fork()
    while game.count > count:
        game.undo()
    return game


def decisions(file: str) -> list[tuple[Game, int, int]]:
    """Every third decision of a game: the seat, and how many actions there were when it had acted last."""
    game, found = played(file).fork(), []
    while game.undo():
        seat = game.state.phase.actor
        if game.count % 3 == 0 and seat >= 0:
            found.append((game.fork(), seat, last_of(game, [seat])))
    return found


def lines(game: Game, start: int) -> list[str]:
    return [line.text for line in story(game, start)]


# Every decision


@pytest.mark.parametrize("file", FILES)
def test_no_stretch_takes_more_than_six_lines_and_each_leads_to_its_moment(file: str) -> None:
    for game, _, start in decisions(file):
        found = story(game, start)
        assert len(found) <= MOST_LINES
        moments = [line.n for line in found]
        assert moments == sorted(set(moments))
        assert all(start < n <= game.count for n in moments)
        assert bool(found) == (game.count > start) or _only_dice(game, start)


def _only_dice(game: Game, start: int) -> bool:
    return all(step.seat < 0 for step in game.steps[start:])


@pytest.mark.parametrize("file", FILES)
def test_every_line_says_what_the_log_says(file: str) -> None:
    """Numbers and places in a line stand in the log of the stretch, but for what is added up."""
    for game, _, start in decisions(file):
        log = " ".join(event.say(game.seats) for brought in game.events(start) for event in brought)
        for line in story(game, start):
            figures = set(re.findall(r"[\w#$&]*\d+", ADDED_UP.sub("", line.text)))
            assert figures <= set(re.findall(r"[\w#$&]*\d+", log)), line.text


@pytest.mark.parametrize("file", FILES)
def test_every_line_is_about_a_railroad_at_the_table_and_a_seat(file: str) -> None:
    railroads = {company.piece.name.casefold() for company in scene(played(file).state).companies}
    for game, _, start in decisions(file):
        for line in story(game, start):
            assert line.subject.casefold() in railroads | {""}
            assert -1 <= line.seat < len(game.seats)
            assert line.seat < 0 or not line.subject or any(name in line.text for name in game.seats), line.text


@pytest.mark.parametrize("file", FILES)
def test_cards_tell_each_thing_once_and_gains_as_the_events_do(file: str) -> None:
    game = played(file)
    dealt = cards(game)
    events = [event for brought in game.events() for event in brought]
    assert sum(len(card.rows) for card in dealt) == sum(bool(event.card()) for event in events)
    gained = [gain for event in events if event.card() for gain in event.gains() if max(gain.amounts) > 0]
    assert [row.gain for card in dealt for row in card.rows if row.gain] == gained
    assert [card.n for card in dealt] == sorted(card.n for card in dealt)
    assert dealt[-1].heading == "The game ends"
    assert cards(game, dealt[-1].n - 1)[-1] == dealt[-1]


# To the letter


def test_an_auction_is_told_by_who_took_the_share() -> None:
    game = at("wabash/4-players-greedy.txt", 49)
    assert lines(game, 35) == ["Dan takes C&O for $15", "Ann takes NYC for $15"]


def test_an_auction_that_is_not_over_is_told_bid_by_bid() -> None:
    game = at("wabash/4-players-greedy.txt", 98)
    assert lines(game, 94)[-1] == "Cleo puts a share of C&O up for auction, bids $3 for C&O; Dan bids $4 for C&O"


def test_builds_of_one_turn_are_one_line_with_what_they_brought() -> None:
    game = at("wabash/4-players-greedy.txt", 125)
    assert lines(game, 121) == ["Bob: PA builds in H5, M4 Altoona and K6; income 24 → 26"]


def test_the_business_of_a_railroad_is_one_line() -> None:
    """Eighteen actions between two decisions of one player."""
    game = at("baltimore_ohio/4-players-greedy.txt", 139)
    assert story(game, 130) == [
        Line(
            135,
            3,
            "B&O",
            "Dan: B&O buys equipment #10 for $100, builds in K22 Norfolk, earns $40 net, pays $4 a share; "
            "B&O receives $8; value $55 → $60",
        ),
        Line(
            139,
            2,
            "PA",
            "Cleo: PA builds in H15 Wheeling and H23 Baltimore, earns $40 net, pays $4 a share; value $50 → $55",
        ),
    ]


def test_a_long_stretch_is_told_by_railroad_and_the_rest_is_counted() -> None:
    game = played("baltimore_ohio/6-players-greedy.txt")
    whole = story(game, 0)
    assert len(whole) == MOST_LINES
    assert whole[0].text.startswith("Before that: ")
    assert len({line.subject for line in whole[1:] if line.subject}) == len(
        [line for line in whole[1:] if line.subject]
    )


def test_dice_are_no_line_of_their_own() -> None:
    game = at("credit_mobilier/4-players-greedy.txt", 42)
    assert lines(game, 34) == [
        "Bob builds blue track in A6S, A5S, B6S and C6S; Credit Mobilier receives $8",
        "Cleo buys 1 Credit Mobilier share for $1",
    ]


def test_who_passed_in_the_market_is_told_why_the_question_comes_again() -> None:
    """B3.3: the round ends only when all have passed in a row."""
    game = at("baltimore_ohio/3-players-greedy.txt", 62)
    assert asked_again(game, 1) == "You passed; Cleo and Ann acted since, so you are asked again."


def test_who_passed_in_an_auction_or_before_a_new_round_is_asked_something_new() -> None:
    found = [
        (file, asked_again(game, seat))
        for file in FILES
        for game, seat, start in decisions(file)
        if asked_again(game, seat)
    ]
    assert {file.split("/")[0] for file, _ in found} == {"baltimore_ohio"}
    for game, seat, start in decisions("baltimore_ohio/4-players-greedy.txt"):
        if any("Round" in card.heading for card in cards(game, start)):
            assert asked_again(game, seat) == ""


def test_a_scoring_round_is_one_card_with_all_that_it_gave() -> None:
    first = cards(played("southern_rails/4-players-greedy.txt"))[0]
    assert first.heading == "Scoring round"
    assert first.rows[0].text.startswith("Scoring round 1: ")
    assert first.rows[-1].text.startswith("The new turn order: ")
    assert next(row.text for row in first.rows if row.gain) == "Most green cities: blue (2), 1 point a share"
    assert next(row.gain.amounts for row in first.rows if row.gain) == [0, 0, 0, 1]


def test_a_payment_is_told_without_what_the_heading_and_the_table_say() -> None:
    paid = next(card for card in cards(played("baltimore_ohio/3-players-greedy.txt")) if card.heading == "Dividends")
    assert re.fullmatch(r"\S+ pays \$\d+ a share", paid.rows[0].text)
    general = cards(played("wabash/4-players-greedy.txt"))[0]
    assert [row.text for row in general.rows][:2] == ["PA pays $6 a share", "B&O pays $4 a share"]


def test_a_railroad_that_is_started_and_its_president_share_a_card() -> None:
    first = next(
        card for card in cards(played("baltimore_ohio/3-players-greedy.txt")) if card.heading == "New railroad"
    )
    assert [row.text.split()[1] for row in first.rows] == ["starts", "becomes"]


def test_two_auctions_of_the_same_railroad_are_two_turns() -> None:
    game = cuberails.read((RECORDS / "wabash" / "4-players-greedy.txt").read_text())
    while game.count > 60:
        game.undo()
    told = [line.text for line in story(game, 52)]
    assert told[0] == "Cleo takes PA for $7"
    assert told[1].startswith("Dan puts a share of PA up for auction")
