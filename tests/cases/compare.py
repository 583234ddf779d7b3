"""Exact comparison of JSON values: true, 1, 1.0 and "1" are four different values."""

from __future__ import annotations

from typing import Any


def differences(actual: Any, expected: Any, *, subset: bool = False, place: str = "") -> list[str]:
    """Where the two differ, as sentences; none when they are the same.

    subset  an object may have members that are not expected, at any depth; arrays are compared whole
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        return _members(actual, expected, subset, place)
    if isinstance(expected, list) and isinstance(actual, list):
        if len(actual) != len(expected):
            return [f"{place or '/'}: {len(actual)} entries, not {len(expected)}: {actual!r}"]
        pairs = enumerate(zip(actual, expected, strict=True))
        return [line for n, (a, e) in pairs for line in differences(a, e, subset=subset, place=f"{place}/{n}")]
    return [] if same_scalar(actual, expected) else [f"{place or '/'}: {actual!r}, not {expected!r}"]


def same(actual: Any, expected: Any) -> bool:
    return differences(actual, expected) == []


def same_scalar(actual: Any, expected: Any) -> bool:
    """Equal and of one type. Two Decimals also agree in how they are written: 1.0 is not 1.00."""
    return type(actual) is type(expected) and bool(actual == expected) and str(actual) == str(expected)


def _members(actual: dict[str, Any], expected: dict[str, Any], subset: bool, place: str) -> list[str]:
    found = [f"{place}/{key}: absent" for key in expected if key not in actual]
    if not subset:
        found += [f"{place}/{key}: not expected" for key in actual if key not in expected]
    for key in expected:
        if key in actual:
            found += differences(actual[key], expected[key], subset=subset, place=f"{place}/{key}")
    return found
