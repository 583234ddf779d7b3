"""A body is checked against the published schema before anything is sent (R-48)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from jsonschema_rs import Draft4Validator, ValidationError

from reservations import data
from reservations.domain import pointers
from reservations.domain.jsonvalues import JsonArray, JsonObject


def dry_run(spec: str, body_schema: str | None, body: JsonObject | None) -> JsonObject:
    """`{valid, errors[]}` of one call; a read has no body and is valid.

    Each error is `{pointer, detail}`: the place in the body and one sentence, which never quotes a value.

    raises  KeyError: the specification has no such body
    """
    if body_schema is None:
        return {"valid": True, "errors": []}
    found = sorted((_pointer(error.instance_path), _detail(error)) for error in _validator(spec, body_schema)(body))
    errors: JsonArray = [{"pointer": pointer, "detail": detail} for pointer, detail in found]
    return {"valid": not errors, "errors": errors}


@cache
def _validator(spec: str, body_schema: str) -> Callable[[object], Sequence[ValidationError]]:
    validator = Draft4Validator(data.ohip(spec).strict_schema(body_schema), validate_formats=True)
    return lambda body: list(validator.iter_errors(body))


def _pointer(path: Sequence[str | int]) -> str:
    return pointers.build([str(step) for step in path])


_SENTENCES: Final = MappingProxyType(
    {
        "additionalProperties": "OPERA knows no property of this name: {}.",
        "enum": "This must be one of: {}.",
        "format": "This must have the format {}.",
        "maxItems": "This may have at most {} entries.",
        "maxLength": "This may have at most {} characters.",
        "maximum": "This may be at most {}.",
        "minLength": "This must have at least {} characters.",
        "minimum": "This must be at least {}.",
        "type": "This must be of the type {}.",
    }
)


def _detail(error: ValidationError) -> str:
    """Says the rule, which is the schema's, and not the value, which may be a guest's."""
    rule = error.kind.name
    sentence = _SENTENCES.get(rule, f"This does not keep the rule {rule}.")
    limit = error.kind.value
    return sentence.format(", ".join(map(str, limit)) if isinstance(limit, list) else limit)
