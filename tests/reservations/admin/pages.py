"""Addresses of the back-office, and a row for every page."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.utils import quote
from django.urls import reverse

from config.accounts.models import User
from reservations.models import AdapterContractError, CatalogEntry, Hotel, Route, TaskStatusChoice, TransitionKind
from tests import factories
from tests.background import operation


def list_of(model: str) -> str:
    return reverse(f"admin:{model}_changelist")


def page_of(row: Any) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[quote(row.pk)])


def text_of(response: Any) -> str:
    return str(response.content.decode())


def main_of(response: Any) -> str:
    """The page without the frame that every page has."""
    return text_of(response).split("<main", 1)[1].split("</main>", 1)[0]


def agent_of(hotel: Hotel) -> Any:
    """The one agent of this hotel, made when it is first asked for."""
    found = User.objects.filter(username=f"agent-of-{hotel.code}").first()
    return found or factories.user("agent", hotel, username=f"agent-of-{hotel.code}")


def a_mail(hotel: Hotel, word: str = "") -> Any:
    return factories.message(hotel, subject=f"Mail {word}")


def a_submission(hotel: Hotel, word: str = "") -> Any:
    return factories.submission(a_mail(hotel, word), agent_of(hotel))


def a_verdict(hotel: Hotel, word: str = "", **fields: Any) -> Any:
    return factories.transition(a_submission(hotel, word), **fields)


def a_contract_error(hotel: Hotel, word: str = "", **fields: Any) -> Any:
    fields.setdefault("adapter_error_code", "ROUTE_UNRESOLVED")
    verdict = factories.transition(
        a_submission(hotel, word),
        kind=TransitionKind.CONTRACT_ERROR,
        system_process_category="ADAPTER_CONTRACT_ERROR",
        **fields,
    )
    return AdapterContractError.objects.get(pk=verdict.pk)


def a_task(hotel: Hotel, word: str = "") -> Any:
    return factories.task(factories.order(hotel), a_submission(hotel, word))


def an_operation(hotel: Hotel, word: str = "") -> Any:
    card = factories.task(factories.order(hotel), a_submission(hotel), task_status=TaskStatusChoice.READY)
    return operation(card, 1, f"postBlock{word}")


def an_order(hotel: Hotel, word: str = "") -> Any:
    return factories.order(hotel, display_name=f"Order {word}")


def a_catalog_entry(hotel: Hotel, word: str = "") -> Any:
    number = CatalogEntry.objects.count()
    return CatalogEntry.objects.create(
        hotel=hotel,
        catalog="active_pms_room_type_catalog",
        code=f"D{number}",
        label_en=f"Entry {word}",
        label_zh="部门",
    )


def a_route() -> Any:
    return Route.objects.create(
        route_code="R01_TEST",
        position=1,
        status="active",
        result_type="normal_task",
        task_type="New Booking",
        task_subtype="new_fit_booking",
        system_process_category="BUSINESS_TASK",
        queue_participation=True,
        readonly=False,
        card_display_type="BUSINESS_CARD",
        card_title_code="T",
        route_display_code="TASK.t",
        title_en="New individual booking",
        title_zh="新散客预订",
    )


def a_v4_package(hotel: Hotel, word: str = "") -> Any:
    return factories.submission(a_mail(hotel, word), agent_of(hotel), generation="V4")


def an_order_task(hotel: Hotel, word: str = "", **fields: Any) -> Any:
    return factories.order_task(
        factories.order(hotel), a_v4_package(hotel, word), display_name=f"Guest {word}", **fields
    )


def a_card(hotel: Hotel, word: str = "", **fields: Any) -> Any:
    return factories.task_card(an_order_task(hotel, word), **fields)


def a_notification(hotel: Hotel, word: str = "", **fields: Any) -> Any:
    return factories.notification(a_v4_package(hotel, word), **fields)


MADE_BY = {
    "reservations_sourcemessage": a_mail,
    "reservations_task": a_task,
    "reservations_order": an_order,
    "reservations_operaoperation": an_operation,
    "reservations_ordertask": an_order_task,
    "reservations_taskcard": a_card,
    "reservations_sourcenotification": a_notification,
    "reservations_submission": a_submission,
    "reservations_aitransition": a_verdict,
    "reservations_adaptercontracterror": a_contract_error,
    "reservations_catalogentry": a_catalog_entry,
}
