"""`manage.py reap`: every chore is done, whatever becomes of the others."""

import time
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.audit.models import AuditEvent
from config.audit.services import Door, record
from config.management.commands import reap
from reservations.models import Task
from tests import factories
from tests.background import operation, waiting

pytestmark = pytest.mark.django_db


def reaped():
    output = StringIO()
    call_command("reap", stdout=output)
    return output.getvalue()


def test_nothing_to_do_is_nothing_said(hotel):
    assert reaped() == ""


def test_overdue_work_is_called_up_the_audit_sealed_and_claims_ended(hotel, reviewer):
    held = factories.card(hotel, claimed_by=reviewer, claim_expires_at=factories.NOON)
    operation(held, next_try_at=factories.NOON)
    record(tenant=hotel, actor=None, door=Door.SYSTEM, action="X", object_type="x", object_id="1")
    assert reaped() == "1 overdue work called up again\n1 audit events sealed\n1 claims ended\n"
    assert (waiting().count(), Task.objects.get().claimed_by) == (1, None)


def test_the_line_about_an_ended_claim_is_sealed_by_the_next_round(hotel, reviewer):
    factories.card(hotel, claimed_by=reviewer, claim_expires_at=factories.NOON)
    assert [reaped(), reaped()] == ["1 claims ended\n", "1 audit events sealed\n"]
    assert AuditEvent.objects.get().position == 1


def test_a_chore_that_fails_is_named_and_stops_no_other(hotel, monkeypatch, caplog):
    operation(factories.card(hotel), next_try_at=factories.NOON)
    monkeypatch.setattr("config.audit.services.seal", fail)
    with pytest.raises(CommandError) as refusal:
        reaped()
    assert str(refusal.value) == "Not done: audit events sealed. The log says why."
    assert (waiting().count(), [record.levelname for record in caplog.records]) == (1, ["ERROR"])


def fail(**arguments):
    raise RuntimeError("broken")


def test_repeated_it_does_each_chore_as_often_as_it_is_wanted(monkeypatch):
    rounds, done = iter(range(3)), []
    often = reap.Chore("often", lambda at: 0)
    rarely = reap.Chore("rarely", lambda at: 0, pause=3600)
    monkeypatch.setattr(reap, "CHORES", (often, rarely))
    monkeypatch.setattr(reap, "done", lambda chore: done.append(chore.name))
    monkeypatch.setattr(time, "sleep", lambda seconds: next(rounds))
    with pytest.raises(StopIteration):
        reap.repeat(2)
    assert done == ["often", "rarely", "often", "often", "often"]
