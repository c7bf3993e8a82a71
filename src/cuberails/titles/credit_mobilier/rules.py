"""Credit Mobilier: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.event import Chosen, Ended, Received
from cuberails.core.state import CHANCE, Over, Phase, Refusal, State
from cuberails.core.title import Title
from cuberails.titles.credit_mobilier.board import (
    BUILD,
    BUY,
    COAST,
    DONE,
    DRAW,
    NORTH,
    PAY,
    ROLL,
    SOUTH,
    WAYS,
    WEST,
    CreditMobilierBoard,
)
from cuberails.titles.credit_mobilier.events import Drawn, Moved, PaidOut, Rolled, TurnLost


class CreditMobilier(State):
    """A position of Credit Mobilier. Companies, squares, slots and seats are numbers; sets are bit masks.

    `turn` is the seat on turn and `turns` counts the turns begun. `shares` holds seat times companies plus company.
    `lid` holds the pawns not drawn, `goods` those in a square (railway times squares plus square), `coast` those
    that have arrived; `stands` the squares where a railway has goods. `track` is the railway that built a slot or
    -1; `built` the slots with track, `sites` those where track may be laid, `ways` the squares with track to the
    west, north and south. `builds` and `moves` remember the actions of each railway, None where not known.

    Copies share the lists: a step replaces a list and never changes it. (Only `builds` and `moves` are filled in
    place: what one copy finds out is true for all that share it.)
    """

    board: CreditMobilierBoard
    turn: int
    turns: int
    cash: list[int]
    treasury: list[int]
    shares: list[int]
    unsold: list[int]
    lid: list[int]
    goods: list[int]
    coast: list[int]
    stands: list[int]
    track: list[int]
    built: int
    sites: int
    ways: list[int]
    builds: list[list[Action] | None]
    moves: list[list[Action] | None]

    @property
    def title(self) -> Title:
        return self.board

    def copy(self) -> CreditMobilier:
        old: CreditMobilier = self
        new = CreditMobilier()
        new.board = old.board
        new.players = old.players
        new.options = old.options
        new.heard = None
        new.phase = old.phase
        new._legal = old._legal
        new.turn = old.turn
        new.turns = old.turns
        new.cash = old.cash
        new.treasury = old.treasury
        new.shares = old.shares
        new.unsold = old.unsold
        new.lid = old.lid
        new.goods = old.goods
        new.coast = old.coast
        new.stands = old.stands
        new.track = old.track
        new.built = old.built
        new.sites = old.sites
        new.ways = old.ways
        new.builds = old.builds
        new.moves = old.moves
        return new

    def scores(self) -> list[int]:
        """Cash decides [C8.3]."""
        return self.cash[:]

    def winners(self) -> list[int]:
        """Of those with the most cash the ones with the most shares [C8.3]."""
        most = max(self.cash)
        richest = [seat for seat, cash in enumerate(self.cash) if cash == most]
        stock = max([self.stock_of(seat) for seat in richest])
        return [seat for seat in richest if self.stock_of(seat) == stock]

    @property
    def too_long(self) -> bool:
        """Nobody waits for a game of thousands of turns [C8.4]."""
        return self.turns > self.board.longest

    # What the rules ask about a position

    def stock_of(self, seat: int) -> int:
        """The shares of a seat in all companies together."""
        count = self.board.companies
        return sum(self.shares[seat * count : (seat + 1) * count])

    def held(self, c: int) -> int:
        """The shares of a company that players hold."""
        return self.board.shares - self.unsold[c]

    def goods_out(self, c: int) -> int:
        """The pawns of a railway that stand in squares."""
        size = self.board.size
        return sum(self.goods[c * size : (c + 1) * size])

    def colors_out(self) -> int:
        """How many colours have goods outside the coast."""
        return len(self.stands) - self.stands.count(0)

    def builds_of(self, c: int) -> list[Action]:
        """Every piece of track that a railway could lay now [C4]."""
        found = self.builds[c]
        if found is None:
            found = self._find_builds(c)
            self.builds[c] = found
        return found

    def _find_builds(self, c: int) -> list[Action]:
        board = self.board
        build, bit = board.build[c], board.slot_bit
        count = len(bit)
        mask = self.sites
        found: list[Action] = []
        while mask:
            slot = count - mask.bit_length()
            found.append(build[slot])
            mask ^= bit[slot]
        return found

    def moves_of(self, c: int) -> list[Action]:
        """Every step that goods of a railway could take now [C5]."""
        found = self.moves[c]
        if found is None:
            found = self._find_moves(c)
            self.moves[c] = found
        return found

    def _find_moves(self, c: int) -> list[Action]:
        board = self.board
        actions, ids, bit, size = board.actions.all, board.move[c], board.bit, board.size
        west, north, south = self.ways
        mask = self.stands[c] & (west | north | south)
        found: list[Action] = []
        while mask:
            n = size - mask.bit_length()
            mask ^= bit[n]
            if west & bit[n]:
                found.append(actions[ids[n * 3 + WEST]])
            if north & bit[n]:
                found.append(actions[ids[n * 3 + NORTH]])
            if south & bit[n]:
                found.append(actions[ids[n * 3 + SOUTH]])
        return found

    def most_shares(self, c: int, dice: int) -> int:
        """How many shares the seat on turn could buy with these dice [C6.1]."""
        money = self.cash[self.turn] // self.board.price
        most = money if money < dice else dice
        unsold = self.unsold[c]
        return unsold if unsold < most else most

    def most_rounds(self, c: int, dice: int, orange: int) -> int:
        """How many rounds of dividends a company could pay with these dice [C7.1, C7.2, C7.4]."""
        held = self.held(c)
        if orange == 0 or held == 0:
            return 0
        rounds = -(-self.treasury[c] // held)
        most = dice if dice > orange else orange
        return rounds if rounds < most else most

    # What the rules do to a position

    def place(self, c: int, n: int) -> None:
        """A pawn stands in this square from now on."""
        board = self.board
        goods, stands = self.goods[:], self.stands[:]
        goods[c * board.size + n] += 1
        stands[c] |= board.bit[n]
        self.goods, self.stands = goods, stands

    def pick_up(self, c: int, n: int) -> None:
        """A pawn leaves this square."""
        board = self.board
        goods = self.goods[:]
        at = c * board.size + n
        goods[at] -= 1
        if goods[at] == 0:
            stands = self.stands[:]
            stands[c] &= ~board.bit[n]
            self.stands = stands
        self.goods = goods

    def lay(self, c: int, slot: int) -> None:
        """Track of a railway lies in this slot from now on; every slot next to it is connected [C4.2]."""
        board = self.board
        track = self.track[:]
        track[slot] = c
        self.track = track
        self.built |= board.slot_bit[slot]
        self.sites = (self.sites | board.near[slot]) & ~self.built
        one, other = board.ends[slot]
        west, north, south = self.ways
        if board.slot_at[one * 3 + WEST] == slot:
            west |= board.bit[one]
        else:
            south |= board.bit[one]
            north |= board.bit[other]
        self.ways = [west, north, south]
        self.builds = [None] * board.railways
        self.moves = [None] * board.railways

    def earn(self, c: int, money: int, why: str) -> None:
        """The bank pays into a treasury."""
        treasury = self.treasury[:]
        treasury[c] += money
        self.treasury = treasury
        if self.heard is not None:
            self.heard.append(Received(self.board.names[c], money, why))


# C1 Setting up


class CreditMobilierTitle(CreditMobilierBoard):
    """Credit Mobilier, ready to be set up."""

    def set_up(self, players: int, options: dict[str, str]) -> CreditMobilier:
        """A new game before the first pawn is drawn [C1]."""
        game = CreditMobilier()
        game.board = self
        game.players = players
        game.options = options
        game.heard = None
        game.turn = players - 1
        game.turns = 0
        game.cash = [self.start_cash] * players
        game.treasury = [0] * self.companies
        game.shares = ([0] * self.railways + [self.start_shares]) * players
        game.unsold = [self.shares] * self.companies
        game.unsold[self.builder] -= self.start_shares * players
        game.lid = [self.pawns] * self.railways
        game.goods = [0] * (self.railways * self.size)
        game.coast = [0] * self.railways
        game.stands = [0] * self.railways
        game.track = [-1] * len(self.slots)
        game.built = 0
        game.sites = self.first_sites
        game.ways = [0, 0, 0]
        game.builds = [None] * self.railways
        game.moves = [None] * self.railways
        game.phase = Drawing(0)
        game.settle()
        return game


class Drawing(Phase[CreditMobilier]):
    """A pawn is drawn from the box lid for this square [C1.2]."""

    rule = "C1.2"

    def __init__(self, square: int) -> None:
        self.actor = CHANCE
        self.square: Final = square

    def prompt(self, game: CreditMobilier) -> str:
        return f"Draw a pawn for {game.board.squares[self.square]}"

    def legal(self, game: CreditMobilier) -> list[Action]:
        return [action for action, left in zip(game.board.draw, game.lid) if left]

    def weights(self, game: CreditMobilier) -> list[int]:
        return [left for left in game.lid if left]

    def take(self, game: CreditMobilier, action: Action) -> None:
        board, c = game.board, action.a
        lid = game.lid[:]
        lid[c] -= 1
        game.lid = lid
        game.place(c, self.square)
        if game.heard is not None:
            game.heard.append(Drawn(board.colors[c], board.squares[self.square]))
        if self.square + 1 < board.size:
            game.phase = Drawing(self.square + 1)
        elif not check_end(game):
            next_turn(game)

    def refuse(self, game: CreditMobilier, action: Action) -> Refusal:
        if action.kind == DRAW:
            return Refusal("C1.2", f"no {game.board.colors[action.a]} pawn is left in the box lid")
        return Refusal("C1.2", "the goods are still being drawn, one for each square")


# C2 The turn


def next_turn(game: CreditMobilier) -> None:
    """The seat to the left is on turn and its dice are rolled [C1.6, C2.1]."""
    game.turn = game.turn + 1 if game.turn + 1 < game.players else 0
    game.turns += 1
    game.phase = _ROLLING


class Rolling(Phase[CreditMobilier]):
    """The dice of the seat on turn are rolled [C2.1]."""

    rule = "C2.1"

    def __init__(self) -> None:
        self.actor = CHANCE

    def prompt(self, game: CreditMobilier) -> str:
        return "Roll the dice"

    def legal(self, game: CreditMobilier) -> list[Action]:
        return game.board.roll

    def weights(self, game: CreditMobilier) -> list[int]:
        return game.board.roll_weights

    def outcome(self, game: CreditMobilier, point: float) -> Action:
        falls = game.board.falls
        return falls[int(point * len(falls))]

    def take(self, game: CreditMobilier, action: Action) -> None:
        board, roll = game.board, action.a
        if game.heard is not None:
            game.heard.append(Rolled(game.turn, [board.colors[c] for c in dice_of(board, roll)]))
        choices = choices_of(game, roll)
        if choices:
            game.phase = Turn(game.turn, roll, choices)
            return
        # Without any choice the turn is lost [C2.5]
        if game.heard is not None:
            game.heard.append(TurnLost(game.turn))
        next_turn(game)

    def refuse(self, game: CreditMobilier, action: Action) -> Refusal:
        return Refusal("C2.1", "a turn begins with a roll of the dice")


_ROLLING: Final = Rolling()


def dice_of(board: CreditMobilierBoard, roll: int) -> list[int]:
    """The colour of each die."""
    return [c for c, dice in enumerate(board.rolled[roll]) for _ in range(dice)]


def dice_for(board: CreditMobilierBoard, roll: int, c: int) -> int:
    """How often a player may act for a company: with its own dice, and purple as wild [C2.3, C3.1-C3.3]."""
    rolled = board.rolled[roll]
    own = rolled[c]
    return own + rolled[board.builder] if own and c != board.builder else own


def choices_of(game: CreditMobilier, roll: int) -> list[Action]:
    """Every first action of every colour and kind; taking one fixes both [C2.2]."""
    board = game.board
    rolled = board.rolled[roll]
    purple, orange = rolled[board.builder], rolled[board.dividend]
    choices: list[Action] = []
    for c in range(board.railways):
        if rolled[c]:
            dice = rolled[c] + purple
            choices += game.builds_of(c)
            choices += game.moves_of(c)
            choices += board.buy_up_to[c][game.most_shares(c, dice)]
            choices += board.pay_up_to[c][game.most_rounds(c, dice, orange)]
    if purple:
        c = board.builder
        choices += board.buy_up_to[c][game.most_shares(c, purple)]
        choices += board.pay_up_to[c][game.most_rounds(c, purple, orange)]
    return choices


class Turn(Phase[CreditMobilier]):
    """The seat on turn uses one colour of its roll for one kind of action [C2.2]. `choices` are all there are."""

    rule = "C2.2"

    def __init__(self, actor: int, roll: int, choices: list[Action]) -> None:
        self.actor = actor
        self.roll: Final = roll
        self.choices: Final = choices

    def prompt(self, game: CreditMobilier) -> str:
        board = game.board
        counts = [(color, dice_for(board, self.roll, c)) for c, color in enumerate(board.colors[: board.companies])]
        some = ", ".join(f"{color} {dice}" for color, dice in counts if dice)
        orange = board.rolled[self.roll][board.dividend]
        dividends = f"; {board.colors[board.dividend]} {orange} allows dividends" if orange else ""
        return f"Use one color for one kind of action, up to: {some}{dividends}"

    def legal(self, game: CreditMobilier) -> list[Action]:
        return self.choices

    def take(self, game: CreditMobilier, action: Action) -> None:
        kind = action.kind
        if kind == BUY:
            buy(game, action.a, action.b)
            next_turn(game)
        elif kind == PAY:
            pay(game, action.a, action.b)
            next_turn(game)
        else:
            act(game, action, self.roll, dice_for(game.board, self.roll, action.a))

    def refuse(self, game: CreditMobilier, action: Action) -> Refusal:
        board, kind, c = game.board, action.kind, action.a
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
            return refuse_shares(game, c, action.b, dice)
        if kind == PAY:
            return refuse_dividends(game, c, action.b, dice, rolled[board.dividend])
        return refuse_site(game, action.b) if kind == BUILD else refuse_step(game, c, action.b, action.c)


class More(Phase[CreditMobilier]):
    """The seat on turn goes on with the same kind of action for the same railway, or stops [C2.3, C2.6]."""

    rule = "C2.3"

    def __init__(self, actor: int, roll: int, kind: int, railway: int, left: int) -> None:
        self.actor = actor
        self.roll: Final = roll
        self.kind: Final = kind
        self.railway: Final = railway
        self.left: Final = left

    def prompt(self, game: CreditMobilier) -> str:
        color = game.board.colors[self.railway]
        what = f"Build {color} track" if self.kind == BUILD else f"Move {color} goods"
        times = "once more" if self.left == 1 else f"up to {self.left} times more"
        return f"{what} {times}, or done"

    def legal(self, game: CreditMobilier) -> list[Action]:
        legal = further(game, self.kind, self.railway)[:]
        legal.append(game.board.done)
        return legal

    def take(self, game: CreditMobilier, action: Action) -> None:
        if action.kind != DONE:
            act(game, action, self.roll, self.left)
            return
        if game.heard is not None:
            what = "building" if self.kind == BUILD else "moving goods"
            game.heard.append(Chosen(self.actor, f"stops {what}"))
        next_turn(game)

    def refuse(self, game: CreditMobilier, action: Action) -> Refusal:
        color = game.board.colors[self.railway]
        if action.kind != self.kind or action.a != self.railway:
            what = f"building {color} track" if self.kind == BUILD else f"moving {color} goods"
            return Refusal("C2.3", f"this turn is for {what}: go on with that or say done")
        return refuse_site(game, action.b) if self.kind == BUILD else refuse_step(game, action.a, action.b, action.c)


def further(game: CreditMobilier, kind: int, c: int) -> list[Action]:
    return game.builds_of(c) if kind == BUILD else game.moves_of(c)


def act(game: CreditMobilier, action: Action, roll: int, left: int) -> None:
    """Lay a piece of track or move a pawn, and ask for more if `left` actions allow it [C2.6]."""
    kind, c = action.kind, action.a
    if kind == BUILD:
        build(game, c, action.b)
    elif move(game, c, action.b, action.c) and check_end(game):
        return
    if left > 1 and further(game, kind, c):
        game.phase = More(game.turn, roll, kind, c, left - 1)
    else:
        next_turn(game)


# C4 Building track


def build(game: CreditMobilier, c: int, slot: int) -> None:
    """The Credit Mobilier earns on every piece of track [C4.5]."""
    board = game.board
    game.lay(c, slot)
    if game.heard is not None:
        game.heard.append(Chosen(game.turn, f"builds {board.colors[c]} track in {board.slots[slot]}"))
    game.earn(board.builder, board.track_pays, "track")


def refuse_site(game: CreditMobilier, slot: int) -> Refusal:
    board = game.board
    id, owner = board.slots[slot], game.track[slot]
    if owner >= 0:
        return Refusal("C4.1", f"{board.colors[owner]} track lies in {id} already")
    if board.ends[slot][1] == COAST and game.built & board.coastal:
        return Refusal("C4.4", f"the eastern end of {id} is not connected, and the coast connects nothing")
    return Refusal("C4.2", f"{id} is not connected to the eastern side")


# C5 Moving goods


def move(game: CreditMobilier, c: int, n: int, way: int) -> bool:
    """One space along a track; a step west earns money [C5.5]. Tells whether the pawn has reached the coast."""
    board = game.board
    line, there = game.track[board.slot_at[n * 3 + way]], board.beyond[n * 3 + way]
    game.pick_up(c, n)
    if there == COAST:
        coast = game.coast[:]
        coast[c] += 1
        game.coast = coast
    else:
        game.place(c, there)
    moves = game.moves[:]
    moves[c] = None
    game.moves = moves
    if game.heard is not None:
        step = Moved(game.turn, board.colors[c], board.squares[n], WAYS[way], board.space(there), board.colors[line])
        game.heard.append(step)
    if way == WEST:
        earn_step(game, c, line)
    return there == COAST


def earn_step(game: CreditMobilier, c: int, line: int) -> None:
    """The company of the pawn and the company of the track earn alike [C5.5]."""
    board = game.board
    if c == line:
        game.earn(c, board.goods_pay + board.line_pays, "its goods on its own track")
    else:
        game.earn(c, board.goods_pay, "its goods")
        game.earn(line, board.line_pays, "its track")


def refuse_step(game: CreditMobilier, c: int, n: int, way: int) -> Refusal:
    board = game.board
    if not game.stands[c] & board.bit[n]:
        return Refusal("C5.1", f"no {board.colors[c]} pawn stands in {board.squares[n]}")
    id = board.slots[board.slot_at[n * 3 + way]]
    return Refusal("C5.1", f"there is no track from {board.squares[n]} to the {WAYS[way]}: {id} is not built")


# C6 Buying shares


def buy(game: CreditMobilier, c: int, count: int) -> None:
    """The bank gets the money [C6.1]."""
    board, seat = game.board, game.turn
    price = count * board.price
    cash, shares, unsold = game.cash[:], game.shares[:], game.unsold[:]
    cash[seat] -= price
    shares[seat * board.companies + c] += count
    unsold[c] -= count
    game.cash, game.shares, game.unsold = cash, shares, unsold
    if game.heard is not None:
        game.heard.append(Chosen(seat, f"buys {board.stock(c, count)} for ${price}"))


def refuse_shares(game: CreditMobilier, c: int, count: int, dice: int) -> Refusal:
    board = game.board
    cash = game.cash[game.turn]
    if count > dice:
        return Refusal("C2.3", f"the dice allow at most {board.stock(c, dice)}")
    if count > game.unsold[c]:
        left = f"only {board.stock(c, game.unsold[c])}" if game.unsold[c] else f"no {board.stock(c, 1)[2:]}"
        return Refusal("C1.4", f"{left} can still be bought")
    return Refusal("C6.1", f"{board.stock(c, count)} would cost ${count * board.price}, and ${cash} is in hand")


# C7 Paying dividends


def pay(game: CreditMobilier, c: int, rounds: int) -> None:
    """Whole rounds as far as the treasury goes, the last perhaps in part [C7.3, C7.4]."""
    board = game.board
    held, money = game.held(c), game.treasury[c]
    full = money // held
    if full > rounds:
        full = rounds
    stock = game.shares[c :: board.companies]
    paid = [full * shares for shares in stock]
    left = money - full * held
    if full < rounds:
        pay_rest(paid, stock, game.turn, left)
        left = 0
    treasury = game.treasury[:]
    treasury[c] = left
    game.treasury = treasury
    game.cash = [cash + more for cash, more in zip(game.cash, paid)]
    if game.heard is not None:
        game.heard.append(PaidOut(board.names[c], rounds, paid, left))


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


def refuse_dividends(game: CreditMobilier, c: int, rounds: int, dice: int, orange: int) -> Refusal:
    board = game.board
    name, money, held = board.names[c], game.treasury[c], game.held(c)
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
    return Refusal("C7.4", f"the ${money} of {name} are gone after round {last}, with {held} shares held")


# C8 The end


def check_end(game: CreditMobilier) -> bool:
    """Whether so few colours have goods outside the coast that the game ends at once [C8.1]."""
    if game.colors_out() > game.board.end_colors:
        return False
    game.phase = Over("C8.1")
    if game.heard is not None:
        reason = f"goods of at most {game.board.end_colors} colors are left outside the Pacific Coast"
        game.heard.append(Ended("C8.1", reason))
    return True
