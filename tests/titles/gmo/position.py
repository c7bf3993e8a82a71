"""Positions of Gulf, Mobile & Ohio from a few lines of text, for tests.

    players 3
    turn 1
    cash 10 20 30
    points 4 0 9
    marker 1
    passes 2
    gone green 5
    SC green 0 I15 I14 I13
    CEN red 1+2 J13 J12 J11

A line for a railroad gives its colour, who holds its charter and perhaps its common share, and its track, home first.
Supply, connections and available charters follow from the cubes; `gone` takes more cubes out of the supply.
The seat on turn is about to act.
"""

from __future__ import annotations

import cuberails
from cuberails.titles.gmo.rules import Gmo, ShareAuction, Turn


def fresh(players: int) -> Gmo:
    """A new game."""
    game = cuberails.new("gmo", players=players)
    assert isinstance(game, Gmo)
    return game


def position(text: str) -> Gmo:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    players = next(int(words[1]) for words in lines if words[0] == "players")
    game = fresh(players)
    for name, *words in lines:
        if name in game.board.railroads:
            _railroad(game, game.board.railroads.index(name), words)
        else:
            _fact(game, name, words)
    game.phase = Turn(game.turn)
    game.settle()
    return game


def _railroad(game: Gmo, rr: int, words: list[str]) -> None:
    board = game.board
    color = board.colors.index(words[0])
    owner, _, holder = words[1].partition("+")
    game.color[rr] = color
    game.barred[rr] = game.shadow(color)
    game.president[rr] = int(owner)
    game.chartered |= 1 << rr
    if holder:
        game.holder[rr] = int(holder)
        game.shared |= 1 << rr
    game.take_cube(color, 1)
    for id in words[2:]:
        n = board.grid.index[id]
        assert not game.track[rr] or game.can_build(rr) & board.grid.bit[n], f"{id} cannot be built"
        game.take_cube(color, 1)
        game.occupy(rr, n)
        if board.names[n]:
            game.connect(rr, n)
        game.opened |= board.opened_by[n]


def _fact(game: Gmo, name: str, words: list[str]) -> None:
    numbers = [int(word) for word in words if word.isdecimal()]
    if name == "turn":
        game.turn = numbers[0]
    elif name == "cash":
        game.cash = numbers
    elif name == "points":
        game.points = numbers
    elif name == "marker":
        game.marker = numbers[0]
    elif name == "passes":
        game.passes = numbers[0]
    elif name == "gone":
        game.take_cube(game.board.colors.index(words[0]), numbers[0])
    else:
        assert name == "players", f"{name} is no line of a position"


def do(game: Gmo, *texts: str) -> list[str]:
    """Carry out these actions; what was told, by Ann, Bob, Cy, Dee and Eve."""
    names = ["Ann", "Bob", "Cy", "Dee", "Eve"]
    return [event.say(names) for text in texts for event in game.apply(game.parse(text))]


def sell(game: Gmo, action: str, price: int) -> list[str]:
    """The seat on turn puts a share up and takes it at its opening bid."""
    told = do(game, action, f"bid {price}")
    while isinstance(game.phase, ShareAuction):
        told += do(game, "pass")
    return told


def legal(game: Gmo, word: str = "") -> list[str]:
    """The legal action texts, or those that begin with this word."""
    return [str(action) for action in game.legal_actions() if action.word == word or not word]


def rr(name: str) -> int:
    """The number of a railroad."""
    return fresh(3).board.railroads.index(name)


def connected(game: Gmo, name: str) -> set[str]:
    """The colours to which a railroad is connected."""
    return {color for n, color in enumerate(game.board.colors) if game.met[rr(name)] >> n & 1}
