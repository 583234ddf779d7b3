"""The list of order tasks, and what stands on the page of one (R-56 to R-58); the task page beside it."""

from __future__ import annotations

from datetime import timedelta
from html import escape

import pytest
from django.utils import timezone

from reservations.models import TaskCard
from tests import factories
from tests.reservations.admin.ordertasks.opened import CONTEXT, basic_of, in_review, opened
from tests.reservations.admin.pages import list_of, main_of, page_of, text_of
from tests.reservations.admin.tasks.forms import press

LIST = list_of("reservations_ordertask")
CARDS = list_of("reservations_taskcard")
HOSTILE = "Guest <b>A</b> \u202e"


def found(desk, address=LIST, **query):
    return [row.pk for row in desk.get(address, query).context["cl"].result_list]


# The lists


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"status": "PENDING_REVIEW"}, {"status": "PENDING_REVIEW"}),
        ({"order_type": "GROUP"}, {"order_type": "GROUP"}),
        ({"received": "7d"}, {"received_at": timezone.now()}),
        ({"q": "needle"}, {"display_name": "A needle"}),
        ({"q": "needle"}, {"order_ref": "NEEDLE-1"}),
    ],
)
def test_filters_and_search_narrow_the_list(query, fields, hotel, desk):
    old = {"received_at": timezone.now() - timedelta(days=90)}
    wanted, _other = factories.opened(hotel, **(old | fields)), factories.opened(hotel, **old)
    assert found(desk, **query) == [wanted.pk]


def test_the_newest_mail_stands_first(hotel, desk):
    late, early = (factories.opened(hotel, received_at=timezone.now() - timedelta(hours=hours)) for hours in (1, 2))
    assert found(desk) == [late.pk, early.pk]


def test_the_list_of_cards_holds_those_of_an_order_task_in_their_order(hotel, desk):
    """R-56"""
    row = factories.opened(hotel, events=2)
    cards = TaskCard.objects.filter(order_task=row).order_by("id")
    assert found(desk, CARDS) == [card.pk for card in cards]
    assert found(desk, CARDS, kind="BASIC_INFORMATION") == [basic_of(row).pk]
    assert found(desk, CARDS, card_status="CONFIRMED") == []


def test_a_card_leads_to_where_it_is_worked_on(hotel, desk):
    row = factories.opened(hotel)
    task = row.tasks.get()
    assert page_of(task) in main_of(desk.get(page_of(task.card)))
    assert page_of(row) in main_of(desk.get(page_of(basic_of(row))))


# The page


def test_r56_the_cards_stand_in_their_order_and_lead_to_their_tasks(hotel, desk):
    row = factories.opened(hotel, events=2)
    answer = desk.get(page_of(row))
    keys = ["SOURCE_MESSAGE", "BASIC_INFORMATION", "EVENT_1", "EVENT_2"]
    assert [card.card_key for card, _line, _status in answer.context["cards"]] == keys
    assert [page_of(task) in main_of(answer) for task in row.tasks.all()] == [True, True]


def test_r58_a_later_order_task_of_the_order_names_what_is_in_its_way(hotel, desk):
    order = factories.order(hotel)
    first, second = (factories.opened(hotel, on=order, events=2) for _number in range(2))
    ways = [desk.get(page_of(row)).context["way"] for row in (first, second)]
    assert (ways[0], ways[1].task.order_task) == (None, first)


def test_warnings_and_context_are_shown_and_inert(hotel, desk):
    row = opened(hotel, display_name=HOSTILE, order_context=CONTEXT | {"display_name": HOSTILE})
    TaskCard.objects.filter(pk=basic_of(row).pk).update(warnings=[{"code": "ODD", "detail": HOSTILE}])
    page = text_of(desk.get(page_of(row)))
    assert ("<b>A</b>" in page, "\u202e" in page, escape("Guest <b>A</b> ") in page) == (False, False, True)
    assert "ODD" in page


@pytest.mark.parametrize(("events", "statements"), [(1, 9), (3, 9)])
def test_the_page_takes_the_same_statements_for_1_and_3_cards(
    events, statements, hotel, desk, django_assert_num_queries
):
    """Session, user, access, order task, cards, queue, two histories, options."""
    row = opened(hotel, events=events)
    with django_assert_num_queries(statements):
        desk.get(page_of(row))


def test_a_review_takes_one_statement_more_for_its_orders(hotel, desk, django_assert_num_queries):
    row, _first, _second = in_review(hotel)
    with django_assert_num_queries(10):
        desk.get(page_of(row))


# The page of one of its tasks


def test_r59_the_task_says_that_basic_information_comes_first(hotel, desk):
    row = opened(hotel)
    task, word = row.tasks.get(), "The Basic Information of this order task is not confirmed yet."
    page = main_of(desk.get(page_of(task)))
    assert (word in page, page_of(row) in page) == (True, True)
    press(desk, row, "confirm")
    page = main_of(desk.get(page_of(task)))
    assert (word in page, page_of(row) in page) == (False, True)


def test_r59_confirming_a_card_too_early_is_refused_in_plain_words(hotel, desk):
    answer = press(desk, opened(hotel).tasks.get(), "confirm")
    attempt = answer.context["work"].attempt
    assert (answer.status_code, attempt.refusal.code) == (409, "V4_BASIC_INFORMATION_NOT_CONFIRMED")
    assert attempt.sentence in text_of(answer)


def test_r57_the_task_shows_the_labels_of_its_generation(hotel, desk):
    page = main_of(desk.get(page_of(opened(hotel).tasks.get())))
    assert [word in page for word in ("M002V4", "booking-desk-event-v4", "20260718-v4")] == [True] * 3


def test_the_mail_names_its_order_tasks(hotel, desk):
    row = factories.opened(hotel)
    assert page_of(row) in main_of(desk.get(page_of(row.source_message)))
