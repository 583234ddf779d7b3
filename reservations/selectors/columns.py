"""Columns that several lists share: the mail a row came from, and stored JSON as the text it is."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import ExpressionWrapper, F, Model, QuerySet, TextField

Row = dict[str, Any]
AnyModel = TypeVar("AnyModel", bound=Model)

MAIL_REFERENCE = (
    "source_message_id",
    "source_message__external_message_id",
    "source_message__subject",
    "source_message__received_at",
)


def rows_of(queryset: QuerySet[AnyModel], *columns: str) -> QuerySet[AnyModel, Row]:
    """Rows as dicts of these columns and no others."""
    rows: QuerySet[AnyModel, Row] = queryset.values(*columns)
    return rows


def json_text(name: str) -> ExpressionWrapper[F]:
    """The text of one exact JSON column, so that nothing is parsed to be written again."""
    return ExpressionWrapper(F(name), output_field=TextField())


def json_texts(*names: str) -> dict[str, ExpressionWrapper[F]]:
    """Annotations `<name>_text` for columns of the row's own table."""
    return {f"{name}_text": json_text(name) for name in names}
