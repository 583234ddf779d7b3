"""One order task: its mail, what was sent, its cards, and the Basic Information as a form."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _now

from config.audit.models import Door
from config.backoffice.base import access_of
from reservations.admin.base import card_line, card_pill
from reservations.admin.ordertasks.acts import ACTS
from reservations.admin.ordertasks.lists import OrderTaskList, name_of, order_task_pill, type_pill
from reservations.admin.ordertasks.work import work_on
from reservations.admin.tasks.acting import ActingAdmin
from reservations.admin.tasks.filling import Attempt
from reservations.domain.fieldcontract import CardState
from reservations.models import OrderTask, TaskCard
from reservations.selectors.desk import ordertasks
from reservations.selectors.desk.mails import PAYLOAD_COLUMNS


@admin.register(OrderTask)
class OrderTaskAdmin(OrderTaskList, ActingAdmin):
    acts = ACTS
    detail_related = ("hotel", "order", "source_message", "submission")
    detail_defer = (
        *(f"submission__{column}" for column in PAYLOAD_COLUMNS),
        *(f"source_message__{column}" for column in ("headers", "recipients")),
    )
    detail_template = "reservations/order_task.html"

    def title_of(self, row: OrderTask) -> str:
        return name_of(row)

    def subject_of(self, row: OrderTask) -> TaskCard:
        basic = ordertasks.basic_information_of(row)
        if basic is None:
            raise Http404(_now("There is nothing at this address."))
        return basic

    def state_of(self, subject: TaskCard) -> CardState:
        return ordertasks.state_of(subject)

    def detail(self, request: HttpRequest, row: OrderTask, attempt: Attempt | None = None) -> dict[str, Any]:
        found, access = ordertasks.explained(row), access_of(request)
        basic = found.basic
        return {
            "explained": found,
            "basic": basic,
            "work": work_on(basic, access, self.addresses_of(row), attempt) if basic is not None else None,
            "cards": [(card, card_line(card.task) if card.task else None, card_pill(card)) for card in found.cards],
            "status_pill": order_task_pill(row),
            "type_pill": type_pill(row),
            "way": card_line(found.in_the_way) if found.in_the_way else None,
            "history": [(event, Door(event["door"]).label) for event in found.history],
        }
