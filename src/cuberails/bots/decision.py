"""A decision of a recorded game, judged: every seat's chance, the best action, and what the played one lost.

It is searched anew from its position alone, with the win as the only aim. So decisions can be judged in any order and
in several processes, and dice that were not yet rolled are not seen: the search draws its own. The action that was
played is visited as often as the best one, because only actions that were searched equally deep can be compared. A
decision can also be judged in hindsight: what followed the action played, and what would have followed the main others,
are searched equally deep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from cuberails.bots.advice import reason, told_after
from cuberails.bots.endgame import Positions
from cuberails.bots.price import fair_price
from cuberails.bots.search import FEW_BIDS, Node, Search, SearchConfig, collector_paused
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.event import Bid, Passed
from cuberails.core.game import advance
from cuberails.core.playout import after
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.titles import judge_for

AS_GOOD = 0.005
"""An action that loses less of the chance to win than this is as good as the best."""
LITTLE = 0.03
"""One that loses less than this is good; searches of a quick analysis cannot tell much less apart."""
MUCH = 0.08
"""One that loses less than this is a slip, any other a mistake."""
DECISIVE = 0.12
"""A mistake that loses this much is a turning point, if it is also a large part of the chance that was there."""
LARGE_PART = 0.25
"""What a large part of a chance is."""
CONFIRMING = 4
"""What seems a mistake or a gift is searched again with so many times the simulations."""
RIVALS = 3
"""So many other actions are then searched as deeply as the one played."""
LINE_LENGTH = 6
"""How many actions of the likely continuation are told, the best action included."""
TRUSTED_VISITS = 2
"""The likely continuation ends where fewer visits than this would tell it."""
HINDSIGHT = "at first it seemed no better; what follows each of them was searched to tell them apart"
"""Why one action is better than another where that was found in hindsight."""
VERDICTS = ("best", "good", "slip", "mistake", "turning point")
"""What an action is called, by what it lost."""


@dataclass(frozen=True)
class Decision:
    """A decision that was judged. Chances are of every seat, those of `seat` decide.

    `at` is the number of actions before it. `before` are the chances with the best action, `after` those with the
    action played; `loss` is what the seat lost, 0 at least. `kind` says what was decided: "auction", or the first word
    of the action. `line` is the best action and its likely continuation, `why` a sentence on what speaks for it;
    `played_line` is the same from the action played, if that was another one.
    `obvious`: nothing else was worth a look, and nothing was searched. `exact`: searched to the end of the game.
    `doubtful`: what it seemed to cost was soon there again. `hindsight`: judged again, since the search of what
    followed found much less than had been expected.
    """

    at: int
    seat: int
    action: str
    best: str
    before: list[float]
    after: list[float]
    loss: float
    kind: str
    verdict: str
    line: list[str]
    played_line: list[str]
    words: str
    why: str
    obvious: bool = False
    exact: bool = False
    doubtful: bool = False
    hindsight: bool = False

    @property
    def changes(self) -> list[float]:
        """How each seat's chance differs from that after the best action."""
        return [after - before for before, after in zip(self.before, self.after, strict=True)]

    @property
    def gift(self) -> int | None:
        """The seat that paid, where a decision cost another one much and its own seat next to nothing."""
        most = min(self.changes)
        decisive = self.loss < LITTLE and most <= -DECISIVE and not self.doubtful
        return self.changes.index(most) if decisive else None


def judge_decision(
    state: State, action: Action, simulations: int, seed: int | str = 0, at: int = 0, names: Sequence[str] = ()
) -> Decision:
    """Judge an action that was taken in a position by the seat to decide; the names of all seats are for the words.

    What seems to have cost much is searched again, deeper and from another seed, and only that counts: of many
    decisions those seem worst that were unlucky in their search.
    """
    decision = _judged_once(state, action, simulations, seed, at, names)
    if decision.exact or (decision.loss < MUCH and decision.gift is None):
        return decision
    return _judged_once(state, action, CONFIRMING * simulations, f"again {seed}", at, names)


def judge_in_hindsight(
    state: State, action: Action, simulations: int, seed: int | str = 0, at: int = 0, names: Sequence[str] = ()
) -> Decision:
    """Judge an action after which less was left than had been expected, by what follows it and its main rivals.

    After each of them the next decision that is not obvious is searched. Where dice come before that, it is judged
    as any other.
    """
    root, played, rivals = _main_actions(state, action, simulations, f"hindsight {seed} {at}")
    found = {n: _followed(root, n, simulations, f"hindsight {seed} {at} {root.actions[n].text}") for n in rivals}
    known = {n: each for n, each in found.items() if each is not None}
    if played not in known:
        return replace(judge_decision(state, action, simulations, seed, at, names), hindsight=True)
    seat = state.phase.actor
    best = max(known, key=lambda n: (known[n].chances[seat], n == played))
    chosen = action if best == played else root.actions[best]
    before, there = known[best], known[played]
    loss = before.chances[seat] - there.chances[seat]
    called = names or [f"seat {n + 1}" for n in range(state.players)]
    verdict = verdict_on(loss, before.chances[seat], best == played)
    decision = Decision(
        at,
        seat,
        action.text,
        chosen.text,
        before.chances,
        there.chances,
        loss,
        kind_of(state, action),
        verdict,
        before.line,
        [] if best == played else there.line,
        _words(state, action, chosen, called, verdict),
        "" if best == played else HINDSIGHT,
        exact=before.exact and there.exact,
        hindsight=True,
    )
    return replace(decision, words=decision.words + _changes(decision, called))


