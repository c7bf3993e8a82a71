"""A judge that learned: what its network computes, and how it stands beside the hand-made judge."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import cuberails
from cuberails.core.learned import Layer, Learned, LearnedJudge, Net
from cuberails.core.playout import pick
from cuberails.core.state import State
from cuberails.titles import WeightError, features_of, judge, judge_for, learned, load, read_learned

NAMES = features_of(load("wabash").board).names
SHARED = features_of(load("wabash").board).shared


def position(actions: int = 40) -> State:
    state, rng = cuberails.new("wabash", 3), Random(5)
    for _ in range(actions):
        state.play(pick(state, rng))
    return state


def network(win: float = 0.0, score: float = 0.0, feature: str = "cash") -> Net:
    """One unit that sees one feature; the outputs are it times these."""
    sees = [1.0 if name == feature else 0.0 for name in NAMES]
    return Net([Layer([sees], [0.0]), Layer([[win], [score]], [0.0, 0.5])], SHARED)


def judge_of(net: Net, hand_part: float, net_part: float = 1.0) -> LearnedJudge:
    known = Learned(NAMES, net, hand_part, net_part, 10.0)
    return LearnedJudge(judge("wabash"), features_of(load("wabash").board), known)


def test_layers_are_rectified_but_the_last() -> None:
    net = Net([Layer([[1.0, 2.0, 0.0], [1.0, 0.0, -1.0]], [0.5, 0.0]), Layer([[1.0, 1.0], [-1.0, 3.0]], [0.0, 1.0])], 1)
    rows = [[1.0, 2.0, 3.0], [1.0, -2.0, 0.5]]
    # First row: 1 + 4 + 0.5 and 1 - 3, which is rectified; second: 1 - 4 + 0.5, which is, and 1 - 0.5.
    assert net.outputs(rows) == [[5.5, -4.5], [0.5, 2.5]]


def test_a_silent_network_leaves_the_hand_made_judge_as_it_is() -> None:
    state = position()
    silent = judge_of(network(), 1.0)
    values, chances = silent.assess(state)
    assert chances == pytest.approx(judge("wabash").chances(state))
    assert values == pytest.approx([value + 5.0 for value in judge("wabash").worth(state)])
    assert silent.worth(state) == values
    assert silent.chances(state) == chances
    assert silent.terms(state, 1) == judge("wabash").terms(state, 1)


def test_alone_the_network_says_everything() -> None:
    state = position()
    values, chances = judge_of(network(win=50.0, score=2.0), 0.0).assess(state)
    cash = [cuberails.titles.features(state, seat)["cash"] for seat in range(3)]
    assert values == pytest.approx([10.0 * (2.0 * each + 0.5) for each in cash])
    richest = max(range(3), key=lambda seat: cash[seat])
    assert chances[richest] == max(chances)
    assert sum(chances) == pytest.approx(1.0)


def test_half_of_what_the_network_says_can_count() -> None:
    state = position()
    half, full = judge_of(network(win=4.0, score=2.0), 1.0, 0.5), judge_of(network(win=2.0, score=1.0), 1.0)
    assert half.chances(state) == pytest.approx(full.chances(state))
    assert half.worth(state) == pytest.approx([value - 2.5 for value in full.worth(state)])  # the bias of 0.5 is halved


def test_the_end_of_a_game_is_known_without_a_network() -> None:
    state, rng = cuberails.new("wabash", 3), Random(1)
    while state.actor is not None:
        state.play(pick(state, rng))
    values, chances = judge_of(network(win=50.0), 0.0).assess(state)
    assert values == state.scores()
    assert chances == state.win_shares()


def test_what_was_learned_can_be_pickled() -> None:
    known = pickle.loads(pickle.dumps(Learned(NAMES, network(1.0), 0.5, 0.25, 10.0, {"date": "today"})))
    assert known.net.outputs([[1.0] * len(NAMES)] * 2) == network(1.0).outputs([[1.0] * len(NAMES)] * 2)
    assert (known.hand_part, known.net_part, known.score_unit, known.about) == (0.5, 0.25, 10.0, {"date": "today"})


def test_on_a_board_with_other_features_the_hand_made_judge_stands_alone() -> None:
    board = load("wabash").board
    other = Learned([*NAMES[:-1], "something else"], network(), 1.0, 1.0, 10.0)
    assert judge_for(board, known=other) is judge("wabash")
    assert isinstance(judge_for(board, known=Learned(NAMES, network(), 1.0, 1.0, 10.0)), LearnedJudge)


@pytest.mark.parametrize("key", [key for key in cuberails.TITLES if learned(key)])
def test_what_titles_have_learned_fits_their_boards_and_says_where_it_comes_from(key: str) -> None:
    known = learned(key)
    assert known is not None
    assert known.names == features_of(load(key).board).names
    assert known.about["command"].startswith(f"cuberails lab learn {key} ")
    assert {"date", "trials"} <= known.about.keys()
    assert isinstance(judge_for(load(key).board), LearnedJudge)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"layers": [{"weights": 3, "biases": []}]}'])
def test_a_file_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(WeightError, match=r"wabash/learned\.json is not what `cuberails lab learn` writes"):
        read_learned("wabash/learned.json", text)
