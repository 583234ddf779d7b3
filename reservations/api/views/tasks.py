"""Tasks: the cards people work on, and the notices beside them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.conditional import CONDITIONAL_READ, conditional_answers, detail_response
from config.api.schema import answers
from reservations.api.access import found, hotel_ids
from reservations.api.filters import TaskFilter
from reservations.api.serializers.tasks import OperationListSerializer, TaskRowSerializer, TaskSerializer
from reservations.api.views.facets import counted
from reservations.api.views.taskwrites import TaskWrites
from reservations.models import Task, TaskStatusChoice
from reservations.selectors import operations, tasks
from reservations.selectors.facets import by_choice, by_route


class TaskViewSet(TaskWrites, ListModelMixin, GenericViewSet):
    """Cards and notices; a detail has an entity tag, and answers 304 where it is known already."""

    queryset = Task.objects.none()
    serializer_class, filterset_class, keyset = TaskRowSerializer, TaskFilter, "received_at"
    lookup_value_converter = "uuid"
    required_permissions = {
        "list": "reservations.view_task",
        "retrieve": "reservations.view_task",
        "facets": "reservations.view_task",
        "opera_operations": "reservations.view_operaoperation",
        **TaskWrites.write_permissions,
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        return tasks.list_tasks(hotel_ids=hotel_ids(self.request))

    @extend_schema(
        operation_id="list_tasks",
        summary="Cards and notices, by time of receipt of their mails",
        tags=["Tasks"],
        responses=answers(TaskRowSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="get_task",
        summary="One card with all that is shown on it",
        tags=["Tasks"],
        parameters=CONDITIONAL_READ,
        responses=conditional_answers(TaskSerializer, 404),
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        detail = found(tasks.find_task(hotel_ids=hotel_ids(request), task_id=pk))
        return detail_response(request, detail.task["version"], TaskSerializer(detail).data)

    @extend_schema(
        operation_id="list_task_operations",
        summary="The simulated OPERA operations of a card: bodies, dry runs, status, receipts",
        tags=["Tasks"],
        filters=False,
        responses=answers(OperationListSerializer, 404),
    )
    @action(detail=True, methods=["get"], url_path="opera-operations")
    def opera_operations(self, request: Request, pk: UUID) -> Response:
        rows = found(operations.list_operations(hotel_ids=hotel_ids(request), task_id=pk))
        return Response(OperationListSerializer({"results": rows}).data)

    facets = counted(
        "tasks", "Tasks", lambda: [by_choice("task_status", TaskStatusChoice.values), by_route()], TaskFilter
    )
