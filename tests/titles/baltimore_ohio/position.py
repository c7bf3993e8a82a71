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
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio
from cuberails.titles.baltimore_ohio.rules import begin_business, begin_market

WORDS = ["value", "shares", "orphans", "treasury", "track", "equipment", "net", "coal", "cubes", "timber", "president"]


def position(text: str, **options: str) -> BaltimoreOhio:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    given = {words[0]: words[1:] for words in lines}
    game = cuberails.new("baltimore_ohio", players=int(given.pop("players")[0]), **options)
    assert isinstance(game, BaltimoreOhio)
    business = int(given.pop("business", ["0"])[0])
    game.order = [int(seat) for seat in given.pop("order", [])] or list(range(game.players))
    game.cash = [int(cash) for cash in given.pop("cash", [])] or game.cash
    game.deck = int(given.pop("deck", ["0"])[0])
    game.tech = game.board.card_tech[max(game.deck - 1, 0)]
    for id in given.pop("taken", []):
        game.coal_left &= ~game.board.grid.bit[game.board.grid.index[id]]
    for name, words in given.items():
        _railroad(game, game.board.railroads.index(name), words)
    if business:
        game.sets = 1
        begin_business(game, business)
    else:
        begin_market(game)
    game.settle()
    return game


def _railroad(game: BaltimoreOhio, rr: int, words: list[str]) -> None:
    board = game.board
    facts = _facts(words)
    game.occupy(rr, board.start_hex[rr])
    for id in facts.get("track", []):
        game.occupy(rr, board.grid.index[id])
    if "cubes" in facts:
        game.cubes[rr] = int(facts["cubes"][0])
    if "timber" in facts:
        game.timber = rr
    game.coal[rr] = _number(facts, "coal")
    if "value" not in facts:
        return
    game.put(rr, board.values.index(_number(facts, "value")))
    holdings = [int(held) for held in facts["shares"]]
    for seat, number in enumerate(holdings):
        game.shares[seat * board.count + rr] = number
    game.orphans[rr] = _number(facts, "orphans")
    game.held[rr] = board.shares - sum(holdings) - game.orphans[rr]
    game.president[rr] = _number(facts, "president") if "president" in facts else holdings.index(max(holdings))
    game.treasury[rr] = _number(facts, "treasury")
    game.net[rr] = _number(facts, "net")
    for tech in facts.get("equipment", []):
        game.equip(rr, int(tech), 1)


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


def do(game: BaltimoreOhio, *texts: str) -> BaltimoreOhio:
    """Carry out these actions."""
    for text in texts:
        game.apply(game.parse(text))
    return game


def tell(game: BaltimoreOhio, *texts: str) -> list[str]:
    """Carry out these actions and return what is said about them."""
    names = ["Ann", "Bob", "Cy", "Di", "Ed", "Flo"]
    return [event.say(names) for text in texts for event in game.apply(game.parse(text))]


def legal(game: BaltimoreOhio, word: str = "") -> list[str]:
    """The legal action texts, or those that begin with this word."""
    return [str(action) for action in game.legal_actions() if action.word == word or not word]


def stacks(game: BaltimoreOhio) -> dict[int, list[str]]:
    """The counters in each box of the valuation track that has any, the topmost first."""
    boxes: dict[int, list[str]] = {}
    for rr in game.line:
        boxes.setdefault(game.value(rr), []).append(game.board.railroads[rr])
    return boxes


def rr(name: str) -> int:
    """The number of a railroad."""
    return ["B&O", "C&O", "NYC", "PA", "NYNH&H", "B&M", "ERIE", "IC", "WABASH", "NYC&SL"].index(name)
