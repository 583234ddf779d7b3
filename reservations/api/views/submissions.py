"""Submissions and transitions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.schema import answers
from reservations.api.access import found, hotel_ids
from reservations.api.filters import SubmissionFilter, TransitionFilter
from reservations.api.serializers.submissions import (
    SubmissionRowSerializer,
    SubmissionSerializer,
    TransitionRowSerializer,
    TransitionSerializer,
)
from reservations.api.views.facets import counted
from reservations.models import AiTransition, Submission, SubmissionOutcome, TransitionKind
from reservations.selectors import submissions
from reservations.selectors.facets import by_choice


class SubmissionViewSet(ListModelMixin, GenericViewSet):
    queryset = Submission.objects.none()
    serializer_class, filterset_class, keyset = SubmissionRowSerializer, SubmissionFilter, "created_at"
    lookup_value_converter = "uuid"
    required_permissions = {
        "list": "reservations.view_submission",
        "retrieve": "reservations.view_submission",
        "facets": "reservations.view_submission",
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        return submissions.list_submissions(hotel_ids=hotel_ids(self.request))

    @extend_schema(
        operation_id="list_submissions",
        summary="Packages, without their payloads",
        tags=["Submissions"],
        responses=answers(SubmissionRowSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="get_submission",
        summary="One package as received, with the answer it got and its verdicts",
        tags=["Submissions"],
        responses=answers(SubmissionSerializer, 404),
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        detail = found(submissions.find_submission(hotel_ids=hotel_ids(request), submission_id=pk))
        return Response(SubmissionSerializer(detail).data)

    facets = counted(
        "submissions", "Submissions", lambda: [by_choice("outcome", SubmissionOutcome.values)], SubmissionFilter
    )


class TransitionViewSet(ListModelMixin, GenericViewSet):
    queryset = AiTransition.objects.none()
    serializer_class, filterset_class, keyset = TransitionRowSerializer, TransitionFilter, "created_at"
    lookup_value_converter = "uuid"
    required_permissions = {
        "list": "reservations.view_aitransition",
        "retrieve": "reservations.view_aitransition",
        "facets": "reservations.view_aitransition",
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        return submissions.list_transitions(hotel_ids=hotel_ids(self.request))

    @extend_schema(
        operation_id="list_transitions",
        summary="Verdicts: cards, notices, contract errors, unhandled intents",
        tags=["Submissions"],
        responses=answers(TransitionRowSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="get_transition",
        summary="One verdict with the event as sent",
        tags=["Submissions"],
        responses=answers(TransitionSerializer, 404),
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        row = found(submissions.find_transition(hotel_ids=hotel_ids(request), transition_id=pk))
        return Response(TransitionSerializer(row).data)

    facets = counted("transitions", "Submissions", lambda: [by_choice("kind", TransitionKind.values)], TransitionFilter)
