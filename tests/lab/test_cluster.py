"""Games on a Ray cluster are those of this machine, also if a node is killed in the middle."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from importlib.util import find_spec
from typing import Any

import pytest

from cuberails.lab import play_one
from tests.lab import on_ray


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What came of it; nothing of Ray is imported here, so that it cannot disturb other tests."""
    assert find_spec("ray"), "ray is not installed; `make test` installs it, from requirements/test.txt"
    folder = tmp_path_factory.mktemp("ray")
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.lab.on_ray", str(folder)]
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    assert shown.returncode == 0, shown.stdout
    return json.loads((folder / "found.json").read_text("utf-8")) | {"shown": shown.stdout}


def test_a_killed_node_loses_nothing(found: dict[str, Any]) -> None:
    games = [asdict(play_one(on_ray.MATCH, number)) for number in range(on_ray.GAMES)]
    assert found["nodes"] == 2
    assert [without_times(game) for game in found["games"]] == [without_times(game) for game in games]


def without_times(game: dict[str, Any]) -> Any:
    return json.loads(json.dumps({name: value for name, value in game.items() if name != "thought"}))


def test_the_command_prints_the_same(found: dict[str, Any]) -> None:
    assert found["command"] == on_ray.command("--jobs", "2")


def test_nothing_is_printed_about_lost_workers_and_nodes(found: dict[str, Any]) -> None:
    assert "raylet" not in found["shown"]


def test_a_game_that_kills_every_worker_is_given_up(found: dict[str, Any]) -> None:
    assert found["killed"] == "game 3 could not be played: 3 workers were killed, perhaps for want of memory"


def test_what_a_game_raises_is_raised_here(found: dict[str, Any]) -> None:
    assert found["raised"].endswith("is not for us")


def test_an_address_without_a_cluster_gets_one_sentence(found: dict[str, Any]) -> None:
    code, sentence = found["nowhere"]
    assert code == "2"
    assert sentence.startswith("cuberails: there is no Ray cluster to use at '127.0.0.1:1' (`ray start --head` starts")
    assert sentence.count("\n") == 1


def test_processes_are_not_counted_on_a_cluster() -> None:
    code, sentence = on_ray.command("--ray", "auto", "--jobs", "2")
    assert code == "2"
    assert "with --ray the cluster decides" in sentence
