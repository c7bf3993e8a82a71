"""What the hostile client knows about the tables that it attacks, and who owns their seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx

import cuberails
from cuberails.core.game import Game
from cuberails.core.state import NOBODY

NAMES = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")


@dataclass
class Accepted:
    """An action that the server has acknowledged: made at which number of the log, for whom, and by whom."""

    seq: int
    seat: int
    action: str
    secret: str


@dataclass
class Target:
    """A table. At one that is `plain`, nobody ever goes back or gives a seat away, so its record tells everything."""

    id: str
    title: str
    owners: list[str]
    """By seat, the secret of the person who may play it."""

    plain: bool
    seq: int = 0
    actor: int = 0
    legal: list[str] = field(default_factory=list)
    accepted: list[Accepted] = field(default_factory=list)

    def learn(self, view: dict[str, Any]) -> None:
        """Take over what an answer says, unless a later one came first."""
        if view["seq"] >= self.seq:
            self.seq, self.actor, self.legal = view["seq"], view["status"]["actor"], view["legal"]

    def note(self, seq: int, seat: int, action: str, secret: str) -> None:
        """An action was acknowledged."""
        self.accepted.append(Accepted(seq, seat, action, secret))

    @property
    def host(self) -> str:
        return self.owners[0]


class World:
    """The tables, and how the truth about them is found out."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.targets: list[Target] = []
        self.known: dict[str, Target] = {}

    async def open(self, title: str, plain: bool) -> Target:
        """A table whose first seat is the host's, and whose others belong to people with links."""
        people = cuberails.load(title).least_players
        seats = [{"name": NAMES[0]}, *({"name": name, "by": "link"} for name in NAMES[1:people])]
        answer = await self.http.post("/api/tables", json={"title": title, "seats": seats, "seating": "listed"})
        opened = answer.raise_for_status().json()
        keys = [link.rpartition("/")[2] for link in opened["links"]]
        target = Target(opened["id"], title, [opened["person"], *keys[1:]], plain)
        self.http.cookies.clear()
        await self.see(target)
        self.targets.append(target)
        self.known[target.id] = target
        return target

    def take_finished(self) -> list[Target]:
        """The tables whose games are over; they are attacked no more."""
        finished = [target for target in self.targets if target.actor == NOBODY]
        self.targets = [target for target in self.targets if target.actor != NOBODY]
        return finished

    async def check(self, target: Target) -> None:
        """The table is what an independent replay of its record says, and its record is what was acknowledged."""
        assert len({act.seq for act in target.accepted}) == len(target.accepted), "two actions won at one number"
        for act in target.accepted:
            assert act.secret == target.owners[act.seat], f"{act} was accepted from somebody else"
        game = await self.check_state(target.id, target.host)
        if target.plain:
            accepted = sorted(target.accepted, key=lambda act: act.seq)
            meant = [(act.seat, game.state.parse(act.action).text) for act in accepted]
            assert meant == [(step.seat, step.action.text) for step in game.steps if step.seat >= 0]

    async def check_state(self, id: str, secret: str) -> Game:
        while True:
            view = await self._json(f"/api/tables/{id}", secret)
            record = await self.http.get(f"/api/tables/{id}/record.json")
            if (await self._json(f"/api/tables/{id}", secret))["seq"] == view["seq"]:  # no bot has acted meanwhile
                break
        game = cuberails.read(record.raise_for_status().text)
        state = game.state
        assert view["legal"] == [action.text for action in state.legal_actions()]
        assert view["scores"] == state.scores()
        assert view["prompt"] == state.prompt
        assert view["status"]["actor"] == state.phase.actor
        assert view["count"] == len(game.steps)
        return game

    async def see(self, target: Target) -> None:
        target.learn(await self.view(target))

    async def view(self, target: Target) -> Any:
        return await self._json(f"/api/tables/{target.id}", target.host)

    async def _json(self, path: str, secret: str) -> Any:
        answer = await self.http.get(path, headers={"Authorization": f"Bearer {secret}"})
        return answer.raise_for_status().json()
