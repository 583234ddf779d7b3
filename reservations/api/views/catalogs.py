"""Routes, and the options of a select."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.paging import whole_list
from config.api.schema import answers
from reservations.api.access import found, hotel_ids
from reservations.api.filters import OptionFilter, RouteListFilter
from reservations.api.serializers.catalogs import (
    OptionListSerializer,
    OptionSerializer,
    RouteListSerializer,
    RouteSerializer,
)
from reservations.models import CatalogEntry, Route
from reservations.selectors import catalogs, routes


class RouteViewSet(GenericViewSet):
    queryset = Route.objects.none()
    serializer_class, filterset_class, pagination_class = RouteSerializer, RouteListFilter, None
    required_permissions = {"list": "reservations.view_route"}

    def get_queryset(self) -> QuerySet[Any]:
        return routes.list_routes()

    @extend_schema(
        operation_id="list_routes",
        summary="The routes: 40 active ones, and on demand the retired",
        tags=["Catalogues"],
        responses=answers(RouteListSerializer, 400),
    )
    def list(self, request: Request) -> Response:
        rows = self.filter_queryset(self.get_queryset())
        return Response(whole_list(self.get_serializer(rows, many=True).data))


class CatalogViewSet(GenericViewSet):
    queryset = CatalogEntry.objects.none()
    serializer_class, filterset_class, pagination_class = OptionListSerializer, OptionFilter, None
    lookup_field, lookup_value_converter = "name", "str"
    required_permissions = {"retrieve": "reservations.view_catalogentry"}

    @extend_schema(
        operation_id="get_catalog",
        summary="The options of a select",
        tags=["Catalogues"],
        filters=True,
        parameters=[
            OpenApiParameter(
                "name",
                str,
                OpenApiParameter.PATH,
                description="`options_source` of a field.",
                enum=catalogs.catalog_names(),
            )
        ],
        responses=answers(OptionListSerializer, 400, 404),
    )
    def retrieve(self, request: Request, name: str) -> Response:
        catalog = found(catalogs.find_catalog(name=name))
        rows = self.filter_queryset(catalogs.list_options(hotel_ids=hotel_ids(request), catalog=catalog))
        options = OptionSerializer(rows, many=True).data
        return Response({"name": catalog.name, "connected": catalog.connected, "options": options})
