"""Nothing is lost: however a game is left, it is in its file, and no other file suffers."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console

import cuberails
from cuberails.core.game import Game
from cuberails.terminal import TerminalGame
from cuberails.terminal.keyboard import Offers
from cuberails.terminal.storage import Autosave, write
from tests.terminal.scripted import HOT_SEAT, WABASH, WITH_BOTS, Script, kept, played, sit_down


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


@pytest.mark.parametrize("end", [EOFError(), KeyboardInterrupt(), SystemExit(143), RuntimeError("a bug")])
def test_however_it_ends_the_game_is_saved(path: Path, end: BaseException) -> None:
    written = io.StringIO()
    table = TerminalGame(Game(WABASH, HOT_SEAT), Autosave(path), 1, Script("9", end), Console(file=written, width=100))
    if isinstance(end, EOFError):
        table.run()
    else:
        with pytest.raises(type(end)):
            table.run()
    assert kept(path) == ["bid 9"]
    assert f"cuberails play wabash --record {path}" in written.getvalue().replace("\n", "")


def test_ctrl_c_while_a_bot_thinks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cuberails.bots.players.Bot.choose", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sit_down(Game(WABASH, WITH_BOTS), path, "9")
    assert kept(path) == ["bid 9"]


def test_a_terminal_that_is_gone_does_not_matter(path: Path) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(5, "Input/output error")

    class HangUp(Script):
        def ask(self, prompt: str, offers: Offers) -> str:
            if not self.lines:
                console.file = Gone()
            return super().ask(prompt, offers)

    console = Console(file=io.StringIO())
    with pytest.raises(OSError, match="Input/output"):
        TerminalGame(Game(WABASH, HOT_SEAT), Autosave(path), 1, HangUp("9"), console).run()
    assert kept(path) == ["bid 9"]


def test_a_full_disk_is_told_and_the_game_can_be_kept_elsewhere(tmp_path: Path) -> None:
    missing = tmp_path / "gone" / "game.txt"
    elsewhere = tmp_path / "elsewhere.txt"
    _, printed = sit_down(Game(WABASH, HOT_SEAT), missing, "9", f"save {elsewhere}", "10")
    assert printed.count("could not be saved") == 1
    assert kept(elsewhere) == ["bid 9", "bid 10"]
    assert f"The game is saved in {elsewhere}" in printed


def test_a_game_that_cannot_be_saved_is_printed(tmp_path: Path) -> None:
    _, printed = sit_down(Game(WABASH, HOT_SEAT), tmp_path / "gone" / "game.txt", "9")
    record = printed[printed.index("cuberails 1\n") :]
    assert played(cuberails.read(record)) == ["bid 9"]


def test_saving_copies_and_never_replaces_a_stranger(path: Path, tmp_path: Path) -> None:
    stranger, copy = tmp_path / "letter.txt", tmp_path / "copy.txt"
    stranger.write_text("Dear Ann")
    _, printed = sit_down(
        Game(WABASH, HOT_SEAT), path, "9", f"save {stranger}", f"save {copy}", "10", f"save {copy}", "save", "11"
    )
    assert stranger.read_text() == "Dear Ann"
    assert kept(copy) == ["bid 9", "bid 10"]
    assert kept(path) == ["bid 9", "bid 10", "bid 11"]
    assert "is there already" in printed


def test_two_players_of_one_file_do_not_destroy_each_other(path: Path) -> None:
    first, second = Game(WABASH, HOT_SEAT), Game(WABASH, HOT_SEAT)
    autosaves = Autosave(path), Autosave(path)
    assert autosaves[0].save(first)
    second.apply(second.state.parse("bid 9"))
    assert not autosaves[1].save(second)
    assert autosaves[1].problem == "another program has changed it"
    assert kept(path) == []


def test_ctrl_c_right_after_a_write_is_no_other_program(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_and_stop(file: Path, text: str) -> None:
        write(file, text)
        raise KeyboardInterrupt

    game, autosave = Game(WABASH, HOT_SEAT), Autosave(path)
    assert autosave.save(game)
    game.apply(game.state.parse("bid 9"))
    with monkeypatch.context() as patch:
        patch.setattr("cuberails.terminal.storage.write", write_and_stop)
        with pytest.raises(KeyboardInterrupt):
            autosave.save(game)
    assert autosave.save(game)
    assert kept(path) == ["bid 9"]


def test_a_failed_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path.write_text("old")
    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="No space left"):
        write(path, "new")
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    path.write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    write(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_a_name_that_cannot_be_a_file_is_told(path: Path) -> None:
    lines = ("9", "save " + "x" * 300, "save a\0b", "save no/such/x", "10")
    table, printed = sit_down(Game(WABASH, HOT_SEAT), path, *lines)
    assert printed.count("A copy could not be saved: ") == 3
    assert played(table.game) == kept(path) == ["bid 9", "bid 10"]
