"""Wabash Cannonball: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.event import (
    Bid,
    Built,
    Changed,
    Chosen,
    Dividend,
    Ended,
    Note,
    Passed,
    Received,
    Sold,
    Unsold,
)
from cuberails.core.state import Over, Phase, Refusal, State
from cuberails.core.title import Title
from cuberails.titles.wabash.board import BID, BUILD, CAPITALIZE, DEVELOP, DONE, EXPAND, WORDS, WabashBoard

# What a share is auctioned for
INITIAL: Final = 0
CAPITALIZATION: Final = 1
OPENING: Final = 2


class Wabash(State):
    """A position of Wabash Cannonball. Railroads, hexes and seats are numbers; sets of hexes are bit masks.

    `turn` is the seat on turn. `shares` holds seat times railroads plus railroad; `cubes` those left to build;
    `track` the hexes of a railroad, `reach` all hexes next to them; `crowd[k]` the hexes with more than k railroads;
    `markers` the decisions taken since the last general dividend; `developed` the hexes that cannot be developed
    again; `supply` the development cubes left. `buildable` remembers answers of `can_build`, -1 where not known.

    Copies share the lists: a step replaces a list and never changes it. (Only `buildable` is filled in place:
    what one copy finds out is true for all that share it.)
    """

    board: WabashBoard
    turn: int
    cash: list[int]
    treasury: list[int]
    income: list[int]
    cubes: list[int]
    unsold: list[int]
    shares: list[int]
    track: list[int]
    reach: list[int]
    crowd: list[int]
    buildable: list[int]
    industry: list[int]
    markers: list[int]
    developed: int
    supply: int

    @property
    def title(self) -> Title:
        return self.board

    def copy(self) -> Wabash:
        old: Wabash = self
        new = Wabash()
        new.board = old.board
        new.players = old.players
        new.options = old.options
        new.heard = None
        new.phase = old.phase
        new._legal = old._legal
        new.turn = old.turn
        new.cash = old.cash
        new.treasury = old.treasury
        new.income = old.income
        new.cubes = old.cubes
        new.unsold = old.unsold
        new.shares = old.shares
        new.track = old.track
        new.reach = old.reach
        new.crowd = old.crowd
        new.buildable = old.buildable
        new.industry = old.industry
        new.markers = old.markers
        new.developed = old.developed
        new.supply = old.supply
        return new

    def scores(self) -> list[int]:
        """Cash decides [W11.3]."""
        return self.cash[:]

    # What the rules ask about a position

    def sold(self, rr: int) -> int:
        return self.board.shares[rr] - self.unsold[rr]

    def opened(self, rr: int) -> bool:
        """Every railroad but the Wabash is open from the start [W9.1]."""
        return self.track[rr] != 0

    def railroads_in(self, n: int) -> int:
        """How many railroads have track in a hex."""
        bit = self.board.grid.bit[n]
        count = 0
        for mask in self.crowd:
            if not mask & bit:
                return count
            count += 1
        return count

    def build_cost(self, n: int) -> int:
        """The base cost, times the railroads there and the one to come [W4.5]."""
        return self.board.cost[n] * (self.railroads_in(n) + 1)

    def hex_income(self, n: int) -> int:
        """What a hex earns now for each railroad in it [W5]."""
        board = self.board
        industry = board.industry_of[n]
        if industry >= 0:
            return board.tracks[industry][self.industry[industry]]
        return board.high[n] if self.developed & board.grid.bit[n] else board.low[n]

    def minimum_bid(self, rr: int) -> int:
        """The dividend as if one more share were sold, rounded up [W2.2, W7.2]."""
        return -(-self.income[rr] // (self.sold(rr) + 1))

    def can_build(self, rr: int) -> int:
        """The hexes into which a railroad may build now [W4.3-W4.8]."""
        hexes = self.buildable[rr]
        if hexes < 0:
            hexes = self._find_buildable(rr)
            self.buildable[rr] = hexes
        return hexes

    def _find_buildable(self, rr: int) -> int:
        if self.cubes[rr] == 0:
            return 0
        board = self.board
        money = self.treasury[rr]
        most = len(board.afford) - 1
        near = self.reach[rr] & ~(self.track[rr] | board.closed)
        hexes = 0
        railroads = 1  # in the hex, counting the newcomer
        for crowded in self.crowd:
            share = money // railroads
            hexes |= near & ~crowded & board.afford[share if share < most else most]
            near &= crowded & ~board.single
            if not near:
                break
            railroads += 1
        return hexes

    def can_develop(self) -> int:
        """The hexes that may be developed now [W6]."""
        board = self.board
        hexes = self.crowd[0] & board.developable & ~self.developed
        if self.supply == 0:
            hexes &= board.industrial_bits
        if self.options["detroit"] == "automatic":
            hexes &= ~board.detroit_bit
        return hexes

    # What the rules do to a position

    def occupy(self, rr: int, n: int) -> None:
        """A cube of the railroad stands in the hex."""
        grid = self.board.grid
        bit = grid.bit[n]
        track, reach, crowd = self.track[:], self.reach[:], self.crowd[:]
        track[rr] |= bit
        reach[rr] |= grid.near[n]
        crowd[self.railroads_in(n)] |= bit
        self.track, self.reach, self.crowd = track, reach, crowd
        self.buildable = self.board.not_known[:]

    def raise_income(self, n: int, by: int, why: str) -> None:
        """Every railroad in the hex earns more."""
        bit = self.board.grid.bit[n]
        income = self.income[:]
        for rr, track in enumerate(self.track):
            if track & bit:
                income[rr] += by
                if self.heard is not None:
                    self.heard.append(Changed(self.board.railroads[rr], why, income[rr] - by, income[rr]))
        self.income = income

    def fund(self, rr: int, money: int) -> None:
        """Money into a treasury, or out of it if less than 0."""
        treasury, buildable = self.treasury[:], self.buildable[:]
        treasury[rr] += money
        buildable[rr] = -1
        self.treasury, self.buildable = treasury, buildable

    def pay(self, kind: str, rr: int, per_share: int) -> None:
        """The bank pays the shareholders of a railroad."""
        paid = [per_share * held for held in self.shares[rr :: self.board.count]]
        self.cash = [cash + more for cash, more in zip(self.cash, paid)]
        if self.heard is not None:
            self.heard.append(Dividend(kind, self.board.railroads[rr], per_share, paid))


# W1 Setting up


class WabashTitle(WabashBoard):
    """Wabash Cannonball, ready to be set up."""

    def set_up(self, players: int, options: dict[str, str]) -> Wabash:
        """A new game, with the initial auction of PA open [W1, W2.1]."""
        game = Wabash()
        game.board = self
        game.players = players
        game.options = options
        game.heard = None
        game.turn = 0
        game.cash = [self.money // players] * players
        game.treasury = [0] * self.count
        game.income = self.start_income[:]
        game.cubes = [cubes - 2 for cubes in self.cubes]
        game.unsold = self.shares[:]
        game.shares = [0] * (players * self.count)
        game.track = [0] * self.count
        game.reach = [0] * self.count
        game.crowd = [0] * self.count
        game.buildable = self.not_known[:]
        game.industry = [0] * len(self.tracks)
        game.markers = [0, 0, 0]
        game.developed = 0
        game.supply = self.development_cubes
        for rr in range(self.count):
            if rr != self.latecomer:
                game.occupy(rr, self.start[rr])
        offer(game, self.initial[0], INITIAL, 0)
        game.settle()
        return game


# W2 The initial auctions, and every auction


def offer(game: Wabash, rr: int, occasion: int, opener: int) -> None:
    """Put a share up for auction."""
    everybody = (1 << game.players) - 1
    game.phase = ShareAuction(opener, opener, everybody, game.minimum_bid(rr), -1, rr, occasion)


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

    def prompt(self, game: Wabash) -> str:
        return f"Bid ${self.least} or more for {game.board.railroads[self.railroad]}, or pass"

    def legal(self, game: Wabash) -> list[Action]:
        return self.choices(game.board.bid, game.board.give_up, game.cash[self.actor])

    def take(self, game: Wabash, action: Action) -> None:
        lot = game.board.railroads[self.railroad]
        if action.kind == BID:
            if game.heard is not None:
                game.heard.append(Bid(self.actor, action.a, lot))
            self.raised(game, action.a)
        else:
            if game.heard is not None:
                game.heard.append(Passed(self.actor, lot))
            self.passed(game)

    def ask(self, game: Wabash, actor: int, inside: int, least: int, leader: int) -> None:
        game.phase = ShareAuction(actor, self.opener, inside, least, leader, self.railroad, self.occasion)

    def sold(self, game: Wabash, seat: int, price: int) -> None:
        """The money goes to the railroad's treasury [W2.6]."""
        rr = self.railroad
        cash, unsold, shares = game.cash[:], game.unsold[:], game.shares[:]
        cash[seat] -= price
        unsold[rr] -= 1
        shares[seat * game.board.count + rr] += 1
        game.cash, game.unsold, game.shares = cash, unsold, shares
        game.fund(rr, price)
        if game.heard is not None:
            game.heard.append(Sold(seat, game.board.railroads[rr], price))
        self.go_on(game, seat)

    def unsold(self, game: Wabash) -> None:
        """Nobody bid: the opener takes it for nothing [W2.5, W9.3], but not in a capitalization [W7.4]."""
        if self.occasion == CAPITALIZATION:
            if game.heard is not None:
                game.heard.append(Unsold(game.board.railroads[self.railroad]))
            self.go_on(game, -1)
        else:
            self.sold(game, self.opener, 0)

    def go_on(self, game: Wabash, owner: int) -> None:
        """What follows the auction."""
        if self.occasion == INITIAL:
            self.next_initial(game, owner)
        elif self.occasion == OPENING:
            check_general_dividend(game)
        else:
            after_decision(game, -1)

    def next_initial(self, game: Wabash, owner: int) -> None:
        """The new owner opens the next auction; after the last, who took PA begins [W2.1, W2.7]."""
        board = game.board
        position = board.initial.index(self.railroad) + 1
        if position < len(board.initial):
            offer(game, board.initial[position], INITIAL, owner)
            return
        first = game.shares[board.initial[0] :: board.count].index(1)
        game.turn = first
        game.phase = Turn(first)

    def refuse(self, game: Wabash, action: Action) -> Refusal:
        cash = game.cash[self.actor]
        if action.kind != BID:
            return Refusal("W2.3", "an auction is under way: bid or pass")
        if action.a < self.least and self.leader >= 0:
            return Refusal("W2.3", f"the highest bid is ${self.least - 1}, so the next is at least ${self.least}")
        if action.a < self.least:
            return Refusal("W2.2", f"the minimum bid is ${self.least}")
        return Refusal("W2.4", f"${action.a} is more than the ${cash} in hand")


