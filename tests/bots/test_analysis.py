"""Where a game was decided: positions with known answers, and what an analysis keeps of a game."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails import titles
from cuberails.bots import advice
from cuberails.bots import analysis as analysing
from cuberails.bots import decision as judging
from cuberails.bots.advice import advise
from cuberails.bots.analysis import MOST_AGAIN, Analysis, Analyst, Budget, analyse
from cuberails.bots.decision import Decision, judge_decision, judge_in_hindsight, line_in_words, verdict_on
from cuberails.bots.players import EXPERT
from cuberails.bots.search import Node, Search
from cuberails.core.game import Game
from cuberails.core.judge import sharpened
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE, State
from cuberails.core.title import SetupError
from tests.bots.test_price import last_auction
from tests.titles.wabash.position import do, position

TINY = Budget("tiny", 0, 6, 6)


def played(key: str, seed: int, count: int) -> State:
    """A game of three random players after so many actions."""
    state, rng = cuberails.new(key, 3), Random(seed)
    for _ in range(count):
        state.play(pick(state, rng))
    return state


def game_of(key: str, count: int, seed: int = 3) -> Game:
    game, rng = Game(cuberails.load(key).board, ["Ann", "Bob", "Cy"]), Random(seed)
    while game.count < count:
        game.apply(pick(game.state, rng))
    return game


@pytest.mark.parametrize(
    ("key", "seed", "count", "wins", "did"),
    [
        ("wabash", 56, 117, "pass", "bidding $11 for NYC (better: pass): worth no more than $6 to Ann"),
        ("southern_rails", 34, 78, "place yellow H6", "Ann places a yellow cube in F6"),
    ],
)
def test_the_last_decision_wins_or_loses_the_game(key: str, seed: int, count: int, wins: str, did: str) -> None:
    """One action wins for certain; every other one loses for certain (tests/bots/test_endgame.py shows both)."""
    state = played(key, seed, count)
    seat, good = state.phase.actor, {wins, "place yellow K6"}
    bad = next(action for action in state.legal_actions() if action.text not in good)
    decision = judge_decision(state, bad, 32, names=["Ann", "Ann", "Ann"])
    assert (decision.before[seat], decision.after[seat], decision.loss) == (1.0, 0.0, 1.0)
    assert decision.best in good
    assert decision.line[0] == decision.best
    assert decision.verdict == "turning point"
    assert decision.exact
    assert decision.words.startswith(did)
    assert f" (better: {decision.best})" in decision.words
    assert decision.words.endswith("; Ann's chance fell from 100 % to 0 %")
    right = judge_decision(state, state.parse(wins), 32)
    assert (right.verdict, right.best, right.loss, right.after[seat]) == ("best", wins, 0.0, 1.0)


def test_a_bid_that_a_lower_one_dominates_costs_the_win() -> None:
    """Wabash: Bob wins by $2 without the last share, which pays $6; each dollar over that is lost."""
    state = last_auction()
    cheap, dear = (judge_decision(state, state.parse(f"bid {bid}"), 32) for bid in (7, 9))
    assert (cheap.verdict, cheap.loss, cheap.exact) == ("best", 0.0, True)
    assert (dear.verdict, dear.best, dear.exact) == ("turning point", "bid 6", True)
    assert dear.before[1] == 1.0
    assert dear.after[1] < 1.0


def test_to_bid_where_a_pass_would_tie_loses_half_a_win() -> None:
    """Wabash: the leader is to pay $8 for a share that pays $6; who takes it for $9 loses what that would tie."""
    state = do(last_auction(), "bid 8")
    decision = judge_decision(state, state.parse("bid 9"), 32, names=["Ann", "Bob"])
    assert (decision.best, decision.before[0], decision.after[0], decision.loss) == ("pass", 0.5, 0.0, 0.5)
    assert decision.words == (
        "bidding $9 for NYC (better: pass): worth no more than $4 to Ann; Ann's chance fell from 50 % to 0 %"
    )


def test_a_dollar_too_many_for_a_share_that_hardly_pays_any_more_decides_the_game() -> None:
    """Wabash: the last share of a railroad whose income is $1, which pays once more."""
    state = do(position("players 2 \n turn 1 \n supply 0 \n markers 2 4 1 \n cash 9 9 \n Wabash"), "capitalize Wabash")
    decision = judge_decision(state, state.parse("bid 2"), 32)
    assert (decision.verdict, decision.best, decision.exact) == ("turning point", "bid 1", True)
    assert decision.after[state.phase.actor] == 0.0


def test_an_obvious_decision_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wabash: nobody can want a share of PA for more than $30 at the start."""
    state = cuberails.new("wabash", 3)
    state.play(state.parse("bid 30"))
    searched: list[int] = []
    simulate = Search._simulate

    def counted(self: Search, root: Node, n: int) -> None:
        searched.append(n)
        simulate(self, root, n)

    monkeypatch.setattr(Search, "_simulate", counted)
    passed = judge_decision(state, state.parse("pass"), 16)
    assert passed.obvious
    assert (passed.verdict, passed.loss, searched) == ("best", 0.0, [])
    bid = judge_decision(state, state.parse("bid 31"), 16)
    assert not bid.obvious
    assert bid.best == "pass"
    assert bid.loss > 0.0
    assert searched.count(0) == searched.count(1) == 8 + 4 * 8  # what seems a mistake is searched again


