"""Gulf, Mobile & Ohio: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.board import Board
from cuberails.core.event import Bid, Chosen, Ended, Passed
from cuberails.core.state import Over, Phase, Refusal
from cuberails.core.wording import either, sentence
from cuberails.titles.gmo.board import BID, BUILD, CHARTER, COLOR, COMMON, DONE, EXPAND, PASS, GmoBoard
from cuberails.titles.gmo.events import Available, Bought, Cancelled, Colored, Dividends, Laid, Marker
from cuberails.titles.gmo.state import Gmo, steps_to_city

# G1 Setting up


def set_up(board: Board, players: int, options: dict[str, str], rules_version: int) -> Gmo:
    """A new game. The first turn has no choice: its charter is up for auction [G1, G2.2]."""
    assert isinstance(board, GmoBoard)
    state = Gmo()
    state.board = board
    state.set_up(players, options, rules_version)
    state.turn = 0
    state.passes = 0
    state.marker = 0
    state.cash = [board.money[players - board.title.least_players]] * players
    state.points = [0] * players
    state.supply = board.cubes[:]
    state.laid = [0] * len(board.colors)
    state.president = [-1] * board.count
    state.holder = [-1] * board.count
    state.color = [-1] * board.count
    state.track = [0] * board.count
    state.reach = [0] * board.count
    state.barred = [0] * board.count
    state.met = [0] * board.count
    state.full = board.mountains
    state.opened = board.initial
    state.chartered = 0
    state.shared = 0
    put_up(state, board.first, CHARTER)
    state.settle()
    return state


# G2 The turn


@mypyc_attr(free_list_len=1)
class Turn(Phase[Gmo]):
    """The seat on turn takes one action [G2.1]."""

    rule = "G2.1"

    def __init__(self, actor: int) -> None:
        self.actor = actor

    def prompt(self, state: Gmo) -> str:
        """Of the four actions those that are possible now."""
        shares = ["a charter"] * (state.charters() != 0) + ["a common share"] * (state.commons() != 0)
        able = [f"put {either(shares)} up for auction"] if shares else []
        able += ["expand a railroad"] if self.expandable(state) else []
        return sentence(either([*able, "pass"]))

    def legal(self, state: Gmo) -> list[Action]:
        board = state.board
        legal: list[Action] = []
        add_each(legal, board.charter, state.charters())
        add_each(legal, board.common, state.commons())
        add_each(legal, board.expand, self.expandable(state))
        legal.append(board.give_up)
        return legal

    def expandable(self, state: Gmo) -> int:
        """The railroads that the seat presides over and can expand now [G6]."""
        chosen = 0
        if state.cash[self.actor] < state.board.cube_cost:
            return chosen
        for rr, president in enumerate(state.president):
            if president == self.actor and state.supply[state.color[rr]] and state.can_build(rr):
                chosen |= 1 << rr
        return chosen

    def take(self, state: Gmo, action: Action) -> None:
        kind, rr = action.kind, action.a
        if state.listening:
            railroad = "" if kind == PASS else state.board.railroads[rr]
            state.tell(Chosen(self.actor, _chosen(state.board, action), railroad))
        if kind == PASS:
            has_passed(state)
        elif kind == EXPAND:
            state.phase = Expansion(self.actor, rr, False)
        else:
            put_up(state, rr, kind)

    def refuse(self, state: Gmo, action: Action) -> Refusal | None:
        if action.kind == PASS:
            return None
        if action.kind == CHARTER:
            return refuse_charter(state, action.a)
        if action.kind == COMMON:
            return refuse_common(state, action.a)
        if action.kind == EXPAND:
            return refuse_expand(state, self.actor, action.a)
        return Refusal("G2.1", "a turn is one action: charter, common, expand or pass")


def add_each(legal: list[Action], actions: list[Action], chosen: int) -> None:
    """Add the actions of these railroads, in their order."""
    while chosen:
        lowest = chosen & -chosen
        legal.append(actions[lowest.bit_length() - 1])
        chosen ^= lowest


def _chosen(board: GmoBoard, action: Action) -> str:
    if action.kind == PASS:
        return "passes"
    if action.kind == EXPAND:
        return f"expands {board.railroads[action.a]}"
    return f"puts {lot(board, action.a, action.kind)} up for auction"


def lot(board: GmoBoard, rr: int, kind: int) -> str:
    """What is auctioned, in words."""
    return f"the {board.railroads[rr]} {'charter' if kind == CHARTER else 'common share'}"


def has_passed(state: Gmo) -> None:
    """The seat on turn did nothing; all seats in a row end the game [G2.3, G10.2]."""
    state.passes += 1
    if state.passes == state.players:
        end(state, "G10.2", "all players passed one after the other")
    else:
        next_turn(state)


def has_acted(state: Gmo) -> None:
    """The seat on turn did something, so the passes count from 0 again [G2.3]."""
    state.passes = 0
    next_turn(state)


def next_turn(state: Gmo) -> None:
    """To the left of the seat on turn, whoever won an auction [G2.4]."""
    state.turn = state.turn + 1 if state.turn + 1 < state.players else 0
    state.phase = Turn(state.turn)


# G3 Auctions


def put_up(state: Gmo, rr: int, kind: int) -> None:
    """The seat on turn opens an auction in which all seats may bid [G3.1]."""
    everybody = (1 << state.players) - 1
    state.phase = ShareAuction(state.turn, state.turn, everybody, 0, -1, rr, kind)


@mypyc_attr(free_list_len=1)
class ShareAuction(Auction[Gmo]):
    """A charter or a common share of a railroad, as `kind` says, is for sale [G3]."""

    rule = "G3.2"

    def __init__(self, actor: int, opener: int, inside: int, least: int, leader: int, railroad: int, kind: int) -> None:
        self.actor = actor
        self.opener = opener
        self.inside = inside
        self.least = least
        self.leader = leader
        self.railroad: Final = railroad
        self.kind: Final = kind

    def lot(self, state: Gmo) -> str:
        return lot(state.board, self.railroad, self.kind)

    def prompt(self, state: Gmo) -> str:
        what = self.lot(state)
        if self.leader < 0:
            return f"Open the auction of {what} with $0 or more"
        return f"Bid ${self.least} or more for {what}, or pass"

    def legal(self, state: Gmo) -> list[Action]:
        """The opener must bid [G3.1], the others may pass [G3.2]; nobody bids more than its cash [G3.3]."""
        board, cash = state.board, state.cash[self.actor]
        if self.leader < 0:
            return board.bid[: cash + 1]
        return self.choices(board.bid, board.give_up, cash)

    def take(self, state: Gmo, action: Action) -> None:
        if action.kind == BID:
            if state.listening:
                state.tell(Bid(self.actor, action.a, self.lot(state), state.board.railroads[self.railroad]))
            self.raised(state, action.a)
        else:
            if state.listening:
                state.tell(Passed(self.actor, self.lot(state), state.board.railroads[self.railroad]))
            self.passed(state)

    def ask(self, state: Gmo, actor: int, inside: int, least: int, leader: int) -> None:
        state.phase = ShareAuction(actor, self.opener, inside, least, leader, self.railroad, self.kind)

    def sold(self, state: Gmo, seat: int, price: int) -> None:
        """The winner pays and takes the share [G3.4]."""
        state.pay(seat, price)
        if state.listening:
            state.tell(Bought(seat, state.board.railroads[self.railroad], self.lot(state), price))
        if self.kind == CHARTER:
            sell_charter(state, self.railroad, seat, price)
        else:
            sell_common(state, self.railroad, seat, price)

    def refuse(self, state: Gmo, action: Action) -> Refusal | None:
        board, cash = state.board, state.cash[self.actor]
        if action.kind == PASS and self.leader < 0:
            return Refusal("G3.1", "who puts a share up opens the auction with a bid; $0 is enough")
        return self.refuse_bid(action, board.bid, board.give_up, cash, "G3.2", "G3.1", "G3.3")


# G4 Chartering a railroad


def refuse_charter(state: Gmo, rr: int) -> Refusal | None:
    """Which charters are available [G4.1, G9.1]."""
    name = state.board.railroads[rr]
    if state.chartered >> rr & 1:
        return Refusal("G4.1", f"the {name} charter is sold")
    if not state.opened >> rr & 1:
        homes = " or ".join(state.board.label(n) for n in state.board.homes[rr])
        return Refusal("G9.1", f"the {name} charter is not available before there is a cube in {homes}")
    return None


def sell_charter(state: Gmo, rr: int, seat: int, price: int) -> None:
    """The winner is the president, and chooses a colour next [G4.2]."""
    set_president(state, rr, seat)
    state.phase = ColorChoice(seat, rr, price)


def set_president(state: Gmo, rr: int, seat: int) -> None:
    """This seat holds the charter; nobody does if it is -1."""
    president = state.president[:]
    president[rr] = seat
    state.president = president
    state.chartered ^= 1 << rr


class ColorChoice(Phase[Gmo]):
    """The new president chooses among the colours with the most cubes in the supply [G4.3]."""

    rule = "G4.3"

    def __init__(self, actor: int, railroad: int, price: int) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.price: Final = price

    def prompt(self, state: Gmo) -> str:
        board = state.board
        names = [board.colors[color] for color in state.top_colors()]
        return f"Choose the colour of {board.railroads[self.railroad]}: {either(names)}"

    def legal(self, state: Gmo) -> list[Action]:
        actions = state.board.color
        return [actions[color] for color in state.top_colors()]

    def take(self, state: Gmo, action: Action) -> None:
        """A cube goes onto the charter [G4.4]; what cannot be completed is cancelled [G4.8]."""
        rr, color = self.railroad, action.a
        board, shadow = state.board, state.shadow(color)
        if state.listening:
            state.tell(Colored(self.actor, board.railroads[rr], board.colors[color]))
        state.take_cube(color, 1)
        if not state.starts(rr, shadow, state.affords(color, self.price)):
            self.cancel(state, color)
            return
        colors, barred = state.color[:], state.barred[:]
        colors[rr] = color
        barred[rr] = shadow
        state.color, state.barred = colors, barred
        state.phase = CharterBuild(self.actor, rr, self.price, 0)

    def cancel(self, state: Gmo, color: int) -> None:
        """Cube, money and charter go back, and the seat on turn has passed [G4.8]."""
        state.take_cube(color, -1)
        state.pay(self.actor, -self.price)
        set_president(state, self.railroad, -1)
        if state.listening:
            board = state.board
            name = board.railroads[self.railroad]
            state.tell(Cancelled(self.actor, name, board.colors[color], self.price))
        has_passed(state)

    def refuse(self, state: Gmo, action: Action) -> Refusal | None:
        if action.kind != COLOR:
            return Refusal("G4.3", f"{state.board.railroads[self.railroad]} needs a colour first")
        left = state.supply[action.a]
        if left < max(state.supply):
            colors = state.board.colors
            most = " and ".join(colors[color] for color in state.top_colors())
            return Refusal("G4.3", f"only {left} {colors[action.a]} cubes are left; there are more of {most}")
        return None


class Building(Phase[Gmo]):
    """A seat places cubes of a railroad, one by one. Subclasses say who pays, when to stop and what follows [G7]."""

    railroad: int

    def money(self, state: Gmo) -> int:
        """What is left to build with."""
        raise NotImplementedError

    def cubes(self, state: Gmo) -> int:
        """How many cubes may still be placed."""
        return state.affords(state.color[self.railroad], self.money(state))

    def hexes(self, state: Gmo) -> int:
        """Where the next cube may go."""
        return state.can_build(self.railroad) if self.cubes(state) else 0

    def may_stop(self, state: Gmo) -> bool:
        raise NotImplementedError

    def built(self, state: Gmo, n: int) -> None:
        """A cube was placed: pay for it; the same build continues."""
        raise NotImplementedError

    def finish(self, state: Gmo) -> None:
        raise NotImplementedError

    def prompt(self, state: Gmo) -> str:
        name, cubes = state.board.railroads[self.railroad], self.cubes(state)
        most = f"up to {cubes} cubes" if cubes > 1 else "one cube"
        return f"Build track for {name}: {most}, ${self.money(state)} left" + (
            ", or done" if self.may_stop(state) else ""
        )

    def legal(self, state: Gmo) -> list[Action]:
        board = state.board
        build, grid = board.build, board.grid
        size, bit = grid.size, grid.bit
        mask = self.hexes(state)
        legal: list[Action] = []
        while mask:
            n = size - mask.bit_length()
            legal.append(build[n])
            mask ^= bit[n]
        if self.may_stop(state):
            legal.append(board.done)
        return legal

    def take(self, state: Gmo, action: Action) -> None:
        if action.kind == DONE:
            if state.listening:
                name = state.board.railroads[self.railroad]
                state.tell(Chosen(self.actor, f"stops building {name}", name))
            self.finish(state)
        else:
            lay(state, self.actor, self.railroad, action.a)
            self.built(state, action.a)

    def refuse(self, state: Gmo, action: Action) -> Refusal | None:
        if action.kind == DONE:
            return None if self.may_stop(state) else self.refuse_done(state)
        if action.kind != BUILD:
            return Refusal("G7.1", f"{state.board.railroads[self.railroad]} is building: place a cube or say done")
        return self.refuse_cube(state) or self.refuse_hex(state, action.a)

    def refuse_done(self, state: Gmo) -> Refusal:
        """Why this build cannot stop yet."""
        return Refusal("G6.2", "an expansion places at least one cube")

    def refuse_cube(self, state: Gmo) -> Refusal | None:
        """Why there is no further cube, wherever it would go."""
        cost, money = state.board.cube_cost, self.money(state)
        if money < cost:
            return Refusal("G7.1", f"a cube costs ${cost} and ${money} are left to build with")
        if not state.supply[state.color[self.railroad]]:
            return refuse_supply(state, self.railroad)
        return None

    def refuse_hex(self, state: Gmo, n: int) -> Refusal | None:
        """Why the next cube cannot go into this hex."""
        board, rr = state.board, self.railroad
        bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
        if state.track[rr] & bit:
            return Refusal("G7.3", f"{name} has a cube in {label} already")
        if board.mountains & bit:
            return Refusal("G7.6", f"{label} is a mountain")
        if not state.reach[rr] & bit:
            return Refusal("G7.2", f"{label} is not next to a cube of {name}")
        if board.rural & bit and state.has_cube(n):
            return Refusal("G7.4", f"{label} is rural and holds a cube already")
        return refuse_color(state, rr, n)


@mypyc_attr(free_list_len=1)
class CharterBuild(Building):
    """A new railroad builds with the `price` of its charter, home first; `cities` are joined so far [G4.5-G4.7]."""

    rule = "G4.6"

    def __init__(self, actor: int, railroad: int, price: int, cities: int) -> None:
        self.actor = actor
        self.railroad = railroad
        self.price: Final = price
        self.cities: Final = cities

    def money(self, state: Gmo) -> int:
        return self.price

    def hexes(self, state: Gmo) -> int:
        rr, cubes = self.railroad, self.cubes(state)
        if self.cities == 0:
            return state.starts(rr, state.barred[rr], cubes)
        near = state.can_build(rr)
        if self.cities > 1:
            return near if cubes else 0
        shut = state.track[rr] | state.barred[rr] | state.full
        return steps_to_city(state.board.grid, state.board.cities, near, shut, cubes)

    def may_stop(self, state: Gmo) -> bool:
        return self.cities > 1

    def built(self, state: Gmo, n: int) -> None:
        board = state.board
        cities = self.cities + 1 if board.cities & board.grid.bit[n] else self.cities
        state.phase = CharterBuild(self.actor, self.railroad, self.price - board.cube_cost, cities)

    def finish(self, state: Gmo) -> None:
        """All six colours on the map end the game at once [G10.1]."""
        if 0 in state.laid:
            has_acted(state)
        else:
            end(state, "G10.1", f"cubes of all {len(state.laid)} colours are on the map")

    def refuse_done(self, state: Gmo) -> Refusal:
        return Refusal("G4.6", f"{state.board.railroads[self.railroad]} does not join two cities yet")

    def refuse_hex(self, state: Gmo, n: int) -> Refusal | None:
        if self.cities == 0:
            return self.refuse_home(state, n)
        board, cubes = state.board, self.cubes(state) - 1
        refusal = Building.refuse_hex(self, state, n)
        joins = self.cities > 1 or board.cities & board.grid.bit[n]
        if refusal is None and not joins and not state.reaches_city(self.railroad, n, cubes):
            left = f"{cubes} more cube{'s' if cubes != 1 else ''}"
            return Refusal("G4.6", f"from {board.label(n)} no second city can be reached with {left}")
        return refusal

    def refuse_home(self, state: Gmo, n: int) -> Refusal | None:
        board, rr = state.board, self.railroad
        name, label = board.railroads[rr], board.label(n)
        if n not in board.homes[rr]:
            homes = " or ".join(board.label(home) for home in board.homes[rr])
            return Refusal("G4.5", f"the first cube of {name} goes into its home, {homes}")
        if not state.may_open(rr, n):
            return Refusal("G4.5", f"there is no cube in {label} yet, and {name} may not be the first there")
        refusal = refuse_color(state, rr, n)
        if refusal is None and not state.reaches_city(rr, n, self.cubes(state) - 1):
            return Refusal("G4.6", f"{name} cannot join two cities from {label} in its colour with ${self.price}")
        return refusal


# G5 Common shares and dividends


def refuse_common(state: Gmo, rr: int) -> Refusal | None:
    """Which common shares are available [G5.1]."""
    name = state.board.railroads[rr]
    if not state.chartered >> rr & 1:
        return Refusal("G5.1", f"the {name} common share is not available before the charter is sold")
    if state.shared >> rr & 1:
        return Refusal("G5.1", f"the {name} common share is sold")
    return None


def sell_common(state: Gmo, rr: int, seat: int, price: int) -> None:
    """The winner may build with the price [G5.3]."""
    holder = state.holder[:]
    holder[rr] = seat
    state.holder = holder
    state.shared |= 1 << rr
    state.phase = CommonBuild(seat, rr, price)


class CommonBuild(Building):
    """The winner of a common share builds with its `price`, as much or as little as it likes [G5.3]."""

    rule = "G5.3"

    def __init__(self, actor: int, railroad: int, price: int) -> None:
        self.actor = actor
        self.railroad = railroad
        self.price: Final = price

    def money(self, state: Gmo) -> int:
        return self.price

    def may_stop(self, state: Gmo) -> bool:
        return True

    def built(self, state: Gmo, n: int) -> None:
        state.phase = CommonBuild(self.actor, self.railroad, self.price - state.board.cube_cost)

    def finish(self, state: Gmo) -> None:
        """The marker moves, and pays when it arrives [G5.4]."""
        board = state.board
        state.marker += 1
        if state.listening:
            state.tell(Marker(state.marker, board.sales_to_dividend))
        if state.marker == board.sales_to_dividend:
            pay_dividends(state)
            state.marker = 0
        has_acted(state)


def pay_dividends(state: Gmo) -> None:
    """The bank pays for every share, the one just sold too [G5.5]."""
    paid = dividends_of(state)
    state.cash = [cash + more for cash, more in zip(state.cash, paid)]
    if state.listening:
        state.tell(Dividends(paid))


def dividends_of(state: Gmo) -> list[int]:
    """What each seat would get if dividends were paid now [G5.5]."""
    paid = [0] * state.players
    for rr, president in enumerate(state.president):
        if president >= 0:
            paid[president] += charter_pays(state, rr)
            if state.holder[rr] >= 0:
                paid[state.holder[rr]] += state.board.dividend_shared
    return paid


def charter_pays(state: Gmo, rr: int) -> int:
    """A charter pays more until its common share is put up: then it is turned over [G5.2, G5.5]."""
    phase, board = state.phase, state.board
    put_up = isinstance(phase, ShareAuction) and phase.railroad == rr and phase.kind != CHARTER
    return board.dividend_shared if put_up or state.holder[rr] >= 0 else board.dividend_alone


# G6 Presidential expansion


def refuse_expand(state: Gmo, seat: int, rr: int) -> Refusal | None:
    """Who may expand a railroad, and whether it can build at least one cube [G6]."""
    board = state.board
    name, cash = board.railroads[rr], state.cash[seat]
    if state.president[rr] != seat:
        return Refusal("G6.1", f"only the president of {name}, who holds its charter, may expand it")
    if cash < board.cube_cost:
        return Refusal("G7.1", f"a cube costs ${board.cube_cost} and you have ${cash}")
    if not state.supply[state.color[rr]]:
        return refuse_supply(state, rr)
    if not state.can_build(rr):
        return Refusal("G6.2", f"{name} cannot build anywhere now, and an expansion places at least one cube")
    return None


class Expansion(Building):
    """A president builds with its own cash, at least one cube; `begun` once it has [G6]."""

    rule = "G6.2"

    def __init__(self, actor: int, railroad: int, begun: bool) -> None:
        self.actor = actor
        self.railroad = railroad
        self.begun: Final = begun

    def money(self, state: Gmo) -> int:
        return state.cash[self.actor]

    def may_stop(self, state: Gmo) -> bool:
        return self.begun

    def built(self, state: Gmo, n: int) -> None:
        state.pay(self.actor, state.board.cube_cost)
        state.phase = Expansion(self.actor, self.railroad, True)

    def finish(self, state: Gmo) -> None:
        has_acted(state)


# G7 Building track, G8 Victory points, G9 New railroads


def refuse_supply(state: Gmo, rr: int) -> Refusal:
    """The colour of a railroad has run out [G7.7]."""
    return Refusal("G7.7", f"no {state.board.colors[state.color[rr]]} cube is left for {state.board.railroads[rr]}")


def refuse_color(state: Gmo, rr: int, n: int) -> Refusal | None:
    """The cube of the same colour that keeps a railroad out of a hex, if there is one [G7.5]."""
    board, color = state.board, state.color[rr]
    bit, name = board.grid.bit[n], board.colors[color]
    for other, track in enumerate(state.track):
        if state.color[other] == color and other != rr and track & (board.grid.near[n] | bit):
            cube = f"a {name} cube of {board.railroads[other]} is {'in' if track & bit else 'next to'} {board.label(n)}"
            return Refusal("G7.5", f"{cube}, and {board.railroads[rr]} is {name} too")
    return None


def lay(state: Gmo, seat: int, rr: int, n: int) -> None:
    """A cube goes from the supply into the hex, and the seat that places it scores [G7, G8]."""
    board = state.board
    first = not state.track[rr]
    colors = new_colors = scored = 0
    if board.names[n]:
        colors = state.colors_in(n)
        new_colors = colors & ~state.met[rr]
        scored = board.points[n] + board.color_points * new_colors.bit_count()
    state.take_cube(state.color[rr], 1)
    state.occupy(rr, n)
    if colors:
        state.connect(rr, n)
    if first:
        scored += board.charter_points + board.bonus[rr]
    if scored:
        points = state.points[:]
        points[seat] += scored
        state.points = points
    if state.listening:
        reasons = scoring(board, rr, n, new_colors, first)
        state.tell(Laid(seat, board.railroads[rr], board.label(n), board.cube_cost, reasons))
    if board.opened_by[n]:
        make_available(state, n)


def scoring(board: GmoBoard, rr: int, n: int, new_colors: int, first: bool) -> list[tuple[str, int]]:
    """What each of the points is for [G8.2, G8.3, G8.5]."""
    scored = [("city", board.points[n])]
    scored += [(name, board.color_points) for color, name in enumerate(board.colors) if new_colors >> color & 1]
    if first:
        scored += [("charter", board.charter_points), ("bonus", board.bonus[rr])]
    return scored


def make_available(state: Gmo, n: int) -> None:
    """A cube in a home makes its railroads available [G9.1]."""
    board = state.board
    new = board.opened_by[n] & ~state.opened
    if not new:
        return
    state.opened |= new
    if state.listening:
        for rr, name in enumerate(board.railroads):
            if new >> rr & 1:
                state.tell(Available(name, board.label(n)))


# G10 The end


def end(state: Gmo, rule: str, reason: str) -> None:
    state.phase = Over(rule)
    if state.listening:
        state.tell(Ended(rule, reason))
