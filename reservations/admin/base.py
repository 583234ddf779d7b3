"""What the pages of this desk share: filters by hotel and route, and how states and verdicts look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.accounts.models import User
from config.backoffice.base import ReadOnlyAdmin, access_of
from config.backoffice.filters import ChoiceFilter, Option
from config.backoffice.marks import NOTHING, pill
from config.backoffice.moments import local_moment
from config.jsontext import JsonValue
from reservations.models import (
    CardStatusChoice,
    Hotel,
    OrderStatus,
    ReviewStatusChoice,
    Task,
    TaskCard,
    TaskStatusChoice,
    TransitionKind,
)
from reservations.selectors.desk import faces
from reservations.selectors.desk.tasks import Value
from reservations.selectors.routes import codes_shown_under

STATUS_TONES = {
    TaskStatusChoice.PENDING_CONFIRM: "todo",
    TaskStatusChoice.PENDING_REVIEW: "ask",
    TaskStatusChoice.NOTICE: "plain",
    TaskStatusChoice.READY: "good",
    TaskStatusChoice.EXECUTING: "good",
    TaskStatusChoice.DONE: "quiet",
    TaskStatusChoice.FAILED: "bad",
    TaskStatusChoice.TERMINATED: "quiet",
}
REVIEW_TONES = {ReviewStatusChoice.PENDING: "ask", ReviewStatusChoice.RESOLVED: "good"}
KIND_TONES = {
    TransitionKind.BUSINESS_EVENT: "good",
    TransitionKind.SOURCE_NOTIFICATION: "plain",
    TransitionKind.CONTRACT_ERROR: "bad",
    TransitionKind.UNHANDLED_INTENT: "ask",
}
CARD_TONES = {
    CardStatusChoice.PENDING_CONFIRM: "todo",
    CardStatusChoice.PENDING_REVIEW: "ask",
    CardStatusChoice.CONFIRMED: "good",
}
ORDER_TONES = {OrderStatus.ACTIVE: "good", OrderStatus.CANCELLED: "quiet", OrderStatus.CLOSED: "quiet"}


REVIEW_LABELS = {
    "review_type": _("Kind of review"),
    "reason_code": _("Reason"),
    "reason_summary": _("In words"),
    "missing_fields": _("Missing"),
    "uncertain_fields": _("Uncertain"),
    "evidence": _("Evidence"),
    "context_used": _("Context used"),
    "suggested_actions": _("Suggested"),
    "confidence": _("Confidence"),
}


class HotelFilter(ChoiceFilter):
    """Offers the hotels of the person, and only where there is a choice."""

    title = _("hotel")
    parameter_name = "hotel"

    def options(self, request: HttpRequest) -> Iterable[Option]:
        allowed = access_of(request).tenant_ids("hotel")
        hotels = Hotel.objects.filter(pk__in=allowed).values_list("pk", "code") if len(allowed) > 1 else []
        return [(str(key), code) for key, code in hotels]

    def has_output(self) -> bool:
        return bool(self.lookup_choices)


class ShownRouteFilter(ChoiceFilter):
    """Finds what is shown under an active code (R-12): S10 finds S000 too."""

    title = _("route")
    parameter_name = "route"

    def options(self, request: HttpRequest) -> Iterable[Option]:
        return [(face.code, f"{short_code(face.code)} · {face.title}") for face in faces.shown_codes()]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(route_code__in=codes_shown_under(route_code=value))


class ShownTypeFilter(ChoiceFilter):
    """Finds what shows this type; a retired one is found under the type that took its place (R-21)."""

    title = _("type")
    parameter_name = "type"

    def options(self, request: HttpRequest) -> Iterable[Option]:
        return [(name, name) for name in faces.shown_types()]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(route_code__in=faces.codes_of_type(value))


class DeskAdmin(ReadOnlyAdmin):
    """A page of rows that belong to a hotel."""

    list_select_related: Sequence[str] | bool = ("hotel",)
    detail_related: ClassVar[Sequence[str]] = ("hotel",)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """The hotel only where a person has several."""
        columns = super().get_list_display(request)
        several = len(access_of(request).tenant_ids("hotel")) > 1
        return [column for column in columns if several or column != "hotel_code"]

    @admin.display(description=_("hotel"))
    def hotel_code(self, row: Any) -> str:
        return str(row.hotel.code)


def short_code(route_code: str) -> str:
    """R01 of R01_NEW_BOOKING_…; notices have no longer name."""
    return route_code.partition("_")[0]


def task_title(task: Task) -> str:
    """What the card is called; a code that the catalogue does not know is shown as the agent's words."""
    face = faces.face(task.route_code)
    return face.title if face else f"{task.ai_task_type} / {task.ai_task_subtype}"


class CardLine(NamedTuple):
    """One card as the lists inside a page show it."""

    task: Task
    title: str
    kind: str
    status: SafeString
    review: SafeString
    route: SafeString


def card_line(task: Task) -> CardLine:
    return CardLine(
        task, task_title(task), task_kind(task), status_pill(task), review_pill(task), route_mark(task.route_code)
    )


def task_kind(task: Task) -> str:
    """Type and subtype as shown: those of the route that took the place of a retired one (R-21)."""
    face = faces.face(task.route_code)
    return f"{face.task_type} / {face.task_subtype}" if face else f"{task.ai_task_type} / {task.ai_task_subtype}"


def review_lines(
    rows: Sequence[tuple[str, JsonValue, Sequence[Value]]],
) -> list[tuple[Any, JsonValue, Sequence[Value]]]:
    """The fields of a manual review with their names in words."""
    return [(REVIEW_LABELS.get(name, name), value, pointed) for name, value, pointed in rows]


def status_pill(task: Task) -> SafeString:
    status = TaskStatusChoice(task.task_status)
    return pill(status.label, STATUS_TONES[status], status.value)


def review_pill(task: Task) -> SafeString:
    if not task.review_status:
        return NOTHING
    status = ReviewStatusChoice(task.review_status)
    return pill(status.label, REVIEW_TONES[status], status.value)


def card_pill(card: TaskCard) -> SafeString:
    """Of a business card the status of its task; the mail has none."""
    if card.task is not None:
        return status_pill(card.task)
    if card.card_status is None:
        return NOTHING
    status = CardStatusChoice(card.card_status)
    return pill(status.label, CARD_TONES[status], status.value)


def kind_pill(kind: str) -> SafeString:
    return pill(TransitionKind(kind).label, KIND_TONES[TransitionKind(kind)], kind)


def route_mark(route_code: str) -> SafeString:
    """The short code it is shown under; another one that was received stands beside it (R-12, R-21)."""
    if not route_code:
        return NOTHING
    face = faces.face(route_code)
    shown = face.code if face else route_code
    mark = format_html('<code title="{}">{}</code>', shown, short_code(shown))
    if shown == route_code:
        return mark
    return format_html('{} <small class="quiet">{}</small>', mark, _("as %s") % short_code(route_code))


def moment_of(row: Any, at: Any) -> SafeString:
    """A moment in the time of the row's hotel."""
    return local_moment(at, row.hotel.time_zone)


def person(user: User | None) -> SafeString | str:
    return user.username if user else NOTHING
