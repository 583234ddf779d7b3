"""Served fields made by hand, for the pure parts of the card page."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from reservations.data import matrix
from reservations.domain.fieldcontract import ServedField

PLAIN = matrix().cards[0].rows[0]
FIELDS = 4
numbers = st.integers(-(10**12), 10**12) | st.decimals(-(10**6), 10**6, places=2).map(Decimal)


def field(data_type: str, *, path: str = "f.a", **members: Any) -> ServedField:
    """An editable field of this type; the control is of no account here."""
    row = replace(PLAIN, data_type=data_type, field_path=path, field_pointer="/" + path.replace(".", "/"))
    plain: dict[str, Any] = {
        "control_type": "text",
        "edit_scope": "normal",
        "write_target": "field_values",
        "options": None,
        "required": False,
        "value": None,
        "missing": False,
        "ai_value": None,
        "evidence": [],
    }
    return ServedField(row=row, **(plain | members))


def served_by_count(values: Any) -> dict[str, ServedField]:
    """Fields f0 to f<number in f0>, at most four; each may be a number."""
    count = values.get("f0")
    shown = min(count, FIELDS - 1) if isinstance(count, int) else 0
    return {f"f{at}": field("integer", path=f"f{at}", value=values.get(f"f{at}")) for at in range(shown + 1)}
