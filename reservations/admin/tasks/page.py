"""One task: what the agent proposed, next to the evidence; and what a person does with it, through the services."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config.accounts.models import User
from config.audit.models import Door
from config.backoffice.base import access_of
from config.backoffice.marks import pill
from reservations.admin.base import card_line, review_lines, review_pill, route_mark, status_pill, task_title
from reservations.admin.operations import operation_pill
from reservations.admin.tasks.acting import ActingAdmin
from reservations.admin.tasks.acts import ACTS
from reservations.admin.tasks.filling import Attempt
from reservations.admin.tasks.lists import TaskList
from reservations.admin.tasks.work import Person, work_on
from reservations.domain.fieldcontract import CardState
from reservations.models import Task
from reservations.selectors.desk import cards, faces, tasks
from reservations.selectors.fieldstate import OPEN
from reservations.services.ordertaskstates import WAITING


@admin.register(Task)
class TaskAdmin(TaskList, ActingAdmin):
    acts = ACTS
    detail_related = (
        "hotel",
        "order",
        "order_task",
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
        "order_task__order_context",
    )
    detail_template = "reservations/task.html"

    def title_of(self, row: Task) -> str:
        return task_title(row)

    def state_of(self, subject: Task) -> CardState | None:
        return cards.state_of(subject)

    def detail(self, request: HttpRequest, row: Task, attempt: Attempt | None = None) -> dict[str, Any]:
        found = tasks.explained(row)
        person = Person(cast(User, request.user).pk, access_of(request), timezone.now())
        work = work_on(row, person, self.addresses_of(row), attempt)
        return {
            "explained": found,
            "errors": [(error, faces.meaning(error["adapter_error_code"])) for error in found.batch.contract_errors],
            "history": [(event, Door(event["door"]).label) for event in found.history],
            "status_pill": status_pill(row),
            "review_pill": review_pill(row),
            "route_mark": route_mark(row.route_code),
            "notice": found.notice,
            "review": review_lines(found.review),
            "relations": [(relation, [card_line(task) for task in relation.cards]) for relation in found.relations],
            "retired_pill": pill(_("Retired"), "quiet") if found.face and found.face.retired else "",
            "work": work,
            "operations": [(operation, operation_pill(operation)) for operation in work.operations],
            "sees_operations": access_of(request).allows("reservations.view_operaoperation"),
            "waits": row.status in OPEN and row.order_task is not None and row.order_task.status in WAITING,
            "way": card_line(work.in_the_way) if work.in_the_way else None,
        }
