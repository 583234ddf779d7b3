"""Promise: the chain of the audit does not fork, skip or reorder, whoever seals it and whoever is killed meanwhile."""

import contextlib
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest
from django.db import connection, transaction

from config.audit.models import AuditChain, AuditEvent
from config.audit.selectors import verify
from config.audit.services import Change, Door, record_many, seal
from tests import factories
from tests.reliability.crowd import at_once, crowd
from tests.servers import ROOT, database_url

pytestmark = pytest.mark.reliability
side_by_side = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")

WRITERS, KILLS = 16, 30
SEALERS = """
import os, signal, sys
import django; django.setup()
from config.audit.services import seal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    pid = os.fork()
    while not pid:
        seal(batch=20)
    print(pid, flush=True)
"""


@pytest.fixture
def hotels(committed_db):
    return [factories.hotel("HOTEL1", is_default=True), factories.hotel("HOTEL2")]


def write(hotel, name, count=1):
    changes = [Change("TASK_CREATE", "task", f"{name}-{number}", after={"by": name}) for number in range(count)]
    record_many(tenant_id=hotel.pk, actor_id=None, door=Door.API, changes=changes)


def write_until(over, hotels, name):
    """Transactions of several lengths, so that keys are given in another order than they are committed."""
    chance, numbers = random.Random(name), itertools.count()
    while not over.is_set():
        number = next(numbers)
        with transaction.atomic():
            write(hotels[number % len(hotels)], f"{name}.{number}", chance.randint(1, 4))
            time.sleep(chance.choice([0.01, 0.02, 0.05]))
            if gone := chance.random() < 0.1:
                write(hotels[0], f"{name}.{number}.gone")
            transaction.set_rollback(gone)


@contextlib.contextmanager
def sealers():
    """begin() gives the process id of a new process that seals without end."""
    environment = {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings_test"}
    command = [sys.executable, "-c", SEALERS]
    begun = []
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:

        def begin():
            parent.stdin.write(b"\n")
            parent.stdin.flush()
            begun.append(int(parent.stdout.readline()))
            return begun[-1]

        try:
            yield begin
        finally:
            os.kill(begun[0], signal.SIGKILL)


class DyingSealers(threading.Thread):
    """Two sealers side by side; one is killed a random moment after it began, and another takes its place."""

    def __init__(self):
        super().__init__(daemon=True)
        self.kills, self.over = 0, threading.Event()

    def run(self):
        chance = random.Random(5)
        try:
            with sealers() as begin:
                begin()
                for _ in range(KILLS):
                    doomed = begin()
                    time.sleep(chance.uniform(0.05, 0.3))
                    os.kill(doomed, signal.SIGKILL)
                    self.kills += 1
        finally:
            self.over.set()


def is_whole(hotel):
    """Sealed to the last event, each once, without a gap."""
    report = verify(tenant_id=hotel.pk)
    positions = AuditEvent.objects.filter(tenant=hotel).order_by("position").values_list("position", flat=True)
    whole = list(positions) == list(range(1, report.sealed_length + 1))
    return (report.fault, report.unsealed_tail, whole) == (None, 0, True)


@pytest.mark.slow
@side_by_side
def test_sixteen_writers_two_sealers_and_kills_leave_whole_chains(hotels):
    dying = DyingSealers()
    dying.start()
    crowd(lambda number: write_until(dying.over, hotels, f"writer{number}"), range(WRITERS), size=WRITERS)
    dying.join()
    assert AuditEvent.objects.filter(position__isnull=False).count() > 0
    seal()
    assert dying.kills == KILLS
    assert [is_whole(hotel) for hotel in hotels] == [True, True]
    assert AuditEvent.objects.filter(object_id__contains="gone").count() == 0
    assert set(Counter(AuditEvent.objects.values_list("object_id", flat=True)).values()) == {1}


def test_eight_sealers_at_once_seal_every_event_once(hotels):
    for hotel in hotels:
        write(hotel, "event", 400)
    waiting = AuditEvent.objects.count()
    sealed = at_once([lambda: seal(batch=7)] * 8)
    assert sum(sealed) + seal() == waiting
    assert [is_whole(hotel) for hotel in hotels] == [True, True]


def test_sealers_that_meet_on_the_first_event_make_one_chain(hotels):
    write(hotels[0], "first")
    at_once([seal] * 8)
    seal()
    assert AuditChain.objects.filter(tenant=hotels[0]).count() == 1
    assert is_whole(hotels[0])


class Meanwhile(threading.Thread):
    """A transaction in a thread of its own that is open while the test goes on, until `finish`."""

    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.done, self.over = work, threading.Event(), threading.Event()

    def run(self):
        try:
            with transaction.atomic():
                self.work()
                self.done.set()
                self.over.wait(timeout=30)
        finally:
            connection.close()

    def __enter__(self):
        self.start()
        assert self.done.wait(timeout=30)
        return self

    def __exit__(self, *fault):
        self.over.set()
        self.join()


@side_by_side
def test_an_event_that_commits_late_with_a_smaller_key_is_sealed_later(hotels):
    with Meanwhile(lambda: write(hotels[0], "late")):
        write(hotels[0], "early")
        seal()
        assert verify(tenant_id=hotels[0].pk).sealed_length == 1
    seal()
    events = AuditEvent.objects.filter(tenant=hotels[0]).order_by("pk").values_list("object_id", "position")
    assert list(events) == [("late-0", 2), ("early-0", 1)]
    assert is_whole(hotels[0])


@side_by_side
def test_a_writer_waits_for_no_sealer(hotels):
    write(hotels[0], "sealed", 3)
    with Meanwhile(seal), without_waiting():
        write(hotels[0], "beside", 3)
    seal()
    assert is_whole(hotels[0])


@side_by_side
def test_a_sealer_waits_neither_for_a_writer_nor_for_another_sealer(hotels):
    write(hotels[0], "first", 3)
    seal()
    write(hotels[0], "left to the other", 3)
    with Meanwhile(seal), Meanwhile(lambda: write(hotels[1], "open")), without_waiting():
        write(hotels[1], "second")
        assert seal() == 1
    seal()
    assert [is_whole(hotel) for hotel in hotels] == [True, True]


@contextlib.contextmanager
def without_waiting():
    """A transaction that fails where it would wait for a lock."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '1ms'")
        yield
