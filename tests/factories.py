"""Rows for tests, written straight to the tables. Every argument has a sensible default."""

from __future__ import annotations

import hashlib
import itertools
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import Group

from config.accounts.models import Membership, Tenant, User
from reservations.domain.orderkeys import fold
from reservations.models import (
    AiTransition,
    Attachment,
    CardKind,
    CardStatusChoice,
    Hotel,
    Order,
    OrderTask,
    OrderTaskStatusChoice,
    SourceMessage,
    SourceNotification,
    Submission,
    SubmissionOutcome,
    Task,
    TaskCard,
    TaskStatusChoice,
    TransitionKind,
)
from reservations.models.tasks import DECIDED

NOON = datetime(2026, 7, 20, 12, 0, tzinfo=UTC)
_numbers = itertools.count(1)


def hotel(code: str = "HOTEL1", *, is_default: bool = False, name: str = "") -> Hotel:
    return Hotel.objects.get_or_create(
        code=code, kind="hotel", defaults={"name": name or f"Hotel {code}", "is_default": is_default}
    )[0]


def user(role: str, *hotels: Tenant, username: str | None = None, superuser: bool = False) -> User:
    person = User.objects.create(
        username=username or f"{role}-{next(_numbers)}",
        is_staff=role not in ("agent", "gateway"),
        is_superuser=superuser,
    )
    person.groups.add(Group.objects.get(name=role))
    Membership.objects.bulk_create(Membership(user=person, tenant_id=place.pk) for place in hotels)
    return person


def message(hotel: Hotel, external_message_id: str = "", **fields: Any) -> SourceMessage:
    number = next(_numbers)
    defaults = {
        "provider": "test",
        "channel": "mail",
        "subject": f"Mail {number}",
        "sender": "Ops <ops@lakeside-travel.example>",
        "sender_domain": "lakeside-travel.example",
        "received_at": NOON,
        "body_text": "Please book 1 Deluxe King for Guest A.",
        "content_sha256": "0" * 64,
        "created_at": NOON,
    }
    return SourceMessage.objects.create(
        hotel=hotel, external_message_id=external_message_id or f"m{number}@mail.example", **(defaults | fields)
    )


def attachment(message: SourceMessage, external_id: str = "att-1", **fields: Any) -> Attachment:
    defaults = {"file_name": f"{external_id}.pdf", "media_type": "application/pdf"}
    return Attachment.objects.create(message=message, external_id=external_id, **(defaults | fields))


def order(hotel: Hotel, *, order_type: str = "FIT", **fields: Any) -> Order:
    """Keys are folded as the service folds them."""
    keys = {
        "group_key": _folded(fields.get("group_code")),
        "confirmation_key": _folded(fields.get("confirmation_number")),
        "booking_key": _folded(fields.get("booking_code")),
    }
    defaults = {"order_number": f"T{next(_numbers):06d}", "created_at": NOON, "hidden": order_type == "TECHNICAL"}
    return Order.objects.create(hotel=hotel, kind=order_type, **(defaults | keys | fields))


def submission(message: SourceMessage, caller: User, **fields: Any) -> Submission:
    number = next(_numbers)
    defaults = {
        "generation": "V3",
        "root_kind": "business",
        "payload": "{}",
        "canonical_sha256": f"{number:064d}",
        "response": "{}",
        "outcome": SubmissionOutcome.ACCEPTED,
        "created_at": message.received_at,
    }
    return Submission.objects.create(hotel=message.hotel, source_message=message, caller=caller, **(defaults | fields))


def transition(submission: Submission, **fields: Any) -> AiTransition:
    defaults = {
        "kind": TransitionKind.BUSINESS_EVENT,
        "source_event_index": 1,
        "array_index": 0,
        "system_process_category": "BUSINESS_TASK",
        "event": "{}",
        "event_sha256": "0" * 64,
        "created_at": submission.created_at,
    }
    return AiTransition.objects.create(
        hotel=submission.hotel, submission=submission, source_message=submission.source_message, **(defaults | fields)
    )


