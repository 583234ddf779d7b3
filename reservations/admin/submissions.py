"""Submissions: the packages as received."""

from __future__ import annotations

import io
from typing import Any

from django.contrib import admin
from django.http import FileResponse, HttpRequest
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import ChoiceFilter, FieldFilter, Option, PeriodFilter
from config.backoffice.marks import code, pill, two_lines
from config.downloads import download
from reservations.admin.base import DeskAdmin, HotelFilter, kind_pill, moment_of, route_mark
from reservations.domain.contract import Generation
from reservations.models import Submission, SubmissionOutcome
from reservations.selectors.desk import mails, submissions


class OutcomeFilter(FieldFilter):
    title = _("outcome")
    parameter_name = "outcome"
    choices_of = SubmissionOutcome


class GenerationFilter(ChoiceFilter):
    title = _("generation")
    parameter_name = "generation"

    def options(self, request: HttpRequest) -> list[Option]:
        return [(value, value) for value in Generation]


class PostedFilter(PeriodFilter):
    title = _("posted")
    parameter_name = "posted"
    moment = "created_at"


@admin.register(Submission)
class SubmissionAdmin(DeskAdmin):
    intro = _("Each package that was accepted for a mail, exactly as it was sent. It is never changed.")
    list_display = ("posted", "mail", "generation", "root_kind", "outcome_pill", "caller_name", "digest", "hotel_code")
    list_display_links = ("mail",)
    list_filter = (OutcomeFilter, GenerationFilter, HotelFilter, PostedFilter)
    detail_defer = tuple(f"source_message__{column}" for column in mails.TEXT_COLUMNS)
    list_defer = (*mails.PAYLOAD_COLUMNS, *detail_defer)
    list_select_related = ("hotel", "source_message", "caller")
    ordering = ("-created_at", "-id")
    search_fields = ("source_message__subject", "source_message__external_message_id", "canonical_sha256")
    search_help_text = _("Subject, message id or hash")
    detail_related = ("hotel", "source_message", "caller")
    detail_template = "reservations/submission.html"

    @admin.display(description=_("posted"))
    def posted(self, row: Submission) -> SafeString:
        return moment_of(row, row.created_at)

    @admin.display(description=_("mail"))
    def mail(self, row: Submission) -> SafeString:
        return two_lines(row.source_message.subject, row.source_message.sender, 70)

    @admin.display(description=_("outcome"))
    def outcome_pill(self, row: Submission) -> SafeString:
        return outcome_pill(row)

    @admin.display(description=_("caller"))
    def caller_name(self, row: Submission) -> str:
        return row.caller.username

    @admin.display(description=_("hash"))
    def digest(self, row: Submission) -> SafeString:
        return code(row.canonical_sha256[:12])

    def title_of(self, row: Submission) -> str:
        return f"{row.generation} {row.canonical_sha256[:12]}"

    def detail(self, request: HttpRequest, row: Submission) -> dict[str, Any]:
        verdicts, cut = submissions.verdicts_of(row)
        return {
            "outcome_pill": outcome_pill(row),
            "verdicts": [(verdict, kind_pill(verdict.kind), route_mark(verdict.route_code)) for verdict in verdicts],
            "verdicts_cut": cut,
            "conflicting_events": submissions.conflicting_events(row),
        }

    def extra_urls(self, name: str) -> list[URLPattern]:
        return [path("<path:object_id>/payload/", self._door(self.payload_view), name=f"{name}_payload")]

    def payload_view(self, request: HttpRequest, object_id: str) -> FileResponse:
        """The package byte by byte, as a download."""
        row = self.row(request, object_id)
        return download(io.BytesIO(row.payload.encode()), f"submission-{row.pk}.txt")


def outcome_pill(row: Submission) -> SafeString:
    outcome = SubmissionOutcome(row.outcome)
    return pill(outcome.label, "good" if outcome is SubmissionOutcome.ACCEPTED else "ask", outcome.value)
