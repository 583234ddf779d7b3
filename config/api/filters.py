"""Filters that refuse what they do not know: a misspelt filter must not answer with everything."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from rest_framework.request import Request

from config.api.paging import PARAMETERS
from config.errors import Fault, FilterInvalid


class StrictFilterBackend(filters.DjangoFilterBackend):
    """django-filter with the view's `filterset_class`; unknown names and bad values are FILTER_INVALID."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        refuse_unknown(request, self._known(view))
        filterset = self.get_filterset(request, queryset, view)
        if filterset is None:
            return queryset
        if not filterset.is_valid():
            raise FilterInvalid(
                errors=[
                    Fault(name, "FILTER_INVALID", " ".join(str(text) for text in texts))
                    for name, texts in filterset.errors.items()
                ]
            )
        return filterset.qs

    def _known(self, view: Any) -> set[str]:
        filterset_class = getattr(view, "filterset_class", None)
        return set(filterset_class.base_filters) if filterset_class else set()


def refuse_unknown(request: Request, known: set[str]) -> None:
    """FilterInvalid for query parameters that are neither a known filter nor of the paging, or hold U+0000."""
    allowed = known | set(PARAMETERS)
    faults = [
        Fault(name[:80], "FILTER_INVALID", f"Unknown filter. Known: {', '.join(sorted(allowed))}.")
        for name in request.query_params
        if name not in allowed
    ]
    faults += [
        Fault(name, "FILTER_INVALID", "U+0000 is no part of a filter value.")
        for name, values in request.query_params.lists()
        if name in allowed and any("\x00" in value for value in values)
    ]
    if faults:
        raise FilterInvalid(errors=faults)
