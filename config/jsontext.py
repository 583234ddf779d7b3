"""Exact JSON: what was received is what is kept.

Values are dict, list, str, bool, None, int and, for a number written with a fraction or an exponent, Decimal; never
float. So 1, 1.0 and a number of twenty digits stay three different numbers on the way through the system (R-54),
while `canonical` gives equal bytes for numbers of equal value (R-51).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from decimal import Context, Decimal
from typing import TypeAlias

import orjson

from config.errors import JsonInvalid, PayloadLimitExceeded

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | Decimal | bool | None"

MAX_DEPTH = 32
MAX_NUMBER_LENGTH = 40
MAX_EXPONENT = 308

_EXACT = Context(prec=400)
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # also one that never ends, or time is quadratic
_NOT_BRACKET = re.compile(r"[^\[\]{}]+")
_SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_SURROGATE_OR_NUL = re.compile("[\x00\ud800-\udfff]")


def read(raw: bytes, *, max_depth: int = MAX_DEPTH) -> JsonValue:
    """Parse one JSON document strictly (R-54).

    raises  JsonInvalid: not UTF-8, byte order mark, syntax, duplicate keys, NaN, Infinity, a number of more than 40
            characters or an exponent beyond 308, a lone surrogate or U+0000
            PayloadLimitExceeded: nested deeper than max_depth
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise JsonInvalid(f"The body is not UTF-8 at byte {fault.start}.") from None
    if text.startswith("\ufeff"):
        raise JsonInvalid("The body begins with a byte order mark. Send it without.")
    if _depth(text) > max_depth:
        raise PayloadLimitExceeded(f"The body is nested deeper than {max_depth} levels.")
    try:
        value: JsonValue = json.loads(
            text, parse_int=_integer, parse_float=_decimal, parse_constant=_refuse_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as fault:
        raise JsonInvalid(f"The body is no JSON: {fault.msg} at line {fault.lineno}, column {fault.colno}.") from None
    if _SUSPECT_ESCAPE.search(text):
        _refuse_bad_text(value)
    return value


def write(value: JsonValue) -> str:
    """Compact JSON text that keeps Decimals and integers of any size exactly, and that `read` takes again."""
    return _dump(value, _spelled, 0).decode()


def canonical(value: JsonValue) -> bytes:
    """Bytes that are equal exactly for equal values: sorted keys, no space, numbers by exact decimal value (R-51)."""
    return _dump(value, _plain_number, orjson.OPT_SORT_KEYS)


def digest(value: JsonValue) -> str:
    """SHA-256 of the canonical bytes, as 64 hexadecimal digits (R-51)."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _depth(text: str) -> int:
    brackets = _NOT_BRACKET.sub("", _STRING.sub("", text))
    depth = deepest = 0
    for bracket in brackets:
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _within_limits(digits: str) -> bool:
    exponent = digits.lower().partition("e")[2]
    return len(digits) <= MAX_NUMBER_LENGTH and abs(int(exponent or 0)) <= MAX_EXPONENT


def _spelled(value: Decimal) -> str:
    """A number as text: Python's own spelling, else the shortest one whose exponent is within the limits."""
    text = str(value)
    if _within_limits(text):
        return text
    sign, digits, exponent = value.as_tuple()
    least = max(0, -MAX_EXPONENT - int(exponent))  # decimals, so that the exponent is not too small
    figures = "".join(map(str, digits))
    spellings = (_with_decimals(figures, places, int(exponent)) for places in range(least, least + MAX_NUMBER_LENGTH))
    return "-" * sign + min(spellings, key=len)


def _with_decimals(figures: str, places: int, exponent: int) -> str:
    figures = figures.rjust(places + 1, "0")
    point = len(figures) - places
    mantissa = f"{figures[:point]}.{figures[point:]}" if places else figures
    return f"{mantissa}e{exponent + places}"


def _integer(digits: str) -> int:
    if len(digits) > MAX_NUMBER_LENGTH:
        raise JsonInvalid(f"A number has more than {MAX_NUMBER_LENGTH} characters.")
    return int(digits)


def _decimal(digits: str) -> Decimal:
    if len(digits) > MAX_NUMBER_LENGTH:
        raise JsonInvalid(f"A number has more than {MAX_NUMBER_LENGTH} characters.")
    _, _, exponent = digits.lower().partition("e")
    if exponent and abs(int(exponent)) > MAX_EXPONENT:
        raise JsonInvalid(f"A number has an exponent beyond {MAX_EXPONENT}.")
    return Decimal(digits)


def _refuse_constant(name: str) -> JsonValue:
    raise JsonInvalid(f"{name} is no JSON number.")


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise JsonInvalid(f"The key {json.dumps(twice[:60])} stands twice in one object.")
    return members


def _refuse_bad_text(value: JsonValue) -> None:
    if isinstance(value, str):
        if _SURROGATE_OR_NUL.search(value):
            raise JsonInvalid("A text holds U+0000 or a lone surrogate.")
    elif isinstance(value, list):
        for item in value:
            _refuse_bad_text(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_bad_text(key)
            _refuse_bad_text(item)


def _dump(value: JsonValue, number: Callable[[Decimal], str], option: int) -> bytes:
    def fragment(item: object) -> object:
        if isinstance(item, Decimal):
            return orjson.Fragment(number(item))
        raise TypeError(f"no JSON value: {type(item)}")

    try:
        return orjson.dumps(value, default=fragment, option=option)
    except TypeError:  # orjson refuses integers beyond 64 bits before it asks
        return orjson.dumps(_without_big_integers(value), default=fragment, option=option)


def _without_big_integers(value: JsonValue) -> object:
    if isinstance(value, dict):
        return {key: _without_big_integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_big_integers(item) for item in value]
    if isinstance(value, int) and value.bit_length() > 63:
        return orjson.Fragment(str(value))
    return value


def _plain_number(value: Decimal) -> str:
    normal = value.normalize(_EXACT)
    return "0" if normal.is_zero() else format(normal, "f")
