"""Positions of Southern Rails from a few lines of text, for tests.

    players 3
    order 2 0 1
    turn 1
    scorings 2
    points 4 0 7
    red shares 1 0 0 track G8 J1-J9

A line for a railroad gives the shares of each seat and its cubes on the map; `J1-J9` is a row of them. The progress
board follows from the map. The seat on turn (the first in the order unless said) is about to place a cube.
"""

from __future__ import annotations

import cuberails
from cuberails.core.title import Title
from cuberails.titles.southern_rails.rules import SouthernRails, next_turn, place


def fresh(players: int, title: Title | None = None) -> SouthernRails:
    game = (title or cuberails.load("southern_rails")).new(players, {})
    assert isinstance(game, SouthernRails)
    return game


def position(text: str, title: Title | None = None) -> SouthernRails:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    given = {words[0]: words[1:] for words in lines}
    game = fresh(int(given.pop("players")[0]), title)
    game.order = [int(word) for word in given.pop("order", game.order)]
    game.scorings = int(given.pop("scorings", ["0"])[0])
    game.points = [int(word) for word in given.pop("points", game.points)]
    turn = int(given.pop("turn", [str(game.order[0])])[0])
    for name, words in given.items():
        _railroad(game, rr(name), words)
    next_turn(game, game.order.index(turn))
    game.settle()
    return game


def _railroad(game: SouthernRails, rr: int, words: list[str]) -> None:
    lists: dict[str, list[str]] = {"shares": [], "track": []}
    for word in words:
        if word in lists:
            current = lists[word]
        else:
            current.append(word)
    for seat, held in enumerate(lists["shares"]):
        game.shares[seat * game.board.count + rr] = int(held)
        game.stock[rr] -= int(held)
    for word in lists["track"]:
        for id in _row(word):
            place(game, 0, rr, game.board.grid.index[id])


def _row(word: str) -> list[str]:
    first, _, last = word.partition("-")
    if not last:
        return [first]
    return [f"{first[0]}{number}" for number in range(int(first[1:]), int(last[1:]) + 1)]


def do(game: SouthernRails, *texts: str) -> SouthernRails:
    """Carry out these actions."""
    for text in texts:
        game.apply(game.parse(text))
    return game


def told(game: SouthernRails, text: str) -> list[str]:
    """Carry out an action and return what players are told."""
    names = ["Anna", "Beth", "Connor", "Dennis", "Eve"][: game.players]
    return [event.say(names) for event in game.apply(game.parse(text))]


def legal(game: SouthernRails, *beginning: str) -> list[str]:
    """What may follow these words: `legal(game, "place", "red")` lists the hexes open to red."""
    start = "".join(f"{word} " for word in beginning)
    return [action.text[len(start) :] for action in game.legal_actions() if action.text.startswith(start)]


def rr(name: str) -> int:
    """The number of a railroad."""
    return ["red", "blue", "yellow", "purple", "green", "black"].index(name)


def progress(game: SouthernRails, name: str) -> tuple[int, int, int, int]:
    """Revenue, green, blue and red cities of a railroad."""
    green, blue, red = (game.standing(tier)[rr(name)] for tier in range(3))
    return game.revenue[rr(name)], green, blue, red
