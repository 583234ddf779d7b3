"""The workbench: all that people look at, in one list (R-63)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.paging import TiedCursor, TiedPage
from config.api.schema import answers
from reservations.api.access import hotel_ids
from reservations.api.filters import WorkItemFilter
from reservations.api.serializers.facets import FacetsSerializer
from reservations.api.serializers.workbench import WorkItemSerializer
from reservations.models import Task
from reservations.selectors.workbench import Place, WorkItems

TAG = "Workbench"


class WorkbenchPage(TiedPage):
    """Pages of items of several kinds, which no queryset holds."""

    second_kind = str

    def _slice(self, items: Any) -> Any:
        at = self.cursor if isinstance(self.cursor, TiedCursor) else None
        return items.page(
            beyond=Place(at.key, str(at.second), at.row_id) if at else None,
            backwards=at is not None and at.backwards,
            limit=self.size + 1,
        )


class WorkbenchViewSet(GenericViewSet):
    queryset = Task.objects.none()
    serializer_class, filterset_class = WorkItemSerializer, WorkItemFilter
    pagination_class, keyset, second = WorkbenchPage, "received_at", "kind"
    required_permissions = {"list": "reservations.view_task", "facets": "reservations.view_task"}

    def get_queryset(self) -> Any:
        return WorkItems(hotel_ids(self.request))

    @extend_schema(
        operation_id="list_workbench_items",
        summary="Tasks, order tasks and notices of every generation, by time of receipt of their mails",
        tags=[TAG],
        responses=answers(WorkItemSerializer(many=True), 400),
    )
    def list(self, request: Request) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(
        operation_id="count_workbench_items",
        summary="How the items of the list are spread over the values of its filters",
        description="Under the same filters. Each value is counted up to 1000; `capped` says that there are more.",
        tags=[TAG],
        responses=answers(FacetsSerializer, 400),
    )
    @action(detail=False, methods=["get"], pagination_class=None, serializer_class=FacetsSerializer)
    def facets(self, request: Request) -> Response:
        items: Any = self.filter_queryset(self.get_queryset())
        return Response(FacetsSerializer({"facets": items.facets()}).data)
