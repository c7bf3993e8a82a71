"""Results of games, and how people and bots stand by them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import cuberails
from cuberails.core.game import Game, advance
from cuberails.core.state import CHANCE, NOBODY
from cuberails.server import identity, undoing
from cuberails.server.club import results, standing
from cuberails.server.club.accounts import Account, Accounts
from cuberails.server.club.clocks import CORRESPONDENCE, LIVE, TimeControl, about
from cuberails.server.club.open_tables import PUBLIC
from cuberails.server.club.profile import PaceRecord, PlayedGame, Profile, Profiles, Reliability
from cuberails.server.club.recount import finished_tables, record_again
from cuberails.server.club.results import Played, Result, places, rated_results, results_of
from cuberails.server.club.standing import MIDDLE, Standings, ratings
from cuberails.server.club.timekeeper import time_out
from cuberails.server.refusal import Refused
from cuberails.server.requests import AnswerRequest, TableRequest, UndoRequest
from cuberails.server.store import NAME, StoredSeat
from cuberails.server.table import Table
from cuberails.titles import load
from tests.server.house import Guests, Hall, HandClock, act, change_player, hall, on_loop, opened_by

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


def test_a_game_counts_though_one_of_its_players_has_left_for_good() -> None:
    """They are nobody that could be rated, and not the same in two games."""
    found = ratings([game(n, (ANN, 1), ("", 2), ("bot easy", 3)) for n in range(3)])
    assert found.keys() == {ANN, "bot easy"}
    assert found[ANN].rating > MIDDLE > found["bot easy"].rating
    assert ratings([game(9, (ANN, 1), ("", 2))])[ANN].games == 1
    few = ratings([game(n, (ANN, 1), ("", 2)) for n in range(9)])
    same = ratings([game(n, (ANN, 1), (BOB, 2)) for n in range(9)])
    assert few[ANN].rating > same[ANN].rating  # who loses each time is not beaten for the first time each time


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

    def __init__(self, tables: Hall, clock: HandClock) -> None:
        self.hall = tables
        self.clock = clock
        self.accounts = Accounts(tables.tables)
        self.standings = Standings(tables.tables, self.accounts)
        self.profiles = Profiles(tables.store.engine, self.accounts, self.standings)

    def account(self, name: str) -> Account:
        return self.hall.run(self.accounts.create(name))

    def almost_over(self, people: Sequence[str], rated: bool = True, **more: Any) -> tuple[Table, str]:
        """A table before the last action of a recorded game, with these people, and what is done then."""
        record = (RECORDS / "wabash/4-players-greedy.txt").read_text()
        played = cuberails.read(record)
        names = ["Ann", "Bob", "Cy", "Di"]
        fresh = Game(played.board, names, played.state.options)
        seats = [StoredSeat(name, bot="" if n < len(people) else "hard") for n, name in enumerate(names)]
        opened = self.hall.tables.open(fresh, seats, people[0], claims=list(enumerate(people)), rated=rated, **more)
        table = self.hall.run(opened)
        for step in played.steps[:-1]:
            person = people[step.seat] if 0 <= step.seat < len(people) else ""
            self.clock.advance(10 * (step.seat + 1))  # each seat has its pace
            self.hall.run(table.play([advance(table.state, step.action)], person))
        return table, played.steps[-1].action.text


@pytest.fixture
def club(database: str) -> Iterator[Club]:
    clock = HandClock()
    with hall(database, clock=clock) as (tables, _):
        yield Club(tables, clock)


@pytest.fixture
def all_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shape of names does not matter here."""
    monkeypatch.setattr(standing, "has_account", bool)


@pytest.mark.usefixtures("all_accounts")
def test_the_end_of_a_game_writes_its_results_and_going_back_removes_them(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people)
    seat = table.actor
    club.hall.run(table.play([advance(table.state, table.state.parse(last))], people[seat]))
    [found] = rated_results(club.hall.store.engine, "wabash")
    assert [result.person for result in found] == people
    assert [result.place for result in found] == places(table.state)
    assert [result.score for result in found] == table.state.scores()
    want_back(table, seat, people[seat])
    assert len(rated_results(club.hall.store.engine, "wabash")) == 1  # it is theirs, too
    for other, person in enumerate(people):
        if other != seat:
            agree(table, other, person)
    assert rated_results(club.hall.store.engine, "wabash") == []


def want_back(table: Table, seat: int, person: str, to: int | None = None) -> None:
    request = UndoRequest(seat=seat, seq=table.seq, to=to)
    on_loop(table.writer.loop, undoing.undo(table, [seat], request, person))


def agree(table: Table, seat: int, person: str) -> None:
    request = AnswerRequest(seat=seat, seq=table.seq, agree=True)
    on_loop(table.writer.loop, undoing.answer(table, [seat], request, person))


@pytest.mark.parametrize("rated", [True, False])
def test_nobody_tries_a_rated_game_against_bots_until_they_win(club: Club, rated: bool) -> None:
    ann = club.account("Ann").person
    table, last = club.almost_over([ann], rated=rated)
    club.hall.run(table.play([advance(table.state, table.state.parse(last))], ann if table.actor == 0 else ""))
    before = table.game.count
    if rated:
        with pytest.raises(Refused, match="This game counts for ratings"):
            want_back(table, 0, ann)
    else:
        want_back(table, 0, ann)
    assert (table.game.count == before) is rated


