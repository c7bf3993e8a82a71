"""replay, hint and worth: what is shown of a recorded game."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from cuberails.cli.command import main
from tests.cli.calling import random_game, refuses, says


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "the record is empty"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "not text in UTF-8"),
        (b"\0" * 4000, "a record begins with"),
        (b"hello\n", "a record begins with: cuberails 1"),
        (b"cuberails 1\ntitle: chess\nseat: A\n", "there is no title 'chess'"),
        (b"cuberails 1\ntitle: wabash\nseat: A\nseat: B\n\nbid 9999\n", "line 6"),
        (b'{"cuberails": 1', "this JSON cannot be read"),
        (b"[" * 100_000, "a record begins with"),
        (b'{"a":' * 100_000, "this JSON cannot be read"),
        (b"x" * 6_000_000, "more than 5 MB"),
    ],
)
def test_a_file_that_is_no_record(
    capsys: pytest.CaptureFixture[str], home: Path, content: bytes, complaint: str
) -> None:
    (home / "bad.txt").write_bytes(content)
    printed = refuses(capsys, "replay", "bad.txt")
    assert complaint in printed
    assert "bad.txt" in printed


def test_replay_tells_the_game_and_shows_its_end(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    game = random_game()
    (home / "game.txt").write_text(game.to_text())
    printed = says(capsys, "replay", "game.txt")
    assert "The game ends" in printed
    assert f"{len(game.steps):>4}  {game.steps[-1].action}" in printed
    assert f"{game.seats[game.state.winners()[0]]} wins." in printed


def test_replay_reads_json_and_the_standard_input(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = random_game(12)
    (home / "game.json").write_text(game.to_json())
    from_file = says(capsys, "replay", "game.json")
    stdin = io.TextIOWrapper(io.BytesIO(game.to_text().encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert says(capsys, "replay", "-") == from_file


def test_replay_at_counts_from_both_ends(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    game = random_game(30)
    (home / "game.txt").write_text(game.to_text())
    assert says(capsys, "replay", "game.txt", "--at", "20") == says(capsys, "replay", "game.txt", "--at", "-10")
    assert says(capsys, "replay", "game.txt", "--at", "0") != says(capsys, "replay", "game.txt", "--at", "30")


@pytest.mark.parametrize("at", ["31", "-31", "1e3"])
def test_replay_at_out_of_range(capsys: pytest.CaptureFixture[str], home: Path, at: str) -> None:
    (home / "game.txt").write_text(random_game(30).to_text())
    refuses(capsys, "replay", "game.txt", "--at", at)


def test_replay_draws(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "game.txt").write_text(random_game(30).to_text())
    says(capsys, "replay", "game.txt", "--at", "10", "--svg", "ten.svg")
    assert (home / "ten.svg").read_text().startswith("<svg")
    assert says(capsys, "replay", "game.txt", "--at", "10", "--svg", "-").strip().endswith("</svg>")


def test_a_drawing_never_replaces_its_record(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    record = random_game(10).to_text()
    (home / "game.txt").write_text(record)
    assert "overwrite the file" in refuses(capsys, "replay", "game.txt", "--svg", "./game.txt")
    assert "it is not a file" in refuses(capsys, "replay", "game.txt", "--svg", "/")
    assert "No such file" in refuses(capsys, "replay", "game.txt", "--svg", "no/where.svg")
    assert (home / "game.txt").read_text() == record


def test_a_hint_names_the_best_actions_and_chances(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "game.txt").write_text(random_game(30).to_text(), "utf-8")
    printed = says(capsys, "hint", "game.txt", "--at", "12").splitlines()
    assert printed[1].split() == ["action", "Ann", "Bob", "Cy", "why"]
    assert 1 <= len(printed) - 2 <= 3
    assert all(line.count("%") == 3 for line in printed[2:])


def test_there_is_no_hint_after_the_end(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "game.txt").write_text(random_game().to_text(), "utf-8")
    assert "the game is over" in refuses(capsys, "hint", "game.txt")


def test_worth_tells_what_the_rules_say_and_what_play_outs_add(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    game = random_game()
    (home / "game.txt").write_text(game.to_text(), "utf-8")
    printed = says(capsys, "worth", "game.txt", "--at", "-2", "--plays", "3")
    first, heads, *lines = printed.splitlines()
    assert first.endswith(game.at(game.count - 2).prompt)
    assert heads.split("  ")[0] == "share"
    shares = [line.split()[0] for line in lines if line[:1].strip()]
    assert shares[:5] == ["PA", "B&O", "C&O", "NYC", "Wabash"]
    assert "What each share will pay until the end, by 3 play-outs:" in printed
    quick = says(capsys, "worth", "game.txt", "--at", "-2", "--plays", "0")
    assert "play-outs" not in quick
    assert printed.startswith(quick)
    assert "at least 0" in refuses(capsys, "worth", "game.txt", "--plays", "-1")


def test_worth_of_a_finished_game_is_what_was_paid(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "game.txt").write_text(random_game().to_text(), "utf-8")
    printed = says(capsys, "worth", "game.txt")
    assert "The game is over: no share pays any more." in printed
    assert "has paid" in printed
    assert "pays now" not in printed
    assert "play-out" not in printed


def test_worth_that_is_stopped_has_told_what_the_rules_say(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cuberails.bots.worth.play_out", interrupt)
    (home / "game.txt").write_text(random_game(30).to_text(), "utf-8")
    assert main(["worth", "game.txt"]) == 130
    assert "by the rules" in capsys.readouterr().out


def test_nothing_in_a_record_can_command_the_terminal(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "game.txt").write_text(random_game().to_text().replace("seat: Ann", "seat: Ann\x1b[31m"))
    for at in ("", "--at 12"):
        assert "\x1b" not in says(capsys, "replay", "game.txt", *at.split())
    assert "\x1b" not in says(capsys, "hint", "game.txt", "--at", "-1")
    assert "\x1b" not in says(capsys, "worth", "game.txt", "--at", "-1", "--plays", "1")
