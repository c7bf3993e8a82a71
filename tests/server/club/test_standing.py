"""Results of games, and how people and bots stand by them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import cuberails
from cuberails.core.game import Game
from cuberails.server.club import results, standing
from cuberails.server.club.accounts import Account, Accounts
from cuberails.server.club.results import Played, Result, places, rated_results, results_of
from cuberails.server.club.standing import MIDDLE, Standings, ratings
from cuberails.server.store import StoredSeat
from cuberails.server.table import Table
from tests.server.house import Guests, Hall, act, hall, undo

RECORDS = Path(__file__).parents[2] / "records"
ANN, BOB, CY = "+ann", "+bob", "+cy"
NOON = dt.datetime(2026, 11, 18, 12)


@pytest.fixture(autouse=True)
def accounts_are_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "has_account", lambda person: person.startswith("+"))


def game(number: int, *seats: tuple[str, int]) -> list[Result]:
    """A rated game: who played each seat, by name or as "bot hard", and the place of each."""
    ended, found = NOON + dt.timedelta(hours=number), []
    for n, (who, place) in enumerate(seats):
        person, bot = ("", who.removeprefix("bot ")) if who.startswith("bot ") else (who, "")
        found.append(Result(f"t{number}", n, "wabash", person, bot, 0, place, ended, True))
    return found


# Ratings


def test_who_wins_stands_above_who_loses() -> None:
    found = ratings([game(n, (ANN, 1), (BOB, 2), (CY, 3)) for n in range(6)])
    assert found[ANN].rating > found[BOB].rating > found[CY].rating
    assert found[BOB].rating == pytest.approx(MIDDLE, abs=60)
    assert (found[ANN].games, found[ANN].wins, found[CY].wins) == (6, 6.0, 0.0)


def test_ties_keep_equals_equal() -> None:
    found = ratings([game(1, (ANN, 1), (BOB, 1), (CY, 3))])
    assert found[ANN].rating == found[BOB].rating > found[CY].rating
    assert found[ANN].wins == found[BOB].wins == 0.5


def test_every_game_makes_a_rating_surer() -> None:
    few, many = (ratings([game(n, (ANN, n % 2 + 1), (BOB, 2 - n % 2)) for n in range(games)]) for games in (2, 20))
    assert many[ANN].uncertainty < few[ANN].uncertainty


def test_bots_are_rated_by_games_against_people_alone() -> None:
    among_bots = game(1, ("bot hard", 1), ("bot easy", 2))
    assert ratings([among_bots]) == {}
    against_ann = game(2, (ANN, 2), ("bot hard", 1), ("bot hard", 3))
    found = ratings([among_bots, against_ann])
    assert found.keys() == {ANN, "bot hard"}
    assert found["bot hard"].games == 2


def test_guests_are_not_rated_and_nobody_plays_against_oneself() -> None:
    assert ratings([game(1, (ANN, 1), ("a guest", 2))]) == {}
    assert ratings([game(2, (ANN, 1), (ANN, 2))]) == {}


# Results


def test_places_follow_the_winners_then_the_scores() -> None:
    state = cuberails.read((RECORDS / "wabash/4-players-greedy.txt").read_text()).state
    found, scores = places(state), state.scores()
    assert [seat for seat, place in enumerate(found) if place == 1] == state.winners()
    for one in range(4):
        for other in range(4):
            if found[one] != 1 and found[other] != 1:
                assert (scores[one] > scores[other]) == (found[one] < found[other])


class Club:
    """A hall with people who have accounts."""

    def __init__(self, tables: Hall) -> None:
        self.hall = tables
        self.accounts = Accounts(tables.tables)
        self.standings = Standings(tables.store.engine, self.accounts)

    def account(self, name: str) -> Account:
        return self.hall.run(self.accounts.create(name))

    def almost_over(self, people: Sequence[str], rated: bool = True) -> tuple[Table, str]:
        """A table before the last action of a recorded game, with these people, and what is done then."""
        record = (RECORDS / "wabash/4-players-greedy.txt").read_text()
        played = cuberails.read(record)
        names = ["Ann", "Bob", "Cy", "Di"]
        fresh = Game(played.board, names, played.state.options)
        for step in played.steps[:-1]:
            fresh.apply(step.action)
        seats = [StoredSeat(name, bot="" if n < len(people) else "hard") for n, name in enumerate(names)]
        claims = list(enumerate(people))
        table = self.hall.run(self.hall.tables.open(fresh, seats, people[0], claims=claims, rated=rated))
        return table, played.steps[-1].action.text


@pytest.fixture
def club(database: str) -> Iterator[Club]:
    with hall(database) as (tables, _):
        yield Club(tables)


@pytest.fixture
def all_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shape of names does not matter here."""
    monkeypatch.setattr(standing, "has_account", bool)


