"""The fields of a card as they are shown (R-30, R-32)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reservations.domain.catalog import Catalog
from reservations.domain.documents import value_at
from reservations.domain.fieldcontract.choices import shown_options
from reservations.domain.fieldcontract.options import Option
from reservations.domain.fieldcontract.results import values_of
from reservations.domain.fieldcontract.sheet import Sheet, fill_sheet
from reservations.domain.fieldcontract.state import CardState
from reservations.domain.fields import READONLY, REVIEW_ONLY, FieldMatrix, FieldRow
from reservations.domain.jsonvalues import JsonArray, JsonObject, JsonValue, as_array, as_object, as_text

FIELD_VALUES: Final = "field_values"
FIELD_OVERRIDES: Final = "review_resolution.field_overrides"
NOWHERE: Final = "none"
_REVIEW_EVIDENCE: Final = "/manual_review/evidence/"


@dataclass(frozen=True, slots=True)
class ServedField:
    """One row of `fields[]`: the row of the matrix, and what the card makes of it.

    edit_scope    normal, manual_review_only or readonly
    write_target  field_values, review_resolution.field_overrides or none
    options       None for a field without a choice
    missing       the pending review asks for it, whatever the agent sent or a draft holds
    value         the effective one; None when there is none
    ai_value      the agent's, None when it sent none
    evidence      quotes {pointer, text, found, part, start, end}
    """

    row: FieldRow
    control_type: str
    edit_scope: str
    write_target: str
    options: tuple[Option, ...] | None
    required: bool
    value: JsonValue
    missing: bool
    ai_value: JsonValue
    evidence: JsonArray


@dataclass(frozen=True, slots=True)
class FieldSet:
    """The served fields in order, and the effective values in the three forms of a confirmed payload."""

    rows: tuple[ServedField, ...]
    field_values: JsonObject
    legacy_field_values: JsonObject
    effective_payload: JsonObject


def read_fields(state: CardState, *, matrix: FieldMatrix, catalog: Catalog) -> FieldSet:
    """What the card shows: the agent's values and the draft, or what was confirmed (R-29 to R-33)."""
    sheet = fill_sheet(state, [state.draft], matrix=matrix, catalog=catalog)
    values = values_of(sheet)
    rows = tuple(_served_field(sheet, row) for row in sheet.rows)
    return FieldSet(rows, values.field_values, values.legacy_field_values, values.effective_payload)


def _served_field(sheet: Sheet, row: FieldRow) -> ServedField:
    missing = sheet.missing(row)
    edit_scope, write_target = _access(sheet, row)
    return ServedField(
        row=row,
        control_type=row.control_type if row.connected else "readonly_text",
        edit_scope=edit_scope,
        write_target=write_target,
        options=shown_options(sheet, row),
        required=row.required or missing,
        value=sheet.value(row),
        missing=missing,
        ai_value=value_at(sheet.agent, row.field_path),
        evidence=_evidence(sheet, row),
    )


def _access(sheet: Sheet, row: FieldRow) -> tuple[str, str]:
    if not sheet.writable(row):
        return READONLY, NOWHERE
    if not sheet.state.pending_review:
        return row.edit_scope, FIELD_VALUES
    return (REVIEW_ONLY if sheet.missing(row) else row.edit_scope), FIELD_OVERRIDES


def _evidence(sheet: Sheet, row: FieldRow) -> JsonArray:
    """The quotes about the field itself; with a field the review doubts, those of the review."""
    doubted = row.field_path in sheet.named or row.field_path in _uncertain(sheet)
    return [item for item in sheet.state.evidence if _is_about(as_object(item) or {}, row, doubted)]


def _is_about(item: JsonObject, row: FieldRow, doubted: bool) -> bool:
    pointer = as_text(item.get("pointer")) or ""
    return pointer in row.pointer_spellings or (doubted and pointer.startswith(_REVIEW_EVIDENCE))


def _uncertain(sheet: Sheet) -> set[str]:
    pointers = as_array((sheet.state.manual_review or {}).get("uncertain_fields")) or []
    rows = (sheet.in_force.own.row_at(pointer) for pointer in pointers if isinstance(pointer, str))
    return {row.field_path for row in rows if row is not None}
