"""R-50: what one order package sends to the database does not depend on its events, contexts or order tasks."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.models import OrderTask, Task
from tests.reservations.domain.orderpackages import order, order_notice, order_package
from tests.reservations.orderboard import faulty, noted
from tests.reservations.services.test_ingest_statements import FIND_MAIL, HISTORY, PLACE, named

pytestmark = pytest.mark.django_db
WRITE = [
    *("INSERT submission", "INSERT aitransition", "INSERT ordertask", "INSERT task", "INSERT taskcard"),
    "INSERT auditevent",
]
OPEN = ["SELECT ordertask"]


def contexts(number):
    """Every other one a group, so that both ways to an order are gone."""
    return [order(f"O{place}", "GROUP" if place % 2 else "FIT") for place in range(number)]


def events(number, orders):
    return [noted(f"O{place % orders}") for place in range(number)]


def package(number, orders, bad=()):
    found = [
        faulty(event["order_ref"]) if place in bad else event for place, event in enumerate(events(number, orders))
    ]
    return order_package(*found, orders=contexts(orders))


@pytest.fixture
def statements_of(desk):
    def statements(body):
        with CaptureQueriesContext(connection) as captured:
            desk.post(body)
        return named(captured)

    return statements


@pytest.mark.parametrize(("number", "orders"), [(1, 1), (50, 1), (50, 50), (500, 200)])
def test_r50_a_package_takes_eleven_statements_whatever_its_size(mail, statements_of, number, orders):
    assert statements_of(package(number, orders)) == [*FIND_MAIL, *PLACE, *WRITE]
    assert (Task.objects.count(), OrderTask.objects.count()) == (number, orders)


@pytest.mark.parametrize(("number", "orders"), [(1, 1), (40, 20)])
def test_r25_orders_that_are_there_take_one_more_for_their_sender_domains(desk, mail, statements_of, number, orders):
    desk.post(package(number, orders))
    desk.mail("m2")
    body = package(number, orders) | {"source_message": {"source_message_id": "m2"}}
    assert statements_of(body) == [*FIND_MAIL, "SELECT attachment", "SELECT order", "SELECT task", *WRITE]


@pytest.mark.parametrize(("number", "orders"), [(2, 1), (60, 30)])
def test_r52_a_correction_takes_as_many_for_one_order_task_as_for_thirty(desk, mail, statements_of, number, orders):
    desk.post(package(number, orders, bad=range(orders, number)))
    added = [line for line in WRITE if line != "INSERT ordertask"]
    read = [*FIND_MAIL, *HISTORY, *OPEN, "SELECT attachment"]
    assert statements_of(package(number, orders)) == [*read, *added]


@pytest.mark.parametrize(("number", "orders"), [(2, 1), (60, 30)])
def test_r52_order_tasks_that_were_done_take_two_more(desk, mail, statements_of, number, orders):
    desk.post(package(number, orders, bad=range(orders, number)))
    OrderTask.objects.update(status="DONE")
    with CaptureQueriesContext(connection) as captured:
        desk.post(package(number, orders))
    assert named(captured) == [
        *(*FIND_MAIL, *HISTORY, *OPEN, "SELECT attachment", "INSERT submission", "INSERT aitransition"),
        *("SELECT taskcard", "INSERT task", "INSERT taskcard", "INSERT auditevent"),
    ]
    assert len([query for query in captured if query["sql"].startswith("UPDATE")]) == 1
    assert set(OrderTask.objects.values_list("status", flat=True)) == {"PENDING_CONFIRM"}


def test_r11_a_notice_takes_seven(mail, statements_of):
    added = ["INSERT submission", "INSERT aitransition", "INSERT sourcenotification", "INSERT auditevent"]
    assert statements_of(order_notice()) == [*FIND_MAIL, "SELECT attachment", *added]
