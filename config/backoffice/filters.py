"""Filters of the lists: closed choices, shown as one select each. A value that is not offered is refused."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib.admin import SimpleListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

Option = tuple[str, Any]


class ChoiceFilter(SimpleListFilter):
    """A subclass says `title`, `parameter_name`, `options` and `narrowed`."""

    def options(self, request: HttpRequest) -> Iterable[Option]:
        raise NotImplementedError

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(**{str(self.parameter_name): value})

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[Option]:
        return [(str(value), label) for value, label in self.options(request)]

    def has_output(self) -> bool:
        return True

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        value = self.value()
        if not value:
            return queryset
        if value not in {str(offered) for offered, _label in self.lookup_choices}:
            raise IncorrectLookupParameters
        return self.narrowed(queryset, value)


class FieldFilter(ChoiceFilter):
    """The choices of a model field."""

    choices_of: ClassVar[Any]

    def options(self, request: HttpRequest) -> Iterable[Option]:
        return list(self.choices_of.choices)


class PeriodFilter(ChoiceFilter):
    """How long ago; `moment` names the column."""

    moment: ClassVar[str]
    PERIODS: ClassVar[dict[str, tuple[Any, timedelta]]] = {
        "1d": (_("Last 24 hours"), timedelta(days=1)),
        "7d": (_("Last 7 days"), timedelta(days=7)),
        "30d": (_("Last 30 days"), timedelta(days=30)),
        "365d": (_("Last 12 months"), timedelta(days=365)),
    }

    def options(self, request: HttpRequest) -> Iterable[Option]:
        return [(value, label) for value, (label, _length) in self.PERIODS.items()]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(**{f"{self.moment}__gte": timezone.now() - self.PERIODS[value][1]})
