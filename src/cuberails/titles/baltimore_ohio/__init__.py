"""Baltimore & Ohio: a stock market, six levels of technology, presidents, and railroads that can go broke."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.baltimore_ohio.board import BaltimoreOhioBoard
from cuberails.titles.baltimore_ohio.features import BaltimoreOhioFeatures
from cuberails.titles.baltimore_ohio.habits import BaltimoreOhioHabits
from cuberails.titles.baltimore_ohio.judge import BaltimoreOhioJudge
from cuberails.titles.baltimore_ohio.orders import BaltimoreOhioOrders
from cuberails.titles.baltimore_ohio.rules import set_up
from cuberails.titles.baltimore_ohio.scene import scene
from cuberails.titles.baltimore_ohio.shares import BaltimoreOhioShares

title = Title(
    package=__name__,
    read=reader(__name__),
    key="baltimore_ohio",
    name="Baltimore & Ohio",
    players=(3, 6),
    minutes=150,
    weight="heavy",
    explained={
        "timber_hex": "Where the timber counter lies: the printed board is not known for sure.",
        "tech1_city_limit": "How many railroads a city takes at the first level of technology.",
        "restart": "A railroad in receivership is started again at the values of the present tech (initial),"
        " or at one low value only.",
        "sale_drop": "A share drops with each sale (turn), or once for each player in a Market Round (round).",
        "losses": "A railroad that loses money is let off (forgiven), or its treasury pays what it can (paid).",
    },
    board=BaltimoreOhioBoard,
    new=set_up,
    scene=scene,
    judge=BaltimoreOhioJudge,
    features=BaltimoreOhioFeatures,
    habits=BaltimoreOhioHabits,
    shares=BaltimoreOhioShares,
    orders=BaltimoreOhioOrders(),
    automatic=["serve best"],
)
