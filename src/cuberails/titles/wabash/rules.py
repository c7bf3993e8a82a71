"""Wabash Cannonball: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.board import Board
from cuberails.core.event import Bid, Built, Chosen, Ended, Passed, Received
from cuberails.core.state import Over, Phase, Refusal
from cuberails.core.wording import either
from cuberails.titles.wabash.board import BID, BUILD, CAPITALIZE, DEVELOP, DONE, EXPAND, WORDS, WabashBoard
from cuberails.titles.wabash.events import Grown, MarkersReturned, Opened, Sold, Unsold
from cuberails.titles.wabash.state import Wabash

# What a share is auctioned for
INITIAL: Final = 0
CAPITALIZATION: Final = 1
OPENING: Final = 2

EXHAUSTED_TO_DIVIDEND: Final = 2
"""With so many decision markers at their end a general dividend is paid [W10.1]."""


# W1 Setting up


def set_up(board: Board, players: int, options: dict[str, str], rules_version: int) -> Wabash:
    """A new game, with the initial auction of PA open [W1, W2.1]."""
    assert isinstance(board, WabashBoard)
    state = Wabash()
    state.board = board
    state.set_up(players, options, rules_version)
    state.turn = 0
    state.cash = [board.money // players] * players
    state.treasury = [0] * board.count
    state.income = board.start_income[:]
    state.cubes = [cubes - 2 for cubes in board.cubes]
    state.unsold = board.shares[:]
    state.shares = [0] * (players * board.count)
    state.track = [0] * board.count
    state.reach = [0] * board.count
    state.crowd = [0] * board.count
    state.buildable = board.not_known[:]
    state.industry = [0] * len(board.tracks)
    state.markers = [0, 0, 0]
    state.developed = 0
    state.supply = board.development_cubes
    for rr in range(board.count):
        if rr != board.latecomer:
            state.occupy(rr, board.start[rr])
    offer(state, board.initial[0], INITIAL, 0)
    state.settle()
    return state


# W2 The initial auctions, and every auction


def offer(state: Wabash, rr: int, occasion: int, opener: int) -> None:
    """Put a share up for auction."""
    everybody = (1 << state.players) - 1
    state.phase = ShareAuction(opener, opener, everybody, state.minimum_bid(rr), -1, rr, occasion)


@mypyc_attr(free_list_len=1)
class ShareAuction(Auction[Wabash]):
    """One share of a railroad is for sale [W2, W7, W9]."""

    rule = "W2.3"

    def __init__(
        self, actor: int, opener: int, inside: int, least: int, leader: int, railroad: int, occasion: int
    ) -> None:
        self.actor = actor
        self.opener = opener
        self.inside = inside
        self.least = least
        self.leader = leader
        self.railroad: Final = railroad
        self.occasion: Final = occasion

    def prompt(self, state: Wabash) -> str:
        return f"Bid ${self.least} or more for {state.board.railroads[self.railroad]}, or pass"

    def legal(self, state: Wabash) -> list[Action]:
        return self.choices(state.board.bid, state.board.give_up, state.cash[self.actor])

    def take(self, state: Wabash, action: Action) -> None:
        lot = state.board.railroads[self.railroad]
        if action.kind == BID:
            if state.listening:
                state.tell(Bid(self.actor, action.a, lot))
            self.raised(state, action.a)
        else:
            if state.listening:
                state.tell(Passed(self.actor, lot))
            self.passed(state)

    def ask(self, state: Wabash, actor: int, inside: int, least: int, leader: int) -> None:
        state.phase = ShareAuction(actor, self.opener, inside, least, leader, self.railroad, self.occasion)

    def sold(self, state: Wabash, seat: int, price: int) -> None:
        """The money goes to the railroad's treasury [W2.6]."""
        rr = self.railroad
        cash, unsold, shares = state.cash[:], state.unsold[:], state.shares[:]
        cash[seat] -= price
        unsold[rr] -= 1
        shares[seat * state.board.count + rr] += 1
        state.cash, state.unsold, state.shares = cash, unsold, shares
        state.fund(rr, price)
        if state.listening:
            state.tell(Sold(seat, state.board.railroads[rr], price))
        self.end_auction(state, seat)

    def unsold(self, state: Wabash) -> None:
        """Nobody bid: the opener takes it for nothing [W2.5, W9.3], but not in a capitalization [W7.4]."""
        if self.occasion == CAPITALIZATION:
            if state.listening:
                state.tell(Unsold(state.board.railroads[self.railroad]))
            self.end_auction(state, -1)
        else:
            self.sold(state, self.opener, 0)

    def end_auction(self, state: Wabash, owner: int) -> None:
        """The game continues where it stood before the auction; `owner` took the share, -1 if nobody did."""
        if self.occasion == INITIAL:
            self.next_initial(state, owner)
        elif self.occasion == OPENING:
            check_general_dividend(state)
        else:
            after_decision(state, -1)

    def next_initial(self, state: Wabash, owner: int) -> None:
        """The new owner opens the next auction; after the last, who took PA begins [W2.1, W2.7]."""
        board = state.board
        position = board.initial.index(self.railroad) + 1
        if position < len(board.initial):
            offer(state, board.initial[position], INITIAL, owner)
            return
        first = state.shares[board.initial[0] :: board.count].index(1)
        state.turn = first
        state.phase = Turn(first)

    def refuse(self, state: Wabash, action: Action) -> Refusal | None:
        board, cash = state.board, state.cash[self.actor]
        return self.refuse_bid(action, board.bid, board.give_up, cash, "W2.3", "W2.2", "W2.4")


