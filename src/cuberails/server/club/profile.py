"""What people show of themselves who want to be seen: their games by title, results, opponents, and how they keep time.

Nobody is named in a profile who does not want to be seen.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from sqlalchemy import select
from sqlalchemy.engine import Engine

from cuberails.server.club.accounts import Account, Accounts
from cuberails.server.club.clocks import CORRESPONDENCE, LIVE
from cuberails.server.club.open_tables import PUBLIC
from cuberails.server.club.results import Result, results_of
from cuberails.server.club.standing import Standing, Standings
from cuberails.server.models import TableRow

MOST_GAMES: Final = 20
"""So many of the last games are listed one by one."""

MOST_OPPONENTS: Final = 30
"""So many people are listed with whom somebody has played."""

Game = Sequence[Result]
"""The results of all seats of a game."""


@dataclass(frozen=True)
class TitleRecord:
    """What somebody has done in one title; the rating is None before the first rated game."""

    title: str
    games: int
    wins: float
    rating: Standing | None


@dataclass(frozen=True)
class PlayedGame:
    """How somebody came out of a game: the place among so many `seats`, perhaps with others who are as good (`shared`).

    `people` and `bots` are who else played, by name and by level; of so many `others` the names are not shown. `page`
    is where everybody can look on; "" if the table was not public.
    """

    title: str
    ended: dt.datetime
    place: int
    seats: int
    shared: bool
    score: int
    rated: bool
    pace: str
    people: list[str]
    bots: list[str]
    others: int
    page: str


@dataclass(frozen=True)
class PaceRecord:
    """How many games somebody has played with a kind of time control, and how many seconds they usually take to answer
    in them (the median over games); None where that was not measured."""

    kind: str
    games: int
    answer: float | None


@dataclass(frozen=True)
class Reliability:
    """How many decisions somebody had to make by a clock, and how many of them in time."""

    decisions: int
    in_time: int

    @property
    def percent(self) -> int:
        """Rounded down: who was late once has not always been in time."""
        return 100 * self.in_time // self.decisions


@dataclass(frozen=True)
class Profile:
    """What a person shows of themselves, or would if they were `visible`; `reliability` is None before the first
    decision by a clock."""

    name: str
    visible: bool
    since: dt.datetime
    titles: list[TitleRecord]
    games: list[PlayedGame]
    paces: list[PaceRecord]
    reliability: Reliability | None
    opponents: list[tuple[str, int]]


class Profiles:
    """The profiles of a server."""

    def __init__(self, engine: Engine, accounts: Accounts, standings: Standings) -> None:
        self._engine = engine
        self._accounts = accounts
        self._standings = standings

    # To be called in a thread

    def of(self, name: str, viewer: str = "") -> Profile | None:
        """What there is to see of somebody by the name of the account; None if there is nobody who wants that. People
        see their own (`viewer`) in any case."""
        account = self._accounts.by_name(name)
        if account is None or not (account.visible or account.person == viewer):
            return None
        person, games = account.person, results_of(self._engine, account.person)
        own = [result for game in games for result in game if result.person == person]
        return Profile(
            account.name,
            account.visible,
            account.created,
            self._titles(games, person),
            self._played(games[:MOST_GAMES], person),
            _paces(own),
            _reliability(own),
            self._opponents(games, person),
        )

    def visible(self, persons: Iterable[str]) -> dict[str, Account]:
        """Those of these people who want to be seen."""
        return {person: each for person, each in self._accounts.accounts_of(persons).items() if each.visible}

    def _titles(self, games: Sequence[Game], person: str) -> list[TitleRecord]:
        by_title: defaultdict[str, list[Game]] = defaultdict(list)
        for game in games:
            by_title[game[0].title].append(game)
        return [
            TitleRecord(
                title,
                len(found),
                sum(_share_of_win(game, person) for game in found),
                self._standings.of(title).get(person),
            )
            for title, found in sorted(by_title.items())
        ]

    def _played(self, games: Sequence[Game], person: str) -> list[PlayedGame]:
        seen = self.visible({result.person for game in games for result in game})
        public = self._public({game[0].table for game in games})
        return [_played(game, person, seen, game[0].table in public) for game in games]

    def _public(self, tables: set[str]) -> set[str]:
        """Those of these tables that everybody may look at."""
        query = select(TableRow.id).where(TableRow.id.in_(tables), TableRow.visibility == PUBLIC)
        with self._engine.connect() as connection:
            return set(connection.scalars(query))

    def _opponents(self, games: Sequence[Game], person: str) -> list[tuple[str, int]]:
        met = Counter(other for game in games for other in {result.person for result in game} - {"", person})
        seen = self.visible(met)
        return [(seen[other].name, count) for other, count in met.most_common() if other in seen][:MOST_OPPONENTS]


def _played(game: Game, person: str, seen: dict[str, Account], public: bool) -> PlayedGame:
    own = min((result for result in game if result.person == person), key=lambda result: result.place)
    others = [result for result in game if result.person != person]
    hidden = [result for result in others if not result.bot and result.person not in seen]
    return PlayedGame(
        title=own.title,
        ended=own.ended,
        place=own.place,
        seats=len(game),
        shared=any(result.place == own.place for result in others),
        score=own.score,
        rated=own.rated,
        pace=own.pace.kind,
        people=[seen[result.person].name for result in others if result.person in seen],
        bots=[result.bot for result in others if result.bot],
        others=len(hidden),
        page=f"/t/{own.table}" if public else "",
    )


def _paces(own: Sequence[Result]) -> list[PaceRecord]:
    """The games of somebody by their time controls, those with a clock first."""
    found = []
    for kind in (LIVE, CORRESPONDENCE, ""):
        paces = [result.pace for result in own if result.pace.kind == kind]
        answers = [pace.answer for pace in paces if pace.answer is not None]
        found.append(PaceRecord(kind, len(paces), median(answers) if answers else None))
    return [record for record in found if record.games]


def _reliability(own: Sequence[Result]) -> Reliability | None:
    in_time = sum(result.pace.decisions for result in own)
    decisions = in_time + sum(result.pace.timeouts for result in own)
    return Reliability(decisions, in_time) if decisions else None


def _share_of_win(game: Game, person: str) -> float:
    """What somebody has of the win of a game, which several may share."""
    winners = [result for result in game if result.place == 1]
    return sum(result.person == person for result in winners) / max(1, len(winners))
