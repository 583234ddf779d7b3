"""Filters that refuse what they do not know: a misspelt filter must not answer with everything."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework.request import Request

from config.api.paging import PARAMETERS
from config.errors import Fault, FilterInvalid

FIRST_MOMENT = datetime.min.replace(tzinfo=UTC)
LAST_MOMENT = datetime.max.replace(tzinfo=UTC)
MOST_MINUTES = 366 * 24 * 60


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
        known = set(filterset_class.base_filters) if filterset_class else set()
        return known | set(PARAMETERS) if getattr(view, "paginator", None) else known


def refuse_unknown(request: Request, known: set[str]) -> None:
    """FilterInvalid for query parameters that are not known, come twice, are empty or hold U+0000."""
    faults = [
        Fault(name[:80], "FILTER_INVALID", fault)
        for name, values in request.query_params.lists()
        if (fault := _fault(name, values, known))
    ]
    if faults:
        raise FilterInvalid(errors=faults)


def _fault(name: str, values: list[str], known: set[str]) -> str | None:
    if name not in known:
        return f"Unknown filter. Known: {', '.join(sorted(known)) or 'none'}."
    if len(values) > 1:
        return "Give it once."
    if not values[0]:
        return "Give a value, or leave the filter out."
    return "U+0000 is no part of a filter value." if "\x00" in values[0] else None


class FlagField(forms.Field):
    """true or false, and nothing else."""

    def to_python(self, value: Any) -> bool | None:
        if value in (None, ""):
            return None
        if value not in ("true", "false"):
            raise forms.ValidationError(_("Either true or false."))
        return bool(value == "true")


class FlagFilter(filters.BooleanFilter):
    field_class = FlagField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # The stock widget turns what it does not know into None, which reads as "not given".
        super().__init__(*args, widget=forms.TextInput, **kwargs)


class MomentField(forms.Field):
    """A moment (RFC 3339), as UTC. Beyond the years a database knows it is the first or last moment."""

    def to_python(self, value: Any) -> datetime | None:
        if value in (None, ""):
            return None
        try:
            moment = datetime.fromisoformat(value.upper())
        except ValueError:
            raise forms.ValidationError(_("No moment. Write it as 2026-07-20T12:00:00Z.")) from None
        if moment.tzinfo is None:
            raise forms.ValidationError(_("Say the time zone: 2026-07-20T12:00:00Z."))
        try:
            return moment.astimezone(UTC)
        except OverflowError:
            return FIRST_MOMENT if moment.year == 1 else LAST_MOMENT


class MomentFilter(filters.IsoDateTimeFilter):
    field_class = MomentField


class MinutesField(forms.Field):
    """A whole number of minutes, from 0 to a year."""

    def to_python(self, value: Any) -> int | None:
        if value in (None, ""):
            return None
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and int(value[:7]) <= MOST_MINUTES):
            raise forms.ValidationError(_("A whole number of minutes, at most %s.") % MOST_MINUTES)
        return int(value)


class MinutesFilter(filters.NumberFilter):
    field_class = MinutesField

    def __init__(self, *, label: str, **kwargs: Any) -> None:
        super().__init__(label=label, **kwargs)
        shape = {"type": "integer", "minimum": 0, "maximum": MOST_MINUTES, "description": label}
        extend_schema_field(shape)(self)

    def get_max_validator(self) -> None:
        """The field has its own bound."""


class TextFilter(filters.CharFilter):
    """A text compared exactly as given: not trimmed. The label describes it in the schema."""

    def __init__(self, *, label: str, **kwargs: Any) -> None:
        super().__init__(label=label, strip=False, **kwargs)
        extend_schema_field({"type": "string", "minLength": 1, "pattern": r"^[^\u0000]+$", "description": label})(self)
