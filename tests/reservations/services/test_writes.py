"""What every write shares, where the service is called without HTTP."""

from datetime import timedelta

import pytest
from django.utils import timezone

from config.audit.models import AuditEvent
from config.audit.services import Door
from config.errors import PreconditionFailed
from reservations.domain.errors import TaskClaimed, TaskNotFound, TaskReadonly
from reservations.services.claims import claim_task
from reservations.services.drafts import save_draft
from reservations.services.writes import Writer, lock_task
from tests import factories
from tests.reservations.board import fit

pytestmark = pytest.mark.django_db


@pytest.fixture
def writer(hotel, reviewer):
    return Writer(reviewer, Door.ADMIN, [hotel.pk])


@pytest.mark.parametrize("hotels", [[], [10**6]])
def test_r77_a_card_of_no_hotel_of_the_writer_is_not_there(hotel, reviewer, hotels):
    card = factories.card(hotel)
    with pytest.raises(TaskNotFound):
        lock_task(writer=Writer(reviewer, Door.API, hotels), task_id=card.pk, at=timezone.now())


def test_r44_a_refusal_tells_programs_who_holds_the_card(hotel, writer):
    holder, until = factories.user("reviewer", hotel), timezone.now() + timedelta(minutes=1)
    card = factories.card(hotel, claimed_by=holder, claim_expires_at=until)
    with pytest.raises(TaskClaimed) as refused:
        lock_task(writer=writer, task_id=card.pk, at=timezone.now())
    assert refused.value.facts == {"holder": holder.username, "until": until}


@pytest.mark.parametrize(("seen", "refused"), [([], True), ([2, 3], True), ([3, 1], False), (None, False)])
def test_r45_only_the_version_counts(hotel, reviewer, seen, refused):
    card = factories.card(hotel)
    writer = Writer(reviewer, Door.API, [hotel.pk], seen)
    if refused:
        with pytest.raises(PreconditionFailed):
            lock_task(writer=writer, task_id=card.pk, at=timezone.now())
    else:
        assert lock_task(writer=writer, task_id=card.pk, at=timezone.now()).pk == card.pk


def test_r14_what_is_readonly_is_refused(hotel, writer):
    card = factories.card(hotel, readonly=True)
    with pytest.raises(TaskReadonly):
        lock_task(writer=writer, task_id=card.pk, at=timezone.now())


def test_the_door_is_in_the_audit(board, writer):
    card = board.card(fit())
    save_draft(writer=writer, task_id=card, body={"field_values": {}})
    assert AuditEvent.objects.get(action="TASK_DRAFT").door == "admin"


def test_a_write_is_all_or_nothing(board, writer, monkeypatch):
    card = board.card(fit())
    monkeypatch.setattr("reservations.services.claims.record", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        claim_task(writer=writer, task_id=card, body={})
    assert (board.get(card)["claimed_by"], board.get(card)["version"]) == (None, 1)
