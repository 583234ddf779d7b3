"""JSON laid out for reading. Only white space changes: numbers and strings stay as they were written."""

from __future__ import annotations

import re

from config import jsontext
from config.jsontext import JsonValue

_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_STEP = "  "


def laid_out(text: str) -> str:
    """A JSON document with one member a line. A text that is no JSON container comes back as it is."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    pieces: list[str] = []
    level, previous = 0, ""
    for token in _TOKENS.findall(text):
        if token in "}]":
            level -= 1
            pieces.append(token if previous in "{[" else f"\n{_STEP * level}{token}")
        else:
            pieces.append(f"{_before(previous, level)}{token}")
            level += token in "{["
        previous = token
    return "".join(pieces)


def laid_out_value(value: JsonValue) -> str:
    """The same for a value that was read."""
    return laid_out(jsontext.write(value))


def scalar(value: JsonValue) -> str:
    """One value as a person reads it: text without quotes, everything else as JSON."""
    return value if isinstance(value, str) else jsontext.write(value)


def _before(previous: str, level: int) -> str:
    if previous == ":":
        return " "
    return f"\n{_STEP * level}" if previous and previous in "{[," else ""
