"""The analyses of docs/analyses, made anew: a game of strong bots, its record, a picture, and where it was decided.

    python scripts/analyses.py TITLE             analyse the record that is there; one that is not there is played first
    python scripts/analyses.py TITLE --quick     with the quick budget instead of the deep one

All is reproducible: the bots have no limit of time, and the seeds are in this file.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cuberails
from cuberails.bots.analysis import BUDGETS, LITTLE, Analysis, Decision, analyse, judge_decision, percent
from cuberails.core.event import Ended
from cuberails.core.game import Game
from cuberails.core.story import story
from cuberails.draw.chances import Mark, chances
from cuberails.lab.simulate import Match, play_recorded

DOCS = Path(__file__).resolve().parent.parent / "docs"
BOTS = "search:simulations=48"
SEED = 20
GIVEN = 0.12
"""A decision that takes so much of the chance from another seat is told, even if it costs its own seat nothing."""
MOST_GIFTS = 5
MOST_POINTS = 8
"""Of more turning points than these, those are told at which most was lost."""


def record_of(key: str) -> Game:
    """The game of a title: as it is recorded, or played now."""
    file = DOCS / "analyses" / f"{key}.txt"
    if file.exists():
        return cuberails.read(file.read_text("utf-8"))
    match = Match(cuberails.load(key).board, 3, (BOTS,), SEED)
    game = play_recorded(match, 0)
    file.parent.mkdir(exist_ok=True)
    file.write_text(game.to_text(), "utf-8")
    return game


def told_points(analysis: Analysis) -> list[Decision]:
    """The decisions that are told: turning points, or where there are none, those that lost most."""
    wrong = [each for each in analysis.decisions if each.verdict in ("turning point", "mistake", "slip")]
    points = analysis.turning_points or sorted(wrong, key=lambda each: -each.loss)[:3]
    return sorted(sorted(points, key=lambda each: -each.loss)[:MOST_POINTS], key=lambda each: each.at)


def confirmed(game: Game, points: list[Decision]) -> list[Decision]:
    """The same decisions searched as deeply as any analysis does; what then loses little is not told."""
    deep = BUDGETS["deep"].most
    again = [
        judge_decision(game.at(each.at), game.steps[each.at].action, deep, 1, each.at, game.seats) for each in points
    ]
    return [each for each in again if each.loss >= LITTLE]


def given_away(analysis: Analysis) -> list[Decision]:
    """The decisions that cost whoever took them next to nothing, and somebody else much: those that cost most."""
    found = [each for each in analysis.decisions if each.loss < LITTLE and _change(each) >= GIVEN]
    return sorted(sorted(found, key=lambda each: -_change(each))[:MOST_GIFTS], key=lambda each: each.at)


def _change(point: Decision) -> float:
    """How much of the chance an action took from one of the others."""
    return max(before - after for before, after in zip(point.before, point.after, strict=True))


def gift(game: Game, point: Decision) -> str:
    """A decision that made no difference to whoever took it."""
    chances = "; ".join(
        f"{name} {percent(before)} → {percent(after)}"
        for name, before, after in zip(game.seats, point.before, point.after, strict=True)
    )
    return (
        f"- Action {point.at + 1}: {game.seats[point.seat]} plays “{point.action}” and not “{point.best}”: {chances}."
    )


def picture(analysis: Analysis, points: list[Decision]) -> str:
    marks = [Mark(each.at, str(number), each.words) for number, each in enumerate(points, 1)]
    return chances(analysis.seats, analysis.chances, marks, width=860, height=340)


def text(game: Game, analysis: Analysis, points: list[Decision]) -> str:
    """The document."""
    key, name = game.title.key, game.title.name
    end = next(event for event in reversed(game.events(game.count - 1)[0]) if isinstance(event, Ended))
    won = " and ".join(game.seats[seat] for seat in game.state.winners())
    scores = ", ".join(f"{seat} {score}" for seat, score in zip(game.seats, game.state.scores(), strict=True))
    played = f"Three bots (`{BOTS}`, no slips) played this game; [the record]({key}.txt) has its {game.count} actions."
    again = f"`cuberails analyse docs/analyses/{key}.txt --budget {analysis.budget}`"
    turned = any(each.verdict == "turning point" for each in points)
    deeply = f"and the decisions told below searched again with {BUDGETS['deep'].most:,} simulations each"
    lines = [
        f"# {name}: where a game was decided",
        "",
        f"{played} {end.why[0].upper()}{end.why[1:]}. **{won}** won: {scores}.",
        "",
        f"All that follows was written by `python scripts/analyses.py {key}`: {again}, {deeply}.",
        "",
        f"![Chances to win over the game](../pictures/analysis-{key}.svg)",
        "",
        *figures(analysis),
        "",
        "## " + ("Turning points" if turned else "No turning point"),
    ]
    if not turned:
        lines += ["", "No single decision lost much of anybody's chance" + ("; these lost most." if points else ".")]
    for number, point in enumerate(points, 1):
        lines += ["", *told(game, number, point)]
    gifts = given_away(analysis)
    if gifts:
        lines += ["", "## Decided by somebody else", "", *(gift(game, each) for each in gifts)]
    return "\n".join(lines) + "\n"


def figures(analysis: Analysis) -> list[str]:
    """A row for each player."""
    rows = ["| player | decisions | best | chance lost | most of it by |", "| --- | --- | --- | --- | --- |"]
    for each in analysis.players:
        most = sorted(each.lost.items(), key=lambda item: -item[1])[:3]
        by = ", ".join(f"{kind} {percent(lost)}" for kind, lost in most)
        row = (analysis.seats[each.seat], str(each.decisions), percent(each.best_share), percent(each.total_lost), by)
        rows.append(f"| {' | '.join(row)} |")
    return rows


def told(game: Game, number: int, point: Decision) -> list[str]:
    """A turning point: what had happened, what was done, and what is likely after the better action."""
    state = game.at(point.at)
    so_far = Game(game.board, game.seats, state.options, state.rules_version)
    for step in game.steps[: point.at]:
        so_far.apply(step.action)
    before = [line.text for line in story(so_far, max(0, point.at - 12))][-3:]
    now = ", ".join(f"{name} {percent(chance)}" for name, chance in zip(game.seats, point.before, strict=True))
    then = ", ".join(f"{name} {percent(chance)}" for name, chance in zip(game.seats, point.after, strict=True))
    return [
        f"### {number}. Action {point.at + 1}: {game.seats[point.seat]} plays “{point.action}”",
        "",
        f"Before: {'; '.join(before)}. To decide: {state.prompt}.",
        "",
        f"{point.words[0].upper()}{point.words[1:]}.",
        "",
        f"- with “{point.best}”: {now}; likely then: {', '.join(point.line[1:]) or 'dice'}",
        f"- with “{point.action}”: {then}",
    ]


def main(key: str, budget: str) -> None:
    game = record_of(key)
    analysis = analyse(game, budget)
    points = confirmed(game, told_points(analysis))
    (DOCS / "pictures" / f"analysis-{key}.svg").write_text(picture(analysis, points) + "\n", "utf-8")
    (DOCS / "analyses" / f"{key}.md").write_text(text(game, analysis, points), "utf-8")
    print(f"{key}: {game.count} actions, {len(analysis.turning_points)} turning points")


if __name__ == "__main__":
    main(sys.argv[1], "quick" if "--quick" in sys.argv else "deep")
