"""A title in a package of its own is found where it is installed, and plays wherever the built-in ones do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import cuberails
from cuberails.core import state as engine
from tests.examples.conftest import EXAMPLE

OLD, NEW = ((EXAMPLE / "tests" / "records" / f"version-{version}.txt").read_text("utf-8") for version in (1, 2))


class Shell:
    """Runs programs in a folder of its own, where the title is installed."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self.folder = folder
        self._env = {**env, "XDG_DATA_HOME": str(folder / "data")}

    def python(self, *arguments: str | Path, typed: str = "", status: int = 0) -> str:
        """What a Python program says, which must end with this status."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=self._env, input=typed, capture_output=True, text=True
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def cuberails(self, line: str, typed: str = "", status: int = 0) -> str:
        """What the command says."""
        return self.python("-m", "cuberails.cli", *line.split(), typed=typed, status=status)


@pytest.fixture
def shell(tmp_path: Path, installed: dict[str, str]) -> Shell:
    return Shell(tmp_path, installed)


def test_it_is_found_only_where_it_is_installed(shell: Shell) -> None:
    assert "slate_lines" not in cuberails.TITLES
    found = shell.python("-c", "import cuberails, cuberails.core.state as s; print(s.__file__, *cuberails.TITLES)")
    assert found.split() == [engine.__file__, *cuberails.TITLES, "slate_lines"]
    assert "Slate Lines" in shell.cuberails("titles")


def test_its_own_tests_pass(shell: Shell) -> None:
    """Rules, refusals, conservation, copies, pickles, records, boards and rules versions."""
    assert " passed" in shell.python("-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLE)


def test_it_is_played_in_the_terminal_and_resumed(shell: Shell) -> None:
    play = "play slate_lines --players 2 --bots greedy --name Ann --seats-as-listed --seed 1 --record game.txt"
    first = shell.cuberails(play, typed="bid 9\nquit\n")
    assert "Bid $3 or more for North, or pass" in first
    record = (shell.folder / "game.txt").read_text("utf-8")
    assert "Ann bids $9 for North" in record
    assert record.startswith("cuberails 1\ntitle: slate_lines\nrules: 2\nboard: The slate coast\n")
    last = shell.cuberails(play, typed="pass\n" * 200)
    assert "The game ends: season 4 was the last (T6.1)" in last
    assert "The game ends" in shell.cuberails("replay game.txt")


def test_a_refusal_cites_its_rule_and_the_rule_can_be_read(shell: Shell) -> None:
    played = shell.cuberails(
        "play slate_lines --players 2 --bots greedy --name Ann --seats-as-listed", typed="bid 99\nquit\n"
    )
    assert "T2.2: $99 is more than the $36 in hand" in played
    assert "Nobody bids more than the cash in hand" in shell.cuberails("rules slate_lines T2.2")


@pytest.mark.parametrize(("bots", "games"), [("greedy", 4), ("easy random", 2)])
def test_bots_play_it(shell: Shell, bots: str, games: int) -> None:
    said = shell.cuberails(f"simulate slate_lines --games {games} --players 3 --seed 1 --jobs 2 --bots {bots}")
    assert "season 4 was the last (T6.1)" in said
    assert all(bot in said for bot in bots.split())


def test_a_hint_is_given(shell: Shell) -> None:
    (shell.folder / "game.txt").write_text(NEW, "utf-8")
    assert "East shares" in shell.cuberails("hint game.txt --at 12")


def test_records_of_both_versions_are_replayed_and_newer_ones_refused(shell: Shell) -> None:
    for name, record in (("old.txt", OLD), ("new.txt", NEW)):
        (shell.folder / name).write_text(record, "utf-8")
        assert "The game ends: season 4 was the last (T6.1)" in shell.cuberails(f"replay {name}")
    (shell.folder / "newer.txt").write_text(NEW.replace("rules: 2", "rules: 3"), "utf-8")
    refused = shell.cuberails("replay newer.txt", status=2)
    assert "follows rules version '3' of Slate Lines; this version knows 1 to 2" in refused


def test_a_board_of_ones_own_is_played_in_the_terminal_and_by_bots(shell: Shell) -> None:
    shell.cuberails("board copy slate_lines mine.toml")
    board = shell.folder / "mine.toml"
    board.write_text(board.read_text("utf-8").replace("money = 72", "money = 300"), "utf-8")
    assert "can be played on" in shell.cuberails("board check mine.toml")
    shell.cuberails(
        "play slate_lines --players 2 --board mine.toml --record game.txt --seats-as-listed", typed="bid 99\nquit\n"
    )
    record = (shell.folder / "game.txt").read_text("utf-8")
    assert "bids $99 for North" in record
    assert "| money = 300" in record
    assert "T6.1" in shell.cuberails("simulate slate_lines --games 2 --jobs 2 --bots random --board mine.toml")
    board.write_text(board.read_text("utf-8").replace("money = 300", "money = 0"), "utf-8")
    refused = shell.cuberails("board check mine.toml", status=1)
    assert "mine.toml, components.money: found 0; it needs a whole number, at least 1" in refused
