"""What shares are worth: at once by the rules, and with play-outs and fair prices."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails.bots.playouts import Expectation, expectation
from cuberails.bots.worth import LEAST_PLAYS
from cuberails.core.playout import pick
from cuberails.core.share import Correction
from cuberails.core.title import SetupError
from cuberails.titles.southern_rails.rules import LATER, lay_out
from tests.bots.test_endgame import last_colour, last_service
from tests.bots.test_price import last_auction
from tests.titles.baltimore_ohio.position import position as baltimore_ohio
from tests.titles.credit_mobilier.position import position as credit_mobilier
from tests.titles.southern_rails.position import position as southern_rails
from tests.titles.test_shares import TABLES
from tests.titles.wabash.position import do as do_wabash

PLAYS = 2
RECORDS = Path(__file__).parent.parent / "records"


def game_of(key: str, players: int, count: int) -> cuberails.Game:
    """A game after some random actions."""
    game, rng = cuberails.Game(cuberails.load(key).board, [f"Seat {n}" for n in range(players)]), Random(7)
    for _ in range(count):
        game.apply(pick(game.state, rng))
    return game


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_every_share_at_every_table(key: str, players: int) -> None:
    game = game_of(key, players, 40)
    found = cuberails.worth(game)
    assert found.seat == game.state.phase.actor or found.seat is None
    assert found.shares
    assert not found.prices
    for each in found.shares:
        assert len(each.held) == len(each.paid) == players
        assert each.figures
        assert each.will_pay is None
    assert json.loads(json.dumps(found.to_json()))["shares"][0]["figures"][0].keys() == {"name", "text"}


@pytest.mark.parametrize("key", ["wabash", "southern_rails", "gmo", "credit_mobilier"])
def test_play_outs_are_the_same_by_the_same_seed(key: str) -> None:
    game = game_of(key, 3, 30)
    found = cuberails.worth(game, PLAYS, seed=1)
    assert found == cuberails.worth(game, PLAYS, seed=1)
    assert found != cuberails.worth(game, PLAYS, seed=2)
    for each in found.shares:
        assert each.will_pay is not None
        assert each.will_pay.low <= each.will_pay.mean <= each.will_pay.high
        assert sum(part for _, _, part in each.will_pay.bars) == pytest.approx(1)


def test_what_was_paid_is_known_of_a_game_only() -> None:
    game = game_of("wabash", 3, 100)
    paid = [each.paid for each in cuberails.worth(game).shares]
    assert sum(map(sum, paid)) > 0
    assert all(each.paid == [] for each in cuberails.worth(game.state).shares)


def test_a_game_that_is_over_pays_nothing_any_more() -> None:
    game = game_of("wabash", 3, 0)
    rng = Random(2)
    while game.state.legal_actions():
        game.apply(pick(game.state, rng))
    for each in cuberails.worth(game, PLAYS).shares:
        assert each.will_pay == Expectation(0.0, 0, 0, [(0, 1, 1.0)], PLAYS)


def test_at_the_end_a_share_only_counts_its_value() -> None:
    game = cuberails.read((RECORDS / "baltimore_ohio" / "3-players-greedy.txt").read_text("utf-8"))
    found = {each.name: each.figures for each in cuberails.worth(game).shares}
    assert found["NYC"] == [("counts", "$121")]
    wabash = cuberails.read((RECORDS / "wabash" / "3-players-greedy.txt").read_text("utf-8"))
    assert all(each.figures == [] for each in cuberails.worth(wabash).shares)


def test_a_share_that_cannot_pay_any_more_is_expected_to_pay_nothing() -> None:
    """GM&O: the railroad of the last colour is being built, and no dividend can be due before that ends the game."""
    found = cuberails.worth(last_colour(), PLAYS).shares
    assert {each.name for each in found} >= {"SC charter", "SC common share", "SOU charter"}
    assert all(each.will_pay == Expectation(0.0, 0, 0, [(0, 1, 1.0)], PLAYS) for each in found)


def test_the_last_share_of_a_game_pays_what_the_rules_say() -> None:
    """Wabash: whoever gets the third share of NYC, its income of $17 is paid once more, rounded up [W10.2]."""
    found = {each.name: each.will_pay for each in cuberails.worth(do_wabash(last_auction(), "bid 8"), PLAYS).shares}
    assert found["NYC"] == Expectation(6.0, 6, 6, [(6, 7, 1.0)], PLAYS)
    assert found["PA"] == found["Wabash"] == Expectation(0.0, 0, 0, [(0, 1, 1.0)], PLAYS)


def test_when_little_is_left_a_share_counts_its_value() -> None:
    """Baltimore & Ohio: only B&O still runs; it may pay, and rise or drop. All others count what they are worth."""
    state = last_service()
    for each in cuberails.worth(state, PLAYS).shares:
        assert each.will_pay is not None
        if each.name != "B&O":
            value = dict(each.figures)["value"]
            assert (f"${each.will_pay.mean:.0f}", each.will_pay.low) == (value, each.will_pay.high)


def test_what_cannot_be_asked_is_said() -> None:
    with pytest.raises(SetupError, match="plays must be at least 0, not -1"):
        cuberails.worth(cuberails.new("wabash", 3), -1)
    for seat in (-1, 3):
        with pytest.raises(SetupError, match=f"there is no seat {seat}: seats are numbered from 0 to 2"):
            cuberails.worth(cuberails.new("wabash", 3), seat=seat)


def test_what_on_progress_raises_ends_the_work() -> None:
    class Cancelled(Exception):
        pass

    def cancel(part: float) -> None:
        parts.append(part)
        if len(parts) == 3:
            raise Cancelled

    parts: list[float] = []
    with pytest.raises(Cancelled):
        cuberails.worth(cuberails.new("wabash", 3), 10, on_progress=cancel)
    assert len(parts) == 3


def test_progress_rises_to_the_end_and_time_can_be_limited() -> None:
    parts: list[float] = []
    found = cuberails.worth(game_of("wabash", 3, 100), 10, seconds=0.0, on_progress=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    assert {each.will_pay.plays for each in found.shares if each.will_pay} == {LEAST_PLAYS}


def test_what_is_auctioned_is_called_as_among_the_shares() -> None:
    state = cuberails.new("gmo", 3)
    found = cuberails.worth(state, 1)
    assert found.prices[0].lot == "SC charter"
    assert "SC charter" in [share.name for share in found.shares]


def test_the_price_of_the_first_share_in_words() -> None:
    (price,) = cuberails.worth(cuberails.new("wabash", 3), 1).prices
    assert (price.lot, price.kind) == ("PA", "auction")
    assert price.winner is not None
    assert price.limits[price.winner] is not None
    assert price.words.startswith(f"you: up to ${price.limits[0]}, seat ")
    assert f", so expect ${price.low}" in price.words
    named = cuberails.worth(game_of("wabash", 3, 0), 1, seat=1).prices[0].words
    assert named.startswith("you: up to $")
    assert "Seat 0: up to $" in named
    assert "Seat 1" not in named


PLAIN = Correction()


def test_bars_are_of_equal_width_and_begin_at_round_numbers() -> None:
    found = expectation([float(n) for n in range(3, 40)], 0.0, PLAIN)
    assert [low for low, _, _ in found.bars] == list(range(0, 40, 5))
    assert (found.mean, found.low, found.high) == (21.0, 5, 37)
    assert expectation([2.5] * 10, 2.5, PLAIN).bars == [(2, 3, 1.0)]


def test_a_correction_takes_growth_further_and_the_range_wider() -> None:
    found = expectation([8.0, 10.0, 12.0], 5.0, Correction(growth=1.2, width=2.0))
    assert found.mean == pytest.approx(5 + 1.2 * (10 - 5))
    assert (found.low, found.high) == (7, 15)  # 11 - 2 * 2, 11 + 2 * 2


def test_where_all_play_outs_agree_nothing_is_corrected() -> None:
    assert expectation([6.0] * 5, 9.0, Correction(growth=0.9, width=3.0)).mean == 6.0


def test_what_is_certain_is_not_corrected() -> None:
    certain = expectation([6.0] * 5, 6.0, Correction(growth=1.5, width=3.0))
    assert (certain.mean, certain.low, certain.high) == (6.0, 6, 6)


def test_a_share_in_the_market_is_worth_what_its_value_and_dividends_are() -> None:
    """Baltimore & Ohio: PA runs at a profit and pays next, so a share is worth more than it costs."""
    state = baltimore_ohio(
        "players 3 \n cash 400 400 400 \n PA value 60 shares 3 2 0 equipment 1 1 net 100 treasury 200"
    )
    prices = {price.lot: price for price in cuberails.worth(state, 1).prices if price.kind == "market"}
    assert list(prices) == ["PA"]
    assert prices["PA"].low == prices["PA"].high == 60
    assert prices["PA"].winner is None
    assert all(limit is not None and 60 < limit <= 400 for limit in prices["PA"].limits)
    assert prices["PA"].words.startswith("you: up to $")
    assert prices["PA"].words.endswith("; it costs $60")


def test_the_start_of_a_railroad_has_a_price_a_share() -> None:
    prices = cuberails.worth(baltimore_ohio("players 3 \n cash 200 90 0"), 1).prices
    assert {price.kind for price in prices} == {"start"}
    for price in prices:
        number = int(price.lot.split()[-2])
        for limit, cash in zip(price.limits, (200, 90, 0), strict=True):
            assert limit is None or limit * number <= cash


def test_a_draft_pick_is_worth_points() -> None:
    state = southern_rails("players 3 \n red shares 1 1 1 track F12 G11 \n blue shares 1 0 0 track I11 H11")
    lay_out(state, LATER)
    state.settle()
    prices = {price.lot: price for price in cuberails.worth(state, 1).prices}
    assert {price.kind for price in prices.values()} == {"draft pick"}
    assert (prices["red"].low, prices["red"].high) == (0, 0)
    words = r"you: up to [\d.]+ points?, seat \d: up to .*[\d.]+ points?; with it your chance is \d+ %"
    assert re.fullmatch(words, prices["red"].words)
    (told,) = (price.words for price in cuberails.worth(state, 1, seat=1).prices if price.lot == "red")
    assert told.startswith("you: up to ")
    assert "; with it seat 1's chance is " in told
    for seat in range(3):  # something must be taken: the least of all is what a seat has anyway
        assert min(price.limits[seat] or 0 for price in prices.values()) == 0
        assert max(price.limits[seat] or 0 for price in prices.values()) > 0


def test_a_certificate_costs_a_dollar_and_is_worth_what_its_treasury_pays() -> None:
    """Credit Mobilier: of a full treasury each share gets its part, of one that stays empty nothing."""
    state = credit_mobilier(
        """players 3 \n cash 9 9 9 \n red treasury 30 shares 1 1 1 goods A1 A2 A3 \n blue shares 1 1 1 goods D1 D2 D3 D4
        yellow goods A6 A5 B5 B6 C2 \n green goods C6 C5 C1 C2 C3"""
    )
    state.play(next(roll for roll in state.legal_actions() if roll.text == "roll RRBOO"))
    prices = {price.lot: price for price in cuberails.worth(state, 1).prices}
    assert {(price.kind, price.low, price.chance) for price in prices.values()} == {("certificate", 1, None)}
    red, blue = (prices[name].limits[0] or 0 for name in ("Red", "Blue"))
    assert red > 1 >= blue > 0
    assert any(limit and limit % 1 for limit in prices["Red"].limits)  # what costs a dollar is not told in whole ones
