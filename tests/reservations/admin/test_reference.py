"""Routes and catalogues."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from reservations.models import Route
from tests.reservations.admin.pages import a_catalog_entry, list_of, page_of


@pytest.fixture
def reference(db):
    call_command("loaddata", "reference", verbosity=0)


def test_the_list_has_42_routes_of_which_40_are_active(reference, desk):
    """R-15."""
    counts = [
        desk.get(list_of("reservations_route"), query).context["cl"].result_count
        for query in ({}, {"status": "active"}, {"status": "retired"})
    ]
    assert counts == [42, 40, 2]


def test_every_route_has_a_page(reference, desk):
    assert {desk.get(page_of(route)).status_code for route in Route.objects.all()} == {200}


def test_the_list_of_routes_takes_five_statements(reference, desk, django_assert_num_queries):
    with django_assert_num_queries(5):
        desk.get(list_of("reservations_route"))


def test_catalogue_filters_narrow(hotel, desk):
    entry = a_catalog_entry(hotel)
    found = [
        desk.get(list_of("reservations_catalogentry"), query).context["cl"].result_list
        for query in ({"catalog": "active_pms_room_type_catalog"}, {"active": "1"}, {"active": "0"})
    ]
    assert found == [[entry], [entry], []]
