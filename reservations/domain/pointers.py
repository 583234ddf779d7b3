"""JSON pointers, strictly by RFC 6901 (R-34): `~0` and `~1` only, plain array indexes, no `#/` form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from reservations.domain.jsonvalues import JsonValue

_WELL_FORMED: Final = re.compile(r"(?:/(?:[^/~]|~[01])*)*", re.DOTALL)
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,8}")


class PointerInvalid(ValueError):
    """Not a pointer of RFC 6901."""


class PointerUnresolved(LookupError):
    """A well formed pointer that leads nowhere in the document."""


def is_well_formed(pointer: str) -> bool:
    """True for the empty text and for a text that starts with `/` and has `~` only as `~0` or `~1`."""
    return _WELL_FORMED.fullmatch(pointer) is not None


def parse(pointer: str) -> tuple[str, ...]:
    """The decoded tokens; the empty pointer has none.

    raises  PointerInvalid
    """
    if not is_well_formed(pointer):
        raise PointerInvalid(pointer)
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def build(tokens: Sequence[str]) -> str:
    """The pointer of these tokens; the opposite of `parse`."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def array_index(token: str) -> int | None:
    """The index a token names: ASCII digits without sign or leading zero, else None. `-` names no element."""
    return int(token) if _INDEX.fullmatch(token) else None


def resolve(document: JsonValue, pointer: str) -> JsonValue:
    """The value the pointer leads to.

    raises  PointerInvalid; PointerUnresolved when there is no such place
    """
    value = document
    for token in parse(pointer):
        value = _step(value, token, pointer)
    return value


def from_path(path: str) -> str:
    """The pointer of a dotted path."""
    return build(path.split("."))


def _step(value: JsonValue, token: str, pointer: str) -> JsonValue:
    if isinstance(value, dict) and token in value:
        return value[token]
    if isinstance(value, list):
        index = array_index(token)
        if index is not None and index < len(value):
            return value[index]
    raise PointerUnresolved(pointer)
