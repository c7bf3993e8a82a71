"""What the steps of a Business turn do in Baltimore & Ohio. Numbers in brackets are those of rules.md."""

from __future__ import annotations

from typing import Final

from cuberails.core.event import Built, Note, Received
from cuberails.titles.baltimore_ohio.events import Equipped
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

# B10 Equipment


def scrap(state: BaltimoreOhio, rr: int, tech: int) -> None:
    """The bank pays the scrap value, and the card leaves the game [B10.1]."""
    value = state.board.scrap_value[tech]
    state.equip(rr, tech, -1)
    state.fund(rr, value)
    if state.listening:
        state.tell(Received(state.board.railroads[rr], value, f"equipment of tech {tech} scrapped"))


def can_purchase(state: BaltimoreOhio, rr: int) -> bool:
    """Whether there is a top card and the treasury can pay for it [B10.2]."""
    prices = state.board.card_cost
    return state.deck < len(prices) and state.treasury[rr] >= prices[state.deck]


def purchase(state: BaltimoreOhio, rr: int) -> None:
    """The top card; the first of a new tech changes the tech at once [B10.2, B10.3]."""
    board, card = state.board, state.deck
    tech = board.card_tech[card]
    state.fund(rr, -board.card_cost[card])
    state.equip(rr, tech, 1)
    state.deck += 1
    if state.listening:
        state.tell(Equipped(board.railroads[rr], card + 1, tech, board.card_cost[card]))
        if tech > state.tech:
            state.tell(Note(f"Technology level {tech} begins"))
    state.tech = tech


# B11 Building track, B12 Coal and timber


def build(state: BaltimoreOhio, rr: int, n: int) -> None:
    """The treasury pays and a cube is laid [B11.4]."""
    cost = state.board.cost[n]
    state.fund(rr, -cost)
    if state.listening:
        state.tell(Built(state.board.railroads[rr], state.board.label(n), cost, 0, 0))
    state.occupy(rr, n)


def take_coal(state: BaltimoreOhio, rr: int, n: int) -> None:
    """The counter moves to the charter, in place of building [B12.1]."""
    coal = state.coal[:]
    coal[rr] += 1
    state.coal = coal
    state.coal_left ^= state.board.grid.bit[n]
    if state.listening:
        state.tell(Note(f"{state.board.railroads[rr]} takes the coal of {state.board.label(n)}"))


def take_timber(state: BaltimoreOhio, rr: int) -> None:
    state.timber = rr
    if state.listening:
        state.tell(Note(f"{state.board.railroads[rr]} takes the timber of {state.board.label(state.timber_hex)}"))


# B13 Income


def income_of(state: BaltimoreOhio, cities: int) -> int:
    """What serving these cities brings at the present tech [B13.4]."""
    incomes = state.board.income[state.tech]
    total = 0
    for n in state.board.grid.hexes(cities):
        total += incomes[n]
    return total


def best_income(state: BaltimoreOhio, rr: int, capacity: int) -> int:
    """What the best cities of a railroad bring, with capacity for so many [B13.3]."""
    bit, incomes, track = state.board.grid.bit, state.board.income[state.tech], state.track[rr]
    total = 0
    for n in state.board.ranked[state.tech]:
        if capacity == 0:
            break
        if track & bit[n]:
            total += incomes[n]
            capacity -= 1
    return total


def maintenance(state: BaltimoreOhio, cards: int, tech: int) -> int:
    """What so many cards cost at a tech, whatever their own [B13.6]."""
    return cards * state.board.maintenance[tech]


# B14 Unprofitable railroads


def enter_receivership(state: BaltimoreOhio, rr: int) -> None:
    """Nobody owns it: money and equipment are lost, track and counters stay [B14.4, B12.2]."""
    board, levels = state.board, state.board.levels
    equipment, boxes, president = state.equipment[:], state.box[:], state.president[:]
    equipment[rr * levels : rr * levels + levels] = [0] * levels
    boxes[rr] = -1
    president[rr] = -1
    state.equipment, state.box, state.president = equipment, boxes, president
    state.line = [other for other in state.line if other != rr]
    state.fund(rr, -state.treasury[rr])
    state.hold(rr, state.orphans[rr])
    state.orphan(rr, -state.orphans[rr])
    state.record(rr, 0)
    if state.listening:
        state.tell(Note(f"{board.railroads[rr]} enters receivership: nobody holds a share of it"))


# B15 Profitable railroads


class Outcome:
    """What paying or retaining brings: cash for each seat, money for the treasury, and the box of the counter."""

    def __init__(self, cash: list[int], treasury: int, box: int) -> None:
        self.cash: Final = cash
        self.treasury: Final = treasury
        self.box: Final = box


def outcome(state: BaltimoreOhio, rr: int, net: int, paid: bool) -> Outcome:
    """Each share a tenth, held shares for the treasury; the value follows the change of net income [B15.2-B15.4]."""
    per_share = net // state.board.shares
    box = state.box[rr]
    if net < state.net[rr]:
        box = max(box - 1, 0)
    elif net > state.net[rr] and paid:
        box = min(box + 1, state.board.top)
    if not paid:
        return Outcome([0] * state.players, net, box)
    return Outcome([per_share * shares for shares in state.holdings(rr)], per_share * state.held[rr], box)
