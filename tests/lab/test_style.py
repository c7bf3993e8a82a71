"""Habits of players, told from games: in recorded ones the answers can be counted in the record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cuberails import TITLES, load
from cuberails.core.event import Ended
from cuberails.core.game import Game
from cuberails.core.habits import Amounts, Frequency, Habit, Habits, Tally
from cuberails.core.record import read_record
from cuberails.core.state import State
from cuberails.core.title import SetupError
from cuberails.lab import Match, play_one
from cuberails.lab.executor import Local
from cuberails.lab.style import CommonHabits, habits_of, style, watch_one, watched
from tests.lab.boards import WABASH
from tests.titles.baltimore_ohio.position import position as baltimore_ohio
from tests.titles.credit_mobilier.position import position as credit_mobilier
from tests.titles.wabash.position import position as wabash

RECORDS = Path(__file__).parent.parent / "records"
RANDOMS = Match(WABASH, 3, ("random",), seed=3)


def recorded(file: str) -> Game:
    return read_record((RECORDS / file).read_text("utf-8"), load)


def habits_in(first: State, *actions: str) -> dict[str, Habit]:
    """The habits in the game that these actions make, by what they say."""
    return {habit.what: habit for habit in habits_of(first, [first.parse(text) for text in actions])}


def habits_recorded(file: str) -> dict[str, Habit]:
    game = recorded(file)
    return habits_in(game.at(0), *(step.action.text for step in game.steps))


def times(habit: Habit) -> tuple[int, int]:
    assert isinstance(habit, Frequency)
    return habit.times, habit.of


def seen(habit: Habit) -> list[int] | list[str]:
    assert isinstance(habit, (Amounts, Tally))
    return habit.seen


# What every title shows


@pytest.mark.parametrize("key", TITLES)
def test_every_ending_that_was_recorded_is_known_to_the_title(key: str) -> None:
    """They are told as never seen where they do not occur, so they must be worded as the rules word them."""
    known = endings_of(load(key).board.new(3))
    assert known
    for file in sorted((RECORDS / key).glob("*.txt")):
        game = recorded(f"{key}/{file.name}")
        (ending,) = (event.why for event in game.events(game.count - 1)[0] if isinstance(event, Ended))
        assert ending in known


def endings_of(first: State) -> list[str]:
    own = first.title.habits
    assert own is not None
    return own(first).endings(first.board)


def test_endings_openings_and_idle_money_are_seen_in_any_title() -> None:
    found = habits_recorded("wabash/5-players-sold-out.txt")
    assert seen(found["how games end"]) == ["3 or more railroads have sold all their shares (W11.1)"]
    assert seen(found["the first 5 decisions"]) == ["bid 23; bid 24; bid 14; bid 17; bid 21"]
    assert seen(found["left in the treasury of NYC"]) == [57]
    assert seen(found["left in all treasuries together"]) == [37 + 54 + 34 + 57]
    assert seen(found["railroads never started"]) == ["Wabash"]


def test_a_railroad_that_never_builds_is_named() -> None:
    """The cube in its start city is no build, and neither is a start that came to nothing."""
    first = wabash("players 2 \n cash 0 0 \n PA treasury 20 shares 1 0 \n NYC shares 0 1")
    found = habits_in(first, "expand PA", "build R4", "done")
    assert seen(found["railroads started that built nothing"]) == ["B&O", "C&O", "NYC"]
    cancelled = habits_recorded("gmo/4-players-cancelled-charter.txt")
    assert "VC" in seen(cancelled["railroads never started"])
    assert seen(cancelled["railroads started that built nothing"]) == []


def test_a_company_that_may_not_build_is_not_blamed() -> None:
    found = habits_recorded("credit_mobilier/3-players-random.txt")
    assert seen(found["railroads started that built nothing"]) == []


def test_a_title_without_habits_of_its_own_shows_what_all_show() -> None:
    first = WABASH.new(3)
    common = CommonHabits(first, Habits(first))
    ending = common.found(first)[0]
    assert isinstance(ending, Tally)
    assert (ending.possible, ending.seen) == ([], ["stopped: too long"])


# What only one title shows


def test_wabash_chicago() -> None:
    first = wabash("players 2 \n cash 0 0 \n PA treasury 20 shares 1 1 track B2 \n Wabash shares 0 1")
    found = habits_in(first, "expand PA", "build A2", "done")
    assert times(found["games in which a railroad reached Chicago"]) == (1, 1)
    found = habits_recorded("wabash/3-players-greedy.txt")
    assert times(found["games in which a railroad reached Chicago"]) == (0, 1)


def test_wabash_expansions_for_nothing() -> None:
    """Only the first is a waste: the second seat has no railroad that could build."""
    first = wabash("players 2 \n cash 0 0 \n PA treasury 21 shares 1 0 \n NYC treasury 0 shares 0 1")
    found = habits_in(first, "expand nothing", "expand nothing")
    assert times(found["expansions of nothing though a railroad of theirs could build"]) == (1, 1)
    assert times(found["… of these by the only owner of such a railroad"]) == (1, 1)
    assert seen(found["… and the most in the treasury of one then"]) == [21]


def test_wabash_prices() -> None:
    found = habits_recorded("wabash/5-players-sold-out.txt")
    assert [seen(found[f"paid for the first share of {name}"]) for name in ("PA", "NYC")] == [[24], [24]]
    assert seen(found["paid for a later share of PA"]) == [10, 9]


def test_southern_rails_a_category_that_scores_seldom() -> None:
    """A leader whose shares nobody holds gives no points."""
    found = habits_recorded("southern_rails/5-players-random.txt")
    assert times(found["scoring rounds in which “fewest shares” gave points"]) == (2, 4)
    assert times(found["scoring rounds in which “most red cities” gave points"]) == (0, 4)
    found = habits_recorded("southern_rails/5-players-nobody-can-place.txt")
    assert times(found["scoring rounds with a leader in “fewest shares”"]) == (4, 4)
    assert times(found["scoring rounds in which “fewest shares” gave points"]) == (0, 4)


def test_credit_mobilier_steps_that_are_taken_back() -> None:
    first = credit_mobilier("players 2 \n red goods B6 D6 track B6S B6W \n blue goods A6")
    steps = ("move red B6 south", "move red C6 north", "move red B6 west")
    found = habits_in(first, "roll RRRPP", *steps)
    assert times(found["steps of pawns that go north or south and earn nothing"]) == (2, 3)
    assert times(found["… of these that take back an earlier one"]) == (1, 2)


def test_credit_mobilier_early_money() -> None:
    found = habits_recorded("credit_mobilier/3-players-random.txt")
    assert times(found["shares bought in the first 10 rounds that are of the Credit Mobilier"]) == (1, 7)
    assert seen(found["pay-outs in the first 10 rounds"]) == [2]
    assert seen(found["round of the first pay-out"]) == [4]


def test_gmo_money_and_charters() -> None:
    found = habits_recorded("gmo/4-players-cancelled-charter.txt")
    assert seen(found["cash of a seat at the end, which counts nothing"]) == [1, 2, 0, 9]
    assert times(found["charters that could not be completed"]) == (4, 17)
    assert seen(found["paid for the first charter"]) == [30]
    assert seen(found["paid for the last charter"]) == [12]


def test_baltimore_ohio_railroads_that_cannot_buy_a_card() -> None:
    found = habits_recorded("baltimore_ohio/4-players-receivership-and-restart.txt")
    assert times(found["railroads started that had no card after it"]) == (12, 16)
    assert times(found["railroads started that never had a card"]) == (11, 16)
    assert times(found["railroads started that went into receivership"]) == (16, 16)
    assert seen(found["Market Rounds"]) == [6]


def test_baltimore_ohio_a_share_sold_for_less_than_it_pays_in_the_same_set() -> None:
    """It is sold for $34, and pays $21 in each Business Round of the set."""
    first = baltimore_ohio("players 3 \n cash 0 0 0 \n B&O value 34 shares 3 1 0 equipment 1 coal 5")
    market, business = ("sell B&O 1", "pass", "pass"), ("done", "pay")
    cheap = "sales for less than a share paid later in the same set"
    assert times(habits_in(first, *market, *business)[cheap]) == (0, 1)
    found = habits_in(first, *market, *business, *business)
    assert times(found[cheap]) == (1, 1)
    assert times(found["… of these that sell a single share, of all that do"]) == (1, 1)


def test_baltimore_ohio_trades_that_are_taken_back() -> None:
    first = baltimore_ohio("players 3 \n cash 50 0 0 \n B&O value 34 shares 3 4 0")
    found = habits_in(first, "buy B&O 1", "pass", "sell B&O 1")
    assert times(found["sales of what the seat bought in the same Market Round"]) == (1, 1)
    assert times(found["purchases of what the seat sold in the Market Round before"]) == (0, 1)


# Many games


def test_the_games_are_those_of_a_simulation() -> None:
    found = {habit.what: habit for habit in watch_one(RANDOMS, 2)}
    played = play_one(RANDOMS, 2)
    assert seen(found["decisions"]) == [played.decisions]
    assert seen(found["score of the winner"]) == [max(played.scores)]
    assert seen(found["how games end"]) == [played.ending]


def test_games_add_up_the_same_in_any_number_of_processes() -> None:
    alone = style(RANDOMS, watched(RANDOMS, 3))
    with Local(2) as executor:
        assert style(RANDOMS, watched(RANDOMS, 3, executor)) == alone
    found = {habit.what: habit for habit in alone.habits}
    assert alone.games == 3
    assert len(seen(found["decisions"])) == 3
    assert times(found["games in which a railroad reached Chicago"])[1] == 3


def test_habits_of_a_topic_stand_together() -> None:
    topics = [habit.topic for habit in style(RANDOMS, [watch_one(RANDOMS, 0)]).habits]
    assert topics == sorted(topics, key=topics.index)


def test_figures_as_json() -> None:
    found = json.loads(json.dumps(style(RANDOMS, watched(RANDOMS, 2)).to_json()))
    assert (found["title"], found["games"], found["bots"]) == ("wabash", 2, ["random"])
    habits = {habit["what"]: habit for habit in found["habits"]}
    assert habits["games in which a railroad reached Chicago"]["of"] == 2
    assert sum(habits["how games end"]["seen"].values()) == 2
    assert len(habits["how games end"]["never"]) < 4
    decisions = habits["decisions"]
    assert decisions["least"] <= decisions["mean"] <= decisions["most"]
    assert habits["paid for the first share of Wabash"]["mean"] is None


def test_a_match_that_cannot_be_played_is_refused_before_it_begins() -> None:
    with pytest.raises(SetupError, match="2 to 6 players, not 9"):
        watched(Match(WABASH, 9, ("greedy",)), 1)
