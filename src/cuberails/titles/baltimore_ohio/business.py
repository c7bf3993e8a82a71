"""The steps of a Business turn in Baltimore & Ohio: what the rules B9 to B15 forbid, and what a step does.

Numbers in brackets are those of rules.md. The order of the steps is for `BusinessTurn` in rules.py to say.
"""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.event import Built, Received
from cuberails.core.state import Refusal
from cuberails.core.wording import either
from cuberails.titles.baltimore_ohio.board import (
    BUILD,
    BUY,
    BUY_ORPHANS,
    BUYBACK,
    ORDER,
    PASS,
    PURCHASE,
    SCRAP,
    SELL,
    SERVE,
    START,
    TAKE_COAL,
    TAKE_TIMBER,
)
from cuberails.titles.baltimore_ohio.events import CounterTaken, Equipped, LossCharged, Receivership, TechBegun
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

# B9 The Business Round


def possible_steps(state: BaltimoreOhio, legal: list[Action], rr: int, built: int) -> str:
    """The steps that a railroad can take, in words; `built` is how many hexes it has built in this turn."""
    kinds = {action.kind for action in legal}
    steps = ["scrap"] * (SCRAP in kinds) + ["buy equipment"] * (PURCHASE in kinds)
    steps += [_building(state, rr, built)] * (BUILD in kinds)
    steps += ["take a counter"] * (TAKE_COAL in kinds or TAKE_TIMBER in kinds)
    return either([*steps, "done"])


def _building(state: BaltimoreOhio, rr: int, built: int) -> str:
    """How much may still be built: "build up to 2 more hexes"."""
    left = min(state.board.builds[state.tech] - built, state.cubes[rr])
    more = " more" if built else ""
    return f"build up to {left}{more} hexes" if left > 1 else f"build one{more} hex"


def refuse_other(name: str, kind: int) -> Refusal:
    """Why an action of another point in the game is not legal in a Business turn."""
    if kind == ORDER:
        return Refusal("B1.5", "the player-order cards are dealt already")
    if kind in (SELL, BUY, BUY_ORPHANS, START, BUYBACK, PASS):
        return Refusal("B3.1", f"shares are traded in the Market Round; {name} is doing business")
    if kind == SERVE:
        return Refusal("B9.2", f"{name} serves its cities after its other steps: say done first")
    return Refusal("B9.2", f"{name} has not come to that step, or is past it")


# B10 Equipment


def refuse_scrap(state: BaltimoreOhio, rr: int, tech: int) -> Refusal | None:
    if state.cards(rr)[tech - 1] == 0:
        return Refusal("B10.1", f"{state.board.railroads[rr]} has no equipment of tech {tech}")
    return None


def scrap(state: BaltimoreOhio, rr: int, tech: int) -> None:
    """The bank pays the scrap value, and the card leaves the game [B10.1]."""
    value = state.board.scrap_value[tech]
    equip(state, rr, tech, -1)
    state.fund(rr, value)
    if state.listening:
        state.tell(Received(state.board.railroads[rr], value, f"equipment of tech {tech} scrapped"))


def can_purchase(state: BaltimoreOhio, rr: int) -> bool:
    """Whether there is a top card and the treasury can pay for it [B10.2]."""
    prices = state.board.card_cost
    return state.deck < len(prices) and state.treasury[rr] >= prices[state.deck]


def refuse_equipment(state: BaltimoreOhio, rr: int) -> Refusal | None:
    """There must be a top card, and its price in the treasury [B10.2]."""
    prices, card, money = state.board.card_cost, state.deck, state.treasury[rr]
    if card == len(prices):
        return Refusal("B10.2", "the equipment deck is empty")
    if prices[card] > money:
        name = state.board.railroads[rr]
        return Refusal("B10.2", f"equipment #{card + 1} costs ${prices[card]} and {name} has ${money}")
    return None


def purchase(state: BaltimoreOhio, rr: int) -> None:
    """The top card; the first of a new tech changes the tech at once [B10.2, B10.3]."""
    board, card = state.board, state.deck
    tech = board.card_tech[card]
    state.fund(rr, -board.card_cost[card])
    equip(state, rr, tech, 1)
    state.deck += 1
    if state.listening:
        state.tell(Equipped(board.railroads[rr], card + 1, tech, board.card_cost[card]))
        if tech > state.tech:
            state.tell(TechBegun(tech))
    state.tech = tech


def equip(state: BaltimoreOhio, rr: int, tech: int, number: int) -> None:
    """Cards for a railroad, or from it if less than 0."""
    equipment = state.equipment[:]
    equipment[rr * state.board.levels + tech - 1] += number
    state.equipment = equipment


# B11 Building track


def refuse_build(state: BaltimoreOhio, rr: int, n: int) -> Refusal | None:
    """Into which hexes a railroad builds, with what it has [B11.2-B11.8]."""
    board = state.board
    name, label = board.railroads[rr], board.label(n)
    refusal = refuse_distant(state, rr, n) or refuse_state(state, rr, n) or refuse_crowd(state, n)
    if refusal is not None:
        return refusal
    if state.cubes[rr] == 0:
        return Refusal("B11.5", f"{name} has no cube left")
    if board.cost[n] > state.treasury[rr]:
        return Refusal("B11.4", f"{label} costs ${board.cost[n]} and {name} has ${state.treasury[rr]}")
    return None


