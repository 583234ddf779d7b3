"""R-80: cards of the first field contract that nobody has written to yet."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.audit.models import AuditEvent
from reservations.models import Task
from reservations.services import fieldcontracts
from reservations.services.audited import task_state
from tests import factories

pytestmark = pytest.mark.django_db
FIRST, PRESENT = "code-v1", "20260711-p0"
OLD = {"field_contract_version": FIRST}
EMPTY = {"field_values": {}, "legacy_field_values": {}, "effective_payload": {}}


def upgrade(*arguments):
    output = StringIO()
    call_command("upgrade_field_contract", *arguments, stdout=output)
    return output.getvalue().strip()


def version(task):
    return Task.objects.values_list("field_contract_version", "version").get(pk=task.pk)


@pytest.fixture
def old(hotel):
    return factories.card(hotel, **OLD)


def drafted(hotel, values):
    author = factories.user("reviewer", hotel)
    return factories.card(hotel, draft_payload_json=values, draft_by=author, draft_at=factories.NOON, **OLD)


def test_r80_a_card_nobody_wrote_to_takes_the_present_contract(old):
    assert upgrade() == "1 marked as 20260711-p0, 0 kept as code-v1."
    assert version(old) == (PRESENT, 2)


@pytest.mark.parametrize("values", [{"extracted_fields.adults": 2}, {}])
def test_r80_a_card_with_a_draft_keeps_its_contract(hotel, values):
    card = drafted(hotel, values)
    assert upgrade() == "0 marked as 20260711-p0, 1 kept as code-v1."
    assert version(card) == (FIRST, 1)


@pytest.mark.parametrize("status", ["READY", "EXECUTING", "FAILED", "DONE"])
def test_r80_a_confirmed_card_keeps_its_contract(hotel, status):
    card = factories.card(hotel, task_status=status, **OLD)
    upgrade()
    assert version(card) == (FIRST, 1)


def test_r80_so_does_a_terminated_one_that_was_confirmed(hotel):
    card = factories.card(
        hotel,
        task_status="TERMINATED",
        confirmed_payload_json=EMPTY,
        decided_at=factories.NOON,
        **OLD,
        decided_by=factories.user("reviewer", hotel),
    )
    upgrade()
    assert version(card) == (FIRST, 1)


@pytest.mark.parametrize("other", [PRESENT, "20260718-v4"])
def test_r80_cards_of_other_contracts_are_left_alone(hotel, other):
    card = factories.card(hotel, field_contract_version=other)
    assert upgrade() == "0 marked as 20260711-p0, 0 kept as code-v1."
    assert version(card) == (other, 1)


def test_r80_a_dry_run_counts_and_changes_nothing(hotel, old):
    drafted(hotel, {})
    before = AuditEvent.objects.count()
    assert upgrade("--dry-run") == "1 to mark as 20260711-p0, 1 kept as code-v1."
    assert (version(old), AuditEvent.objects.count()) == ((FIRST, 1), before)


def test_r80_again_there_is_nothing_left_to_do(old):
    upgrade()
    assert upgrade() == "0 marked as 20260711-p0, 0 kept as code-v1."
    assert version(old) == (PRESENT, 2)


def test_r80_each_card_has_a_line_in_the_audit_of_its_hotel(hotel, other_hotel, old):
    factories.card(other_hotel, **OLD)
    upgrade()
    lines = AuditEvent.objects.filter(action="FIELD_CONTRACT_UPGRADE").order_by("id")
    assert [(line.tenant_id, line.door, line.actor_id) for line in lines] == [
        (hotel.pk, "command", None),
        (other_hotel.pk, "command", None),
    ]
    assert (lines[0].before["field_contract_version"], lines[0].after) == (
        FIRST,
        task_state(Task.objects.get(pk=old.pk)),
    )


def test_r80_it_goes_on_batch_by_batch_with_the_same_statements_each(hotel, monkeypatch):
    monkeypatch.setattr(fieldcontracts, "BATCH", 2)
    package, order = factories.package(hotel), factories.order(hotel)
    cards = [factories.task(order, package, source_event_index=index, **OLD) for index in range(1, 6)]
    with CaptureQueriesContext(connection) as seen:
        assert upgrade() == "5 marked as 20260711-p0, 0 kept as code-v1."
    assert {version(card) for card in cards} == {(PRESENT, 2)}
    assert len(seen) == 3 * 5 + 3 + 1


def test_r80_a_batch_does_not_read_what_agents_sent(old):
    with CaptureQueriesContext(connection) as seen:
        upgrade()
    assert [query["sql"] for query in seen if "ai_payload_json" in query["sql"]] == []


def test_r80_a_failure_leaves_whole_batches(hotel, monkeypatch):
    monkeypatch.setattr(fieldcontracts, "BATCH", 1)
    cards = [factories.card(hotel, **OLD) for _ in range(2)]
    lines = iter([fieldcontracts.record_many, lambda **_: 1 / 0])
    monkeypatch.setattr(fieldcontracts, "record_many", lambda **given: next(lines)(**given))
    with pytest.raises(ZeroDivisionError):
        upgrade()
    assert sorted(version(card) for card in cards) == [(PRESENT, 2), (FIRST, 1)]
