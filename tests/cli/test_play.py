"""play: games are saved, resumed, and never lost or overwritten."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

import cuberails
from cuberails.core.game import Game
from tests.cli.calling import random_game, refuses, says, started, type_in


def test_a_game_of_bots_alone(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    printed = says(capsys, "play", "wabash", "--humans", "0", "--bots", "random", "--seed", "1", "--record", "g.txt")
    assert "The game is over." in printed
    assert cuberails.read((home / "g.txt").read_text()).state.actor is None


def test_the_end_of_the_input_saves_and_says_how_to_resume(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "bid 12")
    printed = says(capsys, "play", "wabash", "--seats-as-listed", "--seed", "1", "--record", "my game.txt")
    assert f"To resume it: cuberails play wabash --record '{home}/my game.txt'" in printed
    kept = cuberails.read((home / "my game.txt").read_text())
    assert kept.steps[0].action.text == "bid 12"
    assert kept.state.actor == 0


def test_a_game_is_resumed_where_it_was_left(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A budget without seconds, so that a busy machine changes no decision.
    game = ["play", "wabash", "--bots", "search:simulations=8", "--seed", "1", "--record"]
    type_in(monkeypatch, "pass")
    says(capsys, *game, "parts.txt")
    type_in(monkeypatch, "pass")
    printed = says(capsys, *game, "parts.txt")
    assert "The game is resumed after" in printed
    type_in(monkeypatch, "pass", "pass")
    says(capsys, *game, "whole.txt")
    assert (home / "parts.txt").read_text() == (home / "whole.txt").read_text()


def test_json_stays_json(capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(cuberails.load("wabash").board, ["Ann", "Random 2"])
    (home / "game.json").write_text(game.to_json())
    type_in(monkeypatch, "9")
    says(capsys, "play", "wabash", "--record", "game.json")
    assert json.loads((home / "game.json").read_text())["actions"][0] == "bid 9"


def test_without_a_file_the_game_is_in_the_data_folder(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "pass")
    says(capsys, "play", "wabash", "--seats-as-listed")
    kept = list((home / "data" / "cuberails" / "games").iterdir())
    assert len(kept) == 1
    assert kept[0].name.startswith("wabash-")
    type_in(monkeypatch)
    printed = says(capsys, "play", "wabash", "--seats-as-listed")
    assert f"To resume it: cuberails play wabash --record {kept[0]}" in printed
    assert "Nothing was played." in printed


def test_a_data_folder_that_cannot_be_made(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    assert "Not a directory" in refuses(capsys, "play", "wabash")


@pytest.mark.parametrize("name", ["Greedy 2", "random 1", "", "  ", "A" * 17, "A#", "A\tB\0"])
def test_names_that_a_person_cannot_have(capsys: pytest.CaptureFixture[str], name: str) -> None:
    refuses(capsys, "play", "wabash", "--name", name)


def test_playing_never_overwrites_what_is_no_record(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "letter.txt").write_text("Dear Ann,\n")
    assert "letter.txt" in refuses(capsys, "play", "wabash", "--record", "letter.txt")
    assert (home / "letter.txt").read_text() == "Dear Ann,\n"


def test_playing_never_overwrites_a_finished_game(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    record = random_game().to_text()
    (home / "game.txt").write_text(record)
    assert "finished game" in refuses(capsys, "play", "wabash", "--record", "game.txt")
    assert (home / "game.txt").read_text() == record


def test_playing_never_overwrites_a_game_with_other_settings(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    record = random_game(20).to_text()
    (home / "game.txt").write_text(record)
    printed = refuses(capsys, "play", "wabash", "--players", "4", "--record", "game.txt")
    assert "another game, of Ann, Bob, Cy" in printed
    assert (home / "game.txt").read_text() == record


def wait_for_decision(process: subprocess.Popen[str], record: Path) -> None:
    """Answer one decision and wait until it is in the record."""
    assert process.stdin
    process.stdin.write("bid 9\n")
    process.stdin.flush()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if record.exists() and cuberails.read(record.read_text()).steps:
            return
        time.sleep(0.05)
    raise AssertionError("the action was not saved")


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)],
)
def test_no_signal_loses_the_game(home: Path, number: int, code: int) -> None:
    with started(home, "play", "wabash", "--seats-as-listed", "--seed", "2", "--record", "game.txt") as process:
        wait_for_decision(process, home / "game.txt")
        process.send_signal(number)
        printed, _ = process.communicate(timeout=20)
    assert process.returncode == code
    assert "Traceback" not in printed
    assert number == signal.SIGKILL or "To resume it: cuberails play wabash --record" in printed
    assert cuberails.read((home / "game.txt").read_text()).steps[0].action.text == "bid 9"
    assert number == signal.SIGKILL or [path.name for path in home.iterdir()] == ["game.txt"]


def test_seats_are_drawn_by_lot_unless_they_are_to_stay_as_listed(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = ("--players", "3", "--humans", "3", "--name", "Ann", "--name", "Bob", "--name", "Cy")

    def seats(file: str, *arguments: str) -> list[str]:
        type_in(monkeypatch)
        says(capsys, "play", "wabash", *people, *arguments, "--record", file)
        return cuberails.read((home / file).read_text()).seats

    assert seats("listed.txt", "--seats-as-listed", "--seed", "3") == ["Ann", "Bob", "Cy"]
    drawn = [seats(f"{seed}.txt", "--seed", str(seed)) for seed in range(8)]
    assert len({tuple(order) for order in drawn}) > 2
    assert seats("again.txt", "--seed", "5") == drawn[5]
    for number in range(3):  # a game that has begun keeps its seats, whatever the seed
        assert seats("5.txt", "--seed", str(number)) == drawn[5]
