"""The hostile client: fires attacks side by side, and holds every answer to what the server promises."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator

import httpx

import cuberails
from tests.hostile.attacks import Attack, Attacks
from tests.hostile.world import World

SIDE_BY_SIDE = 6
"""So many requests are under way at once: attacks race with one another."""


BELOW = "Invalid HTTP request received."
"""What uvicorn says to requests that are no HTTP, before the application sees them."""


class Broken(AssertionError):
    """A promise that the server broke, and the request with which it did."""

    def __init__(self, promise: str, attack: Attack) -> None:
        shown = f"{attack.method} {attack.path[:300]} {attack.headers} {attack.body[:300]!r}"
        super().__init__(f"{promise}\nafter: {shown}")


class Hostile:
    """Attacks the tables of a server.

    `answers` counts its answers by status, `accepted` the actions it took, `unanswered` the rest.
    """

    def __init__(self, http: httpx.AsyncClient, seed: object) -> None:
        self.http = http
        self.world = World(http)
        self.seed = seed
        self.answers: Counter[int] = Counter()
        self.accepted = 0
        self.unanswered = 0
        self.opened: list[str] = []

    async def attack(self, requests: int, on_progress: Callable[[], None] = lambda: None) -> None:
        """Fire so many requests, then compare every table with an independent replay."""
        for title in cuberails.TITLES:
            for plain in (True, False):
                await self.world.open(title, plain)
        left = iter(range(requests))
        await asyncio.gather(*(self._fire(n, left, on_progress) for n in range(SIDE_BY_SIDE)))
        for target in self.world.known.values():
            await self.world.check(target)
        for id in self.opened[-50:]:
            await self.world.check_state(id, "nobody-nobody-nobody")

    async def _fire(self, n: int, left: Iterator[int], on_progress: Callable[[], None]) -> None:
        attacks = Attacks((self.seed, n), self.world)
        for _ in left:
            attack = attacks.next()
            answer = await self._answer(attack)
            if answer is not None:
                self._judge(attack, answer)
            await self._renew()
            on_progress()

    async def _answer(self, attack: Attack) -> httpx.Response | None:
        """The answer; None if the client cannot even say that, or the server closed the connection on a large body."""
        headers = [(name.encode(), _bytes(value)) for name, value in attack.headers.items()]
        try:
            answer = await self.http.request(attack.method, attack.path, content=attack.body, headers=headers)
        except (httpx.LocalProtocolError, httpx.RemoteProtocolError, httpx.NetworkError):
            self.unanswered += 1
            return None
        except Exception as error:
            raise Broken(f"the application raised {error!r}", attack) from error
        self.http.cookies.clear()
        return answer

    async def _renew(self) -> None:
        """A game that is over is replaced, so that there is always something to attack."""
        for target in self.world.take_finished():
            await self.world.open(target.title, target.plain)
            await self.world.check(target)

    def _judge(self, attack: Attack, answer: httpx.Response) -> None:
        self.answers[answer.status_code] += 1
        if answer.status_code == 400 and answer.text == BELOW:
            return
        broken = _broken_promise(attack, answer)
        if broken:
            raise Broken(broken, attack)
        if answer.status_code == 201:
            self.opened.append(answer.json()["id"])
        elif answer.status_code == 200 and attack.method == "POST" and attack.path.endswith("/act"):
            self._note(attack, answer)
        elif attack.target and attack.method == "POST":
            _learn(attack, answer)

    def _note(self, attack: Attack, answer: httpx.Response) -> None:
        """An action was accepted, whatever kind of attack it was; in the end it must be in the record."""
        asked, view = json.loads(attack.body), answer.json()
        target = self.world.known[view["id"]]
        target.note(asked["seq"], asked["seat"], asked["action"], attack.secret)
        target.learn(view)
        self.accepted += 1


def _broken_promise(attack: Attack, answer: httpx.Response) -> str:
    """What is wrong with an answer, whatever was asked; empty if nothing is."""
    status, place = answer.status_code, answer.headers.get("location", "/")
    if status >= 500 and not (status == 503 and _sentence(answer)):
        return f"the server failed: {status} {answer.text[:500]}"
    if answer.headers.get("x-content-type-options") != "nosniff":
        return f"an answer ({status}) without the security headers"
    if not place.startswith("/"):
        return f"an answer ({status}) that leads elsewhere: {place[:300]}"
    for_programs = answer.request.url.path.startswith("/api/") and attack.method != "HEAD"
    if status >= 400 and for_programs and not _sentence(answer):
        return f"a refusal ({status}) without a sentence: {answer.text[:300]}"
    return ""


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


def _sentence(answer: httpx.Response) -> bool:
    """Whether a refusal is one sentence for people, and not the insides of a program."""
    try:
        message = answer.json()["message"]
    except (ValueError, KeyError, TypeError):
        return False
    return isinstance(message, str) and bool(message) and "Traceback" not in message


def _learn(attack: Attack, answer: httpx.Response) -> None:
    """Refusals carry the fresh table."""
    found = answer.json()
    view = found if answer.status_code == 200 else found.get("table")
    if view and attack.target:
        attack.target.learn(view)
