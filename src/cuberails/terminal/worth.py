"""What shares and the lot are worth, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cuberails.bots.playouts import Expectation
from cuberails.bots.worth import Price, ShareWorth, Worth, all_of_it, worth
from cuberails.core.game import Game
from cuberails.core.wording import amount
from cuberails.draw.pen import clean
from cuberails.terminal.screen import Screen

WIDTH = 24
"""How many letters wide the drawing of what a share will pay is."""
METER = 12
"""How many letters long the bar of a limit is."""
LEVELS = "_▁▂▃▄▅▆▇█"


PLAYS = 160
SECONDS = 20.0
"""So many play-outs, or those for which there is time, tell what shares will pay."""


def tell_worth(screen: Screen, game: Game, plays: int = PLAYS) -> None:
    """First what the rules say, at once; then what was refined. KeyboardInterrupt ends that."""
    quick = worth(game)
    screen.show(by_the_rules(quick, game.seats))
    if not game.state.legal_actions():
        screen.say(f"The game is over: no share {'pays' if quick.unit == '$' else 'scores'} any more.")
        return
    if not plays:
        return
    with screen.thinking("A quick bot") as on_progress:
        found = worth(game, plays, seconds=SECONDS, seed=game.count, on_progress=on_progress)
    for each in refined(found, game.seats):
        screen.show(each)


def by_the_rules(found: Worth, seats: Sequence[str]) -> Grid:
    """Who holds what, what it has paid to whom, and the numbers that follow from the rules alone."""
    grid = _grid("share", "held by", "left", "has paid" if found.unit == "$" else "has scored", "by the rules")
    grid.columns[2].justify = "right"
    for share in found.shares:
        held = _by_seat([str(each) if each else "" for each in share.held], seats)
        paid = _by_seat([amount(each, found.unit) if each else "" for each in share.paid], seats)
        grid.add_row(Text(share.name, "bold"), held, str(share.left), paid, _figures(share))
    return grid


def _figures(share: ShareWorth) -> Text:
    """The numbers stand out from what they are called."""
    return Text(", ").join(Text.assemble(name, " ", (text, "bold")) for name, text in share.figures)


def _grid(*headings: str) -> Grid:
    return Grid(*headings, box=None, padding=(0, 2, 0, 0), header_style="bold")


def _by_seat(values: Sequence[str], seats: Sequence[str]) -> Text:
    return Text(", ".join(f"{clean(name)} {value}" for name, value in zip(seats, values) if value) or "–")


def refined(found: Worth, seats: Sequence[str]) -> Iterator[RenderableType]:
    """How far each seat would go for what is on sale, and what each share will pay until the end."""
    if found.prices:
        yield Text()
    for price in found.prices:
        auction = price.kind == "auction"
        yield Text(f"{price.lot}: {clean(price.words)}", "bold" if auction else "")
        if auction:
            yield _limits(price, seats)
    expected = [(share, share.will_pay) for share in found.shares if share.will_pay is not None]
    if expected:
        plays = expected[0][1].plays
        at_the_end = ", with what it then counts" if found.gives == "bring" else ""
        yield Text(
            f"\nWhat each share will {found.gives} until the end{at_the_end}, by {plays} play-out{'s' * (plays > 1)}:",
            "bold",
        )
        yield _expectations(expected, found.unit)


def _limits(price: Price, seats: Sequence[str]) -> Grid:
    """A row for each seat; auctions are in dollars."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    most = max([1, *(limit for limit in price.limits if limit is not None)])
    for name, limit, cash in zip(seats, price.limits, price.most, strict=True):
        bar = "█" * round(METER * (limit or 0) / most)
        up_to = "rather not" if limit is None else f"up to ${limit}{all_of_it(False) if limit == cash else ''}"
        grid.add_row(clean(name), bar.ljust(METER, "·"), up_to)
    return grid


def _expectations(expected: Sequence[tuple[ShareWorth, Expectation]], unit: str) -> Grid:
    """A row for each share, with a drawing on the same scale."""
    most = max(1, *(high for _, each in expected for _, high, _ in each.bars))
    scale = f"$0 … ${most}" if unit == "$" else f"0 … {most} {unit}"
    grid = _grid("share", "mean", "80 % between", f"spread ({scale})")
    grid.columns[1].justify = "right"
    for share, each in expected:
        between = f"{amount(each.low, unit)} and {amount(each.high, unit)}"
        grid.add_row(Text(share.name, "bold"), amount(each.mean, unit), between, spread(each, most))
    return grid


def spread(expected: Expectation, most: int) -> Text:
    """How likely each amount is, as bars from 0 to `most`; those outside of the range are faint."""
    parts = [0.0] * WIDTH
    for low, high, part in expected.bars:
        first = min(WIDTH - 1, low * WIDTH // most)
        last = max(first, min(WIDTH, high * WIDTH // most) - 1)
        for n in range(first, last + 1):
            parts[n] += part / (last + 1 - first)
    return Text().join(_bar(n, part / max(parts), expected, most) for n, part in enumerate(parts))


def _bar(n: int, height: float, expected: Expectation, most: int) -> Text:
    """A letter as high as this part of the highest, at its place."""
    inside = n * most < (expected.high + 1) * WIDTH and (n + 1) * most > expected.low * WIDTH
    return Text(LEVELS[ceil(8 * height)], "" if inside else "dim")
