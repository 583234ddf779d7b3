"""GET <list>/facets: how the rows of a list are spread over the values of its filters."""

import pytest

from reservations.selectors import facets
from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS

R01 = "R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL"
R02 = "R02_NEW_BOOKING_NEW_FIT_BOOKING_REVIEW"
LISTS = {
    "tasks": ("task_status", "route", "hotel"),
    "orders": ("status", "kind", "hotel"),
    "order-tasks": ("status", "hotel"),
    "source-notifications": ("acknowledged", "route", "hotel"),
    "workbench-items": ("kind", "status", "route", "hotel"),
    "submissions": ("outcome", "hotel"),
    "transitions": ("kind", "hotel"),
}


def counted(client, name, **query):
    """{filter: {value: count}}; a count that was cut has a plus."""
    answer = client.get(f"{DESK}/{name}/facets", query).json()["facets"]
    return {
        facet["name"]: {row["value"]: f"{row['count']}+" if row["capped"] else row["count"] for row in facet["values"]}
        for facet in answer
    }


def full_desk(hotel):
    factories.opened(hotel)
    factories.notification(factories.v4_package(hotel), route_code="S99")
    factories.notice(factories.package(hotel), route_code="S000")
    factories.card(hotel, task_status="DONE")


@pytest.mark.parametrize("name", LISTS)
def test_each_list_is_counted_by_filters_it_has(name, hotel, reviewer_client):
    full_desk(hotel)
    found = counted(reviewer_client, name)
    assert tuple(found) == LISTS[name]
    for facet, values in found.items():
        for value, number in values.items():
            rows = reviewer_client.get(f"{DESK}/{name}", {facet: value}).json()["results"]
            assert len(rows) == number, (facet, value)


def test_r12_a_route_is_counted_under_the_code_it_is_shown_as(hotel, reviewer_client):
    full_desk(hotel)
    assert counted(reviewer_client, "tasks")["route"] == {R01: 2, "S10": 1}
    assert counted(reviewer_client, "workbench-items")["route"] == {R01: 2, "S10": 1, "S99": 1}


def test_r63_the_workbench_counts_all_kinds_together(hotel, reviewer_client):
    full_desk(hotel)
    found = counted(reviewer_client, "workbench-items")
    assert found["kind"] == {"order_task": 1, "source_notification": 1, "task": 2}
    assert found["status"] == {"PENDING_CONFIRM": 1, "DONE": 1, "NOTICE": 2}
    assert found["hotel"] == {"HOTEL1": 4}


@pytest.mark.parametrize("few", [2_000, 0])
def test_r63_an_order_task_counts_once_for_each_route_of_its_cards(few, hotel, reviewer_client, monkeypatch):
    monkeypatch.setattr(facets, "FEW", few)
    row = factories.opened(hotel, events=3)
    row.tasks.filter(source_event_index=3).update(route_code=R02)
    found = counted(reviewer_client, "workbench-items")
    assert (found["route"], found["kind"]) == ({R01: 1, R02: 1}, {"order_task": 1})


def test_counts_are_those_of_the_same_filters(hotel, other_hotel, client_of):
    both = client_of(factories.user("reviewer", hotel, other_hotel))
    full_desk(hotel)
    factories.card(other_hotel)
    assert counted(both, "tasks", hotel="HOTEL2") == {
        "task_status": {"PENDING_CONFIRM": 1}, "route": {R01: 1}, "hotel": {"HOTEL2": 1},
    }  # fmt: skip
    assert counted(both, "workbench-items", status="DONE")["kind"] == {"task": 1}


def test_r10_hidden_orders_are_not_counted(hotel, reviewer_client):
    factories.notice(factories.package(hotel))
    assert counted(reviewer_client, "orders") == {"status": {}, "kind": {}, "hotel": {}}


def test_r77_rows_of_another_hotel_are_not_counted(hotel, other_hotel, reviewer_client):
    full_desk(other_hotel)
    assert {str(counted(reviewer_client, name)[LISTS[name][0]]) for name in LISTS} == {"{}"}


@pytest.mark.parametrize("few", [2_000, 3])
def test_a_long_list_gives_the_same_numbers_up_to_the_bound(few, hotel, reviewer_client, monkeypatch):
    monkeypatch.setattr(facets, "FEW", few)
    monkeypatch.setattr(facets, "MOST_COUNTED", 3)
    for _ in range(4):
        factories.card(hotel)
    full_desk(hotel)
    assert counted(reviewer_client, "tasks") == {
        "task_status": {"PENDING_CONFIRM": "3+", "NOTICE": 1, "DONE": 1},
        "route": {R01: "3+", "S10": 1},
        "hotel": {"HOTEL1": "3+"},
    }
    assert counted(reviewer_client, "source-notifications")["acknowledged"] == {"false": 1}


@pytest.mark.parametrize(("few", "more"), [(2_000, 2), (0, 3)])
def test_the_number_of_statements_is_fixed(few, more, hotel, reviewer_client, monkeypatch, django_assert_num_queries):
    """The hotels, the rows; one more for all values of a long list."""
    monkeypatch.setattr(facets, "FEW", few)
    full_desk(hotel)
    with django_assert_num_queries(SESSION_STATEMENTS + more):
        counted(reviewer_client, "tasks")


@pytest.mark.parametrize("name", LISTS)
def test_filters_are_strict_and_there_are_no_pages(name, reviewer_client):
    for query in ("unheard=1", "page_size=5", "cursor=x", "hotel="):
        assert reviewer_client.get(f"{DESK}/{name}/facets?{query}").status_code == 400


@pytest.mark.parametrize("name", LISTS)
def test_machines_that_post_count_nothing(name, agent_client):
    assert agent_client.get(f"{DESK}/{name}/facets").status_code == 403
