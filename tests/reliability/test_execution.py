"""Promise (R-49): a killed worker loses nothing and repeats no effect, whatever the PMS answers or does not answer."""

import time
from collections import Counter

import pytest
from django.db import connection

from config.audit.models import AuditEvent
from reservations.domain.errors import TaskBlocked
from reservations.models import OperaOperation, Order, SimulatedCall, SimulatorScript, Task
from reservations.services.audited import operation_state, order_state, task_state
from reservations.services.execution import execute_task
from tests import factories
from tests.background import ready, writer
from tests.reliability.crowd import crowd
from tests.reliability.workers import until, working

pytestmark = [pytest.mark.reliability, pytest.mark.slow]

KILLS = 5
CARDS = 40
SWALLOWED, UNREACHED, PLAIN, CANCELLED, REFUSED = (
    ("postBlock", "putBlockAllocationRange"),
    ("putReservation", "getReservation"),
    ("putBlock", "putBlockStatus"),
    ("postCancelBlock", "getBlock"),
    ("postComment", "getComment"),
)
KINDS = (SWALLOWED, UNREACHED, PLAIN, CANCELLED, REFUSED)
SCRIPTS = (
    *(("timeout", name, 2) for name in SWALLOWED),
    *(("lost_answer", name, 3) for name in (*SWALLOWED, *CANCELLED, *PLAIN)),
    *(("unavailable", name, 2) for name in UNREACHED),
    ("refusal", REFUSED[0], None),
)


@pytest.fixture
def hotel(committed_db):
    return factories.hotel("HOTEL1", is_default=True)


def execute(card):
    return execute_task(writer=writer(card), task_id=card.pk)


def nobody_executes():
    return not Task.objects.filter(task_status="EXECUTING").exists()


def cards_of(hotel, calls, *, size):
    package = factories.package(hotel)
    return [
        ready(hotel, calls=calls, package=package, order=factories.order(hotel), source_event_index=number)
        for number in range(1, size + 1)
    ]


def killing(workers):
    """Every now and then, while calls are being made."""
    last = [time.monotonic()]

    def kill():
        busy = OperaOperation.objects.filter(status="SENDING", lease_token__isnull=False).exists()
        if workers.kills < KILLS and busy and time.monotonic() - last[0] > 0.7:
            workers.kill_one()
            last[0] = time.monotonic()

    return kill


def times_received():
    return Counter(SimulatedCall.objects.values_list("times_received", flat=True))


def rows_that_the_audit_does_not_tell():
    """Objects whose last line of the audit is not what their row says."""
    told = {(event.object_type, event.object_id): event.after for event in AuditEvent.objects.order_by("id")}
    rows = {("task", str(row.pk)): task_state(row) for row in Task.objects.all()}
    rows |= {("operation", str(row.pk)): operation_state(row) for row in OperaOperation.objects.exclude(attempts=0)}
    rows |= {("order", str(row.pk)): order_state(row) for row in Order.objects.filter(status="CANCELLED")}
    return {name for name in rows.keys() | told.keys() if rows.get(name) != told.get(name)}


def test_r49_killed_workers_and_lost_answers_lose_nothing_and_repeat_nothing(hotel):
    SimulatorScript.objects.bulk_create(
        SimulatorScript(outcome=outcome, operation_id=name, remaining=times) for outcome, name, times in SCRIPTS
    )
    cards = {calls: cards_of(hotel, calls, size=CARDS // len(KINDS)) for calls in KINDS}
    for card in (card for row in zip(*cards.values(), strict=True) for card in row):
        execute(card)
    with working(2) as workers:
        until(nobody_executes, meanwhile=killing(workers))
    ended = {calls: {Task.objects.get(pk=card.pk).task_status for card in cards[calls]} for calls in KINDS}
    assert ended == {calls: {"FAILED" if calls is REFUSED else "DONE"} for calls in KINDS}
    assert workers.kills == KILLS
    assert times_received() == {1: 2 * (CARDS - len(cards[REFUSED]))}
    assert set(Order.objects.filter(tasks__in=cards[CANCELLED]).values_list("status", flat=True)) == {"CANCELLED"}
    assert rows_that_the_audit_does_not_tell() == set()
    ends = Counter(AuditEvent.objects.values_list("action", flat=True))
    assert (ends["TASK_DONE"], ends["TASK_FAILED"], ends["OPERATION_SUCCEEDED"]) == (32, 8, 64)


def test_r49_three_workers_at_once_make_each_call_once_at_the_first_attempt(hotel):
    cards = cards_of(hotel, PLAIN, size=30)
    with working(3):
        crowd(execute, cards, size=4)
        until(nobody_executes)
    assert Counter(OperaOperation.objects.values_list("status", "attempts")) == {("SUCCEEDED", 1): 60}
    assert times_received() == {1: 60}


def test_r27_the_cards_of_one_order_are_carried_out_in_the_order_of_the_queue(hotel):
    order, package = factories.order(hotel), factories.package(hotel)
    cards = [ready(hotel, order=order, package=package, source_event_index=number) for number in range(1, 7)]

    def insist(card):
        while True:
            try:
                return execute(card)
            except TaskBlocked:
                time.sleep(0.2)

    with working(2):
        crowd(insist, cards[::-1], size=6)
        until(nobody_executes)
    made = SimulatedCall.objects.order_by("received_at").values_list("external_id", flat=True)
    assert list(made) == [f"{card.pk.hex}-{sequence}" for card in cards for sequence in (1, 2)]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connections to cut")
def test_a_worker_whose_connections_are_cut_goes_on_and_repeats_nothing(hotel):
    for card in cards_of(hotel, PLAIN, size=15):
        execute(card)
    with working(1) as workers:
        until(nobody_executes, meanwhile=cutting(times=4))
        assert [process.poll() for process in workers.processes] == [None]
    assert set(Task.objects.values_list("task_status", flat=True)) == {"DONE"}
    assert times_received() == {1: 30}


def cutting(times):
    """Cut all connections but our own, so many times, while calls are being made."""
    left = iter(range(times))

    def cut():
        if OperaOperation.objects.filter(status="SENDING").exists() and next(left, None) is not None:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )

    return cut
