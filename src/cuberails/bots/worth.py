"""What shares are worth: figures to check, what they will pay until the end, and fair prices of what is on sale.

The figures follow from the rules alone and are there at once. What a share will pay is found by play-outs, and how far
each seat would go for what is on sale by comparing win chances (`price.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from time import perf_counter
from typing import Any, Final

from cuberails.bots.playouts import Expectation, expected, play_out
from cuberails.bots.price import NEVER, SIMULATIONS, Offer, fair_price, offers
from cuberails.bots.search import OnProgress
from cuberails.core.auction import Auction
from cuberails.core.event import Bid, Passed
from cuberails.core.game import Game
from cuberails.core.share import Share
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.core.title import SetupError
from cuberails.core.wording import amount
from cuberails.titles import shares_of

PRICING: Final = 0.3
"""The part of the work, and of the seconds, that goes into fair prices, where something is sold."""
LEAST_PLAYS: Final = 9
"""So many play-outs there are however long they take: one in ten lies below a range that holds four in five."""
FEW_PLAYS: Final = 100
"""With fewer play-outs numbers are wanted soon: prices come without a search of the positions that they compare."""

YOU: Final = "you"
"""What the seat is called to which everything is told."""


@dataclass(frozen=True)
class ShareWorth:
    """The shares of one kind: how many each seat holds and how many are left, figures as pairs of name and text.

    `paid` is what they have paid so far to each seat, empty where only a position is known, without what led there.
    `will_pay` is what one share pays from now to the end; None as long as nobody has played that out.
    """

    name: str
    held: list[int]
    left: int
    figures: list[tuple[str, str]]
    paid: list[int] = field(default_factory=list)
    will_pay: Expectation | None = None


@dataclass(frozen=True)
class Price:
    """What something on sale is worth: for each seat the highest price at which it would rather have it than not.

    A seat's limit is None where it would not have it for nothing, or cannot get it; it is in dollars, or in points
    where nothing is paid; parts count of points, and of dollars where a share costs few. `most` is what each can pay at
    all: a seat whose limit is as high might go further. `kind` says how it is had: in an "auction", by a "draft pick",
    as a "certificate", in the "market", by the "start" of a railroad, whose price is that of each share. In an auction
    `winner` gets it, at a price from `low` to `high`, if everybody goes as far as its limit, or is None if nobody
    would bid `low`; elsewhere it costs `low`. `words` are the sentence. `chance` is how likely the seat to decide is to
    win with it, where it must take something and nothing is paid.
    """

    lot: str
    kind: str
    limits: list[float | None]
    most: list[int]
    winner: int | None
    low: int
    high: int
    words: str
    chance: float | None = None


@dataclass(frozen=True)
class Worth:
    """What everything is worth in a position, told to a seat, or to nobody in particular if None.

    It is in this `unit`; shares "pay", "score" or "bring" it, whichever `gives` says.
    """

    unit: str
    gives: str
    seat: int | None
    shares: list[ShareWorth]
    prices: list[Price]

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; figures and bars are objects with names."""
        found = asdict(self)
        for share in found["shares"]:
            share["figures"] = [{"name": name, "text": text} for name, text in share["figures"]]
            if share["will_pay"]:
                bars = share["will_pay"]["bars"]
                share["will_pay"]["bars"] = [{"from": low, "to": high, "share": part} for low, high, part in bars]
        return found


def worth(
    position: State | Game,
    plays: int = 0,
    *,
    seat: int | None = None,
    seconds: float = inf,
    seed: int | str = 0,
    on_progress: OnProgress | None = None,
) -> Worth:
    """What the shares are worth in a position, or at the present moment of a game.

    At once with the figures that follow from the rules, and what was paid so far if it is a game. With `plays` also
    what each share will pay until the end, by so many play-outs, or fewer if the `seconds` are over, and what is fair
    for what is on sale. The same seed gives the same numbers. It is told to a `seat`, by default the one to decide.
    What `on_progress` raises ends the work.
    """
    state = position if isinstance(position, State) else position.state
    if plays < 0:
        raise SetupError(f"plays must be at least 0, not {plays}")
    if seat is not None and not 0 <= seat < state.players:
        raise SetupError(f"there is no seat {seat}: seats are numbered from 0 to {state.players - 1}")
    actor = state.phase.actor
    reader = seat if seat is not None or actor in (CHANCE, NOBODY) else actor
    names = called(state.players, reader, position.seats if isinstance(position, Game) else None)
    shares = _shares(position, state)
    prices: list[Price] = []
    if plays:
        work = Work(plays, seconds, seed, on_progress)
        prices = work.prices(state, names)
        shares = work.played_out(state, shares)
    rules = shares_of(state.board)
    return Worth(rules.unit, rules.gives, reader, shares, prices)


def _shares(position: State | Game, state: State) -> list[ShareWorth]:
    paid = paid_so_far(position) if isinstance(position, Game) else None
    return [
        ShareWorth(
            share.name,
            share.held,
            share.left,
            _figures(state, share),
            [] if paid is None else paid.get(share.name, [0] * state.players),
        )
        for share in shares_of(state.board).shares(state)
    ]


def _figures(state: State, share: Share) -> list[tuple[str, str]]:
    """What the rules say of a share; when the game is over it pays no more, and only counts what it may be worth."""
    if state.phase.actor != NOBODY:
        return [(figure.name, figure.text) for figure in share.figures]
    shares = shares_of(state.board)
    value = shares.value(state, share.name)
    return [("counts", amount(value, shares.unit))] if value else []


