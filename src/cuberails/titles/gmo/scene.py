"""What a player sees of Gulf, Mobile & Ohio."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.hexes import center_of
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.gmo.board import BUILD, CHARTER
from cuberails.titles.gmo.rules import Building, ColorChoice, Gmo, ShareAuction

LAST_BOX = 50
"""The score track ends here; more than that is counted on."""

UNSOLD = ("○", "white")
"""A railroad without a charter has no colour yet."""

SEAT_COLORS = ("orange", "brown", "pink", "white", "tan")
"""Of the markers on the score track: none is the colour of a cube."""


def scene(state: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(state, Gmo)
    game: Gmo = state
    board = game.board
    pieces = [_piece(game, rr) for rr in range(board.count)]
    return Scene(
        title=board.name,
        note=board.reconstructed,
        prompt=_prompt(game, names),
        map=_map(game, pieces),
        tracks=[_supply(game), _sales(game), _score(game, names)],
        companies=[_company(game, rr, pieces[rr], names) for rr in range(board.count)],
        seats=[_seat(game, seat, name, pieces) for seat, name in enumerate(names)],
        facts=_for_sale(game),
    )


def _for_sale(game: Gmo) -> list[tuple[str, str]]:
    """In an auction: what the share pays and what the bid builds."""
    phase, board = game.phase, game.board
    if not isinstance(phase, ShareAuction):
        return []
    name, then = board.railroads[phase.railroad], f"${board.dividend_shared}"
    if phase.kind == CHARTER:
        pays = f"pays ${board.dividend_alone}, {then} once the common share is up"
    else:
        pays = f"pays {then}, and the charter {then} instead of ${board.dividend_alone}"
    builds = f"each ${board.cube_cost} of the bid is a cube"
    kind = "charter" if phase.kind == CHARTER else "common share"
    return [(f"{name} {kind}", f"{pays}; {builds}")]


def _piece(game: Gmo, rr: int) -> Piece:
    board, color = game.board, game.color[rr]
    letter, paint = (board.letters[color], board.colors[color]) if color >= 0 else UNSOLD
    return Piece(letter, paint, board.railroads[rr])


def _prompt(game: Gmo, names: Sequence[str]) -> str:
    if game.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in game.winners()) + " won"
    return f"{names[game.actor]}: {game.prompt}"


def _map(game: Gmo, pieces: list[Piece]) -> Map:
    board = game.board
    targets = {action.a: [action.text] for action in game.legal_actions() if action.kind == BUILD}
    tiles = [_tile(game, n, pieces, targets.get(n, [])) for n in range(board.grid.size)]
    water = [center_of(board.layout, cell.col, cell.row) for cell in board.water]
    return Map(board.layout == "flat", tiles, water)


def _tile(game: Gmo, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = game.board
    id, bit = board.grid.ids[n], board.grid.bit[n]
    x, y = board.grid.center(n)
    points = str(board.points[n]) if board.points[n] != board.city_points and board.names[n] else ""
    return Tile(
        key=f"hex-{id}",
        id=id,
        x=x,
        y=y,
        terrain=board.terrain[n],
        name=board.names[n],
        income=points,
        now=points,
        cubes=[piece for piece, track in zip(pieces, game.track, strict=True) if track & bit],
        home=_home(game, n),
        targets=targets,
    )


def _home(game: Gmo, n: int) -> Piece | None:
    """The railroads that may still start here. Where none can now there is a cross, or they wait for a cube."""
    board = game.board
    later = [rr for rr in range(board.count) if n in board.homes[rr] and not game.track[rr]]
    if not later:
        return None
    names = "/".join(board.railroads[rr] for rr in later)
    if not any(game.may_open(rr, n) for rr in later):
        return Piece("…", "white", names)
    return Piece("×", "gray", f"{names} ×") if _bars(game, later[0], n) else Piece("⌂", "tan", names)


def _bars(game: Gmo, rr: int, n: int) -> str:
    """Whose cubes keep a railroad out of a city, in the colour that it has or would get; empty if it may start."""
    colors = [game.color[rr]] if game.color[rr] >= 0 else game.top_colors()
    found = [_blocker(game, color, n) for color in colors]
    return "" if "" in found else " and ".join(found)


def _blocker(game: Gmo, color: int, n: int) -> str:
    board, grid = game.board, game.board.grid
    for rr, track in enumerate(game.track):
        if game.color[rr] == color and track & (grid.near[n] | grid.bit[n]):
            where = "in it" if track & grid.bit[n] else "beside it"
            return f"{board.colors[color]} {board.railroads[rr]} {where}"
    return ""


def _supply(game: Gmo) -> Track:
    board, next_ones = game.board, game.top_colors()
    left = [f"{cubes}★" if color in next_ones else str(cubes) for color, cubes in enumerate(game.supply)]
    cubes = [[Piece(letter, color, color)] for letter, color in zip(board.letters, board.colors, strict=True)]
    return Track("supply", "Cubes in the supply (★ for the next charter)", left, cubes)


def _sales(game: Gmo) -> Track:
    boxes = ["start", *(str(n) for n in range(1, game.board.sales_to_dividend)), "pay"]
    marker = Piece("●", "tan", "sale marker")
    return Track(
        "sales", "Common shares sold", boxes, [[marker] if n == game.marker else [] for n in range(len(boxes))]
    )


def _score(game: Gmo, names: Sequence[str]) -> Track:
    last = max(LAST_BOX, *game.points)
    initials = [name[:1].upper() for name in names]
    letters = initials if len(set(initials)) == len(initials) else [str(seat) for seat in range(len(names))]
    stand: list[list[Piece]] = [[] for _ in range(last + 1)]
    for seat, points in enumerate(game.points):
        stand[points].append(Piece(letters[seat], SEAT_COLORS[seat], names[seat]))
    return Track("score", "Points", [str(n) for n in range(last + 1)], stand)


def _company(game: Gmo, rr: int, piece: Piece, names: Sequence[str]) -> Company:
    board = game.board
    facts = [("Charter", _charter(game, rr, names)), ("Common", _common(game, rr, names))]
    if game.color[rr] >= 0:
        pays = board.dividend_alone if game.holder[rr] < 0 and not _offered(game, rr) else board.dividend_shared
        met = [letter for color, letter in enumerate(board.letters) if game.met[rr] >> color & 1]
        cities = (game.track[rr] & board.cities).bit_count()
        facts += [("Pays", f"${pays}"), ("Connected to", " ".join(met) or "–"), ("Cities", str(cities))]
    return Company(f"company-{piece.name}", piece, facts, _note(game, rr))


def _charter(game: Gmo, rr: int, names: Sequence[str]) -> str:
    if game.president[rr] >= 0:
        return names[game.president[rr]]
    return "available" if game.opened >> rr & 1 else "waits"


def _common(game: Gmo, rr: int, names: Sequence[str]) -> str:
    if game.holder[rr] >= 0:
        return names[game.holder[rr]]
    return "available" if game.commons() >> rr & 1 else "–"


def _offered(game: Gmo, rr: int) -> bool:
    """Whether the railroad's common share is up for auction: then its charter is turned already."""
    phase = game.phase
    return isinstance(phase, ShareAuction) and phase.railroad == rr and phase.kind != CHARTER


