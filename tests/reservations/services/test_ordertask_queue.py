"""R-58: who waits for whom on one order, and where an order task stands as its cards move."""

from datetime import timedelta

import pytest

from config.audit.models import AuditEvent
from reservations.models import OrderTask, SimulatedOutcome, SimulatorScript, Task
from tests import background, factories
from tests.reservations.board import answered, note
from tests.reservations.domain.orderpackages import order
from tests.reservations.orderboard import ORDER_TASKS, booked, faulty, noted, status_of

pytestmark = pytest.mark.django_db
CONTEXT = {"orders": [order("O1", identifiers={"CONFIRMATION_NUMBER": "8801", "BOOKING_CODE": "FIT-O1"})]}
BLOCKED = (409, "TASK_BLOCKED")


def arriving(orders, minutes):
    return orders.mail(received_at=factories.NOON + timedelta(minutes=minutes))


@pytest.fixture
def arrive(orders):
    """arrive(minutes, *events): the order task of a package on the order 8801."""

    def package(minutes, *events):
        return orders.opened(*(events or (noted(),)), name=arriving(orders, minutes), **CONTEXT)

    return package


def v3(orders, minutes):
    """A V3 card of the same order."""
    answer = orders.desk.send(note(confirmation_number="8801"), message_id=arriving(orders, minutes))
    return answer["tasks"][0]["task_id"]


def ready(orders, row, *indexes):
    orders.settle(row)
    for index in indexes or (1,):
        assert answered(orders.write(row, "confirm", card=f"EVENT_{index}")) == 200


def blocked(orders, row):
    return {line["id"]: line["blocked"] for line in orders.client.get(ORDER_TASKS).json()["results"]}[str(row.pk)]


def moves(row):
    lines = AuditEvent.objects.filter(object_type="order_task", object_id=str(row.pk)).order_by("id")
    return [(line.action, line.after["status"]) for line in lines]


def done(orders, task):
    assert answered(orders.send(task, "execute")) == 200
    background.work()


# Blocking


def test_r58_an_order_task_waits_for_an_earlier_one_and_not_the_other_way(orders, arrive):
    first, second = arrive(0), arrive(1)
    for row in (first, second):
        ready(orders, row)
    assert (blocked(orders, first), blocked(orders, second)) == (False, True)
    assert answered(orders.send(orders.task(second), "execute")) == BLOCKED
    done(orders, orders.task(first))
    assert answered(orders.send(orders.task(second), "execute")) == 200


def test_r58_what_arrived_earlier_comes_first_though_it_was_handed_in_later(orders, arrive):
    late = arrive(5)
    early = arrive(1)
    assert (blocked(orders, early), blocked(orders, late)) == (False, True)


def test_r58_cards_of_one_order_task_never_block_each_other(orders, arrive):
    row = arrive(0, noted(), noted(), noted())
    ready(orders, row, 1, 3)
    for index in (3, 1):
        assert answered(orders.send(orders.task(row, index), "execute")) == 200
    assert [orders.get(orders.task(row, index))["blocked"] for index in (1, 2, 3)] == [False] * 3


def test_r58_a_card_added_later_blocks_and_is_blocked_by_no_card_of_its_order_task(orders):
    name = arriving(orders, 0)
    orders.package(noted(), faulty(), name=name, **CONTEXT)
    orders.package(noted(), noted(), name=name, **CONTEXT)
    row = OrderTask.objects.get()
    ready(orders, row, 1, 2)
    assert [answered(orders.send(orders.task(row, index), "execute")) for index in (2, 1)] == [200, 200]


def test_r58_a_card_added_later_blocks_the_order_tasks_that_came_after(orders, arrive):
    name = arriving(orders, 0)
    orders.package(noted(), faulty(), name=name, **CONTEXT)
    first, later = OrderTask.objects.get(), arrive(1)
    orders.send(orders.task(first), "terminate", {"reason": "Twice."})
    assert (blocked(orders, later), status_of(first)) == (False, "DONE")
    orders.package(noted(), noted(), name=name, **CONTEXT)
    assert (blocked(orders, later), status_of(first)) == (True, "PENDING_CONFIRM")
    ready(orders, later)
    assert answered(orders.send(orders.task(later), "execute")) == BLOCKED


def test_r58_contexts_of_one_mail_on_one_order_wait_by_their_place(orders):
    contexts = [order(ref, identifiers={"CONFIRMATION_NUMBER": "8801"}) for ref in ("B", "A")]
    orders.package(noted("A"), noted("B"), orders=contexts)
    first, second = OrderTask.objects.order_by("order_context_index")
    assert (first.order_ref, blocked(orders, first), blocked(orders, second)) == ("B", False, True)


