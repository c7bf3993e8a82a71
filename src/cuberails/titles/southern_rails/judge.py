"""What a position of Southern Rails is worth to each seat: an estimate of its points at the end."""

from __future__ import annotations

from math import exp
from typing import Final

from cuberails.core.state import State
from cuberails.titles.southern_rails.board import SouthernRailsBoard
from cuberails.titles.southern_rails.rules import Draft, SouthernRails

HOPES: Final = (0.6, 0.35, 0.2)
"""The chance that a railroad will connect a city one, two or three hexes away."""
CUBES_A_CITY: Final = 2.0
"""How many cubes a further city takes, on the average."""
FIRST_HOPES: Final = 1.5
"""How many cities a railroad without track can hope for."""
CERTAINTY: Final = (0.9, 0.6, 0.4, 0.25)
"""How sure the present leaders can be of the next scoring round when a tenth cube is one, two, three … cubes away."""
NEAR: Final = 0.5
FAR: Final = 0.7
"""The larger, the less a lead of one city tells about who will lead: in the next scoring round, and in later ones."""
AWARDED: Final = 0.6
"""How often a category is not tied."""
TRACK_HOPE: Final = 0.2
"""How often somebody has enough cubes for most track in the next scoring round, if nobody is near it yet."""
MOST_KNOWN: Final = 20000
"""How many answers are kept."""


def worth(state: State) -> list[float]:
    """For each seat the points it has, and what its shares, also those to come, are likely to earn."""
    assert isinstance(state, SouthernRails)
    game: SouthernRails = state
    values = [float(points) for points in game.points]
    if game.phase.actor < -1:
        return values
    count = game.board.count
    shares = share_values(game)
    a_round = sum(shares) / count / (game.board.rounds - game.scorings)
    for seat in range(game.players):
        held = game.shares[seat * count : seat * count + count]
        for rr in range(count):
            values[seat] += shares[rr] * held[rr]
        coming = game.board.rounds + 1 - sum(held)
        values[seat] += a_round * coming * (coming + 1) / 2
    return values


def share_values(game: SouthernRails) -> list[float]:
    """What one share of each railroad is likely to earn until the end."""
    board = game.board
    later = float(board.rounds - game.scorings - 1)
    sure = certainty(game)
    figures = prospects(game)
    values = [0.0] * board.count
    for category, points in enumerate(board.points):
        step = step_of(board, category)
        near = chances(figures[category], NEAR * step)
        far = chances(figures[category], FAR * step)
        leader = game.leader(category)
        hope = (1.0 - sure) * AWARDED * track_chance(game, category)
        for rr in range(board.count):
            now = sure if rr == leader else 0.0
            values[rr] += points * (now + hope * near[rr] + later * AWARDED * far[rr])
    return values


def certainty(game: SouthernRails) -> float:
    """How likely the next scoring round finds the standings as they are."""
    if isinstance(game.phase, Draft):
        return 0.0
    missing = game.board.scoring_cube
    for rr in range(game.board.count):
        left = game.board.scoring_cube - game.built(rr)
        if 0 < left < missing and game.owned(rr):
            missing = left
    return CERTAINTY[missing - 1] if missing <= len(CERTAINTY) else 0.0


def track_chance(game: SouthernRails, category: int) -> float:
    """Most track scores only from a certain length on."""
    board = game.board
    if category != board.by_track:
        return 1.0
    return 1.0 if max(game.standing(category)) >= board.track_least - 1 else TRACK_HOPE


def step_of(board: SouthernRailsBoard, category: int) -> float:
    """What counts as one step in a category: about two dollars, two cubes, one city."""
    if category == board.by_revenue or category == board.by_track:
        return 2.0
    return 1.0 if category < board.by_revenue else 0.5


def chances(figures: list[float], step: float) -> list[float]:
    """How likely each railroad is to lead with these figures."""
    best = max(figures)
    weights = [exp((figure - best) / step) for figure in figures]
    total = sum(weights)
    return [weight / total for weight in weights]


def prospects(game: SouthernRails) -> list[list[float]]:
    """By category and railroad: the figure now, and what the cities within reach let hope for."""
    board = game.board
    figures = [[float(figure) for figure in game.standing(category)] for category in range(len(board.points))]
    figures[board.by_shares] = [-owned for owned in figures[board.by_shares]]
    country = surroundings(board)
    for rr in range(board.count):
        hopes = country.hopes(game.track[rr], game.full, game.cubes[rr]) if game.track[rr] else country.at_first
        for category, more in enumerate(hopes):
            figures[category][rr] += more
    return figures


class City:
    """A city with the hexes one, two, three … steps away from it."""

    def __init__(self, board: SouthernRailsBoard, n: int) -> None:
        grid = board.grid
        self.bit: Final = grid.bit[n]
        self.revenue: Final = board.revenue[n]
        self.tier: Final = board.tier[n]
        self.rings: Final[list[int]] = []
        seen = self.bit
        for _ in HOPES:
            ring = grid.spread(seen) & ~seen
            self.rings.append(ring)
            seen |= ring

    def hope(self, track: int) -> float:
        """The chance of being connected to a railroad with this track."""
        for step, ring in enumerate(self.rings):
            if track & ring:
                return HOPES[step]
        return 0.0


class Country:
    """The cities of a board, and what was found out about networks near them."""

    def __init__(self, board: SouthernRailsBoard) -> None:
        self.by_revenue: Final = board.by_revenue
        named = [n for n, name in enumerate(board.names) if name]
        self.cities: Final = [City(board, n) for n in named]
        self.all: Final = board.grid.mask(named)
        self.at_first: Final = [FIRST_HOPES / board.tier_count] * board.tier_count
        self.at_first.append(FIRST_HOPES * max(board.revenue) / 2)
        self._known: Final[dict[tuple[int, int, int], list[float]]] = {}

    def hopes(self, track: int, full: int, cubes: int) -> list[float]:
        """The cities of each tier and the revenue that a railroad can hope to add."""
        key = (track, full & self.all, cubes)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._find_hopes(track, track | full, cubes)
            self._known[key] = known
        return known

    def _find_hopes(self, track: int, shut: int, cubes: int) -> list[float]:
        hopes = [0.0] * (self.by_revenue + 1)
        total = 0.0
        for city in self.cities:
            hope = 0.0 if shut & city.bit else city.hope(track)
            if hope:
                total += hope
                hopes[self.by_revenue] += hope * city.revenue
                if city.tier >= 0:
                    hopes[city.tier] += hope
        most = cubes / CUBES_A_CITY
        return hopes if total <= most else [hope * most / total for hope in hopes]


_countries: Final[dict[SouthernRailsBoard, Country]] = {}


def surroundings(board: SouthernRailsBoard) -> Country:
    """The country of a board, surveyed once."""
    country = _countries.get(board)
    if country is None:
        country = Country(board)
        _countries[board] = country
    return country
