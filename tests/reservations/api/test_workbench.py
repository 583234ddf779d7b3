"""GET /workbench-items: one list of tasks, order tasks and notices of every generation (R-63)."""

import base64
import uuid
from datetime import timedelta

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reservations.models import OrderTask, SourceNotification, Task
from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, HotelList

LIST = f"{DESK}/workbench-items"
KINDS = {"task": "tasks", "order_task": "order-tasks", "source_notification": "source-notifications"}
REVIEW = "R02_NEW_BOOKING_NEW_FIT_BOOKING_REVIEW"


def rows(client, **query):
    return client.get(LIST, query).json()["results"]


def kinds(client, **query):
    return [row["kind"] for row in rows(client, **query)]


def ids(client, **query):
    return [row["id"] for row in rows(client, **query)]


def three(hotel, **fields):
    """One item of each kind."""
    return (
        factories.opened(hotel, **fields),
        factories.notification(factories.v4_package(hotel), **fields),
        factories.card(hotel, **fields),
    )


class TestList(HotelList):
    def make(self, hotel):
        factories.card(hotel)
        return LIST

    @pytest.mark.parametrize("each", [1, 4])
    def test_r63_a_page_of_all_kinds_is_one_statement(self, each, hotel, reviewer_client, django_assert_num_queries):
        for _ in range(each):
            three(hotel)
        with django_assert_num_queries(SESSION_STATEMENTS + 1):
            assert len(rows(reviewer_client)) == each * 3

    def test_r63_the_three_kinds_have_one_shape(self, hotel, reviewer_client):
        three(hotel)
        shapes = {tuple(sorted(row)) for row in rows(reviewer_client)}
        assert shapes == {
            (
                "acknowledged",
                "blocked",
                "claimed_by",
                "hotel",
                "id",
                "kind",
                "order",
                "received_at",
                "route_display_code",
                "status",
                "title",
                "url",
                "waiting_since",
            )
        }

    def test_r63_at_one_moment_they_come_by_kind_then_id(self, hotel, reviewer_client):
        made = [three(hotel) for _ in range(3)]
        expected = [
            str(row.pk) for kind in range(3) for row in sorted((items[kind] for items in made), key=lambda r: r.pk)
        ]
        assert ids(reviewer_client) == expected

    def test_r63_an_earlier_mail_comes_first_whatever_its_kind(self, hotel, reviewer_client):
        late = factories.opened(hotel, received_at=factories.NOON + timedelta(hours=1))
        early = factories.card(hotel)
        assert ids(reviewer_client) == [str(early.pk), str(late.pk)]

    def test_r63_business_tasks_of_v4_are_inside_their_order_task(self, hotel, reviewer_client):
        row = factories.opened(hotel, events=3)
        assert ids(reviewer_client) == [str(row.pk)]

    def test_a_task_shows_its_card_and_its_order(self, hotel, lead, reviewer_client):
        task = factories.card(hotel, claimed_by=lead, claim_expires_at=factories.NOON)
        (shown,) = rows(reviewer_client)
        assert shown == {
            "kind": "task",
            "id": str(task.pk),
            "title": "New individual booking",
            "route_display_code": "TASK.new_fit_booking",
            "status": "PENDING_CONFIRM",
            "hotel": "HOTEL1",
            "order": {"id": str(task.order_id), "order_number": task.order.order_number},
            "received_at": "2026-07-20T12:00:00Z",
            "waiting_since": "2026-07-20T12:00:00Z",
            "claimed_by": lead.username,
            "blocked": False,
            "acknowledged": None,
            "url": f"http://testserver{DESK}/tasks/{task.pk}",
        }

    def test_an_order_task_shows_whom_it_is_about(self, hotel, reviewer_client):
        row = factories.opened(hotel, display_name="Guest B", status="IN_PROGRESS")
        (shown,) = rows(reviewer_client)
        names = ("title", "route_display_code", "status", "claimed_by", "acknowledged")
        assert [shown[name] for name in names] == ["Guest B", None, "IN_PROGRESS", None, None]
        assert shown["order"]["id"] == str(row.order_id)

    @pytest.mark.parametrize(("code", "display"), [("S10", "NOTICE.S10"), ("S99", "NOTICE.S99")])
    def test_r11_a_notification_stands_beside_the_notices_of_v3_and_old_texts(
        self, code, display, hotel, reviewer_client
    ):
        factories.notification(factories.v4_package(hotel), route_code=code)
        for received in (code, {"S10": "S000", "S99": "S999"}[code]):
            factories.notice(factories.package(hotel), route_code=received)
        shown = rows(reviewer_client)
        assert [row["kind"] for row in shown] == ["source_notification", "task", "task"]
        names = ("route_display_code", "status", "acknowledged", "title", "order")
        assert {tuple(row[name] for name in names) for row in shown} == {
            (display, "NOTICE", False, shown[0]["title"], None)
        }

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_address_leads_to_the_whole_of_it(self, kind, hotel, reviewer_client):
        three(hotel)
        (shown,) = rows(reviewer_client, kind=kind)
        assert shown["url"] == f"http://testserver{DESK}/{KINDS[kind]}/{shown['id']}"
        assert reviewer_client.get(shown["url"]).json()["id"] == shown["id"]

    def test_r58_a_later_item_of_an_order_is_blocked(self, hotel, reviewer_client):
        order = factories.order(hotel)
        first = factories.task(order, factories.package(hotel))
        later = factories.opened(hotel, on=order, received_at=factories.NOON + timedelta(hours=1))
        later.tasks.update(received_at=later.received_at)
        assert [row["blocked"] for row in rows(reviewer_client)] == [False, True]
        assert ids(reviewer_client, blocked="true") == [str(later.pk)]
        assert ids(reviewer_client, blocked="false") == [str(first.pk)]

    @pytest.mark.parametrize(
        ("status", "waits"),
        [("PENDING_CONFIRM", True), ("READY", True), ("FAILED", True), ("DONE", False), ("TERMINATED", False)],
    )
    def test_waiting_since_is_empty_once_nobody_has_to_do_anything(self, status, waits, hotel, reviewer_client):
        factories.card(hotel, task_status=status)
        (shown,) = rows(reviewer_client)
        assert (shown["waiting_since"] is not None) == waits

    def test_an_acknowledged_notice_waits_no_longer(self, hotel, lead, reviewer_client):
        factories.notification(factories.v4_package(hotel), acknowledged_by=lead, acknowledged_at=factories.NOON)
        (shown,) = rows(reviewer_client)
        assert (shown["acknowledged"], shown["waiting_since"]) == (True, None)


