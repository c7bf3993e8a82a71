"""One server for all these tests, and people who come to it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from cuberails.server.logs import ACCESS, TextLines
from tests.server.house import Guests, Hall, House, Still, hall, served


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
