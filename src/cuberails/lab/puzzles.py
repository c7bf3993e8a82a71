"""Finding puzzles: bots play games, and where one action seemed much better than all others, it is searched deeply.

The search that chose an action while the game was played is the sieve: what it lets through is searched deeply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from cuberails.bots.decision import kind_of
from cuberails.bots.players import SearchBot
from cuberails.bots.puzzle import LEAST_ACTIONS, OBVIOUS, Puzzle, is_obvious, puzzle_in
from cuberails.bots.search import Node, collector_paused
from cuberails.core.game import Game
from cuberails.core.state import CHANCE
from cuberails.lab.executor import Executor, Local
from cuberails.lab.simulate import NAMES, Match, players_of, turns

SIEVE = "search:simulations=12"
"""The bots that play: with the budget of easy ones, but no slips, and no limit of time that would make games differ."""
SEEMING = 0.03
"""By so much the best action must stand out while the game is played; bots aim at more than the win."""
MOST_TRIED = 14
"""So many positions of a game are searched further: those where the best action stands out most."""
MOST_FOUND = 6
"""So many puzzles come from one game, at most."""
PART_OF_A_KIND = 0.6
"""No more than this part of the puzzles ask for the same kind of decision."""


def puzzles_in_games(match: Match, games: int, executor: Executor | None = None) -> Iterator[list[Puzzle]]:
    """The puzzles in each game, in order."""
    match.check()
    return (executor or Local()).map(partial(puzzles_in_game, match), range(games))


def puzzles_in_game(match: Match, number: int) -> list[Puzzle]:
    """The puzzles in the game with this number, the clearest first."""
    game, places = sifted(match, number)
    found: list[Puzzle] = []
    for at in places[:MOST_TRIED]:
        with collector_paused():
            puzzle = puzzle_in(game, at, f"{match.seed} {number}")
        if puzzle is not None:
            found.append(puzzle)
        if len(found) == MOST_FOUND:
            break
    return found


def sifted(match: Match, number: int) -> tuple[Game, list[int]]:
    """A game of bots that search, and after how many actions one action stood out, most of all first."""
    game, places = Game(match.board, NAMES[: match.players], match.options), list[tuple[float, int]]()
    bots, dice = players_of(match, number)
    with collector_paused():
        for actor, action, _ in turns(game.state.copy(), bots, dice):
            bot = bots[actor] if actor != CHANCE else None
            if isinstance(bot, SearchBot) and bot.root is not None:
                places.append((-_seeming(bot.root), game.count))
            game.apply(action)
    return game, [at for lead, at in sorted(places) if lead <= -SEEMING]


def _seeming(root: Node) -> float:
    """By how much the best action seemed better than the next; 0 if that was obvious, or no choice at all."""
    if len(root.actions) < LEAST_ACTIONS or is_obvious(root, OBVIOUS / 2.0):  # half of what bots aim at is the win
        return 0.0
    best, second = root.ranked()[:2]
    return root.regret(second, best, root.state.phase.actor)


def chosen(games: Iterable[list[Puzzle]], wanted: int) -> list[Puzzle]:
    """So many of the puzzles found, as they come, but not too many of a kind; fewer if there are no more."""
    kept: list[Puzzle] = []
    kinds: Counter[str] = Counter()
    for found in games:
        for puzzle in found:
            kind = _kind(puzzle)
            if kinds[kind] < PART_OF_A_KIND * wanted and len(kept) < wanted:
                kinds[kind] += 1
                kept.append(puzzle)
        if len(kept) == wanted:
            break
    return kept


def _kind(puzzle: Puzzle) -> str:
    state = puzzle.game().state
    return kind_of(state, state.parse(puzzle.answer))
