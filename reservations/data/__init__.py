"""The desk's data files, read once into frozen values that are passed to the domain as arguments."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from reservations.domain.catalog import Catalog, load_catalog
from reservations.domain.fields import FieldMatrix, load_matrix
from reservations.domain.ohip import OhipSpec, load_ohip

FOLDER = Path(__file__).parent


@cache
def catalog() -> Catalog:
    """Today's route catalogue."""
    return load_catalog(_read("route_catalog.json"))


@cache
def matrix() -> FieldMatrix:
    """Today's field matrix."""
    return load_matrix(_read("field_matrix.json"))


@cache
def ohip(spec: str) -> OhipSpec:
    """The published request bodies of one specification: rsv, blk, csh or rsvasync."""
    return load_ohip(_read(f"ohip/{spec}.reduced.json"))


def _read(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return document
