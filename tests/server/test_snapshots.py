"""Long games are read from a snapshot; the log remains the truth."""

from __future__ import annotations

import os
import pickle
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from sqlalchemy.exc import OperationalError

import cuberails
from cuberails.core.action import Action
from cuberails.core.event import Event
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.scene import Scene
from cuberails.core.value import Value
from cuberails.server import snapshots
from cuberails.server.opening import open_table
from cuberails.server.refusal import Refused
from cuberails.server.requests import TableRequest
from cuberails.server.store import StoredSeat
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from tests.server.house import Still, act, hall, redo, undo

Quiet = tuple[Tables, Still]


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.table.SNAPSHOT_EVERY", 16)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The actions that are played again with all checks, as those of the log are."""
    found: list[str] = []
    apply = Game.apply

    def listening(game: Game, action: Action) -> list[Event]:
        found.append(str(action))
        return apply(game, action)

    monkeypatch.setattr(Game, "apply", listening)
    return found


def wander(tables: Tables, title: str, entries: int, origin: int = 0) -> tuple[Table, list[Scene]]:
    """A table where everybody wavers, and what was seen after each entry."""
    rng = Random(title)
    names = ["Ann", "Bob", "Cy"]
    start = Game(cuberails.load(title).board, names)
    for _ in range(origin):
        start.apply(pick(start.state, rng))
    table = tables.open(start, [StoredSeat(name, key=name) for name in names], "Ann")
    seen = [table.scene_at(n) for n in range(table.seq + 1)]
    while table.seq < entries and table.actor >= 0:
        before, count = table.seq, len(table.game.steps)
        if rng.random() < 0.2 and count:
            with suppress(Refused):  # before the first decision there is nothing to take back
                undo(table, [0, 1, 2], 0, table.seq, rng.randrange(count))
        elif rng.random() < 0.2 and len(table.history.branch) - 1 > count:
            redo(table, [0, 1, 2], 0, table.seq, len(table.history.branch) - 1)
        else:
            act(table, [table.actor], table.actor, table.seq, pick(table.state, rng).text)
        seen += [table.scene_at(n) for n in range(before + 1, table.seq)]  # dice
        seen += [table.scene(len(table.game.steps))] * (table.seq > before)
    return table, seen


@pytest.mark.parametrize(("title", "origin"), [("wabash", 0), ("wabash", 20), ("credit_mobilier", 9)])
def test_a_table_with_a_snapshot_is_as_it_was(quiet: Quiet, tmp_path: Path, title: str, origin: int) -> None:
    table, seen = wander(quiet[0], title, 120, origin)
    with hall(tmp_path / "quiet.db") as (other, _):
        twin = other.find(table.id)
        assert twin.game.to_text() == table.game.to_text()
        assert (twin.history.counts, twin.history.log) == (table.history.counts, table.history.log)
        for again in (twin, table):
            assert [again.scene_at(seq) for seq in range(again.seq + 1)] == seen
        assert [twin.scene(n) for n in range(len(twin.game.steps) + 1)] == [
            table.scene(n) for n in range(len(table.game.steps) + 1)
        ]


def test_only_what_came_after_the_snapshot_is_played_again(quiet: Quiet, tmp_path: Path, played: list[str]) -> None:
    table, _ = wander(quiet[0], "wabash", 100)
    played.clear()
    with hall(tmp_path / "quiet.db") as (other, _):
        other.find(table.id)
    assert len(played) < 16


def test_an_imported_game_is_kept_at_once(quiet: Quiet, tmp_path: Path, played: list[str]) -> None:
    table, _ = wander(quiet[0], "wabash", 0, 40)
    played.clear()
    with hall(tmp_path / "quiet.db") as (other, _):
        assert len(other.find(table.id).game.steps) == 40
    assert played == []


def test_a_snapshot_of_another_program_is_not_read(
    quiet: Quiet, tmp_path: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = wander(quiet[0], "wabash", 60)
    played.clear()
    monkeypatch.setattr(snapshots, "program", lambda: "newer")
    with hall(tmp_path / "quiet.db") as (other, _):
        assert other.find(table.id).game.to_text() == table.game.to_text()
    assert len(played) > 16


def test_what_cannot_be_read_or_is_foreign_is_as_good_as_none(quiet: Quiet, tmp_path: Path) -> None:
    table, _ = wander(quiet[0], "wabash", 60)
    door = tmp_path / "open"
    sly = b"\x80\x04\x8c\x1acuberails.server.snapshots\x8c\x08sys.exit\x93)R."  # by way of a module of ours
    for content in (b"", b"nonsense", zlib.compress(pickle.dumps(Recipe(os.mkdir, (str(door),)))), zlib.compress(sly)):
        quiet[0].store.save_snapshot(table.id, snapshots.program(), content)
        with hall(tmp_path / "quiet.db") as (other, _):
            assert other.find(table.id).game.to_text() == table.game.to_text()
    assert not door.exists()


class Token(Value):
    """A value of a title in another package."""

    def __init__(self, color: str) -> None:
        self.color = color


def test_values_of_installed_titles_are_restored_and_of_no_other_package(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = snapshots.pack(Token("red"))
    assert snapshots.unpack(packed) is None
    before = snapshots.program.__wrapped__()
    monkeypatch.setattr(snapshots, "_title_packages", lambda: frozenset([Token.__module__, "tests.titles"]))
    restored = snapshots.unpack(packed)
    assert isinstance(restored, Token)
    assert restored.color == "red"
    assert snapshots.program.__wrapped__() != before  # other titles, other snapshots


def test_a_title_is_restored_only_if_it_is_installed() -> None:
    assert snapshots.unpack(snapshots.pack(cuberails.load("gmo"))) is cuberails.load("gmo")
    foreign = cuberails.load("gmo").__reduce__()[0]  # what restores a title by its package, with another one
    assert snapshots.unpack(snapshots.pack(Recipe(foreign, ("antigravity",)))) is None
    assert "antigravity" not in sys.modules


class Recipe:
    """A pickle of a call."""

    def __init__(self, call: object, arguments: tuple[object, ...]) -> None:
        self.call = call
        self.arguments = arguments

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return self.call, self.arguments


def test_an_action_counts_even_if_no_snapshot_can_be_kept(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OperationalError("insert", {}, Exception("disk is full"))

    monkeypatch.setattr(quiet[0].store, "save_snapshot", full)
    assert wander(quiet[0], "wabash", 60)[0].seq >= 60


def test_a_record_is_played_once_and_a_fork_too(quiet: Quiet, played: list[str]) -> None:
    record = Path("tests/records/wabash/3-players-greedy.txt").read_text()
    table = open_table(quiet[0], TableRequest(record=record), "Ann")
    assert len(played) == len(table.game.steps)
    played.clear()
    open_table(quiet[0], TableRequest(fork=table.id, at=20), "Ann")
    assert len(played) == 20