def test_the_played_action_is_visited_as_often_as_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a bid that no search would have tried."""
    state, roots = cuberails.new("wabash", 3), list[Node]()
    think = Search.think

    def kept(self: Search, state: State) -> Node:
        roots.append(think(self, state))
        return roots[-1]

    monkeypatch.setattr(Search, "think", kept)
    decision = judge_decision(state, state.parse("bid 40"), 32)
    root = roots[-1]  # a mistake is searched twice
    visits = {action.text: count for action, count in zip(root.actions, root.action_visits, strict=True)}
    assert visits["bid 40"] == visits[decision.best] > 0
    assert decision.loss > 0.0


def test_what_seems_a_mistake_is_searched_again_deeper_and_only_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    state, budgets = cuberails.new("wabash", 3), list[int]()
    think = Search.think

    def counted(self: Search, state: State) -> Node:
        budgets.append(self.config.simulations)
        return think(self, state)

    monkeypatch.setattr(Search, "think", counted)
    judge_decision(state, state.parse("bid 12"), 16)
    assert budgets == [16]
    judge_decision(state, state.parse("bid 40"), 16)
    assert budgets == [16, 16, 64]


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_chances_are_together_1_and_the_kind_is_a_word_of_the_title(key: str) -> None:
    game = game_of(key, 24)
    analyst = Analyst(game, TINY)
    for at in analyst.pending[-4:]:
        decision = analyst.judge(at)
        state = game.at(at)
        for chances in (decision.before, decision.after):
            assert sum(chances) == pytest.approx(1.0)
        assert decision.seat == state.phase.actor
        assert decision.kind in (*state.board.actions.words, "auction")
        here = state.copy()
        for text in decision.line:
            here.apply(text)  # the likely continuation can be played


def test_an_analysis_has_chances_before_and_after_every_action() -> None:
    game = game_of("wabash", 12)
    analysis = analyse(game, TINY)
    assert len(analysis.chances) == 13
    assert all(sum(chances) == pytest.approx(1.0) for chances in analysis.chances)
    for decision in analysis.decisions:
        if not decision.obvious:
            assert analysis.chances[decision.at] == decision.before
    assert [decision.at for decision in analysis.decisions] == list(range(12))
    choices = [decision for decision in analysis.decisions if not decision.obvious]
    assert sum(figures.decisions for figures in analysis.players) == len(choices)
    assert sum(figures.total_lost for figures in analysis.players) == pytest.approx(
        sum(decision.loss for decision in choices if decision.verdict != "best")
    )


def test_after_the_end_the_chances_are_who_has_won() -> None:
    game, rng = Game(cuberails.load("southern_rails").board, ["Ann", "Bob", "Cy"]), Random(1)
    while game.state.actor is not None:
        game.apply(pick(game.state, rng))
    analyst = Analyst(game, TINY)
    assert analyst.analysis().chances[-1] == game.state.win_shares()
    assert not analyst.analysis().complete


def test_an_analysis_is_the_same_after_a_round_trip_through_json() -> None:
    analysis = analyse(game_of("gmo", 6), TINY)
    again = Analysis.from_json(json.loads(json.dumps(analysis.to_json())))
    assert again == analysis
    assert again.players == analysis.players


@pytest.mark.parametrize("data", [[], {}, {"cuberails_analysis": 1}, {"cuberails_analysis": 1, "decisions": [3]}])
def test_what_is_no_analysis_is_refused(data: object) -> None:
    with pytest.raises(SetupError, match="analys"):
        Analysis.from_json(data)


def test_what_was_stopped_is_resumed_with_the_same_result() -> None:
    game = game_of("wabash", 8)
    whole = analyse(game, TINY, seed=4)
    stopped = Analyst(game, TINY, seed=4)
    first = [stopped.step() for _ in range(3)]
    known = [decision for decision in first if decision is not None]
    parts: list[float] = []
    assert analyse(game, TINY, 4, parts.append, known) == whole
    assert parts == sorted(parts)
    assert len(parts) == 5
    assert parts[-1] == 1.0


def test_decisions_can_be_judged_in_another_process_in_any_order() -> None:
    game = game_of("wabash", 6)
    analyst = Analyst(game, TINY)
    sent = pickle.loads(pickle.dumps(analyst))
    for at in reversed(analyst.pending):
        analyst.add(pickle.loads(pickle.dumps(sent.judge(at))))
    assert analyst.analysis() == analyse(game, TINY)


def test_dice_that_were_not_yet_rolled_change_nothing() -> None:
    """Credit Mobilier: two games that are alike up to a roll of the dice."""
    record = Path(__file__).parents[1] / "records/credit_mobilier/3-players-greedy.txt"
    game = cuberails.read(record.read_text())
    rolls = [n for n, step in enumerate(game.steps) if step.seat == CHANCE]
    roll = rolls[-20]
    other = Game(game.board, game.seats, game.state.options, game.state.rules_version)
    for step in game.steps[:roll]:
        other.apply(step.action)
    other.apply(next(action for action in other.state.legal_actions() if action is not game.steps[roll].action))
    decided = [at for at in Analyst(other, TINY).pending if at < roll][-3:]
    assert decided
    for at in decided:
        assert Analyst(game, TINY).judge(at) == Analyst(other, TINY).judge(at)


def test_the_chances_over_time_do_not_know_dice_before_they_are_rolled() -> None:
    """Credit Mobilier: two games that are alike up to the last roll."""
    game = game_of("credit_mobilier", 44)
    roll = max(n for n, step in enumerate(game.steps) if step.seat == CHANCE)
    games = [Game(game.board, game.seats) for _ in range(2)]
    for n, each in enumerate(games):
        for step in game.steps[:roll]:
            each.apply(step.action)
        each.apply(each.state.legal_actions()[40 * n])
        each.apply(each.state.legal_actions()[-1])
    first = analyse(games[0], TINY)
    earlier = [
        decision for decision in first.decisions if decision.at < roll
    ]  # which are alike in both, as shown above
    one, other = first.chances, analyse(games[1], TINY, known=earlier).chances
    assert len(one) == len(other) == roll + 3
    assert one[: roll + 1] == other[: roll + 1]
    assert one[roll + 1] != other[roll + 1]


def test_dice_and_the_end_are_no_decisions() -> None:
    game = game_of("credit_mobilier", 12)
    assert {game.steps[at].seat for at in Analyst(game, TINY).pending} <= {0, 1, 2}
    state = cuberails.new("credit_mobilier", 3)
    with pytest.raises(SetupError, match="dice decide"):
        judge_decision(state, state.legal_actions()[0], 6)


def test_chances_are_told_as_sure_as_they_come_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sharpness of a title changes what is told, and not what is best; what is certain stays certain."""
    state, game = cuberails.new("wabash", 3), game_of("wabash", 3)
    ended = played("wabash", 56, 117)
    monkeypatch.setattr(advice, "EXPERT", replace(EXPERT, simulations=24, seconds=inf))

    def told_with(sharpness: float) -> tuple[Decision, Decision, list[list[float]], list[float]]:
        monkeypatch.setattr(titles, "sharpness", lambda key: sharpness)
        start = judge_decision(state, state.parse("bid 12"), 16)
        end = judge_decision(ended, ended.parse("pass"), 16)
        return start, end, Analyst(game, TINY).analysis().chances, advise(state)[0].chances

    start, end, course, hint = told_with(1.0)
    blunt, certain, drawn, hinted = told_with(0.5)
    assert blunt.best == start.best
    assert blunt.before == pytest.approx(sharpened(start.before, 0.5))
    assert blunt.after == pytest.approx(sharpened(start.after, 0.5))
    assert certain == end
    assert drawn[-1] == pytest.approx(sharpened(course[-1], 0.5))
    assert hinted == pytest.approx(sharpened(hint, 0.5))
    assert max(hinted) < max(hint)


