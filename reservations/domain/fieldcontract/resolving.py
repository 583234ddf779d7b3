"""Resolution of a review: overrides by pointer or path (R-31, R-34, R-39, R-40)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from config.errors import Fault
from reservations.domain.catalog import Catalog
from reservations.domain.errors import (
    TaskFieldValueInvalid,
    TaskReviewFieldsIncomplete,
    TaskReviewPointerDuplicate,
    TaskReviewPointerInvalid,
)
from reservations.domain.fieldcontract.checks import absent_values, wrong_or_disagreeing
from reservations.domain.fieldcontract.findings import Finding, placed
from reservations.domain.fieldcontract.givenkeys import keys_among
from reservations.domain.fieldcontract.inforce import Pair, card_in_force
from reservations.domain.fieldcontract.results import Confirmed, values_of
from reservations.domain.fieldcontract.sheet import Layer, Sheet, fill_sheet
from reservations.domain.fieldcontract.state import CardState
from reservations.domain.fieldcontract.values import Problem, kept_value
from reservations.domain.fields import FieldCard, FieldMatrix, FieldRow
from reservations.domain.jsonvalues import JsonObject, JsonValue, has_value
from reservations.domain.orderkeys import OrderKeys
from reservations.domain.pointers import is_well_formed

_NO_VALUE: Final = Problem("REQUIRED", "An override carries a value.")
_NOT_OVERRIDDEN: Final = Problem("REQUIRED", "The review asks for this field: override it with a value.")


@dataclass(frozen=True, slots=True)
class Override:
    """One entry of `field_overrides[]` as sent. Null stands for a form that is absent; `given`: has it a value key?"""

    field_pointer: JsonValue = None
    field_path: JsonValue = None
    legacy_field_path: JsonValue = None
    value: JsonValue = None
    given: bool = True


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a resolution settles.

    overrides     {field_pointer, field_path, legacy_field_path, value} in main spelling, in the order of the request
    decided_pair  type and subtype decided on a Fallback card, else None
    pair          the type and subtype that operations and order follow
    """

    confirmed: Confirmed
    overrides: tuple[JsonObject, ...]
    decided_pair: Pair | None
    pair: Pair

    @property
    def override_keys(self) -> OrderKeys:
        """The order keys among the overrides: what may name the order of a card that has only a temporary one (R-39)."""
        return keys_among({str(override["field_path"]): override["value"] for override in self.overrides})


class _Written(NamedTuple):
    """One override and the field it means; without a field, `fault` says why."""

    place: str
    override: Override
    row: FieldRow | None
    fault: Fault | None


def check_resolution(
    state: CardState, overrides: Sequence[Override], *, matrix: FieldMatrix, catalog: Catalog
) -> Resolved:
    """What a resolution with these overrides settles: the agent's values and the overrides; a draft does not count.

    raises  TaskReviewPointerInvalid, then TaskReviewPointerDuplicate, then TaskFieldValueInvalid, then
            TaskReviewFieldsIncomplete
    """
    # The decision is among the overrides, and says which card the others are about.
    decision = _layer(_read(overrides, card_in_force(state, {}, matrix=matrix, catalog=catalog).card))
    card = card_in_force(state, decision, matrix=matrix, catalog=catalog).card
    written = _read(overrides, card)
    sheet = fill_sheet(state, [_layer(written)], matrix=matrix, catalog=catalog)
    _check_targets(sheet, written)
    _check_values(sheet, written)
    return Resolved(
        confirmed=values_of(sheet, _places(written)),
        overrides=tuple(_answer(item.row, item.override.value) for item in written if item.row is not None),
        decided_pair=sheet.in_force.decided_pair,
        pair=sheet.in_force.pair,
    )


def _read(overrides: Sequence[Override], card: FieldCard) -> list[_Written]:
    return [_meant(f"/field_overrides/{at}", override, card) for at, override in enumerate(overrides)]


