"""The command: what it prints, what it refuses in one sentence, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import cuberails
from cuberails.bots import make
from cuberails.cli import main
from cuberails.core.game import Game


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Games without a file of their own go here, and relative names too."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield tmp_path
    for number, handler in handlers.items():
        signal.signal(number, handler)


def random_game(actions: int | None = None) -> Game:
    """A game of random bots, played to the end or for this many actions."""
    game = Game(cuberails.load("wabash").board, ["Ann", "Bob", "Cy"])
    bot = make("random", 5)
    while game.state.actor is not None and (actions is None or len(game.steps) < actions):
        game.apply(bot.choose(game.state))
    return game


def says(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints that must succeed."""
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refuses(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence of a command that must fail."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("cuberails: ")
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    return captured.err


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


# Help


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert says(capsys, "--version") == f"cuberails {cuberails.__version__}\n"


@pytest.mark.parametrize(
    "command",
    ["", "titles", "play", "replay", "rules", "simulate", "arena", "hint", "lab tune", "lab climb"],
)
def test_every_help_has_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert "Example: cuberails" in says(capsys, *command.split(), "--help")


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert "simulate" in says(capsys)


def test_titles(capsys: pytest.CaptureFixture[str]) -> None:
    told = says(capsys, "titles")
    for expected in ("wabash", "Wabash Cannonball", "2–6", "detroit=automatic|players"):
        assert expected in told


# Refusals


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("pley wabash", "Did you mean 'play'"),
        ("play", "Missing argument 'TITLE'"),
        ("play wabsh", "did you mean wabash?"),
        ("play chess", "the titles are wabash"),
        ("play wabash --players 9", "is for 2 to 6 players, not 9"),
        ("play wabash --players 0", "is for 2 to 6 players, not 0"),
        ("play wabash --players many", "'many' is not a whole number"),
        ("play wabash --humans 4", "4 people do not fit at a table for 3"),
        ("play wabash --humans -1", "there cannot be -1 humans"),
        ("play wabash --bots clever", "there is no bot 'clever'"),
        ("play wabash --bots greedy greedy random", "3 bots are too many"),
        ("play wabash --name Ann --name Bob", "2 names are too many for 1 human"),
        ("play wabash --option moon", "must be written as name=value"),
        ("play wabash --option moon=full", "no option 'moon'"),
        ("play wabash --option detroit=sometimes", "cannot be 'sometimes'"),
        ("play wabash --record .", "Is a directory"),
        ("play wabash --record no/such/folder/game.txt", "No such file or directory"),
        ("play wabash --record /dev/null", "the record is empty"),
        ("play wabash --colour red", "No such option: --colour"),
        ("replay missing.txt", "missing.txt: No such file or directory"),
        ("replay .", "Is a directory"),
        ("rules wabash W99.1", "has no rule W99.1; the nearest is W9.1"),
        ("rules wabash zebra", "speaks of 'zebra'"),
        ("simulate wabash --games 0", "must be at least 1, not 0"),
        ("simulate wabash --jobs 0", "must be at least 1, not 0"),
        ("simulate wabash --games 3.5", "'3.5' is not a whole number"),
        ("simulate wabash --players 1", "is for 2 to 6 players, not 1"),
        ("simulate wabash --bots random random random random", "4 bots are too many for 3 seats"),
    ],
)
def test_bad_input_gets_one_sentence(capsys: pytest.CaptureFixture[str], arguments: str, complaint: str) -> None:
    assert complaint in refuses(capsys, *arguments.split())


@pytest.mark.parametrize("name", ["Greedy 2", "random 1", "", "  ", "A" * 17, "A#", "A\tB\0"])
def test_names_that_a_person_cannot_have(capsys: pytest.CaptureFixture[str], name: str) -> None:
    refuses(capsys, "play", "wabash", "--name", name)


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
    told = refuses(capsys, "replay", "bad.txt")
    assert complaint in told
    assert "bad.txt" in told


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
    told = refuses(capsys, "play", "wabash", "--players", "4", "--record", "game.txt")
    assert "another game, of Ann, Bob, Cy" in told
    assert (home / "game.txt").read_text() == record


# Replay


