"""The values of an event under the main paths of a card's fields (R-23, R-24, R-31). Every function makes a copy."""

from __future__ import annotations

from reservations.domain.documents import value_at, with_value, without
from reservations.domain.fields import FieldCard, FieldRow
from reservations.domain.jsonvalues import JsonObject, has_value


def answer_aliases(event: JsonObject, card: FieldCard) -> JsonObject:
    """A field without a value takes that of its alias, so that a block code answers for the group code (R-24)."""
    for row in card.rows:
        for alias in row.path_aliases:
            event = _filled_from(event, row, alias)
    return event


def move_legacy(event: JsonObject, card: FieldCard) -> JsonObject:
    """Old flat keys moved to the main path; where that has a value already, the flat key is only removed (R-31)."""
    for row in card.rows:
        if row.legacy_field_path is not None:
            event = without(_filled_from(event, row, row.legacy_field_path), row.legacy_field_path)
    return event


def derive_values(event: JsonObject, card: FieldCard) -> JsonObject:
    """The values that the card itself says (R-23)."""
    for row in card.rows:
        if row.derived_value is not None:
            event = with_value(event, row.field_path, row.derived_value)
    return event


def _filled_from(event: JsonObject, row: FieldRow, path: str) -> JsonObject:
    value = value_at(event, path)
    if not has_value(value) or has_value(value_at(event, row.field_path)):
        return event
    return with_value(event, row.field_path, value)
