"""A position of Baltimore & Ohio: what the rules ask about it and do to it, citing rules.md by number."""

from __future__ import annotations

from typing import Final

from cuberails.core.state import State
from cuberails.core.value import Value
from cuberails.titles.baltimore_ohio.board import BaltimoreOhioBoard
from cuberails.titles.baltimore_ohio.events import DutyDone, Presides, Valued


class Round(Value):
    """Where the sequence of play stands [B2.1]: an immutable value, which a step replaces.

    `sets` counts the Market Rounds begun. `business` is 0 in them, and then the number of the Business Round. `order`
    holds the seats by their player-order cards, none before they are dealt. `sold` is for each seat the set of
    railroads that it has sold in the Market Round.
    """

    def __init__(self, sets: int, business: int, order: list[int], sold: list[int]) -> None:
        self.sets: Final = sets
        self.business: Final = business
        self.order: Final = order
        self.sold: Final = sold


class BaltimoreOhio(State[BaltimoreOhioBoard]):
    """A position of Baltimore & Ohio. Railroads, hexes and seats are numbers; sets of hexes are bit masks.

    `shares` holds seat times railroads plus railroad, `equipment` railroad times levels plus level less one. A
    railroad that is not running has the box -1 and no president (-1); if it has track it is in receivership. `line` is
    the railroads that run, in railroad order: it is all there is to know of the stacks in the boxes. `crowd[k]` are
    the hexes with more than k railroads. `coal` counts the counters of each railroad, `coal_left` those on the board;
    `timber` is the railroad that took the timber, -1 before. `deck` counts the cards that were bought. `fulfilled` is
    the set of states whose railroad has done its duty. `queue` holds the railroads that are still to act in a Business
    Round.

    Copies share the lists: a step replaces a list and never changes it. With those of every State there are 30
    attributes; up to that number CPython keeps their names once for all copies, and a copy costs a quarter.
    """

    cash: list[int]
    shares: list[int]
    held: list[int]
    orphans: list[int]
    treasury: list[int]
    president: list[int]
    box: list[int]
    line: list[int]
    net: list[int]
    equipment: list[int]
    cubes: list[int]
    track: list[int]
    reach: list[int]
    crowd: list[int]
    coal: list[int]
    coal_left: int
    timber: int
    deck: int
    tech: int
    fulfilled: int
    round: Round
    queue: list[int]

    @property
    def too_long(self) -> bool:
        """Simulations stop where one Market Round too many begins [B16.4]."""
        return self.round.sets > self.board.longest

    def copy(self) -> BaltimoreOhio:
        old: BaltimoreOhio = self
        new = BaltimoreOhio()
        new.copy_common(old)
        new.cash = old.cash
        new.shares = old.shares
        new.held = old.held
        new.orphans = old.orphans
        new.treasury = old.treasury
        new.president = old.president
        new.box = old.box
        new.line = old.line
        new.net = old.net
        new.equipment = old.equipment
        new.cubes = old.cubes
        new.track = old.track
        new.reach = old.reach
        new.crowd = old.crowd
        new.coal = old.coal
        new.coal_left = old.coal_left
        new.timber = old.timber
        new.deck = old.deck
        new.tech = old.tech
        new.fulfilled = old.fulfilled
        new.round = old.round
        new.queue = old.queue
        return new

    def scores(self) -> list[int]:
        """Cash and the value of the shares [B16.2]."""
        return [self.cash[seat] + self.portfolio(seat) for seat in range(self.players)]

    def winners(self) -> list[int]:
        """Of equal players the one with the lower card [B16.3]; before the cards are dealt the tie stands."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat in self.round.order if scores[seat] == best][:1] or list(range(self.players))

    # What the rules ask about a position

    def portfolio(self, seat: int) -> int:
        """What the shares of a seat are worth now."""
        first = seat * self.board.count
        return sum(self.shares[first + rr] * self.value(rr) for rr in self.line)

    def value(self, rr: int) -> int:
        """The value of one share of a railroad that runs [B4.1]."""
        return self.board.values[self.box[rr]]

    def running(self, rr: int) -> bool:
        return self.box[rr] >= 0

    def in_receivership(self, rr: int) -> bool:
        return self.box[rr] < 0 and self.track[rr] != 0

    def owned(self, rr: int) -> int:
        """The shares of a railroad in players' hands."""
        return self.board.shares - self.held[rr] - self.orphans[rr]

    def holdings(self, rr: int) -> list[int]:
        """The shares of a railroad that each seat has."""
        return self.shares[rr :: self.board.count]

    def cards(self, rr: int) -> list[int]:
        """The equipment of a railroad: how many cards of tech 1, 2, 3 …"""
        levels = self.board.levels
        return self.equipment[rr * levels : rr * levels + levels]

    def capacity(self, rr: int) -> int:
        """How many cities the equipment of a railroad can serve [B13.1]."""
        total = 0
        for tech, cards in enumerate(self.cards(rr), 1):
            total += tech * cards
        return total

    def city_limit(self) -> int:
        """How many railroads a city takes at the present tech [B10.4]."""
        return self.board.city_limits[self.options["tech1_city_limit"]][self.tech]

    def full(self) -> int:
        """The cities that take no more railroads at the present tech [B11.6]."""
        limit = self.city_limit()
        return self.crowd[limit - 1] & self.board.limited if limit <= self.board.count else 0

    def can_build(self, rr: int) -> int:
        """The hexes into which a railroad may build now [B11]."""
        if self.cubes[rr] == 0:
            return 0
        board, money = self.board, self.treasury[rr]
        near = self.reach[rr] & ~(self.track[rr] | board.barred[self.fulfilled][rr] | self.full())
        return near if money >= len(board.afford) else near & board.afford[money]

    def railroads_in(self, n: int) -> int:
        """How many railroads have track in a hex."""
        bit = self.board.grid.bit[n]
        count = 0
        for mask in self.crowd:
            if not mask & bit:
                return count
            count += 1
        return count

    # What the rules do to a position

    def put(self, rr: int, box: int) -> None:
        """The counter goes into a box, under those that are there [B4.2]."""
        boxes, line = self.box[:], self.line[:]
        if boxes[rr] >= 0:
            line.remove(rr)
        boxes[rr] = box
        place = len(line)
        while place and boxes[line[place - 1]] < box:
            place -= 1
        line.insert(place, rr)
        self.box, self.line = boxes, line

    def revalue(self, rr: int, boxes: int, why: str) -> None:
        """The counter moves right, or left if less than 0, as far as the track goes; else it stays as it is [B4.3]."""
        before = self.box[rr]
        after = before + boxes
        if after < 0:
            after = 0
        elif after > self.board.top:
            after = self.board.top
        if after == before:
            return
        self.put(rr, after)
        if self.listening:
            values = self.board.values
            self.tell(Valued(self.board.railroads[rr], values[before], values[after], why))

    def give(self, seat: int, rr: int, number: int) -> None:
        """Shares for a seat, or from it if less than 0; who then has more than the president succeeds [B8.2, B8.3]."""
        own = seat * self.board.count + rr
        shares = self.shares[:]
        shares[own] += number
        self.shares = shares
        president = self.president[rr]
        if seat == president:
            new = _successor(shares[rr :: self.board.count], president) if number < 0 else president
            if new != president:
                self.appoint(rr, new)
        elif shares[own] > shares[president * self.board.count + rr]:
            self.appoint(rr, seat)

    def appoint(self, rr: int, seat: int) -> None:
        """The seat takes the charter [B8.1]."""
        president = self.president[:]
        president[rr] = seat
        self.president = president
        if self.listening:
            self.tell(Presides(seat, self.board.railroads[rr]))

    def earn(self, seat: int, money: int) -> None:
        """Money for a seat, or from it if less than 0."""
        cash = self.cash[:]
        cash[seat] += money
        self.cash = cash

    def fund(self, rr: int, money: int) -> None:
        """Money into a treasury, or out of it if less than 0."""
        treasury = self.treasury[:]
        treasury[rr] += money
        self.treasury = treasury

    def take_in(self, rr: int, held: int, orphans: int) -> None:
        """Shares into the held shares of a railroad and into its orphans, or out of them if less than 0."""
        if held:
            now_held = self.held[:]
            now_held[rr] += held
            self.held = now_held
        if orphans:
            now_orphans = self.orphans[:]
            now_orphans[rr] += orphans
            self.orphans = now_orphans

    def record(self, rr: int, net: int) -> None:
        """The net income is what the next one will be compared with [B9.3]."""
        nets = self.net[:]
        nets[rr] = net
        self.net = nets

    def occupy(self, rr: int, n: int) -> None:
        """A cube of the railroad stands in the hex, for good [B11.5]; a state's duty may be done [B11.7, B11.8]."""
        board = self.board
        bit = board.grid.bit[n]
        track, reach, crowd, cubes = self.track[:], self.reach[:], self.crowd[:], self.cubes[:]
        track[rr] |= bit
        reach[rr] |= board.grid.near[n]
        crowd[self.railroads_in(n)] |= bit
        cubes[rr] -= 1
        self.track, self.reach, self.crowd, self.cubes = track, reach, crowd, cubes
        for duty, owner in enumerate(board.state_railroad):
            if owner == rr and bit & board.state_must[duty] and not board.state_must[duty] & ~track[rr]:
                self.fulfilled |= 1 << duty
                if self.listening:
                    self.tell(DutyDone(board.railroads[rr], board.state_names[duty]))


def _successor(holdings: list[int], president: int) -> int:
    """Who has the most shares, of equal seats the nearest to the president's left; the president if nobody has more."""
    seats = len(holdings)
    most, new = holdings[president], president
    for seat in range(president + 1 - seats, president):
        if holdings[seat] > most:
            most, new = holdings[seat], seat
    return new % seats
