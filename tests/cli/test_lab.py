"""simulate, arena and lab."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cuberails
from cuberails.cli import main
from cuberails.cli.shared import progress
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


def test_the_bar_tells_the_rate_and_the_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes that for a terminal
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    assert list(progress(range(50), "Playing", 50)) == [*range(50)]
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert re.search(r"Playing .*50/50 \d+ games/(s|min) 0:00:00", shown)


def test_games_can_be_kept_and_resumed(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    command = ("simulate", "wabash", "--bots", "random", "--file", "~/games.jsonl", "--games")
    says(capsys, *command, "3")
    assert "5 games" in says(capsys, *command, "5")
    assert len((home / "games.jsonl").read_text("utf-8").splitlines()) == 6


def test_the_arena_tells_who_is_stronger(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    command = ("arena", "wabash", "--bots", "greedy", "random", "random", "--games", "6", "--file", "games.jsonl")
    table = says(capsys, *command)
    assert re.search(r"greedy +6 of 6 +100.0% +61.0%–100.0% +33.3%", table)
    assert len((home / "games.jsonl").read_text("utf-8").splitlines()) == 7
    figures = json.loads(says(capsys, *command, "--json"))
    assert figures["games"] == 6
    assert [bot["bot"] for bot in figures["bots"]] == ["greedy", "random"]


def test_style_shows_the_habits_of_bots(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("lab", "style", "wabash", "--bots", "random", "--games", "2", "--players", "2", "--seed", "1")
    printed = says(capsys, *command)
    assert "Wabash Cannonball: 2 games of 2 players (random), seed 1" in printed
    assert re.search(r"how games end +\d different in 2 games *\n +\d× ", printed)
    assert "never: 3 or more railroads have built all their" in printed
    assert re.search(r"games in which a railroad reached Chicago +\d of 2 \(\d+%\)", printed)
    assert re.search(r"left in the treasury of NYC +\$\d+\.\d \(", printed)
    assert json.loads(says(capsys, *command, "--json"))["games"] == 2


def test_style_refuses_what_makes_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    assert "must be at least 1, not 0" in refuses(capsys, "lab", "style", "wabash", "--games", "0")
    assert "there is no title 'walrus'" in refuses(capsys, "lab", "style", "walrus")
    assert "there is no bot 'clever'" in refuses(capsys, "lab", "style", "wabash", "--bots", "clever")
    assert "2 to 6 players, not 9" in refuses(capsys, "lab", "style", "wabash", "--players", "9", "--bots", "random")


def test_worth_says_how_good_expectations_were(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("lab", "worth", "wabash", "--bots", "random", "--games", "1", "--moments", "2", "--plays", "2")
    said = says(capsys, *command)
    assert "10 moments of shares (random)" in said
    assert "range held" in said
    found = json.loads(says(capsys, *command, "--json"))
    assert found["corrected"]["moments"] == 10
    assert found["fitted"].keys() >= {"growth", "width", "explained"}
    assert "--moments and --plays must be at least 1" in refuses(capsys, *command, "--plays", "0")


def test_bots_learn_into_a_folder(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuberails.load("wabash"), "_board", TINY)  # on which games are short
    sizes = ("--generations", "1", "--games", "1", "--trials", "1", "--hidden", "4")
    printed = says(capsys, "lab", "learn", "wabash", *sizes, "--out", "learned")
    assert re.search(r"generation 1: loss [\d.]+; won [\d.]+% against hand whole turns, .*: kept", printed)
    assert "The best is in learned/learned.json" in printed
    assert "--generations 1 --games 1 --trials 1 --hidden 4 --seed 0" in (home / "learned/learned.json").read_text()
    assert "at least 1" in refuses(capsys, "lab", "learn", "wabash", "--games", "0")
    assert "more than 0 and at most 1, not -3" in refuses(capsys, "lab", "learn", "wabash", "--part", "-3")


def test_weights_of_the_hand_made_judge_can_be_fitted(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuberails.load("wabash"), "_board", TINY)
    printed = says(capsys, "lab", "learn", "wabash", "--hand", "--generations", "1", "--games", "4", "--out", "fit")
    assert "loss on games not used for fitting" in printed
    assert "games won against bots with the weights before" in printed
    assert "--hand --generations 1 --games 4 --seed 0" in (home / "fit/judge.toml").read_text("utf-8")
    assert "at least 4" in refuses(capsys, "lab", "learn", "wabash", "--hand", "--games", "3")


def test_ctrl_c_in_a_simulation(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cuberails.cli.lab.summarize", interrupted)
    assert main(["simulate", "wabash", "--games", "2"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_judges_are_compared_in_a_pool(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuberails.load("wabash"), "_board", TINY)
    says(capsys, "lab", "learn", "wabash", "--generations", "1", "--games", "1", "--trials", "1", "--hidden", "2")
    table = says(capsys, "lab", "pool", "wabash", "learned-wabash/learned.json", "--games", "1")
    assert re.search(r"hand +hand whole turns +3 +[\d.]+ of 1 ", table)
    assert re.search(r"learned-wabash\S* +greedy +4 ", table)
    assert "there is no judge 'nowhere.json'" in refuses(capsys, "lab", "pool", "wabash", "nowhere.json")