def _main_actions(state: State, action: Action, simulations: int, seed: str) -> tuple[Node, int, list[int]]:
    """A position that was searched, the number of the action played, and those that are to be compared, it included.

    In an auction a bid is compared with a pass, and a pass with bids, the least among them: no search need have thought
    of it. What others do after one bid or another differs more by chance than by the price.
    """
    config = SearchConfig(simulations=simulations, win_weight=1.0, finalists=2)
    search = Search(judge_for(state.board), config, Random(seed))
    root = search.think(state)
    with collector_paused():
        played = _place(search, root, action)
        main = [n for n in root.ranked() if n != played][:RIVALS]
        if isinstance(state.phase, Auction):
            least, give_up = state.legal_actions()[0], state.legal_actions()[-1]
            main = [*main, _place(search, root, least)] if action == give_up else [_place(search, root, give_up)]
    return root, played, list(dict.fromkeys([played, *main]))


@dataclass(frozen=True)
class _Following:
    """What a search found behind an action: the chances, the likely line, and whether it went to the end."""

    chances: list[float]
    line: list[str]
    exact: bool


def _followed(root: Node, n: int, simulations: int, seed: str) -> _Following | None:
    """What follows an action: the next decision that is not obvious is searched; None where dice come before it."""
    config = SearchConfig(simulations=simulations, win_weight=1.0, finalists=2)
    here, line = after(root.state, root.actions[n]), [root.actions[n].text]
    while here.phase.actor not in (CHANCE, NOBODY):
        search = Search(judge_for(here.board), config, Random(seed))
        node = search.think(here)
        best = node.ranked()[0]
        if len(node.actions) > 1:
            exact = len(node.results) > 0 and node.results[best] is not None
            with collector_paused():
                line += likely_line(search, node, best, node.actions[best])
            return _Following(told_after(node, best), line[:LINE_LENGTH], exact)
        line.append(node.actions[best].text)
        here = after(here, node.actions[best])
    return _Following(here.win_shares(), line[:LINE_LENGTH], True) if here.phase.actor == NOBODY else None


def _judged_once(
    state: State, action: Action, simulations: int, seed: int | str, at: int, names: Sequence[str]
) -> Decision:
    seat = state.phase.actor
    if seat in (CHANCE, NOBODY):
        raise SetupError("there is nothing to judge: " + ("the game is over" if seat == NOBODY else "dice decide"))
    config = SearchConfig(simulations=simulations, win_weight=1.0, finalists=2)
    search = Search(judge_for(state.board), config, Random(f"analysis {seed} {at}"))
    root = search.think(state)
    obvious = len(root.actions) == 1 and root.actions[0] is action
    with collector_paused():
        played = _place(search, root, action)
        best = _compared(search, root, played)
    before, there = told_after(root, best), told_after(root, played)
    loss = max(0.0, before[seat] - there[seat])
    chosen = action if best == played else root.actions[best]
    verdict = verdict_on(loss, before[seat], chosen is action)
    called = names or [f"seat {n + 1}" for n in range(state.players)]
    words = _words(state, action, chosen, called, verdict)
    decision = Decision(
        at,
        seat,
        action.text,
        chosen.text,
        before,
        there,
        loss,
        kind_of(state, action),
        verdict,
        likely_line(search, root, best, chosen),
        [] if best == played else likely_line(search, root, played, action),
        words,
        "" if best == played else reason(root, best, played, search.judge),
        obvious,
        len(root.results) > 0 and root.results[best] is not None and root.results[played] is not None,
    )
    return replace(decision, words=words + _changes(decision, called))


def kind_of(state: State, action: Action) -> str:
    """What is decided: "auction" where one is under way, else the first word of the action."""
    return "auction" if isinstance(state.phase, Auction) else action.word


def verdict_on(loss: float, before: float, is_best: bool) -> str:
    """What an action is called that lost this much of a chance."""
    if is_best or loss < AS_GOOD:
        return "best"
    if loss < LITTLE:
        return "good"
    if loss < MUCH:
        return "slip"
    return "turning point" if loss >= DECISIVE and loss >= LARGE_PART * before else "mistake"


