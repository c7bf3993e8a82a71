"""Puzzles: positions of recorded games in which one action is clearly best, and what the main others come to.

A title keeps its puzzles in its room `puzzles.json`, which `cuberails lab puzzles` writes. Each day has one of them,
the same for everybody.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from random import Random
from typing import Any

from cuberails.bots.advice import Idea, ideas_of
from cuberails.bots.decision import likely_line
from cuberails.bots.endgame import Positions
from cuberails.bots.search import FEW_BIDS, Node, Search, SearchConfig
from cuberails.core.auction import Auction, must_bid
from cuberails.core.game import Game
from cuberails.core.title import SetupError
from cuberails.titles import judge_for, load

CLEAR = 0.08
"""The best action of a puzzle is better by at least this much of the chance to win than any other."""
OBVIOUS = 0.3
"""An action that stands out by so much before anything is searched is no puzzle."""
LEAST_ACTIONS = 3
"""So many actions must be worth a thought."""
MOST_IDEAS = 4
"""So many actions of a puzzle are searched equally deep, and told: the answer and the main others."""
DEEP = SearchConfig(simulations=480, win_weight=1.0, finalists=MOST_IDEAS)
"""What a puzzle is searched with, twice, from different seeds."""


@dataclass(frozen=True)
class Puzzle:
    """A position, as the actions that lead to it, and what there is to be found.

    `ideas` are the answer and the main other actions, each with everybody's chances as the searches found them and a
    sentence why. The actions in `also` come to the same position as the answer. `line` is the answer and its likely
    continuation.
    """

    title: str
    rules: int
    seats: list[str]
    actions: list[str]
    ideas: list[Idea]
    also: list[str]
    line: list[str]

    @property
    def answer(self) -> str:
        return self.ideas[0].action

    def solved_by(self, action: str) -> bool:
        return action == self.answer or action in self.also

    def game(self) -> Game:
        """The game up to the position."""
        game = Game(load(self.title).board, self.seats, None, self.rules)
        for text in self.actions:
            game.apply(text)
        return game


# Finding


def puzzle_in(game: Game, at: int, seed: int | str = 0, config: SearchConfig = DEEP) -> Puzzle | None:
    """The puzzle in a game after so many actions; None if two searches do not agree that one action is clearly best."""
    state, first = game.at(at), Search(judge_for(game.board), config, Random(f"puzzle {seed} {at}"))
    root = first.think(state)
    if not is_clear(root) or is_obvious(root) or _is_one_of_many_bids(root):
        return None
    second = Search(judge_for(game.board), config, Random(f"puzzle again {seed} {at}")).think(state)
    best = root.ranked()[0]
    if not is_clear(second) or second.actions[second.ranked()[0]] is not root.actions[best]:
        return None
    return Puzzle(
        game.title.key,
        state.rules_version,
        list(game.seats),
        [step.action.text for step in game.steps[:at]],
        ideas_of(root, root.ranked()[:MOST_IDEAS], judge_for(game.board)),
        _alike(first, root, best),
        likely_line(first, root, best, root.actions[best]),
    )


def is_clear(root: Node, margin: float = CLEAR) -> bool:
    """Whether one of several actions is better than all others by this much."""
    if len(root.actions) < LEAST_ACTIONS:
        return False
    best, *others = root.ranked()
    seat = root.state.phase.actor
    return all(root.mean(best, seat) - root.mean(n, seat) >= margin for n in others[: MOST_IDEAS - 1])


def is_obvious(root: Node, margin: float = OBVIOUS) -> bool:
    """Whether the best action stands out before anything is searched; never where the end of the game was."""
    if root.results:
        return False
    best, *others = root.ranked()
    seat = root.state.phase.actor
    first = root.estimates[best][seat]
    return all(first - root.estimates[n][seat] >= margin for n in others)


def _is_one_of_many_bids(root: Node) -> bool:
    """Whether the best action is a bid where a dollar more or less would do as well."""
    legal = root.state.legal_actions()
    if not isinstance(root.state.phase, Auction) or len(legal) <= FEW_BIDS:
        return False
    return must_bid(legal) or root.actions[root.ranked()[0]] is not legal[-1]


def _alike(search: Search, root: Node, best: int) -> list[str]:
    """The other actions that come to the same position as this one: the same track begun at its other end."""
    state = root.state
    legal = state.legal_actions()
    if isinstance(state.phase, Auction) and len(legal) > FEW_BIDS:
        return []
    positions, searched = Positions(state), {action.id for action in root.actions}
    key = positions.key(root.judged[best])
    others = [action for action in legal if action.id not in searched]
    return [action.text for action in others if positions.key(search._try(state, action, True).judged) == key]


# The puzzles of a title


@cache
def puzzles_of(key: str) -> list[Puzzle]:
    """The puzzles that come with a title; none if it has no such room."""
    try:
        text = load(key).read("puzzles.json")
    except FileNotFoundError:
        return []
    return read_puzzles(f"{key}/puzzles.json", text)


def read_puzzles(file: str, text: str) -> list[Puzzle]:
    """The puzzles in a file of this name with this text, as `cuberails lab puzzles` writes it."""
    try:
        found = json.loads(text)
        return [_read(found["title"], found["games"][each["game"]], each) for each in found["puzzles"]]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SetupError(f"{file} is not what `cuberails lab puzzles` writes: {error}") from None


def _read(title: str, game: dict[str, Any], found: dict[str, Any]) -> Puzzle:
    ideas = [Idea(**idea) for idea in found["ideas"]]
    actions = game["actions"][: found["at"]]
    return Puzzle(title, game["rules"], game["seats"], actions, ideas, found["also"], found["line"])


def puzzles_text(key: str, puzzles: list[Puzzle], command: str) -> str:
    """The text of a file with these puzzles of a title; puzzles of one game share its actions."""
    games: list[dict[str, Any]] = []
    entries = [_entry(puzzle, games) for puzzle in puzzles]
    parts = [
        f'"title": {json.dumps(key)}, "command": {json.dumps(command)}',
        f'"games": [\n{_lines(games)}\n]',
        f'"puzzles": [\n{_lines(entries)}\n]',
    ]
    return "{" + ",\n".join(parts) + "}\n"


def _lines(entries: list[dict[str, Any]]) -> str:
    return ",\n".join(json.dumps(each, ensure_ascii=False) for each in entries)


def _entry(puzzle: Puzzle, games: list[dict[str, Any]]) -> dict[str, Any]:
    """A puzzle as data; its game is looked up among the others, or extended, or added."""
    number = next((n for n, game in enumerate(games) if _same(game["actions"], puzzle.actions)), len(games))
    if number == len(games):
        games.append({"rules": puzzle.rules, "seats": puzzle.seats, "actions": puzzle.actions})
    elif len(puzzle.actions) > len(games[number]["actions"]):
        games[number]["actions"] = puzzle.actions
    ideas = [{**vars(idea), "chances": [round(chance, 3) for chance in idea.chances]} for idea in puzzle.ideas]
    return {"game": number, "at": len(puzzle.actions), "ideas": ideas, "also": puzzle.also, "line": puzzle.line}


def _same(one: list[str], other: list[str]) -> bool:
    """Whether one list begins the other."""
    return all(a == b for a, b in zip(one, other, strict=False))


def puzzle_of_day(key: str, day: date) -> Puzzle:
    """The puzzle of a title on a day, the same for everybody: all come up once before any comes again."""
    puzzles = puzzles_of(key)
    if not puzzles:
        raise SetupError(f"{load(key).name} has no puzzles; `cuberails lab puzzles {key}` finds some")
    turn, place = divmod(day.toordinal(), len(puzzles))
    order = list(range(len(puzzles)))
    Random(f"puzzles {key} {turn}").shuffle(order)
    return puzzles[order[place]]
