"""What a player sees of Credit Mobilier: what is in the treasuries for each share."""

from __future__ import annotations

import cuberails
from cuberails.titles.credit_mobilier.state import CreditMobilier
from tests.titles.credit_mobilier.position import fresh, position

MONEY = "players 3 \n red treasury 4 shares 2 0 1 \n blue treasury 6 \n green treasury 5 shares 20 0 0"


def shown(state: CreditMobilier) -> dict[str, tuple[str, str, str]]:
    """By company: the shares held, and what is in the treasury for each of them, now and with one more sold."""
    facts = {company.piece.name: dict(company.facts) for company in cuberails.scene(state).companies}
    return {name: (each["Shares held"], each["Per share"], each["Diluted"]) for name, each in facts.items()}


def test_a_company_shows_its_treasury_per_share_now_and_with_one_more() -> None:
    companies = shown(position(MONEY))
    assert companies["Red"] == ("3 of 20", "$1.33", "$1.00")
    assert companies["Blue"] == ("0 of 20", "–", "$6.00")
    assert companies["Green"] == ("20 of 20", "$0.25", "–")


def test_a_company_without_a_limit_of_shares_shows_none() -> None:
    companies = shown(position(MONEY, fresh(3, certificates="unlimited")))
    assert companies["Red"] == ("3", "$1.33", "$1.00")
    assert companies["Green"] == ("20", "$0.25", "$0.24")
