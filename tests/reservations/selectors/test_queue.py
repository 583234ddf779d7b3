"""R-27: which card of an order has to be finished before which."""

from datetime import timedelta

import pytest

from reservations.models import Task
from reservations.selectors.queue import blocked_by, is_blocked
from tests import factories

LATER = factories.NOON + timedelta(hours=1)


@pytest.fixture
def order(hotel):
    return factories.order(hotel)


def package(hotel, received_at=factories.NOON):
    return factories.submission(factories.message(hotel, received_at=received_at), factories.user("agent", hotel))


def blocked():
    """Whether each card is blocked, in the order in which they were made; both readings agree."""
    rows = list(Task.objects.annotate(blocked=is_blocked()).order_by("id"))
    assert [row.blocked for row in rows] == [blocked_by(row) is not None for row in rows]
    return [row.blocked for row in rows]


def test_r27_a_card_waits_for_the_earlier_ones_of_its_order(hotel, order):
    first, again = package(hotel), package(hotel, LATER)
    cards = [factories.task(order, source, source_event_index=n) for source in (again, first) for n in (1, 2)]
    assert blocked() == [True, True, False, True]
    assert blocked_by(cards[0]) == cards[2].pk


def test_r27_packages_of_one_moment_come_in_the_order_of_their_keys(hotel, order):
    one, two = package(hotel), package(hotel)
    factories.task(order, two)
    factories.task(order, one)
    assert blocked() == [True, False]


@pytest.mark.parametrize(
    ("state", "waits"),
    [
        ("READY", True),
        ("EXECUTING", True),
        ("FAILED", True),
        ("PENDING_CONFIRM", True),
        ("DONE", False),
        ("TERMINATED", False),
    ],
)
def test_r27_a_card_is_waited_for_until_it_is_done_or_terminated(hotel, order, state, waits):
    source = package(hotel)
    factories.task(order, source, task_status=state)
    factories.task(order, source, source_event_index=2)
    assert blocked() == [False, waits]


@pytest.mark.parametrize("state", ["DONE", "TERMINATED"])
def test_r27_a_finished_card_waits_for_nothing(hotel, order, state):
    source = package(hotel)
    factories.task(order, source)
    factories.task(order, source, source_event_index=2, task_status=state)
    assert blocked() == [False, False]


def test_r10_what_takes_no_part_in_the_queue_neither_blocks_nor_waits(hotel, order):
    source = package(hotel)
    factories.task(order, source, queue_participation=False)
    factories.task(order, source, source_event_index=2)
    factories.task(order, source, source_event_index=3, queue_participation=False)
    assert blocked() == [False, False, False]


def test_r27_cards_of_other_orders_do_not_matter(hotel, order):
    source = package(hotel)
    factories.task(factories.order(hotel), source)
    factories.task(order, source, source_event_index=2)
    assert blocked() == [False, False]


def test_being_blocked_is_part_of_the_statement_that_reads_the_cards(hotel, order, django_assert_num_queries):
    source = package(hotel)
    for number in range(1, 4):
        factories.task(order, source, source_event_index=number)
    with django_assert_num_queries(1):
        assert Task.objects.annotate(blocked=is_blocked()).filter(blocked=True).count() == 2
