"""Credit Mobilier: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Chosen, Ended
from cuberails.core.state import CHANCE, Over, Phase, Refusal
from cuberails.titles.credit_mobilier.board import (
    BUILD,
    BUY,
    COAST,
    DONE,
    DRAW,
    PAY,
    ROLL,
    UNLIMITED,
    WAYS,
    WEST,
    CreditMobilierBoard,
)
from cuberails.titles.credit_mobilier.events import Bought, Drawn, Laid, Moved, PaidOut, Rolled, TurnLost
from cuberails.titles.credit_mobilier.state import CreditMobilier

# C1 Setting up


def set_up(board: Board, players: int, options: dict[str, str], rules_version: int) -> CreditMobilier:
    """A new game before the first pawn is drawn [C1]."""
    assert isinstance(board, CreditMobilierBoard)
    state = CreditMobilier()
    state.board = board
    state.set_up(players, options, rules_version)
    state.turn = players - 1
    state.turns = 0
    state.cash = [board.start_cash] * players
    state.treasury = [0] * board.companies
    state.shares = ([0] * board.railways + [board.start_shares]) * players
    state.held = [0] * board.railways + [board.start_shares * players]
    state.certificates = UNLIMITED if options["certificates"] == "unlimited" else board.shares
    state.lid = [board.pawns] * board.railways
    state.goods = [0] * (board.railways * board.size)
    state.coast = [0] * board.railways
    state.stands = [0] * board.railways
    state.track = [-1] * len(board.slots)
    state.built = 0
    state.sites = board.first_sites
    state.ways = [0, 0, 0]
    state.builds = [None] * board.railways
    state.moves = [None] * board.railways
    state.phase = Drawing(0)
    state.settle()
    return state


class Drawing(Phase[CreditMobilier]):
    """A pawn is drawn from the box lid for this square [C1.2]."""

    rule = "C1.2"

    def __init__(self, square: int) -> None:
        self.actor = CHANCE
        self.square: Final = square

    def prompt(self, state: CreditMobilier) -> str:
        return f"Draw a pawn for {state.board.squares[self.square]}"

    def legal(self, state: CreditMobilier) -> list[Action]:
        return [action for action, left in zip(state.board.draw, state.lid) if left]

    def weights(self, state: CreditMobilier) -> list[int]:
        return [left for left in state.lid if left]

    def take(self, state: CreditMobilier, action: Action) -> None:
        board, c = state.board, action.a
        lid = state.lid[:]
        lid[c] -= 1
        state.lid = lid
        state.place(c, self.square)
        if state.listening:
            state.tell(Drawn(board.colors[c], board.squares[self.square]))
        if self.square + 1 < board.size:
            state.phase = Drawing(self.square + 1)
        elif not check_end(state):
            next_turn(state)

    def refuse(self, state: CreditMobilier, action: Action) -> Refusal | None:
        if action.kind != DRAW:
            return Refusal("C1.2", "the goods are still being drawn, one for each square")
        if state.lid[action.a] == 0:
            return Refusal("C1.2", f"no {state.board.colors[action.a]} pawn is left in the box lid")
        return None


# C2 The turn


def next_turn(state: CreditMobilier) -> None:
    """The seat to the left is on turn and its dice are rolled [C1.6, C2.1]."""
    state.turn = state.turn + 1 if state.turn + 1 < state.players else 0
    state.turns += 1
    state.phase = _ROLLING


class Rolling(Phase[CreditMobilier]):
    """The dice of the seat on turn are rolled [C2.1]."""

    rule = "C2.1"

    def __init__(self) -> None:
        self.actor = CHANCE

    def prompt(self, state: CreditMobilier) -> str:
        return "Roll the dice"

    def legal(self, state: CreditMobilier) -> list[Action]:
        return state.board.roll

    def weights(self, state: CreditMobilier) -> list[int]:
        return state.board.roll_weights

    def outcome(self, state: CreditMobilier, point: float) -> Action:
        falls = state.board.falls
        return falls[int(point * len(falls))]

    def take(self, state: CreditMobilier, action: Action) -> None:
        board, roll = state.board, action.a
        if state.listening:
            state.tell(Rolled(state.turn, [board.colors[c] for c in dice_of(board, roll)]))
        choices = choices_of(state, roll)
        if choices:
            state.phase = Turn(state.turn, roll, choices)
            return
        # Without any choice the turn is lost [C2.5]
        if state.listening:
            state.tell(TurnLost(state.turn))
        next_turn(state)

    def refuse(self, state: CreditMobilier, action: Action) -> Refusal | None:
        return None if action.kind == ROLL else Refusal("C2.1", "a turn begins with a roll of the dice")


_ROLLING: Final = Rolling()


def dice_of(board: CreditMobilierBoard, roll: int) -> list[int]:
    """The colour of each die."""
    return [c for c, dice in enumerate(board.rolled[roll]) for _ in range(dice)]


def dice_for(board: CreditMobilierBoard, roll: int, c: int) -> int:
    """How often a player may act for a company: with its own dice, and purple as wild [C2.3, C3.1-C3.3]."""
    rolled = board.rolled[roll]
    own = rolled[c]
    return own + rolled[board.builder] if own and c != board.builder else own


def choices_of(state: CreditMobilier, roll: int) -> list[Action]:
    """Every first action of every colour and kind; taking one fixes both [C2.2]."""
    board = state.board
    rolled = board.rolled[roll]
    purple, orange = rolled[board.builder], rolled[board.dividend]
    choices: list[Action] = []
    for c in range(board.railways):
        if rolled[c]:
            dice = rolled[c] + purple
            choices += state.builds_of(c)
            choices += state.moves_of(c)
            choices += board.buy_up_to[c][state.most_shares(c, dice)]
            choices += board.pay_up_to[c][state.most_rounds(c, dice, orange)]
    if purple:
        c = board.builder
        choices += board.buy_up_to[c][state.most_shares(c, purple)]
        choices += board.pay_up_to[c][state.most_rounds(c, purple, orange)]
    return choices


class Turn(Phase[CreditMobilier]):
    """The seat on turn uses one colour of its roll for one kind of action [C2.2]. `choices` are all there are."""

    rule = "C2.2"

    def __init__(self, actor: int, roll: int, choices: list[Action]) -> None:
        self.actor = actor
        self.roll: Final = roll
        self.choices: Final = choices

    def prompt(self, state: CreditMobilier) -> str:
        """The colors for which anything can be done, with the dice for each."""
        board = state.board
        able = sorted({action.a for action in self.choices})
        some = ", ".join(f"{board.colors[c]} {dice_for(board, self.roll, c)}" for c in able)
        orange = board.rolled[self.roll][board.dividend]
        pays = any(action.kind == PAY for action in self.choices)
        dividends = f"; {board.colors[board.dividend]} {orange} allows dividends" if pays else ""
        return f"Use one color for one kind of action, up to: {some}{dividends}"

    def legal(self, state: CreditMobilier) -> list[Action]:
        return self.choices

    def take(self, state: CreditMobilier, action: Action) -> None:
        kind = action.kind
        if kind == BUY:
            buy(state, state.turn, action.a, action.b)
            next_turn(state)
        elif kind == PAY:
            pay(state, action.a, action.b)
            next_turn(state)
        else:
            act(state, action, self.roll, dice_for(state.board, self.roll, action.a))

    def refuse(self, state: CreditMobilier, action: Action) -> Refusal | None:
        board, kind, c = state.board, action.kind, action.a
        if kind == DONE:
            return Refusal("C2.4", "nobody may pass: act at least once")
        if kind == DRAW:
            return Refusal("C1.2", "every square has got its pawn already")
        if kind == ROLL:
            return Refusal("C2.1", "the dice are rolled only once a turn")
        rolled = board.rolled[self.roll]
        if not rolled[c]:
            wild = f", and {board.colors[board.builder]} cannot replace it" if rolled[board.builder] else ""
            return Refusal("C3.2" if wild else "C2.2", f"no die shows {board.colors[c]}{wild}")
        dice = dice_for(board, self.roll, c)
        if kind == BUY:
            return refuse_shares(state, c, action.b, dice)
        if kind == PAY:
            return refuse_dividends(state, c, action.b, dice, rolled[board.dividend])
        return refuse_site(state, action.b) if kind == BUILD else refuse_step(state, c, action.b, action.c)


class More(Phase[CreditMobilier]):
    """The seat on turn continues with the same kind of action for the same railway, or stops [C2.3, C2.6]."""

    rule = "C2.3"

    def __init__(self, actor: int, roll: int, kind: int, railway: int, left: int) -> None:
        self.actor = actor
        self.roll: Final = roll
        self.kind: Final = kind
        self.railway: Final = railway
        self.left: Final = left

    def prompt(self, state: CreditMobilier) -> str:
        color = state.board.colors[self.railway]
        what = f"Build {color} track" if self.kind == BUILD else f"Move {color} goods"
        times = "once more" if self.left == 1 else f"up to {self.left} times more"
        return f"{what} {times}, or done"

    def legal(self, state: CreditMobilier) -> list[Action]:
        legal = further(state, self.kind, self.railway)[:]
        legal.append(state.board.done)
        return legal

    def take(self, state: CreditMobilier, action: Action) -> None:
        if action.kind != DONE:
            act(state, action, self.roll, self.left)
            return
        if state.listening:
            what = "building" if self.kind == BUILD else "moving goods"
            state.tell(Chosen(self.actor, f"stops {what}", state.board.names[self.railway]))
        next_turn(state)

    def refuse(self, state: CreditMobilier, action: Action) -> Refusal | None:
        if action.kind == DONE:
            return None
        if action.kind != self.kind or action.a != self.railway:
            color = state.board.colors[self.railway]
            what = f"building {color} track" if self.kind == BUILD else f"moving {color} goods"
            return Refusal("C2.3", f"this turn is for {what}: go on with that or say done")
        return refuse_site(state, action.b) if self.kind == BUILD else refuse_step(state, action.a, action.b, action.c)


def further(state: CreditMobilier, kind: int, c: int) -> list[Action]:
    return state.builds_of(c) if kind == BUILD else state.moves_of(c)


def act(state: CreditMobilier, action: Action, roll: int, left: int) -> None:
    """Lay a piece of track or move a pawn, and ask for more if `left` actions allow it [C2.6]."""
    kind, c = action.kind, action.a
    if kind == BUILD:
        build(state, c, action.b)
    elif move(state, c, action.b, action.c) and check_end(state):
        return
    if left > 1 and further(state, kind, c):
        state.phase = More(state.turn, roll, kind, c, left - 1)
    else:
        next_turn(state)


# C4 Building track


def build(state: CreditMobilier, c: int, slot: int) -> None:
    """The Credit Mobilier earns on every piece of track [C4.5]."""
    board = state.board
    state.lay(c, slot)
    if state.listening:
        state.tell(Laid(state.turn, board.colors[c], board.slots[slot]))
    state.earn(board.builder, board.track_pays, "track")


def refuse_site(state: CreditMobilier, slot: int) -> Refusal | None:
    board = state.board
    id, owner = board.slots[slot], state.track[slot]
    if owner >= 0:
        return Refusal("C4.1", f"{board.colors[owner]} track lies in {id} already")
    if any(n != COAST and state.connected(n) for n in board.ends[slot]):
        return None
    if board.ends[slot][1] == COAST and state.built & board.coastal:
        return Refusal("C4.4", f"the eastern end of {id} is not connected, and the coast connects nothing")
    return Refusal("C4.2", f"{id} is not connected to the eastern side")


# C5 Moving goods


def move(state: CreditMobilier, c: int, n: int, way: int) -> bool:
    """One space along a track; a step west earns money [C5.5]. Tells whether the pawn has reached the coast."""
    board = state.board
    line, there = state.track[board.slot_at[n * 3 + way]], board.beyond[n * 3 + way]
    state.pick_up(c, n)
    if there == COAST:
        coast = state.coast[:]
        coast[c] += 1
        state.coast = coast
    else:
        state.place(c, there)
    moves = state.moves[:]
    moves[c] = None
    state.moves = moves
    if state.listening:
        step = Moved(state.turn, board.colors[c], board.squares[n], WAYS[way], board.space(there), board.colors[line])
        state.tell(step)
    if way == WEST:
        earn_step(state, c, line)
    return there == COAST


def earn_step(state: CreditMobilier, c: int, line: int) -> None:
    """The company of the pawn and the company of the track earn alike [C5.5]."""
    board = state.board
    if c == line:
        state.earn(c, board.goods_pay + board.line_pays, "its goods on its own track")
    else:
        state.earn(c, board.goods_pay, "its goods")
        state.earn(line, board.line_pays, "its track")


def refuse_step(state: CreditMobilier, c: int, n: int, way: int) -> Refusal | None:
    board = state.board
    if not state.stands[c] & board.bit[n]:
        return Refusal("C5.1", f"no {board.colors[c]} pawn stands in {board.squares[n]}")
    slot = board.slot_at[n * 3 + way]
    if state.track[slot] < 0:
        gap = f"{board.slots[slot]} is not built"
        return Refusal("C5.1", f"there is no track from {board.squares[n]} to the {WAYS[way]}: {gap}")
    return None


# C6 Buying shares


def buy(state: CreditMobilier, seat: int, c: int, count: int) -> None:
    """The bank gets the money [C6.1]."""
    board = state.board
    price = count * board.price
    cash, shares, held = state.cash[:], state.shares[:], state.held[:]
    cash[seat] -= price
    shares[seat * board.companies + c] += count
    held[c] += count
    state.cash, state.shares, state.held = cash, shares, held
    if state.listening:
        state.tell(Bought(seat, board.names[c], board.stock(c, count), price))


def refuse_shares(state: CreditMobilier, c: int, count: int, dice: int) -> Refusal | None:
    board = state.board
    if count > dice:
        return Refusal("C2.3", f"the dice allow at most {board.stock(c, dice)}")
    left = state.for_sale(c)
    if count > left:
        some = f"only {board.stock(c, left)}" if left else f"no {board.stock(c, 1)[2:]}"
        return Refusal("C1.4", f"{some} can still be bought")
    price, cash = count * board.price, state.cash[state.turn]
    if price > cash:
        return Refusal("C6.1", f"{board.stock(c, count)} would cost ${price}, and ${cash} is in hand")
    return None


# C7 Paying dividends


def pay(state: CreditMobilier, c: int, rounds: int) -> None:
    """Whole rounds as far as the treasury goes, the last perhaps in part [C7.3, C7.4]."""
    board = state.board
    held, money = state.held[c], state.treasury[c]
    full = money // held
    if full > rounds:
        full = rounds
    stock = state.shares[c :: board.companies]
    paid = [full * shares for shares in stock]
    left = money - full * held
    if full < rounds:
        pay_rest(paid, stock, state.turn, left)
        left = 0
    treasury = state.treasury[:]
    treasury[c] = left
    state.treasury = treasury
    state.cash = [cash + more for cash, more in zip(state.cash, paid)]
    if state.listening:
        state.tell(PaidOut(board.names[c], rounds, paid, left))


def pay_rest(paid: list[int], stock: list[int], first: int, money: int) -> None:
    """A round that the treasury cannot finish: $1 at a time, from the seat on turn on, by first, second … share."""
    share, seat = 1, first
    while money:
        if stock[seat] >= share:
            paid[seat] += 1
            money -= 1
        seat = seat + 1 if seat + 1 < len(stock) else 0
        if seat == first:
            share += 1


def refuse_dividends(state: CreditMobilier, c: int, rounds: int, dice: int, orange: int) -> Refusal | None:
    board = state.board
    name, money, held = board.names[c], state.treasury[c], state.held[c]
    if not orange:
        return Refusal("C7.1", f"no die shows {board.colors[board.dividend]}, so no company pays dividends")
    if not money:
        return Refusal("C7.1", f"the treasury of {name} is empty")
    if not held:
        return Refusal("C7.1", f"nobody holds a share of {name}")
    most = max(dice, orange)
    if rounds > most:
        return Refusal("C7.2", f"the dice allow {name} at most {most} round" + ("" if most == 1 else "s"))
    last = -(-money // held)
    if rounds > last:
        return Refusal("C7.4", f"the ${money} of {name} are gone after round {last}, with {held} shares held")
    return None


# C8 The end


def check_end(state: CreditMobilier) -> bool:
    """Whether so few colours have goods outside the coast that the game ends at once [C8.1]."""
    if state.colors_out() > state.board.end_colors:
        return False
    state.phase = Over("C8.1")
    if state.listening:
        reason = f"goods of at most {state.board.end_colors} colors are left outside the Pacific Coast"
        state.tell(Ended("C8.1", reason))
    return True
