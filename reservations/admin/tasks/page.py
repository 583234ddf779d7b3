"""One task: what the agent proposed, next to the evidence; and what a person does with it, through the services."""

from __future__ import annotations

from functools import partial
from typing import Any, cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from config import jsontext
from config.accounts.models import User
from config.audit.models import Door
from config.backoffice.base import access_of
from config.backoffice.marks import page_of, pill
from config.errors import DomainError, Missing
from reservations.admin.base import card_line, review_pill, route_mark, status_pill, task_title
from reservations.admin.operations import operation_pill
from reservations.admin.tasks.acts import ACTS, Act
from reservations.admin.tasks.forms import read_form
from reservations.admin.tasks.lists import TaskList
from reservations.admin.tasks.work import Attempt, Person, answers_of, labels_of, work_on
from reservations.models import Task
from reservations.selectors.desk import cards, faces, tasks
from reservations.services.writes import Writer

INPUTS = ("reason", "termination_reason", "confirmed_order_id")
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


@admin.register(Task)
class TaskAdmin(TaskList):
    detail_related = (
        "hotel",
        "order",
        "source_message",
        "submission",
        "decided_by",
        "claimed_by",
        "draft_by",
        "terminated_by",
        "acknowledged_by",
    )
    detail_defer = (
        *(f"submission__{column}" for column in ("payload", "response", "mapping_diagnostics")),
        *(f"source_message__{column}" for column in ("headers", "recipients")),
    )
    detail_template = "reservations/task.html"

    def title_of(self, row: Task) -> str:
        return task_title(row)

    def extra_urls(self, name: str) -> list[URLPattern]:
        """One address for each act: to be posted to, never to be read."""
        return [
            path(f"<uuid:task_id>/{act.path}/", self._door(partial(self.act_view, act=act)), name=f"{name}_{act.name}")
            for act in ACTS.values()
        ]

    def act_view(self, request: HttpRequest, task_id: UUID, act: Act) -> HttpResponse:
        """Do it and go back to the card; refused, show the card again with the reason and all that was typed.

        raises  PermissionDenied, Http404 (none in the person's hotels)
        """
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = self.row(request, str(task_id))
        if not access_of(request).allows(act.permission):
            raise PermissionDenied
        form = {name: request.POST.get(name, "") for name in INPUTS}
        typed = read_form(dict(request.POST.lists()))
        state = cards.state_of(row) if act.uses_fields else None
        answers = answers_of(state, typed)
        body = act.body(answers, form)
        try:
            act.service(_writer(request), row.pk, jsontext.read(jsontext.write(body).encode()))
        except Missing as refusal:
            raise Http404 from refusal
        except DomainError as refusal:
            return self.shown_again(request, task_id, Attempt(act, form, typed, body, refusal))
        messages.success(request, act.done)
        if answers.left_out:
            names = ", ".join(labels_of(state, answers.left_out))
            messages.warning(request, _now("Left out, as the card has no such field with these values: %s.") % names)
        if not (act.uses_fields or act.ends_work) and any(entry.touched for entry in typed.values()):
            return self.shown_again(request, task_id, Attempt(act, form, typed, body, None))
        return HttpResponseRedirect(page_of(row))

    def shown_again(self, request: HttpRequest, task_id: UUID, attempt: Attempt) -> HttpResponse:
        """The card as it is now, with what was typed."""
        row = self.row(request, str(task_id))
        return self.detail_page(request, row, self.detail(request, row, attempt), status=attempt.status)

    def detail(self, request: HttpRequest, row: Task, attempt: Attempt | None = None) -> dict[str, Any]:
        found = tasks.explained(row)
        person = Person(cast(User, request.user).pk, access_of(request), timezone.now())
        work = work_on(row, person, attempt)
        return {
            "explained": found,
            "errors": [(error, faces.meaning(error["adapter_error_code"])) for error in found.batch.contract_errors],
            "history": [(event, Door(event["door"]).label) for event in found.history],
            "status_pill": status_pill(row),
            "review_pill": review_pill(row),
            "route_mark": route_mark(row.route_code),
            "notice": found.notice,
            "review": [(REVIEW_LABELS.get(name, name), value, pointed) for name, value, pointed in found.review],
            "relations": [(relation, [card_line(task) for task in relation.cards]) for relation in found.relations],
            "retired_pill": pill(_("Retired"), "quiet") if found.face and found.face.retired else "",
            "work": work,
            "operations": [(operation, operation_pill(operation)) for operation in work.operations],
            "sees_operations": access_of(request).allows("reservations.view_operaoperation"),
            "way": card_line(work.in_the_way) if work.in_the_way else None,
        }


def _writer(request: HttpRequest) -> Writer:
    """Whoever is logged in, on the hotels of this person, having seen the version that the page showed (R-45)."""
    version = request.POST.get("version", "")
    seen = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0
    person = cast(User, request.user)
    return Writer(person, Door.ADMIN, access_of(request).tenant_ids("hotel"), frozenset({seen}))
