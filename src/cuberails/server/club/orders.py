"""Standing orders at tables: given, shown, revoked, and carried out where their seat is to decide.

They are carried out as ordinary actions, through the same gate as a person's, and marked in the log. To go back in the
game, or to leave a seat to a bot, ends the orders: they were given for what was then to come.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Any

from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.order import GIVE_UP, PASS, Order, Orders, PastAction
from cuberails.core.state import NOBODY
from cuberails.server.acceptance import check_seat, play
from cuberails.server.club.order_store import StandingOrder, giving, removing, stored_orders
from cuberails.server.refusal import Refused
from cuberails.server.requests import OrderRequest
from cuberails.server.store import ACT, REDO, REMOVE, SEAT, TIMEOUT, UNDO
from cuberails.server.table import Table

MOST_ORDERS = 12
"""So many orders a seat can have at a time."""

LOOK_BACK = 200
"""So many actions back it is looked how a railroad was run the last time."""

NO_ORDERS = Orders()
"""Those of a title that takes none."""


def orders_of(table: Table) -> Orders:
    return table.game.title.orders or NO_ORDERS


# Given and revoked


async def give(table: Table, own: list[int], request: OrderRequest, person: str) -> None:
    """Somebody gives an order for a seat; it takes the place of another for the same stage."""
    async with table.lock:
        check_seat(table, own, request.seat)
        order = _checked(table, request)
        mine = [each for each in table.orders if each.seat == request.seat]
        replaced = [each for each in mine if each.order.replaces(order)]
        if len(mine) - len(replaced) >= MOST_ORDERS:
            raise Refused(422, "too_many", f"A seat has {MOST_ORDERS} standing orders at most; revoke one first.")
        given = StandingOrder(secrets.token_urlsafe(6), request.seat, person, table.seq, order)
        await table.writer.write(giving(table.id, given, replaced), table.generation)
        table.orders = [*(each for each in table.orders if each not in replaced), given]
        table.notify()


def _checked(table: Table, request: OrderRequest) -> Order:
    """The order that is asked for, if it can be given now."""
    actions = [GIVE_UP] if request.kind == PASS else request.actions
    order, taken = Order(request.kind, request.stage, actions, request.limit), orders_of(table)
    reason = taken.why_not(table.state, request.seat, order)
    if reason:
        raise Refused(422, "no_order", reason)
    known = [each for each in taken.errands(table.state, request.seat) if each.stage == order.stage]
    return next((each for each in known if each.actions == order.actions), order)


async def revoke(table: Table, own: list[int], id: str) -> None:
    """Somebody takes an order of an own seat back."""
    async with table.lock:
        found = [each for each in table.orders if each.id == id and each.seat in own]
        if not found:
            raise Refused(404, "no_order", "There is no such standing order of yours; perhaps it is over.")
        await _remove(table, found)


async def _remove(table: Table, orders: list[StandingOrder]) -> None:
    await table.writer.write(removing(table.id, orders), table.generation)
    table.orders = [each for each in table.orders if each not in orders]
    table.notify()


async def refresh_orders(table: Table) -> bool:
    """Take over what was ordered by way of another process; whether there was anything."""
    async with table.lock:  # what is given here meanwhile is not lost
        return await _reread(table)


async def _reread(table: Table) -> bool:
    found = await asyncio.to_thread(stored_orders, table.store.engine, table.id)
    if found == table.orders:
        return False
    table.orders = found
    table.notify()
    return True


# Carried out


async def carry_out(table: Table) -> bool:
    """End the orders whose condition has come, then do what one wants of the seat to decide; whether it did."""
    async with table.lock:
        if _due(table, _past_actions(table)) is not None:
            await _reread(table)  # perhaps it was revoked by way of another process a moment ago
        past = _past_actions(table)
        over = [each for each in table.orders if _is_over(table, each, past)]
        if over:
            await _remove(table, over)
        due = _due(table, past)
        if due is None:
            return False
        given, action = due
        with suppress(Refused):  # another process was quicker
            await play(table, action, given.person, ordered=True)
            return True
    return False


_PastActions = list[tuple[int, PastAction]]
"""What was done, each with its number in the log."""


def _past_actions(table: Table) -> _PastActions:
    """What was done since the first order was given that stands."""
    start = min((each.seq for each in table.orders), default=table.seq)
    done = [entry for entry in table.history.log[start:] if entry.kind == ACT]
    before = [table.history.state(table.history.position_at[entry.seq - 1]) for entry in done]
    stages = [orders_of(table).stage(state) for state in before]
    return [(entry.seq, PastAction(entry.seat, entry.text, stage)) for entry, stage in zip(done, stages)]


def _since(past: _PastActions, given: StandingOrder) -> list[PastAction]:
    return [action for seq, action in past if seq > given.seq]


def _due(table: Table, past: _PastActions) -> tuple[StandingOrder, Action] | None:
    """The order that wants something now, and what. While people discuss whether to go back, orders wait."""
    if table.history.pending_undo is not None:
        return None
    for each in table.orders:
        action = orders_of(table).answer(table.state, each.seat, each.order, _since(past, each))
        if action is not None:
            return each, action
    return None


def _is_over(table: Table, given: StandingOrder, past: _PastActions) -> bool:
    entries = table.history.log[given.seq :]
    if table.actor == NOBODY or any(_ends_all(given.seat, entry.kind, entry.seat) for entry in entries):
        return True
    return orders_of(table).is_over(table.state, given.seat, given.order, _since(past, given))


def _ends_all(seat: int, kind: str, changed: int) -> bool:
    return kind in (UNDO, REDO) or (kind in (SEAT, TIMEOUT, REMOVE) and changed == seat)


# Shown


def orders_view(table: Table, seats: list[int]) -> list[dict[str, Any]]:
    """The orders for these seats, which nobody else sees."""
    shown = [each for each in table.orders if each.seat in seats]
    return [{"id": each.id, "seat": each.seat, "words": each.order.words, "until": each.order.until} for each in shown]


def can_order(table: Table) -> bool:
    """Whether a seat may find an order to give now."""
    taken = orders_of(table)
    return taken.stage(table.state) != "" or any(taken.errands(table.state, seat) for seat in range(len(table.seats)))


def offers_view(table: Table, seat: int) -> dict[str, Any]:
    """What a seat can order now: for the present stage, and errands for stages to come."""
    state, taken = table.state, orders_of(table)
    stage = taken.stage(state)
    legal = taken.choices(state, seat) if stage and taken.takes_part(state, seat) else []
    bids = [action.a for action in legal if action.text != GIVE_UP] if isinstance(state.phase, Auction) else []
    texts = [] if bids else [action.text for action in legal if action.text != GIVE_UP]
    errands = taken.errands(state, seat)
    before = _last_time(table, errands)
    return {
        "seat": seat,
        "stage": stage,
        "bid": {"from": bids[0], "to": bids[-1]} if bids else None,
        "pass": GIVE_UP in [action.text for action in legal],
        "choices": texts,
        "errands": [
            {
                "stage": each.stage,
                "actions": each.actions,
                "words": each.words,
                "as_last_time": before.get(each.stage) == each.actions[-1],
            }
            for each in errands
        ],
    }


def _last_time(table: Table, errands: list[Order]) -> dict[str, str]:
    """How each of these errands ended when its stage came last, whoever decided that."""
    wanted, ends = {each.stage for each in errands}, {each.actions[-1] for each in errands}
    found: dict[str, str] = {}
    steps = table.game.steps
    for n in range(len(steps) - 1, max(0, len(steps) - LOOK_BACK) - 1, -1):
        if wanted <= found.keys():
            break
        if steps[n].action.text in ends:
            found.setdefault(orders_of(table).stage(table.game.at(n)), steps[n].action.text)
    return found
