"""The candidate gate: the printed result and the exit code."""

from __future__ import annotations

from typing import Any

from tests.cases.compare import differences
from tests.cases.reservations.moments import Moment


def gate_valid(moment: Moment, expected: Any) -> None:
    assert differences(moment.body["valid"], expected) == []
    assert moment.answer.status == (0 if expected else 1), "the exit code"


def gate_errors(moment: Moment, expected: Any) -> None:
    assert differences(moment.body["errors"], expected) == []


CHECKS = {"gate_valid": gate_valid, "gate_errors": gate_errors}
