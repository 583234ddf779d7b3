"""V4 order tasks and their cards."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.conditional import CONDITIONAL_READ, conditional_answers, detail_response
from config.api.paging import TiedPage
from config.api.schema import answers
from reservations.api.access import found, hotel_ids
from reservations.api.filters import OrderTaskFilter
from reservations.api.serializers.ordertasks import OrderTaskRowSerializer, OrderTaskSerializer
from reservations.api.views.cardwrites import CardWrites
from reservations.api.views.facets import counted
from reservations.models import OrderTask, OrderTaskStatusChoice
from reservations.selectors import ordertasks
from reservations.selectors.facets import by_choice

TAG = "Order tasks"


class OrderTaskViewSet(CardWrites, ListModelMixin, GenericViewSet):
    """What one mail asks for one order (R-56); a detail has an entity tag, and answers 304 where it is known already."""

    queryset = OrderTask.objects.none()
    serializer_class, filterset_class = OrderTaskRowSerializer, OrderTaskFilter
    pagination_class, keyset, second = TiedPage, "received_at", "order_context_index"
    lookup_value_converter = "uuid"
    required_permissions = {
        "list": "reservations.view_ordertask",
        "retrieve": "reservations.view_ordertask",
        "facets": "reservations.view_ordertask",
        **CardWrites.write_permissions,
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        return ordertasks.list_order_tasks(hotel_ids=hotel_ids(self.request))

    @extend_schema(
        operation_id="list_ordertasks",
        summary="Order tasks by time of receipt of their mails; those of one mail by their place in it",
        tags=[TAG],
        responses=answers(OrderTaskRowSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="get_ordertask",
        summary="One order task with its cards and their fields",
        tags=[TAG],
        parameters=CONDITIONAL_READ,
        responses=conditional_answers(OrderTaskSerializer, 404),
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        detail = found(ordertasks.find_order_task(hotel_ids=hotel_ids(request), order_task_id=pk))
        return detail_response(request, detail.row["version"], OrderTaskSerializer(detail).data)

    facets = counted("ordertasks", TAG, lambda: [by_choice("status", OrderTaskStatusChoice.values)], OrderTaskFilter)