def test_r27_r58_cards_of_v3_and_order_tasks_stand_in_one_queue(orders, arrive):
    old, row, late = v3(orders, 0), arrive(1), v3(orders, 2)
    tasks = [old, orders.task(row), late]
    assert [orders.get(task)["blocked"] for task in tasks] == [False, True, True]
    for task in (old, late):
        orders.confirm(task)
    ready(orders, row)
    assert [answered(orders.send(task, "execute")) for task in tasks[1:]] == [BLOCKED, BLOCKED]
    for task in tasks:
        done(orders, task)
    assert [orders.get(task)["task_status"] for task in tasks] == ["DONE"] * 3


def test_r58_an_open_basic_information_alone_blocks_nobody(orders, arrive):
    first, second = arrive(0), arrive(1)
    orders.send(orders.task(first), "terminate", {"reason": "x"})
    assert (orders.shown(first)["status"], blocked(orders, second)) == ("PENDING_CONFIRM", False)


def test_r60_r58_tasks_that_follow_to_an_order_stand_in_its_queue(orders, hotel):
    there = [factories.order(hotel, booking_code="FIT-O1") for _ in range(2)]
    row = orders.opened(noted(), name=arriving(orders, 5))
    earlier = factories.task(there[0], factories.package(hotel), source_event_index=1)
    orders.choose(row, str(there[0].pk))
    assert blocked(orders, row) is True
    factories.move(earlier, "TERMINATED")
    assert blocked(orders, row) is False


# Where it stands


def test_r58_the_whole_way_of_an_order_task(orders, arrive):
    row = arrive(0, noted(), noted())
    assert status_of(row) == "PENDING_CONFIRM"
    ready(orders, row)
    assert status_of(row) == "IN_PROGRESS"
    done(orders, orders.task(row))
    assert status_of(row) == "IN_PROGRESS"
    orders.send(orders.task(row, 2), "terminate", {"reason": "Not needed."})
    assert moves(row) == [
        ("ORDER_TASK_CREATE", "PENDING_CONFIRM"),
        ("ORDER_TASK_MOVE", "IN_PROGRESS"),
        ("ORDER_TASK_MOVE", "DONE"),
    ]
    assert status_of(row) == "DONE"


def test_r58_it_is_done_when_the_worker_has_done_its_last_card(orders, arrive):
    row = arrive(0)
    ready(orders, row)
    orders.send(orders.task(row), "execute")
    assert status_of(row) == "IN_PROGRESS"
    background.work()
    assert (orders.get(orders.task(row))["task_status"], status_of(row)) == ("DONE", "DONE")


@pytest.mark.parametrize(("ending", "status"), [("terminate", "DONE"), ("retry", "DONE"), (None, "IN_PROGRESS")])
def test_r58_a_failed_card_keeps_it_open_until_it_ends(orders, arrive, ending, status):
    row = arrive(0)
    ready(orders, row)
    SimulatorScript.objects.create(operation_id="", remaining=1, outcome=SimulatedOutcome.REFUSAL)
    done(orders, orders.task(row))
    assert (orders.get(orders.task(row))["task_status"], status_of(row)) == ("FAILED", "IN_PROGRESS")
    if ending:
        orders.send(orders.task(row), ending, {"reason": "x"})
    background.work()
    assert status_of(row) == status


def test_r58_confirming_basic_information_of_a_done_order_task_leaves_it_done(orders, arrive):
    row = arrive(0)
    orders.send(orders.task(row), "terminate", {"reason": "x"})
    assert (answered(orders.settle(row)), status_of(row)) == (200, "DONE")


def test_r58_bulk_terminating_its_cards_makes_it_done_once(orders, arrive):
    row = arrive(0, noted(), booked(), noted())
    ids = [str(key) for key in Task.objects.values_list("id", flat=True)]
    body = {"action": "terminate", "task_ids": ids, "reason": "Twice."}
    assert orders.client.post("/api/reservation/tasks/bulk", body, format="json").status_code == 200
    assert moves(row)[1:] == [("ORDER_TASK_MOVE", "DONE")]


@pytest.mark.parametrize("basic", ["open", "confirmed", "in review"])
def test_r52_a_card_added_to_a_done_order_task_puts_it_back_where_its_basic_information_is(orders, hotel, basic):
    if basic == "in review":
        for _ in range(2):
            factories.order(hotel, booking_code="FIT-O1")
    name = arriving(orders, 0)
    orders.package(noted(), faulty(), name=name)
    row = OrderTask.objects.get()
    if basic == "confirmed":
        orders.settle(row)
    orders.send(orders.task(row), "terminate", {"reason": "x"})
    orders.package(noted(), noted(), name=name)
    back = {"open": "PENDING_CONFIRM", "confirmed": "IN_PROGRESS", "in review": "PENDING_REVIEW"}[basic]
    assert moves(row)[-1] == ("ORDER_TASK_REOPEN", back)
    assert status_of(row) == back
