"""The options of one field: those it shows, and those it takes (R-32; reservations-domain.md 11)."""

from __future__ import annotations

from reservations.domain.catalog import Subtype
from reservations.domain.fieldcontract.inforce import allowed_types
from reservations.domain.fieldcontract.options import Option
from reservations.domain.fieldcontract.sheet import Sheet
from reservations.domain.fields import ROUTE_SUBTYPES, STATIC_OPTIONS, FieldRow


def shown_options(sheet: Sheet, row: FieldRow) -> tuple[Option, ...] | None:
    """What the field offers: active options, and an inactive one while it is the value. None: no choice at all."""
    if row.options_source == ROUTE_SUBTYPES:
        return tuple(_option(subtype) for subtype in _subtypes(sheet) if subtype.task_type == _decided_type(sheet))
    offered = _offered(sheet, row)
    if offered is None:
        return None
    value = sheet.value(row)
    chosen = value if isinstance(value, list) else [value]
    return tuple(option for option in offered if option.active or option.code in chosen)


def taken_codes(sheet: Sheet, row: FieldRow) -> frozenset[str] | None:
    """The codes that may be given. None: any text.

    A subtype may be any that a person can decide on; whether it belongs to the type is asked apart, so that a draft may
    hold the one before the other.
    """
    if row.options_source == ROUTE_SUBTYPES:
        return frozenset(subtype.task_subtype for subtype in _subtypes(sheet))
    offered = _offered(sheet, row)
    return None if offered is None else frozenset(option.code for option in offered if option.active)


def _offered(sheet: Sheet, row: FieldRow) -> tuple[Option, ...] | None:
    if not row.connected:
        return None
    if row.options_source in (None, STATIC_OPTIONS):
        return tuple(Option(code, (code, code)) for code in row.options) if row.options is not None else None
    return sheet.state.options.get(row.options_source or "", ())


def _subtypes(sheet: Sheet) -> list[Subtype]:
    types = allowed_types(sheet.in_force.own)
    return [subtype for subtype in sheet.catalog.subtypes if subtype.task_type in types]


def _decided_type(sheet: Sheet) -> str | None:
    decision = sheet.in_force.own.decision
    value = sheet.value(decision[0]) if decision is not None else None
    return value if isinstance(value, str) else None


def _option(subtype: Subtype) -> Option:
    return Option(subtype.task_subtype, (subtype.title_en, subtype.title_zh))
