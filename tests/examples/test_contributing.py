"""The commands of CONTRIBUTING.md do what it says, typed as they stand there."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.conftest import EXAMPLE, PIP, ROOT, environment, into

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def commands_of(section: str) -> str:
    """The shell commands of a section."""
    found = re.search(rf"^## {section}\n.*?^```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert found, f"CONTRIBUTING.md has no commands in its section {section!r}"
    return found[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the example in it, where `pip install` puts packages into its own `installed`."""
    shutil.copytree(EXAMPLE, tmp_path / "examples" / EXAMPLE.name)
    (tmp_path / "bin").mkdir()
    write_program(tmp_path / "bin" / "pip", PIP, into(tmp_path / "installed"))
    write_program(tmp_path / "bin" / "pytest", [sys.executable, "-m", "pytest"], ["-p", "no:cacheprovider"])
    write_program(tmp_path / "bin" / "cuberails", [sys.executable, "-m", "cuberails.cli"], [])
    return tmp_path


def write_program(file: Path, command: list[str], more: list[str]) -> None:
    """A program that runs this command, with what is typed after its name and then some more."""
    file.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@" {shlex.join(more)}\n')
    file.chmod(0o755)


def typed_in(folder: Path, commands: str) -> str:
    """What they say; each must succeed."""
    env = environment(folder / "installed")
    env |= {"PATH": f"{folder / 'bin'}:{env['PATH']}", "XDG_DATA_HOME": str(folder / "data")}
    done = subprocess.run(["sh", "-ec", commands], cwd=folder, env=env, input="", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def asked_for_a_bid(said: str) -> bool:
    """Whether it came to the first decision of a game: how much to bid depends on who was drawn to begin."""
    return re.search(r"Bid \$\d+ or more for \w+, or pass", said) is not None


def test_a_board_is_copied_checked_and_played_on(folder: Path) -> None:
    said = typed_in(folder, commands_of("A board"))
    assert "can be played on" in said
    assert asked_for_a_bid(said)


def test_a_title_is_copied_renamed_installed_tested_and_played(folder: Path) -> None:
    said = typed_in(folder, commands_of("A title"))
    assert " passed" in said
    assert asked_for_a_bid(said)
    titles = typed_in(folder, "cuberails titles")
    assert "moor_lines" in titles
    assert "slate_lines" not in titles


def test_the_rooms_of_the_walkthrough_are_those_of_the_example() -> None:
    section = TEXT.partition("## A title\n")[2].partition("\n## ")[0]
    named = {
        name for line in re.findall(r"^\d+\. (.*?): ", section, re.MULTILINE) for name in re.findall("`(.+?)`", line)
    }
    there = {path.name for path in (EXAMPLE / "src" / "slate_lines").iterdir() if path.is_file()}
    assert named == there - {"py.typed"} | {"pyproject.toml", "tests/"}
