"""Trials of a real server: attacks by the network, races between processes, `kill -9` while people act, a full disk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx

from cuberails.server.health import PATIENCE
from tests.hostile import raw
from tests.hostile.client import Hostile
from tests.hostile.serving import Serving
from tests.hostile.world import Target, World

OnProgress = Callable[[], None]


def visitor(address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=address, timeout=60)


def act(http: httpx.AsyncClient, target: Target, action: str) -> Any:
    """An action of whoever is to decide, at the number that is known."""
    body = {"seat": target.actor, "seq": target.seq, "action": action}
    headers = {"Authorization": f"Bearer {target.owners[target.actor]}"}
    return http.post(f"/api/tables/{target.id}/act", json=body, headers=headers)


# By the network


async def networked(file: Path, seed: str, requests: int, on_progress: OnProgress = lambda: None) -> Hostile:
    """Attacks over real connections, a fifth of them below HTTP."""
    server = Serving(file)
    try:
        async with visitor(server.address) as http:
            hostile = Hostile(http, seed)
            await asyncio.gather(
                hostile.attack(requests * 4 // 5, on_progress),
                _below_http(hostile, server.port, Random(seed), requests // 5, on_progress),
            )
            assert (await http.get("/health")).text == "ok"
        return hostile
    finally:
        server.kill()


async def _below_http(hostile: Hostile, port: int, random: Random, requests: int, on_progress: OnProgress) -> None:
    while not hostile.world.targets:
        await asyncio.sleep(0.01)
    for _ in range(requests):
        await raw.attack(port, random, random.choice(hostile.world.targets).id)
        on_progress()


# Races


async def raced(file: Path, seed: str, rounds: int, on_progress: OnProgress = lambda: None) -> int:
    """Several clients at two processes on one database want to act at the same number: how often exactly one won."""
    random, servers = Random(seed), [Serving(file), Serving(file)]
    try:
        async with visitor(servers[0].address) as one, visitor(servers[1].address) as two:
            world = World(one)
            for _ in range(rounds):
                target = world.targets[-1] if world.targets else await world.open("wabash", plain=True)
                await _race(target, [one, two, one, two], random)
                if world.take_finished():
                    await world.check(target)
                on_progress()
            for target in world.known.values():
                await world.check(target)
        return rounds
    finally:
        for server in servers:
            server.kill()


async def _race(target: Target, clients: list[httpx.AsyncClient], random: Random) -> None:
    secret, seat, seq = target.owners[target.actor], target.actor, target.seq
    wanted = [random.choice(target.legal) for _ in clients]
    answers = await asyncio.gather(*(act(http, target, action) for http, action in zip(clients, wanted)))
    won = [(action, answer) for action, answer in zip(wanted, answers) if answer.status_code == 200]
    assert len(won) == 1, [(answer.status_code, answer.text[:200]) for answer in answers]
    for answer in answers:
        assert answer.status_code in (200, 409), answer.text[:300]
    action, answer = won[0]
    target.note(seq, seat, action, secret)
    target.learn(answer.json())


# Kills


@dataclass
class Kills:
    """How many servers were killed, and how many acknowledged actions were there afterwards."""

    kills: int = 0
    acknowledged: int = 0


async def killed(file: Path, seed: str, kills: int, on_progress: OnProgress = lambda: None) -> Kills:
    """`kill -9` while three tables are played at: no acknowledged action is lost, and none happens twice."""
    random, outcome = Random(seed), Kills()
    targets: list[Target] = []
    for _ in range(kills):
        server = Serving(file)
        try:
            async with visitor(server.address) as http:
                targets = await _come_back(World(http), targets)
                players = [asyncio.create_task(_play(http, target, Random(target.id))) for target in targets]
                await asyncio.sleep(random.uniform(0.05, 0.6))
                server.kill()
                outcome.acknowledged += sum(await asyncio.gather(*players))
        finally:
            server.kill()
        outcome.kills += 1
        on_progress()
    await _after_the_last(file, targets)
    return outcome


async def _after_the_last(file: Path, targets: list[Target]) -> None:
    server = Serving(file)
    try:
        async with visitor(server.address) as http:
            await _come_back(World(http), targets)
    finally:
        server.kill()


async def _come_back(world: World, targets: list[Target]) -> list[Target]:
    """After a restart: every table is where it was acknowledged to be. Those to play at, new ones if all are over."""
    for target in targets:
        await _compare(world, target)
    titles = ("wabash", "gmo", "credit_mobilier")
    return [target for target in targets if target.actor >= 0] or [await world.open(title, True) for title in titles]


async def _compare(world: World, target: Target) -> None:
    """What was acknowledged is there; perhaps also one action whose answer the kill has cut off, which counts now."""
    game = await world.check_state(target.id, target.host)
    found = [(step.seat, step.action.text) for step in game.steps if step.seat >= 0]
    acknowledged = [(act.seat, act.action) for act in target.accepted]
    assert found[: len(acknowledged)] == acknowledged, "an acknowledged action was lost"
    assert len(found) <= len(acknowledged) + 1, "more happened than was asked for"
    for seat, action in found[len(acknowledged) :]:
        target.note(target.seq, seat, action, target.owners[seat])
    await world.see(target)


async def _play(http: httpx.AsyncClient, target: Target, random: Random) -> int:
    """Act as fast as possible until the server is gone or the game is over; how many actions were acknowledged."""
    before = len(target.accepted)
    while target.actor >= 0:
        action = random.choice(target.legal)
        try:
            answer = await act(http, target, action)
        except httpx.TransportError:
            break
        assert answer.status_code == 200, answer.text[:300]
        target.note(target.seq, target.actor, action, target.owners[target.actor])
        target.learn(answer.json())
    return len(target.accepted) - before


# A full disk


@dataclass
class FullDisk:
    """How many actions were refused with a sentence while the disk was full, and what was said."""

    refused: int = 0
    sentence: str = ""
    unhealthy: bool = False


async def disk_filled(file: Path, tries: int, wait_for_health: bool) -> FullDisk:
    """While nothing can be written, actions are refused and nothing is lost; with room again the game continues."""
    server, outcome = Serving(file), FullDisk()
    try:
        async with visitor(server.address) as http:
            world = World(http)
            target = await world.open("wabash", plain=True)
            await _act_once(http, target)
            server.fill_disk(Path(f"{file}-wal").stat().st_size)
            for _ in range(tries):
                answer = await act(http, target, target.legal[0])
                assert answer.status_code == 503, answer.text[:300]
                outcome.refused, outcome.sentence = outcome.refused + 1, answer.json()["message"]
                assert (await world.view(target))["seq"] == target.seq
            if wait_for_health:
                outcome.unhealthy = await _becomes(http, 503)
            server.free_disk()
            for _ in range(10):
                await _act_once(http, target)
            assert await _becomes(http, 200)
            await world.check(target)
        return outcome
    finally:
        server.kill()


async def _act_once(http: httpx.AsyncClient, target: Target) -> None:
    seq, seat, action = target.seq, target.actor, target.legal[0]
    answer = await act(http, target, action)
    assert answer.status_code == 200, answer.text[:300]
    target.note(seq, seat, action, target.owners[seat])
    target.learn(answer.json())


async def _becomes(http: httpx.AsyncClient, status: int) -> bool:
    """Whether the server says so about its health, in the time that it has for it."""
    end = time.monotonic() + 3 * PATIENCE
    while (await http.get("/health")).status_code != status:
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.2)
    return True
