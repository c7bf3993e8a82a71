"""A position of Credit Mobilier: what the rules ask about it and do to it, citing rules.md by number."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.event import Received
from cuberails.core.state import State
from cuberails.titles.credit_mobilier.board import NORTH, SOUTH, WEST, CreditMobilierBoard


class CreditMobilier(State[CreditMobilierBoard]):
    """A position of Credit Mobilier. Companies, squares, slots and seats are numbers; sets are bit masks.

    `turn` is the seat on turn and `turns` counts the turns begun. `shares` holds seat times companies plus company,
    `held` the shares of a company that players hold, `certificates` how many shares each company has.
    `lid` holds the pawns not drawn, `goods` those in a square (railway times squares plus square), `coast` those
    that have arrived; `stands` the squares where a railway has goods. `track` is the railway that built a slot or
    -1; `built` the slots with track, `sites` those where track may be laid, `ways` the squares with track to the
    west, north and south. `builds` and `moves` remember the actions of each railway, None where not known.

    Copies share the lists: a step replaces a list and never changes it. (Only `builds` and `moves` are filled in
    place: what one copy finds out is true for all that share it.)
    """

    remembered = ("builds", "moves")

    turn: int
    turns: int
    cash: list[int]
    treasury: list[int]
    shares: list[int]
    held: list[int]
    certificates: int
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

    def copy(self) -> CreditMobilier:
        old: CreditMobilier = self
        new = CreditMobilier()
        new.copy_common(old)
        new.turn = old.turn
        new.turns = old.turns
        new.cash = old.cash
        new.treasury = old.treasury
        new.shares = old.shares
        new.held = old.held
        new.certificates = old.certificates
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
        """Simulations stop a game of thousands of turns [C8.4]."""
        return self.turns > self.board.longest

    # What the rules ask about a position

    def stock_of(self, seat: int) -> int:
        """The shares of a seat in all companies together."""
        count = self.board.companies
        return sum(self.shares[seat * count : (seat + 1) * count])

    def for_sale(self, c: int) -> int:
        """The shares of a company that can still be bought [C1.4]."""
        return self.certificates - self.held[c]

    def connected(self, n: int) -> bool:
        """Whether a square is on the eastern side or touched by track, which is all connected to it [C4.2]."""
        board = self.board
        if n in board.eastern:
            return True
        return any(owner >= 0 and n in ends for owner, ends in zip(self.track, board.ends))

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
        left = self.certificates - self.held[c]
        return left if left < most else most

    def most_rounds(self, c: int, dice: int, orange: int) -> int:
        """How many rounds of dividends a company could pay with these dice [C7.1, C7.2, C7.4]."""
        held = self.held[c]
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
        if self.listening:
            self.tell(Received(self.board.names[c], money, why))
