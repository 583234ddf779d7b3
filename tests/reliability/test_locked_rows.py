"""A row that changed while somebody waited for its lock is seen as it is then, with what it points to now."""

import threading
import time
from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone

from config.accounts.roles import REVIEWER
from config.audit.services import Door
from config.errors import DomainError
from reservations.models import SourceNotification, Task
from reservations.services.confirmation import confirm_task
from reservations.services.drafts import save_draft
from reservations.services.notifications import acknowledge_notification
from reservations.services.termination import acknowledge_notice, terminate_task
from reservations.services.writes import Writer, lease_end
from tests import factories
from tests.reliability.crowd import at_once

pytestmark = [pytest.mark.reliability, pytest.mark.slow]
HELD_SECONDS = 0.4


@pytest.fixture
def people(desk):
    return [factories.user(REVIEWER, desk.hotel) for _ in range(2)]


def meanwhile(change, write, row):
    """Change the row while `write` waits for its lock; what becomes of the write: its result, or its refusal."""
    locked = threading.Event()

    def holder():
        with transaction.atomic():
            type(row).objects.select_for_update().get(pk=row.pk)
            locked.set()
            time.sleep(HELD_SECONDS)
            type(row).objects.filter(pk=row.pk).update(**change)

    def writer():
        locked.wait(10)
        try:
            return write()
        except DomainError as refusal:
            return refusal.code

    return at_once([holder, writer])[1]


def writer_of(person, desk):
    return Writer(person, Door.API, [desk.hotel.pk])


WRITES = {
    "terminate": lambda writer, key: terminate_task(writer=writer, task_id=key, body={"reason": "x"}),
    "draft": lambda writer, key: save_draft(writer=writer, task_id=key, body={"field_values": {}}),
    "confirm": lambda writer, key: confirm_task(writer=writer, task_id=key, body={}),
}


@pytest.mark.parametrize("write", WRITES)
def test_r44_a_claim_made_while_a_write_waits_keeps_it_out(desk, people, write):
    task = factories.card(desk.hotel)
    claim = {"claimed_by": people[0], "claim_expires_at": lease_end(timezone.now())}
    outcome = meanwhile(claim, partial(WRITES[write], writer_of(people[1], desk), task.pk), task)
    assert outcome == "TASK_CLAIMED"


@pytest.mark.parametrize("write", ["terminate", "draft"])
def test_r60_a_task_that_moved_to_another_order_meanwhile_is_still_there(desk, people, write):
    task, other = factories.card(desk.hotel), factories.order(desk.hotel)
    outcome = meanwhile({"order": other}, partial(WRITES[write], writer_of(people[1], desk), task.pk), task)
    assert isinstance(outcome, Task), outcome
    assert outcome.order == other


def test_r11_a_notification_acknowledged_meanwhile_keeps_its_first(desk, people):
    row = factories.notification(factories.v4_package(desk.hotel))
    first = {"acknowledged_by": people[0], "acknowledged_at": factories.NOON}
    outcome = meanwhile(
        first, partial(acknowledge_notification, writer=writer_of(people[1], desk), notification_id=row.pk), row
    )
    assert (outcome.acknowledged_by, SourceNotification.objects.get().acknowledged_by) == (people[0], people[0])


def test_r14_a_notice_acknowledged_meanwhile_keeps_its_first(desk, people):
    row = factories.notice(factories.package(desk.hotel))
    first = {"acknowledged_by": people[0], "acknowledged_at": factories.NOON}
    outcome = meanwhile(first, partial(acknowledge_notice, writer=writer_of(people[1], desk), task_id=row.pk), row)
    assert (outcome.acknowledged_by, Task.objects.get().acknowledged_by) == (people[0], people[0])
