"""Gulf, Mobile & Ohio: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.event import Bid, Chosen, Ended, Passed
from cuberails.core.hexes import Grid
from cuberails.core.state import Over, Phase, Refusal, State
from cuberails.core.title import Title
from cuberails.titles.gmo.board import BID, BUILD, CHARTER, COLOR, COMMON, DONE, EXPAND, PASS, GmoBoard
from cuberails.titles.gmo.events import Available, Bought, Cancelled, Colored, Dividends, Laid, Marker


class Gmo(State):
    """A position of Gulf, Mobile & Ohio. Railroads, colours, hexes and seats are numbers; sets are bit masks.

    `turn` is the seat on turn, `passes` how many have passed in a row, `marker` where the sale marker stands.
    By seat: `cash`, `points`. By colour: `supply`, and `laid`, the hexes with a cube of it. By railroad:
    `president` and `holder` own its charter and its common share, -1 while nobody does; `color`, -1 before it has
    one; `track` are its hexes, `reach` all hexes next to them, `barred` those in or next to which another railroad
    has cubes of its colour; `met` are the colours it is connected to. `full` are the hexes that take no cube at all:
    mountains, and rural hexes with a cube. Sets of railroads: `opened` have or had an available charter, `chartered`
    have sold it, `shared` have sold their common share too.

    Copies share the lists: a step replaces a list and never changes it.
    """

    board: GmoBoard
    turn: int
    passes: int
    marker: int
    cash: list[int]
    points: list[int]
    supply: list[int]
    laid: list[int]
    president: list[int]
    holder: list[int]
    color: list[int]
    track: list[int]
    reach: list[int]
    barred: list[int]
    met: list[int]
    full: int
    opened: int
    chartered: int
    shared: int

    @property
    def title(self) -> Title:
        return self.board

    def copy(self) -> Gmo:
        old: Gmo = self
        new = Gmo()
        new.board = old.board
        new.players = old.players
        new.options = old.options
        new.heard = None
        new.phase = old.phase
        new._legal = old._legal
        new.turn = old.turn
        new.passes = old.passes
        new.marker = old.marker
        new.cash = old.cash
        new.points = old.points
        new.supply = old.supply
        new.laid = old.laid
        new.president = old.president
        new.holder = old.holder
        new.color = old.color
        new.track = old.track
        new.reach = old.reach
        new.barred = old.barred
        new.met = old.met
        new.full = old.full
        new.opened = old.opened
        new.chartered = old.chartered
        new.shared = old.shared
        return new

    def scores(self) -> list[int]:
        """Points decide [G10.3]."""
        return self.points[:]

    # What the rules ask about a position

    def can_build(self, rr: int) -> int:
        """The hexes into which a railroad may build, if it has a cube and its price [G7.2-G7.6]."""
        return self.reach[rr] & ~(self.track[rr] | self.barred[rr] | self.full)

    def affords(self, color: int, money: int) -> int:
        """How many cubes of a colour this money buys [G7.1, G7.7]."""
        cubes = money // self.board.cube_cost
        return cubes if cubes < self.supply[color] else self.supply[color]

    def top_colors(self) -> list[int]:
        """The colours with the most cubes in the supply [G4.3]."""
        most = max(self.supply)
        return [color for color, cubes in enumerate(self.supply) if cubes == most]

    def shadow(self, color: int) -> int:
        """The hexes in or next to which a cube of the colour stands: closed to a new railroad of it [G7.5]."""
        hexes = 0
        for rr, other in enumerate(self.color):
            if other == color:
                hexes |= self.track[rr] | self.reach[rr]
        return hexes

    def has_cube(self, n: int) -> bool:
        bit = self.board.grid.bit[n]
        for hexes in self.laid:
            if hexes & bit:
                return True
        return False

    def may_open(self, rr: int, n: int) -> bool:
        """Only the first railroads start in a city without a cube [G4.5]."""
        return bool(self.board.initial >> rr & 1) or self.has_cube(n)

    def starts(self, rr: int, shadow: int, cubes: int) -> int:
        """The homes outside the shadow from which so many cubes can join two cities [G4.5, G4.6]."""
        grid = self.board.grid
        homes = 0
        for n in self.board.homes[rr]:
            bit = grid.bit[n]
            if not shadow & bit and self.may_open(rr, n):
                shut = shadow | self.full | bit
                if steps_to_city(grid, self.board.cities, grid.near[n] & ~shut, shut, cubes - 1):
                    homes |= bit
        return homes

    def charters(self) -> int:
        """The railroads whose charter is available [G4.1]."""
        return self.opened & ~self.chartered

    def commons(self) -> int:
        """The railroads whose common share is available [G5.1]."""
        return self.chartered & ~self.shared

    # What the rules do to a position

    def pay(self, seat: int, money: int) -> None:
        """A seat pays money, or receives it if less than 0."""
        cash = self.cash[:]
        cash[seat] -= money
        self.cash = cash

    def take_cube(self, color: int, cubes: int) -> None:
        """Cubes leave the supply, or return if less than 0."""
        supply = self.supply[:]
        supply[color] -= cubes
        self.supply = supply

    def occupy(self, rr: int, n: int) -> None:
        """A cube of the railroad stands in the hex."""
        board, color = self.board, self.color[rr]
        bit, near = board.grid.bit[n], board.grid.near[n]
        track, reach, barred, laid = self.track[:], self.reach[:], self.barred[:], self.laid[:]
        track[rr] |= bit
        reach[rr] |= near
        laid[color] |= bit
        for other, its_color in enumerate(self.color):
            if its_color == color and other != rr:
                barred[other] |= bit | near
        self.track, self.reach, self.barred, self.laid = track, reach, barred, laid
        self.full |= bit & board.rural

    def colors_in(self, n: int) -> int:
        """The colours of the cubes in a hex."""
        bit = self.board.grid.bit[n]
        colors = 0
        for color, hexes in enumerate(self.laid):
            if hexes & bit:
                colors |= 1 << color
        return colors

    def connect(self, rr: int, n: int) -> None:
        """The railroad and those that were in the city before it are connected, both ways [G8.4]."""
        bit, own = self.board.grid.bit[n], 1 << self.color[rr]
        met = self.met[:]
        for other, track in enumerate(self.track):
            if track & bit and other != rr:
                met[other] |= own
                met[rr] |= 1 << self.color[other]
        self.met = met


def steps_to_city(grid: Grid, cities: int, near: int, shut: int, cubes: int) -> int:
    """Of the hexes `near` a railroad, those after which it can still reach a city with `cubes` cubes in all [G4.6].

    `shut` are the hexes that it cannot build in, with its own. Other railroads do not move meanwhile, so a second city
    is in reach exactly if a shortest way over hexes that are not shut is short enough.
    """
    if cubes <= 0:
        return 0
    rings = [near]
    seen = shut | near
    ring = near
    while not ring & cities:
        if len(rings) == cubes:
            return 0
        ring = grid.spread(ring) & ~seen
        seen |= ring
        if not ring:
            return 0
        rings.append(ring)
    if len(rings) < cubes:
        return near
    # No cube to spare: only a step along a shortest way will do. Walk back from the cities.
    way = ring & cities
    for k in range(len(rings) - 2, -1, -1):
        way = grid.spread(way) & rings[k]
    return way


# G1 Setting up


class GmoTitle(GmoBoard):
    """Gulf, Mobile & Ohio, ready to be set up."""

    def set_up(self, players: int, options: dict[str, str]) -> Gmo:
        """A new game. The first turn has no choice: its charter is up for auction [G1, G2.2]."""
        game = Gmo()
        game.board = self
        game.players = players
        game.options = options
        game.heard = None
        game.turn = 0
        game.passes = 0
        game.marker = 0
        game.cash = [self.money[players - self.least_players]] * players
        game.points = [0] * players
        game.supply = self.cubes[:]
        game.laid = [0] * len(self.colors)
        game.president = [-1] * self.count
        game.holder = [-1] * self.count
        game.color = [-1] * self.count
        game.track = [0] * self.count
        game.reach = [0] * self.count
        game.barred = [0] * self.count
        game.met = [0] * self.count
        game.full = self.mountains
        game.opened = self.initial
        game.chartered = 0
        game.shared = 0
        put_up(game, self.first, CHARTER)
        game.settle()
        return game


# G2 The turn


class Turn(Phase[Gmo]):
    """The seat on turn takes one action [G2.1]."""

    rule = "G2.1"

    def __init__(self, actor: int) -> None:
        self.actor = actor

    def prompt(self, game: Gmo) -> str:
        return "Put a charter or a common share up for auction, expand a railroad, or pass"

    def legal(self, game: Gmo) -> list[Action]:
        board = game.board
        legal: list[Action] = []
        add_each(legal, board.charter, game.charters())
        add_each(legal, board.common, game.commons())
        add_each(legal, board.expand, self.expandable(game))
        legal.append(board.give_up)
        return legal

    def expandable(self, game: Gmo) -> int:
        """The railroads that the seat presides over and can expand now [G6]."""
        chosen = 0
        if game.cash[self.actor] < game.board.cube_cost:
            return chosen
        for rr, president in enumerate(game.president):
            if president == self.actor and game.supply[game.color[rr]] and game.can_build(rr):
                chosen |= 1 << rr
        return chosen

    def take(self, game: Gmo, action: Action) -> None:
        kind, rr = action.kind, action.a
        if game.heard is not None:
            game.heard.append(Chosen(self.actor, _chosen(game.board, action)))
        if kind == PASS:
            has_passed(game)
        elif kind == EXPAND:
            game.phase = Expansion(self.actor, rr, False)
        else:
            put_up(game, rr, kind)

    def refuse(self, game: Gmo, action: Action) -> Refusal:
        if action.kind == CHARTER:
            return self.refuse_charter(game, action.a)
        if action.kind == COMMON:
            return self.refuse_common(game, action.a)
        if action.kind == EXPAND:
            return self.refuse_expand(game, action.a)
        return Refusal("G2.1", "a turn is one action: charter, common, expand or pass")

    def refuse_charter(self, game: Gmo, rr: int) -> Refusal:
        name = game.board.railroads[rr]
        if game.chartered >> rr & 1:
            return Refusal("G4.1", f"the {name} charter is sold")
        homes = " or ".join(game.board.label(n) for n in game.board.homes[rr])
        return Refusal("G9.1", f"the {name} charter is not available before there is a cube in {homes}")

    def refuse_common(self, game: Gmo, rr: int) -> Refusal:
        name = game.board.railroads[rr]
        if game.shared >> rr & 1:
            return Refusal("G5.1", f"the {name} common share is sold")
        return Refusal("G5.1", f"the {name} common share is not available before the charter is sold")

    def refuse_expand(self, game: Gmo, rr: int) -> Refusal:
        board, color = game.board, game.color[rr]
        name, cash = board.railroads[rr], game.cash[self.actor]
        if game.president[rr] != self.actor:
            return Refusal("G6.1", f"only the president of {name}, who holds its charter, may expand it")
        if cash < board.cube_cost:
            return Refusal("G7.1", f"a cube costs ${board.cube_cost} and you have ${cash}")
        if not game.supply[color]:
            return Refusal("G7.7", f"no {board.colors[color]} cube is left for {name}")
        return Refusal("G6.2", f"{name} cannot build anywhere now, and an expansion places at least one cube")


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


def has_passed(game: Gmo) -> None:
    """The seat on turn did nothing; all seats in a row end the game [G2.3, G10.2]."""
    game.passes += 1
    if game.passes == game.players:
        end(game, "G10.2", "all players passed one after the other")
    else:
        next_turn(game)


def has_acted(game: Gmo) -> None:
    """The seat on turn did something, so the passes count from 0 again [G2.3]."""
    game.passes = 0
    next_turn(game)


def next_turn(game: Gmo) -> None:
    """To the left of the seat on turn, whoever won an auction [G2.4]."""
    game.turn = game.turn + 1 if game.turn + 1 < game.players else 0
    game.phase = Turn(game.turn)


# G3 Auctions


def put_up(game: Gmo, rr: int, kind: int) -> None:
    """The seat on turn opens an auction in which all seats may bid [G3.1]."""
    everybody = (1 << game.players) - 1
    game.phase = ShareAuction(game.turn, game.turn, everybody, 0, -1, rr, kind)


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

    def prompt(self, game: Gmo) -> str:
        what = lot(game.board, self.railroad, self.kind)
        if self.leader < 0:
            return f"Open the auction of {what} with $0 or more"
        return f"Bid ${self.least} or more for {what}, or pass"

    def legal(self, game: Gmo) -> list[Action]:
        """The opener must bid [G3.1], the others may pass [G3.2]; nobody bids more than its cash [G3.3]."""
        board, cash = game.board, game.cash[self.actor]
        if self.leader < 0:
            return board.bid[: cash + 1]
        return self.choices(board.bid, board.give_up, cash)

    def take(self, game: Gmo, action: Action) -> None:
        if action.kind == BID:
            if game.heard is not None:
                game.heard.append(Bid(self.actor, action.a, lot(game.board, self.railroad, self.kind)))
            self.raised(game, action.a)
        else:
            if game.heard is not None:
                game.heard.append(Passed(self.actor, lot(game.board, self.railroad, self.kind)))
            self.passed(game)

    def ask(self, game: Gmo, actor: int, inside: int, least: int, leader: int) -> None:
        game.phase = ShareAuction(actor, self.opener, inside, least, leader, self.railroad, self.kind)

    def sold(self, game: Gmo, seat: int, price: int) -> None:
        """The winner pays and takes the share [G3.4]."""
        game.pay(seat, price)
        if game.heard is not None:
            game.heard.append(Bought(seat, lot(game.board, self.railroad, self.kind), price))
        if self.kind == CHARTER:
            sell_charter(game, self.railroad, seat, price)
        else:
            sell_common(game, self.railroad, seat, price)

    def refuse(self, game: Gmo, action: Action) -> Refusal:
        if action.kind == PASS:
            return Refusal("G3.1", "who puts a share up opens the auction with a bid; $0 is enough")
        if action.kind != BID:
            return Refusal("G3.2", "an auction is under way: bid or pass")
        if action.a < self.least:
            return Refusal("G3.2", f"the highest bid is ${self.highest}, so the next is at least ${self.least}")
        return Refusal("G3.3", f"${action.a} is more than the ${game.cash[self.actor]} in hand")


# G4 Chartering a railroad


def sell_charter(game: Gmo, rr: int, seat: int, price: int) -> None:
    """The winner is the president, and chooses a colour next [G4.2]."""
    set_president(game, rr, seat)
    game.phase = ColorChoice(seat, rr, price)


def set_president(game: Gmo, rr: int, seat: int) -> None:
    """This seat holds the charter; nobody does if it is -1."""
    president = game.president[:]
    president[rr] = seat
    game.president = president
    game.chartered ^= 1 << rr


class ColorChoice(Phase[Gmo]):
    """The new president chooses among the colours with the most cubes in the supply [G4.3]."""

    rule = "G4.3"

    def __init__(self, actor: int, railroad: int, price: int) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.price: Final = price

    def prompt(self, game: Gmo) -> str:
        board = game.board
        names = [board.colors[color] for color in game.top_colors()]
        return f"Choose the colour of {board.railroads[self.railroad]}: {' or '.join(names)}"

    def legal(self, game: Gmo) -> list[Action]:
        actions = game.board.color
        return [actions[color] for color in game.top_colors()]

    def take(self, game: Gmo, action: Action) -> None:
        """A cube goes onto the charter [G4.4]; what cannot be completed is cancelled [G4.8]."""
        rr, color = self.railroad, action.a
        board, shadow = game.board, game.shadow(color)
        if game.heard is not None:
            game.heard.append(Colored(self.actor, board.railroads[rr], board.colors[color]))
        game.take_cube(color, 1)
        if not game.starts(rr, shadow, game.affords(color, self.price)):
            self.cancel(game, color)
            return
        colors, barred = game.color[:], game.barred[:]
        colors[rr] = color
        barred[rr] = shadow
        game.color, game.barred = colors, barred
        game.phase = CharterBuild(self.actor, rr, self.price, 0)

    def cancel(self, game: Gmo, color: int) -> None:
        """Cube, money and charter go back, and the seat on turn has passed [G4.8]."""
        game.take_cube(color, -1)
        game.pay(self.actor, -self.price)
        set_president(game, self.railroad, -1)
        if game.heard is not None:
            board = game.board
            name = board.railroads[self.railroad]
            game.heard.append(Cancelled(self.actor, name, board.colors[color], self.price))
        has_passed(game)

    def refuse(self, game: Gmo, action: Action) -> Refusal:
        if action.kind != COLOR:
            return Refusal("G4.3", f"{game.board.railroads[self.railroad]} needs a colour first")
        colors = game.board.colors
        most = " and ".join(colors[color] for color in game.top_colors())
        left = game.supply[action.a]
        return Refusal("G4.3", f"only {left} {colors[action.a]} cubes are left; there are more of {most}")


class Building(Phase[Gmo]):
    """A seat places cubes of a railroad, one by one. Subclasses say who pays, when to stop and what follows [G7]."""

    railroad: int

    def money(self, game: Gmo) -> int:
        """What is left to build with."""
        raise NotImplementedError

    def cubes(self, game: Gmo) -> int:
        """How many cubes may still be placed."""
        return game.affords(game.color[self.railroad], self.money(game))

    def hexes(self, game: Gmo) -> int:
        """Where the next cube may go."""
        return game.can_build(self.railroad) if self.cubes(game) else 0

    def may_stop(self, game: Gmo) -> bool:
        raise NotImplementedError

    def built(self, game: Gmo, n: int) -> None:
        """A cube was placed: pay for it and go on."""
        raise NotImplementedError

    def finish(self, game: Gmo) -> None:
        raise NotImplementedError

    def prompt(self, game: Gmo) -> str:
        name, cubes = game.board.railroads[self.railroad], self.cubes(game)
        most = f"up to {cubes} cubes" if cubes > 1 else "one cube"
        return f"Build track for {name}: {most}, ${self.money(game)} left" + (
            ", or done" if self.may_stop(game) else ""
        )

    def legal(self, game: Gmo) -> list[Action]:
        board = game.board
        build, grid = board.build, board.grid
        size, bit = grid.size, grid.bit
        mask = self.hexes(game)
        legal: list[Action] = []
        while mask:
            n = size - mask.bit_length()
            legal.append(build[n])
            mask ^= bit[n]
        if self.may_stop(game):
            legal.append(board.done)
        return legal

    def take(self, game: Gmo, action: Action) -> None:
        if action.kind == DONE:
            if game.heard is not None:
                game.heard.append(Chosen(self.actor, f"stops building {game.board.railroads[self.railroad]}"))
            self.finish(game)
        else:
            lay(game, self.actor, self.railroad, action.a)
            self.built(game, action.a)

    def refuse(self, game: Gmo, action: Action) -> Refusal:
        if action.kind == DONE:
            return self.refuse_done(game)
        if action.kind != BUILD:
            return Refusal("G7.1", f"{game.board.railroads[self.railroad]} is building: place a cube or say done")
        return self.refuse_hex(game, action.a)

    def refuse_done(self, game: Gmo) -> Refusal:
        return Refusal("G6.2", "an expansion places at least one cube")

    def refuse_hex(self, game: Gmo, n: int) -> Refusal:
        board, rr = game.board, self.railroad
        bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
        if game.track[rr] & bit:
            return Refusal("G7.3", f"{name} has a cube in {label} already")
        if board.mountains & bit:
            return Refusal("G7.6", f"{label} is a mountain")
        if not game.reach[rr] & bit:
            return Refusal("G7.2", f"{label} is not next to a cube of {name}")
        if game.full & bit:
            return Refusal("G7.4", f"{label} is rural and holds a cube already")
        return refuse_color(game, rr, n)


def refuse_color(game: Gmo, rr: int, n: int) -> Refusal:
    """The cube of the same colour that keeps a railroad out of a hex [G7.5]."""
    board, color = game.board, game.color[rr]
    zone = board.grid.near[n] | board.grid.bit[n]
    same = [other for other in range(board.count) if game.color[other] == color and other != rr]
    other = next(other for other in same if game.track[other] & zone)
    cube = f"a {board.colors[color]} cube of {board.railroads[other]}"
    return Refusal(
        "G7.5", f"{cube} is next to {board.label(n)}, and {board.railroads[rr]} is {board.colors[color]} too"
    )


class CharterBuild(Building):
    """A new railroad builds with the `price` of its charter, home first; `cities` are joined so far [G4.5-G4.7]."""

    rule = "G4.6"

    def __init__(self, actor: int, railroad: int, price: int, cities: int) -> None:
        self.actor = actor
        self.railroad = railroad
        self.price: Final = price
        self.cities: Final = cities

    def money(self, game: Gmo) -> int:
        return self.price

    def hexes(self, game: Gmo) -> int:
        rr, cubes = self.railroad, self.cubes(game)
        if self.cities == 0:
            return game.starts(rr, game.barred[rr], cubes)
        near = game.can_build(rr)
        if self.cities > 1:
            return near if cubes else 0
        shut = game.track[rr] | game.barred[rr] | game.full
        return steps_to_city(game.board.grid, game.board.cities, near, shut, cubes)

    def may_stop(self, game: Gmo) -> bool:
        return self.cities > 1

    def built(self, game: Gmo, n: int) -> None:
        board = game.board
        cities = self.cities + 1 if board.cities & board.grid.bit[n] else self.cities
        game.phase = CharterBuild(self.actor, self.railroad, self.price - board.cube_cost, cities)

    def finish(self, game: Gmo) -> None:
        """All six colours on the map end the game at once [G10.1]."""
        if 0 in game.laid:
            has_acted(game)
        else:
            end(game, "G10.1", f"cubes of all {len(game.laid)} colours are on the map")

    def refuse_done(self, game: Gmo) -> Refusal:
        return Refusal("G4.6", f"{game.board.railroads[self.railroad]} does not join two cities yet")

    def refuse_hex(self, game: Gmo, n: int) -> Refusal:
        if self.cities == 0:
            return self.refuse_home(game, n)
        board, rr = game.board, self.railroad
        if game.can_build(rr) & board.grid.bit[n]:
            cubes = self.cubes(game) - 1
            left = f"{cubes} more cube{'s' if cubes != 1 else ''}"
            return Refusal("G4.6", f"from {board.label(n)} no second city can be reached with {left}")
        return Building.refuse_hex(self, game, n)

    def refuse_home(self, game: Gmo, n: int) -> Refusal:
        board, rr = game.board, self.railroad
        name, label = board.railroads[rr], board.label(n)
        if n not in board.homes[rr]:
            homes = " or ".join(board.label(home) for home in board.homes[rr])
            return Refusal("G4.5", f"the first cube of {name} goes into its home, {homes}")
        if not game.may_open(rr, n):
            return Refusal("G4.5", f"there is no cube in {label} yet, and {name} may not be the first there")
        return Refusal("G4.6", f"{name} cannot join two cities from {label} in its colour with ${self.price}")


# G5 Common shares and dividends


def sell_common(game: Gmo, rr: int, seat: int, price: int) -> None:
    """The winner may build with the price [G5.3]."""
    holder = game.holder[:]
    holder[rr] = seat
    game.holder = holder
    game.shared |= 1 << rr
    game.phase = CommonBuild(seat, rr, price)


class CommonBuild(Building):
    """The winner of a common share builds with its `price`, as much or as little as it likes [G5.3]."""

    rule = "G5.3"

    def __init__(self, actor: int, railroad: int, price: int) -> None:
        self.actor = actor
        self.railroad = railroad
        self.price: Final = price

    def money(self, game: Gmo) -> int:
        return self.price

    def may_stop(self, game: Gmo) -> bool:
        return True

    def built(self, game: Gmo, n: int) -> None:
        game.phase = CommonBuild(self.actor, self.railroad, self.price - game.board.cube_cost)

    def finish(self, game: Gmo) -> None:
        """The marker moves, and pays when it arrives [G5.4]."""
        board = game.board
        game.marker += 1
        if game.heard is not None:
            game.heard.append(Marker(game.marker, board.sales_to_dividend))
        if game.marker == board.sales_to_dividend:
            pay_dividends(game)
            game.marker = 0
        has_acted(game)


def pay_dividends(game: Gmo) -> None:
    """The bank pays for every share, the one just sold too [G5.5]."""
    board = game.board
    paid = [0] * game.players
    for rr, president in enumerate(game.president):
        if president >= 0:
            alone = game.holder[rr] < 0
            paid[president] += board.dividend_alone if alone else board.dividend_shared
            if not alone:
                paid[game.holder[rr]] += board.dividend_shared
    game.cash = [cash + more for cash, more in zip(game.cash, paid)]
    if game.heard is not None:
        game.heard.append(Dividends(paid))


# G6 Presidential expansion


class Expansion(Building):
    """A president builds with its own cash, at least one cube; `begun` once it has [G6]."""

    rule = "G6.2"

    def __init__(self, actor: int, railroad: int, begun: bool) -> None:
        self.actor = actor
        self.railroad = railroad
        self.begun: Final = begun

    def money(self, game: Gmo) -> int:
        return game.cash[self.actor]

    def may_stop(self, game: Gmo) -> bool:
        return self.begun

    def built(self, game: Gmo, n: int) -> None:
        game.pay(self.actor, game.board.cube_cost)
        game.phase = Expansion(self.actor, self.railroad, True)

    def finish(self, game: Gmo) -> None:
        has_acted(game)


# G7 Building track, G8 Victory points, G9 New railroads


def lay(game: Gmo, seat: int, rr: int, n: int) -> None:
    """A cube goes from the supply into the hex, and the seat that places it scores [G7, G8]."""
    board = game.board
    first = not game.track[rr]
    colors = game.colors_in(n) if board.names[n] else 0
    new_colors = colors & ~game.met[rr]
    game.take_cube(game.color[rr], 1)
    game.occupy(rr, n)
    if colors:
        game.connect(rr, n)
    scored = board.points[n] + board.color_points * new_colors.bit_count()
    if first:
        scored += board.charter_points + board.bonus[rr]
    if scored:
        points = game.points[:]
        points[seat] += scored
        game.points = points
    if game.heard is not None:
        told = scoring(board, rr, n, new_colors, first)
        game.heard.append(Laid(seat, board.railroads[rr], board.label(n), board.cube_cost, told))
    make_available(game, n)


def scoring(board: GmoBoard, rr: int, n: int, new_colors: int, first: bool) -> list[tuple[str, int]]:
    """What each of the points is for [G8.2, G8.3, G8.5]."""
    scored = [("city", board.points[n])]
    scored += [(name, board.color_points) for color, name in enumerate(board.colors) if new_colors >> color & 1]
    if first:
        scored += [("charter", board.charter_points), ("bonus", board.bonus[rr])]
    return scored


def make_available(game: Gmo, n: int) -> None:
    """A cube in a home makes its railroads available [G9.1]."""
    board = game.board
    new = board.opened_by[n] & ~game.opened
    if not new:
        return
    game.opened |= new
    if game.heard is not None:
        for rr, name in enumerate(board.railroads):
            if new >> rr & 1:
                game.heard.append(Available(name, board.label(n)))


# G10 The end


def end(game: Gmo, rule: str, reason: str) -> None:
    game.phase = Over(rule)
    if game.heard is not None:
        game.heard.append(Ended(rule, reason))