def test_replay_tells_the_game_and_shows_its_end(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    game = random_game()
    (home / "game.txt").write_text(game.to_text())
    told = says(capsys, "replay", "game.txt")
    assert "The game ends" in told
    assert f"{len(game.steps):>4}  {game.steps[-1].action}" in told
    assert f"{game.seats[game.state.winners()[0]]} wins." in told


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


# Rules and simulations


def test_rules_by_number_section_and_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Timber and mines" in says(capsys, "rules", "wabash", "w4.6")
    assert says(capsys, "rules", "wabash", "4.6") == says(capsys, "rules", "Wabash", "W4.6")
    section = says(capsys, "rules", "wabash", "W8")
    assert "W8.1" in section
    assert "W9.1" not in section
    assert "W6.3" in says(capsys, "rules", "wabash", "timber", "pays")
    assert "W11.3" in says(capsys, "rules", "wabash")


def test_simulations_repeat_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    def tables(*more: str) -> list[str]:
        return says(capsys, "simulate", "wabash", "--games", "6", "--bots", "random", *more).splitlines()[:-1]

    assert tables("--seed", "-3") == tables("--seed", "-3", "--jobs", "2")
    assert tables("--seed", "-3") != tables("--seed", "4")


def test_a_summary_names_bots_seats_and_endings(capsys: pytest.CaptureFixture[str]) -> None:
    told = says(capsys, "simulate", "wabash", "--games", "2", "--players", "2", "--bots", "greedy", "random")
    for expected in ("greedy", "random", "seat 2", "W11.1", "decisions a second"):
        assert expected in told


def test_the_arena_tells_who_is_stronger(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    command = ("arena", "wabash", "--bots", "greedy", "random", "random", "--games", "6", "--file", "games.jsonl")
    table = says(capsys, *command)
    assert re.search(r"greedy +6 of 6 +100.0% +61.0%–100.0% +33.3%", table)
    assert len((home / "games.jsonl").read_text("utf-8").splitlines()) == 7
    figures = json.loads(says(capsys, *command, "--json"))
    assert figures["games"] == 6
    assert [bot["bot"] for bot in figures["bots"]] == ["greedy", "random"]


def test_a_hint_names_the_best_actions_and_chances(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "game.txt").write_text(random_game(30).to_text(), "utf-8")
    told = says(capsys, "hint", "game.txt", "--at", "12").splitlines()
    assert told[1].split() == ["action", "Ann", "Bob", "Cy", "why"]
    assert 1 <= len(told) - 2 <= 3
    assert all(line.count("%") == 3 for line in told[2:])


def test_there_is_no_hint_after_the_end(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "game.txt").write_text(random_game().to_text(), "utf-8")
    assert "the game is over" in refuses(capsys, "hint", "game.txt")


def test_weights_can_be_fitted_into_a_file(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert main(("lab", "tune", "wabash", "--games", "4", "--rounds", "1", "--out", "judge.toml")) == 0
    told = capsys.readouterr().err
    assert "loss on games not used for fitting" in told
    assert "games won against bots with the weights before" in told
    assert "--games 4 --rounds 1 --seed 0" in (home / "judge.toml").read_text("utf-8")
    assert "four times as many" in refuses(capsys, "lab", "tune", "wabash", "--games", "3", "--rounds", "1")
    assert "--games at least 3" in refuses(capsys, "lab", "climb", "wabash", "--games", "2")


def test_ctrl_c_in_a_simulation(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cuberails.cli.lab.summarize", interrupted)
    assert main(["simulate", "wabash", "--games", "2"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


# Play


def test_a_game_of_bots_alone(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    told = says(capsys, "play", "wabash", "--humans", "0", "--bots", "random", "--seed", "1", "--record", "g.txt")
    assert "The game is over." in told
    assert cuberails.read((home / "g.txt").read_text()).state.actor is None


def test_the_end_of_the_input_saves_and_says_how_to_resume(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "bid 12")
    told = says(capsys, "play", "wabash", "--seed", "1", "--record", "my game.txt")
    assert f"To resume it: cuberails play wabash --record '{home}/my game.txt'" in told
    kept = cuberails.read((home / "my game.txt").read_text())
    assert kept.steps[0].action.text == "bid 12"
    assert kept.state.actor == 0


def test_a_game_is_resumed_where_it_was_left(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "pass")
    says(capsys, "play", "wabash", "--seed", "1", "--record", "parts.txt")
    type_in(monkeypatch, "pass")
    told = says(capsys, "play", "wabash", "--seed", "1", "--record", "parts.txt")
    assert "The game is resumed after" in told
    type_in(monkeypatch, "pass", "pass")
    says(capsys, "play", "wabash", "--seed", "1", "--record", "whole.txt")
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
    says(capsys, "play", "wabash")
    kept = list((home / "data" / "cuberails" / "games").iterdir())
    assert len(kept) == 1
    assert kept[0].name.startswith("wabash-")
    type_in(monkeypatch)
    told = says(capsys, "play", "wabash")
    assert f"To resume it: cuberails play wabash --record {kept[0]}" in told
    assert "Nothing was played." in told


def test_a_data_folder_that_cannot_be_made(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    assert "Not a directory" in refuses(capsys, "play", "wabash")


# The real thing, in a process of its own


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, with the package that is being tested."""
    package = Path(cuberails.__file__).parent.parent
    with subprocess.Popen(
        [sys.executable, "-m", "cuberails.cli", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(package)},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


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
    with started(home, "play", "wabash", "--seed", "2", "--record", "game.txt") as process:
        wait_for_decision(process, home / "game.txt")
        process.send_signal(number)
        told, _ = process.communicate(timeout=20)
    assert process.returncode == code
    assert "Traceback" not in told
    assert number == signal.SIGKILL or "To resume it: cuberails play wabash --record" in told
    assert cuberails.read((home / "game.txt").read_text()).steps[0].action.text == "bid 9"
    assert number == signal.SIGKILL or [path.name for path in home.iterdir()] == ["game.txt"]


# serve


def test_serve_says_that_a_port_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["serve", "--no-open", "--port", str(port)]) == 2
    complaint = capsys.readouterr().err
    assert complaint == (
        f"cuberails: cannot listen at 127.0.0.1 port {port}: somebody else uses it; choose another with --port\n"
    )


def test_serve_refuses_a_port_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-open", "--port", "70000"]) == 2
    assert "--port 70000 is out of range" in capsys.readouterr().err


def test_serve_refuses_a_file_that_holds_something_else(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "letter.txt").write_text("Dear Anna, " * 500)
    assert main(["serve", "--no-open", "--port", "0", "--data", "letter.txt"]) == 2
    assert "letter.txt cannot keep tables: file is not a database" in capsys.readouterr().err


def test_serve_says_where_it_is_and_keeps_its_tables(home: Path) -> None:
    command = [sys.executable, "-m", "cuberails.cli", "serve", "--no-open", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(Path(cuberails.__file__).parents[1])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        address = re.search(r"http://localhost:\d+", said)
        assert address is not None, said
        assert _fetched(f"{address[0]}/health") == "ok"
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 130
    assert (home / "data" / "cuberails" / "tables.db").exists()


def _fetched(address: str) -> str:
    """The page at an address, once somebody answers there."""
    with urllib.request.urlopen(address, timeout=20) as answer:
        return str(answer.read(), "utf-8")
