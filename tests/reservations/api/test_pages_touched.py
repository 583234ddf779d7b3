"""On PostgreSQL a page of a list reads as much of a large table as of a small one."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.api.paging import Cursor
from reservations.models import AiTransition, Order, SourceMessage, Submission, Task
from reservations.selectors.desk import start
from tests import factories
from tests.reservations.api.rules import DESK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="reads PostgreSQL's own count"),
]
FEW, MANY = 1_000, 10_000
SLACK = 3  # a level more of the index, a row split over two pages
LISTS = ("source-messages", "submissions", "transitions", "orders", "tasks")


def grow(hotel, caller, numbers):
    """For every number, a minute after the one before: a mail, an order, a package, its verdict and its card."""
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
            queue_participation=True,
            readonly=False,
            **shared,
        )
        for order, verdict in zip(orders, verdicts, strict=True)
    ]
    for rows in (mails, orders, packages, verdicts, tasks):
        type(rows[0]).objects.bulk_create(rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def pages_touched(client, path, number):
    """Shared buffers that the rows of one page took, beginning at the row of this number."""
    place = Cursor(False, factories.NOON + timedelta(minutes=number), str(uuid.UUID(int=0))).encode()
    with CaptureQueriesContext(connection) as statements:
        assert len(client.get(path, {"cursor": place}).json()["results"]) == 50
    return buffers(statements[-1]["sql"])


def buffers(statement):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}")
        plan = cursor.fetchone()[0][0]["Plan"]
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def test_a_page_touches_as_much_of_ten_times_the_rows(hotel, agent, reviewer_client):
    grow(hotel, agent, range(FEW))
    small = {name: pages_touched(reviewer_client, f"{DESK}/{name}", FEW // 2) for name in LISTS}
    grow(hotel, agent, range(FEW, MANY))
    large = {name: pages_touched(reviewer_client, f"{DESK}/{name}", MANY // 2) for name in LISTS}
    assert [name for name in LISTS if large[name] > small[name] * 1.2 + SLACK] == [], (small, large)


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
