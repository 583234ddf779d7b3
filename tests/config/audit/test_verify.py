"""Whoever changes a sealed event behind the back of the database is found."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Value
from django.utils import timezone

from config.audit import selectors
from config.audit.models import AuditChain, AuditEvent
from config.audit.selectors import ChainFault, verify, verify_all
from config.audit.services import purge, seal
from tests import factories
from tests.config.audit.chains import without_triggers, write

pytestmark = pytest.mark.django_db
CONTENT = ("before", "after", "reason", "nonce", "content_sha256")


@pytest.fixture
def events(hotel):
    events = write(hotel, 5)
    seal()
    return events


def changed(event, **values):
    with without_triggers():
        AuditEvent.objects.filter(pk=event.pk).update(**values)


def fault_of(hotel):
    return verify(tenant_id=hotel.pk).fault


def output_of(*arguments):
    output = StringIO()
    call_command("verify_audit", *arguments, stdout=output)
    return [line.split() for line in output.getvalue().splitlines()[1:]]


def test_a_chain_that_nobody_touched_is_valid(hotel, events):
    write(hotel, 2)
    report = verify(tenant_id=hotel.pk)
    last = AuditEvent.objects.get(pk=events[-1].pk)
    assert (report.tenant, report.sealed_length, report.unsealed_tail, report.purged) == ("HOTEL1", 5, 2, 0)
    assert (report.valid, report.fault, report.head_hash) == (True, None, last.hash)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("id", 10_000_000),
        ("actor_id", "somebody"),
        ("door", "admin"),
        ("action", "TASK_TERMINATE"),
        ("object_type", "order"),
        ("object_id", "another"),
        ("before", Value('{"version":9}')),
        ("after", Value('{"version":9}')),
        ("reason", "another"),
        ("request_id", "another"),
        ("at", factories.NOON),
        ("nonce", "another"),
        ("content_sha256", "0" * 64),
        ("hash", "0" * 64),
        ("previous_hash", "0" * 64),
    ],
)
def test_a_changed_column_is_found_at_its_event(column, value, hotel, agent, events):
    event = events[2]
    changed(event, **{column: agent.pk if value == "somebody" else value})
    what = "content" if column in CONTENT else "previous_hash" if column == "previous_hash" else "hash"
    assert fault_of(hotel) == ChainFault(3, 10_000_000 if column == "id" else event.pk, what)


@pytest.mark.parametrize("column", ["before", "after", "reason", "nonce"])
def test_a_content_that_was_emptied_in_part_is_found(column, hotel):
    (event,) = write(hotel, before={"version": 0})
    seal()
    changed(event, **{column: Value("")})
    assert fault_of(hotel) == ChainFault(1, event.pk, "content")


def test_a_removed_event_is_found_at_its_place(hotel, events):
    with without_triggers():
        AuditEvent.objects.filter(pk=events[2].pk).delete()
    assert fault_of(hotel) == ChainFault(3, events[3].pk, "position")


def test_a_removed_last_event_is_found(hotel, events):
    with without_triggers():
        AuditEvent.objects.filter(pk=events[4].pk).delete()
    assert fault_of(hotel) == ChainFault(5, None, "position")


def test_an_event_that_lost_its_position_is_found(hotel, events):
    changed(events[2], position=None)
    assert fault_of(hotel) == ChainFault(3, events[3].pk, "position")


def test_an_event_that_went_to_another_tenant_is_found_in_both_chains(hotel, other_hotel, events):
    changed(events[4], tenant=other_hotel)
    assert fault_of(hotel) == ChainFault(5, None, "position")
    assert fault_of(other_hotel) == ChainFault(1, events[4].pk, "head")


def test_two_events_that_changed_places_are_found(hotel, events):
    changed(events[1], position=99)
    changed(events[2], position=2)
    changed(events[1], position=3)
    assert fault_of(hotel) == ChainFault(2, events[2].pk, "previous_hash")


@pytest.mark.parametrize("position", [-1, 0, 6, 9])
def test_an_event_that_was_put_in_with_a_position_is_found(position, hotel, events):
    (false,) = write(hotel)
    changed(false, position=position, previous_hash="x", nonce="x", content_sha256="x", hash="x")
    assert fault_of(hotel).what == "head"


@pytest.mark.parametrize("values", [{"head_hash": "0" * 64}, {"length": 4}])
def test_a_chain_whose_record_was_changed_is_found(values, hotel, events):
    AuditChain.objects.filter(tenant=hotel).update(**values)
    assert fault_of(hotel).what == "head"


def test_a_chain_of_which_the_record_says_too_much_is_found(hotel, events):
    AuditChain.objects.filter(tenant=hotel).update(length=F("length") + 1)
    assert fault_of(hotel) == ChainFault(6, None, "position")


def test_a_later_seal_does_not_heal_a_broken_chain(hotel, events):
    changed(events[2], action="another")
    write(hotel, 2)
    seal()
    assert fault_of(hotel) == ChainFault(3, events[2].pk, "hash")


def test_a_purge_empties_the_contents_and_keeps_the_chain(hotel, other_hotel, events):
    write(other_hotel)
    write(hotel)
    assert purge(tenant_id=hotel.pk, until=timezone.now() + timedelta(hours=1)) == 5
    emptied = AuditEvent.objects.filter(tenant=hotel, reason="").values_list("before", "after", "nonce")
    assert list(emptied) == [(None, None, "")] * 5
    report = verify(tenant_id=hotel.pk)
    assert (report.valid, report.purged, report.unsealed_tail) == (True, 5, 1)


def test_a_purge_leaves_what_is_younger(hotel, events):
    assert purge(tenant_id=hotel.pk, until=factories.NOON) == 0


def test_a_purge_says_only_what_it_emptied_this_time(hotel, events):
    later = timezone.now() + timedelta(hours=1)
    assert (purge(tenant_id=hotel.pk, until=later), purge(tenant_id=hotel.pk, until=later)) == (5, 0)


def test_a_purged_event_is_still_found_when_another_column_changes(hotel, events):
    purge(tenant_id=hotel.pk, until=timezone.now() + timedelta(hours=1))
    changed(events[0], action="another")
    assert fault_of(hotel) == ChainFault(1, events[0].pk, "hash")


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_it_reads_in_batches(batch, hotel, events, monkeypatch):
    monkeypatch.setattr(selectors, "BATCH", batch)
    assert verify(tenant_id=hotel.pk).valid
    changed(events[4], action="another")
    assert fault_of(hotel) == ChainFault(5, events[4].pk, "hash")


def test_a_chain_of_one_batch_takes_six_statements(hotel, events, django_assert_num_queries):
    with django_assert_num_queries(6):
        verify(tenant_id=hotel.pk)


def test_all_chains_are_those_that_have_events(hotel, other_hotel, events):
    write(None)
    assert [report.tenant for report in verify_all()] == ["HOTEL1", None]


def test_a_chain_whose_record_is_gone_is_not_left_out(hotel, events):
    AuditChain.objects.filter(tenant=hotel).update(length=0, head_hash="0" * 64)
    assert [report.fault.what for report in verify_all()] == ["head"]


def test_the_command_seals_once(hotel):
    write(hotel, 2)
    output = StringIO()
    call_command("seal_audit", stdout=output)
    call_command("seal_audit", stdout=output)
    assert output.getvalue() == "Sealed: 2.\nSealed: 0.\n"


def test_the_command_says_how_far_every_chain_is_sealed(hotel, events):
    write(None, 2)
    head = AuditChain.objects.get(tenant=hotel).head_hash
    assert output_of() == [
        ["HOTEL1", "5", "0", "0", head, "valid"],
        ["(none)", "0", "2", "0", "0" * 64, "valid"],
    ]


def test_the_command_reads_one_tenant(hotel, other_hotel, events):
    write(other_hotel)
    assert [line[0] for line in output_of("--tenant", "HOTEL2")] == ["HOTEL2"]


def test_the_command_fails_on_a_broken_chain_and_names_the_place(hotel, events):
    changed(events[2], action="another")
    output = StringIO()
    with pytest.raises(CommandError, match="Broken chains: 1") as failed:
        call_command("verify_audit", stdout=output)
    assert failed.value.returncode == 1
    assert output.getvalue().splitlines()[1].endswith(f"BROKEN at position 3 (event {events[2].pk}): hash")


def test_the_command_knows_no_tenant_of_another_name(hotel, events):
    with pytest.raises(CommandError, match="no tenant with this code"):
        output_of("--tenant", "NOWHERE")