# W3 The turn


@mypyc_attr(free_list_len=1)
class Turn(Phase[Wabash]):
    """The seat on turn takes one decision that is still available [W3.1]."""

    rule = "W3.1"

    def __init__(self, actor: int) -> None:
        self.actor = actor

    def prompt(self, state: Wabash) -> str:
        board = state.board
        left = [
            f"{WORDS[CAPITALIZE + which]} ({board.limits[which] - state.markers[which]} left)"
            for which in range(3)
            if state.markers[which] < board.limits[which]
        ]
        return f"Choose a decision: {either(left)}"

    def legal(self, state: Wabash) -> list[Action]:
        board = state.board
        markers = state.markers
        limits = board.limits
        legal: list[Action] = []
        if markers[0] < limits[0]:
            legal = legal + board.capitalize_any[self.for_sale(state)]
        if markers[1] < limits[1]:
            self.add_develop(state, legal)
        if markers[2] < limits[2]:
            legal += board.expand_any[self.ready_to_build(state)]
        return legal

    def for_sale(self, state: Wabash) -> int:
        """The railroads with an unsold share, the Wabash only once open [W7.1, W7.5]."""
        chosen = 0
        for rr, unsold in enumerate(state.unsold):
            if unsold and state.track[rr]:
                chosen |= 1 << rr
        return chosen

    def ready_to_build(self, state: Wabash) -> int:
        """The railroads of which the seat holds a share and which can build [W4.1, W4.2]."""
        count = state.board.count
        first = self.actor * count
        chosen = 0
        for rr in range(count):
            if state.shares[first + rr] and state.can_build(rr):
                chosen |= 1 << rr
        return chosen

    def add_develop(self, state: Wabash, legal: list[Action]) -> None:
        board = state.board
        develop, size = board.develop, board.grid.size
        mask = state.can_develop()
        while mask:
            top = mask.bit_length()
            legal.append(develop[size - top])
            mask ^= board.grid.bit[size - top]
        legal.append(board.develop_nothing)

    def take(self, state: Wabash, action: Action) -> None:
        """The marker moves in every case [W3.2, W3.3]."""
        kind = action.kind
        markers = state.markers[:]
        markers[kind - CAPITALIZE] += 1
        state.markers = markers
        if state.listening:
            railroad = state.board.railroads[action.a] if kind != DEVELOP and action.a >= 0 else ""
            state.tell(Chosen(self.actor, _chosen(state.board, action), railroad))
        if action.a < 0:
            after_decision(state, -1)
        elif kind == CAPITALIZE:
            offer(state, action.a, CAPITALIZATION, self.actor)
        elif kind == EXPAND:
            state.phase = Expansion(self.actor, action.a, 0, False)
        else:
            develop(state, action.a)
            after_decision(state, -1)

    def refuse(self, state: Wabash, action: Action) -> Refusal | None:
        which = action.kind - CAPITALIZE
        if not 0 <= which < 3:
            return Refusal("W3.1", "a turn begins with a decision: capitalize, develop or expand")
        if state.markers[which] >= state.board.limits[which]:
            return Refusal(
                "W3.2", f"{action.word} is not available until the next general dividend: its marker is at the end"
            )
        if action.a < 0:
            return None  # Anybody may do nothing with a decision [W3.3]
        if action.kind == CAPITALIZE:
            return refuse_capitalize(state, action.a)
        return refuse_develop(state, action.a) if action.kind == DEVELOP else refuse_expand(state, self.actor, action.a)