def _note(game: Gmo, rr: int) -> str:
    """What goes on with a railroad, and where it starts if it has not yet."""
    now = _doing(game, rr)
    if game.track[rr]:
        return now
    start = f"{game.board.full_names[rr]}: {_start(game, rr)}"
    return f"{now}; {start}" if now else start


def _doing(game: Gmo, rr: int) -> str:
    phase = game.phase
    if isinstance(phase, ShareAuction) and phase.railroad == rr:
        return f"the {'charter' if phase.kind == CHARTER else 'common share'} is up for auction"
    if isinstance(phase, Building) and phase.railroad == rr:
        return "is building"
    return "gets its colour" if isinstance(phase, ColorChoice) and phase.railroad == rr else ""


def _start(game: Gmo, rr: int) -> str:
    """Where a railroad may start, and why not in its other home."""
    board = game.board
    names = board.names
    if not game.opened >> rr & 1:
        return "waits for " + " or ".join(names[n] for n in board.homes[rr])
    may: list[str] = []
    may_not: list[str] = []
    for n in board.homes[rr]:
        bars = _bars(game, rr, n) if game.may_open(rr, n) else "no cube yet"
        if bars:
            may_not.append(f"not {names[n]} ({bars})")
        else:
            may.append(names[n])
    start = ["starts in " + " or ".join(may)] if may else []
    return ", ".join(start + may_not)


def _seat(game: Gmo, seat: int, name: str, pieces: list[Piece]) -> Seat:
    held = [(game.president[rr] == seat) + (game.holder[rr] == seat) for rr in range(game.board.count)]
    facts = [("Points", str(game.points[seat])), ("Cash", f"${game.cash[seat]}")]
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
        shares=[(piece, count) for piece, count in zip(pieces, held, strict=True) if count],
        deciding=game.actor == seat,
        winner=over and seat in game.winners(),
    )