# W3 The turn


class Turn(Phase[Wabash]):
    """The seat on turn takes one decision that is still available [W3.1]."""

    rule = "W3.1"

    def __init__(self, actor: int) -> None:
        self.actor = actor

    def prompt(self, game: Wabash) -> str:
        board = game.board
        left = [
            f"{WORDS[CAPITALIZE + which]} ({board.limits[which] - game.markers[which]} left)"
            for which in range(3)
            if game.markers[which] < board.limits[which]
        ]
        return "Choose a decision: " + ", ".join(left[:-1]) + " or " + left[-1]

    def legal(self, game: Wabash) -> list[Action]:
        board = game.board
        markers = game.markers
        limits = board.limits
        legal: list[Action] = []
        if markers[0] < limits[0]:
            legal = legal + board.capitalize_any[self.for_sale(game)]
        if markers[1] < limits[1]:
            self.add_develop(game, legal)
        if markers[2] < limits[2]:
            legal += board.expand_any[self.ready_to_build(game)]
        return legal

    def for_sale(self, game: Wabash) -> int:
        """The railroads with an unsold share, the Wabash only once open [W7.1, W7.5]."""
        chosen = 0
        for rr, unsold in enumerate(game.unsold):
            if unsold and game.track[rr]:
                chosen |= 1 << rr
        return chosen

    def ready_to_build(self, game: Wabash) -> int:
        """The railroads of which the seat holds a share and which can build [W4.1, W4.2]."""
        count = game.board.count
        first = self.actor * count
        chosen = 0
        for rr in range(count):
            if game.shares[first + rr] and game.can_build(rr):
                chosen |= 1 << rr
        return chosen

    def add_develop(self, game: Wabash, legal: list[Action]) -> None:
        board = game.board
        develop, size = board.develop, board.grid.size
        mask = game.can_develop()
        while mask:
            top = mask.bit_length()
            legal.append(develop[size - top])
            mask ^= board.grid.bit[size - top]
        legal.append(board.develop_nothing)

    def take(self, game: Wabash, action: Action) -> None:
        """The marker moves in every case [W3.2, W3.3]."""
        kind = action.kind
        markers = game.markers[:]
        markers[kind - CAPITALIZE] += 1
        game.markers = markers
        if game.heard is not None:
            game.heard.append(Chosen(self.actor, _chosen(game.board, action)))
        if action.a < 0:
            after_decision(game, -1)
        elif kind == CAPITALIZE:
            offer(game, action.a, CAPITALIZATION, self.actor)
        elif kind == EXPAND:
            game.phase = Expansion(self.actor, action.a, 0, False)
        else:
            develop(game, action.a)
            after_decision(game, -1)

    def refuse(self, game: Wabash, action: Action) -> Refusal:
        which = action.kind - CAPITALIZE
        if not 0 <= which < 3:
            return Refusal("W3.1", "a turn begins with a decision: capitalize, develop or expand")
        if game.markers[which] >= game.board.limits[which]:
            return Refusal(
                "W3.2", f"{action.word} is not available until the next general dividend: its marker is at the end"
            )
        if action.kind == CAPITALIZE:
            return self.refuse_capitalize(game, action.a)
        return self.refuse_develop(game, action.a) if action.kind == DEVELOP else self.refuse_expand(game, action.a)

    def refuse_capitalize(self, game: Wabash, rr: int) -> Refusal:
        name = game.board.railroads[rr]
        if not game.opened(rr):
            return Refusal("W7.5", f"the {name} has not opened yet")
        return Refusal("W7.1", f"every share of {name} is sold")

    def refuse_develop(self, game: Wabash, n: int) -> Refusal:
        board = game.board
        bit = board.grid.bit[n]
        label = board.label(n)
        if not board.developable & bit:
            kind = "" if n == board.chicago else f"is a {board.terrain[n]}, which "
            return Refusal("W6.7", f"{label} {kind}cannot be developed")
        if board.detroit_bit & bit and game.options["detroit"] == "automatic":
            return Refusal("W6.8", f"{label} grows by itself after each general dividend")
        if not game.crowd[0] & bit:
            return Refusal("W6.1", f"no railroad has track in {label}")
        if game.developed & bit and board.industrial_bits & bit:
            return Refusal("W6.6", f"{label} is at the end of its track")
        if game.developed & bit:
            return Refusal("W6.2", f"{label} is developed already")
        return Refusal("W6.2", "no development cube is left")

    def refuse_expand(self, game: Wabash, rr: int) -> Refusal:
        name = game.board.railroads[rr]
        if not game.opened(rr):
            return Refusal("W9.1", f"the {name} has not opened yet")
        if not game.shares[self.actor * game.board.count + rr]:
            return Refusal("W4.1", f"only a shareholder of {name} may expand it")
        if game.cubes[rr] == 0:
            return Refusal("W4.4", f"{name} has no cube left")
        return Refusal("W4.8", f"{name} has ${game.treasury[rr]} in its treasury, too little for any hex it can reach")