def test_filters_find_exactly_their_items(hotel, other_hotel, lead, client_of):
    both = client_of(factories.user("reviewer", hotel, other_hotel))
    order_task, notification, task = three(hotel)
    order_task.tasks.update(route_code=REVIEW)
    held = factories.card(
        other_hotel, claimed_by=lead, claim_expires_at=factories.NOON, received_at=factories.NOON + timedelta(hours=1)
    )
    notice = factories.notice(
        factories.package(hotel), route_code="S000", acknowledged_by=lead, acknowledged_at=factories.NOON
    )
    OrderTask.objects.update(status="IN_PROGRESS")
    for query, found in [
        ({"kind": "order_task"}, [order_task]),
        ({"kind": "source_notification"}, [notification]),
        ({"hotel": "HOTEL2"}, [held]),
        ({"status": "IN_PROGRESS"}, [order_task]),
        ({"status": "NOTICE"}, [notification, notice]),
        ({"status": "READY"}, []),
        ({"route": "S10"}, [notification, notice]),
        ({"route": REVIEW}, [order_task]),
        ({"order": task.order_id}, [task]),
        ({"order": notice.order_id}, []),
        ({"claimed": "true"}, [held]),
        ({"claimed_by": lead.username}, [held]),
        ({"claimed": "false", "kind": "task"}, [task, notice]),
        ({"acknowledged": "true"}, [notice]),
        ({"acknowledged": "false"}, [notification]),
        ({"since": "2026-07-20T12:30:00Z"}, [held]),
        ({"kind": "order_task", "claimed": "true"}, []),
    ]:
        assert ids(both, **query) == [str(row.pk) for row in found], query


def test_waiting_longer_than_counts_minutes_of_what_waits(hotel, lead, reviewer_client):
    old, young = timezone.now() - timedelta(minutes=61), timezone.now() - timedelta(minutes=59)
    late = three(hotel, created_at=old)
    three(hotel, created_at=young)
    factories.card(hotel, created_at=old, task_status="DONE")
    OrderTask.objects.filter(created_at=young).update(status="DONE")
    assert ids(reviewer_client, waiting_longer_than="60") == [str(row.pk) for row in late]


