"""Alembic's way into the database: on the connection that the store gives it."""

from alembic import context

from cuberails.server.models import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
