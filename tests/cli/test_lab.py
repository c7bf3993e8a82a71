"""simulate, arena and lab."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cuberails
from cuberails.cli import main
from tests.cli.calling import refuses, says
from tests.lab.boards import TINY


def test_simulations_repeat_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    def tables(*more: str) -> list[str]:
        return says(capsys, "simulate", "wabash", "--games", "6", "--bots", "random", *more).splitlines()[:-1]

    assert tables("--seed", "-3") == tables("--seed", "-3", "--jobs", "2")
    assert tables("--seed", "-3") != tables("--seed", "4")


def test_a_summary_names_bots_seats_and_endings(capsys: pytest.CaptureFixture[str]) -> None:
    printed = says(capsys, "simulate", "wabash", "--games", "2", "--players", "2", "--bots", "greedy", "random")
    for expected in ("greedy", "random", "seat 2", "W11.1", "decisions a second"):
        assert expected in printed


def test_the_arena_tells_who_is_stronger(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    command = ("arena", "wabash", "--bots", "greedy", "random", "random", "--games", "6", "--file", "games.jsonl")
    table = says(capsys, *command)
    assert re.search(r"greedy +6 of 6 +100.0% +61.0%–100.0% +33.3%", table)
    assert len((home / "games.jsonl").read_text("utf-8").splitlines()) == 7
    figures = json.loads(says(capsys, *command, "--json"))
    assert figures["games"] == 6
    assert [bot["bot"] for bot in figures["bots"]] == ["greedy", "random"]


def test_weights_can_be_fitted_into_a_file(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuberails.load("wabash"), "_board", TINY)  # on which games are short
    assert main(("lab", "tune", "wabash", "--games", "4", "--rounds", "1", "--out", "judge.toml")) == 0
    printed = capsys.readouterr().err
    assert "loss on games not used for fitting" in printed
    assert "games won against bots with the weights before" in printed
    assert "--games 4 --rounds 1 --seed 0" in (home / "judge.toml").read_text("utf-8")
    assert "four times as many" in refuses(capsys, "lab", "tune", "wabash", "--games", "3", "--rounds", "1")
    assert "--games at least 3" in refuses(capsys, "lab", "climb", "wabash", "--games", "2")


def test_ctrl_c_in_a_simulation(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cuberails.cli.lab.summarize", interrupted)
    assert main(["simulate", "wabash", "--games", "2"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"
