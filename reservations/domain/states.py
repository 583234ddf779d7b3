"""States and the tables of moves (reservations.md sections 9 and 13). The diagrams in the docs are made from them.

A task has one table; the Basic Information card of an order task, and the order task itself, have theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
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


class CardStatus(StrEnum):
    """Of a Basic Information card (R-59)."""

    PENDING_CONFIRM = "PENDING_CONFIRM"
    PENDING_REVIEW = "PENDING_REVIEW"
    CONFIRMED = "CONFIRMED"


class OrderTaskStatus(StrEnum):
    """Of an order task (R-58)."""

    PENDING_CONFIRM = "PENDING_CONFIRM"
    PENDING_REVIEW = "PENDING_REVIEW"
    IN_PROGRESS = "IN_PROGRESS"
    DONE = "DONE"


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
CARD_MOVES: Final = (
    (CardStatus.PENDING_CONFIRM, Action.CONFIRM, CardStatus.CONFIRMED),
    (CardStatus.PENDING_REVIEW, Action.RESOLVE, CardStatus.CONFIRMED),
)
FINAL: Final = frozenset({TaskStatus.NOTICE, TaskStatus.DONE, TaskStatus.TERMINATED})

_TARGETS: Final = {(move.source, move.action): move.target for move in MOVES}


def target(source: TaskStatus | None, action: Action) -> TaskStatus:
    """Where the action leads from here.

    raises  TaskStateInvalid: the move is not in the table (R-46)
    """
    found = _TARGETS.get((source, action))
    if found is None:
        raise _impossible(source, action)
    return found


def allowed(source: TaskStatus, action: Action) -> bool:
    return (source, action) in _TARGETS


def card_target(source: CardStatus, action: Action) -> CardStatus:
    """Where the action leads a Basic Information card; once confirmed it is locked (R-61).

    raises  TaskStateInvalid
    """
    found = next((end for start, by, end in CARD_MOVES if (start, by) == (source, action)), None)
    if found is None:
        raise _impossible(source, action)
    return found


def _impossible(source: TaskStatus | CardStatus | None, action: Action) -> TaskStateInvalid:
    detail = f"The card is {source}: it does not allow this ({action}). Read it again and decide anew."
    return TaskStateInvalid(detail, source=source, action=action)


def order_task_status(card: CardStatus, tasks: Iterable[TaskStatus]) -> OrderTaskStatus:
    """What an order task stands at: done with its last card, else where its Basic Information is (R-58)."""
    if all(status in FINAL for status in tasks):
        return OrderTaskStatus.DONE
    return OrderTaskStatus.IN_PROGRESS if card is CardStatus.CONFIRMED else OrderTaskStatus(card)


def check_confirm(status: TaskStatus | CardStatus, review: str | None) -> None:
    """May a card in this state be confirmed?

    raises  TaskReviewAlreadyResolved, TaskReviewResolutionRequired (R-37), TaskStateInvalid
    """
    if review == ReviewStatus.RESOLVED:
        raise TaskReviewAlreadyResolved
    if status in (TaskStatus.PENDING_REVIEW, CardStatus.PENDING_REVIEW):
        raise TaskReviewResolutionRequired
    _check_move(status, Action.CONFIRM)


def check_resolve(status: TaskStatus | CardStatus, review: str | None) -> None:
    """May the review of a card in this state be resolved?

    raises  TaskReviewAlreadyResolved, TaskReviewNotRequired, TaskStateInvalid
    """
    if review == ReviewStatus.RESOLVED:
        raise TaskReviewAlreadyResolved
    if review is None:
        raise TaskReviewNotRequired
    _check_move(status, Action.RESOLVE)


def _check_move(status: TaskStatus | CardStatus, action: Action) -> None:
    if isinstance(status, CardStatus):
        card_target(status, action)
    else:
        target(status, action)
