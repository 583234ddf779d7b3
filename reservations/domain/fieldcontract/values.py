"""Whether one value is what its field takes (R-33, R-37). Nothing is converted, nothing is trimmed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Final, NamedTuple

from reservations.domain.fields import FieldRow
from reservations.domain.jsonvalues import JsonValue, as_integer, is_blank

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME: Final = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?")


class Problem(NamedTuple):
    """What is wrong with a value: a stable code and a sentence for a person."""

    code: str
    detail: str


def calendar_day(value: JsonValue) -> date | None:
    """The day a text names as YYYY-MM-DD in ASCII digits, else None."""
    if not isinstance(value, str) or _DAY.fullmatch(value) is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def kept_value(row: FieldRow, value: JsonValue) -> JsonValue:
    """The value as it is kept: an integer written as 3.0 is the integer 3, anything else stays as it is (R-33)."""
    whole = as_integer(value) if row.data_type == "integer" else None
    return value if whole is None else whole


def problem_with(row: FieldRow, value: JsonValue, codes: frozenset[str] | None) -> Problem | None:
    """Why the field does not take this value, or None.

    value  not null, not blank, not an empty array
    codes  the options it has to be among; None for a field without options
    """
    fits, wanted = _TYPES[row.data_type]
    if not fits(value):
        return Problem("WRONG_TYPE", wanted)
    if isinstance(value, str) and row.max_length is not None and len(value) > row.max_length:
        return Problem("TOO_LONG", f"At most {row.max_length} characters.")
    if isinstance(value, int | Decimal) and row.minimum is not None and value < row.minimum:
        return Problem("TOO_SMALL", f"At least {row.minimum}.")
    chosen = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]
    if len(set(chosen)) < len(chosen):
        return Problem("REPEATED", "An entry stands twice.")
    if codes is not None and not codes.issuperset(chosen):
        return Problem("NOT_OFFERED", "This is none of the options offered.")
    return None


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_integer(value: JsonValue) -> bool:
    return as_integer(value) is not None


def _is_decimal(value: JsonValue) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _is_day(value: JsonValue) -> bool:
    return calendar_day(value) is not None


def _is_time(value: JsonValue) -> bool:
    return isinstance(value, str) and _TIME.fullmatch(value) is not None


def _is_boolean(value: JsonValue) -> bool:
    return isinstance(value, bool)


def _is_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and not is_blank(item) for item in value)


def _is_objects(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


_TYPES: Final[Mapping[str, tuple[Callable[[JsonValue], bool], str]]] = MappingProxyType(
    {
        "string": (_is_text, "Must be a text."),
        "integer": (_is_integer, "Must be a whole number, not a text."),
        "decimal": (_is_decimal, "Must be a number, not a text."),
        "date": (_is_day, "Must be a day of the calendar as YYYY-MM-DD."),
        "time": (_is_time, "Must be a time as HH:MM or HH:MM:SS."),
        "boolean": (_is_boolean, "Must be true or false."),
        "string[]": (_is_texts, "Must be an array of texts, none of them blank."),
        "object[]": (_is_objects, "Must be an array of objects."),
    }
)
