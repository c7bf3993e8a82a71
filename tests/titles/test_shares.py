"""What shares are and pay, by the rules alone: fixed positions of every title, and the books of whole games."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import cuberails
from cuberails.core.event import Event, Forced
from cuberails.core.playout import pick
from cuberails.core.share import Share
from cuberails.core.state import State
from cuberails.core.title import SetupError
from cuberails.titles import shares_of
from cuberails.titles.southern_rails.events import Awarded
from tests.titles.baltimore_ohio.position import do as do_baltimore_ohio
from tests.titles.baltimore_ohio.position import position as baltimore_ohio
from tests.titles.credit_mobilier.position import position as credit_mobilier
from tests.titles.gmo.position import position as gmo
from tests.titles.gmo.position import sell
from tests.titles.southern_rails.position import do as do_southern_rails
from tests.titles.southern_rails.position import position as southern_rails
from tests.titles.wabash.position import do as do_wabash
from tests.titles.wabash.position import position as wabash

TABLES = [
    (key, players)
    for key in ("wabash", "gmo", "southern_rails", "credit_mobilier", "baltimore_ohio")
    for players in range(cuberails.load(key).least_players, cuberails.load(key).most_players + 1)
]


def share(state: State, name: str) -> Share:
    return next(each for each in shares_of(state.board).shares(state) if each.name == name)


def figures(state: State, name: str) -> dict[str, str]:
    return {figure.name: figure.text for figure in share(state, name).figures}


# Wabash Cannonball


def test_a_share_of_wabash_pays_less_with_every_share_that_is_sold() -> None:
    state = wabash("players 3 \n NYC treasury 4 shares 1 1 0 track B2")
    assert (share(state, "NYC").held, share(state, "NYC").left) == ([1, 1, 0], 3)
    assert figures(state, "NYC") == {
        "income": "8",
        "pays now": "$4",
        "with one more sold": "$3",  # 8 / 3, rounded up
        "with all 5 sold": "$2",
        "treasury": "$4",
    }


def test_the_last_share_of_wabash_dilutes_only_once() -> None:
    found = figures(wabash("players 2 \n PA shares 1 1"), "PA")
    assert (found["pays now"], found["with one more sold"]) == ("$4", "$3")
    assert "with all 3 sold" not in found
    assert "with one more sold" not in figures(wabash("players 2 \n PA shares 2 1"), "PA")


def test_a_railroad_that_nobody_owns_pays_nothing() -> None:
    found = figures(wabash("players 2 \n PA shares 1 1"), "Wabash")
    assert (found["income"], found["pays now"], found["with one more sold"]) == ("0", "$0", "$0")


def test_what_a_chicago_dividend_paid_to_whom() -> None:
    state = wabash("players 3 \n cash 0 0 0 \n NYC treasury 3 shares 1 2 1 track B2 \n Wabash shares 1 0 0")
    do_wabash(state, "expand NYC")
    paid = shares_of(state.board).paid_by(state, state.apply("build A2"))
    assert [(each.name, each.per_share, each.paid) for each in paid] == [("NYC", 3.0, [3, 6, 3])]


# Gulf, Mobile & Ohio

CHARTERED = "players 3 \n cash 30 30 30 \n SC green 0 I15 I14 I13 \n CEN red 1+2 J13 J12 J11"


def test_a_charter_pays_more_while_its_common_share_is_unsold() -> None:
    state = gmo(CHARTERED)
    assert figures(state, "SC charter") == {
        "pays now": "$5",
        "once its common share is put up": "$3",
        "next dividend": "after 2 common shares sold",
    }
    assert figures(state, "CEN charter")["pays now"] == "$3"
    assert figures(state, "SC common share")["pays once sold"] == "$3"
    assert (share(state, "CEN common share").held, share(state, "CEN common share").left) == ([0, 0, 1], 0)
    assert (share(state, "VC charter").held, share(state, "VC charter").left) == ([0, 0, 0], 1)
    assert figures(gmo(f"{CHARTERED} \n marker 1"), "SC charter")["next dividend"] == "after 1 common share sold"


def test_a_charter_is_turned_over_as_soon_as_its_common_share_is_put_up() -> None:
    """Before anybody has bought it [G5.2]; the table tells the same."""
    state = gmo(CHARTERED)
    state.apply("common SC")
    assert figures(state, "SC charter")["pays now"] == "$3"
    assert "once its common share is put up" not in figures(state, "SC charter")
    assert figures(state, "SC common share")["pays once sold"] == "$3"


def test_a_charter_that_is_not_available_is_no_share_yet() -> None:
    state = gmo(CHARTERED)
    names = [each.name for each in shares_of(state.board).shares(state)]
    waiting = [n for n in range(state.board.count) if not state.opened >> n & 1]
    assert waiting
    assert all(f"{state.board.railroads[n]} charter" not in names for n in waiting)


def test_the_dividend_of_gmo_by_share() -> None:
    state = gmo(f"{CHARTERED} \n marker 1")
    sell(state, "common SC", 0)
    assert state.marker == 0  # dividends were paid: see the whole games below for the books
    assert figures(state, "SC charter")["pays now"] == "$3"
    assert state.cash == [30 + 3 + 3, 30 + 3, 30 + 3]  # seat 0 bought the common share of its own railroad for $0


# Southern Rails


def test_what_a_share_scores_if_the_round_ended_now_and_with_one_cube_more() -> None:
    # Blue has the red city Savannah, and next to H11 are Augusta and Charleston.
    state = southern_rails(
        "players 3 \n red shares 1 0 0 track F12 G11 \n blue shares 0 1 0 track I11 H11 \n yellow shares 0 0 1 track K1"
    )
    assert figures(state, "red")["scores now"] == "3 points"  # blue cities 1, revenue 2
    assert figures(state, "blue")["scores now"] == "1 point"  # red cities
    assert figures(state, "yellow")["scores now"] == "0 points"
    assert figures(state, "blue")["with one cube more"] == "+2 points in G11 Augusta"  # 5 against 4 in revenue
    assert figures(state, "yellow")["with one cube more"] == "+0 points"
    assert figures(state, "red")["scoring rounds left"] == "4"


def test_one_cube_more_never_takes_a_point_that_the_board_does_not_give() -> None:
    state = southern_rails("players 3 \n red shares 1 1 1 track F12 G11 \n blue shares 1 0 0 track I11 H11")
    before = figures(state, "blue")["scores now"]
    do_southern_rails(state, "place blue H12")
    assert (before, figures(state, "blue")["scores now"]) == ("1 point", "3 points")


# Credit Mobilier


def test_a_treasury_is_shared_by_the_shares_that_are_held() -> None:
    state = credit_mobilier("players 3 \n red treasury 6 shares 2 1 1 \n blue treasury 3 \n purple treasury 2")
    assert figures(state, "Red") == {
        "treasury": "$6",
        "shares held": "4",
        "next round pays": "$1 a share",
        "if all were paid out": "$1.50 a share",
        "with one more share held": "$1.20 a share",
    }
    assert figures(state, "Blue") == {
        "treasury": "$3",
        "shares held": "0",
        "with one more share held": "$3 a share",
    }


# Baltimore & Ohio

MARKET = "players 3 \n cash 10 10 10 \n B&O value 66 shares 3 2 0 treasury 40 track G22 equipment 1 1 net 50"


def test_value_and_dividends_at_this_tech_and_the_next() -> None:
    state = baltimore_ohio(MARKET)
    found = figures(state, "B&O")
    assert (found["value"], found["last net income"], found["treasury"]) == ("$66", "$50", "$40")
    assert (share(state, "B&O").held, share(state, "B&O").left) == ([3, 2, 0], 5)
    incomes = [[state.board.income[tech][n] for n in state.board.grid.hexes(state.track[0])] for tech in (1, 2)]
    for tech, earned in zip((1, 2), incomes, strict=True):
        net = sum(earned) - 2 * state.board.maintenance[tech]
        assert found[f"dividend at tech {tech}"].startswith(f"${max(net, 0) // 10} (net ")
    assert shares_of(state.board).value(state, "B&O") == 66.0


def test_a_railroad_without_profit_pays_nothing() -> None:
    state = baltimore_ohio("players 3 \n deck 11 \n B&O value 66 shares 1 0 0 equipment 1 1 1")
    assert figures(state, "B&O")["dividend at tech 3"].startswith("$0 (net −$")


def test_a_railroad_that_is_not_running_has_no_value() -> None:
    state = baltimore_ohio("players 3 \n B&O value 66 shares 1 0 0 \n PA track G22 G20")
    assert figures(state, "PA") == {"value": "in receivership", "can start at": "$55, $60, or $66"}
    assert figures(state, "NYC")["value"] == "not started"
    assert shares_of(state.board).value(state, "PA") == 0.0


def test_what_a_dividend_of_baltimore_ohio_paid_to_whom() -> None:
    state = baltimore_ohio("players 3 \n business 1 \n B&O value 66 shares 3 2 0 track G22 equipment 1 net 10")
    do_baltimore_ohio(state, "done")
    before = state.cash
    paid = shares_of(state.board).paid_by(state, state.apply("pay"))
    assert [(each.name, each.per_share, each.paid) for each in paid] == [("B&O", 1.0, [3, 2, 0])]  # net income $10
    assert [now - then for now, then in zip(state.cash, before, strict=True)] == paid[0].paid


# All titles


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_payments_are_what_the_events_say_in_whole_games(key: str, players: int) -> None:
    """Random play reaches every kind of payment; what shares paid adds up to what the seats got."""
    rng, payments = Random(f"shares {key} {players}"), 0
    for _ in range(4):
        state = cuberails.new(key, players)
        while state.legal_actions() and not state.too_long:
            events = state.apply(pick(state, rng))
            paid = shares_of(state.board).paid_by(state, events)
            names = {each.name: each for each in shares_of(state.board).shares(state)}
            for each in paid:
                assert sum(each.paid) == pytest.approx(each.per_share * sum(names[each.name].held))
            assert [sum(each.paid[seat] for each in paid) for seat in range(players)] == dividends(events, players)
            payments += len(paid)
    assert payments


def dividends(events: list[Event], players: int) -> list[int]:
    """What seats got for their shares, by the events' own account."""
    total = [0] * players
    for each in events:
        event = each.event if isinstance(each, Forced) else each
        for gain in event.gains():
            if "dividends" in gain.source or isinstance(event, Awarded):
                for seat, amount in enumerate(gain.amounts):
                    total[seat] += amount
    return total


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_credit_changes_what_decides_the_game_and_nothing_else(key: str, players: int) -> None:
    state = cuberails.new(key, players)
    before = state.scores()
    copy = state.copy()
    shares_of(state.board).credit(copy, 1, 7)
    assert [now - then for now, then in zip(copy.scores(), before, strict=True)] == [0, 7] + [0] * (players - 2)
    assert state.scores() == before


def test_a_title_need_not_say_what_its_shares_are() -> None:
    board: Any = SimpleNamespace(derived={}, title=SimpleNamespace(shares=None, name="Slate Lines"))
    with pytest.raises(SetupError, match=r"Slate Lines does not say what its shares are: it needs a room shares\.py"):
        shares_of(board)
