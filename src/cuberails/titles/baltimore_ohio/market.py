"""What trading shares does in Baltimore & Ohio. Numbers in brackets are those of rules.md."""

from __future__ import annotations

from typing import Final

from cuberails.core.event import Chosen
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio

# Where shares are bought from
FROM_HELD: Final = 1
FROM_ORPHANS: Final = 2


# B5 Selling


def sell(game: BaltimoreOhio, seat: int, rr: int, number: int) -> None:
    """All are paid at the value before the drop; they become orphans [B5.3, B5.4, B8.2]."""
    value = game.value(rr)
    again = game.sold[seat] >> rr & 1
    sold = game.sold[:]
    sold[seat] |= 1 << rr
    game.sold = sold
    game.earn(seat, number * value)
    game.orphan(rr, number)
    if game.heard is not None:
        game.heard.append(Chosen(seat, f"sells {_shares(game, rr, number)} for ${number * value}"))
    game.give(seat, rr, -number)
    if not again or game.options["sale_drop"] == "turn":
        game.revalue(rr, -1, "shares sold")


def _shares(game: BaltimoreOhio, rr: int, number: int) -> str:
    return f"{number} {game.board.railroads[rr]}"


# B6 Buying


def buy(game: BaltimoreOhio, seat: int, rr: int, number: int, source: int) -> None:
    """Held shares are paid into the treasury, orphans to the bank; the value stays [B6.2]."""
    price = number * game.value(rr)
    game.earn(seat, -price)
    if source == FROM_HELD:
        game.hold(rr, -number)
        game.fund(rr, price)
    else:
        game.orphan(rr, -number)
    if game.heard is not None:
        where = "" if source == FROM_HELD else " from the orphans"
        game.heard.append(Chosen(seat, f"buys {_shares(game, rr, number)}{where} for ${price}"))
    game.give(seat, rr, number)


def buy_back(game: BaltimoreOhio, seat: int, rr: int, number: int) -> None:
    """The railroad pays the bank for its orphans and holds them again [B6.4]."""
    price = number * game.value(rr)
    game.fund(rr, -price)
    game.orphan(rr, -number)
    game.hold(rr, number)
    if game.heard is not None:
        name = game.board.railroads[rr]
        game.heard.append(Chosen(seat, f"lets {name} buy back {number} of its orphans for ${price}"))


# B7 Starting a railroad


def start_boxes(game: BaltimoreOhio, rr: int) -> list[int]:
    """Where the counter of a railroad that is not running may start now [B7.2, B7.5]."""
    if game.in_receivership(rr) and game.options["restart"] != "initial":
        return [game.board.restart_box]
    return game.board.initial[game.tech]


def cheapest_start(game: BaltimoreOhio) -> int:
    """The least that one share of a railroad that may be started costs [B2.3]."""
    board = game.board
    stopped = [rr for rr in board.available[game.tech] if not game.running(rr)]
    return min(board.values[box] for rr in stopped for box in start_boxes(game, rr))


def start(game: BaltimoreOhio, seat: int, rr: int, number: int, box: int) -> None:
    """The first shares: they pay into the treasury, and the buyer presides [B7.3, B7.4, B7.5]."""
    board = game.board
    price = number * board.values[box]
    if game.heard is not None:
        verb = "restarts" if game.in_receivership(rr) else "starts"
        shares = "1 share" if number == 1 else f"{number} shares"
        text = f"{verb} {board.railroads[rr]} at ${board.values[box]} with {shares} for ${price}"
        game.heard.append(Chosen(seat, text))
    game.put(rr, box)
    game.earn(seat, -price)
    game.fund(rr, price)
    game.hold(rr, -number)
    game.appoint(rr, seat)
    game.give(seat, rr, number)
    game.record(rr, 0)
    if not game.track[rr]:
        game.occupy(rr, board.start_hex[rr])
