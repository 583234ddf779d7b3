"""Verdicts: one for each part of a package; and the contract errors among them as a list of their own."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import ChoiceFilter, FieldFilter, Option, PeriodFilter
from config.backoffice.marks import code, link_to, two_lines
from reservations.admin.base import DeskAdmin, HotelFilter, ShownRouteFilter, kind_pill, moment_of, route_mark
from reservations.domain.faults import FaultCode
from reservations.models import AdapterContractError, AiTransition, TransitionKind
from reservations.selectors.desk import faces, mails


class KindFilter(FieldFilter):
    title = _("kind")
    parameter_name = "kind"
    choices_of = TransitionKind


class CodeFilter(ChoiceFilter):
    title = _("code")
    parameter_name = "adapter_error_code"

    def options(self, request: HttpRequest) -> list[Option]:
        return [(value, value) for value in FaultCode]


class JudgedFilter(PeriodFilter):
    title = _("judged")
    parameter_name = "judged"
    moment = "created_at"


class VerdictPages(DeskAdmin):
    """What both lists share."""

    detail_defer = (
        *(f"source_message__{column}" for column in mails.TEXT_COLUMNS),
        *(f"submission__{column}" for column in mails.PAYLOAD_COLUMNS),
    )
    list_defer = ("event", *(f"source_message__{column}" for column in mails.TEXT_COLUMNS))
    list_select_related = ("hotel", "source_message")
    ordering = ("-created_at", "-id")
    search_fields = ("source_message__subject", "source_message__external_message_id", "adapter_error_code")
    search_help_text = _("Subject, message id or error code")
    detail_related = ("hotel", "source_message", "submission", "notification")
    detail_template = "reservations/verdict.html"

    @admin.display(description=_("judged"))
    def judged(self, row: AiTransition) -> SafeString:
        return moment_of(row, row.created_at)

    @admin.display(description=_("kind"))
    def kind_shown(self, row: AiTransition) -> SafeString:
        return kind_pill(row.kind)

    @admin.display(description=_("agent said"))
    def said(self, row: AiTransition) -> SafeString:
        return two_lines(row.ai_task_type or "–", row.ai_task_subtype or row.ai_result_type, 60)

    @admin.display(description=_("route or code"))
    def result(self, row: AiTransition) -> SafeString:
        return code(row.adapter_error_code) if row.adapter_error_code else route_mark(row.route_code)

    @admin.display(description=_("mail"))
    def mail(self, row: AiTransition) -> SafeString:
        return link_to(row.source_message, row.source_message.subject or row.source_message.external_message_id)

    @admin.display(description=_("event"))
    def place(self, row: AiTransition) -> Any:
        return row.source_event_index or _("package")

    def detail(self, request: HttpRequest, row: AiTransition) -> dict[str, Any]:
        failed = row.kind == TransitionKind.CONTRACT_ERROR
        return {
            "failed": failed,
            "unsupported": row.kind == TransitionKind.UNHANDLED_INTENT,
            "meaning": faces.meaning(row.adapter_error_code) if failed else None,
            "kind_pill": kind_pill(row.kind),
            "route_mark": route_mark(row.route_code),
            "task": getattr(row, "task", None),
            "notification": getattr(row, "notification", None),
        }


@admin.register(AiTransition)
class TransitionAdmin(VerdictPages):
    heading = _("Verdicts")
    intro = _("The verdict on every part of every package: a card, a notice, a contract error, or not supported.")
    list_display = ("judged", "kind_shown", "said", "place", "result", "mail", "hotel_code")
    list_display_links = ("said",)
    list_filter = (KindFilter, ShownRouteFilter, CodeFilter, HotelFilter, JudgedFilter)

    def title_of(self, row: AiTransition) -> str:
        return str(TransitionKind(row.kind).label)


@admin.register(AdapterContractError)
class ContractErrorAdmin(VerdictPages):
    intro = _("Parts of packages that break the contract. They became no card; the mail still waits for somebody.")
    list_display = ("judged", "problem", "said", "place", "mail", "hotel_code")
    list_display_links = ("problem",)
    list_filter = (CodeFilter, HotelFilter, JudgedFilter)

    @admin.display(description=_("contract problem"))
    def problem(self, row: AdapterContractError) -> SafeString:
        found = faces.meaning(row.adapter_error_code)
        return two_lines(found.en or row.adapter_error_message, row.adapter_error_code, 110)

    def title_of(self, row: AdapterContractError) -> str:
        return row.adapter_error_code
