"""What a player sees of Gulf, Mobile & Ohio."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, MOUNTAINS, STATION, TOWN
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.gmo.board import BUILD, CHARTER
from cuberails.titles.gmo.rules import Building, ColorChoice, ShareAuction
from cuberails.titles.gmo.state import Gmo

LAST_BOX = 50
"""The score track ends here; it is continued for a higher score."""

LOOKS = {"rural": FIELDS, "city": TOWN, "start city": STATION, "mountain": MOUNTAINS}

UNSOLD = ("○", "white")
"""A railroad without a charter has no colour yet."""

SEAT_COLORS = ("orange", "brown", "pink", "white", "tan")
"""Of the markers on the score track: none is the colour of a cube."""


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, Gmo)
    state: Gmo = position
    board = state.board
    pieces = [_piece(state, rr) for rr in range(board.count)]
    return staging.scene_of(
        state,
        names,
        _map(state, pieces),
        [_supply(state), _sales(state), _score(state, names)],
        [_company(state, rr, pieces[rr], names) for rr in range(board.count)],
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        _for_sale(state),
    )


def _for_sale(state: Gmo) -> list[tuple[str, str]]:
    """In an auction: what the share pays and what the bid builds."""
    phase, board = state.phase, state.board
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


def _piece(state: Gmo, rr: int) -> Piece:
    board, color = state.board, state.color[rr]
    letter, paint = (board.letters[color], board.colors[color]) if color >= 0 else UNSOLD
    return Piece(letter, paint, board.railroads[rr])


def _map(state: Gmo, pieces: list[Piece]) -> Map:
    board = state.board
    targets = {action.a: [action.text] for action in state.legal_actions() if action.kind == BUILD}
    return staging.hex_map(board, [_tile(state, n, pieces, targets.get(n, [])) for n in range(board.grid.size)])


def _tile(state: Gmo, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board, bit = state.board, state.board.grid.bit[n]
    tile = staging.hex_tile(board, n, board.terrain[n], LOOKS[board.terrain[n]])
    if tile.name and board.points[n] != board.city_points:
        tile.income = tile.now = str(board.points[n])
    tile.cubes = [piece for piece, track in zip(pieces, state.track, strict=True) if track & bit]
    tile.home = _home(state, n)
    tile.targets = targets
    return tile


def _home(state: Gmo, n: int) -> Piece | None:
    """The railroads that may still start here. Where none can now there is a cross, or they wait for a cube."""
    board = state.board
    later = [rr for rr in range(board.count) if n in board.homes[rr] and not state.track[rr]]
    if not later:
        return None
    names = "/".join(board.railroads[rr] for rr in later)
    if not any(state.may_open(rr, n) for rr in later):
        return Piece("…", "white", names)
    return Piece("×", "gray", f"{names} ×") if _bars(state, later[0], n) else Piece("⌂", "tan", names)


def _bars(state: Gmo, rr: int, n: int) -> str:
    """Whose cubes keep a railroad out of a city, in the colour that it has or would get; empty if it may start."""
    colors = [state.color[rr]] if state.color[rr] >= 0 else state.top_colors()
    found = [_blocker(state, color, n) for color in colors]
    return "" if "" in found else " and ".join(found)


def _blocker(state: Gmo, color: int, n: int) -> str:
    board, grid = state.board, state.board.grid
    for rr, track in enumerate(state.track):
        if state.color[rr] == color and track & (grid.near[n] | grid.bit[n]):
            where = "in it" if track & grid.bit[n] else "beside it"
            return f"{board.colors[color]} {board.railroads[rr]} {where}"
    return ""


def _supply(state: Gmo) -> Track:
    board, next_ones = state.board, state.top_colors()
    left = [f"{cubes}★" if color in next_ones else str(cubes) for color, cubes in enumerate(state.supply)]
    cubes = [[Piece(letter, color, color)] for letter, color in zip(board.letters, board.colors, strict=True)]
    return Track("supply", "Cubes in the supply (★ for the next charter)", left, cubes)


def _sales(state: Gmo) -> Track:
    boxes = ["start", *staging.numbered(1, state.board.sales_to_dividend - 1), "pay"]
    return staging.marked_track("sales", "Common shares sold", boxes, state.marker, "sale marker")


def _score(state: Gmo, names: Sequence[str]) -> Track:
    markers = staging.pieces_of(staging.seat_letters(names), list(SEAT_COLORS[: state.players]), list(names))
    return staging.counted_track("score", "Points", 0, LAST_BOX, list(zip(state.points, markers, strict=True)))


def _company(state: Gmo, rr: int, piece: Piece, names: Sequence[str]) -> Company:
    board = state.board
    facts = [("Charter", _charter(state, rr, names)), ("Common", _common(state, rr, names))]
    if state.color[rr] >= 0:
        pays = board.dividend_alone if state.holder[rr] < 0 and not _offered(state, rr) else board.dividend_shared
        met = [letter for color, letter in enumerate(board.letters) if state.met[rr] >> color & 1]
        cities = (state.track[rr] & board.cities).bit_count()
        facts += [("Pays", f"${pays}"), ("Connected to", " ".join(met) or "–"), ("Cities", str(cities))]
    return Company(f"company-{piece.name}", piece, facts, _note(state, rr))


def _charter(state: Gmo, rr: int, names: Sequence[str]) -> str:
    if state.president[rr] >= 0:
        return names[state.president[rr]]
    return "available" if state.opened >> rr & 1 else "waits"


def _common(state: Gmo, rr: int, names: Sequence[str]) -> str:
    if state.holder[rr] >= 0:
        return names[state.holder[rr]]
    return "available" if state.commons() >> rr & 1 else "–"


def _offered(state: Gmo, rr: int) -> bool:
    """Whether the railroad's common share is up for auction: then its charter is turned already."""
    phase = state.phase
    return isinstance(phase, ShareAuction) and phase.railroad == rr and phase.kind != CHARTER


