"""What people see of an analysis: the same parts on the page at the server and in a file that works offline."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from cuberails.bots.analysis import Analysis
from cuberails.bots.decision import Decision, line_in_words, percent
from cuberails.core.game import Game
from cuberails.core.playout import after
from cuberails.draw import html
from cuberails.draw.chances import Mark, chances
from cuberails.server import chart
from cuberails.titles import scene

HERE = Path(__file__).parent
STYLES = ("app.css", "analysis.css")
"""The style sheets that the file has inside, beside that of the drawings."""

SIZES = (("wide", 1380.0, 250.0), ("middle", 780.0, 250.0), ("narrow", 372.0, 270.0))
"""The drawing of the chances for wide, middling and narrow screens, of which each shows one."""

MEANINGS = {
    "best": "as good as anything",
    "good": "nearly as good as the best",
    "slip": "a little of the chance lost",
    "mistake": "much of the chance lost",
    "turning point": "a large part of the chance lost",
    "obvious": "nothing else was worth a look",
    "A, B, …": "it made little difference to who decided, and cost somebody else much",
}
"""What the classes of decisions mean, for whoever reads them first."""

Link = Callable[[int], str]
"""Where it leads to press a moment of the chart."""


def analysis_view(game: Game, analysis: Analysis, link: Link | None = None) -> dict[str, Any]:
    """The parts of an analysis: the chart, the decisions in words, and figures of each player."""
    names = list(game.seats)
    signs = analysis.signs
    marks = [Mark(each.at, signs[each.at], each.words) for each in analysis.decisive]
    drawn = {
        name: Markup(chances(names, analysis.chances, marks, wide, high, link, alone=False, key=f"{name}-"))
        for name, wide, high in SIZES
    }
    state = game.state
    return {
        "names": names,
        "budget": analysis.budget,
        "complete": analysis.complete,
        "charts": drawn,
        "standings": Markup(chart.standings(names, state.scores(), state.winners())),
        "decisions": [_decision(each, game, signs) for each in analysis.decisions],
        "turning": len(signs),
        "figures": _figures(analysis, names),
        "meanings": MEANINGS,
    }


def _decision(decision: Decision, game: Game, signs: dict[int, str]) -> dict[str, Any]:
    """A decision for a list; `then` is what is likely to follow the better action."""
    seat, gift, names = decision.seat, decision.gift, game.seats
    return {
        "at": decision.at,
        "n": decision.at + 1,
        "seat": seat,
        "name": names[seat],
        "action": decision.action,
        "verdict": "obvious" if decision.obvious else decision.verdict,
        "sign": signs.get(decision.at, ""),
        "lost": "" if decision.verdict == "best" else f"−{percent(decision.loss)}",
        "gift": "" if gift is None else f"{names[gift]} −{percent(-decision.changes[gift])}",
        "before": percent(decision.before[seat]),
        "after": percent(decision.after[seat]),
        "words": decision.words[:1].upper() + decision.words[1:] + ".",
        "best": decision.best,
        "why": decision.why,
        "then": _then(game, decision.at, decision.line),
        "then_played": _then(game, decision.at, decision.played_line),
        "exact": decision.exact,
    }


def _then(game: Game, at: int, line: Sequence[str]) -> list[str]:
    """Who is likely to do what after the first action of a line."""
    if len(line) < 2:
        return []
    state = game.at(at)
    return line_in_words(after(state, state.parse(line[0])), line[1:], game.seats)


def _figures(analysis: Analysis, names: Sequence[str]) -> dict[str, Any]:
    """A row for each player, with a column for each kind of decision by which somebody lost much."""
    losses = analysis.losses
    rows = [
        {
            "name": names[each.seat],
            "decisions": each.decisions,
            "best": percent(each.best_share) if each.decisions else "–",
            "total": percent(each.total_lost),
            "lost": [percent(lost[each.seat]) if lost[each.seat] else "–" for lost in losses.values()],
        }
        for each in analysis.players
    ]
    return {"kinds": list(losses), "rows": rows}


# The file


def analysis_file(game: Game, analysis: Analysis) -> str:
    """An analysis as one HTML file that needs nothing else: with its styles inside, and without any script."""
    view = analysis_view(game, analysis, lambda at: f"#d{_next(analysis, at)}")
    for row in view["decisions"]:
        row["board"] = _board(game, row["at"]) if row["sign"] else ""
    sheets = [(HERE / "static" / name).read_text("utf-8") for name in STYLES]
    style = Markup("\n".join([html.stylesheet(), *sheets]))
    return _templates().get_template("analysis_file.html").render(view=view, game=game, style=style)


def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)


def _next(analysis: Analysis, at: int) -> int:
    """The decision at a moment, or the next after it; at the end the last."""
    later = [decision.at for decision in analysis.decisions if decision.at >= at]
    return later[0] if later else analysis.decisions[-1].at if analysis.decisions else 0


def _board(game: Game, at: int) -> str:
    """The board at a moment, as the address of a picture that holds it."""
    seen = scene(game.at(at), game.seats)
    picture = html.map_picture(seen.map, f"The board before action {at + 1}")
    return "data:image/svg+xml;base64," + b64encode(picture.encode()).decode()
