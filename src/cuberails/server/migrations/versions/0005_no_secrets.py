"""Nothing in the database lets anybody in: persons and keys of seats become digests."""

import json

import sqlalchemy as sa
from alembic import op

from cuberails.server.identity import hashed

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    connection = op.get_bind()
    for id, host, text in connection.execute(sa.text("SELECT id, host, seats FROM tables")).all():
        seats = [seat | {"key": hashed(seat["key"]) if seat["key"] else ""} for seat in json.loads(text)]
        values = {"id": id, "host": hashed(host), "seats": json.dumps(seats, ensure_ascii=False)}
        connection.execute(sa.text("UPDATE tables SET host = :host, seats = :seats WHERE id = :id"), values)
    for (person,) in connection.execute(sa.text("SELECT DISTINCT person FROM claims")).all():
        change = sa.text("UPDATE claims SET person = :name WHERE person = :person")
        connection.execute(change, {"name": hashed(person), "person": person})