def decision(before: list[float], after: list[float], at: int = 0, kind: str = "bid") -> Decision:
    """What seat 0 did in a game of three."""
    loss = max(0.0, before[0] - after[0])
    verdict = verdict_on(loss, before[0], False)
    return Decision(at, 0, "bid 12", "pass", before, after, loss, kind, verdict, ["pass"], [], "", "")


def analysed(decisions: list[Decision]) -> Analysis:
    return Analysis("wabash", ["Ann", "Bob", "Cy"], "deep", 0, "", True, [], decisions)


def test_who_cannot_win_decides_between_others() -> None:
    """Such a decision is told beside the turning points, and it is not counted as lost."""
    gift, turn = decision([0.02, 0.4, 0.58], [0.01, 0.7, 0.29], 3), decision([0.5, 0.2, 0.3], [0.2, 0.3, 0.5], 7)
    own, little = decision([0.9, 0.1, 0.0], [0.7, 0.3, 0.0], 8), decision([0.1, 0.4, 0.5], [0.1, 0.5, 0.4], 9)
    assert [each.gift for each in (gift, turn, own, little)] == [2, None, None, None]
    analysis = analysed([gift, turn, own, little])
    assert analysis.gifts == [gift]
    assert analysis.signs == {3: "A", 7: "1"}
    assert analysis.decisive == [gift, turn]


