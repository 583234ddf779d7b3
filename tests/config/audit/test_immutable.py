"""What the database lets happen to an event: it is sealed once and, perhaps, emptied. Nothing else, on both engines."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Value

from config.audit.models import SEAL, AuditChain, AuditEvent
from config.audit.services import seal
from tests.config.audit.chains import write

pytestmark = pytest.mark.django_db
PURGEABLE = ("before", "after", "reason", "nonce")
OTHERS = {"position": 7}


@pytest.fixture
def event(hotel):
    (event,) = write(hotel, before={"version": 0})
    return event


@pytest.fixture
def sealed(event):
    seal()
    event.refresh_from_db()
    return event


def change(event, **values):
    return AuditEvent.objects.filter(pk=event.pk).update(**values)


def refused(event, **values):
    with pytest.raises(DatabaseError, match="keeps what was written"), transaction.atomic():
        change(event, **values)


@pytest.mark.parametrize("column", SEAL)
def test_a_column_of_the_seal_is_set_once(column, event):
    assert change(event, **{column: OTHERS.get(column, "x")}) == 1
    refused(event, **{column: OTHERS.get(column, 0) + 1 if column in OTHERS else "y"})
    refused(event, **{column: None})


@pytest.mark.parametrize("column", [name for name in SEAL if name != "nonce"])
def test_a_column_of_the_seal_is_not_emptied(column, sealed):
    refused(sealed, **{column: Value(0) if column in OTHERS else Value("")})


@pytest.mark.parametrize("column", PURGEABLE)
def test_what_may_hold_personal_data_is_emptied_and_stays_so(column, sealed):
    assert change(sealed, **{column: Value("")}) == 1
    refused(sealed, **{column: Value('{"version":0}')})


@pytest.mark.parametrize("column", PURGEABLE)
def test_what_may_be_emptied_is_not_changed_otherwise(column, sealed):
    refused(sealed, **{column: Value('{"version":9}')})


@pytest.mark.parametrize("column", ["before", "after", "nonce"])
def test_what_may_be_emptied_does_not_become_null(column, sealed):
    refused(sealed, **{column: Value(None)})


def test_an_emptied_json_column_reads_as_none(sealed):
    change(sealed, before=Value(""))
    assert AuditEvent.objects.get(pk=sealed.pk).before is None


def test_an_update_with_the_values_that_are_there_passes(sealed):
    assert change(sealed, **{name: F(name) for name in (*SEAL, "action", "before", "at")}) == 1


def test_an_event_that_is_saved_again_keeps_its_seal(event):
    seal()
    event.save()
    assert AuditEvent.objects.get(pk=event.pk).position == 1


def test_a_sealed_event_is_not_deleted(sealed):
    with pytest.raises(DatabaseError, match="keeps what was written"), transaction.atomic():
        AuditEvent.objects.all()._raw_delete(using="default")


def test_a_chain_is_neither_deleted_nor_given_to_another_tenant(sealed, other_hotel):
    with pytest.raises(DatabaseError, match="keeps what was written"), transaction.atomic():
        AuditChain.objects.all()._raw_delete(using="default")
    with pytest.raises(DatabaseError, match="keeps what was written"), transaction.atomic():
        AuditChain.objects.filter(tenant=sealed.tenant).update(tenant=other_hotel)


@pytest.mark.parametrize("of_a_tenant", [True, False])
def test_a_position_is_given_once_in_a_chain(of_a_tenant, hotel, sealed):
    tenant = hotel if of_a_tenant else None
    one, other = write(tenant, 2)
    change(one, position=77)
    with pytest.raises(DatabaseError), transaction.atomic():
        change(other, position=77)
    assert change(other, position=78) == 1


@pytest.mark.parametrize("of_a_tenant", [True, False])
def test_a_tenant_has_one_chain(of_a_tenant, hotel, sealed):
    tenant = hotel if of_a_tenant else None
    AuditChain.objects.get_or_create(tenant=tenant)
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditChain.objects.create(tenant=tenant)


def test_the_unsealed_are_found_by_an_index_of_their_own(sealed):
    rows = AuditEvent.objects.filter(tenant=sealed.tenant, position=None).order_by("id")[:5]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert "audit_unsealed" in rows.explain()
