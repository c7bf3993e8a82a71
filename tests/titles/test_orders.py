"""Standing orders of every title: what they do is always legal, and they are over when their stage is."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails.core.auction import Auction
from cuberails.core.order import BID, CHOOSE, PASS, RUN, Order, Orders, PastAction
from cuberails.core.playout import pick
from cuberails.core.state import State

PA = "the auction of PA"
RECORDS = Path(__file__).parents[1] / "records"
WITH_ORDERS = [key for key in cuberails.TITLES if cuberails.load(key).orders is not None]


def orders_of(state: State) -> Orders:
    orders = state.title.orders
    assert orders is not None
    return orders


def some_order(state: State, seat: int, rng: Random) -> Order | None:
    """An order that the seat could give now."""
    taken = orders_of(state)
    stage, found = taken.stage(state), list(taken.errands(state, seat))
    if stage and taken.takes_part(state, seat):
        texts = [action.text for action in taken.choices(state, seat)]
        if isinstance(state.phase, Auction):
            found.append(Order(BID, stage, [], rng.randrange(30)))
        elif texts and texts != ["pass"]:
            found.append(Order(CHOOSE, stage, rng.sample(texts, min(2, len(texts)))))
        if "pass" in texts:
            found.append(Order(PASS, stage, ["pass"]))
    return rng.choice(found) if found else None


def check_wanted(seat: int, done: str, order: Order, past: list[PastAction]) -> None:
    """Nothing is done but what was ordered, while its condition holds."""
    kind, _, amount = done.partition(" ")
    if order.kind == BID:
        assert kind == "pass" or (kind == "bid" and int(amount) <= order.limit)
    elif order.kind == PASS:
        assert done == "pass"
        assert {each.action for each in past if each.seat not in (seat, -1)} <= {"pass"}
    elif order.kind == CHOOSE:
        assert done in (order.actions if all(each.seat != seat for each in past) else ["done"])
    else:
        assert done in order.actions


def play_with_orders(state: State, rng: Random) -> set[str]:
    """Random play in which seats give orders; the kinds of those that did something."""
    taken, done = orders_of(state), set()
    given: dict[int, tuple[Order, list[PastAction]]] = {}
    while state.actor is not None and not state.too_long:
        for seat in range(state.players):
            order = some_order(state, seat, rng) if seat not in given and rng.random() < 0.2 else None
            if order is not None:
                assert taken.why_not(state, seat, order) == ""
                given[seat] = order, []
        actor, action, ordered = state.actor, None, False
        if actor in given:
            order, past = given[actor]
            action = None if taken.is_over(state, actor, order, past) else taken.answer(state, actor, order, past)
            ordered = action is not None
            if action is None:
                assert taken.is_over(state, actor, order, past) or taken.stage(state) != order.stage
        chosen = action or pick(state, rng)
        assert chosen in state.legal_actions()
        if ordered:
            check_wanted(actor, chosen.text, *given[actor])
            done.add(given[actor][0].kind)
        stage = taken.stage(state)
        state.play(chosen)
        for _, past in given.values():
            past.append(PastAction(actor, chosen.text, stage))
        given = {seat: each for seat, each in given.items() if not taken.is_over(state, seat, *each)}
    return done


@pytest.mark.parametrize("key", WITH_ORDERS)
def test_whatever_is_ordered_is_legal_when_it_is_done(key: str) -> None:
    kinds: set[str] = set()
    for seed in range(12):
        rng = Random(f"orders {key} {seed}")
        title = cuberails.load(key)
        state = cuberails.new(key, rng.randint(title.least_players, title.most_players))
        kinds |= play_with_orders(state, rng)
    expected = {
        "wabash": {BID, PASS},
        "gmo": {BID, PASS},
        "southern_rails": {CHOOSE},
        "baltimore_ohio": {CHOOSE, PASS, RUN},
    }
    assert kinds == expected[key]


def test_a_bid_goes_up_to_its_limit_then_passes() -> None:
    state = cuberails.new("wabash", 3)
    order, taken = Order(BID, PA, [], 9), orders_of(state)
    state.apply("bid 7")
    assert str(taken.answer(state, 1, order, [])) == "bid 8"
    state.apply("bid 9")
    assert taken.answer(state, 1, order, []) is None  # it is not asked
    state.apply("pass")
    state.apply("bid 10")
    assert str(taken.answer(state, 1, order, [])) == "pass"
    assert not taken.is_over(state, 1, order, [])
    state.apply("pass")
    assert taken.stage(state) == "the auction of B&O"
    assert taken.is_over(state, 1, order, [])


def test_passing_ends_when_somebody_else_does_more() -> None:
    state = cuberails.new("wabash", 3)
    order, taken = Order(PASS, PA, ["pass"]), orders_of(state)
    assert not taken.is_over(state, 1, order, [PastAction(0, "pass", PA), PastAction(-1, "roll", PA)])
    assert taken.is_over(state, 1, order, [PastAction(0, "bid 7", PA)])


def test_an_order_is_over_with_its_auction_even_if_another_one_has_the_same_name() -> None:
    state = cuberails.new("wabash", 3)
    order, taken = Order(BID, PA, [], 9), orders_of(state)
    assert not taken.is_over(state, 1, order, [PastAction(0, "bid 7", PA)])
    assert taken.is_over(
        state, 1, order, [PastAction(0, "pass", PA), PastAction(0, "expand PA", ""), PastAction(0, "bid 7", PA)]
    )


def test_of_two_railroads_each_is_run_in_its_turn() -> None:
    game = cuberails.read((RECORDS / "baltimore_ohio/4-players-greedy.txt").read_text())
    state = game.at(58).copy()
    seat, taken = state.phase.actor, orders_of(state)
    given = [order for order in taken.errands(state, seat) if order.actions[-1] == "retain"]
    assert [order.stage for order in given] == ["the turn of NYC", "the turn of B&M"]
    past: list[PastAction] = []
    while given:
        actor, stage = state.phase.actor, taken.stage(state)
        wanted = [taken.answer(state, seat, order, past) for order in given]
        chosen = next((action for action in wanted if action), None) or pick(state, Random(1))
        state.play(chosen)
        past.append(PastAction(actor, chosen.text, stage))
        given = [order for order in given if not taken.is_over(state, seat, order, past)]
    for stage in ("the turn of NYC", "the turn of B&M"):
        done = [each.action for each in past if each.stage == stage]
        assert done in (["done", "serve best", "retain"], ["done", "retain"])  # where all cities are served


def test_the_order_for_a_railroad_ends_when_somebody_else_presides() -> None:
    state = cuberails.read((RECORDS / "baltimore_ohio/4-players-greedy.txt").read_text()).at(58)
    order = orders_of(state).errands(state, state.phase.actor)[-1]
    other = (state.phase.actor + 1) % state.players
    assert not orders_of(state).is_over(state, state.phase.actor, order, [])
    assert orders_of(state).is_over(state, other, order, [])


def test_of_two_shares_the_second_is_taken_where_the_first_is_gone() -> None:
    state = cuberails.new("southern_rails", 3)
    first = "the draft of first shares"
    order, taken = Order(CHOOSE, first, ["take red", "take blue"]), orders_of(state)
    assert str(taken.answer(state, 0, order, [])) == "take red"
    state.apply("take red")
    assert str(taken.answer(state, 1, order, [])) == "take blue"
    state.apply("take blue")
    assert taken.is_over(state, 1, order, [PastAction(0, "take red", first), PastAction(1, "take blue", first)])
    third = Order(CHOOSE, "the draft of first shares", ["take red", "take blue"])
    assert taken.answer(state, 2, third, []) is None
    assert taken.is_over(state, 2, third, [])  # nothing of it is possible: the seat decides itself


@pytest.mark.parametrize(
    ("seat", "order", "words"),
    [
        (0, Order(BID, "the auction of NYC", [], 9), f"That order is for the auction of NYC; this is {PA}."),
        (0, Order(BID, PA, [], 1000), "A limit is a whole number from 0 to 999."),
        (0, Order(CHOOSE, PA, []), "Name one to 4 actions, the one that you like best first."),
        (0, Order(CHOOSE, PA, ["bid 999"]), "'bid 999' is not possible in the auction of PA."),
        (0, Order("dance", PA, []), "There is no kind of order 'dance'; the kinds are"),
        (0, Order(PASS, PA, ["bid 8"]), "You cannot pass in the auction of PA."),
        (0, Order(RUN, "the turn of PA", ["pay"]), "You run no railroad in that way."),
    ],
)
def test_an_order_that_cannot_be_given_is_refused_in_a_sentence(seat: int, order: Order, words: str) -> None:
    state = cuberails.new("wabash", 3)
    assert orders_of(state).why_not(state, seat, order).startswith(words)


def test_who_has_passed_is_out_of_the_auction() -> None:
    state = cuberails.new("wabash", 3)
    state.apply("pass")
    order = Order(BID, PA, [], 9)
    assert orders_of(state).why_not(state, 0, order) == "You are out of the auction of PA."
    assert orders_of(state).is_over(state, 0, order, [])
