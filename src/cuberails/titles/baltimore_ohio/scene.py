"""What a player sees of Baltimore & Ohio."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.hexes import center_of
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import CHANCE, State
from cuberails.titles.baltimore_ohio.board import BUILD, PURCHASE, SERVE, TAKE_COAL, TAKE_TIMBER
from cuberails.titles.baltimore_ohio.business import Outcome, maintenance, offer, outcome
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, MarketTurn, Profit, Service

Fact = tuple[str, str]

CARDS_SHOWN = 6
ROUNDS = ["Market", "Business 1", "Business 2"]
MARKER = "●"
COAL = Piece(MARKER, "black", "coal counter")
TIMBER = Piece(MARKER, "green", "timber counter")


def scene(state: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(state, BaltimoreOhio)
    game: BaltimoreOhio = state
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
        tracks=[_valuation(game, pieces), _steps("round", "Round", ROUNDS, game.business), _tech(game), _deck(game)],
        companies=[_company(game, rr, piece, names) for rr, piece in enumerate(pieces)],
        seats=[_seat(game, seat, name, pieces) for seat, name in enumerate(names)],
        facts=[*_next(game, names), *_orphans(game), *_previews(game, names)],
    )


def _prompt(game: BaltimoreOhio, names: Sequence[str]) -> str:
    if game.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in game.winners()) + " won"
    return game.prompt if game.actor == CHANCE else f"{names[game.actor]}: {game.prompt}"


# The map


def _map(game: BaltimoreOhio, pieces: list[Piece]) -> Map:
    board, grid = game.board, game.board.grid
    targets: list[list[str]] = [[] for _ in range(grid.size)]
    for action in game.legal_actions():
        if action.kind in (BUILD, TAKE_COAL, SERVE) and action.a >= 0:
            targets[action.a].append(action.text)
        elif action.kind == TAKE_TIMBER:
            targets[game.timber_hex].append(action.text)
    return Map(
        flat=board.layout == "flat",
        tiles=[_tile(game, n, pieces, targets[n]) for n in range(grid.size)],
        water=[center_of(board.layout, cell.col, cell.row) for cell in board.water],
        barriers=[(grid.center(one), grid.center(other)) for one, other in board.heavy_lines],
    )


def _tile(game: BaltimoreOhio, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board, grid = game.board, game.board.grid
    id, bit = grid.ids[n], grid.bit[n]
    x, y = grid.center(n)
    city = bool(board.cities & bit)
    home = [piece for piece, start in zip(pieces, board.start_hex, strict=True) if start == n]
    counters = [COAL] if game.coal_left & bit else []
    if n == game.timber_hex and game.timber < 0:
        counters.append(TIMBER)
    return Tile(
        key=f"hex-{id}",
        id=id,
        x=x,
        y=y,
        terrain="chicago" if board.unlimited & bit else board.terrain[n],
        name=board.names[n],
        cost=f"${board.cost[n]}",
        income="/".join(str(row[n]) for row in board.income[1:]) if city else "",
        now=str(board.income[game.tech][n]) if city else "",
        step=game.tech - 1 if city else -1,
        cubes=[piece for piece, track in zip(pieces, game.track, strict=True) if track & bit] + counters,
        home=home[0] if home else None,
        doubt=board.doubts.get(id, ""),
        targets=targets,
    )


# Tracks


def _valuation(game: BaltimoreOhio, pieces: list[Piece]) -> Track:
    """The counters of each box, the topmost first."""
    stacks: list[list[Piece]] = [[] for _ in game.board.values]
    for rr in game.line:
        stacks[game.box[rr]].append(pieces[rr])
    return Track("valuation", "Valuation", [f"${value}" for value in game.board.values], stacks)


def _tech(game: BaltimoreOhio) -> Track:
    levels = [str(level) for level in range(1, game.board.levels + 1)]
    return _steps("tech", "Tech", levels, game.tech - 1)


def _deck(game: BaltimoreOhio) -> Track:
    """The next cards of the equipment deck with their prices; the top card is marked."""
    board, first = game.board, game.deck
    cards = range(first, min(first + CARDS_SHOWN, len(board.card_cost)))
    boxes = [f"T{board.card_tech[card]} ${board.card_cost[card]}" for card in cards] or ["none left"]
    return _steps("deck", f"Equipment #{first + 1}" if cards else "Equipment", boxes, 0)


def _steps(key: str, label: str, boxes: list[str], at: int) -> Track:
    marker = Piece(MARKER, "tan", label)
    return Track(key, label, boxes, [[marker] if n == at else [] for n in range(len(boxes))])


# Charters


def _company(game: BaltimoreOhio, rr: int, piece: Piece, names: Sequence[str]) -> Company:
    counters = _counters(game, rr)
    if not game.running(rr):
        kept = [("Cubes left", str(game.cubes[rr]))] if game.in_receivership(rr) else []
        return Company(f"company-{piece.name}", piece, kept + counters, _stopped(game, rr))
    facts = [
        ("Value", f"${game.value(rr)}"),
        ("President", names[game.president[rr]]),
        ("Treasury", f"${game.treasury[rr]}"),
        ("Last net income", f"${game.net[rr]}"),
        ("Equipment", _equipment(game, rr)),
        ("Serves", f"{game.capacity(rr)} of {(game.track[rr] & game.board.cities).bit_count()}"),
        ("Maintenance", f"${maintenance(game, sum(game.cards(rr)), game.tech)}"),
        ("Held shares", str(game.held[rr])),
        ("Orphans", str(game.orphans[rr])),
        ("Cubes left", str(game.cubes[rr])),
    ]
    return Company(f"company-{piece.name}", piece, facts + counters, _acting(game, rr))


def _counters(game: BaltimoreOhio, rr: int) -> list[Fact]:
    coal = [("Coal", str(game.coal[rr]))] if game.coal[rr] else []
    return coal + ([("Timber", "1")] if game.timber == rr else [])


def _stopped(game: BaltimoreOhio, rr: int) -> str:
    if game.in_receivership(rr):
        return "in receivership"
    tech = game.board.from_tech[rr]
    return "not started" if tech <= game.tech else f"from tech {tech}"


def _equipment(game: BaltimoreOhio, rr: int) -> str:
    """Two cards of tech 1 and one of tech 3 are "2×T1 T3"."""
    cards = [(number, f"T{tech}") for tech, number in enumerate(game.cards(rr), 1) if number]
    return " ".join(card if number == 1 else f"{number}×{card}" for number, card in cards) or "none"


def _acting(game: BaltimoreOhio, rr: int) -> str:
    phase = game.phase
    if isinstance(phase, (BusinessTurn, Service, Profit)) and phase.railroad == rr:
        return "doing business now"
    return "acts next" if game.queue[:1] == [rr] else ""


# Seats


def _seat(game: BaltimoreOhio, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = game.board.count
    shares = [(piece, game.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    facts = [
        ("Cash", f"${game.cash[seat]}"),
        ("Shares", f"${game.portfolio(seat)}"),
        ("Worth", f"${_worth(game, seat)}"),
    ]
    if game.order:
        facts.append(("Card", str(game.order.index(seat) + 1)))
    if game.business == 0 and game.sold[seat]:
        sold = [pieces[rr].name for rr in range(count) if game.sold[seat] >> rr & 1]
        facts.append(("Sold", " ".join(sold)))
    over = game.actor is None
    return Seat(
        key=f"seat-{seat}",
        name=name,
        facts=facts,
        shares=[(piece, held) for piece, held in shares if held],
        deciding=game.actor == seat,
        winner=over and seat in game.winners(),
    )


def _worth(game: BaltimoreOhio, seat: int) -> int:
    return game.scores()[seat]


# Who is next, and what a choice would bring


def _next(game: BaltimoreOhio, names: Sequence[str]) -> list[Fact]:
    """Who acts after this, and why."""
    phase = game.phase
    railroads = game.board.railroads
    if isinstance(phase, MarketTurn):
        after = [names[game.order[(phase.place + n) % game.players]] for n in range(1, game.players)]
        return [
            ("Set", str(game.sets)),
            ("Next in player order", ", ".join(after)),
            ("Passes in a row", str(phase.passes)),
        ]
    if isinstance(phase, (BusinessTurn, Service, Profit)):
        waiting = [f"{railroads[rr]} ${game.value(rr)}" for rr in game.queue]
        return [("Set", str(game.sets)), ("Next in railroad order", ", ".join(waiting) or "the round ends")]
    return []


def _orphans(game: BaltimoreOhio) -> list[Fact]:
    orphans = [f"{number} {game.board.railroads[rr]}" for rr, number in enumerate(game.orphans) if number]
    return [("Orphans", ", ".join(orphans))] if orphans else []


def _previews(game: BaltimoreOhio, names: Sequence[str]) -> list[Fact]:
    """Before the choice: what paying or retaining brings, and what the top card would change."""
    phase = game.phase
    if isinstance(phase, Profit):
        rr = phase.railroad
        return [
            (f"If {game.board.railroads[rr]} {verb}", _result(game, rr, outcome(game, rr, phase.net, paid), names))
            for verb, paid in (("pays", True), ("retains", False))
        ]
    purchases = [action for action in game.legal_actions() if action.kind == PURCHASE]
    if isinstance(phase, BusinessTurn) and purchases:
        card = offer(game, phase.railroad)
        change = f"service {card.capacity_before} → {card.capacity_after}"
        change += f", maintenance ${card.maintenance_before} → ${card.maintenance_after}"
        change += f" (${card.maintenance_next} at tech {card.next_tech})" if card.next_tech else ""
        return [(f"If {game.board.railroads[phase.railroad]} buys #{card.number} for ${card.cost}", change)]
    return []


def _result(game: BaltimoreOhio, rr: int, result: Outcome, names: Sequence[str]) -> str:
    told = [f"{names[seat]} ${cash}" for seat, cash in enumerate(result.cash) if cash]
    told += [f"treasury ${result.treasury}"] if result.treasury else []
    values, box = game.board.values, game.box[rr]
    to = values[result.box]
    return ", ".join(told) + (f"; value ${values[box]} → ${to}" if result.box != box else f"; value stays ${to}")