def _chosen(board: WabashBoard, action: Action) -> str:
    if action.a < 0:
        return f"{action.word}s nothing"
    if action.kind == CAPITALIZE:
        return f"puts a share of {board.railroads[action.a]} up for auction"
    if action.kind == DEVELOP:
        return f"develops {board.label(action.a)}"
    return f"expands {board.railroads[action.a]}"


# W4 Expansion, W5 Income


class Expansion(Phase[Wabash]):
    """A railroad builds hex by hex; `built` cubes so far, `chicago` if one of them reached Chicago [W4]."""

    rule = "W4.2"

    def __init__(self, actor: int, railroad: int, built: int, chicago: bool) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.built: Final = built
        self.chicago: Final = chicago

    def prompt(self, game: Wabash) -> str:
        left = min(game.board.builds - self.built, game.cubes[self.railroad])
        name, money = game.board.railroads[self.railroad], game.treasury[self.railroad]
        more = " more" if self.built else ""
        return f"Build track for {name}: up to {left}{more}, treasury ${money}" + (", or done" if self.built else "")

    def legal(self, game: Wabash) -> list[Action]:
        board = game.board
        build, grid = board.build, board.grid
        size, bit = grid.size, grid.bit
        mask = game.can_build(self.railroad)
        legal: list[Action] = []
        while mask:
            n = size - mask.bit_length()
            legal.append(build[n])
            mask ^= bit[n]
        if self.built:
            legal.append(board.done)
        return legal

    def take(self, game: Wabash, action: Action) -> None:
        """The first must be built, and the third ends the expansion [W4.2]."""
        if action.kind == DONE:
            if game.heard is not None:
                game.heard.append(Chosen(self.actor, f"ends the expansion of {game.board.railroads[self.railroad]}"))
            after_decision(game, self.railroad if self.chicago else -1)
            return
        build(game, self.railroad, action.a)
        chicago = self.chicago or action.a == game.board.chicago
        if self.built + 1 == game.board.builds:
            after_decision(game, self.railroad if chicago else -1)
        else:
            game.phase = Expansion(self.actor, self.railroad, self.built + 1, chicago)

    def refuse(self, game: Wabash, action: Action) -> Refusal:
        if action.kind == DONE:
            return Refusal("W4.2", "an expansion builds at least one hex; to build none, expand nothing")
        if action.kind != BUILD:
            choice = "build a hex or say done" if self.built else "build a hex"
            return Refusal("W4.2", f"{game.board.railroads[self.railroad]} is expanding: {choice}")
        return self.refuse_hex(game, action.a)

    def refuse_hex(self, game: Wabash, n: int) -> Refusal:
        board, rr = game.board, self.railroad
        bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
        if game.track[rr] & bit:
            return Refusal("W4.4", f"{name} has track in {label} already")
        if board.closed & bit:
            return Refusal("W4.7", f"{label} is a start city, closed to other railroads")
        if not game.reach[rr] & bit:
            return Refusal("W4.3", f"{label} is not next to track of {name}")
        if board.single & bit and game.crowd[0] & bit:
            owner = next(r for r in range(board.count) if game.track[r] & bit)
            kind = _article(board.terrain[n])
            return Refusal("W4.6", f"{label} is {kind} and {board.railroads[owner]} is there already")
        return Refusal("W4.8", f"{label} costs ${game.build_cost(n)} and {name} has ${game.treasury[rr]}")


