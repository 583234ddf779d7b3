"""Rows of one judged package: transitions and tasks as they are going to be inserted. Nothing is saved here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from config import jsontext
from config.jsontext import JsonValue
from reservations.domain.catalog import Catalog, Route
from reservations.domain.contract import Card, ContractFault, Generation, Intent, Notice
from reservations.domain.contract.codes import SENTENCES
from reservations.domain.evidence import SearchableMail
from reservations.domain.states import ReviewStatus, TaskStatus
from reservations.models import AiTransition, SourceMessage, SourceNotification, Task, TransitionKind
from reservations.models.ids import new_id
from reservations.services.orders import Attached

CONTRACT_ERROR_CATEGORY = "ADAPTER_CONTRACT_ERROR"
EVIDENCE_NOT_FOUND = "EVIDENCE_NOT_FOUND"
FIELD_CONTRACT_VERSIONS = {
    Generation.TEXT: "code-v1",
    Generation.V2: "code-v1",
    Generation.V3: "20260711-p0",
    Generation.V4: "20260718-v4",
}
NO_EVENT = "null"
V4_LABELS = {"catalog_code": "M002V4", "skill_id": "booking-desk-event-v4"}
TASK_COLUMNS = (
    "id",
    "order_id",
    "order_task_id",
    "source_event_index",
    "route_code",
    "route_display_code",
    "ai_result_type",
    "ai_task_type",
    "ai_task_subtype",
    "task_status",
    "review_status",
)


@dataclass(frozen=True, slots=True)
class Source:
    """What every row of one submission shares."""

    message: SourceMessage
    submission_id: UUID
    generation: Generation
    at: datetime
    mail: SearchableMail


def card_transition(source: Source, card: Card, digest: str) -> AiTransition:
    return _transition(
        source,
        kind=TransitionKind.BUSINESS_EVENT,
        source_event_index=card.source_event_index,
        array_index=card.array_index,
        event=jsontext.write(card.event),
        event_sha256=digest,
        **_agent_layer(card.route),
        system_process_category=card.route.system_process_category,
    )


def notice_transition(source: Source, notice: Notice, payload: str, digest: str) -> AiTransition:
    return _transition(
        source,
        kind=TransitionKind.SOURCE_NOTIFICATION,
        source_event_index=0,
        array_index=None,
        event=payload,
        event_sha256=digest,
        **_agent_layer(notice.route) | {"route_code": notice.route_code},
        system_process_category=notice.route.system_process_category,
    )


def fault_transition(source: Source, fault: ContractFault, digest: str) -> AiTransition:
    """A contract error keeps the event as sent and what the agent called it; it never has a route (R-18)."""
    return _transition(
        source,
        kind=TransitionKind.CONTRACT_ERROR,
        source_event_index=fault.source_event_index,
        array_index=fault.array_index,
        event=NO_EVENT if fault.array_index is None else jsontext.write(fault.event),
        event_sha256=digest,
        ai_result_type=_said(fault.event, "result_type"),
        ai_task_type=_said(fault.event, "event_type") or _said(fault.event, "task_type"),
        ai_task_subtype=_said(fault.event, "task_subtype"),
        system_process_category=CONTRACT_ERROR_CATEGORY,
        adapter_error_code=fault.code,
        adapter_error_message=SENTENCES[fault.code].en,
        adapter_error_detail=fault.detail,
    )


def intent_transition(source: Source, intent: Intent, digest: str, catalog: Catalog) -> AiTransition:
    """R-09: one transition with the route of unhandled intents, whatever the shape, and nothing else."""
    return _transition(
        source,
        kind=TransitionKind.UNHANDLED_INTENT,
        source_event_index=intent.array_index + 1,
        array_index=intent.array_index,
        event=jsontext.write(intent.intent),
        event_sha256=digest,
        **_agent_layer(catalog.unhandled),
        system_process_category=catalog.unhandled.system_process_category,
    )


def card_task(
    source: Source, card: Card, transition: AiTransition, attached: Attached, **of_order_task: object
) -> Task:
    """The card people work on, pending its confirmation or its review.

    of_order_task  V4: order_task and queue_key
    """
    review = card.manual_review is not None
    evidence, unseen = _evidence(source.mail, card)
    payload = transition.event
    return Task(
        **_shared(source, transition, card.route, payload) | of_order_task,
        order_id=attached.order_id,
        event_type=card.event_type or "",
        case_keys=card.case_keys,
        derived_case_keys=card.effective_case_keys,
        relationships=[
            {
                "relationship_type": link.relationship_type,
                "role": link.role,
                "parent_event_index": link.parent_event_index,
                "child_event_indexes": list(link.child_event_indexes or ()),
                "parent_group_code": link.parent_group_code,
            }
            for link in card.relationships
        ],
        manual_review=card.manual_review,
        evidence=evidence,
        warnings=[*attached.warnings, *card.warnings, *unseen],
        task_status=TaskStatus.PENDING_REVIEW if review else TaskStatus.PENDING_CONFIRM,
        review_status=ReviewStatus.PENDING if review else None,
    )


def notice_task(source: Source, notice: Notice, transition: AiTransition, order_id: UUID) -> Task:
    """R-10: a card to read, outside the queue. Its codes are those received, its display those of S10 or S99 (R-12)."""
    return Task(
        **_shared(source, transition, notice.route, transition.event) | {"route_code": notice.route_code},
        order_id=order_id,
        manual_review=notice.manual_review,
        task_status=TaskStatus.NOTICE,
    )


def notification(source: Source, notice: Notice, transition: AiTransition) -> SourceNotification:
    """V4: the notice without an order and without a task (R-11)."""
    return SourceNotification(
        id=new_id(),
        hotel_id=source.message.hotel_id,
        source_message=source.message,
        submission_id=source.submission_id,
        transition=transition,
        route_code=notice.route_code,
        route_display_code=notice.route.route_display_code,
        agent_assessment=notice.agent_assessment,
        notification=notice.notification,
        manual_review=notice.manual_review,
        received_at=source.message.received_at,
        created_at=source.at,
    )


def _shared(source: Source, transition: AiTransition, route: Route, payload: str) -> dict[str, object]:
    return {
        "id": new_id(),
        "hotel_id": source.message.hotel_id,
        "source_message": source.message,
        "submission_id": source.submission_id,
        "transition": transition,
        "source_event_index": transition.source_event_index,
        "array_index": transition.array_index,
        "queue_key": Task.queue_key_of(source.submission_id, transition.array_index or 0),
        **(V4_LABELS if source.generation is Generation.V4 else {}),
        **_agent_layer(route),
        "system_process_category": route.system_process_category,
        "system_task_type": route.system_task_type or "",
        "queue_participation": route.queue_participation,
        "readonly": route.readonly,
        "card_display_type": route.card_display_type,
        "card_title_code": route.card_title_code,
        "route_display_code": route.route_display_code,
        "ai_payload_json": payload,
        "ai_payload_sha256": hashlib.sha256(payload.encode()).hexdigest(),
        "field_contract_version": FIELD_CONTRACT_VERSIONS[source.generation],
        "received_at": source.message.received_at,
        "created_at": source.at,
    }


def _transition(source: Source, **fields: object) -> AiTransition:
    return AiTransition(
        id=new_id(),
        hotel_id=source.message.hotel_id,
        submission_id=source.submission_id,
        source_message=source.message,
        created_at=source.at,
        **fields,
    )


def _agent_layer(route: Route) -> dict[str, str]:
    return {
        "ai_result_type": route.result_type,
        "ai_task_type": route.task_type,
        "ai_task_subtype": route.task_subtype,
        "route_code": route.route_code,
    }


def _said(event: JsonValue, key: str) -> str:
    value = event.get(key) if isinstance(event, dict) else None
    return value if isinstance(value, str) else ""


def _evidence(mail: SearchableMail, card: Card) -> tuple[list[JsonValue], list[JsonValue]]:
    """R-43: every quote with its place in the mail, and a warning that names those not found."""
    rows: list[JsonValue] = []
    unseen = []
    for excerpt in card.excerpts:
        place = mail.find(excerpt.text)
        row: dict[str, JsonValue] = {"pointer": excerpt.pointer, "text": excerpt.text, "found": place is not None}
        found: dict[str, JsonValue] = {"part": None, "start": None, "end": None}
        if place is None:
            unseen.append(excerpt.pointer)
        else:
            found = {"part": place.part, "start": place.start, "end": place.end}
        rows.append(row | found)
    warning: JsonValue = {"code": EVIDENCE_NOT_FOUND, "detail": f"Not found in the mail: {', '.join(unseen)}."}
    return rows, [warning] if unseen else []


def task_line(task: Mapping[str, Any]) -> dict[str, object]:
    """One line of `tasks` in the summary (api.md)."""
    return {
        "task_id": str(task["id"]),
        "source_event_index": task["source_event_index"],
        "route_code": task["route_code"],
        "result_type": task["ai_result_type"],
        "ai_task_type": task["ai_task_type"],
        "ai_task_subtype": task["ai_task_subtype"],
        "task_status": task["task_status"],
        "review_status": task["review_status"],
        "order_id": str(task["order_id"]),
        "order_task_id": str(task["order_task_id"]) if task["order_task_id"] else None,
    }


def error_lines(transitions: Iterable[AiTransition]) -> list[dict[str, object]]:
    """`adapter_contract_errors` of the summary, ascending."""
    return [
        {
            "source_event_index": transition.source_event_index,
            "adapter_error_code": transition.adapter_error_code,
            "adapter_error_message": transition.adapter_error_message,
            "adapter_error_detail": transition.adapter_error_detail,
            "transition_id": str(transition.id),
        }
        for transition in sorted(transitions, key=lambda row: row.source_event_index)
        if transition.kind == TransitionKind.CONTRACT_ERROR
    ]


def notice_line(task: Mapping[str, Any]) -> dict[str, object]:
    """One line of `notices` in the summary. A notice of this kind is a task (R-10)."""
    return {
        "route_code": task["route_code"],
        "route_display_code": task["route_display_code"],
        "task_id": str(task["id"]),
        "notification_id": None,
    }


def notification_line(row: SourceNotification) -> dict[str, object]:
    """The same for a notice of a V4 package (R-11)."""
    return {
        "route_code": row.route_code,
        "route_display_code": row.route_display_code,
        "task_id": None,
        "notification_id": str(row.id),
    }


def task_values(task: Task) -> dict[str, Any]:
    """A new task as `.values(*TASK_COLUMNS)` would give it."""
    return {column: getattr(task, column) for column in TASK_COLUMNS}
