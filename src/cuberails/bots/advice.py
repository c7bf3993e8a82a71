"""Hints: what a bot that searches thinks best, how likely each seat is then to win, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cuberails.bots.endgame import Outcome, loses
from cuberails.bots.players import EXPERT, SearchBot
from cuberails.bots.price import NEVER, SIMULATIONS, fair_price
from cuberails.bots.search import Node, OnProgress
from cuberails.core.auction import Auction
from cuberails.core.judge import Judge
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.core.wording import amount
from cuberails.titles import calibrated, judge_for

IDEAS = 3
REASONS = 2
PRICE_SECONDS = 6.0
"""Within so many seconds a fair price is searched for a hint; the numbers are those that `worth` tells."""
SMALLEST = 0.1
"""What differs by less, in dollars or points, is no reason."""
CLEARLY = 0.005
"""Chances to win that differ by less are not called better or worse."""
IN_HAND = ("cash", "points")
"""What a seat has for certain, by the names of a judge's terms; all the others are expected."""


@dataclass(frozen=True)
class Idea:
    """An action, how likely each seat is to win after it, and one sentence why."""

    action: str
    chances: list[float]
    why: str


def advise(state: State, seed: int | str = 0, on_progress: OnProgress | None = None) -> list[Idea]:
    """At most three actions for the seat to decide, the very best first.

    No bid above what the lot is worth to it is among them, and none that loses by force unless all do.
    """
    actor = state.phase.actor
    if actor in (CHANCE, NOBODY):
        raise SetupError("there is nothing to advise: " + ("the game is over" if actor == NOBODY else "dice decide"))
    judge = judge_for(state.board)
    # With the win as its only aim, what the bot expects of an action is the chance that people are told.
    bot = SearchBot(seed, replace(EXPERT, win_weight=1.0, finalists=IDEAS), judge=judge)
    root = bot.think(state, on_progress)
    limit = _limit(root, seed)
    order = _not_lost(root, _fair(root, limit))[:IDEAS]
    found = zip(order, ideas_of(root, order, judge), strict=True)
    best, *others = (replace(idea, chances=told_after(root, n)) for n, idea in found)
    if limit is not None:
        best = replace(best, why=f"{best.why}; {_at_most(limit)}")
    return [best, *others]


def told_after(root: Node, n: int) -> list[float]:
    """Each seat's chance to win after an action, as people are told it; what was searched to the end is certain."""
    chances = [root.mean(n, seat) for seat in range(root.state.players)]
    known = bool(root.results) and root.results[n] is not None
    return chances if known else calibrated(root.state.board, chances)


def ideas_of(root: Node, order: list[int], judge: Judge) -> list[Idea]:
    """These actions of a position that was searched, the best first, with the chances that the search has found."""
    best, *others = order
    # Where every other action is a bid above the fair price, the reason tells why rather not the best of those.
    rivals = others or [n for n in root.ranked() if n != best]
    return [_idea(root, best, rivals, judge), *(_idea(root, n, [best], judge) for n in others)]


def _limit(root: Node, seed: int | str) -> int | None:
    """The seat's fair price for the lot of an auction; None without one, or where the end is known."""
    state = root.state
    if root.results or not isinstance(state.phase, Auction):
        return None
    return fair_price(state, SIMULATIONS, seed, seconds=PRICE_SECONDS).limits[state.phase.actor]


def _at_most(limit: int) -> str:
    return "you would rather not have it" if limit == NEVER else f"it is worth up to ${limit} to you"


def _fair(root: Node, limit: int | None) -> list[int]:
    """The actions from the best to the worst, without bids above the seat's fair price."""
    ranked = root.ranked()
    if limit is None:
        return ranked
    lowest = min(ranked, key=lambda n: root.actions[n].a)  # a pass, which has no amount, or the bid that must be
    return [n for n in ranked if n == lowest or root.actions[n].a <= limit]


def _not_lost(root: Node, order: list[int]) -> list[int]:
    """These actions without those that lose by force, unless all do."""
    seat = root.state.phase.actor
    return [n for n in order if not (root.results and loses(root.results[n], seat))] or order


def _idea(root: Node, n: int, rivals: list[int], judge: Judge) -> Idea:
    """An action, and why it rather than the first of its rivals, if it has any."""
    seats = range(root.state.players)
    why = reason(root, n, rivals[0], judge) if rivals else "nothing else is worth a look"
    return Idea(root.actions[n].text, [root.mean(n, seat) for seat in seats], why)


