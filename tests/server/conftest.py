"""One server for all these tests, and people who come to it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from cuberails.server.logs import ACCESS, TextLines
from tests.server.house import Guests, Hall, House, Still, hall, served
from tests.server.postgres import Postgres, running


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server behind a proxy on its own machine, which may say for whom it asks."""
    with served(tmp_path_factory.mktemp("house") / "house.db", trusted_proxies=("127.0.0.1",)) as house:
        yield house


@pytest.fixture
def guest(house: House) -> Iterator[Guests]:
    guests = Guests(house.address)
    yield guests
    guests.leave()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database of each kind, for tests that hold on both."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[tuple[Hall, Still]]:
    with hall(tmp_path / "quiet.db") as made:
        yield made


@pytest.fixture
def access() -> Iterator[list[str]]:
    """The lines of the log of requests."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(TextLines().format(record))

    log, handler = logging.getLogger(ACCESS), Lines()
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield lines
    log.removeHandler(handler)
    log.setLevel(logging.NOTSET)