def paid_so_far(game: Game) -> dict[str, list[int]]:
    """What shares of each name have paid to each seat, by the game's own account."""
    shares, state = shares_of(game.board), game.at(0).copy()
    total: dict[str, list[int]] = {}
    for step in game.steps:
        for payment in shares.paid_by(state, state.apply(step.action)):
            before = total.get(payment.name, [0] * state.players)
            total[payment.name] = [one + more for one, more in zip(before, payment.paid, strict=True)]
    return total


class Work:
    """What takes time: prices, then play-outs, as many as the budget and the time allow."""

    def __init__(self, plays: int, seconds: float, seed: int | str, on_progress: OnProgress | None) -> None:
        self.plays: Final = plays
        self.seconds: Final = seconds
        self.seed: Final = seed
        self.on_progress: Final = on_progress
        self.began: Final = perf_counter()
        self.part = 0.0

    def prices(self, state: State, names: Sequence[str]) -> list[Price]:
        """The lot of the auction under way, or what the seat to decide can have by its actions."""
        simulations, seconds = SIMULATIONS if self.plays >= FEW_PLAYS else 0, self.seconds * PRICING
        if not isinstance(state.phase, Auction):
            unit = shares_of(state.board).unit
            found_offers = offers(state, simulations, self.seed, self._priced, seconds)
            return [_offer(each, unit, names, state.phase.actor) for each in found_offers]
        found = fair_price(state, simulations, self.seed, self._priced, seconds)
        limits = known_limits(found.limits)
        winner = found.winner if found.winner >= 0 else None
        words = _auction_in_words(limits, found.most, winner, found.low, found.high, names)
        return [Price(lot_of(state), "auction", limits, found.most, winner, found.low, found.high, words)]

    def _priced(self, part: float) -> None:
        """So much of the search for prices is done."""
        self.part = part * PRICING
        self._report(self.part)

    def played_out(self, state: State, shares: list[ShareWorth]) -> list[ShareWorth]:
        """The shares with what they will pay until the end."""
        start, played = self.part, [play_out(state, f"{self.seed} 0")]
        least = min(self.plays, LEAST_PLAYS)
        while len(played) < least or (len(played) < self.plays and perf_counter() - self.began < self.seconds):
            self._report(start + (1.0 - start) * len(played) / self.plays)
            played.append(play_out(state, f"{self.seed} {len(played)}"))
        self._report(1.0)
        return [
            ShareWorth(
                share.name,
                share.held,
                share.left,
                share.figures,
                share.paid,
                expected(state, share.name, played),
            )
            for share in shares
        ]

    def _report(self, part: float) -> None:
        if self.on_progress is not None:
            self.on_progress(part)


def _offer(offer: Offer, unit: str, names: Sequence[str], actor: int) -> Price:
    """The price of what the actor has by an action, which costs the same whoever has it."""
    limits, cost = known_limits(offer.limits), offer.lot.price
    wanted = _wanted(limits, offer.most, unit, names)
    each = " a share" if offer.lot.number > 1 else ""
    words = f"{wanted or 'nobody would rather have it than not'}{f'; it costs ${cost}{each}' if cost else ''}"
    if offer.chance is not None:
        whose = "your" if names[actor] == YOU else f"{names[actor]}'s"
        words = f"{words}; with it {whose} chance is {100 * offer.chance:.0f} %"
    lot = f"{offer.lot.name} with {offer.lot.number} shares" if offer.lot.kind == "start" else offer.lot.name
    return Price(lot, offer.lot.kind, limits, offer.most, None, cost, cost, words, offer.chance)


def known_limits(limits: Sequence[float]) -> list[float | None]:
    """None where a seat would not have something for nothing."""
    return [None if limit == NEVER else limit for limit in limits]


def lot_of(state: State) -> str:
    """The share that is auctioned, by the name that it has among the shares."""
    event = state.copy().apply(state.legal_actions()[-1])[0]
    assert isinstance(event, (Bid, Passed))
    return event.lot.removeprefix("the ")


def called(players: int, seat: int | None, names: Sequence[str] | None) -> list[str]:
    """What the seats are called: "you", the others by their names or numbers."""
    known = list(names or [f"seat {n + 1}" for n in range(players)])
    if seat is not None:
        known[seat] = YOU
    return known


def _auction_in_words(
    limits: Sequence[float | None], most: Sequence[int], winner: int | None, low: int, high: int, names: Sequence[str]
) -> str:
    """How far everybody would go, and what the auction would come to."""
    wanted = _wanted(limits, most, "$", names)
    if not wanted:
        return "nobody would rather have it than not"
    if winner is None:
        return f"{wanted}; nobody would bid ${low}"
    if (limits[winner] or 0) < low:
        who = names[winner]
        return f"{wanted}; {who} {'have' if who == YOU else 'has'} bid ${low}, which is more than that"
    return f"{wanted}, so expect ${low if low == high else f'{low}–{high}'}"


def _wanted(limits: Sequence[float | None], most: Sequence[int], unit: str, names: Sequence[str]) -> str:
    """How far those go who would rather have it than not, the listener first."""
    seats = sorted(range(len(limits)), key=lambda seat: (names[seat] != YOU, -(limits[seat] or 0)))
    wanted = [(names[seat], limits[seat], most[seat]) for seat in seats]
    return ", ".join(
        f"{name}: up to {amount(limit, unit)}{all_of_it(name == YOU) if limit == cash else ''}"
        for name, limit, cash in wanted
        if limit is not None
    )


def all_of_it(yours: bool) -> str:
    """What is said of a limit that is all that a seat can pay: it might go further."""
    return f" (all {'you' if yours else 'they'} have)"