def test_of_many_gifts_those_are_told_that_cost_most() -> None:
    many = [decision([0.0, 0.9, 0.1], [0.0, 0.7 - n / 50, 0.3 + n / 50], n) for n in range(12)]
    assert [each.at for each in analysed(many).gifts] == [*range(4, 12)]
    assert "".join(analysed(many).signs.values()) == "ABCDEFGH"


def test_a_gift_is_searched_again_and_told_with_who_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    state, budgets = cuberails.new("wabash", 3), list[int]()

    def said(root: Node, n: int) -> list[float]:
        return [0.02, 0.4, 0.58] if root.actions[n].text != "bid 12" else [0.01, 0.7, 0.29]

    def counted(search: Search, root: Node, played: int) -> int:
        budgets.append(search.config.simulations)
        return next(n for n in range(len(root.actions)) if n != played)

    monkeypatch.setattr(judging, "told_after", said)
    monkeypatch.setattr(judging, "_compared", counted)
    found = judge_decision(state, state.parse("bid 12"), 8, names=["Ann", "Bob", "Cy"])
    assert budgets == [8, 4 * 8]
    assert found.words.startswith("bidding $12 for PA (better: ")
    assert found.words.endswith("; Ann's chance fell from 2 % to 1 %, Cy's fell from 58 % to 29 %")


def course_of(*chances: float) -> list[Decision]:
    """A game in which seat 0 lost much by the first decision, and had these chances at those that followed."""
    first = decision([0.5, 0.5, 0.0], [0.2, 0.8, 0.0])
    others = (decision([own, 1 - own, 0.0], [own, 1 - own, 0.0], n) for n, own in enumerate(chances, 1))
    return [replace(each, hindsight=True) for each in (first, *others)]


def concluded(decisions: list[Decision]) -> Analysis:
    return Analyst(game_of("wabash", len(decisions)), TINY, known=decisions).analysis()


def test_what_is_soon_there_again_was_hardly_lost() -> None:
    found = concluded(course_of(0.2, 0.25, 0.46, 0.2))
    assert (found.decisions[0].verdict, found.decisions[0].doubtful) == ("slip", True)
    assert found.decisions[0].words.endswith("; soon after it was there again")
    assert found.decisive == []
    assert found.losses == {}
    assert concluded(found.decisions) == found  # nothing is doubted twice


def test_what_stays_lost_or_was_given_back_was_a_turning_point() -> None:
    for chances in ((0.2, 0.25, 0.3, 0.35), (0.2,) * 12 + (0.5,)):
        assert concluded(course_of(*chances)).turning_points[0].at == 0
    given = course_of(0.2, 0.2, 0.5)
    given[2] = replace(given[2], seat=1, loss=0.3, verdict="mistake")
    assert [each.at for each in concluded(given).turning_points] == [0]
    assert concluded([replace(each, seat=0) for each in given]).turning_points == []


