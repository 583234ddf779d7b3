"""Indexes of tables that are in use. Used in migrations, which say `atomic = False`."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import AddConstraint, AddIndex, RemoveIndex


class AddIndexBesideWrites(AddIndexConcurrently):
    """PostgreSQL builds it while rows go on being written; SQLite has one writer at a time anyway."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        engine = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        engine.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        engine = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        engine.database_backwards(self, app_label, schema_editor, from_state, to_state)


class RemoveIndexBesideWrites(RemoveIndexConcurrently):
    """The other way round."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        engine = RemoveIndexConcurrently if schema_editor.connection.vendor == "postgresql" else RemoveIndex
        engine.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        engine = RemoveIndexConcurrently if schema_editor.connection.vendor == "postgresql" else RemoveIndex
        engine.database_backwards(self, app_label, schema_editor, from_state, to_state)


class AddUniqueBesideWrites(AddConstraint):
    """The same for a unique constraint with a condition, which is an index in the database."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        statement = str(self.constraint.create_sql(model, schema_editor))
        schema_editor.execute(statement.replace("CREATE UNIQUE INDEX", "CREATE UNIQUE INDEX CONCURRENTLY", 1))