@pytest.mark.parametrize(
    "query",
    [
        "kind=card",
        "status=OPEN",
        "route=S000",
        "claimed=me",
        "waiting_longer_than=PT1H",
        "waiting_longer_than=-1",
        "waiting_longer_than=9999999",
        "waiting_longer_than=1" + "0" * 400,
        "order=1",
        "search=" + "x" * 201,
    ],
)
def test_a_value_that_is_none_of_the_filter_is_refused(query, reviewer_client):
    response = reviewer_client.get(f"{LIST}?{query}")
    assert (response.status_code, response.json()["error_code"]) == (400, "FILTER_INVALID")


minutes = st.integers(0, 2)
made = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), minutes), max_size=9)


def add(hotel, items):
    for kind, minute in items:
        at = factories.NOON + timedelta(minutes=minute)
        if kind == "task":
            factories.card(hotel, received_at=at, id=uuid.uuid4())
        elif kind == "order_task":
            factories.order_task(factories.order(hotel), factories.v4_package(hotel), received_at=at, id=uuid.uuid4())
        else:
            factories.notification(factories.v4_package(hotel), received_at=at, id=uuid.uuid4())


def everything(hotel):
    models = (Task, OrderTask, SourceNotification)
    return {str(key) for model in models for key in model.objects.filter(hotel=hotel).values_list("pk", flat=True)}


def walk(client, url, direction, between):
    while url:
        page = client.get(url).json()
        yield page
        between()
        url = page[direction]


def walked(pages):
    return [row["id"] for page in pages for row in page["results"]]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=made.filter(bool), added=st.lists(made, max_size=3), size=st.integers(1, 4))
def test_r63_walking_loses_and_repeats_nothing_whatever_is_added(hotel, reviewer_client, before, added, size):
    for model in (Task, OrderTask, SourceNotification):  # of the example before
        model.objects.update(hotel=factories.hotel("ELSEWHERE"))
    add(hotel, before)
    there, batches = everything(hotel), iter(added)
    pages = list(walk(reviewer_client, f"{LIST}?page_size={size}", "next", lambda: add(hotel, next(batches, []))))
    found = walked(pages)
    assert (len(set(found)), there - set(found)) == (len(found), set())


@pytest.mark.parametrize("size", [1, 2, 5])
def test_r63_pages_of_any_size_are_the_whole_list_cut(size, hotel, reviewer_client):
    for minute in (1, 0, 1):
        three(hotel, received_at=factories.NOON + timedelta(minutes=minute))
    whole = ids(reviewer_client)
    pages = list(walk(reviewer_client, f"{LIST}?page_size={size}", "next", lambda: None))
    assert [row["id"] for page in pages for row in page["results"]] == whole
    back = list(walk(reviewer_client, pages[-1]["previous"], "previous", lambda: None))
    assert [row["id"] for page in [*reversed(back), pages[-1]] for row in page["results"]] == whole


@pytest.mark.parametrize("kind", ["card", "", "a" * 41, 7])
def test_a_cursor_of_no_kind_is_refused_or_finds_a_place(kind, hotel, reviewer_client):
    """A kind that is unknown still has a place in the order of texts; what is no text has none."""
    three(hotel)
    place = orjson.dumps([0, "2026-07-20T12:00:00Z", kind, str(uuid.UUID(int=0))])
    cursor = base64.urlsafe_b64encode(place).decode()
    refused = not isinstance(kind, str) or len(kind) > 40
    assert reviewer_client.get(LIST, {"cursor": cursor}).status_code == (400 if refused else 200)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's plans are looked at in test_pages_touched")
@pytest.mark.parametrize("query", [{}, {"hotel": "HOTEL1"}, {"status": "PENDING_CONFIRM"}])
def test_r63_a_page_reads_no_table_whole_on_sqlite_either(query, hotel, reviewer_client):
    for _ in range(3):
        three(hotel)
    url = reviewer_client.get(LIST, {"page_size": 2, **query}).json()["next"]
    with CaptureQueriesContext(connection) as statements:
        reviewer_client.get(url)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statements[-1]['sql']}")
        steps = [row[3] for row in cursor.fetchall()]
    picked = [step for step in steps if "received_at>?" in step]
    assert [step for step in steps if step.startswith("SCAN")] == []
    assert len(picked) == (2 if "status" in query else 3)
