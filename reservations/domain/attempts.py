"""What becomes of an operation after one attempt to make it (R-49)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

MAX_ATTEMPTS: Final = 5  # after these, what was not received is given up


class OperationState(StrEnum):
    PENDING = "PENDING"
    SENDING = "SENDING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    UNKNOWN = "UNKNOWN"


class Answer(StrEnum):
    """What is known of the effect."""

    DONE = "it took effect"
    REFUSED = "it was refused and never will"
    NO_EFFECT = "it was not received"
    OPEN = "it may have been received"


SETTLED: Final = frozenset({OperationState.SUCCEEDED, OperationState.FAILED})


def asks_first(state: OperationState) -> bool:
    """Whether the PMS has to be asked what it received before anything is sent: never a blind repeat."""
    return state is not OperationState.PENDING


def state_after(answer: Answer, attempts: int) -> OperationState:
    """The state after so many attempts. What was not received is sent again a few times; what is open stays open
    until it is reconciled, however long that takes."""
    if answer is Answer.DONE:
        return OperationState.SUCCEEDED
    if answer is Answer.OPEN:
        return OperationState.UNKNOWN
    if answer is Answer.NO_EFFECT and attempts < MAX_ATTEMPTS:
        return OperationState.PENDING
    return OperationState.FAILED