def task(order: Order, submission: Submission, **fields: Any) -> Task:
    """A pending task of one event; `source_event_index` tells tasks of one submission apart."""
    index = fields.setdefault("source_event_index", 1)
    fields.setdefault("array_index", index - 1 if index else None)
    payload = fields.setdefault("ai_payload_json", "{}")
    defaults: dict[str, Any] = {
        "event_type": "New Booking",
        "ai_result_type": "normal_task",
        "ai_task_type": "New Booking",
        "ai_task_subtype": "new_fit_booking",
        "route_code": "R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL",
        "system_process_category": "BUSINESS_TASK",
        "system_task_type": "NEW_BOOKING",
        "queue_participation": True,
        "readonly": False,
        "queue_key": Task.queue_key_of(submission.pk, fields["array_index"] or 0),
        "card_display_type": "BUSINESS_CARD",
        "card_title_code": "NEW_BOOKING.new_fit_booking",
        "route_display_code": "TASK.new_fit_booking",
        "ai_payload_sha256": hashlib.sha256(payload.encode()).hexdigest(),
        "field_contract_version": "20260711-p0",
        "task_status": TaskStatusChoice.PENDING_CONFIRM,
        "received_at": submission.source_message.received_at,
        "created_at": submission.created_at,
    }
    verdict = fields.pop("transition", None) or transition(
        submission, source_event_index=index, array_index=fields["array_index"], event=payload
    )
    return Task.objects.create(
        hotel=submission.hotel,
        order=order,
        submission=submission,
        source_message=submission.source_message,
        transition=verdict,
        **(defaults | ending(fields.get("task_status"), submission) | fields),
    )


def move(task: Task, status: str) -> None:
    """Put a task into a state, with the who and when that the state asks for."""
    Task.objects.filter(pk=task.pk).update(task_status=status, **ending(status, task.submission))


def ending(status: str | None, submission: Submission) -> dict[str, Any]:
    """Who and when of a task that is decided or terminated: the database asks for it."""
    if status in DECIDED:
        payload = {"field_values": {}, "legacy_field_values": {}, "effective_payload": {}}
        return {"decided_by": submission.caller, "decided_at": NOON, "confirmed_payload_json": payload}
    if status == TaskStatusChoice.TERMINATED:
        return {"terminated_by": submission.caller, "terminated_at": NOON, "termination_reason": "Not needed."}
    return {}


def _folded(key: str | None) -> str | None:
    return fold(key) if key else None


def package(hotel: Hotel, **fields: Any) -> Submission:
    """A submission on a mail of its own, by an agent of its own."""
    return submission(message(hotel), user("agent", hotel), **fields)


def card(hotel: Hotel, **fields: Any) -> Task:
    """A task on a mail, a package and an order of its own."""
    return task(order(hotel), package(hotel), **fields)


def notice(package: Submission, **fields: Any) -> Task:
    """A notice on its hidden order, as S10 when nothing else is said (R-10)."""
    route_code = fields.setdefault("route_code", "S10")
    shown = {"S000": "NOTICE.S10", "S999": "NOTICE.S99"}.get(route_code, f"NOTICE.{route_code}")
    layers = {
        "source_event_index": 0,
        "event_type": "",
        "ai_result_type": "source_message_review_notification",
        "ai_task_type": "Source Message Review",
        "ai_task_subtype": "no_supported_active_event",
        "system_process_category": "SOURCE_NOTIFICATION",
        "system_task_type": "SOURCE_MESSAGE_ONLY",
        "queue_participation": False,
        "readonly": True,
        "card_display_type": "SOURCE_NOTICE_CARD",
        "card_title_code": shown,
        "route_display_code": shown,
        "task_status": TaskStatusChoice.NOTICE,
    }
    verdict = transition(
        package,
        kind=TransitionKind.SOURCE_NOTIFICATION,
        source_event_index=0,
        array_index=None,
        event=fields.get("ai_payload_json", "{}"),
        route_code=route_code,
    )
    return task(order(package.hotel, order_type="TECHNICAL"), package, transition=verdict, **(layers | fields))


