"""V4 notifications. Acknowledging is the one thing that is done to them (R-11)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.conditional import (
    CONDITIONAL_READ,
    CONDITIONAL_WRITE,
    conditional_answers,
    detail_response,
    written_response,
)
from config.api.schema import answers
from config.idempotency.api import Idempotent
from reservations.api.access import found, hotel_ids
from reservations.api.filters import NotificationFilter
from reservations.api.serializers.notifications import (
    NotificationBulkAnswerSerializer,
    NotificationBulkRequestSerializer,
    NotificationRowSerializer,
    NotificationSerializer,
    NotificationStateSerializer,
)
from reservations.api.serializers.tasks.writes import OptionalReasonSerializer
from reservations.api.views.facets import counted
from reservations.api.views.taskwrites import DECIDE, body_of, writer_of
from reservations.domain.catalog import NOTICE_CODES
from reservations.models import SourceNotification
from reservations.selectors import notifications
from reservations.selectors.facets import by_flag, by_route
from reservations.services.notifications import acknowledge_many, acknowledge_notification

TAG = "Notifications"
SEEN = Q(acknowledged_at__isnull=False)


class NotificationViewSet(Idempotent, ListModelMixin, GenericViewSet):
    queryset = SourceNotification.objects.none()
    serializer_class, filterset_class, keyset = NotificationRowSerializer, NotificationFilter, "received_at"
    lookup_value_converter = "uuid"
    required_permissions = {
        "list": "reservations.view_sourcenotification",
        "retrieve": "reservations.view_sourcenotification",
        "facets": "reservations.view_sourcenotification",
        "acknowledge": DECIDE,
        "bulk": DECIDE,
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        rows = notifications.list_notifications(hotel_ids=hotel_ids(self.request))
        return rows.annotate(acknowledged=ExpressionWrapper(SEEN, BooleanField())) if self.action == "facets" else rows

    @extend_schema(
        operation_id="list_source_notifications",
        summary="Mails that a person has to look at, by time of receipt",
        tags=[TAG],
        responses=answers(NotificationRowSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="get_source_notification",
        summary="One notification with what the agent said of the mail",
        tags=[TAG],
        parameters=CONDITIONAL_READ,
        responses=conditional_answers(NotificationSerializer, 404),
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        row = found(notifications.find_notification(hotel_ids=hotel_ids(request), notification_id=pk))
        return detail_response(request, row["version"], NotificationSerializer(row).data)

    @extend_schema(
        operation_id="acknowledge_notification",
        summary="Note that a person has seen it (R-11)",
        tags=[TAG],
        request=OptionalReasonSerializer,
        parameters=CONDITIONAL_WRITE,
        responses=answers(NotificationStateSerializer, 400, 404, 409, 412, 413, 415, 422),
    )
    @action(detail=True, methods=["post"])
    def acknowledge(self, request: Request, pk: UUID) -> Response:
        row = acknowledge_notification(writer=writer_of(request), notification_id=pk, body=body_of(request))
        return written_response(row.version, NotificationStateSerializer(row).data)

    @extend_schema(
        operation_id="write_notifications",
        summary="Acknowledge several notifications (R-42)",
        tags=[TAG],
        request=NotificationBulkRequestSerializer,
        responses=answers(NotificationBulkAnswerSerializer, 400, 409, 413, 415, 422),
    )
    @action(detail=False, methods=["post"])
    def bulk(self, request: Request) -> Response:
        outcomes = acknowledge_many(writer=writer_of(request), body=body_of(request))
        return Response(NotificationBulkAnswerSerializer({"outcomes": outcomes}).data)

    facets = counted(
        "notifications", TAG, lambda: [by_flag("acknowledged", SEEN), by_route(NOTICE_CODES)], NotificationFilter
    )
