"""What a player sees of Wabash Cannonball."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, FOREST, INDUSTRY, METROPOLIS, MINE, STATION, TOWN
from cuberails.core.scene import Company, Fact, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.wabash.board import BUILD, CAPITALIZE, DEVELOP, WORDS
from cuberails.titles.wabash.rules import EXHAUSTED_TO_DIVIDEND, Expansion, ShareAuction, exhausted
from cuberails.titles.wabash.state import Wabash

LAST_BOX = 50
"""The income track of the board ends here; it is continued for a higher income."""

LOOKS = {
    "farm": FIELDS,
    "timber": FOREST,
    "mine": MINE,
    "city": TOWN,
    "industrial city": INDUSTRY,
    "start city": STATION,
    "Chicago": METROPOLIS,
}

LABELS = {
    "Sold": "shares sold, of all there are",
    "Pays": "what a share gets in a general dividend now",
    "Min bid": "the least bid for the next share, which is what a share pays once it is sold",
    "Cubes": "cubes left to build with",
    "Dividend": "what the player would get in a general dividend now",
}


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, Wabash)
    state: Wabash = position
    board = state.board
    pieces = staging.pieces_of(board.letters, board.colors, board.railroads)
    return staging.scene_of(
        state,
        names,
        _map(state, pieces),
        [*_decisions(state), *_industries(state), _incomes(state, pieces)],
        _companies(state, pieces),
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        _facts(state),
        progress=_progress(state),
        acting=pieces[state.phase.railroad] if isinstance(state.phase, Expansion) else None,
        labels=LABELS,
    )


def _progress(state: Wabash) -> list[Fact]:
    """What ends the game after a general dividend, and how near that is [W10.1, W11.1]."""
    board = state.board
    steps = board.tracks[board.detroit]
    return [
        ("Dividend", f"{exhausted(state)} of {EXHAUSTED_TO_DIVIDEND} decisions used up"),
        ("Sold out", f"{state.unsold.count(0)} of {board.end_sold}"),
        ("Out of cubes", f"{state.cubes.count(0)} of {board.end_built}"),
        ("Development cubes", f"{state.supply}, ends at {board.end_cubes}"),
        (board.names[board.industrial[board.detroit]], f"{steps[state.industry[board.detroit]]} of {steps[-1]}"),
    ]


def _map(state: Wabash, pieces: list[Piece]) -> Map:
    board = state.board
    targets: list[list[str]] = [[] for _ in range(board.grid.size)]
    for action in state.legal_actions():
        if action.kind in (BUILD, DEVELOP) and action.a >= 0:
            targets[action.a].append(action.text)
    return staging.hex_map(board, [_tile(state, n, pieces, targets[n]) for n in range(board.grid.size)])


def _tile(state: Wabash, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = state.board
    bit, terrain = board.grid.bit[n], board.terrain[n]
    tile = staging.hex_tile(board, n, board.names[n] if n == board.chicago else terrain, LOOKS[terrain])
    tile.cost = f"${board.cost[n]}" if terrain != "start city" else ""
    tile.income = _printed_income(state, n)
    tile.now = str(state.hex_income(n)) if terrain not in ("farm", "timber", "start city") else ""
    tile.cubes = [piece for piece, track in zip(pieces, state.track, strict=True) if track & bit]
    tile.developed = bool(state.developed & bit) and not board.industrial_bits & bit
    tile.home = next((piece for piece, start in zip(pieces, board.start, strict=True) if start == n), None)
    tile.targets = targets
    if targets and isinstance(state.phase, Expansion):
        tile.gain = staging.per_dollar(state.hex_income(n), state.build_cost(n))
    return tile


def _printed_income(state: Wabash, n: int) -> str:
    board = state.board
    if board.industry_of[n] >= 0:
        return "/".join(str(step) for step in board.tracks[board.industry_of[n]])
    if board.high[n]:
        return f"{board.low[n]}/{board.high[n]}"
    return str(board.low[n]) if board.low[n] else ""


def _decisions(state: Wabash) -> list[Track]:
    return [
        staging.marked_track(f"decision-{word}", word.capitalize(), _steps(limit), at)
        for word, limit, at in zip(WORDS[CAPITALIZE:], state.board.limits, state.markers, strict=False)
    ]


def _steps(limit: int) -> list[str]:
    return ["start", *staging.numbered(1, limit - 1), "end"]


def _industries(state: Wabash) -> list[Track]:
    board = state.board
    return [
        staging.marked_track(f"industry-{board.grid.ids[n]}", board.names[n], list(map(str, board.tracks[k])), at)
        for k, (n, at) in enumerate(zip(board.industrial, state.industry, strict=True))
    ]


def _incomes(state: Wabash, pieces: list[Piece]) -> Track:
    standing = [(state.income[rr], piece) for rr, piece in enumerate(pieces) if state.opened(rr)]
    return staging.counted_track("income", "Income", 1, LAST_BOX, standing)


def _companies(state: Wabash, pieces: list[Piece]) -> list[Company]:
    found = [_company(state, rr, piece) for rr, piece in enumerate(pieces)]
    staging.mark_leader(
        found, "Income", [state.income[rr] if company.started else 0 for rr, company in enumerate(found)]
    )
    staging.mark_leader(found, "Treasury", state.treasury)
    staging.mark_leader(found, "Pays", [_dividend(state, rr) for rr in range(len(found))])
    return found


def _company(state: Wabash, rr: int, piece: Piece) -> Company:
    opened, sold, for_sale = state.opened(rr), state.sold(rr), state.unsold[rr] > 0
    facts = [
        ("Income", str(state.income[rr]) if opened else "–"),
        ("Treasury", f"${state.treasury[rr]}" if opened else "–"),
        ("Sold", f"{sold} of {state.board.shares[rr]}"),
        ("Pays", f"${_dividend(state, rr)}" if sold else "–"),
        ("Min bid", f"${state.minimum_bid(rr)}" if opened and for_sale else "–"),
        ("Cubes", str(state.cubes[rr])),
    ]
    held = staging.holdings_of(state.shares[rr :: state.board.count])
    return Company(f"company-{piece.name}", piece, facts, _note(state, rr), holdings=held, started=opened)


def _note(state: Wabash, rr: int) -> str:
    if not state.opened(rr):
        return f"opens when a railroad reaches {state.board.names[state.board.chicago]}"
    phase = state.phase
    return "a share is being auctioned" if isinstance(phase, ShareAuction) and phase.railroad == rr else ""


def _facts(state: Wabash) -> list[Fact]:
    """In an auction, what is for sale."""
    phase = state.phase
    if not isinstance(phase, ShareAuction):
        return []
    rr = phase.railroad
    now = f"${_dividend(state, rr)} a share now, " if state.sold(rr) else ""
    return [(f"{state.board.railroads[rr]} pays", f"{now}${state.minimum_bid(rr)} with this one sold")]


def _dividend(state: Wabash, rr: int) -> int:
    """What a share would get in a general dividend [W10.2]; nothing if none is sold."""
    sold = state.sold(rr)
    return -(-state.income[rr] // sold) if sold else 0


def _seat(state: Wabash, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = state.board.count
    shares = [(piece, state.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    dividend = sum(count * _dividend(state, rr) for rr, (_, count) in enumerate(shares))
    facts = [("Cash", f"${state.cash[seat]}"), ("Dividend", f"${dividend}"), *staging.bidding(state, seat)]
    return staging.seat_of(state, seat, name, facts, shares)
