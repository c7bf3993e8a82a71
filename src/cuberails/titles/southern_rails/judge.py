"""What a position of Southern Rails is worth to each seat: an estimate of its points at the end."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

from cuberails.core.judge import Judge
from cuberails.core.state import NOBODY, State
from cuberails.titles.southern_rails.board import SouthernRailsBoard
from cuberails.titles.southern_rails.rules import Draft
from cuberails.titles.southern_rails.state import SouthernRails

MOST_KNOWN: Final = 20000
"""How many answers are kept."""


class SouthernRailsJudge(Judge):
    """What positions of Southern Rails are worth.

    `hope` is the chance that a railroad will connect a city one, two or three hexes away, while it has cubes:
    `cubes_a_city` for each. Without track it can hope for `first_hopes` cities. `certainty` is how sure the present
    leaders can be of the next scoring round when a tenth cube is one, two, three … cubes away. The larger `near` and
    `far`, the less a lead of one city tells about who will lead: in the next scoring round, and in later ones.
    A city compares to `revenue_step` dollars, `track_step` cubes, `shares_step` shares. `awarded` is how often a
    category is not tied, `track_hope` how often somebody will have enough cubes for most track if nobody is near it.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__(weights)
        self.hope: Final = [weights[f"hope_{hexes}"] for hexes in range(1, 4)]
        self.cubes_a_city: Final = weights["cubes_a_city"]
        self.first_hopes: Final = weights["first_hopes"]
        self.certainty: Final = [weights[f"certainty_{cubes}"] for cubes in range(1, 5)]
        self.near: Final = weights["near"]
        self.far: Final = weights["far"]
        self.revenue_step: Final = weights["revenue_step"]
        self.track_step: Final = weights["track_step"]
        self.shares_step: Final = weights["shares_step"]
        self.awarded: Final = weights["awarded"]
        self.track_hope: Final = weights["track_hope"]
        self._country: Country | None = None
        self._odds: Final[dict[tuple[float, tuple[float, ...]], Odds]] = {}

    def worth(self, position: State) -> list[float]:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        values = [float(points) for points in state.points]
        if state.phase.actor == NOBODY:
            return values
        count = state.board.count
        shares = self.share_values(state)
        for seat in range(state.players):
            for rr in range(count):
                values[seat] += shares[rr] * state.shares[seat * count + rr]
            values[seat] += shares_to_come(state, seat, shares)
        return values

    def terms(self, position: State, seat: int) -> dict[str, float]:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        terms = {"points": float(state.points[seat])}
        if state.phase.actor == NOBODY:
            return terms
        board = state.board
        shares = self.share_values(state)
        for rr in range(board.count):
            held = state.shares[seat * board.count + rr]
            if held:
                terms[f"{board.railroads[rr]} shares"] = shares[rr] * held
        terms["shares to come"] = shares_to_come(state, seat, shares)
        return terms

    def share_values(self, state: SouthernRails) -> list[float]:
        """What one share of each railroad is likely to earn until the end."""
        board = state.board
        sure = self.how_sure(state)
        near_part, far_part = (1.0 - sure) * self.awarded, (board.rounds - state.scorings - 1) * self.awarded
        values = [0.0] * board.count
        for category, figures in enumerate(self.prospects(state)):
            points = board.points[category]
            known = self.odds_of(figures, self.step_of(board, category))
            near = points * near_part
            if category == board.by_track and max(figures) < board.track_least - 1:
                near *= self.track_hope  # it scores only from a certain length on
            far = points * far_part
            for rr in range(board.count):
                values[rr] += near * known.near[rr] + far * known.far[rr]
            if sure > 0.0:
                leader = state.leader(category)
                if leader >= 0:
                    values[leader] += points * sure
        return values

    def odds_of(self, figures: list[float], step: float) -> Odds:
        """How likely each railroad is to lead a category: most actions change the figures of few categories."""
        key = (step, tuple(figures))
        known = self._odds.get(key)
        if known is None:
            if len(self._odds) >= MOST_KNOWN:
                self._odds.clear()
            known = Odds(odds(figures, self.near * step), odds(figures, self.far * step))
            self._odds[key] = known
        return known

    def how_sure(self, state: SouthernRails) -> float:
        """How likely the next scoring round finds the standings as they are."""
        if isinstance(state.phase, Draft):
            return 0.0
        missing = state.board.scoring_cube
        for rr in range(state.board.count):
            left = state.board.scoring_cube - state.built(rr)
            if 0 < left < missing and state.owned(rr):
                missing = left
        return self.certainty[missing - 1] if missing <= len(self.certainty) else 0.0

    def step_of(self, board: SouthernRailsBoard, category: int) -> float:
        """What counts as one step in a category, as one city does."""
        if category < board.by_revenue:
            return 1.0
        if category == board.by_revenue:
            return self.revenue_step
        return self.track_step if category == board.by_track else self.shares_step

    def prospects(self, state: SouthernRails) -> list[list[float]]:
        """By category and railroad: the figure now, and what the cities within reach let hope for."""
        board = state.board
        country = self.country(board)
        outlooks = [country.outlook(state, rr) for rr in range(board.count)]
        figures = [[outlook[category] for outlook in outlooks] for category in range(board.by_revenue + 1)]
        figures.append([float(state.built(rr)) for rr in range(board.count)])
        figures.append([float(-state.owned(rr)) for rr in range(board.count)])
        return figures

    def country(self, board: SouthernRailsBoard) -> Country:
        """The country of a board; that of the last board is kept."""
        country = self._country
        if country is None or country.board is not board:
            country = Country(board, self)
            self._country = country
        return country


