"""The twelve P0 mails, each in its V3 and its V4 package: one business outcome, down to the bodies of the calls.

What differs, and why: V4 says its own generation (R-57), its notice is a notification (R-11), and cards of one order
task do not wait for each other (R-58). Nothing else: fields, keys, orders, warnings and bodies are equal.
"""

import json
from contextlib import contextmanager

import pytest
from django.db import transaction

from reservations.models import CardKind, OrderTask, Task, TaskCard
from tests.cases import files
from tests.cases.reservations.world import build
from tests.reservations.board import RESOLVE, TASKS, override, resolution, send
from tests.reservations.orderboard import ORDER_TASKS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
DOCUMENT = files.parse((files.OWN_COPY / "reservations.json").read_bytes())
MAILS = sorted(DOCUMENT["packages"]["v3"])
INGEST = "/api/reservation/superagent/task-results"
SAME = (
    *("route_code", "route_display_code", "result_type", "ai_task_type", "ai_task_subtype", "task_subtype"),
    *("system_process_category", "system_task_type", "review_status", "task_status", "source_event_index"),
    *("case_keys", "manual_review", "adapter_contract_errors", "unhandled_intents"),
)
GIVEN = {
    "extracted_fields.room_items.0.pms_room_type_code": "DLX",
    "case_keys.group_code": "BLK-SUM",
}


@contextmanager
def undone():
    mark = transaction.savepoint()
    yield
    transaction.savepoint_rollback(mark)


@pytest.fixture
def world(db, client_of):
    return build({"hotel": "HOTEL1"}, DOCUMENT["mails"], client_of)


class Desk:
    """One generation of one mail, from the package to the calls."""

    def __init__(self, world, body):
        self.client = world.reviewer_client
        answer = world.agent_client.post(INGEST, body, format="json")
        assert answer.status_code == 200, answer.content
        self.summary = answer.json()
        self.ids = [line["task_id"] for line in self.summary["tasks"]]

    def get(self, path):
        return self.client.get(f"/api/reservation/{path}").json()

    def summed_up(self):
        errors = [
            (line["source_event_index"], line["adapter_error_code"]) for line in self.summary["adapter_contract_errors"]
        ]
        shown = [(line["route_code"], line["route_display_code"]) for line in self.summary["notices"]]
        return {
            "errors": errors,
            "notices": shown,
            "intents": self.summary["unhandled_intents"],
            "orders": sorted(map(self.kind_and_keys, self.get("orders")["results"])),
        }

    @staticmethod
    def kind_and_keys(row):
        names = ("kind", "status", "group_code", "confirmation_number", "booking_code")
        return tuple(str(row[name]) for name in names)

    def cards(self):
        return [self.card(self.get(f"tasks/{task_id}")) for task_id in self.ids]

    def card(self, detail):
        fields = {
            row["field_path"]: (row["value"], row["required"], row["missing"], row["edit_scope"])
            for row in detail["fields"]
        }
        order = self.get(f"orders/{detail['order_id']}")
        payload = detail["effective_payload"]
        return {
            **{name: detail[name] for name in SAME},
            "fields": fields,
            "relatives": [(line["role"], line["source_event_indexes"]) for line in detail["relationships"]],
            "warnings": [warning["code"] for warning in detail["warnings"]],
            "extracted_fields": payload.get("extracted_fields"),
            "keys": payload.get("case_keys"),
            "order": self.kind_and_keys(order),
        }

    def confirm_basic_information(self):
        for card in TaskCard.objects.filter(kind=CardKind.BASIC_INFORMATION):
            path = f"{ORDER_TASKS}/{card.order_task_id}/cards/{card.pk}/confirm"
            assert send(self.client, path, {}).status_code == 200

    def decide(self):
        """Confirm or resolve every card; the calls it leads to, and what was confirmed."""
        return [self.decided(task_id) for task_id in self.ids]

    def decided(self, task_id):
        detail = self.get(f"tasks/{task_id}")
        missing = [row["field_path"] for row in detail["fields"] if row["missing"]]
        body = resolution(detail["order_id"], *(override(path, GIVEN[path]) for path in missing)) if missing else {}
        answer = send(self.client, f"{TASKS}/{task_id}/{RESOLVE if missing else 'confirm'}", body)
        assert answer.status_code == 200, answer.content
        calls = self.get(f"tasks/{task_id}/opera-operations")["results"]
        return {
            "field_values": answer.json()["confirmed_payload"]["field_values"],
            "calls": [tuple(call[name] for name in ("operation_id", "role", "method", "path")) for call in calls],
            "bodies": [json.dumps(call["request_body"], sort_keys=True) for call in calls],
            "order": self.kind_and_keys(self.get(f"orders/{answer.json()['order_id']}")),
        }


@pytest.mark.parametrize("mail", MAILS)
def test_both_generations_of_a_mail_come_to_the_same(world, mail):
    with undone():
        old = Desk(world, DOCUMENT["packages"]["v3"][mail])
        before, summed_up, decided = old.cards(), old.summed_up(), old.decide()
    new = Desk(world, DOCUMENT["packages"]["v4"][mail])
    assert new.summed_up() == summed_up
    assert new.cards() == before
    new.confirm_basic_information()
    assert new.decide() == decided
    assert set(OrderTask.objects.values_list("status", flat=True)) <= {"IN_PROGRESS"}
    assert set(Task.objects.exclude(task_status="NOTICE").values_list("task_status", flat=True)) <= {"READY"}
