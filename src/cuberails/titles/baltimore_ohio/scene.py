"""What a player sees of Baltimore & Ohio."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, METROPOLIS, MOUNTAINS, TOWN, Look
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.board import BUILD, PURCHASE, SERVE, TAKE_COAL, TAKE_TIMBER
from cuberails.titles.baltimore_ohio.business import best_income, maintenance, outcome, timber_hex
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, MarketTurn, Profit, Service
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
        [_company(state, rr, pieces[rr], names) for rr in range(board.count)],
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        [*_previews(state, names), *_next(state, names)],
    )


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


def _company(state: BaltimoreOhio, rr: int, piece: Piece, names: Sequence[str]) -> Company:
    key = f"company-{piece.name}"
    if not state.running(rr):
        return Company(key, piece, [("Value", "–")], _idle(state, rr))
    facts = [
        ("Value", f"${state.value(rr)}"),
        ("President", names[state.president[rr]]),
        ("Treasury", f"${state.treasury[rr]}"),
        ("Equipment", _equipment_of(state, rr)),
        ("Last net", f"${state.net[rr]}"),
        ("A share", f"${state.net[rr] // state.board.shares}"),
        ("Held / orphans", f"{state.held[rr]} / {state.orphans[rr]}"),
    ]
    return Company(key, piece, facts, _remark(state, rr))


def _idle(state: BaltimoreOhio, rr: int) -> str:
    if state.in_receivership(rr):
        return "in receivership; may be restarted in a Market Round"
    tech = state.board.from_tech[rr]
    return "may be started" if tech <= state.tech else f"may be started from technology level {tech} on"


def _equipment_of(state: BaltimoreOhio, rr: int) -> str:
    """The cards by tech: "1 1 2" are two cards of tech 1 and one of tech 2."""
    return " ".join(str(tech) for tech, cards in enumerate(state.cards(rr), 1) for _ in range(cards)) or "none"


def _remark(state: BaltimoreOhio, rr: int) -> str:
    """What the railroad can serve, what it carries besides, and whether it is its turn."""
    cities = (state.track[rr] & state.board.cities).bit_count()
    said = [f"serves {min(state.capacity(rr), cities)} of {cities} cities", f"{state.cubes[rr]} cubes left"]
    said += [f"{state.coal[rr]} coal"] if state.coal[rr] else []
    said += ["timber"] if state.timber == rr else []
    said += ["acts now"] if _acting(state) == rr else []
    return ", ".join(said)


def _acting(state: BaltimoreOhio) -> int:
    """The railroad whose Business turn it is, or -1."""
    phase = state.phase
    return phase.railroad if isinstance(phase, (BusinessTurn, Service, Profit)) else -1


def _seat(state: BaltimoreOhio, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = state.board.count
    shares = [(piece, state.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    worth = state.portfolio(seat)
    facts = [("Worth", f"${state.cash[seat] + worth}"), ("Cash", f"${state.cash[seat]}"), ("Shares", f"${worth}")]
    return staging.seat_of(state, seat, name, facts, shares)


# What a choice would bring, and who is next


def _previews(state: BaltimoreOhio, names: Sequence[str]) -> list[tuple[str, str]]:
    phase = state.phase
    if isinstance(phase, Profit):
        return [
            ("If paid", _outcome(state, phase, True, names)),
            ("If retained", _outcome(state, phase, False, names)),
        ]
    if isinstance(phase, BusinessTurn) and any(action.kind == PURCHASE for action in state.legal_actions()):
        return [("With the next card", _with_next_card(state, phase.railroad))]
    return []


def _outcome(state: BaltimoreOhio, phase: Profit, paid: bool, names: Sequence[str]) -> str:
    """Cash for each seat and for the treasury, and where the counter goes."""
    board, rr = state.board, phase.railroad
    result = outcome(state, rr, phase.net, paid)
    said = [f"{names[seat]} ${cash}" for seat, cash in enumerate(result.cash) if cash]
    said += [f"treasury ${result.treasury}"] if result.treasury else []
    move = "stays at" if result.box == state.box[rr] else "goes to"
    return f"{', '.join(said)}; {board.railroads[rr]} {move} ${board.values[result.box]}"


def _with_next_card(state: BaltimoreOhio, rr: int) -> str:
    """What it would serve and pay with one card more, now and at the next technology level."""
    board = state.board
    level = board.card_tech[state.deck]
    cities = (state.track[rr] & board.cities).bit_count()
    cards = sum(state.cards(rr)) + 1
    serves = min(state.capacity(rr) + level, cities)
    later = min(level + 1, board.levels)
    return (
        f"{board.railroads[rr]} serves {serves} of {cities} cities; maintenance "
        f"${maintenance(state, cards, level)}, at level {later} ${maintenance(state, cards, later)}"
    )


def _next(state: BaltimoreOhio, names: Sequence[str]) -> list[tuple[str, str]]:
    """Who acts next, and why."""
    phase = state.phase
    if isinstance(phase, MarketTurn):
        order = [names[state.round.order[(phase.place + n) % state.players]] for n in range(1, state.players)]
        return [("Then, by their cards", ", ".join(order))]
    if state.queue:
        return [("Then, by value", ", ".join(state.board.railroads[rr] for rr in state.queue))]
    return []
