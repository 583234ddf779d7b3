"""Tasks: the list of cards, and one card with all that is shown on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from config import jsontext
from config.audit.models import AuditEvent
from config.jsonfield import STORED_DEPTH
from config.jsontext import JsonValue
from reservations.data import catalog, matrix
from reservations.domain.fieldcontract import FieldSet, read_fields
from reservations.domain.states import TaskStatus
from reservations.models import Submission, SubmissionOutcome, Task
from reservations.selectors.columns import MAIL_REFERENCE, Row, json_text, json_texts, rows_of
from reservations.selectors.fieldstate import card_state, read_options
from reservations.selectors.inbox import list_attachments
from reservations.selectors.queue import is_blocked
from reservations.selectors.relations import Link, Sibling, links_of
from reservations.selectors.routes import shown_pair
from reservations.selectors.submissions import Batch, find_batch

OBJECT_TYPE = "task"
TASK_ROW = (
    "id",
    "hotel__code",
    "order_id",
    "order__order_number",
    "order__hidden",
    *MAIL_REFERENCE,
    "submission_id",
    "order_task_id",
    "source_event_index",
    "array_index",
    "ai_result_type",
    "ai_task_type",
    "ai_task_subtype",
    "route_code",
    "system_process_category",
    "system_task_type",
    "queue_participation",
    "readonly",
    "card_display_type",
    "card_title_code",
    "route_display_code",
    "task_status",
    "review_status",
    "claimed_by__username",
    "claim_expires_at",
    "blocked",
    "version",
    "received_at",
    "created_at",
)
_JSON_COLUMNS = (
    "case_keys",
    "derived_case_keys",
    "relationships",
    "manual_review",
    "review_resolution",
    "evidence",
    "warnings",
    "draft_payload_json",
    "confirmed_payload_json",
)
TASK_DETAIL = (
    *TASK_ROW,
    "hotel_id",
    *(f"{name}_text" for name in _JSON_COLUMNS),
    "source_message__sender",
    "source_message__conversation_id",
    "submission__generation",
    "order_task__order_type",
    "case_candidates_text",
    "extraction_warnings_text",
    "event_type",
    "ai_payload_json",
    "ai_payload_sha256",
    "field_contract_version",
    "catalog_code",
    "skill_id",
    "draft_by__username",
    "draft_at",
    "decided_by__username",
    "decided_at",
    "terminated_by__username",
    "terminated_at",
    "termination_reason",
    "acknowledged_by__username",
    "acknowledged_at",
    "later_package",
    "later_conflict",
)
HISTORY_ROW = ("action", "actor__username", "door", "reason", "at")


@dataclass(frozen=True, slots=True)
class TaskDetail:
    """One card: its own row, its fields, the files of its mail, its links, what came with it, what was done to it.

    fields  None for a notice, which has none
    """

    task: Row
    fields: FieldSet | None
    attachments: list[Row]
    links: list[Link]
    batch: Batch
    history: list[Row]


def list_tasks(*, hotel_ids: Collection[int]) -> QuerySet[Task, Row]:
    """Cards and notices, without payloads."""
    return rows_of(Task.objects.filter(hotel_id__in=hotel_ids).annotate(blocked=is_blocked()), *TASK_ROW)


def list_order_tasks(*, hotel_ids: Collection[int], order_id: UUID) -> QuerySet[Task, Row]:
    """The timeline of one order."""
    return list_tasks(hotel_ids=hotel_ids).filter(order_id=order_id)


def find_task(*, hotel_ids: Collection[int], task_id: UUID) -> TaskDetail | None:
    """Six statements, however much belongs to the card; five for a notice."""
    task = _detail_rows(hotel_ids).filter(id=task_id).first()
    if task is None:
        return None
    message_id = task["source_message_id"]
    attachments = list_attachments(message_id=message_id)
    card = Sibling(task["id"], task["source_event_index"], task["task_status"], task["relationships_text"])
    return TaskDetail(
        task=task,
        fields=_fields(task, attachments),
        attachments=attachments,
        links=links_of(card=card, siblings=_siblings(card, message_id)),
        batch=find_batch(submission_id=task["submission_id"], source_message_id=message_id),
        history=list_history(object_type=OBJECT_TYPE, object_id=str(task_id)),
    )


def list_history(*, object_type: str, object_id: str) -> list[Row]:
    """What was done to one object, oldest first."""
    events = AuditEvent.objects.filter(object_type=object_type, object_id=object_id)
    return list(rows_of(events.order_by("id"), *HISTORY_ROW))


def _fields(task: Row, attachments: Sequence[Row]) -> FieldSet | None:
    """What the card serves (R-29), from the texts of its columns."""
    if task["task_status"] == TaskStatus.NOTICE:
        return None
    parsed = {name: _parsed(task[f"{name}_text"]) for name in _JSON_COLUMNS}
    pair = shown_pair(task_type=task["ai_task_type"], task_subtype=task["ai_task_subtype"])
    files = [(row["external_id"], row["file_name"]) for row in attachments]
    state = card_state(
        columns={**task, **parsed},
        generation=task["submission__generation"],
        options=read_options(hotel_id=task["hotel_id"], pair=pair, files=files),
        order_type=task["order_task__order_type"],
    )
    return read_fields(state, matrix=matrix(), catalog=catalog())


def _parsed(text: str | None) -> JsonValue:
    return jsontext.read(text.encode(), max_depth=STORED_DEPTH) if text else None


def _detail_rows(hotel_ids: Collection[int]) -> QuerySet[Task, Row]:
    of_submission = {
        "case_candidates_text": json_text("submission__case_candidates"),
        "extraction_warnings_text": json_text("submission__extraction_warnings"),
    }
    tasks = Task.objects.filter(hotel_id__in=hotel_ids).annotate(
        **json_texts(*_JSON_COLUMNS),
        **of_submission,
        blocked=is_blocked(),
        later_package=Exists(_later_packages()),
        later_conflict=Exists(_later_packages().filter(outcome=SubmissionOutcome.CONFLICT)),
    )
    return rows_of(tasks, *TASK_DETAIL)


def _later_packages() -> QuerySet[Submission]:
    return Submission.objects.filter(
        source_message_id=OuterRef("source_message_id"), created_at__gte=OuterRef("submission__created_at")
    ).exclude(id=OuterRef("submission_id"))


def _siblings(card: Sibling, message_id: UUID) -> list[Sibling]:
    others = (
        Task.objects.filter(source_message_id=message_id, source_event_index__gt=0)
        .exclude(id=card.task_id)
        .annotate(relations=json_text("relationships"))
        .order_by("source_event_index")
        .values_list("id", "source_event_index", "task_status", "relations")
    )
    return [Sibling(*row) for row in others]
