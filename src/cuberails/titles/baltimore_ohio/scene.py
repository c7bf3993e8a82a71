"""What a player sees of Baltimore & Ohio."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, METROPOLIS, MOUNTAINS, TOWN, Look
from cuberails.core.scene import Company, Fact, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.board import BUILD, SERVE, TAKE_COAL, TAKE_TIMBER
from cuberails.titles.baltimore_ohio.business import best_income, gross_income, outcome, timber_hex, upkeep
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, MarketTurn, Profit, Service
from cuberails.titles.baltimore_ohio.sheets import sheets_of
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

NEXT_CARDS = 5
"""How many cards of the equipment deck are shown with their prices."""

LOOKS = {
    "land": FIELDS,
    "mountain": MOUNTAINS,
    "coal": Look("#c4bcb2", "hammers", "▲", 131),
    "city": TOWN,
    "Chicago": METROPOLIS,
}

COLUMNS = ("Value", "Treasury", "Held", "Orphans", "Last net", "A share", "Cards")

LABELS = {
    "Held": "shares that the railroad holds; buying them pays into its treasury",
    "Orphans": "shares that players have sold; buying them pays the bank",
    "Last net": "net income of its last Business turn",
    "A share": "what a share would get now, with the cities, cards and counters as they are",
    "Cards": "its equipment by tech",
    "★": "president",
    "Worth": "cash and the value of the shares",
}

COAL = Piece("c", "gray", "coal counter")
TIMBER = Piece("t", "tan", "timber counter")


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, BaltimoreOhio)
    state: BaltimoreOhio = position
    board = state.board
    pieces = staging.pieces_of(board.letters, board.colors, board.railroads)
    return staging.scene_of(
        state,
        names,
        _map(state, pieces),
        [_valuation(state, pieces), _tech(state), _rounds(state), _equipment(state), _cards(state, names)],
        _companies(state, pieces),
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        [*_previews(state, names), *_next(state, names)],
        progress=_progress(state),
        sheets=sheets_of(state),
        acting=_acting_piece(state, pieces),
        labels=LABELS,
    )


def _progress(state: BaltimoreOhio) -> list[Fact]:
    """What ends the game after the second Business Round [B16.1]."""
    board = state.board
    best = f"${state.value(state.line[0])}" if state.line else "none"
    facts = [("Tech", f"{state.tech} of {board.end_tech}")]
    if state.tech < board.end_tech:
        away = board.card_tech.index(board.end_tech) - state.deck
        facts.append(("Cards until then", str(away + 1)))
    return [*facts, ("Best stock", f"{best}, ends at ${board.values[board.end_box]}")]


def _acting_piece(state: BaltimoreOhio, pieces: list[Piece]) -> Piece | None:
    rr = _acting(state)
    return pieces[rr] if rr >= 0 else None


# The map


def _map(state: BaltimoreOhio, pieces: list[Piece]) -> Map:
    board, grid = state.board, state.board.grid
    targets = _targets(state)
    table = staging.hex_map(board, [_tile(state, n, pieces, targets.get(n, [])) for n in range(grid.size)])
    table.barriers = [(grid.center(one), grid.center(other)) for one, other in board.heavy_lines]
    return table


def _targets(state: BaltimoreOhio) -> dict[int, list[str]]:
    """The legal actions that point at a hex."""
    found: dict[int, list[str]] = {}
    for action in state.legal_actions():
        if action.kind in (BUILD, TAKE_COAL, SERVE) and action.a >= 0:
            found.setdefault(action.a, []).append(action.text)
        elif action.kind == TAKE_TIMBER:
            found.setdefault(timber_hex(state), []).append(action.text)
    return found


def _tile(state: BaltimoreOhio, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board, bit = state.board, state.board.grid.bit[n]
    tile = staging.hex_tile(board, n, _called(state, n), LOOKS[board.terrain[n]])
    tile.cost = f"${board.cost[n]}"
    if board.cities & bit:
        tile.income = "/".join(str(row[n]) for row in board.income[1:])
        tile.now = str(board.income[state.tech][n])
        tile.step = state.tech - 1
    tile.cubes = [piece for piece, track in zip(pieces, state.track, strict=True) if track & bit]
    tile.cubes += _counters(state, n)
    tile.home = next((piece for piece, start in zip(pieces, board.start_hex, strict=True) if start == n), None)
    tile.targets = targets
    tile.gain = _gain(state, n) if targets else ""
    return tile


def _called(state: BaltimoreOhio, n: int) -> str:
    """The terrain of a hex; a city without a limit of railroads is a kind of its own."""
    board, terrain = state.board, state.board.terrain[n]
    return board.names[n] if terrain == "Chicago" else "rural" if terrain == "land" else terrain


def _gain(state: BaltimoreOhio, n: int) -> str:
    """What a railroad that builds here would earn more, with the equipment that it has."""
    phase = state.phase
    if not isinstance(phase, BusinessTurn) or state.track[phase.railroad] & state.board.grid.bit[n]:
        return ""
    rr, grown = phase.railroad, state.copy()
    grown.track = state.track[:]
    grown.track[rr] |= state.board.grid.bit[n]
    capacity = state.capacity(rr)
    return staging.per_dollar(best_income(grown, rr, capacity) - best_income(state, rr, capacity), state.board.cost[n])


def _counters(state: BaltimoreOhio, n: int) -> list[Piece]:
    """The counters that nobody has taken yet."""
    coal = [COAL] if state.coal_left & state.board.grid.bit[n] else []
    return [*coal, TIMBER] if state.timber < 0 and n == timber_hex(state) else coal


# Tracks


def _valuation(state: BaltimoreOhio, pieces: list[Piece]) -> Track:
    """The counters in each box, the topmost first: it acts first."""
    values = state.board.values
    stacks = [[pieces[rr] for rr in state.line if state.box[rr] == box] for box in range(len(values))]
    return Track("valuation", "Valuation", [f"${value}" for value in values], stacks)


def _tech(state: BaltimoreOhio) -> Track:
    return staging.marked_track("tech", "Technology level", staging.numbered(1, state.board.levels), state.tech - 1)


def _rounds(state: BaltimoreOhio) -> Track:
    return staging.marked_track(
        "round", f"Set {state.round.sets}: market, business", ["mkt", "1st", "2nd"], state.round.business
    )


def _equipment(state: BaltimoreOhio) -> Track:
    """The next cards of the deck with price and tech."""
    board, deck = state.board, state.deck
    cards = range(deck, min(deck + NEXT_CARDS, len(board.card_cost)))
    left = len(board.card_cost) - deck
    boxes = [f"${board.card_cost[card]}" for card in cards] or ["none"]
    levels = [
        [Piece(str(board.card_tech[card]), "white", f"#{card + 1}, tech {board.card_tech[card]}")] for card in cards
    ]
    return Track("equipment", f"Equipment, {left} cards left (price and tech)", boxes, levels or [[]])


def _cards(state: BaltimoreOhio, names: Sequence[str]) -> Track:
    boxes = staging.numbered(1, state.players)
    markers = staging.pieces_of(staging.seat_letters(names), ["natural"] * state.players, list(names))
    holders = [[markers[seat]] for seat in state.round.order]
    return Track("order", "Player order", boxes, holders or [[] for _ in boxes])


# Railroads and seats


def _companies(state: BaltimoreOhio, pieces: list[Piece]) -> list[Company]:
    found = [_company(state, rr, piece) for rr, piece in enumerate(pieces)]
    running = [state.running(rr) for rr in range(len(found))]
    staging.mark_leader(found, "Value", [state.value(rr) if runs else 0 for rr, runs in enumerate(running)])
    staging.mark_leader(found, "Treasury", state.treasury)
    staging.mark_leader(found, "Last net", state.net)
    staging.mark_leader(found, "A share", [_share(state, rr) if runs else 0 for rr, runs in enumerate(running)])
    return found


def _company(state: BaltimoreOhio, rr: int, piece: Piece) -> Company:
    key = f"company-{piece.name}"
    if not state.running(rr):
        facts, nothing = [(label, "–") for label in COLUMNS], [""] * state.players
        return Company(key, piece, facts, _idle(state, rr), holdings=nothing, started=False)
    figures = [
        f"${state.value(rr)}",
        f"${state.treasury[rr]}",
        str(state.held[rr]),
        str(state.orphans[rr]),
        f"${state.net[rr]}",
        f"${_share(state, rr)}",
        _equipment_of(state, rr),
    ]
    return Company(key, piece, list(zip(COLUMNS, figures, strict=True)), _remark(state, rr), holdings=_held(state, rr))


def _held(state: BaltimoreOhio, rr: int) -> list[str]:
    """What each seat has, with a star for the president."""
    counts = staging.holdings_of(state.holdings(rr))
    counts[state.president[rr]] = "★" + counts[state.president[rr]]
    return counts


def _share(state: BaltimoreOhio, rr: int) -> int:
    """The dividend of a share if the railroad closed its accounts now [B15.2]; nothing if it were unprofitable."""
    return max(0, gross_income(state, rr) - upkeep(state, rr)) // state.board.shares


def _idle(state: BaltimoreOhio, rr: int) -> str:
    if state.in_receivership(rr):
        return "in receivership; may be restarted in a Market Round"
    tech = state.board.from_tech[rr]
    return "may be started" if tech <= state.tech else f"may be started from technology level {tech} on"


def _equipment_of(state: BaltimoreOhio, rr: int) -> str:
    """The cards by tech: "1 1 2" are two cards of tech 1 and one of tech 2."""
    return " ".join(str(tech) for tech, cards in enumerate(state.cards(rr), 1) for _ in range(cards)) or "–"


def _remark(state: BaltimoreOhio, rr: int) -> str:
    """What the railroad carries besides, and if it acts, what it serves and can build."""
    said = [f"{state.coal[rr]} coal"] if state.coal[rr] else []
    said += ["timber"] if state.timber == rr else []
    if _acting(state) == rr:
        cities = (state.track[rr] & state.board.cities).bit_count()
        said += [
            f"acts now: serves {min(state.capacity(rr), cities)} of {cities} {'city' if cities == 1 else 'cities'}"
        ]
        said += [f"{state.cubes[rr]} cube{'s' * (state.cubes[rr] != 1)} left"]
    return ", ".join(said)


def _acting(state: BaltimoreOhio) -> int:
    """The railroad whose Business turn it is, or -1."""
    phase = state.phase
    return phase.railroad if isinstance(phase, (BusinessTurn, Service, Profit)) else -1


def _seat(state: BaltimoreOhio, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = state.board.count
    signs = [_certificate(piece, state.president[rr] == seat) for rr, piece in enumerate(pieces)]
    shares = list(zip(signs, state.shares[seat * count : (seat + 1) * count], strict=True))
    worth = state.portfolio(seat)
    facts = [("Worth", f"${state.cash[seat] + worth}"), ("Cash", f"${state.cash[seat]}"), ("Shares", f"${worth}")]
    return staging.seat_of(state, seat, name, facts, shares)


def _certificate(piece: Piece, presides: bool) -> Piece:
    """Shares of a railroad, with a star for its president."""
    return Piece(f"★{piece.letter}", piece.color, piece.name) if presides else piece


# What a choice would bring, and who is next


def _previews(state: BaltimoreOhio, names: Sequence[str]) -> list[tuple[str, str]]:
    phase = state.phase
    if isinstance(phase, Profit):
        return [
            ("If paid", _outcome(state, phase, True, names)),
            ("If retained", _outcome(state, phase, False, names)),
        ]
    return []


def _outcome(state: BaltimoreOhio, phase: Profit, paid: bool, names: Sequence[str]) -> str:
    """Cash for each seat and for the treasury, and where the counter goes."""
    board, rr = state.board, phase.railroad
    result = outcome(state, rr, phase.net, paid)
    said = [f"{names[seat]} ${cash}" for seat, cash in enumerate(result.cash) if cash]
    said += [f"treasury ${result.treasury}"] if result.treasury else []
    move = "stays at" if result.box == state.box[rr] else "goes to"
    return f"{', '.join(said)}; {board.railroads[rr]} {move} ${board.values[result.box]}"


def _next(state: BaltimoreOhio, names: Sequence[str]) -> list[tuple[str, str]]:
    """Who acts next, and why."""
    phase = state.phase
    if isinstance(phase, MarketTurn):
        order = [names[state.round.order[(phase.place + n) % state.players]] for n in range(1, state.players)]
        return [("Then, by their cards", ", ".join(order))]
    if state.queue:
        return [("Then, by value", ", ".join(state.board.railroads[rr] for rr in state.queue))]
    return []
