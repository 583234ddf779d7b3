"""Orders and their queues."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests import factories
from tests.reservations.admin.pages import a_mail, agent_of, an_order, list_of, page_of, text_of


def test_a_hidden_order_is_in_no_list_search_or_detail(hotel, desk):
    """R-10."""
    hidden = factories.order(hotel, order_type="TECHNICAL", display_name="needle")
    found = [
        desk.get(list_of("reservations_order"), query).context["cl"].result_count for query in ({}, {"q": "needle"})
    ]
    assert (found, desk.get(page_of(hidden)).status_code) == ([0, 0], 404)


def test_technical_is_no_choice_of_the_kind_filter(desk):
    specs = desk.get(list_of("reservations_order")).context["cl"].filter_specs
    kinds = next(spec.lookup_choices for spec in specs if spec.parameter_name == "kind")
    assert [value for value, _label in kinds] == ["FIT", "GROUP", "ALLOTMENT", "TEMPORARY"]


def test_tasks_stand_in_the_order_of_the_queue(hotel, desk):
    """R-27: mail, package, place in the array."""
    order = an_order(hotel)
    late = factories.submission(
        factories.message(hotel, received_at=factories.NOON + timedelta(hours=1)), agent_of(hotel)
    )
    early = factories.submission(a_mail(hotel), agent_of(hotel))
    last = factories.task(order, late)
    second = factories.task(order, early, source_event_index=2)
    first = factories.task(order, early, source_event_index=1)
    assert [line.task for line in desk.get(page_of(order)).context["queue"]] == [first, second, last]


@pytest.mark.parametrize("tasks", [1, 3])
def test_the_page_takes_the_same_statements_for_1_and_3_tasks(tasks, hotel, desk, django_assert_num_queries):
    order = an_order(hotel)
    package = factories.submission(a_mail(hotel), agent_of(hotel))
    for number in range(tasks):
        factories.task(order, package, source_event_index=number + 1)
    with django_assert_num_queries(5):
        desk.get(page_of(order))


def test_a_key_is_inert(hotel, desk):
    order = factories.order(hotel, group_code="<i>\u202e", display_name="<b>")
    page = text_of(desk.get(page_of(order))) + text_of(desk.get(list_of("reservations_order")))
    assert ("<i>" in page, "<b>" in page, "\u202e" in page) == (False, False, False)
