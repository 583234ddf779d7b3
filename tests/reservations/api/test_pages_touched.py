"""On PostgreSQL a page of a list reads as much of a large table as of a small one."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.api.paging import Cursor, TiedCursor
from reservations.models import (
    AiTransition,
    Order,
    OrderTask,
    SourceMessage,
    SourceNotification,
    Submission,
    Task,
    TaskCard,
)
from reservations.selectors import facets
from reservations.selectors.desk import start
from tests import factories
from tests.reservations.api.rules import DESK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="reads PostgreSQL's own count"),
]
FEW, SOME, MANY = 1_000, 3_000, 10_000
SLACK = 3  # a level more of the index, a row split over two pages
LISTS = ("source-messages", "submissions", "transitions", "orders", "tasks")
SECOND_KEYS = {"order-tasks": 0, "workbench-items": "order_task"}


def grow(hotel, caller, numbers):
    """For every number, a minute after the one before: a mail, an order, a package, its verdict and its card, an order task and
    a notification. Every other card is inside its order task.
    """
    moments = [factories.NOON + timedelta(minutes=number) for number in numbers]
    mails = [
        SourceMessage(hotel=hotel, external_message_id=uuid.uuid4().hex, received_at=moment, created_at=moment)
        for moment in moments
    ]
    orders = [Order(hotel=hotel, kind="FIT", created_at=moment) for moment in moments]
    packages = [
        Submission(hotel=hotel, source_message=mail, caller=caller, created_at=mail.created_at) for mail in mails
    ]
    shared = {"hotel": hotel, "source_event_index": 1, "array_index": 0}
    verdicts = [
        AiTransition(submission=package, source_message=package.source_message, created_at=package.created_at, **shared)
        for package in packages
    ]
    tasks = [
        Task(
            order=order,
            transition=verdict,
            submission=verdict.submission,
            source_message=verdict.source_message,
            received_at=verdict.created_at,
            created_at=verdict.created_at,
            task_status="PENDING_CONFIRM",
            queue_participation=True,
            readonly=False,
            **shared,
        )
        for order, verdict in zip(orders, verdicts, strict=True)
    ]
    order_tasks = [
        OrderTask(order=task.order, order_context={}, order_context_index=0, status="DONE", **place_of(hotel, task))
        for task in tasks
    ]
    for task, row in zip(tasks[::2], order_tasks[::2], strict=True):
        task.order_task = row
    shared |= {"kind": "BUSINESS"}
    del shared["array_index"]
    cards = [
        TaskCard(order_task=row, task=task, created_at=row.created_at, **shared)
        for task, row in zip(tasks, order_tasks, strict=True)
    ]
    notices = [SourceNotification(transition=task.transition, **place_of(hotel, task)) for task in tasks]
    for rows in (mails, orders, packages, verdicts, order_tasks, tasks, cards, notices):
        type(rows[0]).objects.bulk_create(rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def place_of(hotel, task):
    """What a row of V4 shares with the card of the same mail."""
    return {
        "hotel": hotel,
        "submission": task.submission,
        "source_message": task.source_message,
        "received_at": task.received_at,
        "created_at": task.created_at,
    }


def page_statement(client, name, number, **query):
    """The statement for the rows of one page, beginning at the row of this number."""
    at, row_id = factories.NOON + timedelta(minutes=number), str(uuid.UUID(int=0))
    second = SECOND_KEYS.get(name)
    place = Cursor(False, at, row_id) if second is None else TiedCursor(False, at, second, row_id)
    with CaptureQueriesContext(connection) as statements:
        page = client.get(f"{DESK}/{name}", {"cursor": place.encode(), **query}).json()
    assert len(page["results"]) == 50
    return statements[-1]["sql"]


def pages_touched(client, name, number, **query):
    """Shared buffers that the rows of one page took."""
    return buffers(page_statement(client, name, number, **query))


def plan_of(statement):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}")
        return cursor.fetchone()[0][0]["Plan"]


def buffers(statement):
    plan = plan_of(statement)
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def read_whole(plan):
    """The large tables of which a plan reads more than a part from end to end."""
    read = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    own = {plan["Relation Name"]} if plan["Node Type"] == "Seq Scan" and read > FEW else set()
    return own.union(*(read_whole(part) for part in plan.get("Plans", ())))


def test_a_page_touches_as_much_of_ten_times_the_rows(hotel, agent, reviewer_client):
    grow(hotel, agent, range(FEW))
    names = (*LISTS, *SECOND_KEYS, "source-notifications")
    small = {name: pages_touched(reviewer_client, name, FEW // 2) for name in names}
    grow(hotel, agent, range(FEW, MANY))
    large = {name: pages_touched(reviewer_client, name, MANY // 2) for name in names}
    assert [name for name in names if large[name] > small[name] * 1.2 + SLACK] == [], (small, large)


def test_r63_a_page_of_the_workbench_reads_no_table_whole(hotel, other_hotel, agent, reviewer_client, client_of):
    """Of all kinds or of one; nor for a caller of several hotels."""
    grow(hotel, agent, range(SOME))
    both = client_of(factories.user("reviewer", hotel, other_hotel))
    for query in ({}, {"kind": "order_task"}, {"kind": "source_notification"}, {"hotel": "HOTEL1"}):
        for client in (reviewer_client, both):
            statement = page_statement(client, "workbench-items", SOME // 2, **query)
            assert read_whole(plan_of(statement)) == set(), query


def test_counts_of_a_long_list_read_no_table_whole(hotel, agent, reviewer_client, monkeypatch):
    monkeypatch.setattr(facets, "MOST_COUNTED", 20)
    monkeypatch.setattr(facets, "FEW", 100)
    grow(hotel, agent, range(SOME))
    for name in ("tasks", "orders", "order-tasks", "workbench-items"):
        with CaptureQueriesContext(connection) as statements:
            assert reviewer_client.get(f"{DESK}/{name}/facets").json()["facets"] != []
        counts = [statement["sql"] for statement in statements if "UNION ALL" in statement["sql"]]
        assert [read_whole(plan_of(count)) for count in counts] == [set()] * len(counts), name
        assert counts != []


def test_what_a_search_finds_is_found_without_reading_the_rest(hotel, agent, reviewer_client):
    grow(hotel, agent, range(SOME))
    chosen = OrderTask.objects.values_list("source_message_id", flat=True)[SOME // 2]
    SourceMessage.objects.filter(pk=chosen).update(subject="Rare77 预订豪华大床房")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for name in ("source-messages", "tasks", "order-tasks", "workbench-items"):
        for word in ("rare77", "豪华"):
            with CaptureQueriesContext(connection) as statements:
                found = reviewer_client.get(f"{DESK}/{name}", {"search": word}).json()["results"]
            searches = [row["sql"] for row in statements if "@@" in row["sql"]] + [statements[-1]["sql"]]
            assert len(found) == (2 if name == "workbench-items" else 1), name  # the order task and the notification
            assert [read_whole(plan_of(one)) for one in searches] == [set()] * len(searches), name


def test_contract_errors_are_counted_without_reading_the_other_verdicts(hotel, agent):
    grow(hotel, agent, range(FEW))
    with CaptureQueriesContext(connection) as statements:
        assert start.contract_errors([hotel.pk]).number == 0
    assert buffers(statements[-1]["sql"]) <= SLACK


@pytest.mark.parametrize("name", ["submissions", "transitions"])
def test_the_rows_of_one_mail_are_found_without_reading_the_other_mails(name, hotel, agent, reviewer_client):
    grow(hotel, agent, range(MANY))
    outer_id = SourceMessage.objects.values_list("external_message_id", flat=True)[MANY // 2]
    with CaptureQueriesContext(connection) as statements:
        found = reviewer_client.get(f"{DESK}/{name}", {"source_message_id": outer_id}).json()["results"]
    assert [row["source_message_id"] for row in found] == [outer_id]
    assert buffers(statements[-1]["sql"]) <= 30
