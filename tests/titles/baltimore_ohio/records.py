"""The transcripts of Baltimore & Ohio: every number of players, every way to end, and what seldom happens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice
from random import Random

from cuberails.core.action import Action
from cuberails.core.game import Game
from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, Profit, Service
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio
from tests.records.make import Player, bent, bot, play, search, write

TECH_6 = "technology level 6 is reached"
AT_375 = "a railroad is valued at $375"
NOBODY = "no railroad is running and nobody can start one"
ENDINGS = {TECH_6, AT_375, NOBODY}


def write_all() -> None:
    greedy = bot("greedy")
    for players in (3, 4, 5, 6):
        write("baltimore_ohio", f"{players}-players-greedy", play("baltimore_ohio", players, players, [greedy]))
    write("baltimore_ohio", "3-players-at-375", search("baltimore_ohio", 3, [riser], AT_375))
    write("baltimore_ohio", "3-players-nobody-can-start", search("baltimore_ohio", 3, [waster], NOBODY))
    careless = bent(start=4, purchase=1.5, build=3, scrap=1.5, done=3, sell=2, buy=2)
    restarted = telling("start", "restarts", 4, [careless], timber_hex="B29", restart="50")
    write("baltimore_ohio", "4-players-receivership-and-restart", restarted)
    trader = bent(sell=2, buy=3, start=3, purchase=6, build=8, done=1)
    write("baltimore_ohio", "5-players-presidency-changes", telling("sell", "becomes president", 5, [trader, greedy]))


def telling(word: str, what: str, players: int, choose: Sequence[Player], **options: str) -> Game:
    """The first game in which an action of this kind tells this."""
    for seed in range(100):
        game = play("baltimore_ohio", players, seed, choose, **options)
        steps = zip(game.steps, game.events())
        if any(what in event.say(game.seats) for step, events in steps if step.action.word == word for event in events):
            return game
    raise SystemExit(f"no game of {players} tells that somebody {what}")


def riser(state: State, rng: Random) -> Action:
    """Starts little, always serves for a little more than last time, and pays: values climb to the end."""
    assert isinstance(state, BaltimoreOhio)
    phase = state.phase
    if isinstance(phase, BusinessTurn):
        return _build_slowly(state, phase.railroad, rng)
    if isinstance(phase, Service):
        return _serve_a_little_more(state, phase)
    if isinstance(phase, Profit):
        return state.parse("pay" if phase.net > state.net[phase.railroad] else "retain")
    starts = [action for action in state.legal_actions() if action.word == "start" and action.b >= 3]
    if len(state.line) < 3 and starts:
        return rng.choice(starts)
    return state.legal_actions()[-1] if state.legal_actions()[-1].text in ("pass", "done") else _leave(state)


def _leave(state: State) -> Action:
    return next(action for action in state.legal_actions() if action.text in ("pass", "done"))


def _build_slowly(state: BaltimoreOhio, rr: int, rng: Random) -> Action:
    cards, cities = sum(state.cards(rr)), (state.track[rr] & state.board.cities).bit_count()
    legal = {action.text: action for action in state.legal_actions()}
    if "purchase" in legal and (cards == 0 or (state.capacity(rr) * 2 < cities and state.tech < 3)):
        return legal["purchase"]
    counters = [action for text, action in legal.items() if text.startswith("take")]
    builds = [action for text, action in legal.items() if text.startswith("build")]
    towns = [action for action in builds if state.board.names[action.a]]
    if counters:
        return rng.choice(counters)
    return rng.choice(towns or builds) if builds and state.treasury[rr] > 60 else legal["done"]


def _serve_a_little_more(state: BaltimoreOhio, phase: Service) -> Action:
    """The cities whose net income is the least above the last one; else start again from as little as possible."""
    board, rr = state.board, phase.railroad
    incomes = board.income[state.tech]
    extra = state.coal[rr] * board.coal_pays - sum(state.cards(rr)) * board.maintenance[state.tech] + phase.income
    best: tuple[tuple[bool, bool, int], int] | None = None
    for chosen in islice(combinations(board.grid.hexes(phase.cities), phase.left), 4000):
        net = extra + sum(incomes[n] for n in chosen)
        found = (net <= state.net[rr], net <= 0, net), chosen[0]
        best = found if best is None else min(best, found)
    assert best is not None
    return board.serve[best[1]]


def waster(state: State, rng: Random) -> Action:
    """Spends everything on shares of railroads that never earn."""
    for word in ("start", "buy", "buyback"):
        dear = [action for action in state.legal_actions() if action.word == word]
        if dear:
            return max(dear, key=lambda action: (action.b * max(action.c, 0), action.b))
    for text in ("done", "pass", "retain"):
        if text in [action.text for action in state.legal_actions()]:
            return state.parse(text)
    return rng.choice(state.legal_actions())
