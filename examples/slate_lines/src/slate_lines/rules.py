"""Slate Lines: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.board import Board
from cuberails.core.event import Bid, Built, Chosen, Ended, Passed
from cuberails.core.state import CHANCE, Over, Phase, Refusal
from slate_lines.board import BID, BUILD, DONE, EXTEND, OFFER, PASS, SEAM, SlateBoard
from slate_lines.events import SeamFound, SeasonEnded, Sold, Unsold
from slate_lines.state import Slate

# T1 Setting up


def set_up(board: Board, players: int, options: dict[str, str], rules_version: int) -> Slate:
    """A new game, with the first auction open [T1]."""
    assert isinstance(board, SlateBoard)
    state = Slate()
    state.board = board
    state.set_up(players, options, rules_version)
    state.turn, state.turns, state.season = 0, 0, 1
    state.cash = [board.money // players] * players
    state.treasury = [0] * board.count
    state.income = board.start_income[:]
    state.cubes = [board.cubes] * board.count
    state.unsold = [board.shares] * board.count
    state.shares = [0] * (players * board.count)
    state.track = [0] * board.count
    state.slate = [0] * board.grid.size
    for tramway, start in enumerate(board.start):
        state.occupy(tramway, start)
    open_auction(state, 0, 0, True)
    state.settle()
    return state


# T2 Auctions


def open_auction(state: Slate, tramway: int, seat: int, first: bool) -> None:
    """Put a share up for auction; `first` before the first turn [T1.3], otherwise in a turn [T3.2]."""
    everybody = (1 << state.players) - 1
    state.phase = ShareAuction(seat, seat, everybody, state.board.least_bid, -1, tramway, first)


class ShareAuction(Auction[Slate]):
    """One share of a tramway is for sale [T2]."""

    rule = "T2.1"

    def __init__(
        self, actor: int, opener: int, inside: int, least: int, leader: int, tramway: int, first: bool
    ) -> None:
        super().__init__(actor, opener, inside, least, leader)
        self.tramway = tramway
        self.first = first

    def prompt(self, state: Slate) -> str:
        return f"Bid ${self.least} or more for {state.board.tramways[self.tramway]}, or pass"

    def legal(self, state: Slate) -> list[Action]:
        return self.choices(state.board.bid, state.board.give_up, state.cash[self.actor])

    def refuse(self, state: Slate, action: Action) -> Refusal | None:
        board, cash = state.board, state.cash[self.actor]
        return self.refuse_bid(action, board.bid, board.give_up, cash, "T2.1", "T2.2", "T2.2")

    def take(self, state: Slate, action: Action) -> None:
        lot = state.board.tramways[self.tramway]
        if action.kind == BID:
            if state.listening:
                state.tell(Bid(self.actor, action.a, lot))
            self.raised(state, action.a)
        else:
            if state.listening:
                state.tell(Passed(self.actor, lot))
            self.passed(state)

    def ask(self, state: Slate, actor: int, inside: int, least: int, leader: int) -> None:
        state.phase = ShareAuction(actor, self.opener, inside, least, leader, self.tramway, self.first)

    def sold(self, state: Slate, seat: int, price: int) -> None:
        """The bid goes into the treasury [T2.3]."""
        tramway = self.tramway
        cash, treasury, unsold, shares = state.cash[:], state.treasury[:], state.unsold[:], state.shares[:]
        cash[seat] -= price
        treasury[tramway] += price
        unsold[tramway] -= 1
        shares[seat * state.board.count + tramway] += 1
        state.cash, state.treasury, state.unsold, state.shares = cash, treasury, unsold, shares
        if state.listening:
            state.tell(Sold(seat, state.board.tramways[tramway], price))
        self.after_auction(state, seat)

    def unsold(self, state: Slate) -> None:
        """Nobody bid [T2.4]."""
        if state.listening:
            state.tell(Unsold(state.board.tramways[self.tramway]))
        self.after_auction(state, self.opener)

    def after_auction(self, state: Slate, opener: int) -> None:
        """The next of the first auctions [T1.3], or the next turn."""
        if not self.first:
            end_turn(state)
        elif self.tramway + 1 < state.board.count:
            open_auction(state, self.tramway + 1, opener, True)
        else:
            begin_season(state)


# T3 The turn


class Turn(Phase[Slate]):
    """The seat on turn offers a share, extends a tramway, or passes [T3.1]."""

    rule = "T3.1"

    def __init__(self, actor: int) -> None:
        self.actor = actor

    def prompt(self, state: Slate) -> str:
        return "Offer a share, extend a tramway, or pass"

    def legal(self, state: Slate) -> list[Action]:
        board, tramways = state.board, range(state.board.count)
        can_bid = state.cash[self.actor] >= board.least_bid
        offers = [board.offer[tramway] for tramway in tramways if can_bid and state.unsold[tramway]]
        extends = [
            board.extend[tramway]
            for tramway in tramways
            if state.holds(self.actor, tramway) and state.buildable(tramway)
        ]
        return [*offers, *extends, board.give_up]

    def refuse(self, state: Slate, action: Action) -> Refusal | None:
        if action.kind == PASS:
            return None
        if action.kind == OFFER:
            return self.refuse_offer(state, action.a)
        if action.kind == EXTEND:
            return self.refuse_extend(state, action.a)
        return Refusal("T3.1", "a turn is to offer a share, to extend a tramway, or to pass")

    def refuse_offer(self, state: Slate, tramway: int) -> Refusal | None:
        least = state.board.least_bid
        if not state.unsold[tramway]:
            return Refusal("T3.2", f"every share of {state.board.tramways[tramway]} is sold")
        if state.cash[self.actor] < least:
            return Refusal("T3.2", f"who offers a share needs ${least} to bid first, and has ${state.cash[self.actor]}")
        return None

    def refuse_extend(self, state: Slate, tramway: int) -> Refusal | None:
        name = state.board.tramways[tramway]
        if not state.holds(self.actor, tramway):
            return Refusal("T3.3", f"only a shareholder of {name} can extend it")
        if not state.cubes[tramway]:
            return Refusal("T4.1", f"{name} has no cube left")
        if not state.buildable(tramway):
            return Refusal("T3.3", f"{name} has ${state.treasury[tramway]}, too little for any hex that it can reach")
        return None

    def take(self, state: Slate, action: Action) -> None:
        if state.listening:
            tramway = state.board.tramways[action.a] if action.kind in (OFFER, EXTEND) else ""
            state.tell(Chosen(self.actor, _choice(state.board, action), tramway))
        if action.kind == OFFER:
            open_auction(state, action.a, self.actor, False)
        elif action.kind == EXTEND:
            state.phase = Extension(self.actor, action.a, 0)
        else:
            end_turn(state)


def _choice(board: SlateBoard, action: Action) -> str:
    if action.kind == OFFER:
        return f"offers a share of {board.tramways[action.a]}"
    return f"extends {board.tramways[action.a]}" if action.kind == EXTEND else "passes"


# T4 Building


class Extension(Phase[Slate]):
    """A tramway builds hex by hex; it has built in `built` of them [T4.1]."""

    rule = "T4.1"

    def __init__(self, actor: int, tramway: int, built: int) -> None:
        self.actor = actor
        self.tramway = tramway
        self.built = built

    def prompt(self, state: Slate) -> str:
        money, name = state.treasury[self.tramway], state.board.tramways[self.tramway]
        return f"Build for {name}, which has ${money}" + (", or done" if self.built else "")

    def legal(self, state: Slate) -> list[Action]:
        builds = [state.board.build[n] for n in state.buildable(self.tramway)]
        return [*builds, state.board.done] if self.built else builds

    def refuse(self, state: Slate, action: Action) -> Refusal | None:
        if action.kind == BUILD:
            return self.refuse_hex(state, action.a)
        if action.kind != DONE:
            return Refusal("T4.1", f"{state.board.tramways[self.tramway]} is being extended: build, or say done")
        return None if self.built else Refusal("T4.1", "a tramway that is extended builds at least once")

    def refuse_hex(self, state: Slate, n: int) -> Refusal | None:
        board, tramway = state.board, self.tramway
        bit, label, name = board.grid.bit[n], board.label(n), board.tramways[tramway]
        others, cost = state.others_in(tramway, n), state.build_cost(tramway, n)
        if not state.cubes[tramway]:
            return Refusal("T4.1", f"{name} has no cube left")
        if state.track[tramway] & bit:
            return Refusal("T4.2", f"{name} is in {label} already")
        if board.closed & bit:
            return Refusal("T4.2", f"{label} is a harbour, closed to other tramways")
        if not board.grid.near[n] & state.track[tramway]:
            return Refusal("T4.2", f"{label} is not next to a cube of {name}")
        if board.quarries & bit and others:
            return Refusal("T4.5", f"{label} is a quarry, and {board.tramways[others[0]]} is there already")
        if cost > state.treasury[tramway]:
            return Refusal("T4.3", f"{label} costs ${cost}; {name} has ${state.treasury[tramway]}")
        return None

    def take(self, state: Slate, action: Action) -> None:
        if action.kind == DONE:
            if state.listening:
                name = state.board.tramways[self.tramway]
                state.tell(Chosen(self.actor, f"ends the extension of {name}", name))
            end_turn(state)
            return
        build(state, self.tramway, action.a)
        if state.board.quarries & state.board.grid.bit[action.a] and state.options["seams"] == "rolled":
            state.phase = Prospecting(action.a, self.actor, self.tramway, self.built + 1)
        else:
            after_build(state, self.actor, self.tramway, self.built + 1)


def build(state: Slate, tramway: int, n: int) -> None:
    """The treasury pays, a cube is laid, and the income rises [T4.3, T4.4]; that of a rolled quarry later [T4.5]."""
    board, cost, before = state.board, state.build_cost(tramway, n), state.income[tramway]
    treasury = state.treasury[:]
    treasury[tramway] -= cost
    for other in state.others_in(tramway, n):
        treasury[other] += 1
    state.treasury = treasury
    state.occupy(tramway, n)
    state.raise_income(tramway, board.printed[n])
    if board.quarries & board.grid.bit[n] and state.options["seams"] == "even":
        state.find_slate(tramway, n, board.even)
    if state.listening:
        state.tell(Built(board.tramways[tramway], board.label(n), cost, before, state.income[tramway]))


def after_build(state: Slate, seat: int, tramway: int, built: int) -> None:
    """The last build ends the turn [T4.1]."""
    if built == state.board.builds:
        end_turn(state)
    else:
        state.phase = Extension(seat, tramway, built)


class Prospecting(Phase[Slate]):
    """The die decides how much slate there is in a new quarry; then the extension of `seat` continues [T4.5]."""

    rule = "T4.5"

    def __init__(self, quarry: int, seat: int, tramway: int, built: int) -> None:
        self.actor = CHANCE
        self.quarry = quarry
        self.seat = seat
        self.tramway = tramway
        self.built = built

    def prompt(self, state: Slate) -> str:
        return f"Roll for the slate in {state.board.label(self.quarry)}"

    def legal(self, state: Slate) -> list[Action]:
        return state.board.seam

    def weights(self, state: Slate) -> list[int]:
        return state.board.seam_weights

    def refuse(self, state: Slate, action: Action) -> Refusal | None:
        return None if action.kind == SEAM else Refusal("T4.5", "the die decides first how much slate there is")

    def take(self, state: Slate, action: Action) -> None:
        board, before = state.board, state.income[self.tramway]
        state.find_slate(self.tramway, self.quarry, action.a)
        if state.listening:
            name, place = board.tramways[self.tramway], board.label(self.quarry)
            state.tell(SeamFound(name, place, action.a, before, before + action.a))
        after_build(state, self.seat, self.tramway, self.built)


# T5 The season, T6 The end


def begin_season(state: Slate) -> None:
    """The poorest seat has the first turn [T5.1]."""
    state.turns = 0
    state.turn = state.cash.index(min(state.cash))
    state.phase = Turn(state.turn)


def end_turn(state: Slate) -> None:
    """The next seat is on turn; after the last turn of a season the tramways pay [T3.1, T5.2]."""
    state.turn = (state.turn + 1) % state.players
    state.turns += 1
    if state.turns == state.board.turns * state.players:
        end_season(state)
    else:
        state.phase = Turn(state.turn)


def end_season(state: Slate) -> None:
    """Dividends, and then the next season or the end [T5.2, T6.1]."""
    if state.listening:
        state.tell(SeasonEnded(state.season))
    for tramway in range(state.board.count):
        state.pay_dividend(tramway)
    if state.season == state.board.seasons:
        state.phase = Over("T6.1")
        if state.listening:
            state.tell(Ended("T6.1", f"season {state.season} was the last"))
        return
    state.season += 1
    begin_season(state)
