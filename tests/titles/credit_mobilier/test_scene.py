"""What a player sees of Credit Mobilier: what is in the treasuries for each share."""

from __future__ import annotations

import cuberails
from tests.titles.credit_mobilier.position import position


def test_a_company_shows_its_treasury_per_share_now_and_with_one_more() -> None:
    state = position("players 3 \n red treasury 4 shares 2 0 1 \n blue treasury 6 \n green treasury 5 shares 20 0 0")
    facts = {company.piece.name: dict(company.facts) for company in cuberails.scene(state).companies}
    shown = {name: (each["Per share"], each["Diluted"]) for name, each in facts.items()}
    assert shown["Red"] == ("$1.33", "$1.00")
    assert shown["Blue"] == ("–", "$6.00")
    assert shown["Green"] == ("$0.25", "–")
