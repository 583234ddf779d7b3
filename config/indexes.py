"""Indexes added to tables that are in use. Used in migrations, which say `atomic = False`."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import AddIndex


class AddIndexBesideWrites(AddIndexConcurrently):
    """PostgreSQL builds it while rows go on being written; SQLite has one writer at a time anyway."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        engine = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        engine.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        engine = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        engine.database_backwards(self, app_label, schema_editor, from_state, to_state)