# In hindsight


def test_in_hindsight_the_end_of_the_game_is_the_same() -> None:
    """Wabash: to pass wins for certain, every bid loses for certain."""
    state = played("wabash", 56, 117)
    seat = state.phase.actor
    bad = judge_in_hindsight(state, state.parse("bid 11"), 32, names=["Ann", "Bob", "Cy"])
    assert (bad.before[seat], bad.after[seat], bad.verdict, bad.best) == (1.0, 0.0, "turning point", "pass")
    assert (bad.exact, bad.hindsight) == (True, True)
    assert bad.words.startswith("bidding $11 for NYC (better: pass)")
    good = judge_in_hindsight(state, state.parse("pass"), 32)
    assert (good.verdict, good.loss, good.hindsight) == ("best", 0.0, True)


def test_in_hindsight_what_follows_each_action_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """To bid as little as one may is looked into, though at the start of the auction nothing but a pass is obvious."""
    state = cuberails.new("wabash", 3)
    state.play(state.parse("bid 30"))

    def followed(root: Node, n: int, simulations: int, seed: str) -> judging._Following:
        text = root.actions[n].text
        own = 0.6 if text == "bid 31" else 0.1
        return judging._Following([(1 - own) / 2, own, (1 - own) / 2], [text, "pass"], False)

    monkeypatch.setattr(judging, "_followed", followed)
    decision = judge_in_hindsight(state, state.parse("pass"), 16, names=["Ann", "Bob", "Cy"])
    assert (decision.best, decision.verdict) == ("bid 31", "turning point")
    assert decision.loss == pytest.approx(0.5)
    assert (decision.line, decision.played_line) == (["bid 31", "pass"], ["pass", "pass"])
    assert not decision.obvious
    assert decision.words.endswith("Bob's chance fell from 60 % to 10 %")


def test_in_hindsight_a_bid_is_compared_with_a_pass_and_not_with_other_bids() -> None:
    state = cuberails.new("gmo", 3)

    def compared(played: str) -> list[str]:
        root, first, others = judging._main_actions(state, state.parse(played), 24, "a seed")
        assert root.actions[first].text == played
        return [root.actions[n].text for n in others if n != first]

    state.apply("bid 5")
    assert compared("bid 9") == ["pass"]
    bids = compared("pass")
    assert "bid 6" in bids
    assert all(bid.startswith("bid ") for bid in bids)


def test_where_dice_follow_a_decision_is_judged_as_any_other() -> None:
    """Credit Mobilier: the last decision before a roll."""
    game = game_of("credit_mobilier", 44)
    at = max(n for n, step in enumerate(game.steps) if step.seat == CHANCE and game.steps[n - 1].seat != CHANCE) - 1
    state, action = game.at(at), game.steps[at].action
    decision = judge_in_hindsight(state, action, 12, 5, at)
    assert decision == replace(judge_decision(state, action, 12, 5, at), hindsight=True)


def pending_after(*decisions: Decision, key: str = "wabash") -> list[int]:
    """What is to be judged in hindsight, of a game that has just these decisions."""
    return Analyst(game_of(key, len(decisions)), TINY, known=decisions).pending


def test_what_turns_out_otherwise_than_expected_is_judged_again_once() -> None:
    """Also what another seat has lost by it, whoever that is."""
    even, worse = [0.5, 0.3, 0.2], [0.2, 0.6, 0.2]
    fine, lost = decision(even, even, 0), decision(worse, worse, 1)
    assert pending_after(fine, lost) == [0]
    assert pending_after(replace(fine, hindsight=True), lost) == []
    assert pending_after(replace(fine, exact=True), lost) == []
    assert pending_after(replace(fine, seat=2), lost) == [0]
    assert pending_after(fine, decision([0.45, 0.35, 0.2], worse, 1), decision(worse, worse, 2)) == []


def test_an_obvious_decision_after_which_its_own_seat_misses_much_is_judged_again() -> None:
    even, worse = [0.5, 0.3, 0.2], [0.2, 0.6, 0.2]
    first, last = decision(even, even, 0), decision(worse, worse, 3)
    own, other = (replace(decision([0.4] * 3, [0.4] * 3, at), seat=seat, obvious=True) for at, seat in ((1, 0), (2, 1)))
    assert pending_after(first, own, other, last) == [0, 1]


