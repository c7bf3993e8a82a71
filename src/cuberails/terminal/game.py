"""A game in the terminal: people and bots decide in turn, and it is saved after every action."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console

from cuberails.bots import advise
from cuberails.core.game import Game
from cuberails.core.menu import amount_of
from cuberails.core.scene import Scene
from cuberails.core.title import SetupError
from cuberails.core.wording import sentence
from cuberails.terminal.keyboard import Keyboard
from cuberails.terminal.menu import NotUnderstood, NumberedMenu
from cuberails.terminal.opponents import Opponents
from cuberails.terminal.screen import COLUMNS, Screen
from cuberails.terminal.sentences import contents, ideas_grid, log_lines, news_for, rules_about
from cuberails.terminal.storage import Autosave, write
from cuberails.terminal.worth import tell_worth
from cuberails.titles import scene

HELP = """\
Type the number of a choice or its text, such as `{action}`; the first word may be shortened or left out.
Tab completes; Enter alone shows the choices again. Besides:

* `undo` goes back to the last decision of a person, `redo` forward again
* `why ACTION` tells why an action is not legal, with the number of its rule
* `rules` lists the sections of the rules; `rules {rule}` or `rules` and a word show what you ask for
* `hint` tells what the strongest bot would do; Ctrl-C ends its thinking
* `worth` tells what shares are worth, by the rules and by play-outs, and in an auction how far each player would go
* `board` draws the whole table, `map` and `table` one half of it; `log` tells the whole game
* `save FILE` makes a copy of the record, `save` tells where the game is
* `quit` leaves; the game is saved and can be resumed
"""


class Leaving(Exception):
    """A player leaves the game, or no player is left."""


class TerminalGame:
    """A game, the people and bots who play it, the file that it is saved in, and the terminal."""

    def __init__(self, game: Game, autosave: Autosave, seed: int | None, keyboard: Keyboard, console: Console) -> None:
        self.game = game
        self.autosave = autosave
        self.keyboard = keyboard
        self.screen = Screen(console)
        self._opponents = Opponents(game.seats, seed)
        self._copies: set[Path] = set()
        self._menu = NumberedMenu(self.game.state, self._scene())
        self._commands: dict[str, Callable[[str], bool]] = {
            "undo": self._undo,
            "redo": self._redo,
            "why": self._why,
            "rules": self._rules,
            "hint": self._hint,
            "worth": self._worth,
            "board": self._board,
            "map": lambda _: self._show(self.screen.map),
            "table": lambda _: self._show(self.screen.table),
            "log": self._log,
            "save": self._save,
            "help": self._help,
            "quit": _leave,
            "exit": _leave,
            "q": _leave,
            "?": self._help,
        }

    def run(self) -> None:
        """Play until the end or until a player leaves. However it ends, the game is saved."""
        try:
            self._greet()
            self._save_game()
            while True:
                self._others_play()
                self._person_plays()
        except Leaving:
            pass
        except EOFError:
            self.screen.say("")
        finally:
            with suppress(OSError):  # the terminal itself may be gone
                self._say_where_saved()

    # Who decides

    def _others_play(self) -> None:
        """Bots and dice, up to the next decision of a person."""
        if not self._opponents.play(self.game, self.screen.thinking, self._save_game):
            raise Leaving

    def _person_plays(self) -> None:
        """Show the decision and obey until the position changes or the person leaves."""
        self._menu = NumberedMenu(self.game.state, self._scene())
        actor = self.game.state.actor
        if actor is None:
            self._show_end()
            if self._opponents.alone:
                raise Leaving
            self.screen.say("Enter or quit leaves; undo, log and rules still work.", "dim")
        else:
            self._show_decision(actor)
        prompt = "over> " if actor is None else f"{self.game.seats[actor]}> "
        while not self._obey(self.keyboard.ask(prompt, self._offers)):
            continue

    def _obey(self, line: str) -> bool:
        """Carry out what was typed; True if the position has changed or the person leaves."""
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.casefold())
        if command:
            return command(rest.strip())
        if not line:
            return self._show_menu_again()
        try:
            self.game.apply(self._menu.find(line))
        except NotUnderstood as error:
            near = get_close_matches(word.casefold(), self._commands, 1, 0.7)
            self.screen.say(f"Did you mean {near[0]}?" if near else str(error), "red")
            return False
        self._save_game()
        return True

    def _offers(self, typed: str) -> list[str]:
        """What the Tab key may complete."""
        word, blank, _ = typed.partition(" ")
        title = self.game.title
        if blank and word == "why":
            return [f"why {action.text}" for action in self.game.board.actions.all if amount_of(action) is None]
        if blank and word == "rules":
            return [f"rules {number}" for number in (*title.rulebook.sections, *title.rulebook.rules)]
        return [*self._menu.texts(), *self._commands]

    # What is shown

    def _greet(self) -> None:
        title, width = self.game.title, self.screen.console.width
        where = "" if self.game.board.built_in else f" on {self.game.board.name}"
        self.screen.say(f"{title.name}{where}: {', '.join(self.game.seats)}", "bold")
        if self.game.steps:
            self.screen.say(f"The game is resumed after {len(self.game.steps)} actions.")
        if width < COLUMNS:
            self.screen.say(f"This terminal has {width} columns; the board looks better with {COLUMNS}.")
        self.screen.say("Type help for help, quit to leave; the game is always saved.", "dim")

    def _show_decision(self, actor: int) -> None:
        self.screen.decision(self._scene(), news_for(self.game, actor), self._menu)

    def _scene(self) -> Scene:
        return scene(self.game.state, self.game.seats)

    def _show_end(self) -> None:
        self.screen.board(self._scene())
        if self._opponents.alone:
            self._log("")
        else:
            self.screen.news(news_for(self.game, self._opponents.last_person(self.game)))
        self.screen.end(self.game)

    def _say_where_saved(self) -> None:
        """The last words: where the game is and how to resume it."""
        path, over = self.autosave.path, self.game.state.actor is None
        if not self.game.steps and not path.exists():
            self.screen.say("Nothing was played.")
        elif not self._save_game():
            self.screen.say("This is its record; copy it into a file:")
            self.screen.copyable(self.game.to_text(comments=False))
        elif over:
            self.screen.say(f"The record is in {path}")
        else:
            self.screen.say(f"The game is saved in {path}")
            self.screen.copyable(f"To resume it: {self.autosave.command(self.game)}")

    def _save_game(self) -> bool:
        """Save the game; a new problem is reported once, and the game continues."""
        known = self.autosave.problem
        if self.autosave.save(self.game):
            return True
        if self.autosave.problem != known:
            self.screen.say(
                f"The game could not be saved in {self.autosave.path}: {self.autosave.problem}. "
                "Type save and a file name to keep it elsewhere.",
                "red",
            )
        return False

    # What a person can say; True changes the position or leaves

    def _show_menu_again(self) -> bool:
        if self.game.state.actor is None:
            return _leave("")
        self.screen.menu(self._menu)
        return False

    def _undo(self, _: str) -> bool:
        here = len(self.game.steps)
        while self.game.undo():
            if self._opponents.is_person(self.game.state.phase.actor):
                self._save_game()
                self.screen.say(f"Back before {_last_actions(here - len(self.game.steps))}; redo goes forward again.")
                return True
        while len(self.game.steps) < here:
            self.game.redo()
        self.screen.say("There is nothing to undo: no person has decided yet.")
        return False

    def _redo(self, _: str) -> bool:
        here = len(self.game.steps)
        while self.game.redo():
            actor = self.game.state.actor
            if actor is None or self._opponents.is_person(actor):
                break
        if len(self.game.steps) == here:
            self.screen.say("There is nothing to redo.")
            return False
        self._save_game()
        return True

    def _why(self, asked: str) -> bool:
        if not asked:
            self.screen.say("Say which action: why and its text.")
            return False
        try:
            self.screen.say(f"{self._menu.find(asked)} is legal now.")
        except NotUnderstood as error:
            self.screen.say(str(error))
        return False

    def _rules(self, asked: str) -> bool:
        title = self.game.title
        try:
            self.screen.markdown(rules_about(title, asked) if asked else contents(title.rulebook))
            if not self.game.board.built_in:
                self.screen.say("Names and numbers here are those of the built-in board; this one's count.", "dim")
        except SetupError as error:
            self.screen.say(str(error))
        return False

    def _hint(self, _: str) -> bool:
        """What the strongest bot would do; Ctrl-C ends its thinking and nothing else."""
        try:
            with self.screen.thinking("The strongest bot") as on_progress:
                ideas = advise(self.game.state, len(self.game.steps), on_progress)
            self.screen.show(ideas_grid(ideas, self.game.seats))
        except KeyboardInterrupt:
            self.screen.say("The bot stopped thinking.")
        except SetupError as error:
            self.screen.say(f"{str(error).capitalize()}.")
        return False

    def _worth(self, _: str) -> bool:
        """What shares and the lot are worth; Ctrl-C ends the play-outs and nothing else."""
        try:
            tell_worth(self.screen, self.game)
        except KeyboardInterrupt:
            self.screen.say("The play-outs were stopped.")
        except SetupError as error:
            self.screen.say(f"{sentence(str(error))}.")
        return False

    def _board(self, _: str) -> bool:
        if self.game.state.actor is None:
            self._show_end()
        else:
            view = self._scene()
            self.screen.board(view)
            self.screen.decision(view, [], self._menu)
        return False

    def _show(self, draw: Callable[[Scene], None]) -> bool:
        draw(self._scene())
        return False

    def _log(self, _: str) -> bool:
        for line in log_lines(self.game):
            self.screen.say(line)
        return False

    def _save(self, name: str) -> bool:
        path = Path(os.path.expanduser(name)).absolute()
        try:
            if not name:
                self._tell_where()
            elif path.exists() and path not in self._copies:
                self.screen.say(f"{name} is there already; choose another name.")
            else:
                self._copy_to(path)
        except (OSError, ValueError) as error:
            self.screen.say(f"A copy could not be saved: {getattr(error, 'strerror', error)}.", "red")
        return False

    def _tell_where(self) -> None:
        if self._save_game():
            self.screen.say(f"The game is saved in {self.autosave.path} after every action.")
        else:
            self.screen.say(f"It is still not possible to save in {self.autosave.path}: {self.autosave.problem}.")

    def _copy_to(self, path: Path) -> None:
        write(path, self.game.to_text())
        self._copies.add(path)
        self.screen.say(f"A copy is in {path}")
        if not self._save_game():
            self.autosave = Autosave(path)
            self.screen.say("From now on the game is saved there.")

    def _help(self, _: str) -> bool:
        title = self.game.title
        example = next(iter(self._menu.texts()), self.game.board.actions.all[-1].text)
        self.screen.markdown(HELP.format(action=example, rule=next(iter(title.rulebook.rules))))
        return False


def _leave(_: str) -> bool:
    raise Leaving


def _last_actions(count: int) -> str:
    return "the last action" if count == 1 else f"the last {count} actions"
