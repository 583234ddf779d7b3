"""Every expectation of the format: one function each, `(moment, expected)`, that asserts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.cases.capabilities import NotBuilt, need
from tests.cases.reservations.expectations import answers, cards, gate, rows
from tests.cases.reservations.format import EXPECTATIONS
from tests.cases.reservations.moments import Moment

Check = Callable[[Moment, Any], None]
CHECKS: Mapping[str, Check] = {**gate.CHECKS, **answers.CHECKS, **rows.CHECKS, **cards.CHECKS}


def judge(moment: Moment, expected: Mapping[str, Any]) -> None:
    """Judge all that can be judged; then NotBuilt, if something could not."""
    missing = []
    for key, value in expected.items():
        try:
            for capability in EXPECTATIONS[key]:
                need(capability)
            CHECKS[key](moment, value)
        except NotBuilt as reason:
            missing.append(reason)
    if missing:
        raise missing[0]