def _place(search: Search, root: Node, action: Action) -> int:
    """The number of an action at the root, or of one that comes to the same position; else it is added."""
    for n, other in enumerate(root.actions):
        if other is action:
            return n
    state = root.state
    some_bids = isinstance(state.phase, Auction) and len(state.legal_actions()) > FEW_BIDS
    tried = search._try(state, action, not some_bids)
    positions = Positions(state)
    key = positions.key(tried.judged)
    for n, judged in enumerate(root.judged):
        if not some_bids and positions.key(judged) == key:
            return n
    root.actions.append(action)
    root.priors.append(0.0)
    root.estimates.append(tried.reward)
    root.after.append(tried.after)
    root.starts.append(tried.start)
    root.judged.append(tried.judged)
    root.action_visits.append(0)
    root.rounds.append(0)
    root.totals.append([0.0] * state.players)
    root.squares.append(0.0)
    root.children.append(None)
    return len(root.actions) - 1


def _compared(search: Search, root: Node, played: int) -> int:
    """The best action, when the one played was visited as often; it is the one played if that is no worse."""
    best, seat = root.ranked()[0], root.state.phase.actor
    enough = root.action_visits[best]
    if root.results:
        enough = search.config.simulations if root.results[played] is None else 0
    elif enough == 0 and played != best:  # the only candidate was not searched, but another action was played
        enough = search.config.simulations // 2
        _visit(search, root, best, enough)
    _visit(search, root, played, enough)
    return played if told_after(root, played)[seat] >= told_after(root, best)[seat] else best


def _visit(search: Search, root: Node, n: int, visits: int) -> None:
    while root.action_visits[n] < visits:
        search._simulate(root, n)


def likely_line(search: Search, root: Node, n: int, action: Action) -> list[str]:
    """An action, the rest of its turn, and what is likely to follow, as far as no dice are rolled."""
    line, here, seat = [action.text], after(root.state, action), root.state.phase.actor
    if action is not root.actions[n] or root.starts[n] is not root.after[n]:
        while here.phase.actor == seat and not isinstance(here.phase, Auction) and len(line) < LINE_LENGTH:
            following = search.greedy(here)
            line.append(following.action.text)
            here = following.after
    node = root.children[n]
    while node is not None and node.actions and len(line) < LINE_LENGTH:
        reply = node.ranked()[0]
        if node.action_visits[reply] < TRUSTED_VISITS:
            break
        line.append(node.actions[reply].text)
        node = node.children[reply]
    return line


# In words


def _words(state: State, action: Action, best: Action, names: Sequence[str], verdict: str) -> str:
    """What was done and what would have been better; where the game turned, also what the lot was worth."""
    did = _deed(state, action, names)
    if action is best:
        return did
    worth = _worth(state, action, best, names) if verdict == "turning point" else ""
    return f"{did} ({'as good' if verdict == 'best' else 'better'}: {best.text}){worth}"


def _deed(state: State, action: Action, names: Sequence[str]) -> str:
    """An action as its first event tells it: "letting PA go for $14", "PA builds in K4 for $3"."""
    events = advance(state, action).events
    if not events:
        return action.text
    first, phase = events[0], state.phase
    if isinstance(first, Bid):
        return f"bidding ${first.amount} for {first.lot}"
    if isinstance(first, Passed) and isinstance(phase, Auction):
        return f"letting {first.lot} go for ${phase.highest}" if phase.leader >= 0 else f"passing on {first.lot}"
    return first.say(names)


def _worth(state: State, action: Action, best: Action, names: Sequence[str]) -> str:
    """What the lot of an auction was worth to who let it go and to who leads, or to who bid too much for it.

    Nothing where that would not explain the better action: a price does not say all that a search finds.
    """
    phase = state.phase
    if not isinstance(phase, Auction):
        return ""
    limits, seat = fair_price(state).limits, phase.actor
    if best.a > action.a and limits[seat] >= best.a:  # to give up has no amount: -1
        leads = phase.leader >= 0 and limits[phase.leader] > phase.highest
        return f": worth ${limits[seat]} to {names[seat]}" + (
            f" and ${limits[phase.leader]} to {names[phase.leader]}" if leads else ""
        )
    if best.a < action.a and limits[seat] < action.a:
        return f": worth no more than ${max(0, limits[seat])} to {names[seat]}"
    return ""


def _changes(decision: Decision, names: Sequence[str]) -> str:
    """What became of the chance of who decided, and of that of who paid for it."""
    seat, other = decision.seat, decision.gift
    before, after = percent(decision.before[seat]), percent(decision.after[seat])
    own = f"stays at {before}" if before == after else f"fell from {before} to {after}"
    said = f"; {names[seat]}'s chance {own}"
    if other is None:
        return said
    return f"{said}, {names[other]}'s fell from {percent(decision.before[other])} to {percent(decision.after[other])}"


def line_in_words(state: State, line: Sequence[str], names: Sequence[str]) -> list[str]:
    """A likely continuation with who does what, from this position on: "Bob: bid 9", "Ann: pass, expand NYC"."""
    here, words, last = state.copy(), list[str](), NOBODY
    for text in line:
        actor = here.phase.actor
        if actor == last:
            words[-1] += f", {text}"
        else:
            words.append(f"{names[actor]}: {text}")
        last = actor
        here.play(here.parse(text))
    return words


def percent(chance: float) -> str:
    """A chance as people read it: "41 %"."""
    return f"{100 * chance:.0f} %"
