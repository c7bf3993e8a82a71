"""What the judge of Credit Mobilier knows: early one share is as good as another, later it is what it will earn."""

from __future__ import annotations

import pytest

from cuberails.titles import judge
from cuberails.titles.credit_mobilier.judge import CreditMobilierJudge
from tests.titles.credit_mobilier.position import position

TABLE = """
players 3
red treasury {treasury} shares 2 0 0 goods A6 A6 B6 C6 D6 D6
yellow shares 0 2 0 goods A1
green shares 0 0 {sold} goods B3
blue shares 0 0 {sold} goods C3
purple shares {sold} 1 1
"""


def share_values(sold: int, treasury: int = 0) -> list[float]:
    """What a share of each company is worth, when so many of green, blue and purple are sold."""
    found, state = judge("credit_mobilier"), position(TABLE.format(sold=sold, treasury=treasury))
    assert isinstance(found, CreditMobilierJudge)
    outlook = found.look_ahead(state)
    return [found.share_value(state, c, outlook) for c in range(state.board.companies)]


def test_early_one_share_is_as_good_as_another() -> None:
    assert len(set(share_values(sold=1))) == 1


def test_later_a_share_is_worth_what_its_company_will_earn() -> None:
    red, yellow, *_ = share_values(sold=18)
    assert red > 5 * yellow > 0


@pytest.mark.parametrize("sold", [1, 18])
def test_money_in_a_treasury_makes_a_share_worth_more(sold: int) -> None:
    assert share_values(sold, treasury=12)[0] > share_values(sold)[0]


def test_early_a_treasury_will_be_shared_with_many_who_buy_later() -> None:
    early, late = (share_values(sold, treasury=12)[0] - share_values(sold)[0] for sold in (1, 18))
    assert early < late / 2
