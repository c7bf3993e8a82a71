"""A server with accounts that sends its mail to a postbox of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from cuberails.server.club import passwords
from tests.server.club.postbox import Postbox
from tests.server.house import Guests, House, served


@pytest.fixture(scope="session")
def postbox() -> Iterator[Postbox]:
    box = Postbox()
    yield box
    box.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, postbox: Postbox) -> Iterator[House]:
    """A server behind a proxy on its own machine, which may say for whom it asks."""
    file = tmp_path_factory.mktemp("club") / "club.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "HASHER", PasswordHasher(1, 8, 1))  # less care, more tests
        with served(file, trusted_proxies=("127.0.0.1",), **postbox.settings) as house:
            yield house


@pytest.fixture
def guest(house: House) -> Iterator[Guests]:
    guests = Guests(house.address)
    yield guests
    guests.leave()
