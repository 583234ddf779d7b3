"""Where on the page a fault of a refused write stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from config.errors import Fault
from config.jsontext import JsonValue
from reservations.domain import pointers
from reservations.domain.fieldcontract import ServedField
from reservations.domain.jsonvalues import as_array, as_object

INPUTS: Final = ("confirmed_order_id", "reason")  # members of a body with an input of their own


def sorted_by_place(
    faults: Iterable[Fault], body: JsonValue, fields: Mapping[str, ServedField]
) -> tuple[dict[str, list[Fault]], list[Fault]]:
    """The faults by main path of their field or by name of their input, and those that have no such place."""
    placed: dict[str, list[Fault]] = {}
    others = []
    for fault in faults:
        place = place_of(fault.pointer, body, fields)
        if place is None:
            others.append(fault)
        else:
            placed.setdefault(place, []).append(fault)
    return placed, others


def place_of(pointer: str, body: JsonValue, fields: Mapping[str, ServedField]) -> str | None:
    """A pointer into the body, or the pointer of a field itself; None for any other."""
    name, *rest = pointers.parse(pointer) if pointers.is_well_formed(pointer) and pointer else ("",)
    if name in INPUTS and not rest:
        return name
    if name == "field_values" and rest:
        return rest[0] if rest[0] in fields else None
    if name == "field_overrides" and rest:
        path = _overridden(body, rest[0])
        return path if path in fields else None
    return next((path for path, field in fields.items() if pointer in field.row.pointer_spellings), None)


def _overridden(body: JsonValue, place: str) -> str:
    index = pointers.array_index(place)
    overrides = as_array((as_object(body) or {}).get("field_overrides")) or []
    override = as_object(overrides[index]) if index is not None and index < len(overrides) else None
    return str((override or {}).get("field_path", ""))
