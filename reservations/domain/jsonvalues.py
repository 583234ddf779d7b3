"""JSON values as the domain sees them, and the few questions asked of them.

A number with a fraction or an exponent is a Decimal, never a float, so that equal numbers give equal verdicts:
1.0 is the integer 1 (R-51). True and false are no numbers.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TypeAlias

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | Decimal | bool | None"
JsonObject: TypeAlias = dict[str, JsonValue]
JsonArray: TypeAlias = list[JsonValue]

# Digits. What is larger, such as 1e308, is no number of anything, and written out it could not be read again.
_WIDEST_INTEGER = 39  # with its sign the 40 characters a number may have


def as_object(value: JsonValue) -> JsonObject | None:
    """The value if it is an object, else None."""
    return value if isinstance(value, dict) else None


def as_array(value: JsonValue) -> JsonArray | None:
    """The value if it is an array, else None."""
    return value if isinstance(value, list) else None


def as_text(value: JsonValue) -> str | None:
    """The value if it is a string, else None."""
    return value if isinstance(value, str) else None


def as_integer(value: JsonValue) -> int | None:
    """The value as an int if it is an integer, written in whatever way, else None. 1e300 is none: see _WIDEST_INTEGER."""
    if isinstance(value, Decimal):
        whole = value.is_finite() and value.adjusted() < _WIDEST_INTEGER and value == value.to_integral_value()
        return int(value) if whole else None
    return None if isinstance(value, bool) or not isinstance(value, int) else value


def is_blank(value: JsonValue) -> bool:
    """True for null and for a string of nothing but white space."""
    return value is None or (isinstance(value, str) and not value.strip())


def has_value(value: JsonValue) -> bool:
    """False for null, blank text and an empty array, which are no value (R-37)."""
    return not (is_blank(value) or value == [])


def filled_text(value: JsonValue) -> str | None:
    """The trimmed text, or None when the value is no string or a blank one."""
    text = as_text(value)
    return (text.strip() or None) if text is not None else None
