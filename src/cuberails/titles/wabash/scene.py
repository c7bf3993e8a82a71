"""What a player sees of Wabash Cannonball."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, FOREST, INDUSTRY, METROPOLIS, MINE, STATION, TOWN
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.wabash.board import BUILD, CAPITALIZE, DEVELOP, WORDS
from cuberails.titles.wabash.rules import Expansion, ShareAuction
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
        [_company(state, rr, piece) for rr, piece in enumerate(pieces)],
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        _facts(state),
    )


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


def _company(state: Wabash, rr: int, piece: Piece) -> Company:
    sold, total = state.sold(rr), state.board.shares[rr]
    if not state.opened(rr):
        waits = f"opens when a railroad reaches {state.board.names[state.board.chicago]}"
        return Company(f"company-{piece.name}", piece, [("Shares sold", f"{sold} of {total}")], waits)
    facts = [
        ("Income", str(state.income[rr])),
        ("Treasury", f"${state.treasury[rr]}"),
        ("Shares sold", f"{sold} of {total}"),
        ("Dividend now", f"${_dividend(state, rr)}" if sold else "–"),
        ("Diluted", f"${state.minimum_bid(rr)}" if state.unsold[rr] else "–"),
        ("Minimum bid", f"${state.minimum_bid(rr)}" if state.unsold[rr] else "–"),
        ("Cubes left", str(state.cubes[rr])),
    ]
    phase = state.phase
    offered = isinstance(phase, ShareAuction) and phase.railroad == rr
    return Company(f"company-{piece.name}", piece, facts, "a share is being auctioned" if offered else "")


def _facts(state: Wabash) -> list[tuple[str, str]]:
    """What is left of the development cubes and, in an auction, what is for sale."""
    phase, facts = state.phase, [("Development cubes left", str(state.supply))]
    if not isinstance(phase, ShareAuction):
        return facts
    rr = phase.railroad
    now = f"${_dividend(state, rr)} a share now, " if state.sold(rr) else ""
    return [(f"{state.board.railroads[rr]} pays", f"{now}${state.minimum_bid(rr)} with this one sold"), *facts]


def _dividend(state: Wabash, rr: int) -> int:
    """What a share would get in a general dividend [W10.2]."""
    return -(-state.income[rr] // state.sold(rr))


def _seat(state: Wabash, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = state.board.count
    shares = [(piece, state.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    return staging.seat_of(state, seat, name, [("Cash", f"${state.cash[seat]}"), *staging.bidding(state, seat)], shares)
