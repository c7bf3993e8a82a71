"""Made-up analyses, kept with tables as if somebody had had their games analysed."""

from __future__ import annotations

from cuberails.bots.analysis import Analysis, record_digest
from cuberails.bots.decision import Decision
from cuberails.core.game import Game
from cuberails.server.analysing import packed
from cuberails.server.store import keeping_analysis
from cuberails.server.table import Table
from tests.server.house import Hall


def decision(game: Game, at: int, best: str, verdict: str) -> Decision:
    """That the action taken there was worse than this one."""
    step, others = game.steps[at], len(game.seats) - 1
    before, after = (
        [chance if n == step.seat else (1 - chance) / others for n in range(others + 1)] for chance in (0.6, 0.2)
    )
    words = f"{game.seats[step.seat]} was wrong (better: {best}); the chance fell from 60 % to 20 %"
    return Decision(
        at, step.seat, step.action.text, best, before, after, 0.4, "test", verdict, [best], [], words, "it is better"
    )


def analysed(game: Game, decisions: list[Decision]) -> Analysis:
    even = [1 / len(game.seats)] * len(game.seats)
    chances = [even] * (game.count + 1)
    return Analysis(game.title.key, game.seats, "quick", 0, record_digest(game), True, chances, decisions)


def keep(tables: Hall, table: Table, decisions: list[Decision]) -> None:
    """Store an analysis of a table's game."""
    analysis = analysed(table.game, decisions)
    write = keeping_analysis(table.id, "quick", analysis.record, True, packed(analysis))
    tables.run(tables.tables.writer.write(write, table.generation))
