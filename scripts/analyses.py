"""The analyses of docs/analyses, made anew: a game of strong bots, its record, a picture, and where it was decided.

    python scripts/analyses.py TITLE         analyse the record that is there; one that is not there is played first
    python scripts/analyses.py TITLE FILE    the same from what `cuberails analyse --budget deep --json FILE` wrote

All is reproducible: the bots have no limit of time, and the seeds are in this file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cuberails
from cuberails.bots.analysis import Analysis, analyse
from cuberails.bots.decision import Decision, line_in_words, percent
from cuberails.core.event import Ended
from cuberails.core.game import Game
from cuberails.core.story import story
from cuberails.draw.chances import Mark, chances
from cuberails.lab.simulate import Match, play_recorded

DOCS = Path(__file__).resolve().parent.parent / "docs"
BOTS = "search:simulations=48"
SEED = 20
MOST_LOST = 3
"""So many decisions are told where none decided the game: those that lost most."""


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


def told_points(analysis: Analysis) -> dict[str, Decision]:
    """The decisions that are told, by their signs: those that decided the game, or else those that lost most."""
    if analysis.decisive:
        return {analysis.signs[each.at]: each for each in analysis.decisive}
    wrong = sorted(
        (each for each in analysis.decisions if each.verdict != "best" and not each.doubtful),
        key=lambda each: -each.loss,
    )
    return {str(n): each for n, each in enumerate(sorted(wrong[:MOST_LOST], key=lambda each: each.at), 1)}


def picture(analysis: Analysis, points: dict[str, Decision]) -> str:
    marks = [Mark(each.at, sign, each.words) for sign, each in points.items()]
    return chances(analysis.seats, analysis.chances, marks, width=860, height=340)


def text(game: Game, analysis: Analysis, points: dict[str, Decision]) -> str:
    """The document."""
    key, name = game.title.key, game.title.name
    end = next(event for event in reversed(game.events(game.count - 1)[0]) if isinstance(event, Ended))
    won = " and ".join(game.seats[seat] for seat in game.state.winners())
    scores = ", ".join(f"{seat} {score}" for seat, score in zip(game.seats, game.state.scores(), strict=True))
    played = f"Three bots (`{BOTS}`, no slips) played this game; [the record]({key}.txt) has its {game.count} actions."
    again = f"`cuberails analyse docs/analyses/{key}.txt --budget {analysis.budget}`"
    lines = [
        f"# {name}: where a game was decided",
        "",
        f"{played} {end.why[0].upper()}{end.why[1:]}. **{won}** won: {scores}.",
        "",
        f"All that follows is from {again}, written by `python scripts/analyses.py {key}`.",
        "",
        f"![Chances to win over the game](../pictures/analysis-{key}.svg)",
        "",
        *figures(analysis),
        "",
        "## Where it was decided",
    ]
    if not analysis.decisive:
        lines += ["", "No single decision decided it; these cost most."]
    for sign, point in points.items():
        lines += ["", *section(game, sign, point)]
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


def section(game: Game, sign: str, point: Decision) -> list[str]:
    """A decision: what had happened, what was done, and what is likely after the better action."""
    state = game.at(point.at)
    so_far = Game(game.board, game.seats, state.options, state.rules_version)
    for step in game.steps[: point.at]:
        so_far.apply(step.action)
    before = [line.text for line in story(so_far, max(0, point.at - 12))][-3:]
    now, then = (
        ", ".join(f"{name} {percent(chance)}" for name, chance in zip(game.seats, each, strict=True))
        for each in (point.before, point.after)
    )
    return [
        f"### {sign}. Action {point.at + 1}: {game.seats[point.seat]} plays “{point.action}”",
        "",
        f"Before: {'; '.join(before)}. To decide: {state.prompt}.",
        "",
        f"{point.words[0].upper()}{point.words[1:]}.",
        "",
        *([f"“{point.best}”: {point.why}.", ""] if point.why else []),
        f"- with “{point.best}”: {now}; likely: {' · '.join(line_in_words(state, point.line, game.seats))}",
        f"- with “{point.action}”: {then}; likely: {' · '.join(line_in_words(state, point.played_line, game.seats))}",
    ]


def main(key: str, file: str = "") -> None:
    game = record_of(key)
    analysis = Analysis.from_json(json.loads(Path(file).read_text("utf-8"))) if file else analyse(game, "deep")
    points = told_points(analysis)
    (DOCS / "pictures" / f"analysis-{key}.svg").write_text(picture(analysis, points) + "\n", "utf-8")
    (DOCS / "analyses" / f"{key}.md").write_text(text(game, analysis, points), "utf-8")
    print(f"{key}: {game.count} actions, {len(points)} decisions are told")


if __name__ == "__main__":
    main(*sys.argv[1:])
