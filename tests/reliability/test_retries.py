"""What the database gives up for others is done again, a few times, outside the transaction (config.transactions)."""

import threading
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction

from config import transactions
from config.accounts.models import Tenant
from config.transactions import ATTEMPTS, retried
from tests import factories
from tests.reliability.crowd import at_once

pytestmark = [
    pytest.mark.reliability,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


@pytest.fixture
def hotels(committed_db):
    return factories.hotel("LEFT"), factories.hotel("RIGHT")


class Meeting:
    """Where two transactions wait for each other, the first time only: once each has done its first half."""

    def __init__(self):
        self.barrier, self.attempts, self.lock = threading.Barrier(2), 0, threading.Lock()

    def begin(self):
        with self.lock:
            self.attempts += 1
            return self.attempts <= 2

    def wait(self):
        self.barrier.wait(timeout=10)


def rename(meeting, first, second):
    with transaction.atomic():
        run("SET LOCAL deadlock_timeout = '20ms'")
        early = meeting.begin()
        Tenant.objects.filter(pk=first.pk).update(name="renamed")
        if early:
            meeting.wait()
        Tenant.objects.filter(pk=second.pk).update(name="renamed")


def count_and_add(meeting, code):
    with transaction.atomic():
        run("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
        early = meeting.begin()
        name = str(Tenant.objects.count())
        if early:
            meeting.wait()
        Tenant.objects.create(kind="hotel", code=code, name=name)


def run(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


def fail(state, attempts):
    attempts.append(state)
    with transaction.atomic():
        run(f"DO $$ BEGIN RAISE EXCEPTION 'given up' USING ERRCODE = '{state}'; END $$")


def test_two_transactions_that_block_each_other_both_succeed(hotels):
    meeting = Meeting()
    at_once([partial(retried, partial(rename, meeting, *pair)) for pair in (hotels, hotels[::-1])])
    assert list(Tenant.objects.values_list("name", flat=True)) == ["renamed", "renamed"]
    assert meeting.attempts == 3


def test_without_retrying_one_of_the_two_would_have_failed(hotels):
    meeting = Meeting()
    with pytest.raises(OperationalError, match="deadlock detected"):
        at_once([partial(rename, meeting, *pair) for pair in (hotels, hotels[::-1])])


def test_transactions_that_cannot_be_put_in_an_order_both_succeed_one_after_the_other(hotels):
    meeting = Meeting()
    at_once([partial(retried, partial(count_and_add, meeting, code)) for code in ("THIRD", "FOURTH")])
    assert sorted(Tenant.objects.filter(code__in=["THIRD", "FOURTH"]).values_list("name", flat=True)) == ["2", "3"]
    assert meeting.attempts == 3


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_failure_that_stays_is_given_up_after_four_attempts(state, committed_db, monkeypatch):
    monkeypatch.setattr(transactions, "FIRST_PAUSE_SECONDS", 0.001)
    attempts = []
    with pytest.raises(OperationalError, match="given up"):
        retried(partial(fail, state, attempts))
    assert len(attempts) == ATTEMPTS == 4


def test_another_failure_is_not_tried_again(committed_db):
    attempts = []
    with pytest.raises(OperationalError, match="given up"):
        retried(partial(fail, "57014", attempts))
    assert len(attempts) == 1


def test_inside_a_transaction_of_the_caller_nothing_is_tried_again(committed_db):
    attempts = []
    with pytest.raises(OperationalError, match="given up"), transaction.atomic():
        retried(partial(fail, "40001", attempts))
    assert len(attempts) == 1
