"""Orders and their tasks."""

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

from config.api.schema import answers
from reservations.api.access import found, hotel_ids
from reservations.api.filters import OrderFilter
from reservations.api.serializers.orders import OrderSerializer
from reservations.api.serializers.tasks import TaskRowSerializer
from reservations.api.views.facets import counted
from reservations.models import Order, OrderStatus
from reservations.selectors import orders, tasks
from reservations.selectors.facets import by_choice
from reservations.selectors.orders import SHOWN_KINDS


class OrderViewSet(ListModelMixin, GenericViewSet):
    queryset = Order.objects.none()
    serializer_class, filterset_class, keyset = OrderSerializer, OrderFilter, "created_at"
    lookup_value_converter = "uuid"
    required_permissions = {
        "list": "reservations.view_order",
        "retrieve": "reservations.view_order",
        "facets": "reservations.view_order",
        "tasks": "reservations.view_task",
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        return orders.list_orders(hotel_ids=hotel_ids(self.request))

    @extend_schema(
        operation_id="list_orders",
        summary="Orders, never hidden ones",
        tags=["Orders"],
        responses=answers(OrderSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="get_order",
        summary="One order; a hidden one is not there",
        tags=["Orders"],
        responses=answers(OrderSerializer, 404),
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        row = found(orders.find_order(hotel_ids=hotel_ids(request), order_id=pk))
        return Response(OrderSerializer(row).data)

    @extend_schema(
        operation_id="list_order_tasks",
        summary="The tasks of one order, by time of receipt of their mails",
        tags=["Orders"],
        responses=answers(TaskRowSerializer(many=True), 400, 404),
    )
    @action(detail=True, serializer_class=TaskRowSerializer, filterset_class=None, keyset="received_at")
    def tasks(self, request: Request, pk: UUID) -> Response:
        found(orders.find_order(hotel_ids=hotel_ids(request), order_id=pk))
        rows = tasks.list_order_tasks(hotel_ids=hotel_ids(request), order_id=pk)
        page = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    facets = counted(
        "orders",
        "Orders",
        lambda: [by_choice("status", OrderStatus.values), by_choice("kind", [kind for kind, _ in SHOWN_KINDS])],
        OrderFilter,
    )