@pytest.mark.parametrize("over", [False, True])
def test_nobody_makes_a_rated_bot_stronger_than_it_was(club: Club, over: bool) -> None:
    """It would count as having been won against the other one, at the end or when results are read from the log."""
    ann = club.account("Ann").person
    table, last = club.almost_over([ann])
    if over:
        club.hall.run(table.play([advance(table.state, table.state.parse(last))], ann if table.actor == 0 else ""))
    with pytest.raises(Refused, match="its bots stay as they are"):
        change_player(table, ann, 1, "expert")
    unrated, _ = club.almost_over([ann], rated=False)
    change_player(unrated, ann, 1, "expert")
    assert (table.seats[1].bot, unrated.seats[1].bot) == ("hard", "expert")


def test_who_vanished_from_a_rated_game_is_replaced_by_a_bot_and_can_come_back(club: Club) -> None:
    ann, bob = (club.account(name).person for name in ("Ann", "Bob"))
    table, _ = club.almost_over([ann, bob])
    change_player(table, ann, 1, "easy")
    change_player(table, bob, 1, "")
    assert table.seats[1].bot == ""


def test_dice_of_a_rated_game_are_not_rolled_again(club: Club) -> None:
    """But what nobody has answered yet is taken back as everywhere."""
    ann = club.account("Ann").person
    seats = [StoredSeat("Ann"), StoredSeat("Bot", bot="easy")]
    game = Game(load("credit_mobilier").board, ["Ann", "Bot"])
    table = club.hall.run(club.hall.tables.open(game, seats, ann, claims=[(0, ann)], rated=True))
    rolled = own = False
    while not (rolled and own):
        seat, before = table.actor, table.game.count
        club.hall.run(table.play([advance(table.state, table.state.legal_actions()[0])], ann if seat == 0 else ""))
        if seat == 0 and table.actor == 0 and not own:
            want_back(table, 0, ann, before)
            own = True
        elif seat == CHANCE and before and table.game.steps[before - 1].seat == 0:
            with pytest.raises(Refused, match="the dice"):
                want_back(table, 0, ann, before - 1)
            rolled = True


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
    assert record_again(club.hall.store, finished_tables(engine)) == (1, [])
    assert rated_results(engine, "wabash") == before


def test_what_happens_after_the_end_of_a_game_changes_nothing_about_its_results(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people)
    act(table, [table.actor], table.actor, table.seq, last)
    engine = club.hall.store.engine
    before = rated_results(engine, "wabash")
    club.clock.advance(3600)
    club.hall.run(table.note(NAME, "Anna", 0, people[0]))
    assert rated_results(engine, "wabash") == before


def test_a_game_that_began_elsewhere_is_no_result(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people)
    fork = opened_by(club.hall, TableRequest(fork=table.id), people[table.actor])
    act(fork, [fork.actor], fork.actor, fork.seq, last)
    assert fork.actor < 0
    engine = club.hall.store.engine
    assert results_of(engine, people[0]) == []
    assert record_again(club.hall.store, finished_tables(engine)) == (0, [])
    assert results_of(engine, people[0]) == []


def test_a_table_that_cannot_be_read_keeps_its_results(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people)
    act(table, [table.actor], table.actor, table.seq, last)
    engine = club.hall.store.engine
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE entries SET text = 'fly to Chicago' WHERE seq = 1")
    assert record_again(club.hall.store, finished_tables(engine)) == (0, [table.id])
    assert len(rated_results(engine, "wabash")) == 1


def test_who_did_most_for_a_seat_played_it() -> None:
    from cuberails.server.store import ACT, Entry

    log = [Entry(n, ACT, "pass", 0, who) for n, who in enumerate(["ann", "bob", "bob", ""], 1)]
    assert results.players(log, ["hard", "easy", ""], {(2, "cy"): NOON}) == [
        Played("bob", ""),
        Played("", "easy"),
        Played("cy", ""),
    ]


