"""Claims of due work, and what the reaper does with work and queue rows that were left behind."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config.delivery.services import (
    ABANDONED_AFTER,
    FINISHED_KEPT,
    MOST_ATTEMPTS,
    OVERDUE,
    call_up,
    claim,
    deliveries,
    reap,
    tidy_queue,
)
from reservations.models import OperaOperation
from tests import factories
from tests.background import operation, waiting

LEASE = timedelta(seconds=30)
NOW = factories.NOON


@pytest.fixture
def row(hotel):
    return operation(factories.card(hotel), next_try_at=NOW)


def taken(row, at=NOW, **changes):
    return claim(row=row, at=at, lease=LEASE, **changes)


def stored(row):
    return OperaOperation.objects.get(pk=row.pk)


def test_a_claim_holds_the_row_until_its_lease_ends(row):
    assert taken(row, status="SENDING") is True
    now = stored(row)
    assert (now.next_try_at, now.attempts, now.status) == (NOW + LEASE, 1, "SENDING")
    assert (row.lease_token, row.next_try_at, row.attempts, row.status) == (now.lease_token, NOW + LEASE, 1, "SENDING")


def test_a_claim_is_one_statement(row, django_assert_num_queries):
    with django_assert_num_queries(1):
        taken(row)


def test_of_two_that_read_the_same_row_one_takes_it(row):
    other = stored(row)
    assert [taken(row), taken(other), taken(stored(row))] == [True, False, False]
    assert (stored(row).attempts, other.lease_token) == (1, None)


def test_what_is_not_due_or_has_nothing_due_is_not_taken(row):
    assert taken(row, at=NOW - timedelta(microseconds=1)) is False
    OperaOperation.objects.update(next_try_at=None)
    assert taken(stored(row)) is False


def test_a_lease_that_ended_lets_the_next_one_in(row):
    taken(row)
    late = stored(row)
    assert taken(late, at=NOW + LEASE) is True
    assert (late.attempts, late.lease_token != row.lease_token) == (2, True)


def test_attempts_stop_counting_at_what_the_column_holds(row):
    OperaOperation.objects.update(attempts=MOST_ATTEMPTS)
    late = stored(row)
    assert (taken(late), stored(row).attempts) == (True, MOST_ATTEMPTS)


def test_the_tables_of_work_are_known():
    assert list(deliveries()) == [OperaOperation]


def test_overdue_work_is_called_up_again(row):
    assert reap(at=NOW + OVERDUE) == 1
    assert [task.args_kwargs["args"] for task in waiting()] == [[str(row.pk)]]


def test_work_that_is_only_just_due_or_not_due_at_all_is_left_to_its_own_call(row):
    assert reap(at=NOW + OVERDUE - timedelta(microseconds=1)) == 0
    OperaOperation.objects.update(next_try_at=None)
    assert reap(at=NOW + OVERDUE) == 0


def test_work_whose_call_waits_is_not_called_up_twice(row):
    assert [reap(at=NOW + OVERDUE) for _ in range(3)] == [1, 0, 0]


def test_a_call_that_a_dead_worker_took_is_called_up_again(row):
    call_up(row=row)
    DBTaskResult.objects.get().claim("dead")
    assert reap(at=NOW + OVERDUE) == 1


def test_a_lease_that_ends_makes_the_work_overdue_again(row):
    taken(row)
    assert [reap(at=NOW + LEASE), reap(at=NOW + LEASE + OVERDUE)] == [0, 1]


@pytest.mark.parametrize("rows", [1, 20])
def test_reaping_nothing_new_takes_two_statements(rows, hotel, django_assert_num_queries):
    for _ in range(rows):
        call_up(row=operation(factories.card(hotel), next_try_at=NOW))
    with django_assert_num_queries(2):
        assert reap(at=NOW + OVERDUE) == 0


def test_background_tasks_of_dead_workers_are_marked_as_failed(row):
    call_up(row=row)
    task = DBTaskResult.objects.get()
    task.claim("dead")
    assert tidy_queue(at=task.started_at + ABANDONED_AFTER - timedelta(seconds=1)) == 0
    assert tidy_queue(at=task.started_at + ABANDONED_AFTER) == 1
    task.refresh_from_db()
    assert (task.status, task.exception_class_path) == ("FAILED", "WORKER_GONE")


def test_background_tasks_that_ended_a_day_ago_are_removed(row):
    call_up(row=row)
    call_up(row=row)
    done = DBTaskResult.objects.first()
    done.set_successful(None)
    assert tidy_queue(at=timezone.now() + FINISHED_KEPT - timedelta(minutes=1)) == 0
    assert tidy_queue(at=done.finished_at + FINISHED_KEPT) == 1
    assert waiting().count() == 1
