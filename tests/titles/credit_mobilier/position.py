"""Positions of Credit Mobilier from a few lines of text, for tests.

    players 3
    turn 1
    cash 10 20 30
    red treasury 4 shares 2 0 1 track A6W A5W goods A3 A3 B1 coast 2
    purple treasury 7 shares 1 1 1

A line for a company gives what differs from the start. A railway without `goods` has one pawn, in D6; pawns that
stand nowhere are out of the game. The dice of the seat on turn are about to be rolled.
"""

from __future__ import annotations

import cuberails
from cuberails.titles.credit_mobilier.rules import CreditMobilier, next_turn

WORDS = ("treasury", "shares", "track", "goods", "coast")


def position(text: str, start: CreditMobilier | None = None) -> CreditMobilier:
    """The position; `start` is a new game on another board."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    given = {words[0]: words[1:] for words in lines}
    game = start or fresh(int(given["players"][0]))
    board = game.board
    seat = int(given.get("turn", ["0"])[0])
    game.cash = [int(word) for word in given.get("cash", [])] or game.cash
    for c, color in enumerate(board.colors[: board.companies]):
        _company(game, c, _lists(given.get(color, [])))
    game.turn = seat - 1
    next_turn(game)
    game.settle()
    return game


def fresh(players: int) -> CreditMobilier:
    """A new game before the first draw."""
    game = cuberails.new("credit_mobilier", players)
    assert isinstance(game, CreditMobilier)
    return game


def _lists(words: list[str]) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for word in words:
        if word in WORDS:
            current = lists.setdefault(word, [])
        else:
            current.append(word)
    return lists


def _company(game: CreditMobilier, c: int, lists: dict[str, list[str]]) -> None:
    board = game.board
    game.treasury[c] = int(lists.get("treasury", ["0"])[0])
    for seat, held in enumerate(lists.get("shares", [])):
        game.unsold[c] += game.shares[seat * board.companies + c] - int(held)
        game.shares[seat * board.companies + c] = int(held)
    for id in lists.get("track", []):
        game.lay(c, board.slots.index(id))
    if c != board.builder:
        for id in lists.get("goods", [board.squares[-1]]):
            game.place(c, board.squares.index(id))
            game.lid[c] -= 1
        game.coast[c] = int(lists.get("coast", ["0"])[0])
        game.lid[c] -= game.coast[c]


def do(game: CreditMobilier, *texts: str) -> CreditMobilier:
    """Carry out these actions."""
    for text in texts:
        game.apply(game.parse(text))
    return game


def tell(game: CreditMobilier, text: str, names: str = "Ann Bob Cy") -> list[str]:
    """Carry out an action and tell what happened."""
    return [event.say(names.split()) for event in game.apply(game.parse(text))]


def legal(game: CreditMobilier, start: str = "") -> list[str]:
    """The legal action texts, or those that begin like this."""
    return [str(action) for action in game.legal_actions() if str(action).startswith(start)]


def goods(game: CreditMobilier, color: str) -> list[str]:
    """The squares where pawns of this colour stand, one entry a pawn."""
    board = game.board
    c = board.colors.index(color)
    return [id for n, id in enumerate(board.squares) for _ in range(game.goods[c * board.size + n])]


def treasury(game: CreditMobilier, color: str) -> int:
    return game.treasury[game.board.colors.index(color)]
