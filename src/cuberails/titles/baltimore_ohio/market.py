"""What trading shares does in Baltimore & Ohio. Numbers in brackets are those of rules.md."""

from __future__ import annotations

from typing import Final

from cuberails.core.event import Chosen
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

# Where shares are bought from
FROM_HELD: Final = 1
FROM_ORPHANS: Final = 2


# B5 Selling


def sell(state: BaltimoreOhio, seat: int, rr: int, number: int) -> None:
    """All are paid at the value before the drop; they become orphans [B5.3, B5.4, B8.2]."""
    value = state.value(rr)
    again = state.sold[seat] >> rr & 1
    sold = state.sold[:]
    sold[seat] |= 1 << rr
    state.sold = sold
    state.earn(seat, number * value)
    state.orphan(rr, number)
    if state.listening:
        state.tell(Chosen(seat, f"sells {_shares(state, rr, number)} for ${number * value}"))
    state.give(seat, rr, -number)
    if not again or state.options["sale_drop"] == "turn":
        state.revalue(rr, -1, "shares sold")


def _shares(state: BaltimoreOhio, rr: int, number: int) -> str:
    return f"{number} {state.board.railroads[rr]}"


# B6 Buying


def buy(state: BaltimoreOhio, seat: int, rr: int, number: int, source: int) -> None:
    """Held shares are paid into the treasury, orphans to the bank; the value stays [B6.2]."""
    price = number * state.value(rr)
    state.earn(seat, -price)
    if source == FROM_HELD:
        state.hold(rr, -number)
        state.fund(rr, price)
    else:
        state.orphan(rr, -number)
    if state.listening:
        where = "" if source == FROM_HELD else " from the orphans"
        state.tell(Chosen(seat, f"buys {_shares(state, rr, number)}{where} for ${price}"))
    state.give(seat, rr, number)


def buy_back(state: BaltimoreOhio, seat: int, rr: int, number: int) -> None:
    """The railroad pays the bank for its orphans and holds them again [B6.4]."""
    price = number * state.value(rr)
    state.fund(rr, -price)
    state.orphan(rr, -number)
    state.hold(rr, number)
    if state.listening:
        name = state.board.railroads[rr]
        state.tell(Chosen(seat, f"lets {name} buy back {number} of its orphans for ${price}"))


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


def start(state: BaltimoreOhio, seat: int, rr: int, number: int, box: int) -> None:
    """The first shares: they pay into the treasury, and the buyer presides [B7.3, B7.4, B7.5]."""
    board = state.board
    price = number * board.values[box]
    if state.listening:
        verb = "restarts" if state.in_receivership(rr) else "starts"
        shares = "1 share" if number == 1 else f"{number} shares"
        text = f"{verb} {board.railroads[rr]} at ${board.values[box]} with {shares} for ${price}"
        state.tell(Chosen(seat, text))
    state.put(rr, box)
    state.earn(seat, -price)
    state.fund(rr, price)
    state.hold(rr, -number)
    state.appoint(rr, seat)
    state.give(seat, rr, number)
    state.record(rr, 0)
    if not state.track[rr]:
        state.occupy(rr, board.start_hex[rr])
