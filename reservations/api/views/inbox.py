"""Mails, their files, their conversations."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.access import actor
from config.api.schema import answers, errors
from config.audit.services import Door
from config.downloads import download
from config.idempotency.api import Idempotent
from reservations.api.access import HOTEL, found, hotel_ids
from reservations.api.filters import SourceMessageFilter
from reservations.api.serializers.inbox import (
    ConversationMailSerializer,
    SourceMessageRowSerializer,
    SourceMessageSerializer,
)
from reservations.api.serializers.received import ReceivedMessageSerializer, incoming_mail
from reservations.models import SourceMessage
from reservations.selectors import inbox
from reservations.selectors.hotels import find_hotel
from reservations.services.mail import receive_message

JSON = "application/json"
BINARY = "application/octet-stream"
RECEIVED_EXAMPLE = OpenApiExample(
    "A mail with a file",
    request_only=True,
    value={
        "external_message_id": "m01@lakeside-travel.example",
        "provider": "agentbus",
        "channel": "reservations",
        "subject": "New booking",
        "sender": "Ops <ops@lakeside-travel.example>",
        "recipients": ["reservations@hotel.example"],
        "received_at": "2026-07-20T12:00:00Z",
        "body_text": "Please book 1 Deluxe King for Guest A.",
        "attachments": [
            {
                "external_id": "att-1",
                "file_name": "rooms.csv",
                "media_type": "text/csv",
                "content_base64": "cm9vbSxndWVzdAo=",
            }
        ],
    },
)
CONVERSATION_ID = OpenApiParameter(
    "conversation_id",
    str,
    OpenApiParameter.PATH,
    description="As the mails carry it, percent-encoded.",
    examples=[OpenApiExample("A conversation", value="c-01@lakeside-travel.example")],
)


class SourceMessageViewSet(Idempotent, ListModelMixin, GenericViewSet):
    queryset = SourceMessage.objects.none()
    serializer_class, filterset_class, keyset = SourceMessageRowSerializer, SourceMessageFilter, "received_at"
    lookup_value_converter = "uuid"
    max_body_bytes = settings.MAX_SOURCE_MESSAGE_BYTES
    required_permissions = {
        "create": "reservations.add_sourcemessage",
        "list": "reservations.view_sourcemessage",
        "retrieve": "reservations.view_sourcemessage",
        "attachment": "reservations.view_attachment",
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        return inbox.list_messages(hotel_ids=hotel_ids(self.request))

    @extend_schema(
        operation_id="list_source_messages",
        summary="The inbox, by time of receipt",
        tags=["Inbox"],
        responses=answers(SourceMessageRowSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="receive_source_message",
        summary="Put a mail into the inbox",
        description="For mail gateways. The same mail again is 200 and changes nothing; other content is a conflict.",
        tags=["Inbox"],
        request={"application/json": ReceivedMessageSerializer},
        examples=[RECEIVED_EXAMPLE],
        responses={
            (200, JSON): OpenApiResponse(SourceMessageRowSerializer, "The mail was there already."),
            (201, JSON): OpenApiResponse(SourceMessageRowSerializer, "The mail is in the inbox now."),
        }
        | errors(400, 409, 413, 415),
    )
    def create(self, request: Request) -> Response:
        sent = ReceivedMessageSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        user = actor(request)
        hotel_id = user.access.acting_tenant_id(HOTEL)
        received = receive_message(
            hotel=find_hotel(hotel_id=hotel_id),
            caller=user,
            door=Door.API,
            provider=sent.validated_data["provider"],
            channel=sent.validated_data["channel"],
            mail=incoming_mail(sent.validated_data),
        )
        row = inbox.message_row(message_id=received.message.pk, hotel_id=hotel_id)
        return Response(SourceMessageRowSerializer(row).data, status=201 if received.created else 200)

    @extend_schema(
        operation_id="get_source_message",
        summary="One mail with its conversation, submissions and verdicts",
        tags=["Inbox"],
        responses=answers(SourceMessageSerializer, 404),
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        detail = found(inbox.find_message(hotel_ids=hotel_ids(request), message_id=pk))
        return Response(SourceMessageSerializer(detail).data)

    @extend_schema(
        operation_id="download_attachment",
        summary="A file of a mail, always as a download",
        description="404 too when only the name of the file is known.",
        tags=["Inbox"],
        parameters=[OpenApiParameter("attachment_id", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        responses={(200, BINARY): OpenApiResponse(OpenApiTypes.BINARY, "The file.")} | errors(404),
    )
    @action(detail=True, url_path="attachments/<uuid:attachment_id>", pagination_class=None, filterset_class=None)
    def attachment(self, request: Request, pk: UUID, attachment_id: UUID) -> FileResponse:
        row = found(inbox.find_attachment(hotel_ids=hotel_ids(request), message_id=pk, attachment_id=attachment_id))
        return download(row.file.open("rb"), row.download_name)


class ConversationViewSet(GenericViewSet):
    queryset = SourceMessage.objects.none()
    serializer_class, keyset = ConversationMailSerializer, "received_at"
    lookup_field, lookup_value_converter = "conversation_id", "anytext"
    required_permissions = {"retrieve": "reservations.view_sourcemessage"}

    @extend_schema(
        operation_id="get_conversation",
        summary="The mails of one conversation, oldest first, with their submissions",
        tags=["Inbox"],
        parameters=[CONVERSATION_ID],
        responses=answers(ConversationMailSerializer(many=True), 400, 404),
    )
    def retrieve(self, request: Request, conversation_id: str) -> Response:
        mails = inbox.list_conversation(hotel_ids=hotel_ids(request), conversation_id=conversation_id)
        page = self.paginate_queryset(self.filter_queryset(mails)) or []
        if not page and "cursor" not in request.query_params:
            raise Http404
        packages = inbox.submissions_by_message(message_ids=[mail["id"] for mail in page])
        shape = self.get_serializer(page, many=True, context={"submissions": packages})
        return self.get_paginated_response(shape.data)
