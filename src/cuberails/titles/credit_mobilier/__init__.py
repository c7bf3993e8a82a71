"""Credit Mobilier: dice, goods running west on anybody's track, dividends paid in rounds."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.credit_mobilier.board import CreditMobilierBoard
from cuberails.titles.credit_mobilier.features import CreditMobilierFeatures
from cuberails.titles.credit_mobilier.habits import CreditMobilierHabits
from cuberails.titles.credit_mobilier.judge import CreditMobilierJudge
from cuberails.titles.credit_mobilier.rules import set_up
from cuberails.titles.credit_mobilier.scene import scene
from cuberails.titles.credit_mobilier.shares import CreditMobilierShares

title = Title(
    package=__name__,
    read=reader(__name__),
    key="credit_mobilier",
    name="Credit Mobilier",
    players=(2, 5),
    minutes=60,
    weight="light",
    explained={"certificates": "How many shares of each company there are; with unlimited they never run out."},
    board=CreditMobilierBoard,
    new=set_up,
    scene=scene,
    judge=CreditMobilierJudge,
    features=CreditMobilierFeatures,
    habits=CreditMobilierHabits,
    shares=CreditMobilierShares,
)
