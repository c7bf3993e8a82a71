"""The game in a terminal: what people are asked and shown, and how they go back and forth."""

from __future__ import annotations

import io
import re
from functools import partial
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

import cuberails
from cuberails.core.game import Game
from cuberails.terminal import TerminalGame
from cuberails.terminal.keyboard import Offers, Prompt
from cuberails.terminal.screen import Screen
from cuberails.terminal.sentences import news_for
from cuberails.terminal.storage import Autosave
from cuberails.terminal.worth import tell_worth
from tests.terminal.scripted import (
    HOT_SEAT,
    WABASH,
    WITH_BOTS,
    Script,
    game_of,
    kept,
    played,
    random_game,
    sit_down,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


def test_hot_seat_says_whose_turn_it_is(path: Path) -> None:
    script = Script("pass", "9", "pass")
    TerminalGame(Game(WABASH, HOT_SEAT), Autosave(path), None, script, Console(file=io.StringIO())).run()
    assert script.prompts == ["Ann> ", "Bob> ", "Cy> ", "Bob> "]


def test_every_action_is_in_the_file_at_once(path: Path) -> None:
    class Watcher(Script):
        def ask(self, prompt: str, offers: Offers) -> str:
            assert kept(path) == played(game)
            return super().ask(prompt, offers)

    game = Game(WABASH, WITH_BOTS)
    TerminalGame(game, Autosave(path), 1, Watcher("9", "p", "undo"), Console(file=io.StringIO())).run()
    assert kept(path) == played(game)


def test_the_same_seed_and_the_same_input_give_the_same_game(path: Path) -> None:
    one, _ = sit_down(Game(WABASH, WITH_BOTS), path, "9", "pass", seed=5)
    two, _ = sit_down(Game(WABASH, WITH_BOTS), path.with_name("b"), "9", "undo", "9", "pass", seed=5)
    other, _ = sit_down(Game(WABASH, WITH_BOTS), path.with_name("c"), "9", "pass", seed=6)
    assert played(one.game) == played(two.game) != played(other.game)


def test_undo_takes_back_the_replies_of_the_bots_too(path: Path) -> None:
    table, _ = sit_down(Game(WABASH, WITH_BOTS), path, "9", "undo")
    assert played(table.game) == kept(path) == []
    table, _ = sit_down(Game(WABASH, WITH_BOTS), path, "9", "undo", "redo")
    assert played(table.game)[0] == "bid 9"
    assert table.game.state.actor == 0


def test_undo_in_hot_seat_goes_back_one_decision(path: Path) -> None:
    table, _ = sit_down(Game(WABASH, HOT_SEAT), path, "9", "10", "undo")
    assert played(table.game) == ["bid 9"]


def test_nothing_to_undo_or_redo(path: Path) -> None:
    _, printed = sit_down(Game(WABASH, WITH_BOTS), path, "undo", "redo")
    assert "There is nothing to undo" in printed
    assert "There is nothing to redo" in printed


def test_bots_that_began_the_game_are_not_undone(path: Path) -> None:
    table, printed = sit_down(Game(WABASH, ("Random 1", "Ann", "Cy")), path, "undo")
    assert "There is nothing to undo" in printed
    assert len(table.game.steps) == 1


def test_undo_after_the_end(path: Path) -> None:
    game = random_game(WITH_BOTS)
    total = len(game.steps)
    table, printed = sit_down(game, path, "why done", "undo", "redo", "board", "")
    assert "The game is over." in printed
    assert "W11.1" in printed
    assert len(table.game.steps) == total
    assert f"The record is in {path}" in printed
    table, _ = sit_down(game, path, "undo")
    assert table.game.state.actor == 0


def test_bots_finish_a_game_that_people_left(path: Path) -> None:
    table, printed = sit_down(Game(WABASH, ("Random 1", "Random 2", "Random 3")), path)
    assert table.game.state.actor is None
    assert "The game ends" in printed
    assert cuberails.read(path.read_text()).state.actor is None


def test_questions_change_nothing(path: Path) -> None:
    questions = ("why bid 3", "why 9", "why", "rules", "rules 2.3", "rules W99", "rules mine", "log", "help", "?")
    table, printed = sit_down(Game(WABASH, HOT_SEAT), path, "9", *questions, "board", "", "undoo", "nonsense")
    assert played(table.game) == ["bid 9"]
    for expected in (
        "bid 3 is not legal now. W2.3",
        "W2.3 Bidding goes clockwise",
        "has no rule W99",
        "W4.6 Timber and mines",
        "   1  bid 9              Ann bids $9 for PA",
        "can be resumed",
        "Did you mean undo?",
        "'nonsense' is not an action",
    ):
        assert expected in printed


def test_a_hint_tells_what_to_do_and_changes_nothing(path: Path) -> None:
    game = game_of(("Ann", "Bob"), "bid 30")
    table, printed = sit_down(game, path, "hint")
    assert played(table.game) == ["bid 30"]
    assert re.search(r"action +Ann +Bob +why", printed)
    assert re.search(r"^ +pass +\d+% +\d+% ", printed, re.MULTILINE)


def test_a_hint_can_be_interrupted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cuberails.terminal.game.advise", interrupted)
    table, printed = sit_down(Game(WABASH, HOT_SEAT), path, "hint", "9")
    assert "The bot stopped thinking." in printed
    assert played(table.game) == ["bid 9"]


def test_worth_tells_of_shares_and_the_auction_and_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.terminal.game.tell_worth", partial(tell_worth, plays=1))
    table, printed = sit_down(game_of(HOT_SEAT, "bid 9"), path, "worth")
    assert "with one more sold $7" in " ".join(printed.split())
    (row,) = re.findall(r"^PA: (you: up to .*)$", printed, re.M)
    assert ", so expect $" in row
    assert len(re.findall(r"^(Ann|Bob|Cy) +[█·]{12}  (up to \$\d+|rather not) *$", printed, re.M)) == 3
    assert len(re.findall(r"^\S+ +\$[\d.]+  \$\d+ and \$\d+ +[_▁▂▃▄▅▆▇█]{24} *$", printed, re.M)) == 5
    assert played(table.game) == kept(path) == ["bid 9"]


def test_worth_can_be_interrupted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cuberails.bots.worth.play_out", interrupt)
    table, printed = sit_down(Game(WABASH, HOT_SEAT), path, "worth", "9")
    assert "The play-outs were stopped." in printed
    assert played(table.game) == ["bid 9"]


def test_after_the_end_there_is_no_hint(path: Path) -> None:
    _, printed = sit_down(random_game(HOT_SEAT), path, "hint")
    assert "There is nothing to advise: the game is over." in printed


def test_map_and_table_are_two_halves_of_the_board(path: Path) -> None:
    _, printed = sit_down(Game(WABASH, HOT_SEAT), path, "9", "map")
    assert printed.count("♣ timber") == 2
    assert printed.count("Railroad") == 1
    _, printed = sit_down(Game(WABASH, HOT_SEAT), path.with_name("b"), "9", "table")
    assert printed.count("♣ timber") == 1
    assert printed.count("Railroad") == 2


def test_the_rules_say_that_another_board_has_other_numbers(path: Path) -> None:
    rich = cuberails.read_board("rich.toml", WABASH.text.replace("money = 120", "money = 600"))
    note = "Names and numbers here are those of the built-in board"
    assert note in sit_down(Game(rich, HOT_SEAT), path, "rules W1.1")[1]
    assert note not in sit_down(Game(WABASH, HOT_SEAT), path, "rules W1.1")[1]


def test_a_terminal_breaks_sentences_between_words_only() -> None:
    written = io.StringIO()
    screen = Screen(Console(file=written, width=20, force_terminal=True, color_system=None))
    screen.say("the next is at least $12")
    screen.say("in /a/very/long/path/to/it.txt now")
    screen.copyable("cuberails play wabash --board my.toml")
    assert written.getvalue().split("\n") == [
        "the next is at least",
        "$12",
        "in",
        "/a/very/long/path/to/it.txt",
        "now",
        "cuberails play wabash --board my.toml",
        "",
    ]


def test_why_says_when_an_action_is_legal(path: Path) -> None:
    _, printed = sit_down(Game(WABASH, HOT_SEAT), path, "why bid 12")
    assert "bid 12 is legal now." in printed


def test_the_board_is_drawn_again_only_when_it_changed(path: Path) -> None:
    _, printed = sit_down(Game(WABASH, HOT_SEAT), path, "9", "10")
    assert printed.count("Philadelphia") == 1
    _, printed = sit_down(Game(WABASH, HOT_SEAT), path.with_name("b"), "9", "board", "10")
    assert printed.count("Philadelphia") == 2


def test_turns_are_told_in_a_line_each_and_what_changed_the_game_beside_them() -> None:
    bids = [f"bid {n}" for n in range(8, 20)]
    game = game_of(("Ann", "Bob", "Cy"), "pass", *bids, "pass")
    assert news_for(game, 0) == ["Cy takes PA for $19"]
    news = news_for(random_game(HOT_SEAT), 0)
    assert sum(line.startswith("The game ends: ") for line in news) == 1
    assert "General dividend:" in news
    assert any(re.match(r"· C&O pays \$\d+ a share: Ann \$\d+", line) for line in news), news


# At a real prompt


def test_the_tab_key_completes() -> None:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("exp\tPA\r")
        assert Prompt().ask("> ", lambda typed: ["expand nothing", "expand PA", "undo"]) == "expand PA"
        keys.send_text("un\t\r")
        assert Prompt().ask("> ", lambda typed: ["expand nothing", "expand PA", "undo"]) == "undo"


@pytest.mark.parametrize(("key", "raised"), [("\x03", KeyboardInterrupt), ("\x04", EOFError)])
def test_ctrl_c_and_ctrl_d_at_the_prompt(path: Path, key: str, raised: type[BaseException]) -> None:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(f"9\r{key}")
        table = TerminalGame(Game(WABASH, HOT_SEAT), Autosave(path), 1, Prompt(), Console(file=io.StringIO()))
        if raised is EOFError:
            table.run()
        else:
            with pytest.raises(raised):
                table.run()
    assert kept(path) == ["bid 9"]


def test_completion_offers_actions_commands_and_rules(path: Path) -> None:
    offered: dict[str, list[str]] = {}

    class Asks(Script):
        def ask(self, prompt: str, offers: Offers) -> str:
            offered.update({typed: list(offers(typed)) for typed in ("", "why b", "rules W")})
            raise EOFError

    TerminalGame(Game(WABASH, HOT_SEAT), Autosave(path), 1, Asks(), Console(file=io.StringIO())).run()
    assert {"bid 7", "pass", "undo", "quit"} <= set(offered[""])
    assert "why build K10" in offered["why b"]
    assert {"rules W4", "rules W4.2"} <= set(offered["rules W"])


def test_on_a_terminal_a_bar_shows_how_far_a_bot_is(path: Path) -> None:
    def written_on(console: Console) -> str:
        TerminalGame(Game(WABASH, ("Ann", "Medium 2", "Medium 3")), Autosave(path), 1, Script("9"), console).run()
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()

    assert "Medium 2 is thinking ━" in re.sub(
        r"\x1b\[[\d;]*m", "", written_on(Console(file=io.StringIO(), force_terminal=True))
    )
    assert "is thinking" not in written_on(Console(file=io.StringIO()))
