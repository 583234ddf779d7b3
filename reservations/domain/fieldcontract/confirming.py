"""Draft and confirmation: values by path, checked against the fields that are served (R-36 to R-38)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from config.errors import Fault
from reservations.domain import pointers
from reservations.domain.catalog import Catalog
from reservations.domain.errors import TaskFieldPathInvalid, TaskFieldsIncomplete, TaskFieldValueInvalid
from reservations.domain.fieldcontract.checks import absent_values, wrong_or_disagreeing, wrong_values
from reservations.domain.fieldcontract.findings import placed
from reservations.domain.fieldcontract.inforce import card_in_force
from reservations.domain.fieldcontract.results import Confirmed, values_of
from reservations.domain.fieldcontract.sheet import Layer, Sheet, fill_sheet
from reservations.domain.fieldcontract.state import CardState
from reservations.domain.fieldcontract.values import kept_value
from reservations.domain.fields import FieldCard, FieldMatrix, FieldRow
from reservations.domain.jsonvalues import JsonValue, is_blank

_VISIBLE_REASON = "visible_reason"


class _Written(NamedTuple):
    """One value of the request. `row` is None when the path means no field of the card."""

    pointer: str
    row: FieldRow | None
    value: JsonValue


def check_draft(
    state: CardState, values: Mapping[str, JsonValue], *, matrix: FieldMatrix, catalog: Catalog
) -> dict[str, JsonValue]:
    """The draft as it is stored: main path to value. It replaces the one before (R-36).

    values  by main, alias or legacy path
    raises  TaskFieldPathInvalid, then TaskFieldValueInvalid; what is required may be absent, dates may disagree
    """
    written = _read(values, card_in_force(state, values, matrix=matrix, catalog=catalog).card)
    layer = _layer(written)
    sheet = fill_sheet(state, [layer], matrix=matrix, catalog=catalog)
    _check_paths(sheet, written)
    faults = placed((wrong for wrong in wrong_values(sheet) if wrong.row.field_path in layer), _places(written), sheet)
    if faults:
        raise TaskFieldValueInvalid(errors=faults)
    return {row.field_path: kept_value(row, value) for _, row, value in written if row is not None}


def check_confirmation(
    state: CardState, values: Mapping[str, JsonValue], *, matrix: FieldMatrix, catalog: Catalog
) -> Confirmed:
    """What a confirmation with these values settles: the agent's values, the draft over them, then the request (R-37).

    values  by main, alias or legacy path; null clears
    raises  TaskFieldPathInvalid, then TaskFieldValueInvalid, then TaskFieldsIncomplete (R-38 too)
    """
    given = {**state.draft, **values}
    written = _read(values, card_in_force(state, given, matrix=matrix, catalog=catalog).card)
    sheet = fill_sheet(state, [state.draft, _layer(written)], matrix=matrix, catalog=catalog)
    places = _places(written)
    _check_paths(sheet, written)
    faults = placed(wrong_or_disagreeing(sheet, places), places, sheet)
    if faults:
        raise TaskFieldValueInvalid(errors=faults)
    faults = [*placed(absent_values(sheet), places, sheet), *_absent_reason(state)]
    if faults:
        raise TaskFieldsIncomplete(errors=faults, confirmed=values_of(sheet, places))
    return values_of(sheet, places)


def _read(values: Mapping[str, JsonValue], card: FieldCard) -> list[_Written]:
    return [
        _Written(pointers.build(("field_values", path)), card.row_of_path(path), value)
        for path, value in values.items()
    ]


def _layer(written: list[_Written]) -> Layer:
    return {item.row.field_path: item.value for item in reversed(written) if item.row is not None}


def _places(written: list[_Written]) -> dict[str, str]:
    return {item.row.field_path: item.pointer for item in written if item.row is not None}


def _check_paths(sheet: Sheet, written: list[_Written]) -> None:
    faults = list(_path_faults(sheet, written))
    if faults:
        raise TaskFieldPathInvalid(errors=faults)


def _path_faults(sheet: Sheet, written: list[_Written]) -> Iterator[Fault]:
    seen: set[str] = set()
    for pointer, row, _ in written:
        if row is None or sheet.served(row.field_path) is None:
            yield Fault(pointer, "NOT_SERVED", "The card has no such field at the moment.")
        elif not sheet.writable(row):
            yield Fault(pointer, "READ_ONLY", "This field is to be read only.")
        elif row.field_path in seen:
            yield Fault(pointer, "REPEATED", "This field is named twice.")
        else:
            seen.add(row.field_path)


def _absent_reason(state: CardState) -> Iterator[Fault]:
    if state.needs_visible_reason and is_blank(state.event.get(_VISIBLE_REASON)):
        yield Fault(f"/{_VISIBLE_REASON}", "REQUIRED", "The older contract asks the agent for a visible reason.")
