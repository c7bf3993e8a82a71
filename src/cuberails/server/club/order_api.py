"""The JSON interface for standing orders."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from cuberails.server import hot
from cuberails.server.club import orders
from cuberails.server.limits import ACTING, LOOKING, Limits
from cuberails.server.people import Who, limited, playable_seats
from cuberails.server.requests import OrderRequest
from cuberails.server.tables import Tables


def add_orders(app: FastAPI, tables: Tables, limits: Limits) -> None:
    @app.get("/api/tables/{id}/orders", **limited(limits, LOOKING))
    async def see_orders(id: str, who: Who) -> dict[str, Any]:
        """See the standing orders of your seats, and which ones each of them could give now."""
        table = await tables.find(id)
        seats = await playable_seats(table, who)
        offers = [orders.offers_view(table, seat) for seat in seats]
        return {"seq": table.seq, "orders": orders.orders_view(table, seats), "offers": offers}

    @app.post("/api/tables/{id}/orders", **limited(limits, ACTING))
    async def give_order(id: str, request: OrderRequest, who: Who) -> Response:
        """Give a standing order for a seat of yours; it takes the place of another one for the same stage."""
        make = partial(orders.give, request=request, person=who)
        return JSONResponse(await hot.change(tables, id, who, make))

    @app.delete("/api/tables/{id}/orders/{order}", **limited(limits, ACTING))
    async def revoke_order(id: str, order: str, who: Who) -> Response:
        """Take a standing order back."""
        make = partial(orders.revoke, id=order)
        return JSONResponse(await hot.change(tables, id, who, make))