def _chosen(board: WabashBoard, action: Action) -> str:
    if action.a < 0:
        return f"{action.word}s nothing"
    if action.kind == CAPITALIZE:
        return f"puts a share of {board.railroads[action.a]} up for auction"
    if action.kind == DEVELOP:
        return f"develops {board.label(action.a)}"
    return f"expands {board.railroads[action.a]}"


# W4 Expansion, W5 Income


@mypyc_attr(free_list_len=1)
class Expansion(Phase[Wabash]):
    """A railroad builds hex by hex; `built` cubes so far, `chicago` if one of them reached Chicago [W4]."""

    rule = "W4.2"

    def __init__(self, actor: int, railroad: int, built: int, chicago: bool) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.built: Final = built
        self.chicago: Final = chicago

    def prompt(self, state: Wabash) -> str:
        left = min(state.board.builds - self.built, state.cubes[self.railroad])
        name, money = state.board.railroads[self.railroad], state.treasury[self.railroad]
        more = " more" if self.built else ""
        hexes = f"up to {left}{more} hexes" if left > 1 else f"one{more} hex"
        return f"Build track for {name}: {hexes}, treasury ${money}" + (", or done" if self.built else "")

    def legal(self, state: Wabash) -> list[Action]:
        board = state.board
        build, grid = board.build, board.grid
        size, bit = grid.size, grid.bit
        mask = state.can_build(self.railroad)
        legal: list[Action] = []
        while mask:
            n = size - mask.bit_length()
            legal.append(build[n])
            mask ^= bit[n]
        if self.built:
            legal.append(board.done)
        return legal

    def take(self, state: Wabash, action: Action) -> None:
        """The first must be built, and the third ends the expansion [W4.2]."""
        if action.kind == DONE:
            if state.listening:
                name = state.board.railroads[self.railroad]
                state.tell(Chosen(self.actor, f"ends the expansion of {name}", name))
            after_decision(state, self.railroad if self.chicago else -1)
            return
        build(state, self.railroad, action.a)
        chicago = self.chicago or action.a == state.board.chicago
        if self.built + 1 == state.board.builds:
            after_decision(state, self.railroad if chicago else -1)
        else:
            state.phase = Expansion(self.actor, self.railroad, self.built + 1, chicago)

    def refuse(self, state: Wabash, action: Action) -> Refusal | None:
        rr = self.railroad
        if action.kind == DONE:
            if self.built == 0:
                return Refusal("W4.2", "an expansion builds at least one hex; to build none, expand nothing")
            return None
        if action.kind != BUILD:
            choice = "build a hex or say done" if self.built else "build a hex"
            return Refusal("W4.2", f"{state.board.railroads[rr]} is expanding: {choice}")
        return refuse_cubes(state, rr) or refuse_hex(state, rr, action.a) or refuse_cost(state, rr, action.a)


def refuse_expand(state: Wabash, seat: int, rr: int) -> Refusal | None:
    """Who may expand a railroad, and whether it can build at least one hex [W4.1, W4.2]."""
    name = state.board.railroads[rr]
    if not state.opened(rr):
        return Refusal("W9.1", f"the {name} has not opened yet")
    if not state.shares[seat * state.board.count + rr]:
        return Refusal("W4.1", f"only a shareholder of {name} may expand it")
    return refuse_cubes(state, rr) or refuse_every_hex(state, rr)