def refuse_distant(state: BaltimoreOhio, rr: int, n: int) -> Refusal | None:
    """Track grows hex by hex, and not across heavy lines [B11.2, B11.3]."""
    board = state.board
    name, label = board.railroads[rr], board.label(n)
    if state.track[rr] & board.grid.bit[n]:
        return Refusal("B11.2", f"{name} has track in {label} already")
    if board.grid.near[n] & state.track[rr]:
        return None
    if board.heavy[n] & state.track[rr]:
        return Refusal("B11.3", f"a heavy line lies between {label} and the track of {name}")
    return Refusal("B11.2", f"{label} is not next to track of {name}")


def refuse_crowd(state: BaltimoreOhio, n: int) -> Refusal | None:
    """A city takes a limited number of railroads at the present tech [B11.6]."""
    board, limit = state.board, state.city_limit()
    if board.limited & board.grid.bit[n] and state.railroads_in(n) >= limit:
        return Refusal("B11.6", f"{board.label(n)} takes {limit} railroads at tech {state.tech}")
    return None


def refuse_state(state: BaltimoreOhio, rr: int, n: int) -> Refusal | None:
    """Which state's rule keeps a railroad out of a city, if any does [B11.7, B11.8]."""
    board, bit = state.board, state.board.grid.bit[n]
    for duty, owner in enumerate(board.state_railroad):
        if state.fulfilled >> duty & 1:
            continue
        closed, label, missing = board.state_closed[duty], board.label(n), _missing(state, duty)
        name = board.railroads[owner]
        if owner == rr and board.cities & ~board.state_must[duty] & bit:
            rule = "B11.8" if closed else "B11.7"
            return Refusal(rule, f"{name} builds into no other city before {missing}, so not into {label}")
        if owner != rr and closed & bit:
            return Refusal("B11.8", f"{label} is closed until {name} has built into {missing}")
    return None


def _missing(state: BaltimoreOhio, duty: int) -> str:
    """The cities that a state's railroad has not reached yet."""
    board = state.board
    hexes = board.grid.hexes(board.state_must[duty] & ~state.track[board.state_railroad[duty]])
    return " and ".join(board.names[n] for n in hexes)


def build(state: BaltimoreOhio, rr: int, n: int) -> None:
    """The treasury pays and a cube is laid [B11.4]."""
    cost = state.board.cost[n]
    state.fund(rr, -cost)
    if state.listening:
        state.tell(Built(state.board.railroads[rr], state.board.label(n), cost, 0, 0))
    state.occupy(rr, n)


# B12 Coal and timber


def timber_hex(state: BaltimoreOhio) -> int:
    """Where the timber lies [B1.4]."""
    return state.board.grid.index[state.options["timber_hex"]]


def refuse_counter(state: BaltimoreOhio, rr: int, n: int, there: bool) -> Refusal | None:
    """A counter is taken from a hex with track of the railroad, if it is still `there` [B12.1]."""
    board = state.board
    if not state.track[rr] & board.grid.bit[n]:
        return Refusal("B12.1", f"{board.railroads[rr]} has no track in {board.label(n)}")
    if not there:
        return Refusal("B12.1", f"the counter of {board.label(n)} is gone")
    return None


def take_coal(state: BaltimoreOhio, rr: int, n: int) -> None:
    """The counter moves to the charter, in place of building [B12.1]."""
    coal = state.coal[:]
    coal[rr] += 1
    state.coal = coal
    state.coal_left ^= state.board.grid.bit[n]
    if state.listening:
        state.tell(CounterTaken(state.board.railroads[rr], "coal", state.board.label(n)))


def take_timber(state: BaltimoreOhio, rr: int) -> None:
    state.timber = rr
    if state.listening:
        state.tell(CounterTaken(state.board.railroads[rr], "timber", state.board.label(timber_hex(state))))


# B13 Income


def income_of(state: BaltimoreOhio, cities: int) -> int:
    """What serving these cities brings at the present tech [B13.4]."""
    incomes = state.board.income[state.tech]
    total = 0
    for n in state.board.grid.hexes(cities):
        total += incomes[n]
    return total


def best_income(state: BaltimoreOhio, rr: int, capacity: int) -> int:
    """What the best cities of a railroad bring, as many as the capacity allows [B13.3]."""
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
    """What the maintenance of a number of cards costs at a tech, whatever their own [B13.6]."""
    return cards * state.board.maintenance[tech]


def coal_income(state: BaltimoreOhio, rr: int) -> int:
    """What its coal earns a railroad that has equipment [B13.5]."""
    return state.coal[rr] * state.board.coal_pays


def timber_income(state: BaltimoreOhio, rr: int) -> int:
    """What the timber earns a railroad that has equipment [B13.5]."""
    return state.board.timber_pays[state.tech] if state.timber == rr else 0


def gross_income(state: BaltimoreOhio, rr: int) -> int:
    """What a railroad would earn if it closed its accounts now, with its best cities [B13.3-B13.5]."""
    if not any(state.cards(rr)):
        return 0
    return best_income(state, rr, state.capacity(rr)) + coal_income(state, rr) + timber_income(state, rr)


def upkeep(state: BaltimoreOhio, rr: int) -> int:
    """What the maintenance of a railroad's cards costs at the present tech [B13.6]."""
    return maintenance(state, sum(state.cards(rr)), state.tech)


# B14 Unprofitable railroads


def charge_loss(state: BaltimoreOhio, rr: int, loss: int) -> None:
    """By the option the treasury pays, as far as the money goes; usually a loss is forgiven [B14.3]."""
    if loss == 0 or state.options["losses"] == "forgiven":
        return
    paid = min(loss, state.treasury[rr])
    state.fund(rr, -paid)
    if state.listening:
        state.tell(LossCharged(state.board.railroads[rr], loss, paid))


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
    state.take_in(rr, state.orphans[rr], -state.orphans[rr])
    state.record(rr, 0)
    if state.listening:
        state.tell(Receivership(board.railroads[rr]))


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