def _article(terrain: str) -> str:
    return terrain if terrain == "timber" else f"a {terrain}"


def build(game: Wabash, rr: int, n: int) -> None:
    """The treasury pays, a cube is laid, the income rises by what the hex earns [W4.5, W4.8, W5]."""
    cost, earns = game.build_cost(n), game.hex_income(n)
    treasury, cubes, income = game.treasury[:], game.cubes[:], game.income[:]
    treasury[rr] -= cost
    cubes[rr] -= 1
    income[rr] += earns
    game.treasury, game.cubes, game.income = treasury, cubes, income
    game.occupy(rr, n)
    if game.heard is not None:
        before = income[rr] - earns
        game.heard.append(Built(game.board.railroads[rr], game.board.label(n), cost, before, income[rr]))


# W6 Development


def develop(game: Wabash, n: int) -> None:
    """Timber pays once, an industrial city moves on, mines and cities take a cube and earn more [W6.2-W6.6]."""
    board = game.board
    bit = board.grid.bit[n]
    why = f"{board.label(n)} developed"
    if board.industry_of[n] >= 0:
        advance(game, board.industry_of[n], why)
        return
    game.supply -= 1
    game.developed |= bit
    if board.timber & bit:
        rr = next(rr for rr, track in enumerate(game.track) if track & bit)
        game.fund(rr, board.timber_pays)
        if game.heard is not None:
            game.heard.append(Received(board.railroads[rr], board.timber_pays, why))
    else:
        game.raise_income(n, board.high[n] - board.low[n], why)