def _meant(place: str, override: Override, card: FieldCard) -> _Written:
    """The one field that all forms given mean."""
    forms = (
        ("field_pointer", override.field_pointer, card.row_at),
        ("field_path", override.field_path, card.row_of_path),
        ("legacy_field_path", override.legacy_field_path, card.row_of_path),
    )
    rows: list[FieldRow] = []
    for name, form, find in forms:
        if form is None:
            continue
        row = find(form) if isinstance(form, str) else None
        if row is None:
            return _Written(place, override, None, _unknown(f"{place}/{name}", name, form))
        rows.append(row)
    if not rows:
        return _Written(place, override, None, Fault(place, "REQUIRED", "An override names a field."))
    if any(row is not rows[0] for row in rows):
        return _Written(place, override, None, Fault(place, "FORMS_DISAGREE", "Pointer and path mean two fields."))
    return _Written(place, override, rows[0], None)


def _unknown(place: str, name: str, form: JsonValue) -> Fault:
    if not isinstance(form, str):
        return Fault(place, "WRONG_TYPE", "Must be a text.")
    if name == "field_pointer" and not is_well_formed(form):
        return Fault(place, "MALFORMED", "This is no pointer of RFC 6901.")
    return Fault(place, "NOT_SERVED", "The card has no such field at the moment.")


def _layer(written: Sequence[_Written]) -> Layer:
    return {
        item.row.field_path: item.override.value
        for item in reversed(written)
        if item.row is not None and item.override.given
    }


def _places(written: Sequence[_Written]) -> dict[str, str]:
    return {item.row.field_path: f"{item.place}/value" for item in written if item.row is not None}


def _check_targets(sheet: Sheet, written: Sequence[_Written]) -> None:
    faults = [fault for item in written if (fault := _target_fault(sheet, item)) is not None]
    if faults:
        raise TaskReviewPointerInvalid(errors=faults)
    repeated = list(_repeated(written))
    if repeated:
        raise TaskReviewPointerDuplicate(errors=repeated)


def _target_fault(sheet: Sheet, item: _Written) -> Fault | None:
    if item.row is None or sheet.served(item.row.field_path) is None:
        return item.fault or Fault(item.place, "NOT_SERVED", "The card has no such field at the moment.")
    return None if sheet.writable(item.row) else Fault(item.place, "READ_ONLY", "This field is to be read only.")


def _repeated(written: Sequence[_Written]) -> Iterator[Fault]:
    seen: set[str] = set()
    for item in written:
        path = item.row.field_path if item.row is not None else ""
        if path in seen:
            yield Fault(item.place, "REPEATED", "This field is overridden twice.")
        seen.add(path)


def _check_values(sheet: Sheet, written: Sequence[_Written]) -> None:
    """What the agent sent for a field the review asks for is not looked at: it has to be overridden in any case."""
    places = _places(written)
    layer = _layer(written)
    asked = {row.field_path for row in sheet.rows if sheet.missing(row)}
    without_value = [Finding(item.row, _NO_VALUE) for item in written if item.row and not item.override.given]
    faults = placed([*without_value, *wrong_or_disagreeing(sheet, places, skip=asked - layer.keys())], places, sheet)
    if faults:
        raise TaskFieldValueInvalid(errors=faults)
    absent = [
        Finding(row, _NOT_OVERRIDDEN)
        for row in sheet.rows
        if row.field_path in asked and not has_value(layer.get(row.field_path))
    ]
    absent += [finding for finding in absent_values(sheet) if finding.row.field_path not in asked]
    if absent:
        raise TaskReviewFieldsIncomplete(errors=placed(absent, places, sheet))


def _answer(row: FieldRow, value: JsonValue) -> JsonObject:
    return {
        "field_pointer": row.field_pointer,
        "field_path": row.field_path,
        "legacy_field_path": row.legacy_field_path,
        "value": kept_value(row, value),
    }