def refuse_every_hex(state: Wabash, rr: int) -> Refusal | None:
    board = state.board
    name = board.railroads[rr]
    costs = [state.build_cost(n) for n in board.grid.hexes(state.reach[rr]) if refuse_hex(state, rr, n) is None]
    if not costs:
        return Refusal("W4.3", f"no hex next to track of {name} takes another cube of it")
    if min(costs) > state.treasury[rr]:
        return Refusal("W4.8", f"{name} has ${state.treasury[rr]} in its treasury, too little for any hex it can reach")
    return None


def refuse_cubes(state: Wabash, rr: int) -> Refusal | None:
    if state.cubes[rr] == 0:
        return Refusal("W4.4", f"{state.board.railroads[rr]} has no cube left")
    return None


def refuse_hex(state: Wabash, rr: int, n: int) -> Refusal | None:
    """Where a railroad may build, whatever it costs [W4.3-W4.7]."""
    board = state.board
    bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
    if state.track[rr] & bit:
        return Refusal("W4.4", f"{name} has track in {label} already")
    if board.closed & bit:
        return Refusal("W4.7", f"{label} is a start city, closed to other railroads")
    if not state.reach[rr] & bit:
        return Refusal("W4.3", f"{label} is not next to track of {name}")
    if board.single & bit and state.crowd[0] & bit:
        owner = next(r for r in range(board.count) if state.track[r] & bit)
        kind = _article(board.terrain[n])
        return Refusal("W4.6", f"{label} is {kind} and {board.railroads[owner]} is there already")
    return None


def refuse_cost(state: Wabash, rr: int, n: int) -> Refusal | None:
    """A railroad pays from its own treasury [W4.5, W4.8]."""
    cost, money = state.build_cost(n), state.treasury[rr]
    if cost > money:
        board = state.board
        return Refusal("W4.8", f"{board.label(n)} costs ${cost} and {board.railroads[rr]} has ${money}")
    return None


def _article(terrain: str) -> str:
    return terrain if terrain == "timber" else f"a {terrain}"


def build(state: Wabash, rr: int, n: int) -> None:
    """The treasury pays, a cube is laid, the income rises by what the hex earns [W4.5, W4.8, W5]."""
    cost, earns = state.build_cost(n), state.hex_income(n)
    treasury, cubes, income = state.treasury[:], state.cubes[:], state.income[:]
    treasury[rr] -= cost
    cubes[rr] -= 1
    income[rr] += earns
    state.treasury, state.cubes, state.income = treasury, cubes, income
    state.occupy(rr, n)
    if state.listening:
        before = income[rr] - earns
        state.tell(Built(state.board.railroads[rr], state.board.label(n), cost, before, income[rr]))


# W6 Development


def develop(state: Wabash, n: int) -> None:
    """Timber pays once, an industrial city moves on, mines and cities take a cube and earn more [W6.2-W6.6]."""
    board = state.board
    bit = board.grid.bit[n]
    why = f"{board.label(n)} developed"
    if board.industry_of[n] >= 0:
        advance(state, board.industry_of[n], why)
        return
    state.supply -= 1
    state.developed |= bit
    if board.timber & bit:
        rr = next(rr for rr, track in enumerate(state.track) if track & bit)
        state.fund(rr, board.timber_pays)
        if state.listening:
            state.tell(Received(board.railroads[rr], board.timber_pays, why))
    else:
        state.raise_income(n, board.high[n] - board.low[n], why)


def refuse_develop(state: Wabash, n: int) -> Refusal | None:
    board = state.board
    bit, label = board.grid.bit[n], board.label(n)
    if not board.developable & bit:
        kind = "" if n == board.chicago else f"is a {board.terrain[n]}, which "
        return Refusal("W6.7", f"{label} {kind}cannot be developed")
    if board.detroit_bit & bit and state.options["detroit"] == "automatic":
        return Refusal("W6.8", f"{label} grows by itself after each general dividend")
    if not state.crowd[0] & bit:
        return Refusal("W6.1", f"no railroad has track in {label}")
    if board.industrial_bits & bit:
        at_end = state.developed & bit
        return Refusal("W6.6", f"{label} is at the end of its track") if at_end else None
    if state.developed & bit:
        return Refusal("W6.2", f"{label} is developed already")
    if state.supply == 0:
        return Refusal("W6.2", "no development cube is left")
    return None


