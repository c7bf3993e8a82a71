"""What a player sees of Wabash Cannonball."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.hexes import center_of
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track, per_dollar
from cuberails.core.state import State
from cuberails.titles.wabash.board import BUILD, CAPITALIZE, DEVELOP, WORDS
from cuberails.titles.wabash.rules import Expansion, ShareAuction, Wabash

LAST_BOX = 50
"""The income track of the board ends here; more than that is counted on."""


def scene(state: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(state, Wabash)
    game: Wabash = state
    board = game.board
    pieces = [
        Piece(letter, color, name)
        for letter, color, name in zip(board.letters, board.colors, board.railroads, strict=True)
    ]
    return Scene(
        title=board.name,
        note=board.reconstructed,
        prompt=_prompt(game, names),
        map=_map(game, pieces),
        tracks=[*_decisions(game), *_industries(game), _incomes(game, pieces)],
        companies=[_company(game, rr, piece) for rr, piece in enumerate(pieces)],
        seats=[_seat(game, seat, name, pieces) for seat, name in enumerate(names)],
        facts=_facts(game),
    )


def _prompt(game: Wabash, names: Sequence[str]) -> str:
    if game.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in game.winners()) + " won"
    return f"{names[game.actor]}: {game.prompt}"


def _map(game: Wabash, pieces: list[Piece]) -> Map:
    board = game.board
    targets: list[list[str]] = [[] for _ in range(board.grid.size)]
    for action in game.legal_actions():
        if action.kind in (BUILD, DEVELOP) and action.a >= 0:
            targets[action.a].append(action.text)
    tiles = [_tile(game, n, pieces, targets[n]) for n in range(board.grid.size)]
    water = [center_of(board.layout, cell.col, cell.row) for cell in board.water]
    return Map(board.layout == "flat", tiles, water)


def _tile(game: Wabash, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = game.board
    id, bit = board.grid.ids[n], board.grid.bit[n]
    x, y = board.grid.center(n)
    terrain = board.terrain[n]
    home = [piece for piece, start in zip(pieces, board.start, strict=True) if start == n]
    building = isinstance(game.phase, Expansion)
    earns = terrain not in ("farm", "timber", "start city")
    return Tile(
        key=f"hex-{id}",
        id=id,
        x=x,
        y=y,
        terrain="chicago" if n == board.chicago else terrain,
        name=board.names[n],
        cost=f"${board.cost[n]}" if terrain != "start city" else "",
        income=_printed_income(game, n),
        now=str(game.hex_income(n)) if earns else "",
        cubes=[piece for piece, track in zip(pieces, game.track, strict=True) if track & bit],
        developed=bool(game.developed & bit) and not bool(board.industrial_bits & bit),
        home=home[0] if home else None,
        doubt=board.doubts.get(id, ""),
        targets=targets,
        gain=per_dollar(game.hex_income(n), game.build_cost(n)) if targets and building else "",
    )


def _printed_income(game: Wabash, n: int) -> str:
    board = game.board
    if board.industry_of[n] >= 0:
        return "/".join(str(step) for step in board.tracks[board.industry_of[n]])
    if board.high[n]:
        return f"{board.low[n]}/{board.high[n]}"
    return str(board.low[n]) if board.low[n] else ""


def _decisions(game: Wabash) -> list[Track]:
    return [
        _steps(f"decision-{word}", word.capitalize(), ["start", *(str(n) for n in range(1, limit)), "end"], at)
        for word, limit, at in zip(WORDS[CAPITALIZE:], game.board.limits, game.markers, strict=False)
    ]


def _industries(game: Wabash) -> list[Track]:
    board = game.board
    return [
        _steps(f"industry-{board.names[n]}", board.names[n], [str(step) for step in board.tracks[k]], game.industry[k])
        for k, n in enumerate(board.industrial)
    ]


def _steps(key: str, label: str, boxes: list[str], at: int) -> Track:
    marker = Piece("●", "tan", label)
    return Track(key, label, boxes, [[marker] if n == at else [] for n in range(len(boxes))])


def _incomes(game: Wabash, pieces: list[Piece]) -> Track:
    last = max(LAST_BOX, *game.income)
    stand: list[list[Piece]] = [[] for _ in range(last)]
    for rr, piece in enumerate(pieces):
        if game.opened(rr):
            stand[game.income[rr] - 1].append(piece)
    return Track("income", "Income", [str(n + 1) for n in range(last)], stand)


def _company(game: Wabash, rr: int, piece: Piece) -> Company:
    sold, total = game.sold(rr), game.board.shares[rr]
    if not game.opened(rr):
        shares = [("Shares sold", f"{sold} of {total}")]
        return Company(f"company-{piece.name}", piece, shares, "opens when a railroad reaches Chicago")
    facts = [
        ("Income", str(game.income[rr])),
        ("Treasury", f"${game.treasury[rr]}"),
        ("Shares sold", f"{sold} of {total}"),
        ("Dividend now", f"${_dividend(game, rr)}" if sold else "–"),
        ("Diluted", f"${game.minimum_bid(rr)}" if game.unsold[rr] else "–"),
        ("Minimum bid", f"${game.minimum_bid(rr)}" if game.unsold[rr] else "–"),
        ("Cubes left", str(game.cubes[rr])),
    ]
    phase = game.phase
    offered = isinstance(phase, ShareAuction) and phase.railroad == rr
    return Company(f"company-{piece.name}", piece, facts, "a share is being auctioned" if offered else "")


def _facts(game: Wabash) -> list[tuple[str, str]]:
    """What is left of the development cubes and, in an auction, what is for sale."""
    phase, facts = game.phase, [("Development cubes left", str(game.supply))]
    if not isinstance(phase, ShareAuction):
        return facts
    rr = phase.railroad
    now = f"${_dividend(game, rr)} a share now, " if game.sold(rr) else ""
    return [(f"{game.board.railroads[rr]} pays", f"{now}${game.minimum_bid(rr)} with this one sold"), *facts]


def _dividend(game: Wabash, rr: int) -> int:
    """What a share would get in a general dividend [W10.2]."""
    return -(-game.income[rr] // game.sold(rr))


def _seat(game: Wabash, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = game.board.count
    shares = [(piece, game.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    facts = [("Cash", f"${game.cash[seat]}")]
    phase = game.phase
    if isinstance(phase, ShareAuction):
        if phase.leader == seat:
            facts.append(("Highest bid", f"${phase.highest}"))
        elif not phase.inside >> seat & 1:
            facts.append(("Auction", "passed"))
    over = game.actor is None
    return Seat(
        key=f"seat-{seat}",
        name=name,
        facts=facts,
        shares=[(piece, held) for piece, held in shares if held],
        deciding=game.actor == seat,
        winner=over and seat in game.winners(),
    )
