"""The filters of the lists. Unknown names and values that do not fit are refused by `StrictFilterBackend`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_filters import rest_framework as filters

from config.api.filters import FlagFilter, MinutesFilter, MomentFilter, TextFilter
from reservations.api.access import hotel_ids
from reservations.api.serializers.submissions import ERROR_CODES, GENERATIONS
from reservations.domain.catalog import MANUAL_REVIEW, NORMAL_TASK, NOTIFICATION
from reservations.models import (
    OrderStatus,
    OrderTaskStatusChoice,
    ReviewStatusChoice,
    RouteStatus,
    SubmissionOutcome,
    TaskStatusChoice,
    TransitionKind,
)
from reservations.selectors.orders import SHOWN_KINDS
from reservations.selectors.routes import active_codes, codes_shown_under
from reservations.selectors.search import LONGEST, in_mails, in_orders, matching
from reservations.selectors.submissions import of_message
from reservations.selectors.workbench import STATUSES, ItemKind, WorkItems

ROUTES = [(code, code) for code in active_codes()]
RESULT_TYPES = [(name, name) for name in (NORMAL_TASK, MANUAL_REVIEW, NOTIFICATION)]


class HotelFilter(TextFilter):
    """One hotel by its code."""

    def __init__(self) -> None:
        super().__init__(field_name="hotel__code", label="Code of the hotel.")


class RouteFilter(filters.ChoiceFilter):
    """An active code; finds everything that is shown under it (R-12)."""

    def __init__(self) -> None:
        super().__init__(
            field_name="route_code", choices=ROUTES, label="An active code; finds what is shown under it (R-12)."
        )

    def filter(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(route_code__in=codes_shown_under(route_code=value)) if value else rows


class OuterIdFilter(TextFilter):
    """The mail by its outer id, exactly as sent."""

    def __init__(self) -> None:
        super().__init__(label="The outer id of the mail, exactly as sent.")

    def filter(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(of_message(hotel_ids=hotel_ids(self.parent.request), outer_id=value)) if value else rows


class SinceFilter(MomentFilter):
    """Rows from this moment on."""

    def __init__(self, field_name: str) -> None:
        super().__init__(field_name=field_name, lookup_expr="gte", label="From this moment on.")


class SearchFilter(TextFilter):
    """Words of the mail or of the order (selectors.search).

    narrowed  the rows and the text to the rows with every word; without it they have a mail and an order
    """

    def __init__(self, narrowed: Callable[[Any, str], Any] | None = None) -> None:
        super().__init__(
            label="Words that all stand in subject and sender of the mail, or in number, name and keys of the order.",
            max_length=LONGEST,
        )
        self.narrowed = narrowed

    def filter(self, rows: Any, value: str) -> Any:
        if not value:
            return rows
        if self.narrowed is not None:
            return self.narrowed(rows, value)
        return rows.filter(matching(hotel_ids=hotel_ids(self.parent.request), text=value).either)


class SourceMessageFilter(filters.FilterSet):
    hotel = HotelFilter()
    external_message_id = TextFilter(label="The outer id, exactly as sent.")
    conversation_id = TextFilter(label="The conversation, exactly as sent.")
    sender_domain = TextFilter(label="The part of the sender's address after the @, in lower case.")
    since = SinceFilter("received_at")
    search = SearchFilter(in_mails)


class SubmissionFilter(filters.FilterSet):
    hotel = HotelFilter()
    source_message_id = OuterIdFilter()
    generation = filters.ChoiceFilter(choices=GENERATIONS, label="The generation of the package.")
    outcome = filters.ChoiceFilter(choices=SubmissionOutcome.choices, label="Taken, or in conflict with earlier ones.")
    since = SinceFilter("created_at")


class TransitionFilter(filters.FilterSet):
    hotel = HotelFilter()
    kind = filters.ChoiceFilter(choices=TransitionKind.choices, label="The kind of verdict.")
    route_code = RouteFilter()
    adapter_error_code = filters.ChoiceFilter(choices=ERROR_CODES, label="The code of a contract error.")
    source_message_id = OuterIdFilter()
    since = SinceFilter("created_at")


class OrderFilter(filters.FilterSet):
    hotel = HotelFilter()
    kind = filters.ChoiceFilter(choices=SHOWN_KINDS, label="The kind of order.")
    status = filters.ChoiceFilter(choices=OrderStatus.choices, label="Where the order stands.")
    search = SearchFilter(in_orders)


class TaskFilter(filters.FilterSet):
    hotel = HotelFilter()
    task_status = filters.ChoiceFilter(choices=TaskStatusChoice.choices, label="Where the card stands.")
    review_status = filters.ChoiceFilter(choices=ReviewStatusChoice.choices, label="Where its review stands.")
    route = RouteFilter()
    result_type = filters.ChoiceFilter(
        field_name="ai_result_type", choices=RESULT_TYPES, label="What the agent asks for."
    )
    order = filters.UUIDFilter(method="of_order", label="The order by its id; never a hidden one.")
    blocked = FlagFilter(label="Whether an earlier card of its order is not finished (R-27).")
    claimed_by = TextFilter(field_name="claimed_by__username", label="The name of the user who holds the card.")
    search = SearchFilter()

    def of_order(self, rows: QuerySet[Any], name: str, value: Any) -> QuerySet[Any]:
        return rows.filter(order_id=value, order__hidden=False)


class OrderTaskFilter(filters.FilterSet):
    hotel = HotelFilter()
    status = filters.ChoiceFilter(choices=OrderTaskStatusChoice.choices, label="Where the order task stands.")
    source_message_id = OuterIdFilter()
    order = filters.UUIDFilter(field_name="order_id", label="The order by its id.")
    blocked = FlagFilter(label="Whether an earlier card of its order is not finished (R-58).")
    since = SinceFilter("received_at")
    search = SearchFilter()


class NotificationFilter(filters.FilterSet):
    hotel = HotelFilter()
    route = RouteFilter()
    source_message_id = OuterIdFilter()
    acknowledged = FlagFilter(
        field_name="acknowledged_at", lookup_expr="isnull", exclude=True, label="Whether a person has seen it."
    )
    since = SinceFilter("received_at")


class WorkItemFilter(filters.FilterSet):
    """Filters of a list that is no queryset: each value is asked of `WorkItems`."""

    kind = filters.ChoiceFilter(choices=[(kind.value, kind.value) for kind in ItemKind], label="The kind of item.")
    hotel = HotelFilter()
    status = filters.ChoiceFilter(choices=STATUSES, label="Where the item stands; NOTICE finds every notice.")
    route = filters.ChoiceFilter(
        choices=ROUTES, label="An active code; finds what is shown under it, and the order tasks that have such a card."
    )
    order = filters.UUIDFilter(label="The order by its id; never a hidden one.")
    claimed = FlagFilter(label="Whether somebody holds it.")
    claimed_by = TextFilter(label="The name of the user who holds it.")
    blocked = FlagFilter(label="Whether an earlier card of its order is not finished (R-27, R-58).")
    acknowledged = FlagFilter(label="Notices alone: whether a person has seen them.")
    since = MomentFilter(label="From this moment on.")
    waiting_longer_than = MinutesFilter(label="What has been waiting for a person for this many minutes or longer.")
    search = SearchFilter()

    def filter_queryset(self, rows: WorkItems) -> WorkItems:
        sent = self.form.cleaned_data
        minutes, route = sent["waiting_longer_than"], sent["route"]
        rows = rows.asking(
            **{name: sent[name] for name in ("order", "claimed", "blocked", "acknowledged")},
            **{name: sent[name] or None for name in ("kind", "hotel", "status", "claimed_by")},
            route_codes=codes_shown_under(route_code=route) if route else None,
            received_since=sent["since"],
            waiting_since=None if minutes is None else timezone.now() - timedelta(minutes=minutes),
        )
        return rows.searching(sent["search"]) if sent["search"] else rows


class RouteListFilter(filters.FilterSet):
    include_retired = FlagFilter(label="Also the retired routes.")

    def filter_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows if self.form.cleaned_data["include_retired"] else rows.filter(status=RouteStatus.ACTIVE)


class OptionFilter(filters.FilterSet):
    hotel = HotelFilter()
    include_inactive = FlagFilter(label="Also the options that are no longer offered.")

    def filter_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        wanted = HotelFilter().filter(rows, self.form.cleaned_data["hotel"])
        return wanted if self.form.cleaned_data["include_inactive"] else wanted.filter(active=True)
