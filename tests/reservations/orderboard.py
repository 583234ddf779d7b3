"""Order tasks of one hotel: made by packages of the fourth generation, written to card by card through the API."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from reservations.models import OrderTask, TaskCard
from tests.reservations.board import GUEST, RESOLVE, ROOM_POINTER, Board, resolution, send
from tests.reservations.domain.builders import FILES, review
from tests.reservations.domain.orderpackages import order, order_event, order_notice, order_package

ORDER_TASKS = "/api/reservation/order-tasks"
BASIC = "BASIC_INFORMATION"
CARD_WRITES = ("draft", "confirm", RESOLVE)
NOTE = {"note_type": "GENERAL", "note_text": "Quiet room"}
Json = Any


def noted(order_ref: str = "O1", **changes: Json) -> Json:
    """A complete note on the order of this reference."""
    return order_event(**{"order_ref": order_ref, "extracted_fields": NOTE} | changes)


def booked(order_ref: str = "O1", **changes: Json) -> Json:
    """A complete individual booking."""
    fields = {"order_ref": order_ref, "extracted_fields": GUEST}
    return order_event("NEW_BOOKING", "new_fit_booking", **fields | changes)


def unmapped(order_ref: str = "O1", **changes: Json) -> Json:
    """An individual booking whose room type a person has to find."""
    fields = GUEST | {"room_items": [{"room_quantity": 1, "room_type_raw": "Lake room"}]}
    return booked(order_ref, **{"extracted_fields": fields, "manual_review": review(ROOM_POINTER)} | changes)


def faulty(order_ref: str = "O1") -> Json:
    """An event that is a contract error."""
    return order_event("NO_SUCH_TYPE", order_ref=order_ref)


class OrderBoard(Board):
    """The same desk as a Board, with order tasks."""

    def package(self, *events: Json, orders: Json = None, name: str = "", **members: Json) -> Json:
        """Post a package, on a mail of its own where none is named; its summary."""
        source = {"source_message_id": name or self.mail(), "attachments": [{"id": file} for file in FILES]}
        contexts = [order()] if orders is None else orders
        return self.desk.post(order_package(*events, order_contexts=contexts, **{"source_message": source} | members))

    def opened(self, *events: Json, **members: Json) -> OrderTask:
        """The order task of a package with one."""
        (line,) = self.package(*events, **members)["order_tasks"]
        return OrderTask.objects.get(pk=line["order_task_id"])

    def notification(self, route_code: str = "S10", **members: Json) -> str:
        """The id of the notification of a mail of its own."""
        source = {"source_message_id": self.mail()}
        answer = self.desk.post(order_notice(route_code, **{"source_message": source} | members))
        return str(answer["notices"][0]["notification_id"])

    def key(self, row: OrderTask, card_key: str = BASIC) -> str:
        return next(str(card.pk) for card in TaskCard.objects.filter(order_task=row) if card.card_key == card_key)

    def task(self, row: OrderTask, index: int = 1) -> str:
        """The id of the task of an event."""
        return str(row.tasks.get(source_event_index=index).pk)

    def write(
        self,
        row: OrderTask,
        action: str,
        body: Json = None,
        *,
        card: str = BASIC,
        by: APIClient | None = None,
        **headers: str,
    ) -> Any:
        """Write to a card through the path of the cards."""
        path = f"{ORDER_TASKS}/{row.pk}/cards/{self.key(row, card)}/{action}"
        return send(by or self.client, path, {} if body is None else body, **headers)

    def settle(self, row: OrderTask, values: Json = None, **more: Any) -> Any:
        """Confirm the Basic Information."""
        return self.write(row, "confirm", {"field_values": values or {}}, **more)

    def choose(self, row: OrderTask, order_id: Json, *overrides: Json, **more: Any) -> Any:
        """Resolve the Basic Information."""
        return self.write(row, RESOLVE, resolution(order_id, *overrides), **more)

    def shown(self, row: OrderTask, card_key: str = BASIC) -> Json:
        """A card as the detail of its order task shows it."""
        cards = self.client.get(f"{ORDER_TASKS}/{row.pk}").json()["cards"]
        return next(card for card in cards if card["card_key"] == card_key)


def status_of(row: OrderTask) -> str:
    return str(OrderTask.objects.get(pk=row.pk).status)
