"""Machine-made order packages through the HTTP door: a documented answer each, and rows that fit together (R-55, R-56)."""

from random import Random

import pytest
from django.db import transaction

from reservations.models import CardKind, Order, OrderTask, SourceNotification, Task, TaskCard
from tests import factories
from tests.reservations.api.test_ingest_mutants import bent
from tests.reservations.domain.builders import FILES, MESSAGE_ID
from tests.reservations.domain.orderpackages import (
    every_order_package,
    order,
    order_event,
    order_notice,
    order_package,
    payment,
    split_package,
    update,
)

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PATH = "/api/reservation/superagent/task-results"
ROUNDS = 60  # of each seed
REFUSALS = {
    (400, "missing_source_message_id"),
    (400, "JSON_INVALID"),
    (400, "PAYLOAD_LIMIT_EXCEEDED"),
    (400, "ADAPTER_CONTRACT_ERROR"),
    (404, "SOURCE_MESSAGE_NOT_FOUND"),
}
SEEDS = [
    split_package(),
    order_notice("S99"),
    order_notice(),
    order_package(update(), payment(), order_event(order_ref="G"), orders=[order(), order("G", "GROUP")]),
    order_package(*(package["message_events"][0] for package in every_order_package()[:6])),
    order_package(
        order_event(),
        orders=[order("O1", "GROUP", identifiers={"GROUP_CODE": "A", "BLOCK_CODE": "B", "BOOKING_CODE": "C"})],
    ),
]


@pytest.fixture
def clients(hotel, agent_client, reviewer_client):
    message = factories.message(hotel, MESSAGE_ID)
    for file in FILES:
        factories.attachment(message, file)
    for _ in range(2):
        factories.order(hotel, booking_code="FIT-O1")
    for client in (agent_client, reviewer_client):
        client.raise_request_exception = False
    return agent_client, reviewer_client


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_a_mutant_gets_a_documented_answer_and_whole_rows(clients, seed):
    agent, reviewer = clients
    random = Random(seed)
    for number in range(ROUNDS):
        mark = transaction.savepoint()
        raw = bent(SEEDS[seed], random)
        answer = agent.generic("POST", PATH, raw, content_type="application/json")
        check(answer, raw)
        if answer.status_code == 200:
            again = agent.generic("POST", PATH, raw, content_type="application/json").json()
            assert again == {**answer.json(), "replayed": True}
            if number % 5 == 0:
                read(reviewer, answer.json())
        transaction.savepoint_rollback(mark)


def check(answer, raw):
    if answer.status_code != 200:
        assert (answer.status_code, answer.json()["error_code"]) in REFUSALS, (raw, answer.content)
        assert Task.objects.count() == 0
        return
    body = answer.json()
    cards = TaskCard.objects.values_list("kind", flat=True)
    order_tasks = OrderTask.objects.count()
    if body["generation"] == "V4":
        assert list(cards).count(CardKind.BUSINESS) == Task.objects.count() == len(body["tasks"]), raw
        assert list(cards).count(CardKind.BASIC_INFORMATION) == order_tasks == len(body["order_tasks"]), raw
        assert SourceNotification.objects.count() == len(body["notices"]), raw
    assert not OrderTask.objects.filter(tasks=None).exists(), raw
    assert not Order.objects.filter(tasks=None, booking_code=None).exists(), raw
    for row in OrderTask.objects.all():
        assert set(row.tasks.values_list("order_id", flat=True)) == {row.order_id}, raw


def read(reviewer, body):
    """Everything a person may open."""
    paths = [f"order-tasks/{line['order_task_id']}" for line in body["order_tasks"]]
    paths += [f"tasks/{line['task_id']}" for line in body["tasks"]]
    paths += [f"source-notifications/{line['notification_id']}" for line in body["notices"] if line["notification_id"]]
    for path in [*paths, "workbench-items", "order-tasks", "orders"]:
        assert reviewer.get(f"/api/reservation/{path}").status_code == 200, path
