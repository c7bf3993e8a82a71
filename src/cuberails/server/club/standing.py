"""How people and bots stand: ratings from rated games, and leaderboards.

Ratings follow from the results alone, in the order in which games ended, by the Plackett-Luce model of openskill:
several players, ties, and for each a mean and how sure it is. They can be worked out anew at any time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.engine import Engine

from cuberails.server.club.accounts import Accounts
from cuberails.server.club.results import Result, count_of_results, rated_results
from cuberails.server.connections import Changes
from cuberails.server.identity import has_account
from cuberails.server.models import AccountRow
from cuberails.server.naming import SOMEBODY
from cuberails.server.tables import Tables

LEAST_GAMES: Final = 5
"""Before so many rated games nobody stands on a leaderboard."""
MIDDLE, UNIT = 1500, 40
"""How ratings are shown: the middle of the scale, and so much for one of the model's units."""
SURE: Final = 2
"""On a leaderboard counts what somebody is worth at least: the rating less so often its uncertainty."""
BOT: Final = "bot "
"""What the name of a bot among those who are rated begins with."""
LEFT: Final = "left "
"""The same for somebody who has deleted the account: in each game another opponent of whom nothing is known, so that
those who have played against them keep the game."""


@dataclass(frozen=True)
class Standing:
    """A person, by name of the account, or a bot of a level, with a rating in one title."""

    who: str
    rating: int
    uncertainty: int
    games: int
    wins: float

    @property
    def at_least(self) -> int:
        return self.rating - SURE * self.uncertainty


def participant(result: Result) -> str:
    """Who is rated for a seat: an account, a bot of a level, or somebody who has left; "" for guests, who are not."""
    if result.bot:
        return BOT + result.bot
    if not result.person:
        return f"{LEFT}{result.table} {result.seat}"
    return result.person if has_account(result.person) else ""


def ratings(games: Iterable[Sequence[Result]]) -> dict[str, Standing]:
    """The ratings of all who took part in these games, in their order. Games between bots alone tell nothing here."""
    from openskill.models import PlackettLuce  # it takes a moment to load

    model = PlackettLuce()
    known: defaultdict[str, Any] = defaultdict(model.rating)
    played: Counter[str] = Counter()
    won: defaultdict[str, float] = defaultdict(float)
    for game in games:
        rated = [(participant(result), result.place) for result in game if participant(result)]
        names = [who for who, _ in rated]
        if len(set(names)) < 2 or all(who.startswith(BOT) for who in names):
            continue
        teams = model.rate([[known[who]] for who in names], ranks=[float(place) for _, place in rated])
        winners = sum(place == 1 for _, place in rated) or 1
        for who in set(names):
            mine = [team[0] for team, name in zip(teams, names, strict=True) if name == who]
            known[who] = model.rating(sum(r.mu for r in mine) / len(mine), sum(r.sigma for r in mine) / len(mine))
        for who, place in rated:
            played[who] += 1
            won[who] += (place == 1) / winners
    return {
        who: Standing(who, _shown(known[who].mu), round(UNIT * known[who].sigma), played[who], won[who])
        for who in played
        if not who.startswith(LEFT)
    }


def _shown(mu: float) -> int:
    return round(MIDDLE + UNIT * (mu - 25.0))


def everybody(engine: Engine, title: str) -> list[Standing]:
    """All who are rated in a title, the best first, by the names of their accounts: for the host alone."""
    found = ratings(rated_results(engine, title))
    with engine.connect() as connection:
        rows = connection.execute(select(AccountRow.person, AccountRow.name)).all()
        names = {row.person: row.name for row in rows}
    named = names | {who: who for who in found if who.startswith(BOT)}
    return _ranked(replace(each, who=named.get(each.who, SOMEBODY)) for each in found.values())


def _ranked(standings: Iterable[Standing]) -> list[Standing]:
    return sorted(standings, key=lambda each: (-each.at_least, each.who))


class Standings:
    """The ratings of a server's titles, worked out when somebody asks after a rated game has ended."""

    def __init__(self, tables: Tables, accounts: Accounts) -> None:
        self._engine = tables.store.engine
        self._accounts = accounts
        tables.on_change.append(self._hear)
        self._known: dict[str, tuple[object, dict[str, Standing]]] = {}

    def _hear(self, changes: Changes) -> None:
        """Perhaps somebody brought rated games along into an account, or has left."""
        if changes is None:
            self._known = {}

    # To be called in a thread

    def of(self, title: str) -> dict[str, Standing]:
        """The ratings in a title by person or bot."""
        state = count_of_results(self._engine, title)
        known = self._known.get(title)
        if known is None or known[0] != state:
            known = self._known[title] = state, ratings(rated_results(self._engine, title))
        return known[1]

    def leaderboard(self, title: str) -> list[Standing]:
        """Who has played enough and wants to be seen, the best first, bots among them."""
        found = [each for each in self.of(title).values() if each.games >= LEAST_GAMES]
        names = self.names(each.who for each in found)
        return _ranked(replace(each, who=names[each.who]) for each in found if each.who in names)

    def names(self, whom: Iterable[str]) -> dict[str, str]:
        """How they are called who can be shown: bots, and people who want to be seen."""
        wanted = list(whom)
        people = self._accounts.accounts_of(who for who in wanted if not who.startswith(BOT))
        shown = {person: account.name for person, account in people.items() if account.visible}
        return shown | {who: who for who in wanted if who.startswith(BOT)}
