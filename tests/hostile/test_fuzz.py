"""A hostile client against the application itself, without a network: some thousand requests, the same in every run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from cuberails.server.app import create_app
from cuberails.server.settings import Settings
from tests.hostile.client import Hostile

REQUESTS = 1500


@pytest.mark.parametrize("seed", ["first", "second"])
def test_the_application_keeps_its_promises(tmp_path: Path, seed: str) -> None:
    hostile = asyncio.run(attacked(tmp_path / "tables.db", seed, REQUESTS))
    assert hostile.unanswered == 0
    assert hostile.accepted > REQUESTS / 20
    assert {400, 401, 403, 404, 409, 415, 422} <= set(hostile.answers)


async def attacked(file: Path, seed: str, requests: int, on_progress: Callable[[], None] = lambda: None) -> Hostile:
    """The hostile client after its attack on the application, which keeps its tables in this file."""
    app = create_app(Settings(database=str(file), bot_processes=1, pace=0.0))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://test", timeout=60) as http,
    ):
        hostile = Hostile(http, seed)
        await hostile.attack(requests, on_progress)
        return hostile
