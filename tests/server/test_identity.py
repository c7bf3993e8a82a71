"""Names that only the server gives, and keys that stand nowhere."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cuberails.core.title import SetupError
from cuberails.server.identity import HASHED, VALID_DAYS, Identities, hashed, stored_secret


class Calendar:
    """A calendar that a test turns."""

    def __init__(self) -> None:
        self.day = 20_000

    def __call__(self) -> int:
        return self.day


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def identities(calendar: Calendar) -> Identities:
    return Identities(b"a secret", calendar)


def test_somebody_is_known_by_a_token_of_this_server_only(identities: Identities) -> None:
    ann = identities.new_person()
    assert identities.who(identities.token(ann)) == ann
    assert identities.who(Identities(b"another secret").token(ann)) == ""
    assert identities.who(ann) != ann


def test_nobody_chooses_who_they_are(identities: Identities) -> None:
    ann, bob = identities.new_person(), identities.new_person()
    token = identities.token(ann)
    for forged in (token.replace(ann, bob), token[:-1] + ("A" if token[-1] != "A" else "B"), token + "x"):
        assert identities.who(forged) not in (ann, bob)
    assert identities.who("chosen-by-myself-1") == hashed("chosen-by-myself-1")
    assert identities.who("short") == identities.who("") == identities.who("ü" * 20) == ""


def test_a_token_changes_from_day_to_day_and_ends_some_day(identities: Identities, calendar: Calendar) -> None:
    ann = identities.new_person()
    first = identities.token(ann)
    calendar.day += 1
    assert identities.token(ann) != first
    assert identities.who(first) == ann
    calendar.day += VALID_DAYS
    assert identities.who(first) == ""
    calendar.day = 0
    assert identities.who(first) == ""  # nor is one from the future any good


def test_every_seat_of_every_table_has_another_key(identities: Identities) -> None:
    keys = {identities.seat_key(table, seat, nonce) for table in "ab" for seat in (0, 1) for nonce in "xy"}
    assert len(keys) == 8
    assert all(len(key) == 24 for key in keys)
    assert identities.seat_key("a", 0, "x") != Identities(b"another").seat_key("a", 0, "x")


def test_a_name_can_be_stored(identities: Identities) -> None:
    assert all(len(name) <= 64 for name in (hashed("x" * 64), identities.new_person()))
    assert len(identities.token(identities.new_person())) <= 64
    assert hashed("x").startswith(HASHED)


def test_servers_that_start_together_have_one_secret_which_is_theirs_alone(tmp_path: Path) -> None:
    file = tmp_path / "tables.db.key"
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(stored_secret, [file] * 8))
    assert found == {stored_secret(file)}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["tables.db.key"]


def test_an_empty_file_is_no_secret(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("")
    with pytest.raises(SetupError, match="holds no secret of a server"):
        stored_secret(tmp_path / "key")
    with pytest.raises(SetupError, match="cannot hold the secret"):
        stored_secret(tmp_path / "nowhere" / "key")
