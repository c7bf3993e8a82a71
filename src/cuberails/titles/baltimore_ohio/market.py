"""Trading shares in Baltimore & Ohio: what the rules B5 to B7 forbid, and what a trade does.

Numbers in brackets are those of rules.md. When a seat may trade is for `MarketTurn` in rules.py to say.
"""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.state import Refusal
from cuberails.core.wording import either, sentence
from cuberails.titles.baltimore_ohio.board import BUY, BUY_ORPHANS, BUYBACK, SELL, START
from cuberails.titles.baltimore_ohio.events import Started, Traded
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio, Round

# Where shares are bought from
FROM_HELD: Final = 1
FROM_ORPHANS: Final = 2


def possible_deals(legal: list[Action], selling: bool) -> str:
    """What can be done in the market, in words; `selling` once something was sold in this turn."""
    kinds = {action.kind for action in legal}
    able = ["sell another railroad" if selling else "sell shares"] * (SELL in kinds)
    able += ["buy into a railroad"] * (BUY in kinds or BUY_ORPHANS in kinds) + ["start one"] * (START in kinds)
    able += ["buy back orphans"] * (BUYBACK in kinds)
    return sentence(either([*able, "done" if selling else "pass"]))


# B5 Selling


def refuse_sale(state: BaltimoreOhio, seat: int, rr: int, number: int) -> Refusal | None:
    """A seat sells what it has, but not the last share of a railroad [B5.1, B5.2]."""
    name, own = state.board.railroads[rr], state.holdings(rr)[seat]
    if number > own:
        return Refusal("B5.1", f"you have {_count(own, 'share')} of {name}")
    if number == state.owned(rr):
        return Refusal("B5.2", f"at least one share of {name} must stay with a player")
    return None


def sell(state: BaltimoreOhio, seat: int, rr: int, number: int) -> None:
    """All are paid at the value before the drop; they become orphans [B5.3, B5.4, B8.2]."""
    value, now = state.value(rr), state.round
    again = now.sold[seat] >> rr & 1
    if not again:
        sold = now.sold[:]
        sold[seat] |= 1 << rr
        state.round = Round(now.sets, now.business, now.order, sold)
    state.earn(seat, number * value)
    state.take_in(rr, 0, number)
    if state.listening:
        price, name = number * value, state.board.railroads[rr]
        state.tell(Traded(seat, name, f"sells {number} {name}", price, -price))
    state.give(seat, rr, -number)
    if not again or state.options["sale_drop"] == "turn":
        state.revalue(rr, -1, "shares sold")


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number or 'no'} {what}s"


# B6 Buying


def refuse_purchase(state: BaltimoreOhio, seat: int, rr: int, number: int, source: int) -> Refusal | None:
    """A seat buys what there is of a railroad that it has not sold, and pays in full [B5.5, B6.3]."""
    name = state.board.railroads[rr]
    if not state.running(rr):
        return Refusal("B7.1", f"{name} is not running; it has to be started")
    if state.round.sold[seat] >> rr & 1:
        return Refusal("B5.5", f"you have sold {name} in this Market Round")
    there = state.held[rr] if source == FROM_HELD else state.orphans[rr]
    if number > there:
        return Refusal("B6.3", f"{name} has {_count(there, 'held share' if source == FROM_HELD else 'orphan')}")
    return refuse_price(state, seat, number, state.value(rr))


def refuse_price(state: BaltimoreOhio, seat: int, number: int, value: int) -> Refusal | None:
    """A seat pays with the cash that it has [B6.3]."""
    if number * value > state.cash[seat]:
        return Refusal("B6.3", f"{_costs(number, value)} and you have ${state.cash[seat]}")
    return None


def _costs(number: int, value: int) -> str:
    return f"1 share costs ${value}" if number == 1 else f"{number} shares cost ${number * value}"


