"""Results of games, tables that count for ratings, and people who want to be seen."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("tables", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("accounts", sa.Column("visible", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("title", sa.String(40), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("ended", sa.DateTime, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
    )
    op.create_index("ix_results_person", "results", ["person"])
    op.create_index("results_by_title", "results", ["title", "rated", "ended"])