def test_over_dice_nothing_is_judged_again() -> None:
    """Credit Mobilier: what follows a roll was not to be expected; whoever was ahead is behind after each here."""
    game = game_of("credit_mobilier", 44)
    rolls = [sum(step.seat == CHANCE for step in game.steps[:at]) for at in range(game.count)]
    chances = [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05]]
    known = [decision(chances[rolls[at] % 2], chances[rolls[at] % 2], at) for at in Analyst(game, TINY).pending]
    assert {rolls[each.at] % 2 for each in known} == {0, 1}
    assert Analyst(game, TINY, known=known).pending == []


def test_of_many_surprises_those_are_judged_again_after_which_most_was_missing() -> None:
    swings = [[0.1 + 0.7 * (n % 2), 0.9 - 0.7 * (n % 2), 0.0] for n in range(MOST_AGAIN + 12)]
    many = [decision(chances, chances, n) for n, chances in enumerate(swings)]
    found = pending_after(*many)
    assert len(found) == MOST_AGAIN
    some = [replace(each, hindsight=each.at in found) for each in many]
    assert pending_after(*some) == []


def test_an_analysis_ends_with_the_decisions_for_hindsight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library, in one go; what it has kept is not judged again."""
    even, worse = [0.5, 0.3, 0.2], [0.2, 0.6, 0.2]

    def judged(state: State, action: object, simulations: int, seed: int, at: int, names: object) -> Decision:
        return decision(even, even, at) if at < 2 else decision(worse, worse, at)

    def again(state: State, action: object, simulations: int, seed: int, at: int, names: object) -> Decision:
        return replace(decision(even, worse, at), hindsight=True)

    monkeypatch.setattr(analysing, "judge_decision", judged)
    monkeypatch.setattr(analysing, "judge_in_hindsight", again)
    game, parts = game_of("wabash", 4), list[float]()
    found = analyse(game, TINY, on_progress=parts.append)
    assert found.complete
    assert [each.hindsight for each in found.decisions] == [False, True, False, False]
    assert [each.at for each in found.turning_points] == [1]
    assert parts == sorted(parts)
    assert Analyst(game, TINY, known=found.decisions).analysis() == found


def test_while_an_analysis_is_under_way_nothing_is_doubted() -> None:
    decisions = course_of(0.2, 0.5, 0.5)
    analyst = Analyst(game_of("wabash", 5), TINY, known=decisions)
    assert analyst.analysis().decisions == decisions


def test_what_was_lost_is_told_by_the_main_kinds_and_the_rest_together() -> None:
    kinds = [decision([0.5, 0.5, 0.0], [0.5 - n / 20, 0.5 + n / 20, 0.0], n, f"kind {n}") for n in range(1, 8)]
    losses = analysed(kinds).losses
    assert list(losses) == ["kind 7", "kind 6", "kind 5", "kind 4", "kind 3", "other"]
    assert losses["kind 7"] == pytest.approx([0.35, 0.0, 0.0])
    assert losses["other"] == pytest.approx([0.15, 0.0, 0.0])


def test_a_likely_continuation_is_told_with_who_does_what() -> None:
    line = line_in_words(
        cuberails.new("wabash", 3), ["bid 12", "bid 13", "pass", "pass", "bid 7"], ["Ann", "Bob", "Cy"]
    )
    assert line == ["Ann: bid 12", "Bob: bid 13", "Cy: pass", "Ann: pass", "Bob: bid 7"]
    state = played("wabash", 56, 117)
    assert line_in_words(state, [], ["Ann", "Bob", "Cy"]) == []


def test_verdicts_follow_what_was_lost() -> None:
    assert [verdict_on(loss, 0.4, False) for loss in (0.0, 0.02, 0.05, 0.09, 0.2)] == [
        "best",
        "good",
        "slip",
        "mistake",
        "turning point",
    ]
    assert verdict_on(0.15, 0.9, False) == "mistake"  # most of the chance is still there


def test_an_unknown_budget_is_refused_by_naming_those_there_are() -> None:
    with pytest.raises(SetupError, match="the budgets are quick and deep"):
        Analyst(game_of("wabash", 1), "huge")