def buy(state: BaltimoreOhio, seat: int, rr: int, number: int, source: int) -> None:
    """Held shares are paid into the treasury, orphans to the bank; the value stays [B6.2]."""
    price = number * state.value(rr)
    state.earn(seat, -price)
    if source == FROM_HELD:
        state.take_in(rr, -number, 0)
        state.fund(rr, price)
    else:
        state.take_in(rr, 0, -number)
    if state.listening:
        where = "" if source == FROM_HELD else " from the orphans"
        name = state.board.railroads[rr]
        state.tell(Traded(seat, name, f"buys {number} {name}{where}", price, price))
    state.give(seat, rr, number)


def refuse_buyback(state: BaltimoreOhio, seat: int, rr: int, number: int) -> Refusal | None:
    """The president decides, and the treasury pays for orphans that there are [B6.4]."""
    name = state.board.railroads[rr]
    if not state.running(rr):
        return Refusal("B6.4", f"{name} is not running")
    if state.president[rr] != seat:
        return Refusal("B6.4", f"only the president of {name} decides on a buyback")
    if number > state.orphans[rr]:
        return Refusal("B6.4", f"{name} has {_count(state.orphans[rr], 'orphan')}")
    if number * state.value(rr) > state.treasury[rr]:
        return Refusal("B6.4", f"{_costs(number, state.value(rr))} and {name} has ${state.treasury[rr]}")
    return None


def buy_back(state: BaltimoreOhio, seat: int, rr: int, number: int) -> None:
    """The railroad pays the bank for its orphans and holds them again [B6.4]."""
    price = number * state.value(rr)
    state.fund(rr, -price)
    state.take_in(rr, number, -number)
    if state.listening:
        name = state.board.railroads[rr]
        state.tell(Traded(seat, name, f"lets {name} buy back {number} of its orphans", price, 0))


# B7 Starting a railroad


def start_boxes(state: BaltimoreOhio, rr: int) -> list[int]:
    """Where the counter of a railroad that is not running may start now [B7.2, B7.5]."""
    if state.in_receivership(rr) and state.options["restart"] != "initial":
        return [state.board.restart_box]
    return state.board.initial[state.tech]


def cheapest_start(state: BaltimoreOhio) -> int:
    """The least that one share of a railroad that may be started costs [B2.3]."""
    board = state.board
    stopped = [rr for rr in board.available[state.tech] if not state.running(rr)]
    return min(board.values[box] for rr in stopped for box in start_boxes(state, rr))


def refuse_start(state: BaltimoreOhio, seat: int, rr: int, number: int, box: int) -> Refusal | None:
    """Which railroads start, at what valuations, and that the shares are paid [B7.1-B7.3, B7.5]."""
    board = state.board
    name, allowed = board.railroads[rr], start_boxes(state, rr)
    if state.running(rr):
        return Refusal("B7.1", f"{name} is running already")
    if board.from_tech[rr] > state.tech:
        return Refusal("B7.1", f"{name} is available from tech {board.from_tech[rr]} on")
    if box not in allowed:
        values = " or ".join(f"${board.values[other]}" for other in allowed)
        rule = "B7.5" if state.in_receivership(rr) else "B7.2"
        return Refusal(rule, f"{name} starts at {values} now")
    return refuse_price(state, seat, number, board.values[box])


def start(state: BaltimoreOhio, seat: int, rr: int, number: int, box: int) -> None:
    """The first shares: they pay into the treasury, and the buyer presides [B7.3, B7.4, B7.5]."""
    board = state.board
    price = number * board.values[box]
    if state.listening:
        verb = "restarts" if state.in_receivership(rr) else "starts"
        state.tell(Started(seat, verb, board.railroads[rr], board.values[box], number, price))
    state.put(rr, box)
    state.earn(seat, -price)
    state.fund(rr, price)
    state.take_in(rr, -number, 0)
    state.appoint(rr, seat)
    state.give(seat, rr, number)
    state.record(rr, 0)
    if not state.track[rr]:
        state.occupy(rr, board.start_hex[rr])
