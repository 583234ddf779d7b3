"""What the audit keeps of a row: everything that may change, so that its last state can be rebuilt from the audit alone.

What never changes is named by id or hash. Values that are null are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from config.audit.services import Change, Door, record_many
from config.jsontext import JsonValue
from reservations.domain.jsonvalues import JsonObject
from reservations.models import (
    AiTransition,
    OperaOperation,
    Order,
    OrderTask,
    SourceNotification,
    Submission,
    Task,
    TaskCard,
)

TASK, ORDER, OPERATION, SUBMISSION = "task", "order", "operation", "submission"
ORDER_TASK, CARD, NOTIFICATION = "order_task", "card", "source_notification"


def submission_state(submission: Submission, transitions: Sequence[AiTransition]) -> JsonValue:
    """Hashes and counts, no text of the mail."""
    kinds = Counter(str(transition.kind) for transition in transitions)
    return {
        "source_message_id": str(submission.source_message_id),
        "generation": str(submission.generation),
        "root_kind": str(submission.root_kind),
        "canonical_sha256": submission.canonical_sha256,
        "outcome": str(submission.outcome),
        "transitions": dict(kinds),
    }


def order_state(order: Order) -> JsonValue:
    return _given(
        {
            "order_number": order.order_number,
            "kind": str(order.kind),
            "status": str(order.status),
            "display_name": order.display_name,
            "group_code": order.group_code,
            "confirmation_number": order.confirmation_number,
            "booking_code": order.booking_code,
            "hidden": order.hidden,
        }
    )


def task_state(task: Task) -> JsonObject:
    return _given(
        {
            "order_id": str(task.order_id),
            "order_task_id": str(task.order_task_id) if task.order_task_id else None,
            "source_message_id": str(task.source_message_id),
            "submission_id": str(task.submission_id),
            "source_event_index": task.source_event_index,
            "route_code": task.route_code,
            "ai_payload_sha256": task.ai_payload_sha256,
            "field_contract_version": task.field_contract_version,
            "system_task_type": task.system_task_type,
            "warnings": task.warnings,
            "task_status": str(task.task_status),
            "review_status": str(task.review_status) if task.review_status else None,
            "review_resolution": task.review_resolution,
            "draft_payload_json": task.draft_payload_json,
            "draft_by": task.draft_by_id,
            "draft_at": _text(task.draft_at),
            "confirmed_payload_json": task.confirmed_payload_json,
            "decided_by": task.decided_by_id,
            "decided_at": _text(task.decided_at),
            "claimed_by": task.claimed_by_id,
            "claim_expires_at": _text(task.claim_expires_at),
            "acknowledged_by": task.acknowledged_by_id,
            "acknowledged_at": _text(task.acknowledged_at),
            "terminated_by": task.terminated_by_id,
            "terminated_at": _text(task.terminated_at),
            "termination_reason": task.termination_reason,
            "version": task.version,
        }
    )


def operation_state(operation: OperaOperation) -> JsonValue:
    """Without the lease, which is nobody's decision."""
    return _given(
        {
            "task_id": str(operation.task_id),
            "sequence": operation.sequence,
            "external_id": operation.external_id,
            "operation_id": operation.operation_id,
            "status": str(operation.status),
            "attempts": operation.attempts,
            "last_error": operation.last_error or None,
            "receipt": operation.receipt,
            "finished_at": _text(operation.finished_at),
        }
    )


def order_task_state(row: OrderTask) -> JsonValue:
    return _given(
        {
            "order_id": str(row.order_id),
            "source_message_id": str(row.source_message_id),
            "submission_id": str(row.submission_id),
            "order_ref": row.order_ref,
            "order_context_index": row.order_context_index,
            "order_type": row.order_type,
            "display_name": row.display_name,
            "status": str(row.status),
            "version": row.version,
        }
    )


def card_state(row: TaskCard) -> JsonValue:
    """Of a Basic Information card; the others have nothing that changes."""
    return _given(
        {
            "order_task_id": str(row.order_task_id),
            "kind": str(row.kind),
            "card_status": str(row.card_status) if row.card_status else None,
            "review_status": str(row.review_status) if row.review_status else None,
            "review_resolution": row.review_resolution,
            "draft_payload_json": row.draft_payload_json,
            "draft_by": row.draft_by_id,
            "draft_at": _text(row.draft_at),
            "confirmed_payload_json": row.confirmed_payload_json,
            "decided_by": row.decided_by_id,
            "decided_at": _text(row.decided_at),
            "warnings": row.warnings,
            "version": row.version,
        }
    )


def notification_state(row: SourceNotification) -> JsonValue:
    return _given(
        {
            "source_message_id": str(row.source_message_id),
            "submission_id": str(row.submission_id),
            "route_code": row.route_code,
            "acknowledged_by": row.acknowledged_by_id,
            "acknowledged_at": _text(row.acknowledged_at),
            "version": row.version,
        }
    )


def task_change(task: Task, action: str, before: JsonValue, reason: str = "") -> Change:
    """One change of a task, as it stands now, against its state before."""
    return Change(action, TASK, str(task.id), before, task_state(task), reason)


def record_one(*, hotel_id: int, actor_id: int | None, door: Door, change: Change, at: datetime) -> None:
    """One line of one hotel."""
    record_many(tenant_id=hotel_id, actor_id=actor_id, door=door, changes=[change], at=at)


def record_refusal(
    *, hotel_id: int, actor_id: int, door: Door, action: str, object_type: str, object_id: str, code: str, at: datetime
) -> None:
    """R-41: the attempt, and why it was refused. Nothing else of it remains."""
    change = Change(f"{action}_REFUSED", object_type, object_id, after={"error_code": code})
    record_one(hotel_id=hotel_id, actor_id=actor_id, door=door, change=change, at=at)


def _given(state: Mapping[str, JsonValue]) -> JsonObject:
    return {name: value for name, value in state.items() if value is not None}


def _text(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment is not None else None
