"""A table is its log: whoever plays it again sees everything that was ever seen."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails.core.action import Action
from cuberails.core.event import Event
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.scene import Scene
from cuberails.server.refusal import Refused
from cuberails.server.requests import TableRequest
from cuberails.server.store import StoredSeat
from cuberails.server.table import Table
from tests.server.house import Hall, Still, act, hall, opened_by, redo, undo

Quiet = tuple[Hall, Still]


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


def wander(tables: Hall, title: str, entries: int, origin: int = 0) -> tuple[Table, list[Scene]]:
    """A table where everybody wavers, and what was seen after each entry."""
    rng = Random(title)
    names = ["Ann", "Bob", "Cy"]
    start = Game(cuberails.load(title).board, names)
    for _ in range(origin):
        start.apply(pick(start.state, rng))
    table = tables.open(start, [StoredSeat(name, key=name) for name in names], "Ann")
    seen = [table.scenes.at(n) for n in range(table.seq + 1)]
    while table.seq < entries and table.actor >= 0:
        before, count = table.seq, len(table.game.steps)
        if rng.random() < 0.2 and count:
            with suppress(Refused):  # before the first decision there is nothing to take back
                undo(table, [0, 1, 2], 0, table.seq, rng.randrange(count))
        elif rng.random() < 0.2 and len(table.history.branch) - 1 > count:
            redo(table, [0, 1, 2], 0, table.seq, len(table.history.branch) - 1)
        else:
            act(table, [table.actor], table.actor, table.seq, pick(table.state, rng).text)
        seen += [table.scenes.at(n) for n in range(before + 1, table.seq)]  # dice
        seen += [table.scenes.after(len(table.game.steps))] * (table.seq > before)
    return table, seen


@pytest.mark.parametrize(("title", "origin"), [("wabash", 0), ("wabash", 20), ("credit_mobilier", 9)])
def test_a_table_is_read_again_with_everything_that_was_ever_seen_there(
    quiet: Quiet, tmp_path: Path, title: str, origin: int
) -> None:
    table, seen = wander(quiet[0], title, 120, origin)
    with hall(tmp_path / "quiet.db") as (other, _):
        twin = other.find(table.id)
        assert twin.game.to_text() == table.game.to_text()
        assert (twin.history.counts, twin.history.log) == (table.history.counts, table.history.log)
        for again in (twin, table):
            assert [again.scenes.at(seq) for seq in range(again.seq + 1)] == seen
        assert [twin.scenes.after(n) for n in range(len(twin.game.steps) + 1)] == [
            table.scenes.after(n) for n in range(len(table.game.steps) + 1)
        ]


def test_a_record_is_played_once_and_a_fork_too(quiet: Quiet, played: list[str]) -> None:
    record = Path("tests/records/wabash/3-players-greedy.txt").read_text()
    table = opened_by(quiet[0], TableRequest(record=record))
    assert len(played) == len(table.game.steps)
    played.clear()
    opened_by(quiet[0], TableRequest(fork=table.id, at=20))
    assert len(played) == 20