@pytest.mark.usefixtures("all_accounts")
def test_the_end_of_a_game_writes_its_results_and_going_back_removes_them(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people)
    seat = table.actor
    act(table, [seat], seat, table.seq, last)
    [found] = rated_results(club.hall.store.engine, "wabash")
    assert [result.person for result in found] == people
    assert [result.place for result in found] == places(table.state)
    assert [result.score for result in found] == table.state.scores()
    undo(table, [seat], seat, table.seq, None)
    assert rated_results(club.hall.store.engine, "wabash") == []


def test_a_game_that_is_not_rated_is_a_result_all_the_same(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people, rated=False)
    act(table, [table.actor], table.actor, table.seq, last)
    assert rated_results(club.hall.store.engine, "wabash") == []
    assert len(results_of(club.hall.store.engine, people[0])) == 1


def test_results_can_be_read_from_the_logs_again(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people)
    act(table, [table.actor], table.actor, table.seq, last)
    engine = club.hall.store.engine
    before = rated_results(engine, "wabash")
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM results")
    assert results.record_again(club.hall.store, results.finished_tables(engine)) == 1
    again = rated_results(engine, "wabash")
    assert [[(r.person, r.place, r.score) for r in found] for found in again] == [
        [(r.person, r.place, r.score) for r in found] for found in before
    ]


def test_who_did_most_for_a_seat_played_it() -> None:
    from cuberails.server.store import ACT, Entry

    log = [Entry(n, ACT, "pass", 0, who) for n, who in enumerate(["ann", "bob", "bob", ""], 1)]
    assert results.players(log, ["hard", "easy", ""], {(2, "cy"): NOON}) == [
        Played("bob", ""),
        Played("", "easy"),
        Played("cy", ""),
    ]


# What is seen


@pytest.mark.usefixtures("all_accounts")
def test_only_who_wants_to_be_seen_is_seen(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "LEAST_GAMES", 1)
    accounts = [club.account(name) for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over([account.person for account in accounts])
    act(table, [table.actor], table.actor, table.seq, last)
    assert club.standings.leaderboard("wabash") == []
    assert club.standings.profile("Ann") is None
    club.hall.run(club.accounts.set_visible(accounts[0].person, True))
    assert [each.who for each in club.standings.leaderboard("wabash")] == ["Ann"]
    profile = club.standings.profile("ann")
    assert profile is not None
    assert [(each.title, each.games) for each in profile.titles] == [("wabash", 1)]
    assert profile.opponents == []  # none of them wants to be seen
    club.hall.run(club.accounts.set_visible(accounts[1].person, True))
    profile = club.standings.profile("Ann")
    assert profile is not None
    assert profile.opponents == [("Bob", 1)]


def test_pages_and_interface_of_standings(guest: Guests) -> None:
    ann = guest()
    assert [board["title"] for board in ann.get("/api/standings")] == list(cuberails.TITLES)
    assert "Nobody stands here yet." in ann.http.get("/standings").text
    refusal = ann.http.get("/api/people/Nobody")
    assert (refusal.status_code, refusal.json()["error"]) == (404, "no_person")
    assert "nobody of this name" in ann.http.get("/people/Nobody").text


def test_a_rated_table_has_no_help_and_is_a_new_game(guest: Guests) -> None:
    ann = guest()
    id = ann.open(rated=True)["id"]
    seen = ann.see(id)
    assert (seen["rated"], seen["help"]) == (True, False)
    assert ">Rated</p>" in ann.http.get(f"/t/{id}").text
    seats = [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"}]
    assert (
        "no help"
        in ann.post("/api/tables", {"title": "wabash", "seats": seats, "rated": True, "help": True}, 400)["message"]
    )
    assert "Only a new game" in ann.post("/api/tables", {"fork": id, "rated": True}, 400)["message"]
