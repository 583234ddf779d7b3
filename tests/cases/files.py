"""The case files: COUNTERSIGN_CASES names their folder; without it the own copy is read."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

OWN_COPY = Path(__file__).parent / "data"
VARIABLE = "COUNTERSIGN_CASES"


def is_own_copy() -> bool:
    return not os.environ.get(VARIABLE)


def read(name: str) -> Any:
    """One case file. Integers keep every digit; a number with a fraction or an exponent is a Decimal."""
    folder = OWN_COPY if is_own_copy() else Path(os.environ[VARIABLE])
    return parse((folder / name).read_bytes())


def parse(raw: bytes) -> Any:
    return json.loads(raw.decode("utf-8"), parse_float=Decimal)
