"""The sealer: each committed event gets its place in the chain of its tenant, once."""

import pytest

from config.audit.domain import GENESIS
from config.audit.models import AuditChain, AuditEvent
from config.audit.selectors import verify
from config.audit.services import seal
from tests import factories
from tests.config.audit.chains import positions, write

pytestmark = pytest.mark.django_db


def test_events_are_chained_in_the_order_of_their_keys(hotel):
    first, second = write(hotel, 2)
    assert seal() == 2
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.position, first.previous_hash) == (1, GENESIS)
    assert (second.position, second.previous_hash) == (2, first.hash)


def test_every_tenant_has_a_chain_and_events_of_no_tenant_have_one(hotel, other_hotel):
    for place in (hotel, None, other_hotel, hotel):
        write(place)
    unsealed = AuditEvent.objects.count()
    assert seal() == unsealed
    assert positions(hotel) == [1, 2]
    assert positions(other_hotel) == [1]
    assert positions(None) == list(range(1, unsealed - 2))


def test_a_second_call_goes_on_where_the_first_ended(hotel):
    write(hotel, 2)
    seal()
    write(hotel, 1)
    assert (seal(), seal()) == (1, 0)
    assert positions(hotel) == [1, 2, 3]
    assert AuditChain.objects.get(tenant=hotel).length == 3


@pytest.mark.parametrize("batch", [1, 2, 3, 7])
def test_batches_of_any_size_give_one_chain(batch, hotel):
    write(hotel, 6)
    assert seal(batch=batch) == 6
    assert positions(hotel) == [1, 2, 3, 4, 5, 6]
    assert verify(tenant_id=hotel.pk).valid


def test_an_event_that_commits_late_with_a_smaller_key_is_sealed_after_the_others(hotel):
    write(hotel, 2)
    seal()
    AuditEvent.objects.create(pk=-1, tenant=hotel, door="api", action="LATE", at=factories.NOON)
    assert seal() == 1
    assert positions(hotel) == [3, 1, 2]
    assert verify(tenant_id=hotel.pk).valid


def test_the_number_of_statements_does_not_depend_on_the_events(hotel, django_assert_num_queries):
    write(hotel, 1)
    seal()
    write(hotel, 40)
    with django_assert_num_queries(8):
        seal()


def test_nothing_to_seal_costs_one_statement(hotel, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert seal() == 0


def test_two_events_of_one_content_have_different_content_hashes(hotel):
    write(hotel, 2, object_id="same")
    seal()
    assert AuditEvent.objects.values("content_sha256").distinct().count() == 2