def shares_to_come(state: SouthernRails, seat: int, values: list[float]) -> float:
    """What a seat will earn with the shares that it has yet to take, each one round less than the one before."""
    board = state.board
    coming = board.rounds + 1
    for rr in range(board.count):
        coming -= state.shares[seat * board.count + rr]
    a_round = sum(values) / board.count / (board.rounds - state.scorings)
    return a_round * coming * (coming + 1) / 2


class Odds:
    """How likely each railroad is to lead a category in the next scoring round, and in later ones."""

    def __init__(self, near: list[float], far: list[float]) -> None:
        self.near: Final = near
        self.far: Final = far


def odds(figures: list[float], step: float) -> list[float]:
    """How likely each railroad is to lead with these figures."""
    best = max(figures)
    weights = [exp((figure - best) / step) for figure in figures]
    total = sum(weights)
    return [weight / total for weight in weights]


class City:
    """A city with the hexes one, two, three … steps away from it."""

    def __init__(self, board: SouthernRailsBoard, n: int, hope: list[float]) -> None:
        grid = board.grid
        self.bit: Final = grid.bit[n]
        self.revenue: Final = board.revenue[n]
        self.tier: Final = board.tier[n]
        self.chance: Final = hope
        self.rings: Final = grid.rings(n, len(hope))

    def hope(self, track: int) -> float:
        """The chance of being connected to a railroad with this track."""
        for step, ring in enumerate(self.rings):
            if track & ring:
                return self.chance[step]
        return 0.0


class Country:
    """The cities of a board, and what a judge found out about networks near them."""

    def __init__(self, board: SouthernRailsBoard, judge: SouthernRailsJudge) -> None:
        self.board: Final = board
        self.by_revenue: Final = board.by_revenue
        self.cubes_a_city: Final = judge.cubes_a_city
        named = [n for n, name in enumerate(board.names) if name]
        self.cities: Final = [City(board, n, judge.hope) for n in named]
        self.all: Final = board.grid.mask(named)
        self.at_first: Final = [judge.first_hopes / max(board.tier_count, 1)] * board.tier_count
        self.at_first.append(judge.first_hopes * max(board.revenue) / 2)
        self._known: Final[dict[tuple[int, int, int], list[float]]] = {}

    def outlook(self, state: SouthernRails, rr: int) -> list[float]:
        """The cities of each tier and the revenue that a railroad has and can hope to add: its track tells both."""
        track = state.track[rr]
        if not track:
            return self.at_first
        key = (track, state.full & self.all, state.cubes[rr])
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            tiers = self.by_revenue
            known = self._find_hopes(track, track | state.full, state.cubes[rr])
            for tier, cities in enumerate(state.cities[rr * tiers : (rr + 1) * tiers]):
                known[tier] += cities
            known[tiers] += state.revenue[rr]
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
        most = cubes / self.cubes_a_city
        return hopes if total <= most else [hope * most / total for hope in hopes]