def order_task(order: Order, package: Submission, **fields: Any) -> OrderTask:
    """A V4 order task without cards; `order_ref` tells those of one mail apart."""
    index = fields.setdefault("order_context_index", 0)
    kind = fields.setdefault("order_type", order.kind if order.kind in ("GROUP", "ALLOTMENT") else "FIT")
    reference = fields.setdefault("order_ref", f"O{index + 1}")
    defaults: dict[str, Any] = {
        "order_context": {
            "order_ref": reference,
            "order_type": kind,
            "identifiers": {
                "BOOKING_CODE": "BK-1",
                "CONFIRMATION_NUMBER": None,
                "GROUP_CODE": None,
                "BLOCK_CODE": None,
            },
            "display_name": "Guest A",
            "arrival_date": "2026-08-03",
            "departure_date": "2026-08-06",
        },
        "display_name": "Guest A",
        "status": OrderTaskStatusChoice.PENDING_CONFIRM,
        "received_at": package.source_message.received_at,
        "created_at": package.created_at,
    }
    return OrderTask.objects.create(
        hotel=package.hotel,
        order=order,
        source_message=package.source_message,
        submission=package,
        **(defaults | fields),
    )


def task_card(order_task: OrderTask, kind: str = CardKind.BASIC_INFORMATION, **fields: Any) -> TaskCard:
    """A card of an order task; Basic Information waits to be confirmed, or in review for its review."""
    defaults: dict[str, Any] = {"created_at": order_task.created_at}
    if kind == CardKind.BASIC_INFORMATION:
        waits = CardStatusChoice.PENDING_REVIEW if "review_status" in fields else CardStatusChoice.PENDING_CONFIRM
        defaults["card_status"] = waits
    return TaskCard.objects.create(hotel=order_task.hotel, order_task=order_task, kind=kind, **(defaults | fields))


def business_card(order_task: OrderTask, **fields: Any) -> TaskCard:
    """A BUSINESS card with its task, which is of V4."""
    package = order_task.submission
    defaults = {
        "order_task": order_task,
        "queue_key": Task.queue_key_of(package.pk, order_task.order_context_index),
        "catalog_code": "M002V4",
        "skill_id": "booking-desk-event-v4",
        "field_contract_version": "20260718-v4",
    }
    row = task(order_task.order, package, **(defaults | fields))
    return task_card(order_task, CardKind.BUSINESS, task=row, source_event_index=row.source_event_index)


def v4_package(hotel: Hotel, **fields: Any) -> Submission:
    """A V4 package on a mail of its own."""
    return package(hotel, **({"generation": "V4"} | fields))


def opened(hotel: Hotel, *, on: Order | None = None, events: int = 1, **fields: Any) -> OrderTask:
    """An order task of a package of its own with all its cards."""
    row = order_task(on or order(hotel), v4_package(hotel), **fields)
    task_card(row, CardKind.SOURCE_MESSAGE)
    task_card(row)
    for index in range(1, events + 1):
        business_card(row, source_event_index=index)
    return row


def notification(package: Submission, **fields: Any) -> SourceNotification:
    """A V4 notification, as S10 when nothing else is said."""
    route_code = fields.setdefault("route_code", "S10")
    verdict = transition(
        package,
        kind=TransitionKind.SOURCE_NOTIFICATION,
        source_event_index=0,
        array_index=None,
        route_code=route_code,
    )
    defaults = {
        "route_display_code": f"NOTICE.{route_code}",
        "received_at": package.source_message.received_at,
        "created_at": package.created_at,
    }
    return SourceNotification.objects.create(
        hotel=package.hotel,
        source_message=package.source_message,
        submission=package,
        transition=verdict,
        **(defaults | fields),
    )
