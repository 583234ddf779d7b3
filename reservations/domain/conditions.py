"""One condition of the data files: when a field is shown, which operation is sent, which subtype is meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reservations.domain.jsonvalues import JsonValue, has_value


class ConditionOp(StrEnum):
    EQ = "eq"
    NE = "ne"
    IN = "in"
    PRESENT = "present"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Condition:
    """`field` is a dotted path; `value` one value, or for IN the values it may have."""

    field: str
    op: ConditionOp
    value: JsonValue = None

    def holds(self, value: JsonValue) -> bool:
        """Does it hold when the field has this value? Null, blank text and an empty array are absent."""
        match self.op:
            case ConditionOp.PRESENT:
                return has_value(value)
            case ConditionOp.ABSENT:
                return not has_value(value)
            case ConditionOp.IN:
                return isinstance(self.value, list) and value in self.value
            case ConditionOp.EQ:
                return value == self.value
            case ConditionOp.NE:
                return value != self.value


def load_condition(document: Mapping[str, Any] | None) -> Condition | None:
    """Read `{"field", "op", "value"?}` of a data file; None stays None."""
    if document is None:
        return None
    return Condition(document["field"], ConditionOp(document["op"]), document.get("value"))
