"""The counts beside a list: `GET <list>/facets`, under the filters of the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.schema import answers
from reservations.api.access import hotel_ids
from reservations.api.serializers.facets import FacetsSerializer
from reservations.selectors.facets import Dimension, by_hotel, facets_of


def counted(name: str, tag: str, dimensions: Callable[[], Sequence[Dimension]], filterset: Any) -> Any:
    """The action of a viewset whose list is counted by these dimensions, and by hotel.

    name        of the list, in the id of the operation
    dimensions  which filters are counted
    """

    @extend_schema(
        operation_id=f"count_{name}",
        summary="How the rows of the list are spread over the values of its filters",
        description="Under the same filters. Each value is counted up to 1000; `capped` says that there are more.",
        tags=[tag],
        responses=answers(FacetsSerializer, 400),
    )
    @action(
        detail=False,
        methods=["get"],
        url_path="facets",
        pagination_class=None,
        serializer_class=FacetsSerializer,
        filterset_class=filterset,
    )
    def facets(self: Any, request: Request) -> Response:
        rows = self.filter_queryset(self.get_queryset())
        asked = [*dimensions(), by_hotel(hotel_ids(request))]
        return Response(FacetsSerializer({"facets": facets_of(rows, asked)}).data)

    return facets
