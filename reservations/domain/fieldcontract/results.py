"""What comes out of a filled card: the payload of a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reservations.domain.fieldcontract.sheet import Sheet
from reservations.domain.jsonvalues import JsonObject, has_value


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The values of a decision (R-37).

    field_values         main path to value, of every served field that has one, in the order of the fields
    legacy_field_values  the same under the old flat paths, where a field has one
    effective_payload    the whole event with these values, nested; the agent's unknown keys are kept
    places               main path to the place of its value in the request, of every field that stands there
    """

    field_values: JsonObject
    legacy_field_values: JsonObject
    effective_payload: JsonObject
    places: Mapping[str, str] = field(default_factory=dict, compare=False)

    def payload(self) -> JsonObject:
        """As it is stored and answered."""
        return {
            "field_values": self.field_values,
            "legacy_field_values": self.legacy_field_values,
            "effective_payload": self.effective_payload,
        }


def values_of(sheet: Sheet, places: Mapping[str, str] | None = None) -> Confirmed:
    filled = [(row, sheet.value(row)) for row in sheet.rows if has_value(sheet.value(row))]
    return Confirmed(
        field_values={row.field_path: value for row, value in filled},
        legacy_field_values={row.legacy_field_path: value for row, value in filled if row.legacy_field_path},
        effective_payload=sheet.document,
        places=places or {},
    )
