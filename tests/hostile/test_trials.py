"""Small trials of a real server; `make soak` runs the large ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.hostile.trials import disk_filled, killed, networked, raced


def test_attacks_by_the_network(tmp_path: Path) -> None:
    hostile = asyncio.run(networked(tmp_path / "tables.db", "network", 400))
    assert hostile.accepted > 10


def test_of_several_actions_at_one_number_one_wins_also_between_processes(tmp_path: Path) -> None:
    assert asyncio.run(raced(tmp_path / "tables.db", "race", 20)) == 20


def test_no_acknowledged_action_is_lost_by_kills(tmp_path: Path) -> None:
    assert asyncio.run(killed(tmp_path / "tables.db", "kill", 2)).acknowledged > 0


def test_a_full_disk_is_said_and_the_game_continues_when_there_is_room(tmp_path: Path) -> None:
    outcome = asyncio.run(disk_filled(tmp_path / "tables.db", 5, wait_for_health=False))
    assert outcome.refused == 5
    assert outcome.sentence == "The server is busy and nothing was changed; try again."
