"""Card pages as browsers see them: what stands in the form, and what is posted when a button is pressed."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.urls import reverse

from config.accounts.models import User
from config.audit.services import Door
from reservations.models import CatalogEntry, Hotel, Task
from reservations.services.writes import Writer
from tests import factories
from tests.reservations.admin.pages import page_of, text_of

ROOM_TYPE = "extracted_fields.room_items.0.pms_room_type_code"
ADULTS = "extracted_fields.adults"
GUEST = "extracted_fields.guest_name"
EVENT = (
    '{"case_keys":{"booking_code":"LT-1"},"extracted_fields":{"guest_name":"Guest A","adults":2,'
    '"arrival_date":"2026-08-03","departure_date":"2026-08-06","rate_amount":880.00,'
    '"room_items":[{"room_quantity":1,"room_type_raw":"Deluxe King","pms_room_type_code":"DLX"}]},'
    '"relevant_message_excerpt":"Please book"}'
)
TRACE = (
    '{"case_keys":{"booking_code":"LT-1"},"extracted_fields":{"departments":["HSK","CON"],"trace_text":"Quiet room.",'
    '"trace_date":"2026-08-03"},"relevant_message_excerpt":"Please book"}'
)
REVIEW = {
    "review_type": "type_known_review",
    "reason_code": "room_type_unmapped",
    "reason_summary": "Which room?",
    "missing_fields": ["/extracted_fields/room_items/0/pms_room_type_code"],
    "uncertain_fields": [],
    "evidence": [],
    "context_used": {},
    "suggested_actions": [],
    "confidence": 0.5,
}
IN_REVIEW = {"task_status": "PENDING_REVIEW", "review_status": "PENDING", "manual_review": REVIEW}
R02 = {"ai_result_type": "manual_review", "route_code": "R02_NEW_BOOKING_NEW_FIT_BOOKING_REVIEW"}
FALLBACK = {
    "task_status": "PENDING_REVIEW",
    "review_status": "PENDING",
    "ai_result_type": "manual_review",
    "ai_task_type": "Fallback",
    "ai_task_subtype": "business_event_review",
    "route_code": "R41_FALLBACK_BUSINESS_EVENT_REVIEW",
    "manual_review": REVIEW | {"review_type": "business_event_review", "missing_fields": []},
}


def booking(hotel: Hotel, **fields: Any) -> Task:
    """A new individual booking that can be confirmed as it is."""
    room_types(hotel)
    return factories.card(hotel, **({"ai_payload_json": EVENT} | fields))


def in_review(hotel: Hotel, **fields: Any) -> Task:
    """The same, in review for its room type."""
    return booking(hotel, **(IN_REVIEW | R02 | fields))


def room_types(hotel: Hotel) -> None:
    for position, code in enumerate(("DLX", "TWN")):
        CatalogEntry.objects.get_or_create(
            hotel=hotel,
            catalog="active_pms_room_type_catalog",
            code=code,
            defaults={"label_en": f"Room {code}", "label_zh": "房", "position": position},
        )


def writer(user: User, task: Task) -> Writer:
    return Writer(user, Door.API, [task.hotel_id])


def act_of(row: Any, name: str) -> str:
    """The address of an act on a task, an order task or a notification."""
    return reverse(f"admin:reservations_{row._meta.model_name}_{name}", args=[row.pk])


def shown_form(desk: Any, row: Any) -> dict[str, Any]:
    return form_of(desk.get(page_of(row)))


def press(desk: Any, row: Any, name: str, **values: Any) -> Any:
    """Open the page, type these values (by main path or name of the input), press the button."""
    return desk.post(act_of(row, name), typed(shown_form(desk, row), values))


def typed(form: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    return form | {(f"value:{name}" if "." in name else name): value for name, value in values.items()}


def form_of(response: Any) -> dict[str, Any]:
    """What a browser would post without a person touching anything."""
    reader = _Form()
    reader.feed(text_of(response))
    return reader.values


def buttons(response: Any) -> list[str]:
    """The acts the page offers, in order, each once."""
    reader = _Form()
    reader.feed(text_of(response))
    return list(dict.fromkeys(reader.actions))


class _Form(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, Any] = {}
        self.actions: list[str] = []
        self._inside = False
        self._area = self._select = ""

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        given = {name: value or "" for name, value in attributes}
        self._inside = self._inside or given.get("id") == "card-form"
        if not self._inside:
            return
        if tag == "button" and "formaction" in given:
            self.actions.append(given["formaction"].rstrip("/").rsplit("/", 1)[-1])
        elif tag == "input" and (given.get("type") not in ("checkbox", "radio") or "checked" in given):
            self._add(given["name"], given.get("value", ""), many=given.get("type") == "checkbox")
        elif tag == "textarea":
            self._area, self.values[given["name"]] = given["name"], ""
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and ("selected" in given or self._select not in self.values):
            self.values[self._select] = given.get("value", "")

    def _add(self, name: str, value: str, *, many: bool) -> None:
        self.values[name] = [*self.values.get(name, []), value] if many else value

    def handle_data(self, data: str) -> None:
        if self._area:
            self.values[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._area:
            self.values[self._area] = self.values[self._area].removeprefix("\n").replace("\n", "\r\n")
            self._area = ""
        elif tag == "form":
            self._inside = False
