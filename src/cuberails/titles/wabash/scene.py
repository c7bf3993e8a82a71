"""What a player sees of Wabash Cannonball."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.hexes import center_of
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track, per_dollar
from cuberails.core.state import State
from cuberails.titles.wabash.board import BUILD, CAPITALIZE, DEVELOP, WORDS
from cuberails.titles.wabash.rules import Expansion, ShareAuction
from cuberails.titles.wabash.state import Wabash

LAST_BOX = 50
"""The income track of the board ends here; more than that is counted on."""


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, Wabash)
    state: Wabash = position
    board = state.board
    pieces = [
        Piece(letter, color, name)
        for letter, color, name in zip(board.letters, board.colors, board.railroads, strict=True)
    ]
    return Scene(
        title=board.title.name,
        note=board.provenance.note,
        prompt=_prompt(state, names),
        map=_map(state, pieces),
        tracks=[*_decisions(state), *_industries(state), _incomes(state, pieces)],
        companies=[_company(state, rr, piece) for rr, piece in enumerate(pieces)],
        seats=[_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        facts=_facts(state),
    )


def _prompt(state: Wabash, names: Sequence[str]) -> str:
    if state.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in state.winners()) + " won"
    return f"{names[state.actor]}: {state.prompt}"


def _map(state: Wabash, pieces: list[Piece]) -> Map:
    board = state.board
    targets: list[list[str]] = [[] for _ in range(board.grid.size)]
    for action in state.legal_actions():
        if action.kind in (BUILD, DEVELOP) and action.a >= 0:
            targets[action.a].append(action.text)
    tiles = [_tile(state, n, pieces, targets[n]) for n in range(board.grid.size)]
    water = [center_of(board.layout, cell.col, cell.row) for cell in board.water]
    return Map(board.layout == "flat", tiles, water)


def _tile(state: Wabash, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = state.board
    id, bit = board.grid.ids[n], board.grid.bit[n]
    x, y = board.grid.center(n)
    terrain = board.terrain[n]
    home = [piece for piece, start in zip(pieces, board.start, strict=True) if start == n]
    building = isinstance(state.phase, Expansion)
    earns = terrain not in ("farm", "timber", "start city")
    return Tile(
        key=f"hex-{id}",
        id=id,
        x=x,
        y=y,
        terrain="chicago" if n == board.chicago else terrain,
        name=board.names[n],
        cost=f"${board.cost[n]}" if terrain != "start city" else "",
        income=_printed_income(state, n),
        now=str(state.hex_income(n)) if earns else "",
        cubes=[piece for piece, track in zip(pieces, state.track, strict=True) if track & bit],
        developed=bool(state.developed & bit) and not bool(board.industrial_bits & bit),
        home=home[0] if home else None,
        doubt=board.doubts.get(id, ""),
        targets=targets,
        gain=per_dollar(state.hex_income(n), state.build_cost(n)) if targets and building else "",
    )


def _printed_income(state: Wabash, n: int) -> str:
    board = state.board
    if board.industry_of[n] >= 0:
        return "/".join(str(step) for step in board.tracks[board.industry_of[n]])
    if board.high[n]:
        return f"{board.low[n]}/{board.high[n]}"
    return str(board.low[n]) if board.low[n] else ""


def _decisions(state: Wabash) -> list[Track]:
    return [
        _steps(f"decision-{word}", word.capitalize(), ["start", *(str(n) for n in range(1, limit)), "end"], at)
        for word, limit, at in zip(WORDS[CAPITALIZE:], state.board.limits, state.markers, strict=False)
    ]


def _industries(state: Wabash) -> list[Track]:
    board = state.board
    return [
        _steps(f"industry-{board.names[n]}", board.names[n], [str(step) for step in board.tracks[k]], state.industry[k])
        for k, n in enumerate(board.industrial)
    ]


def _steps(key: str, label: str, boxes: list[str], at: int) -> Track:
    marker = Piece("●", "tan", label)
    return Track(key, label, boxes, [[marker] if n == at else [] for n in range(len(boxes))])


def _incomes(state: Wabash, pieces: list[Piece]) -> Track:
    last = max(LAST_BOX, *state.income)
    stand: list[list[Piece]] = [[] for _ in range(last)]
    for rr, piece in enumerate(pieces):
        if state.opened(rr):
            stand[state.income[rr] - 1].append(piece)
    return Track("income", "Income", [str(n + 1) for n in range(last)], stand)


def _company(state: Wabash, rr: int, piece: Piece) -> Company:
    sold, total = state.sold(rr), state.board.shares[rr]
    if not state.opened(rr):
        shares = [("Shares sold", f"{sold} of {total}")]
        return Company(f"company-{piece.name}", piece, shares, "opens when a railroad reaches Chicago")
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
    facts = [("Cash", f"${state.cash[seat]}")]
    phase = state.phase
    if isinstance(phase, ShareAuction):
        if phase.leader == seat:
            facts.append(("Highest bid", f"${phase.highest}"))
        elif not phase.inside >> seat & 1:
            facts.append(("Auction", "passed"))
    over = state.actor is None
    return Seat(
        key=f"seat-{seat}",
        name=name,
        facts=facts,
        shares=[(piece, held) for piece, held in shares if held],
        deciding=state.actor == seat,
        winner=over and seat in state.winners(),
    )
