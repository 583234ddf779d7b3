"""Places in nested JSON by the dotted path of a field: reading, and copies with one place changed (R-31)."""

from __future__ import annotations

from reservations.domain.jsonvalues import JsonArray, JsonObject, JsonValue, as_array, as_object
from reservations.domain.pointers import array_index


def value_at(document: JsonValue, path: str) -> JsonValue:
    """The value at a path such as `extracted_fields.room_items.0.room_quantity`; None when nothing is there.

    A number in the path is a place in an array, never a key of an object.
    """
    value = document
    for token in path.split("."):
        index = array_index(token)
        if index is None:
            value = value.get(token) if isinstance(value, dict) else None
        else:
            value = value[index] if isinstance(value, list) and index < len(value) else None
    return value


def with_value(document: JsonObject, path: str, value: JsonValue) -> JsonObject:
    """A copy with the value at the path; what lies beside the path is shared, not copied.

    Objects and arrays on the way are made; what is no object or array where the path needs one is replaced.
    raises  IndexError: the path would leave a gap in an array
    """
    name, _, rest = path.partition(".")
    return {**document, name: _placed(document.get(name), rest, value)}


def without(document: JsonObject, path: str) -> JsonObject:
    """A copy without the last key of the path; the document itself when nothing is there."""
    name, _, rest = path.partition(".")
    if name not in document:
        return document
    if not rest:
        return {key: value for key, value in document.items() if key != name}
    return {**document, name: _lacking(document[name], rest)}


def _placed(value: JsonValue, path: str, new: JsonValue) -> JsonValue:
    if not path:
        return new
    token, _, rest = path.partition(".")
    index = array_index(token)
    if index is None:
        return with_value(as_object(value) or {}, path, new)
    items: JsonArray = list(as_array(value) or [])
    if index == len(items):
        items.append(None)
    items[index] = _placed(items[index], rest, new)
    return items


def _lacking(value: JsonValue, path: str) -> JsonValue:
    token, _, rest = path.partition(".")
    if isinstance(value, dict):
        return without(value, path) if array_index(token) is None else value
    index = array_index(token)
    if not isinstance(value, list) or index is None or index >= len(value) or not rest:
        return value
    return [*value[:index], _lacking(value[index], rest), *value[index + 1 :]]