def reason(root: Node, n: int, rival: int, judge: Judge) -> str:
    """What speaks for an action or against it: how the game ends after it, if that is known, or what it brings."""
    outcome = root.results[n] if root.results else None
    if outcome is not None:
        return _how_it_ends(root, outcome, rival, _unit(judge, root))
    return _what_it_brings(root, n, rival, judge)


# Where the game was searched to its end


def _how_it_ends(root: Node, outcome: Outcome, rival: int, unit: str) -> str:
    """The end of the game after an action, and after its rival."""
    seat, other = root.state.phase.actor, root.results[rival]
    ends = f"searched to the end: you {_end(outcome, seat, unit)}"
    if other is None:
        return ends
    if not outcome.better(other, seat) and not other.better(outcome, seat):
        return f"{ends}, as with {root.actions[rival].text}"
    return f"{ends}; with {root.actions[rival].text} you {_end(other, seat, unit)}"


def _end(outcome: Outcome, seat: int, unit: str) -> str:
    """How a seat ends: "win by $3", "lose by 2 points", "share the win", "win 25 % of all dice"."""
    share, margin = outcome.shares[seat], outcome.margins[seat]
    if share <= 0.0:
        return f"lose by {amount(-margin, unit)}" if margin < 0.0 else "lose the tie"
    if outcome.wins(seat):
        return f"win by {amount(margin, unit)}" if margin > 0.0 else "win the tie"
    return "share the win" if margin == 0.0 else f"win {share:.0%} of what the dice can bring".replace("%", " %")


# Where it was not


def _what_it_brings(root: Node, n: int, rival: int, judge: Judge) -> str:
    """What differs most from another action when the turn is over, and what the search adds to that."""
    gains, unit = _gains(root, n, rival, judge), _unit(judge, root)
    reasons = {_reason(name, gain, unit): gain for name, gain in gains.items()}
    others = _gain_of_others(root, n, rival, judge)
    reasons[f"the others can expect about {_more(others, unit)}"] = -others
    largest = sorted((why for why in reasons if abs(reasons[why]) >= SMALLEST), key=lambda why: -abs(reasons[why]))
    largest = largest[:REASONS]
    other, later = root.actions[rival].text, _later(root, n, rival, sum(reasons[why] for why in largest))
    if not largest:
        return f"at once the same as {other}{later}"
    return f"compared with {other} {_joined(largest, reasons)}{later}"


def _gains(root: Node, n: int, rival: int, judge: Judge) -> dict[str, float]:
    """By how much the terms of the judge differ between two actions, each with its auction or its turn completed."""
    seat = root.state.phase.actor
    here, there = judge.terms(root.judged[n], seat), judge.terms(root.judged[rival], seat)
    return {name: here.get(name, 0.0) - there.get(name, 0.0) for name in {**there, **here}}


def _gain_of_others(root: Node, n: int, rival: int, judge: Judge) -> float:
    """How much more the other seats can expect, on the average."""
    seat, here, there = root.state.phase.actor, judge.worth(root.judged[n]), judge.worth(root.judged[rival])
    return (sum(here) - here[seat] - sum(there) + there[seat]) / (len(here) - 1)


def _reason(name: str, gain: float, unit: str) -> str:
    """One difference: "you have $6 more", "you can expect about $2 less from PA shares"."""
    more = _more(gain, unit)
    return f"you have {more}" if name in IN_HAND else f"you can expect about {more} from {name}"


def _more(gain: float, unit: str) -> str:
    return f"{amount(abs(gain), unit)} {'more' if gain > 0 else 'less'}"


def _joined(largest: list[str], reasons: dict[str, float]) -> str:
    """The reasons as one sentence; "but" where one speaks for the action and the other against it."""
    first, *rest = largest
    return first + "".join((" and " if reasons[first] * reasons[why] > 0 else ", but ") + why for why in rest)


def _later(root: Node, n: int, rival: int, gain: float) -> str:
    """Where the search finds the opposite of what the turn itself brings: what others can answer decides."""
    seat = root.state.phase.actor
    better = root.mean(n, seat) - root.mean(rival, seat)
    if better > CLEARLY and gain < SMALLEST:
        return "; it is better when others have answered"
    return "; it is worse when others have answered" if better < -CLEARLY and gain > -SMALLEST else ""


def _unit(judge: Judge, root: Node) -> str:
    """What the game is scored in: "points", or "$"."""
    return "points" if "points" in judge.terms(root.state, root.state.phase.actor) else "$"
