"""The cards of one hotel: made by packages, written to through the API, and what the tables hold meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rest_framework.test import APIClient

from config import jsontext
from config.accounts.models import User
from config.audit.models import AuditEvent
from reservations.models import Hotel, OperaOperation, Order, Submission, Task
from tests import factories
from tests.reservations.domain.builders import FILES, event, notice, review
from tests.reservations.services.desk import TEXT, Desk

TASKS = "/api/reservation/tasks"
RESOLVE = "manual-review-resolutions"
ROOM_TYPE = "extracted_fields.room_items.0.pms_room_type_code"
ROOM_POINTER = "/extracted_fields/room_items/0/pms_room_type_code"
STAY = {"arrival_date": "2026-08-03", "departure_date": "2026-08-06"}
GUEST = STAY | {"guest_name": "Guest A", "adults": 2, "room_items": [{"room_quantity": 1, "pms_room_type_code": "DLX"}]}
GROUP = STAY | {"group_name": "Autumn", "room_items": [{"room_quantity": 9, "pms_room_type_code": "TWN"}]}
Json = Any


def fit(**changes: Json) -> Json:
    """A complete individual booking, of no order."""
    return event("New Booking", "new_fit_booking", **{"case_keys": {}, "extracted_fields": GUEST} | changes)


def group(**changes: Json) -> Json:
    """A complete group block, of no order."""
    return event("New Booking", "new_group_block", **{"case_keys": {}, "extracted_fields": GROUP} | changes)


def note(**case_keys: Json) -> Json:
    """A complete note, of the order of these keys."""
    fields = {"note_type": "GENERAL", "note_text": "Quiet room"}
    return event("Trace Reservation Notes", "add_reservation_note", case_keys=case_keys, extracted_fields=fields)


def unmapped(**changes: Json) -> Json:
    """An individual booking whose room type a person has to find."""
    room = {"room_quantity": 1, "room_type_raw": "Lake room"}
    fields = GUEST | {"room_items": [room]}
    return fit(**{"extracted_fields": fields, "manual_review": review(ROOM_POINTER)} | changes)


def unkeyed(**changes: Json) -> Json:
    """A note whose order a person has to find."""
    asked = review("/case_keys/confirmation_number")
    return note() | {"manual_review": asked} | changes


def override(path: str, value: Json) -> Json:
    return {"field_path": path, "value": value}


MAPPED = override(ROOM_TYPE, "DLX")


class Board:
    """One hotel's cards, and a person who works on them."""

    def __init__(self, hotel: Hotel, agent: User, client: APIClient) -> None:
        self.hotel, self.client, self.desk = hotel, client, Desk(hotel, agent)
        self.mails = 0

    def mail(self, **fields: Any) -> str:
        self.mails += 1
        name = f"board{self.mails}@lakeside.example"
        message = self.desk.mail(name, **fields)
        for file in FILES:
            factories.attachment(message, file)
        return name

    def cards(self, *events: Json) -> list[str]:
        """The cards of one package on a mail of its own."""
        answer = self.desk.send(*events, message_id=self.mail())
        assert answer["adapter_contract_errors"] == []
        return [line["task_id"] for line in answer["tasks"]]

    def card(self, sent: Json) -> str:
        return self.cards(sent)[0]

    def old_card(self, sent: Json) -> str:
        """A card of the second generation."""
        body = {"source_message_id": self.mail(), "ai_task_results": [sent]}
        return str(self.desk.post(body)["tasks"][0]["task_id"])

    def notice(self, route_code: str = "S10") -> str:
        name = self.mail()
        body = notice(route_code, source_message={"source_message_id": name}) if len(route_code) == 3 else None
        answer = self.desk.post(body) if body else self.desk.post(f"{route_code},{name}", TEXT)
        return str(answer["notices"][0]["task_id"])

    def send(self, task_id: str, action: str, body: Json = None, *, by: APIClient | None = None, **headers: str) -> Any:
        """Write to a card; the names of headers with a line for the dash."""
        return send(by or self.client, f"{TASKS}/{task_id}/{action}", {} if body is None else body, **headers)

    def draft(self, task_id: str, values: Json, **more: Any) -> Any:
        return self.send(task_id, "draft", {"field_values": values}, **more)

    def confirm(self, task_id: str, values: Json = None, **more: Any) -> Any:
        return self.send(task_id, "confirm", {"field_values": values or {}}, **more)

    def resolve(self, task_id: str, *overrides: Json, order: Json = ..., **more: Any) -> Any:
        """order: the id to confirm; the card's own when it is not given."""
        own = self.get(task_id)["order_id"] if order is ... else order
        return self.send(task_id, RESOLVE, resolution(own, *overrides), **more)

    def get(self, task_id: str) -> Json:
        return self.client.get(f"{TASKS}/{task_id}").json()

    def field(self, task_id: str, path: str) -> Json:
        return next((row for row in self.get(task_id)["fields"] if row["field_path"] == path), None)

    def order(self, task_id: str) -> Order:
        return Task.objects.select_related("order").get(pk=task_id).order


def resolution(order_id: Json, *overrides: Json) -> Json:
    return {"confirmed_order_id": order_id, "reason": "checked", "field_overrides": list(overrides)}


def send(client: APIClient, path: str, body: Json, **headers: str) -> Any:
    """PUT a draft, POST anything else; the body as JSON, or as it is when it is bytes."""
    content = body if isinstance(body, bytes) else jsontext.write(body).encode()
    method = "PUT" if path.endswith("/draft") else "POST"
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.generic(method, path, content, content_type="application/json", headers=names)


def answered(response: Any) -> Json:
    """Status and code of a refusal, the status alone of anything else."""
    return response.status_code if response.status_code < 400 else (response.status_code, response.json()["error_code"])


def places(response: Any) -> list[str]:
    return [fault["pointer"] for fault in response.json()["errors"]]


def rows() -> Mapping[str, Any]:
    """Everything a write on a card may touch."""
    return {
        model.__name__: {row["id"]: row for row in model._default_manager.values()}
        for model in (Task, Order, OperaOperation, Submission)
    }


@contextmanager
def only_lines(*actions: str) -> Iterator[None]:
    """Nothing changes but the audit, which grows by these lines."""
    before, last = rows(), AuditEvent.objects.order_by("-id").values_list("id", flat=True).first() or 0
    yield
    assert rows() == before
    assert lines_since(last) == list(actions)


def lines_since(last: int) -> list[str]:
    return list(AuditEvent.objects.filter(id__gt=last).order_by("id").values_list("action", flat=True))


def actions(task_id: str) -> list[str]:
    """What the audit says was done to a card after it was made."""
    events = AuditEvent.objects.filter(object_type="task", object_id=task_id).order_by("id")
    return list(events.values_list("action", flat=True))[1:]


def keys_of(order: Order) -> tuple[str | None, ...]:
    """Kind, group code, confirmation number, booking code, as the table has them now."""
    order.refresh_from_db()
    return (order.kind, order.group_code, order.confirmation_number, order.booking_code)
