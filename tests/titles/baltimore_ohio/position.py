"""Positions of Baltimore & Ohio from a few lines of text, for tests.

    players 3
    order 2 0 1
    cash 100 200 300
    deck 7
    taken G18
    B&O value 66 shares 3 2 0 orphans 1 treasury 400 track G22 equipment 1 2 2 net 50 coal 1
    PA track G22 G20

Railroads run in the order of their values; of equal values the one of the earlier line stands on top. A line for a
railroad gives what differs from a start: `track` adds to its start city, `equipment` lists the techs of its cards,
`cubes` are those left, `timber 1` gives it the timber. Shares that are neither a seat's nor orphans are held. A
railroad without a `value` is in receivership. `deck` is the number of cards bought, which also tells the tech.
`president` is the seat with the most shares unless said otherwise.

The Market Round has just begun, unless `business 1` or `business 2` begins that Business Round.
"""

from __future__ import annotations

import cuberails
from cuberails.titles.baltimore_ohio.business import equip
from cuberails.titles.baltimore_ohio.rules import begin_business, begin_market
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio, Round

WORDS = ["value", "shares", "orphans", "treasury", "track", "equipment", "net", "coal", "cubes", "timber", "president"]


def position(text: str, **options: str) -> BaltimoreOhio:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    given = {words[0]: words[1:] for words in lines}
    state = cuberails.load("baltimore_ohio").new(int(given.pop("players")[0]), options)
    assert isinstance(state, BaltimoreOhio)
    business = int(given.pop("business", ["0"])[0])
    order = [int(seat) for seat in given.pop("order", [])] or list(range(state.players))
    state.round = Round(1 if business else 0, 0, order, [0] * state.players)
    state.cash = [int(cash) for cash in given.pop("cash", [])] or state.cash
    state.deck = int(given.pop("deck", ["0"])[0])
    state.tech = state.board.card_tech[max(state.deck - 1, 0)]
    for id in given.pop("taken", []):
        state.coal_left &= ~state.board.grid.bit[state.board.grid.index[id]]
    for name, words in given.items():
        _railroad(state, state.board.railroads.index(name), words)
    if business:
        begin_business(state, business)
    else:
        begin_market(state)
    state.settle()
    return state


def _railroad(state: BaltimoreOhio, rr: int, words: list[str]) -> None:
    board = state.board
    facts = _facts(words)
    state.occupy(rr, board.start_hex[rr])
    for id in facts.get("track", []):
        state.occupy(rr, board.grid.index[id])
    if "cubes" in facts:
        state.cubes[rr] = int(facts["cubes"][0])
    if "timber" in facts:
        state.timber = rr
    state.coal[rr] = _number(facts, "coal")
    if "value" not in facts:
        return
    state.put(rr, board.values.index(_number(facts, "value")))
    holdings = [int(held) for held in facts["shares"]]
    for seat, number in enumerate(holdings):
        state.shares[seat * board.count + rr] = number
    state.orphans[rr] = _number(facts, "orphans")
    state.held[rr] = board.shares - sum(holdings) - state.orphans[rr]
    state.president[rr] = _number(facts, "president") if "president" in facts else holdings.index(max(holdings))
    state.treasury[rr] = _number(facts, "treasury")
    state.net[rr] = _number(facts, "net")
    for tech in facts.get("equipment", []):
        equip(state, rr, int(tech), 1)


def _facts(words: list[str]) -> dict[str, list[str]]:
    facts: dict[str, list[str]] = {}
    current: list[str] = []
    for word in words:
        if word in WORDS:
            current = facts.setdefault(word, [])
        else:
            current.append(word)
    return facts


def _number(facts: dict[str, list[str]], name: str) -> int:
    return int(facts.get(name, ["0"])[0])


def do(state: BaltimoreOhio, *texts: str) -> BaltimoreOhio:
    """Carry out these actions."""
    for text in texts:
        state.apply(state.parse(text))
    return state


def tell(state: BaltimoreOhio, *texts: str) -> list[str]:
    """Carry out these actions and return what is said about them."""
    names = ["Ann", "Bob", "Cy", "Di", "Ed", "Flo"]
    return [event.say(names) for text in texts for event in state.apply(state.parse(text))]


def legal(state: BaltimoreOhio, word: str = "") -> list[str]:
    """The legal action texts, or those that begin with this word."""
    return [str(action) for action in state.legal_actions() if action.word == word or not word]


def stacks(state: BaltimoreOhio) -> dict[int, list[str]]:
    """The counters in each box of the valuation track that has any, the topmost first."""
    boxes: dict[int, list[str]] = {}
    for rr in state.line:
        boxes.setdefault(state.value(rr), []).append(state.board.railroads[rr])
    return boxes


def rr(name: str) -> int:
    """The number of a railroad."""
    return ["B&O", "C&O", "NYC", "PA", "NYNH&H", "B&M", "ERIE", "IC", "WABASH", "NYC&SL"].index(name)


def fresh(players: int, **options: str) -> BaltimoreOhio:
    state = cuberails.load("baltimore_ohio").new(players, options)
    assert isinstance(state, BaltimoreOhio)
    return state


def opened(players: int = 3, **options: str) -> BaltimoreOhio:
    """The cards are dealt in the order of the seats."""
    return do(fresh(players, **options), "order " + " ".join(str(seat) for seat in range(players)))
