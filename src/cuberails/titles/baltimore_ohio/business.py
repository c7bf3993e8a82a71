"""What the steps of a Business turn do in Baltimore & Ohio. Numbers in brackets are those of rules.md."""

from __future__ import annotations

from typing import Final

from cuberails.core.event import Built, Note, Received
from cuberails.titles.baltimore_ohio.event import Equipped
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio

# B10 Equipment


def scrap(game: BaltimoreOhio, rr: int, tech: int) -> None:
    """The bank pays the scrap value, and the card leaves the game [B10.1]."""
    value = game.board.scrap_value[tech]
    game.equip(rr, tech, -1)
    game.fund(rr, value)
    if game.heard is not None:
        game.heard.append(Received(game.board.railroads[rr], value, f"equipment of tech {tech} scrapped"))


def can_purchase(game: BaltimoreOhio, rr: int) -> bool:
    """Whether there is a top card and the treasury can pay for it [B10.2]."""
    prices = game.board.card_cost
    return game.deck < len(prices) and game.treasury[rr] >= prices[game.deck]


def purchase(game: BaltimoreOhio, rr: int) -> None:
    """The top card; the first of a new tech changes the tech at once [B10.2, B10.3]."""
    board, card = game.board, game.deck
    tech = board.card_tech[card]
    game.fund(rr, -board.card_cost[card])
    game.equip(rr, tech, 1)
    game.deck += 1
    if game.heard is not None:
        game.heard.append(Equipped(board.railroads[rr], card + 1, tech, board.card_cost[card]))
        if tech > game.tech:
            game.heard.append(Note(f"Technology level {tech} begins"))
    game.tech = tech


# B11 Building track, B12 Coal and timber


def build(game: BaltimoreOhio, rr: int, n: int) -> None:
    """The treasury pays and a cube is laid [B11.4]."""
    cost = game.board.cost[n]
    game.fund(rr, -cost)
    if game.heard is not None:
        game.heard.append(Built(game.board.railroads[rr], game.board.label(n), cost, 0, 0))
    game.occupy(rr, n)


def take_coal(game: BaltimoreOhio, rr: int, n: int) -> None:
    """The counter moves to the charter, in place of building [B12.1]."""
    coal = game.coal[:]
    coal[rr] += 1
    game.coal = coal
    game.coal_left ^= game.board.grid.bit[n]
    if game.heard is not None:
        game.heard.append(Note(f"{game.board.railroads[rr]} takes the coal of {game.board.label(n)}"))


def take_timber(game: BaltimoreOhio, rr: int) -> None:
    game.timber = rr
    if game.heard is not None:
        game.heard.append(Note(f"{game.board.railroads[rr]} takes the timber of {game.board.label(game.timber_hex)}"))


# B13 Income


def income_of(game: BaltimoreOhio, cities: int) -> int:
    """What serving these cities brings at the present tech [B13.4]."""
    incomes = game.board.income[game.tech]
    total = 0
    for n in game.board.grid.hexes(cities):
        total += incomes[n]
    return total


def best_income(game: BaltimoreOhio, rr: int, capacity: int) -> int:
    """What the best cities of a railroad bring, with capacity for so many [B13.3]."""
    bit, incomes, track = game.board.grid.bit, game.board.income[game.tech], game.track[rr]
    total = 0
    for n in game.board.ranked[game.tech]:
        if capacity == 0:
            break
        if track & bit[n]:
            total += incomes[n]
            capacity -= 1
    return total


def maintenance(game: BaltimoreOhio, cards: int, tech: int) -> int:
    """What so many cards cost at a tech, whatever their own [B13.6]."""
    return cards * game.board.maintenance[tech]


# B14 Unprofitable railroads


def enter_receivership(game: BaltimoreOhio, rr: int) -> None:
    """Nobody owns it: money and equipment are lost, track and counters stay [B14.4, B12.2]."""
    board, levels = game.board, game.board.levels
    equipment, boxes, president = game.equipment[:], game.box[:], game.president[:]
    equipment[rr * levels : rr * levels + levels] = [0] * levels
    boxes[rr] = -1
    president[rr] = -1
    game.equipment, game.box, game.president = equipment, boxes, president
    game.line = [other for other in game.line if other != rr]
    game.fund(rr, -game.treasury[rr])
    game.hold(rr, game.orphans[rr])
    game.orphan(rr, -game.orphans[rr])
    game.record(rr, 0)
    if game.heard is not None:
        game.heard.append(Note(f"{board.railroads[rr]} enters receivership: nobody holds a share of it"))


# B15 Profitable railroads


class Outcome:
    """What paying or retaining brings: cash for each seat, money for the treasury, and the box of the counter."""

    def __init__(self, cash: list[int], treasury: int, box: int) -> None:
        self.cash: Final = cash
        self.treasury: Final = treasury
        self.box: Final = box


def outcome(game: BaltimoreOhio, rr: int, net: int, paid: bool) -> Outcome:
    """Each share a tenth, held shares for the treasury; the value follows the change of net income [B15.2-B15.4]."""
    per_share = net // game.board.shares
    box = game.box[rr]
    if net < game.net[rr]:
        box = max(box - 1, 0)
    elif net > game.net[rr] and paid:
        box = min(box + 1, game.board.top)
    if not paid:
        return Outcome([0] * game.players, net, box)
    return Outcome([per_share * shares for shares in game.holdings(rr)], per_share * game.held[rr], box)
