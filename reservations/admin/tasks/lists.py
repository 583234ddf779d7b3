"""Filters of the task list."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import ChoiceFilter, FieldFilter, Option, PeriodFilter
from reservations.models import ReviewStatusChoice, TaskStatusChoice


class StatusFilter(FieldFilter):
    title = _("status")
    parameter_name = "task_status"
    choices_of = TaskStatusChoice


class ReviewFilter(ChoiceFilter):
    title = _("review")
    parameter_name = "review"
    NONE = "none"

    def options(self, request: HttpRequest) -> list[Option]:
        return [*ReviewStatusChoice.choices, (self.NONE, _("No review"))]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(review_status=None if value == self.NONE else value)


class ReceivedFilter(PeriodFilter):
    title = _("received")
    parameter_name = "received"
    moment = "received_at"


class ClaimFilter(ChoiceFilter):
    """By the live lease (R-44): one that ran out holds nothing."""

    title = _("claim")
    parameter_name = "claim"
    MINE, OTHERS, NOBODY = "mine", "others", "nobody"

    def options(self, request: HttpRequest) -> list[Option]:
        self.person: Any = request.user
        return [
            (self.MINE, _("Claimed by me")),
            (self.OTHERS, _("Claimed by others")),
            (self.NOBODY, _("Claimed by nobody")),
        ]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        live = Q(claim_expires_at__gt=timezone.now())
        if value == self.NOBODY:
            return rows.exclude(live)
        mine = Q(claimed_by=self.person.pk)
        return rows.filter(live, mine if value == self.MINE else ~mine)
