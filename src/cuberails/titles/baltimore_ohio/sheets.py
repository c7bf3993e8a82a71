"""What a president looks up in Baltimore & Ohio: what each step would bring, and the technology levels."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.scene import Sheet
from cuberails.titles.baltimore_ohio.board import BUILD, PURCHASE, SCRAP, TAKE_COAL
from cuberails.titles.baltimore_ohio.business import (
    build,
    gross_income,
    purchase,
    scrap,
    take_coal,
    take_timber,
    upkeep,
)
from cuberails.titles.baltimore_ohio.rules import PURCHASING, BusinessTurn, Service
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio


def sheets_of(state: BaltimoreOhio) -> list[Sheet]:
    """For the railroad that acts what it earns; for all the technology levels."""
    phase = state.phase
    if isinstance(phase, BusinessTurn):
        return [_steps(state, phase), _levels(state)]
    if isinstance(phase, Service):
        return [_service(state, phase), _levels(state)]
    return [_levels(state)]


# A Business turn


def _steps(state: BaltimoreOhio, phase: BusinessTurn) -> Sheet:
    """What the railroad earns as it is and after each step that is possible, now and at the next level."""
    rr, later = phase.railroad, _later(state)
    head = ["Step", "Price", "Serves", "Income", "Upkeep", "Net"]
    rows = [["as it is", "–", *_account(state, rr, later)]]
    rows += [_step(state, rr, action, later) for action in state.legal_actions() if action.kind in (SCRAP, PURCHASE)]
    rows += _next_card(state, phase, later)
    rows += _gains(state, rr, later)
    name = state.board.railroads[rr]
    caption = f"{name}: what it earns now › at tech {later}" if later else f"{name}: what it earns"
    return Sheet("sheet-steps", caption, head, rows, 0)


def _later(state: BaltimoreOhio) -> int:
    """The next technology level, or 0 if there is none."""
    return state.tech + 1 if state.tech < state.board.levels else 0


def _account(state: BaltimoreOhio, rr: int, later: int) -> list[str]:
    """Cities served, income, maintenance and net income; "$40 › $50" is now and at the later level, unless 0."""
    cities = (state.track[rr] & state.board.cities).bit_count()
    served = f"{min(state.capacity(rr), cities)} of {cities}"
    now = _figures(state, rr)
    if not later:
        return [served, *now]
    then = state.copy()
    then.tech = max(later, state.tech)
    return [served, *(f"{one} › {other}" for one, other in zip(now, _figures(then, rr)))]


def _figures(state: BaltimoreOhio, rr: int) -> list[str]:
    """Income, maintenance and net income as they are at the tech of a position."""
    income, cost = gross_income(state, rr), upkeep(state, rr)
    net = income - cost
    return [f"${income}", f"${cost}", f"${net}" if net >= 0 else f"–${-net}"]


def _after(state: BaltimoreOhio, rr: int, action: Action) -> BaltimoreOhio:
    """The position after a step, before the accounts are closed."""
    after = state.copy()
    if action.kind == SCRAP:
        scrap(after, rr, action.a)
    elif action.kind == PURCHASE:
        purchase(after, rr)
    elif action.kind == BUILD:
        build(after, rr, action.a)
    elif action.kind == TAKE_COAL:
        take_coal(after, rr, action.a)
    else:
        take_timber(after, rr)
    return after


def _step(state: BaltimoreOhio, rr: int, action: Action, later: int) -> list[str]:
    after = _after(state, rr, action)
    paid = state.treasury[rr] - after.treasury[rr]
    price = f"${paid}" if paid > 0 else f"+${-paid}" if paid else "–"
    return [_called(state, action), price, *_account(after, rr, later)]


def _called(state: BaltimoreOhio, action: Action) -> str:
    board = state.board
    if action.kind == SCRAP:
        return f"scrap tech {action.a}"
    if action.kind == PURCHASE:
        return f"buy tech {board.card_tech[state.deck]}"
    return f"build {board.label(action.a)}" if action.kind == BUILD else action.text


def _next_card(state: BaltimoreOhio, phase: BusinessTurn, later: int) -> list[list[str]]:
    """The next card, if the railroad cannot pay for it: what it costs and would bring."""
    board, rr = state.board, phase.railroad
    if phase.step > PURCHASING or state.deck == len(board.card_cost) or board.purchase in state.legal_actions():
        return []
    after = state.copy()
    purchase(after, rr)
    return [
        [
            f"tech {board.card_tech[state.deck]}, too dear",
            f"${board.card_cost[state.deck]}",
            *_account(after, rr, later),
        ]
    ]


def _gains(state: BaltimoreOhio, rr: int, later: int) -> list[list[str]]:
    """The hexes and counters that raise the income, the best first."""
    now, found = gross_income(state, rr), []
    for action in state.legal_actions():
        if action.kind >= BUILD:
            more = gross_income(_after(state, rr, action), rr) - now
            if more:
                found.append((-more, action.id, _step(state, rr, action, later)))
    return [row for _, _, row in sorted(found)]


def _service(state: BaltimoreOhio, phase: Service) -> Sheet:
    """The cities that may be served, the best first."""
    board, incomes = state.board, state.board.income[state.tech]
    cities = sorted(board.grid.hexes(phase.cities), key=lambda n: -incomes[n])
    rows = [[board.label(n), f"${incomes[n]}"] for n in cities]
    name = board.railroads[phase.railroad]
    return Sheet("sheet-service", f"{name} serves {phase.left} of {len(rows)}", ["City", "Earns"], rows)


# Technology


def _levels(state: BaltimoreOhio) -> Sheet:
    """What each technology level brings [B7.2, B10.4]."""
    board = state.board
    limits = board.city_limits[state.options["tech1_city_limit"]]
    left = board.card_tech[state.deck :]
    rows = [
        [
            str(tech),
            str(board.builds[tech]),
            str(limits[tech]),
            f"${board.maintenance[tech]}",
            f"${board.timber_pays[tech]}",
            " ".join(f"${board.values[box]}" for box in board.initial[tech]) or "–",
            str(left.count(tech)),
        ]
        for tech in range(1, board.levels + 1)
    ]
    head = ["Tech", "Builds", "In a city", "Upkeep", "Timber", "Start at", "Cards left"]
    return Sheet("sheet-tech", "Technology", head, rows, state.tech - 1, reference=True)
