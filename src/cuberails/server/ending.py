"""How a game came out: why it ended, who won, where it came from, and the scores over time, as a part of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from cuberails.core.event import Ended, Event, Forced
from cuberails.core.game import Game
from cuberails.core.state import CHANCE
from cuberails.draw.pen import clean
from cuberails.server import chart

START, HELD = "at the start", "value of the shares held"


@dataclass
class Source:
    """What each seat got from one source, over the whole game."""

    name: str
    amounts: list[int]


@dataclass
class Account:
    """Where the scores come from: `counted` adds up to them, `aside` is money in a game that is won by points."""

    counted: list[Source]
    aside: list[Source]


def account(game: Game) -> Account:
    """The sources of the scores, the largest first. What no event tells of is what the shares held are worth."""
    found: dict[tuple[bool, str], list[int]] = {}
    for gain in [gain for events in game.events() for event in events for gain in event.gains()]:
        amounts = found.setdefault((gain.points, gain.source), [0] * len(game.seats))
        for seat, amount in enumerate(gain.amounts):
            amounts[seat] += amount
    by_points = any(points for points, _ in found)
    counted = _sorted([Source(name, amounts) for (points, name), amounts in found.items() if points == by_points])
    aside = _sorted([Source(name, amounts) for (points, name), amounts in found.items() if points != by_points])
    before = Source(START, game.at(0).scores())
    sources = [before, *counted]
    scores = game.state.scores()
    rest = [score - sum(source.amounts[seat] for source in sources) for seat, score in enumerate(scores)]
    return Account([source for source in [*sources, Source(HELD, rest)] if any(source.amounts)], aside)


def _sorted(sources: list[Source]) -> list[Source]:
    return sorted(sources, key=lambda source: -sum(source.amounts))


def reason(events: Sequence[Event]) -> Ended | None:
    """Why the game ended, if it did by one of these events."""
    plain = [event.event if isinstance(event, Forced) else event for event in events]
    return next((event for event in plain if isinstance(event, Ended)), None)


def ending(game: Game, course: Sequence[Sequence[int]]) -> str:
    """The course of a game as HTML, and when it is over its end."""
    state = game.state
    if state.phase.actor >= CHANCE:
        return chart.standings(game.seats, state.scores(), []) + chart.chart(game.seats, course)
    why = reason([event for events in game.events(game.count - 1) for event in events])
    scores, winners = state.scores(), state.winners()
    table = _sources(game.seats, account(game), scores, chart.in_order(scores, winners))
    return _why(why) + chart.standings(game.seats, scores, winners) + chart.chart(game.seats, course) + table


def _why(ended: Ended | None) -> str:
    if ended is None:
        return ""
    rule = f'<a class="cite" href="#rule-{_text(ended.rule)}">{_text(ended.rule)}</a>'
    return f'<p class="why">It ended because {_text(ended.reason)} ({rule}).</p>'


def _sources(names: Sequence[str], found: Account, scores: Sequence[int], order: Sequence[int]) -> str:
    """Where the scores come from, with the seats in this order."""

    def row(name: str, amounts: Sequence[int], kind: str = "") -> str:
        head = f'<th scope="row">{_text(name[:1].upper() + name[1:])}</th>'
        return f'<tr class="{kind}">{head}' + "".join(f"<td>{_figure(amounts[seat])}</td>" for seat in order) + "</tr>"

    head = "".join(f'<th scope="col">{_text(names[seat])}</th>' for seat in order)
    rows = "".join(row(source.name, source.amounts) for source in found.counted) + row("score", scores, "total")
    aside = "".join(row(f"{source.name} (money)", source.amounts, "aside") for source in found.aside)
    return (
        '<div class="sources"><table><caption>Where it came from</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{rows}{aside}</tbody></table></div>"
    )


def _figure(amount: int) -> str:
    """A number with a real minus sign; nothing is a dash."""
    return "–" if not amount else str(amount).replace("-", "−")


def _text(text: str) -> str:
    return escape(clean(text))
