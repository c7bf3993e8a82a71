"""What a player sees of Baltimore & Ohio."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.hexes import center_of
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track, per_dollar
from cuberails.core.state import CHANCE, State
from cuberails.titles.baltimore_ohio.board import BUILD, PURCHASE, SERVE, TAKE_COAL, TAKE_TIMBER
from cuberails.titles.baltimore_ohio.business import best_income, maintenance, outcome
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, MarketTurn, Profit, Service

NEXT_CARDS = 5
"""So many cards of the equipment deck are shown with their prices."""

LANDS = {"land": "rural", "Chicago": "chicago"}
"""How terrain is called on the map where it differs."""

COAL = Piece("c", "gray", "coal counter")
TIMBER = Piece("t", "tan", "timber counter")


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
        tracks=[_valuation(game, pieces), _tech(game), _rounds(game), _equipment(game), _cards(game, names)],
        companies=[_company(game, rr, pieces[rr], names) for rr in range(board.count)],
        seats=[_seat(game, seat, name, pieces) for seat, name in enumerate(names)],
        facts=[*_previews(game, names), *_next(game, names)],
    )


def _prompt(game: BaltimoreOhio, names: Sequence[str]) -> str:
    if game.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in game.winners()) + " won"
    return game.prompt if game.actor == CHANCE else f"{names[game.actor]}: {game.prompt}"


# The map


def _map(game: BaltimoreOhio, pieces: list[Piece]) -> Map:
    board, grid = game.board, game.board.grid
    targets = _targets(game)
    tiles = [_tile(game, n, pieces, targets.get(n, [])) for n in range(grid.size)]
    water = [center_of(board.layout, cell.col, cell.row) for cell in board.water]
    barriers = [(grid.center(one), grid.center(other)) for one, other in board.heavy_lines]
    return Map(False, tiles, water, barriers=barriers)


def _targets(game: BaltimoreOhio) -> dict[int, list[str]]:
    """The legal actions that point at a hex."""
    found: dict[int, list[str]] = {}
    for action in game.legal_actions():
        if action.kind in (BUILD, TAKE_COAL, SERVE) and action.a >= 0:
            found.setdefault(action.a, []).append(action.text)
        elif action.kind == TAKE_TIMBER:
            found.setdefault(game.timber_hex, []).append(action.text)
    return found


def _tile(game: BaltimoreOhio, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = game.board
    id, bit = board.grid.ids[n], board.grid.bit[n]
    x, y = board.grid.center(n)
    city = bool(board.cities & bit)
    here = [piece for piece, track in zip(pieces, game.track, strict=True) if track & bit]
    home = [piece for piece, start in zip(pieces, board.start_hex, strict=True) if start == n]
    return Tile(
        key=f"hex-{id}",
        id=id,
        x=x,
        y=y,
        terrain=LANDS.get(board.terrain[n], board.terrain[n]),
        name=board.names[n],
        cost=f"${board.cost[n]}",
        income="/".join(str(row[n]) for row in board.income[1:]) if city else "",
        now=str(board.income[game.tech][n]) if city else "",
        step=game.tech - 1 if city else -1,
        cubes=here + _counters(game, n),
        home=home[0] if home else None,
        doubt=board.doubts.get(id, ""),
        targets=targets,
        gain=_gain(game, n) if targets else "",
    )


def _gain(game: BaltimoreOhio, n: int) -> str:
    """What a railroad that builds here would earn more, with the equipment that it has."""
    phase = game.phase
    if not isinstance(phase, BusinessTurn) or game.track[phase.railroad] & game.board.grid.bit[n]:
        return ""
    rr, grown = phase.railroad, game.copy()
    grown.track = game.track[:]
    grown.track[rr] |= game.board.grid.bit[n]
    capacity = game.capacity(rr)
    return per_dollar(best_income(grown, rr, capacity) - best_income(game, rr, capacity), game.board.cost[n])


def _counters(game: BaltimoreOhio, n: int) -> list[Piece]:
    """The counters that nobody has taken yet."""
    coal = [COAL] if game.coal_left & game.board.grid.bit[n] else []
    return [*coal, TIMBER] if game.timber < 0 and n == game.timber_hex else coal


# Tracks


def _valuation(game: BaltimoreOhio, pieces: list[Piece]) -> Track:
    """The counters in each box, the topmost first: it acts first."""
    values = game.board.values
    stacks = [[pieces[rr] for rr in game.line if game.box[rr] == box] for box in range(len(values))]
    return Track("valuation", "Valuation", [f"${value}" for value in values], stacks)


def _tech(game: BaltimoreOhio) -> Track:
    levels = [str(tech) for tech in range(1, game.board.levels + 1)]
    return _steps("tech", "Technology level", levels, game.tech - 1)


def _rounds(game: BaltimoreOhio) -> Track:
    return _steps("round", f"Set {game.sets}: market, business", ["mkt", "1st", "2nd"], game.business)


def _steps(key: str, label: str, boxes: list[str], at: int) -> Track:
    marker = Piece("●", "tan", label)
    return Track(key, label, boxes, [[marker] if n == at else [] for n in range(len(boxes))])


def _equipment(game: BaltimoreOhio) -> Track:
    """The next cards of the deck with price and tech."""
    board, deck = game.board, game.deck
    cards = range(deck, min(deck + NEXT_CARDS, len(board.card_cost)))
    left = len(board.card_cost) - deck
    boxes = [f"${board.card_cost[card]}" for card in cards] or ["none"]
    levels = [
        [Piece(str(board.card_tech[card]), "white", f"#{card + 1}, tech {board.card_tech[card]}")] for card in cards
    ]
    return Track("equipment", f"Equipment, {left} cards left (price and tech)", boxes, levels or [[]])


def _cards(game: BaltimoreOhio, names: Sequence[str]) -> Track:
    boxes = [str(n + 1) for n in range(game.players)]
    holders = [[Piece(names[seat][:1].upper(), "natural", names[seat])] for seat in game.order]
    return Track("order", "Player order", boxes, holders or [[] for _ in boxes])


# Railroads and seats


def _company(game: BaltimoreOhio, rr: int, piece: Piece, names: Sequence[str]) -> Company:
    key = f"company-{piece.name}"
    if not game.running(rr):
        return Company(key, piece, [("Value", "–")], _idle(game, rr))
    facts = [
        ("Value", f"${game.value(rr)}"),
        ("President", names[game.president[rr]]),
        ("Treasury", f"${game.treasury[rr]}"),
        ("Equipment", _equipment_of(game, rr)),
        ("Last net", f"${game.net[rr]}"),
        ("A share", f"${game.net[rr] // game.board.shares}"),
        ("Held / orphans", f"{game.held[rr]} / {game.orphans[rr]}"),
    ]
    return Company(key, piece, facts, _remark(game, rr))


def _idle(game: BaltimoreOhio, rr: int) -> str:
    if game.in_receivership(rr):
        return "in receivership; may be restarted in a Market Round"
    tech = game.board.from_tech[rr]
    return "may be started" if tech <= game.tech else f"may be started from technology level {tech} on"


def _equipment_of(game: BaltimoreOhio, rr: int) -> str:
    """The cards by tech: "1 1 2" are two cards of tech 1 and one of tech 2."""
    return " ".join(str(tech) for tech, cards in enumerate(game.cards(rr), 1) for _ in range(cards)) or "none"


def _remark(game: BaltimoreOhio, rr: int) -> str:
    """What the railroad can serve, what it carries besides, and whether it is its turn."""
    cities = (game.track[rr] & game.board.cities).bit_count()
    said = [f"serves {min(game.capacity(rr), cities)} of {cities} cities", f"{game.cubes[rr]} cubes left"]
    said += [f"{game.coal[rr]} coal"] if game.coal[rr] else []
    said += ["timber"] if game.timber == rr else []
    said += ["acts now"] if _acting(game) == rr else []
    return ", ".join(said)


def _acting(game: BaltimoreOhio) -> int:
    """The railroad whose Business turn it is, or -1."""
    phase = game.phase
    return phase.railroad if isinstance(phase, (BusinessTurn, Service, Profit)) else -1


def _seat(game: BaltimoreOhio, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = game.board.count
    shares = [(piece, game.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    worth = game.portfolio(seat)
    facts = [("Worth", f"${game.cash[seat] + worth}"), ("Cash", f"${game.cash[seat]}"), ("Shares", f"${worth}")]
    over = game.actor is None
    return Seat(
        key=f"seat-{seat}",
        name=name,
        facts=facts,
        shares=[(piece, held) for piece, held in shares if held],
        deciding=game.actor == seat,
        winner=over and seat in game.winners(),
    )


# What a choice would bring, and who is next


def _previews(game: BaltimoreOhio, names: Sequence[str]) -> list[tuple[str, str]]:
    phase = game.phase
    if isinstance(phase, Profit):
        return [
            ("If paid", _outcome(game, phase, True, names)),
            ("If retained", _outcome(game, phase, False, names)),
        ]
    if isinstance(phase, BusinessTurn) and any(action.kind == PURCHASE for action in game.legal_actions()):
        return [("With the next card", _with_next_card(game, phase.railroad))]
    return []


def _outcome(game: BaltimoreOhio, phase: Profit, paid: bool, names: Sequence[str]) -> str:
    """Cash for each seat and for the treasury, and where the counter goes."""
    board, rr = game.board, phase.railroad
    result = outcome(game, rr, phase.net, paid)
    said = [f"{names[seat]} ${cash}" for seat, cash in enumerate(result.cash) if cash]
    said += [f"treasury ${result.treasury}"] if result.treasury else []
    move = "stays at" if result.box == game.box[rr] else "goes to"
    return f"{', '.join(said)}; {board.railroads[rr]} {move} ${board.values[result.box]}"


def _with_next_card(game: BaltimoreOhio, rr: int) -> str:
    """What it would serve and pay with one card more, now and at the next technology level."""
    board = game.board
    level = board.card_tech[game.deck]
    cities = (game.track[rr] & board.cities).bit_count()
    cards = sum(game.cards(rr)) + 1
    serves = min(game.capacity(rr) + level, cities)
    later = min(level + 1, board.levels)
    return (
        f"{board.railroads[rr]} serves {serves} of {cities} cities; maintenance "
        f"${maintenance(game, cards, level)}, at level {later} ${maintenance(game, cards, later)}"
    )


def _next(game: BaltimoreOhio, names: Sequence[str]) -> list[tuple[str, str]]:
    """Who acts next, and why."""
    phase = game.phase
    if isinstance(phase, MarketTurn):
        order = [names[game.order[(phase.place + n) % game.players]] for n in range(1, game.players)]
        return [("Then, by their cards", ", ".join(order))]
    if game.queue:
        return [("Then, by value", ", ".join(game.board.railroads[rr] for rr in game.queue))]
    return []
