"""What people do with a card. Each action: who writes, which body, one service; the answer carries the new tag."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.access import actor
from config.api.conditional import CONDITIONAL_WRITE, seen_versions, written_response
from config.api.schema import answers
from config.audit.services import Door
from config.idempotency.api import Idempotent
from config.jsontext import JsonValue
from reservations.api.access import hotel_ids
from reservations.api.serializers.tasks.writes import (
    BulkAnswerSerializer,
    BulkRequestSerializer,
    ConfirmRequestSerializer,
    DecisionSerializer,
    DraftRequestSerializer,
    OptionalReasonSerializer,
    ReasonSerializer,
    ResolveRequestSerializer,
    TaskStateSerializer,
)
from reservations.models import Task
from reservations.services.bulk import write_many
from reservations.services.claims import claim_task, release_task, take_over_task
from reservations.services.confirmation import confirm_task
from reservations.services.decisions import Decision
from reservations.services.drafts import save_draft
from reservations.services.execution import execute_task, retry_task
from reservations.services.review import resolve_review
from reservations.services.termination import acknowledge_notice, terminate_task
from reservations.services.writes import Writer

TAG = "Work on a card"
WRITES = (
    "Refusals come in this order: permission (403), somebody else's claim (409), If-Match (412), state (409), "
    "content (400, 422). The answer carries the new version and a tag of its own."
)
DRAFT_EXAMPLE = {"field_values": {"extracted_fields.guest_name": "Guest A", "extracted_fields.adults": 2}}
CONFIRM_EXAMPLE = {"field_values": {"extracted_fields.departure_date": "2026-08-07"}, "reason": "Asked by phone."}
RESOLVE_EXAMPLE = {
    "confirmed_order_id": "01a22cf9-08b8-7cf6-9837-b3de314ca94a",
    "reason": "The lake view rooms are RM3.",
    "field_overrides": [{"field_pointer": "/extracted_fields/room_items/0/pms_room_type_code", "value": "RM3"}],
}
DECIDE = "reservations.decide_task"


def writing(
    operation_id: str,
    summary: str,
    request: Any = OptionalReasonSerializer,
    answer: Any = TaskStateSerializer,
    *,
    more: str = "",
    example: Any = None,
) -> Any:
    """The description of one write. example: a body that might be sent."""
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        description=f"{more} {WRITES}".strip(),
        tags=[TAG],
        request=request,
        examples=[OpenApiExample(summary, value=example, request_only=True)] if example is not None else None,
        parameters=CONDITIONAL_WRITE,
        responses=answers(answer, 400, 404, 409, 412, 413, 415, 422),
    )


class TaskWrites(Idempotent):
    """The writes of `/tasks/{id}` (R-14, R-36 to R-46) and `/tasks/bulk` (R-42)."""

    write_permissions = {
        **dict.fromkeys(
            (
                "draft",
                "confirm",
                "resolve",
                "claim",
                "release",
                "terminate",
                "execute",
                "retry",
                "acknowledge",
                "bulk",
            ),
            DECIDE,
        ),
        "take_over": "reservations.take_over_task",
    }

    @writing(
        "save_draft",
        "Keep what is filled in so far (R-36)",
        DraftRequestSerializer,
        more="The draft before is replaced whole.",
        example=DRAFT_EXAMPLE,
    )
    @action(detail=True, methods=["put"])
    def draft(self, request: Request, pk: UUID) -> Response:
        return state_response(save_draft(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing(
        "confirm_task",
        "Confirm the card (R-37)",
        ConfirmRequestSerializer,
        DecisionSerializer,
        more="With what the agent sent, what the draft holds and what is sent here, in this order.",
        example=CONFIRM_EXAMPLE,
    )
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, pk: UUID) -> Response:
        return decision_response(confirm_task(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing(
        "resolve_review",
        "Resolve the review of the card (R-39)",
        ResolveRequestSerializer,
        DecisionSerializer,
        more="Every missing field needs an override with a value; the draft does not count.",
        example=RESOLVE_EXAMPLE,
    )
    @action(detail=True, methods=["post"], url_path="manual-review-resolutions")
    def resolve(self, request: Request, pk: UUID) -> Response:
        return decision_response(resolve_review(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing("terminate_task", "End the card for good", ReasonSerializer)
    @action(detail=True, methods=["post"])
    def terminate(self, request: Request, pk: UUID) -> Response:
        return state_response(terminate_task(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing("claim_task", "Hold the card, or hold it for longer (R-44)")
    @action(detail=True, methods=["post"])
    def claim(self, request: Request, pk: UUID) -> Response:
        return state_response(claim_task(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing("release_task", "Hold the card no longer")
    @action(detail=True, methods=["post"])
    def release(self, request: Request, pk: UUID) -> Response:
        return state_response(release_task(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing("take_over_task", "Take the card from whoever holds it")
    @action(detail=True, methods=["post"], url_path="take-over")
    def take_over(self, request: Request, pk: UUID) -> Response:
        return state_response(take_over_task(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing("execute_task", "Send the operations of a READY card (R-27, R-49)")
    @action(detail=True, methods=["post"])
    def execute(self, request: Request, pk: UUID) -> Response:
        return state_response(execute_task(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing("retry_task", "Send the operations of a FAILED card again")
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: UUID) -> Response:
        return state_response(retry_task(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @writing("acknowledge_notice", "Note that a person has seen a notice (R-14)")
    @action(detail=True, methods=["post"])
    def acknowledge(self, request: Request, pk: UUID) -> Response:
        return state_response(acknowledge_notice(writer=writer_of(request), task_id=pk, body=body_of(request)))

    @extend_schema(
        operation_id="write_tasks",
        summary="Claim, release or terminate several cards",
        description="One by one: each stands or falls by itself (R-42). An id sent twice is done once.",
        tags=[TAG],
        request=BulkRequestSerializer,
        responses=answers(BulkAnswerSerializer, 400, 409, 413, 415, 422),
    )
    @action(detail=False, methods=["post"])
    def bulk(self, request: Request) -> Response:
        outcomes = write_many(writer=writer_of(request), body=body_of(request))
        return Response(BulkAnswerSerializer({"outcomes": outcomes}).data)


def writer_of(request: Request) -> Writer:
    return Writer(actor(request), Door.API, hotel_ids(request), seen_versions(request))


def body_of(request: Request) -> JsonValue:
    """The body as JSON; none at all is {}."""
    sent: Any = request.data
    return {} if isinstance(sent, QueryDict) else sent


def state_response(task: Task) -> Response:
    return written_response(task.version, TaskStateSerializer(task).data)


def decision_response(decision: Decision) -> Response:
    return written_response(decision.task.version, DecisionSerializer(decision).data)