def advance(state: Wabash, industry: int, why: str) -> None:
    """An industrial city moves one step along its track [W6.6]."""
    board = state.board
    track, step = board.tracks[industry], state.industry[industry] + 1
    industries = state.industry[:]
    industries[industry] = step
    state.industry = industries
    if step == len(track) - 1:
        state.developed |= board.grid.bit[board.industrial[industry]]
    state.raise_income(board.industrial[industry], track[step] - track[step - 1], why)


# W7 Capitalization


def refuse_capitalize(state: Wabash, rr: int) -> Refusal | None:
    name = state.board.railroads[rr]
    if not state.opened(rr):
        return Refusal("W7.5", f"the {name} has not opened yet")
    if state.unsold[rr] == 0:
        return Refusal("W7.1", f"every share of {name} is sold")
    return None


# W8 Chicago dividend, W9 The Wabash opens


def after_decision(state: Wabash, into_chicago: int) -> None:
    """What a decision may bring about, in this order [W3.5]. `into_chicago` is a railroad or -1."""
    if into_chicago < 0:
        check_general_dividend(state)
        return
    pay_chicago_dividend(state, into_chicago)
    if state.opened(state.board.latecomer):
        check_general_dividend(state)
    else:
        open_wabash(state)


def pay_chicago_dividend(state: Wabash, rr: int) -> None:
    """Rounded down, on the income with all cubes just built [W8.1, W8.2]."""
    state.pay("Chicago dividend", rr, state.income[rr] // state.sold(rr))


def open_wabash(state: Wabash) -> None:
    """The first railroad in Chicago lets the Wabash start in Fort Wayne [W9]."""
    board = state.board
    rr = board.latecomer
    home = board.start[rr]
    income = state.income[:]
    income[rr] = state.hex_income(home)
    state.income = income
    state.occupy(rr, home)
    if state.listening:
        state.tell(Opened(board.railroads[rr], board.label(home), income[rr]))
    offer(state, rr, OPENING, state.turn)


# W10 General dividend, W11 The end


def check_general_dividend(state: Wabash) -> None:
    """Two markers at their end: the railroads pay, then the game ends or a new round begins [W10.1]."""
    if exhausted(state) >= EXHAUSTED_TO_DIVIDEND:
        pay_general_dividend(state)
        reason = reason_to_end(state)
        if reason:
            end(state, reason)
            return
        begin_round(state)
    state.turn = state.turn + 1 if state.turn + 1 < state.players else 0
    state.phase = Turn(state.turn)


def exhausted(state: Wabash) -> int:
    """How many decision markers stand at their end."""
    limits, markers = state.board.limits, state.markers
    return (markers[0] == limits[0]) + (markers[1] == limits[1]) + (markers[2] == limits[2])


def pay_general_dividend(state: Wabash) -> None:
    """Rounded up; a railroad without shareholders pays nothing [W10.2]."""
    for rr in range(state.board.count):
        sold = state.sold(rr)
        if sold:
            state.pay("General dividend", rr, -(-state.income[rr] // sold))


def begin_round(state: Wabash) -> None:
    """The markers go back and Detroit grows [W10.3, W10.4]."""
    state.markers = [0, 0, 0]
    if state.listening:
        state.tell(MarkersReturned())
    board = state.board
    name = board.names[board.industrial[board.detroit]]
    if state.listening:
        state.tell(Grown(name, board.tracks[board.detroit][state.industry[board.detroit] + 1]))
    advance(state, board.detroit, f"{name} grows")


def reason_to_end(state: Wabash) -> str:
    """Tested only when a general dividend has been paid [W11.1]; the Wabash counts only if open [W11.2]."""
    board = state.board
    if state.cubes.count(0) >= board.end_built:
        return f"{board.end_built} or more railroads have built all their track"
    if state.unsold.count(0) >= board.end_sold:
        return f"{board.end_sold} or more railroads have sold all their shares"
    if state.supply <= board.end_cubes:
        return f"{board.end_cubes} or fewer development cubes are left"
    if state.industry[board.detroit] == len(board.tracks[board.detroit]) - 1:
        return f"{board.names[board.industrial[board.detroit]]} was fully developed"
    return ""


def end(state: Wabash, reason: str) -> None:
    state.phase = Over("W11.1")
    if state.listening:
        state.tell(Ended("W11.1", reason))