@pytest.mark.usefixtures("all_accounts")
def test_who_sits_down_and_never_answers_is_known_for_that(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob")]
    control = TimeControl(CORRESPONDENCE, 86_400, 0, "easy")
    game = Game(load("southern_rails").board, ["Ann", "Bob", "Bot"])
    seats = [StoredSeat("Ann"), StoredSeat("Bob"), StoredSeat("Bot", bot="easy")]
    claims = list(enumerate(people))
    table = club.hall.run(club.hall.tables.open(game, seats, people[0], claims=claims, time_control=control))
    while table.actor != NOBODY:
        if table.actor == 1 and not table.seats[1].bot:
            club.clock.advance(100_000)
            assert club.hall.run(time_out(table))
        club.hall.run(
            table.play([advance(table.state, table.state.legal_actions()[0])], people[0] if not table.actor else "")
        )
    assert seen(club, "Bob", viewer=people[1]).reliability == Reliability(1, 0)
    before = results_of(club.hall.store.engine, people[1])
    record_again(club.hall.store, [table.id])
    assert results_of(club.hall.store.engine, people[1]) == before


# What is seen


@pytest.mark.usefixtures("all_accounts")
def test_only_who_wants_to_be_seen_is_seen(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "LEAST_GAMES", 1)
    accounts = [club.account(name) for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over([account.person for account in accounts])
    act(table, [table.actor], table.actor, table.seq, last)
    assert club.standings.leaderboard("wabash") == []
    assert club.profiles.of("Ann") is None
    club.hall.run(club.accounts.set_visible(accounts[0].person, True))
    assert [each.who for each in club.standings.leaderboard("wabash")] == ["Ann"]
    profile = club.profiles.of("ann")
    assert profile is not None
    assert [(each.title, each.games) for each in profile.titles] == [("wabash", 1)]
    assert profile.opponents == []  # none of them wants to be seen
    club.hall.run(club.accounts.set_visible(accounts[1].person, True))
    profile = club.profiles.of("Ann")
    assert profile is not None
    assert profile.opponents == [("Bob", 1)]


def seen(club: Club, name: str, viewer: str = "") -> Profile:
    found = club.profiles.of(name, viewer)
    assert found is not None
    return found


@pytest.mark.usefixtures("all_accounts")
def test_a_profile_tells_results_opponents_and_pace(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy")]
    control = TimeControl(LIVE, 36_000, 0, "easy")
    table, last = club.almost_over(people, time_control=control, visibility=PUBLIC)
    club.hall.run(table.play([advance(table.state, table.state.parse(last))]))  # perhaps the bot's
    club.hall.run(club.accounts.set_visible(people[1], True))
    assert club.profiles.of("Ann") is None
    assert not seen(club, "Ann", viewer=people[0]).visible  # one sees one's own
    club.hall.run(club.accounts.set_visible(people[0], True))
    found = seen(club, "Ann")
    own = next(result for result in results_of(club.hall.store.engine, people[0])[0] if result.person == people[0])
    shared = sum(place == own.place for place in places(table.state)) > 1
    page = f"/t/{table.id}"
    assert found.games == [
        PlayedGame("wabash", own.ended, own.place, 4, shared, own.score, True, LIVE, ["Bob"], ["hard"], 1, page)
    ]
    assert found.paces == [PaceRecord(LIVE, 1, 10.0)]
    decisions = sum(step.seat == 0 for step in table.game.steps)
    assert found.reliability == Reliability(decisions, decisions)
    assert seen(club, "Bob").paces == [PaceRecord(LIVE, 1, 20.0)]


def test_rated_games_of_a_guest_count_as_soon_as_they_have_an_account(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, "has_account", identity.has_account)
    people = [club.account("Ann").person, "a guest", club.account("Cy").person]
    table, last = club.almost_over(people)
    club.hall.run(table.play([advance(table.state, table.state.parse(last))]))
    assert set(club.standings.of("wabash")) == {people[0], people[2], "bot hard"}
    bob = club.account("Bob").person
    club.hall.run(club.accounts.bring_along("a guest", bob))
    assert set(club.standings.of("wabash")) == {people[0], bob, people[2], "bot hard"}
    club.hall.run(club.accounts.forget(people[2]))
    assert set(club.standings.of("wabash")) == {people[0], bob, "bot hard"}


@pytest.mark.usefixtures("all_accounts")
def test_whose_time_was_up_did_not_answer_in_time(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    control = TimeControl(CORRESPONDENCE, 86_400, 0, "easy")
    table, last = club.almost_over(people, time_control=control)
    seat = table.actor
    name = ["Ann", "Bob", "Cy", "Di"][seat]
    club.clock.advance(100_000)
    assert club.hall.run(time_out(table))
    change_player(table, people[seat], seat, "")
    act(table, [seat], seat, table.seq, last)
    found = seen(club, name, viewer=people[seat])
    assert found.reliability is not None
    assert found.reliability.decisions - found.reliability.in_time == 1
    assert found.reliability.percent == 100 * found.reliability.in_time // found.reliability.decisions < 100
    before = results_of(club.hall.store.engine, people[seat])
    record_again(club.hall.store, [table.id])
    assert results_of(club.hall.store.engine, people[seat]) == before


@pytest.mark.usefixtures("all_accounts")
def test_games_without_a_clock_say_nothing_of_answers(club: Club) -> None:
    people = [club.account(name).person for name in ("Ann", "Bob", "Cy", "Di")]
    table, last = club.almost_over(people)
    act(table, [table.actor], table.actor, table.seq, last)
    found = seen(club, "Ann", viewer=people[0])
    assert found.paces == [PaceRecord("", 1, None)]
    assert found.reliability is None
    assert found.games[0].page == ""  # not public


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 s"),
        (89, "89 s"),
        (90, "2 min"),
        (5399, "90 min"),
        (5400, "2 h"),
        (129_600, "2 days"),
        (700_000, "8 days"),
    ],
)
def test_lengths_of_time_are_told_roughly(seconds: float, words: str) -> None:
    assert about(seconds) == words


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
