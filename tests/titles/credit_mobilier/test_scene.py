"""What a player sees of Credit Mobilier: what is in the treasuries for each share."""

from __future__ import annotations

import cuberails
from cuberails.titles.credit_mobilier.state import CreditMobilier
from tests.titles.credit_mobilier.position import fresh, position

MONEY = "players 3 \n red treasury 4 shares 2 0 1 \n blue treasury 6 \n green treasury 5 shares 20 0 0"


def shown(state: CreditMobilier) -> dict[str, tuple[str, str, str]]:
    """By company: the shares held, and what is in the treasury for each of them, now and with one more sold."""
    facts = {company.piece.name: dict(company.facts) for company in cuberails.scene(state).companies}
    return {name: (each["Sold"], each["A share"], each["Diluted"]) for name, each in facts.items()}


def test_a_company_shows_its_treasury_per_share_now_and_with_one_more() -> None:
    companies = shown(position(MONEY))
    assert companies["Red"] == ("3 of 20", "$1.33", "$1.00")
    assert companies["Blue"] == ("0 of 20", "–", "$6.00")
    assert companies["Green"] == ("20 of 20", "$0.25", "–")


def test_a_company_without_a_limit_of_shares_shows_none() -> None:
    companies = shown(position(MONEY, fresh(3, certificates="unlimited")))
    assert companies["Red"] == ("3", "$1.33", "$1.00")
    assert companies["Green"] == ("20", "$0.25", "$0.24")


def test_the_way_to_the_end_counts_colors_and_the_fewest_pawns_to_arrive() -> None:
    """[C8.1]"""
    seen = cuberails.scene(position(MONEY))
    assert [label for label, _ in seen.progress] == ["Colors with goods on the way", "Pawns to arrive until then"]
    goods = sorted(int(dict(company.facts)["Goods"]) for company in seen.companies[:-1])
    colors = sum(1 for pawns in goods if pawns)
    least = sum([pawns for pawns in goods if pawns][: max(0, colors - 2)])
    assert [value for _, value in seen.progress] == [f"{colors}, ends at 2", f"{least} or more" if least else "0"]
    assert cuberails.scene(cuberails.new("credit_mobilier", 3)).progress == [("Goods drawn", "0 of 24")]


def test_the_treasury_for_each_share_has_a_leader() -> None:
    companies = {company.piece.name: company for company in cuberails.scene(position(MONEY)).companies}
    assert companies["Blue"].leads == ["Treasury"]
    assert companies["Red"].leads == ["A share"]
    assert companies["Red"].holdings == ["2", "", "1"]
