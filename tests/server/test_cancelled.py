"""A client that goes away while its action is written: the action counts, and everybody else sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from cuberails.server import acceptance
from cuberails.server.connections import Write
from cuberails.server.requests import ActRequest
from cuberails.server.table import Table
from tests.server.house import Hall, hall, opened, until


@pytest.fixture
def made(database: str) -> Iterator[Hall]:
    with hall(database) as (made, _):
        yield made


async def act_and_leave(table: Table) -> bool:
    """Act, and go away when the action is on its way to the disk; whether the request was really cut off."""
    queued = asyncio.Event()
    pass_on = table.writer.write

    async def watched(write: Write, generation: int | None = None) -> None:
        queued.set()
        await pass_on(write, generation)

    table.writer.write = watched  # type: ignore[method-assign]
    waiting = asyncio.create_task(acceptance.act(table, [0], ActRequest(seat=0, seq=0, action="bid 12")))
    await queued.wait()
    waiting.cancel()
    await asyncio.wait([waiting])
    return waiting.cancelled()


def test_an_action_counts_though_its_client_went_away(made: Hall) -> None:
    table = opened(made)
    woken: list[int] = []
    made.watch(table.id, lambda: woken.append(table.seq))
    assert made.run(act_and_leave(table))
    until(lambda: table.seq == 1)
    assert [entry.text for entry in table.store.entries(table.id, 0)] == ["bid 12"]
    until(lambda: 1 in woken)