def _note(state: Gmo, rr: int) -> str:
    """What happens with a railroad, and where it starts if it has not yet."""
    now = _doing(state, rr)
    if state.track[rr]:
        return now
    start = f"{state.board.full_names[rr]}: {_start(state, rr)}"
    return f"{now}; {start}" if now else start


def _doing(state: Gmo, rr: int) -> str:
    phase = state.phase
    if isinstance(phase, ShareAuction) and phase.railroad == rr:
        return f"the {'charter' if phase.kind == CHARTER else 'common share'} is up for auction"
    if isinstance(phase, Building) and phase.railroad == rr:
        return "is building"
    return "gets its colour" if isinstance(phase, ColorChoice) and phase.railroad == rr else ""


def _start(state: Gmo, rr: int) -> str:
    """Where a railroad may start, and why not in its other home."""
    board = state.board
    names = board.names
    if not state.opened >> rr & 1:
        return "waits for " + " or ".join(names[n] for n in board.homes[rr])
    may: list[str] = []
    may_not: list[str] = []
    for n in board.homes[rr]:
        bars = _bars(state, rr, n) if state.may_open(rr, n) else "no cube yet"
        if bars:
            may_not.append(f"not {names[n]} ({bars})")
        else:
            may.append(names[n])
    start = ["starts in " + " or ".join(may)] if may else []
    return ", ".join(start + may_not)


def _seat(state: Gmo, seat: int, name: str, pieces: list[Piece]) -> Seat:
    held = [(state.president[rr] == seat) + (state.holder[rr] == seat) for rr in range(state.board.count)]
    facts = [("Points", str(state.points[seat])), ("Cash", f"${state.cash[seat]}"), *staging.bidding(state, seat)]
    return staging.seat_of(state, seat, name, facts, list(zip(pieces, held, strict=True)))
