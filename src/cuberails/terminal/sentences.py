"""A game in words: what happened, how it ended, and what the rules say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from rich.table import Table as Grid
from rich.text import Text

from cuberails.bots import Idea
from cuberails.core.event import Gain
from cuberails.core.game import Game
from cuberails.core.rulebook import Rulebook
from cuberails.core.story import Card, cards, last_of, story
from cuberails.core.title import SetupError, Title
from cuberails.draw.pen import clean


def log_lines(game: Game, first: int = 0) -> Iterator[str]:
    """One line an action with its number, and the rest of what it brought about below it."""
    for number, (step, events) in enumerate(zip(game.steps[first:], game.events(first)), first + 1):
        line, *more = [event.say(game.seats) for event in events] or [""]
        yield f"{number:>4}  {step.action.text:<18} {line}".rstrip()
        yield from (f"{'':>4}  {'':<18} {other}" for other in more)


def news_for(game: Game, seat: int) -> list[str]:
    """What happened since the last decision of this seat, that decision included: turns, and what changed the game."""
    start = max(0, last_of(game, [seat]) - 1)
    turns = [(line.n, [line.text]) for line in story(game, start)]
    changes = [(card.n, _on_card(card, game.seats)) for card in cards(game, start)]
    return [text for _, lines in sorted(turns + changes, key=lambda change: change[0]) for text in lines]


def _on_card(card: Card, names: Sequence[str]) -> list[str]:
    """A card in lines: "Dividends:", "· PA pays $3 a share: Ann $6, Bob $3"."""
    rows = [": ".join(part for part in (row.text, _gained(row.gain, names)) if part) for row in card.rows]
    if len(rows) == 1:
        return [rows[0] if rows[0].startswith(card.heading) else f"{card.heading}: {rows[0]}"]
    return [f"{card.heading}:", *(f"· {row}" for row in rows)] if rows else [card.heading]


def _gained(gain: Gain | None, names: Sequence[str]) -> str:
    """Who got how much."""
    if gain is None:
        return ""
    sign = "" if gain.points else "$"
    got = [(name, amount) for name, amount in zip(names, gain.amounts) if amount]
    return ", ".join(f"{name} {'−' if amount < 0 else ''}{sign}{abs(amount)}" for name, amount in got)


def standings(game: Game) -> Grid:
    """Places, names and scores, the best first; who ties shares a place."""
    scores, winners = game.state.scores(), game.state.winners()
    grid = Grid("", "player", "score", box=None, padding=(0, 2))
    grid.columns[2].justify = "right"
    for seat in sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat], seat)):
        better = sum(other > scores[seat] for other in scores)
        place = "1" if seat in winners else str(better + 1)
        grid.add_row(place, clean(game.seats[seat]), str(scores[seat]), style="bold" if seat in winners else "")
    return grid


def ideas_grid(ideas: Sequence[Idea], seats: Sequence[str]) -> Grid:
    """Hints: each action, how likely each seat is then to win, and why."""
    grid = Grid("action", *map(clean, seats), "why", box=None, padding=(0, 2), header_style="bold")
    for idea in ideas:
        grid.add_row(idea.action, *(f"{chance:.0%}" for chance in idea.chances), Text(idea.why))
    return grid


def verdict(game: Game) -> str:
    """Who won, in a sentence."""
    names = [game.seats[seat] for seat in game.state.winners()]
    if len(names) == 1:
        return f"{names[0]} wins."
    return f"{', '.join(names[:-1])} and {names[-1]} share the win."


def rules_about(title: Title, asked: str) -> str:
    """A rule or a section by number, or every rule with these words, as Markdown; SetupError if there is none."""
    if re.fullmatch(r"[A-Za-z]{0,3}[0-9]+[0-9.]*", asked):
        return _numbered(title, asked.upper().rstrip("."))
    words = asked.casefold().split()
    book = title.rulebook
    found = [
        f"**{number}** {text}"
        for number, text in book.rules.items()
        if all(word in f"{text} {book.sections[number.partition('.')[0]]}".casefold() for word in words)
    ]
    if not found:
        raise SetupError(f"no rule of {title.name} speaks of {asked!r}")
    return "\n\n".join(found)


def _numbered(title: Title, number: str) -> str:
    """The rule with this number; its letters may be left out."""
    numbers = [*title.rulebook.sections, *title.rulebook.rules]
    letters = numbers[0].rstrip("0123456789")
    full = letters + number.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for exact in (number, full):
        found = title.rulebook.find(exact)
        if found is not None and (exact == number or number[0].isdecimal()):
            return found
    nearest = get_close_matches(full, numbers, 1, 0)[0]
    raise SetupError(f"{title.name} has no rule {number}; the nearest is {nearest}")


def contents(book: Rulebook) -> str:
    """The sections of the rules, as Markdown."""
    return "\n".join(f"* **{number}** {heading}" for number, heading in book.sections.items())
