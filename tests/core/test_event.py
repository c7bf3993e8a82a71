"""What events tell of themselves, over whole games: whom they are about, which cards they make, what seats gain."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import cuberails
from cuberails.core.event import Dividend, Event, Forced
from cuberails.core.game import Game
from cuberails.titles import scene
from cuberails.titles.wabash.events import Opened

RECORDS = Path(__file__).parent.parent / "records"
FILES = sorted(file.relative_to(RECORDS).as_posix() for file in RECORDS.glob("*/*.txt"))

CARDS = {
    "wabash": {"General dividend", "The game ends"},
    "southern_rails": {"Scoring round", "The game ends"},
    "gmo": {"New railroad", "Sale cancelled", "New charter", "Dividends", "The game ends"},
    "credit_mobilier": {"Dividends", "The game ends"},
    "baltimore_ohio": {"Market Round", "Business Round", "New railroad", "New president", "Receivership", "Dividends"}
    | {"The game ends", *(f"Technology level {tech}" for tech in (2, 3, 4, 5, 6))},
}
"""The headings of all cards in the recorded games of each title: in those of Wabash nobody builds into Chicago."""


@cache
def played(file: str) -> Game:
    return cuberails.read((RECORDS / file).read_text("utf-8"))


def events(game: Game) -> list[Event]:
    return [event for brought in game.events() for event in brought]


def gained(game: Game, points: bool) -> list[int]:
    """What each seat got in all, less what it gave."""
    totals = [0] * len(game.seats)
    for event in events(game):
        for gain in event.gains():
            assert len(gain.amounts) <= len(totals)
            for seat, amount in enumerate(gain.amounts if gain.points is points else []):
                totals[seat] += amount
    return totals


@pytest.mark.parametrize("file", FILES)
def test_gains_account_for_the_score(file: str) -> None:
    """Where points decide, they are all gains; where cash decides, it is what a seat began with and all gains.

    In Baltimore & Ohio the value of the shares at the end comes to the cash, and is no event.
    """
    game = played(file)
    first, last = game.at(0).scores(), game.state.scores()
    if game.title.key in ("southern_rails", "gmo"):
        assert last == gained(game, points=True)
        return
    if game.title.key == "baltimore_ohio":
        last = [int(dict(seat.facts)["Cash"].lstrip("$")) for seat in scene(game.state, game.seats).seats]
    assert last == [start + more for start, more in zip(first, gained(game, points=False), strict=True)]


@pytest.mark.parametrize("file", FILES)
def test_what_an_event_is_about_stands_at_the_table(file: str) -> None:
    game = played(file)
    companies = {company.piece.name.casefold() for company in scene(game.state, game.seats).companies}
    subjects = {event.subject().casefold() for event in events(game)}
    assert subjects - companies == {""}


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_card_is_dealt_somewhere_and_no_other(key: str) -> None:
    games = [played(file) for file in FILES if file.startswith(f"{key}/")]
    assert {event.card() for game in games for event in events(game)} == CARDS[key] | {""}
    assert all(events(game)[-1].card() == "The game ends" for game in games)


def test_a_forced_event_tells_what_the_event_itself_would() -> None:
    for event in (event for file in FILES for event in events(played(file)) if isinstance(event, Forced)):
        inner = event.event
        assert (event.subject(), event.card(), event.gains()) == (inner.subject(), inner.card(), inner.gains())


def test_sources_are_named_alike_in_all_titles() -> None:
    sources = {gain.source for file in FILES for event in events(played(file)) for gain in event.gains()}
    assert {"shares bought", "shares sold", "dividends", "dividends of PA", "dividends of Credit Mobilier"} <= sources
    assert {"cities", "charters", "connections", "bonuses of charters"} <= sources


def test_a_railroad_in_chicago_makes_two_cards() -> None:
    """Its dividend, and the Wabash that opens [W8, W9]."""
    chicago, opened = Dividend("Chicago dividend", "PA", 4, [8, 4]), Opened("Wabash", "F5 Fort Wayne", 3)
    assert (chicago.card(), opened.card()) == ("Chicago dividend", "Wabash opens")
    assert (chicago.subject(), opened.subject()) == ("PA", "Wabash")
