"""Games kept in a file: a run that was stopped is resumed, two runs at once are refused, other files are left alone."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import sleep

import pytest

from cuberails.core.title import SetupError
from cuberails.lab import Local, Match, results
from cuberails.lab.linefile import LineFile
from tests.lab.boards import TINY, WABASH, rich

MATCH = Match(TINY, 3, ("greedy", "random", "random"), seed=4)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def lines_in(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


@contextmanager
def endless_run(file: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A run of its own that has played some games and plays on."""
    command = (sys.executable, "-m", "cuberails.cli", "simulate", "wabash", "--games", "1000000", "--bots", "random")
    with subprocess.Popen((*command, "--file", str(file), *more), stderr=subprocess.PIPE, text=True) as running:
        try:
            while lines_in(file) < 5:
                assert running.poll() is None
                sleep(0.01)
            yield running
        finally:
            running.kill()


def test_games_are_kept_and_not_played_again(file: Path) -> None:
    first = list(results(MATCH, 4, file=file))
    kept = file.read_text("utf-8")
    longer = list(results(MATCH, 6, file=file))
    assert file.read_text("utf-8").startswith(kept)
    assert longer[:4] == first
    assert longer == list(results(MATCH, 6))
    assert list(results(MATCH, 2, file=file)) == first[:2]
    assert lines_in(file) == 7


def test_a_run_is_resumed_with_any_number_of_workers(file: Path) -> None:
    list(results(MATCH, 3, file=file))
    with Local(2) as two:
        assert list(results(MATCH, 9, two, file)) == list(results(MATCH, 9))


def test_a_line_that_was_cut_off_is_played_again(file: Path) -> None:
    whole = list(results(MATCH, 3, file=file))
    file.write_text(file.read_text("utf-8")[:-20], "utf-8")
    assert list(results(MATCH, 3, file=file)) == whole
    assert lines_in(file) == 4


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_was_ended_leaves_a_file_that_can_be_resumed(file: Path, end: signal.Signals, jobs: str) -> None:
    with endless_run(file, "--jobs", jobs) as running:
        running.send_signal(end)
        _, complaint = running.communicate()
    assert complaint == ("Stopped.\n" if end == signal.SIGINT else "")
    assert running.returncode == (130 if end == signal.SIGINT else -signal.SIGKILL)
    there = lines_in(file) - 1
    assert there > 3
    if end == signal.SIGINT:
        assert file.read_bytes().endswith(b"\n")
    match = Match(WABASH, 3, ("random",))
    assert list(results(match, there + 2, file=file))[-6:] == list(results(match, there + 2))[-6:]


def test_a_second_run_on_the_same_file_is_refused(file: Path) -> None:
    with endless_run(file), pytest.raises(SetupError, match=r"another run uses .*games\.jsonl now; wait until it ends"):
        list(results(Match(WABASH, 3, ("random",)), 10, file=file))
    resumed = results(Match(WABASH, 3, ("random",)), 10, file=file)
    assert next(resumed)
    with pytest.raises(SetupError, match="another run uses"):
        LineFile(file)


@pytest.mark.parametrize("text", ["hello\n", "hello", "[]\n", "\x00", '{"arena": 1}\n', '{"note": "ours"}'])
def test_other_files_are_refused_and_left_alone(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    with pytest.raises(SetupError, match=r"is not a file of results|belongs to another run"):
        list(results(MATCH, 3, file=file))
    assert file.read_text("utf-8") == text


def test_lines_that_are_no_games_are_refused(file: Path) -> None:
    list(results(MATCH, 1, file=file))
    text = file.read_text("utf-8") + '{"bots": 3}\n'
    file.write_text(text, "utf-8")
    with pytest.raises(SetupError, match="is not a file of games"):
        list(results(MATCH, 3, file=file))
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        (Match(TINY, 3, ("greedy", "random", "random"), seed=5), "seed"),
        (Match(TINY, 3, ("random", "greedy", "random"), seed=4), "bots"),
        (Match(rich(), 3, ("greedy", "random", "random"), seed=4), "board"),
    ],
)
@pytest.mark.parametrize("games", [0, 1])
def test_games_of_another_match_are_refused(file: Path, other: Match, differs: str, games: int) -> None:
    list(results(MATCH, games, file=file))
    with pytest.raises(SetupError, match=rf"belongs to another run \({differs}\)"):
        list(results(other, 2, file=file))


def test_a_file_from_before_boards_had_digests_is_about_the_built_in_board(file: Path) -> None:
    play = partial(results, Match(WABASH, 3, ("random",)), 1, file=file)
    first = list(play())
    file.write_text(file.read_text("utf-8").replace(f'"board": "{WABASH.digest}", ', ""), "utf-8")
    assert list(play()) == first
    with pytest.raises(SetupError, match="another run"):
        list(results(Match(rich(), 3, ("random",)), 1, file=file))
