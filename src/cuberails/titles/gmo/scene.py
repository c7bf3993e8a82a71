"""What a player sees of Gulf, Mobile & Ohio."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, MOUNTAINS, STATION, TOWN
from cuberails.core.scene import Company, Fact, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.gmo.board import BUILD, CHARTER
from cuberails.titles.gmo.rules import Building, ColorChoice, ShareAuction, charter_pays, dividends_of
from cuberails.titles.gmo.state import Gmo

LAST_BOX = 50
"""The score track ends here; it is continued for a higher score."""

LOOKS = {"rural": FIELDS, "city": TOWN, "start city": STATION, "mountain": MOUNTAINS}

UNSOLD = "white"
"""A railroad without a charter has no colour yet."""

CHARTER_MARK = "★"
"""Before the name of a railroad on its charter: who holds it presides."""

COLUMNS = ("Colour", "Pays", "Cities", "Met", "Left")

LABELS = {
    "Pays": "what each of its shares gets in a dividend: more while the common share is for sale",
    "Met": "the colours that it is connected to, and scores no more",
    "Left": "cubes of its colour in the supply",
    CHARTER_MARK: "charter",
    "Dividend": "what the player would get if dividends were paid now",
}

SEAT_COLORS = ("orange", "brown", "pink", "white", "tan")
"""Of the markers on the score track: none is the colour of a cube."""


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, Gmo)
    state: Gmo = position
    board = state.board
    pieces = [_sign(state, rr) for rr in range(board.count)]
    return staging.scene_of(
        state,
        names,
        _map(state),
        [_supply(state), _sales(state), _score(state, names)],
        _companies(state, pieces),
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        _for_sale(state),
        progress=_progress(state),
        acting=_acting(state, pieces),
        labels=LABELS,
    )


def _progress(state: Gmo) -> list[Fact]:
    """What ends the game [G10.1, G10.2]."""
    laid = len(state.laid) - state.laid.count(0)
    return [
        ("Colours on the board", f"{laid} of {len(state.laid)}"),
        ("Passes in a row", f"{state.passes} of {state.players}"),
    ]


def _acting(state: Gmo, pieces: list[Piece]) -> Piece | None:
    """The railroad that builds, or gets its colour before it does."""
    phase = state.phase
    return pieces[phase.railroad] if isinstance(phase, (Building, ColorChoice)) else None


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


def _sign(state: Gmo, rr: int) -> Piece:
    """The sign of a railroad: its name in its colour, since many railroads have the same one."""
    color, name = state.color[rr], state.board.railroads[rr]
    return Piece(name, state.board.colors[color] if color >= 0 else UNSOLD, name)


def _cube(state: Gmo, rr: int) -> Piece:
    """A cube of a railroad on the map, with the letter of its colour."""
    board, color = state.board, state.color[rr]
    return Piece(board.letters[color], board.colors[color], board.railroads[rr])


def _map(state: Gmo) -> Map:
    board = state.board
    targets = {action.a: [action.text] for action in state.legal_actions() if action.kind == BUILD}
    return staging.hex_map(board, [_tile(state, n, targets.get(n, [])) for n in range(board.grid.size)])


def _tile(state: Gmo, n: int, targets: list[str]) -> Tile:
    board, bit = state.board, state.board.grid.bit[n]
    tile = staging.hex_tile(board, n, board.terrain[n], LOOKS[board.terrain[n]])
    if tile.name and board.points[n] != board.city_points:
        tile.income = tile.now = str(board.points[n])
    tile.cubes = [_cube(state, rr) for rr, track in enumerate(state.track) if track & bit]
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


def _companies(state: Gmo, pieces: list[Piece]) -> list[Company]:
    found = [_company(state, rr, piece) for rr, piece in enumerate(pieces)]
    staging.mark_leader(found, "Cities", [_cities(state, rr) for rr in range(len(found))])
    return found


def _company(state: Gmo, rr: int, piece: Piece) -> Company:
    """A railroad counts as started when its charter is sold, or about to be."""
    started = state.president[rr] >= 0 or bool(_doing(state, rr))
    return Company(
        f"company-{piece.name}",
        piece,
        _figures(state, rr),
        _note(state, rr),
        holdings=_held(state, rr),
        started=started,
    )


def _figures(state: Gmo, rr: int) -> list[Fact]:
    board, color = state.board, state.color[rr]
    if color < 0:
        return [(label, "–") for label in COLUMNS]
    met = [letter for met, letter in enumerate(board.letters) if state.met[rr] >> met & 1]
    figures = [
        board.colors[color],
        f"${charter_pays(state, rr)}",
        str(_cities(state, rr)),
        "".join(met) or "–",
        str(state.supply[color]),
    ]
    return list(zip(COLUMNS, figures, strict=True))


def _cities(state: Gmo, rr: int) -> int:
    return (state.track[rr] & state.board.cities).bit_count()


def _held(state: Gmo, rr: int) -> list[str]:
    """Who has the charter and who the common share."""
    owners = {"charter": state.president[rr], "common": state.holder[rr]}
    return [", ".join(share for share, owner in owners.items() if owner == seat) for seat in range(state.players)]


def _note(state: Gmo, rr: int) -> str:
    """What happens with a railroad, and where it starts if it has not yet."""
    now = _doing(state, rr)
    if state.track[rr]:
        return now
    bonus = state.board.bonus[rr]
    start = f"{state.board.full_names[rr]}: {_start(state, rr)}" + (f", +{bonus} for its charter" if bonus else "")
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
    shares: list[tuple[Piece, int]] = []
    for rr, piece in enumerate(pieces):
        charter = Piece(CHARTER_MARK + piece.letter, piece.color, f"{piece.name} charter")
        common = Piece(piece.letter, piece.color, f"{piece.name} common share")
        shares += [(charter, int(state.president[rr] == seat)), (common, int(state.holder[rr] == seat))]
    facts = [
        ("Points", str(state.points[seat])),
        ("Cash", f"${state.cash[seat]}"),
        ("Dividend", f"${dividends_of(state)[seat]}"),
        *staging.bidding(state, seat),
    ]
    return staging.seat_of(state, seat, name, facts, shares)
