"""The door for agents: a package comes in, the verdict on every event goes out."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from config.api.access import actor
from config.api.bodies import RawBody, RawJSONParser, RawTextParser
from config.api.schema import errors
from config.audit.services import Door
from config.idempotency.api import Idempotent, Unkept
from config.render import raw_json
from reservations.api.serializers.ingest import InputErrorSerializer, SummarySerializer
from reservations.domain.errors import IdentityMissing, InputErrorEchoed
from reservations.services.ingest import TEXT_PLAIN, ingest_package

CONTRACT_LINK = '</api/docs/>; rel="deprecation"; type="text/html"'
TEXT_DEPRECATED_SINCE = "@1783728000"  # 2026-07-11T00:00:00Z, as RFC 9745 writes a date

PACKAGE_EXAMPLE = OpenApiExample(
    "One booking",
    request_only=True,
    media_type="application/json",
    value={
        "source_message": {"source_message_id": "m01@lakeside-travel.example", "source_channel": "Email"},
        "message_events": [
            {
                "event_type": "New Booking",
                "task_subtype": "new_fit_booking",
                "case_keys": {"booking_code": "LT-55012"},
                "extracted_fields": {"guest_name": "Guest A", "arrival_date": "2026-08-03"},
                "relevant_message_excerpt": "Please book 1 Deluxe King for Guest A",
                "manual_review": None,
            }
        ],
    },
)
NOTICE_EXAMPLE = OpenApiExample(
    "A notice",
    request_only=True,
    media_type="application/json",
    value={
        "result_type": "source_message_review_notification",
        "route_code": "S10",
        "source_message": {"source_message_id": "m10@northline.example", "source_channel": "Email"},
        "agent_assessment": "A thank-you note.",
        "notification": {"title": "Information only", "body": "No supported business event."},
        "manual_review": None,
    },
)
V2_EXAMPLE = OpenApiExample(
    "One booking, generation V2",
    request_only=True,
    media_type="application/json",
    value={
        "source_message_id": "m01@lakeside-travel.example",
        "ai_task_results": [
            {
                "result_type": "normal_task",
                "task_type": "New Booking",
                "task_subtype": "new_fit_booking",
                "case_keys": {"booking_code": "LT-55012"},
                "extracted_fields": {"guest_name": "Guest A", "arrival_date": "2026-08-03"},
                "visible_reason": "The guest asks for one room.",
            }
        ],
    },
)
TEXT_EXAMPLE = OpenApiExample(
    "Old notice", request_only=True, media_type=TEXT_PLAIN, value="S000,m10@lakeside-travel.example"
)


class TaskResultsViewSet(Idempotent, ViewSet):
    """Packages of an agent (R-01 to R-26, R-50 to R-54)."""

    required_permissions = {"create": "reservations.ingest_package"}
    parser_classes = [RawJSONParser, RawTextParser]
    max_body_bytes = settings.MAX_PACKAGE_BYTES

    @extend_schema(
        operation_id="ingest_package",
        summary="Submit what an agent made of one mail",
        tags=["Submissions"],
        description=(
            "A JSON package of generation V2 (`ai_task_results`), V3 (`message_events`) or a notice, or the deprecated "
            "text `S000,<id>` / `S999,<id>`. Every event gets one verdict: a card or a contract error. The same "
            "package again gives the first answer with `replayed: true`. A later package may mend what was a contract "
            "error; what was accepted has to stay as it was (409 `SUBMISSION_CONFLICT`)."
        ),
        request={"application/json": OpenApiTypes.OBJECT, TEXT_PLAIN: OpenApiTypes.STR},
        examples=[PACKAGE_EXAMPLE, NOTICE_EXAMPLE, V2_EXAMPLE, TEXT_EXAMPLE],
        responses={
            **errors(400, 404, 409, 413, 415, 422),
            200: SummarySerializer,
            (400, "application/json"): OpenApiResponse(InputErrorSerializer, "No source message is named."),
        },
    )
    def create(self, request: Request) -> Response:
        sent: Any = request.data  # what the parsers give; DRF makes it {} when there is no body
        body = sent if isinstance(sent, RawBody) else RawBody(b"", request.content_type or "application/json")
        user = actor(request)
        try:
            answer = ingest_package(
                hotel_id=user.access.acting_tenant_id("hotel"),
                caller=user,
                content=body.content,
                media_type=body.media_type,
                door=Door.API,
            )
        except (IdentityMissing, InputErrorEchoed) as refusal:
            return Unkept(refusal.answer, status=400)
        return Response(raw_json(answer.decode()), headers=_deprecation(body.media_type))


def _deprecation(media_type: str) -> dict[str, Any]:
    """R-12: the text form is taken, and says that it is on its way out."""
    if not media_type.lower().startswith(TEXT_PLAIN):
        return {}
    return {"Deprecation": TEXT_DEPRECATED_SINCE, "Link": CONTRACT_LINK}
