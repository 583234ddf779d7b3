"""The published request bodies of OPERA as data: which call takes which body, and the schema it is checked against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class OhipCall:
    """One published call. `body` names the definition of its request body, None for a read."""

    method: str
    path: str
    body: str | None


@dataclass(frozen=True, slots=True)
class OhipSpec:
    """One specification file: its version, the calls, and the definitions they share."""

    base_path: str
    version: str
    calls: Mapping[str, OhipCall]
    _definitions: Mapping[str, Any]

    def strict_schema(self, body: str) -> dict[str, Any]:
        """The schema of one body, in the form that refuses unknown properties (R-48).

        The source requires nothing and allows every name, so the plain schema would accept nearly anything. It uses no
        `allOf`, so closing each schema by itself is safe.

        raises  KeyError: no such body in this specification
        """
        if body not in self._definitions:
            raise KeyError(body)
        return {"definitions": _closed_all(self._definitions), "$ref": f"#/definitions/{body}"}


def load_ohip(document: Mapping[str, Any]) -> OhipSpec:
    """Build the frozen specification from a parsed `*.reduced.json`. A key that is missing is a KeyError."""
    calls = {name: OhipCall(row["method"], row["path"], row["body"]) for name, row in document["operations"].items()}
    return OhipSpec(
        base_path=document["x-source"]["base_path"],
        version=document["x-source"]["spec_version"],
        calls=MappingProxyType(calls),
        _definitions=MappingProxyType(document["definitions"]),
    )


def _closed_all(schemas: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _closed(schema) for name, schema in schemas.items()}


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    closed = dict(schema)
    if "items" in closed:
        closed["items"] = _closed(closed["items"])
    if "properties" in closed:
        closed["properties"] = _closed_all(closed["properties"])
        closed["additionalProperties"] = False
    return closed
