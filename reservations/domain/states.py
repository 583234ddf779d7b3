"""States of a task and the one table of moves (reservations.md section 9). The diagram in the docs is made from it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from reservations.domain.errors import (
    TaskReviewAlreadyResolved,
    TaskReviewNotRequired,
    TaskReviewResolutionRequired,
    TaskStateInvalid,
)


class TaskStatus(StrEnum):
    PENDING_CONFIRM = "PENDING_CONFIRM"
    PENDING_REVIEW = "PENDING_REVIEW"
    NOTICE = "NOTICE"
    READY = "READY"
    EXECUTING = "EXECUTING"
    FAILED = "FAILED"
    DONE = "DONE"
    TERMINATED = "TERMINATED"


class ReviewStatus(StrEnum):
    PENDING = "PENDING"
    RESOLVED = "RESOLVED"


class Action(StrEnum):
    """What moves a task."""

    INGEST_NORMAL = "ingest, normal_task"
    INGEST_REVIEW = "ingest, manual_review"
    INGEST_NOTICE = "ingest, notice"
    CONFIRM = "confirm"
    RESOLVE = "resolve"
    EXECUTE = "execute"
    OPERATIONS_SUCCEEDED = "all operations succeed"
    OPERATION_UNKNOWN = "an operation is UNKNOWN"
    OPERATION_FAILED = "an operation fails"
    RETRY = "retry"
    TERMINATE = "terminate"


class Move(NamedTuple):
    source: TaskStatus | None  # None: the task is made by it
    action: Action
    target: TaskStatus


MOVES: Final = (
    Move(None, Action.INGEST_NORMAL, TaskStatus.PENDING_CONFIRM),
    Move(None, Action.INGEST_REVIEW, TaskStatus.PENDING_REVIEW),
    Move(None, Action.INGEST_NOTICE, TaskStatus.NOTICE),
    Move(TaskStatus.PENDING_CONFIRM, Action.CONFIRM, TaskStatus.READY),
    Move(TaskStatus.PENDING_REVIEW, Action.RESOLVE, TaskStatus.READY),
    Move(TaskStatus.READY, Action.EXECUTE, TaskStatus.EXECUTING),
    Move(TaskStatus.EXECUTING, Action.OPERATIONS_SUCCEEDED, TaskStatus.DONE),
    Move(TaskStatus.EXECUTING, Action.OPERATION_UNKNOWN, TaskStatus.EXECUTING),
    Move(TaskStatus.EXECUTING, Action.OPERATION_FAILED, TaskStatus.FAILED),
    Move(TaskStatus.FAILED, Action.RETRY, TaskStatus.EXECUTING),
    Move(TaskStatus.PENDING_CONFIRM, Action.TERMINATE, TaskStatus.TERMINATED),
    Move(TaskStatus.PENDING_REVIEW, Action.TERMINATE, TaskStatus.TERMINATED),
    Move(TaskStatus.READY, Action.TERMINATE, TaskStatus.TERMINATED),
    Move(TaskStatus.FAILED, Action.TERMINATE, TaskStatus.TERMINATED),
)
FINAL: Final = frozenset({TaskStatus.NOTICE, TaskStatus.DONE, TaskStatus.TERMINATED})

_TARGETS: Final = {(move.source, move.action): move.target for move in MOVES}


def target(source: TaskStatus | None, action: Action) -> TaskStatus:
    """Where the action leads from here.

    raises  TaskStateInvalid: the move is not in the table (R-46)
    """
    found = _TARGETS.get((source, action))
    if found is None:
        raise TaskStateInvalid(source=source, action=action)
    return found


def allowed(source: TaskStatus, action: Action) -> bool:
    return (source, action) in _TARGETS


def check_confirm(status: TaskStatus, review: str | None) -> None:
    """May a card in this state be confirmed?

    raises  TaskReviewAlreadyResolved, TaskReviewResolutionRequired (R-37), TaskStateInvalid
    """
    if review == ReviewStatus.RESOLVED:
        raise TaskReviewAlreadyResolved
    if status is TaskStatus.PENDING_REVIEW:
        raise TaskReviewResolutionRequired
    target(status, Action.CONFIRM)


def check_resolve(status: TaskStatus, review: str | None) -> None:
    """May the review of a card in this state be resolved?

    raises  TaskReviewAlreadyResolved, TaskReviewNotRequired, TaskStateInvalid
    """
    if review == ReviewStatus.RESOLVED:
        raise TaskReviewAlreadyResolved
    if review is None:
        raise TaskReviewNotRequired
    target(status, Action.RESOLVE)