def advance(game: Wabash, industry: int, why: str) -> None:
    """An industrial city moves one step along its track [W6.6]."""
    board = game.board
    track, step = board.tracks[industry], game.industry[industry] + 1
    industries = game.industry[:]
    industries[industry] = step
    game.industry = industries
    if step == len(track) - 1:
        game.developed |= board.grid.bit[board.industrial[industry]]
    game.raise_income(board.industrial[industry], track[step] - track[step - 1], why)


# W8 Chicago dividend, W9 The Wabash opens


def after_decision(game: Wabash, into_chicago: int) -> None:
    """What a decision may bring about, in this order [W3.5]. `into_chicago` is a railroad or -1."""
    if into_chicago < 0:
        check_general_dividend(game)
        return
    pay_chicago_dividend(game, into_chicago)
    if game.opened(game.board.latecomer):
        check_general_dividend(game)
    else:
        open_wabash(game)


def pay_chicago_dividend(game: Wabash, rr: int) -> None:
    """Rounded down, on the income with all cubes just built [W8.1, W8.2]."""
    game.pay("Chicago dividend", rr, game.income[rr] // game.sold(rr))


def open_wabash(game: Wabash) -> None:
    """The first railroad in Chicago lets the Wabash start in Fort Wayne [W9]."""
    board = game.board
    rr = board.latecomer
    home = board.start[rr]
    income = game.income[:]
    income[rr] = game.hex_income(home)
    game.income = income
    game.occupy(rr, home)
    if game.heard is not None:
        name = board.railroads[rr]
        game.heard.append(Note(f"{name} opens in {board.label(home)} with an income of {game.income[rr]}"))
    offer(game, rr, OPENING, game.turn)


# W10 General dividend, W11 The end


def check_general_dividend(game: Wabash) -> None:
    """Two markers at their end: the railroads pay, then the game ends or a new round begins [W10.1]."""
    limits, markers = game.board.limits, game.markers
    at_end = (markers[0] == limits[0]) + (markers[1] == limits[1]) + (markers[2] == limits[2])
    if at_end >= 2:
        pay_general_dividend(game)
        reason = reason_to_end(game)
        if reason:
            end(game, reason)
            return
        begin_round(game)
    game.turn = game.turn + 1 if game.turn + 1 < game.players else 0
    game.phase = Turn(game.turn)


def pay_general_dividend(game: Wabash) -> None:
    """Rounded up; a railroad without shareholders pays nothing [W10.2]."""
    for rr in range(game.board.count):
        sold = game.sold(rr)
        if sold:
            game.pay("General dividend", rr, -(-game.income[rr] // sold))


def begin_round(game: Wabash) -> None:
    """The markers go back and Detroit grows [W10.3, W10.4]."""
    game.markers = [0, 0, 0]
    if game.heard is not None:
        game.heard.append(Note("The decision markers return to start"))
    board = game.board
    name = board.names[board.industrial[board.detroit]]
    if game.heard is not None:
        game.heard.append(Note(f"{name} grows to {board.tracks[board.detroit][game.industry[board.detroit] + 1]}"))
    advance(game, board.detroit, f"{name} grows")


def reason_to_end(game: Wabash) -> str:
    """Tested only when a general dividend has been paid [W11.1]; the Wabash counts only if open [W11.2]."""
    board = game.board
    if game.cubes.count(0) >= board.end_built:
        return f"{board.end_built} or more railroads have built all their track"
    if game.unsold.count(0) >= board.end_sold:
        return f"{board.end_sold} or more railroads have sold all their shares"
    if game.supply <= board.end_cubes:
        return f"{board.end_cubes} or fewer development cubes are left"
    if game.industry[board.detroit] == len(board.tracks[board.detroit]) - 1:
        return f"{board.names[board.industrial[board.detroit]]} was fully developed"
    return ""


def end(game: Wabash, reason: str) -> None:
    game.phase = Over("W11.1")
    if game.heard is not None:
        game.heard.append(Ended("W11.1", reason))
