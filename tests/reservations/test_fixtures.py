from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from config.accounts.models import Tenant
from reservations.data import matrix
from reservations.models import CatalogEntry, Hotel, Route
from reservations.services.fixtures import reference_fixture

FOLDER = Path(settings.FIXTURE_DIRS[0])


def load(*names):
    call_command("loaddata", *names, verbosity=0)


def test_the_reference_fixture_is_what_the_data_files_give():
    """R-78"""
    assert (FOLDER / "reference.json").read_text(encoding="utf-8") == reference_fixture()


@pytest.mark.django_db
def test_the_reference_fixture_gives_forty_active_routes_and_the_retired_pair():
    """R-15"""
    load("reference")
    assert Route.objects.filter(status="active").count() == 40
    assert list(Route.objects.filter(status="retired").values_list("position", flat=True)) == [37, 38]


@pytest.mark.django_db
def test_the_reference_fixture_gives_the_demo_hotel_every_option_of_the_field_matrix():
    load("reference")
    hotel = Hotel.objects.get()
    assert (hotel.code, hotel.name, hotel.time_zone, hotel.is_default) == (
        "HOTEL1",
        "Willow Bay Hotel",
        "Asia/Shanghai",
        True,
    )
    loaded = CatalogEntry.objects.filter(hotel=hotel).values_list("catalog", "code", "active")
    assert set(loaded) == {
        (source.name, option.code, option.active) for source in matrix().catalogs.values() for option in source.options
    }


@pytest.mark.django_db
def test_loading_the_reference_fixture_twice_gives_the_same_rows():
    load("reference")
    before = list(CatalogEntry.objects.values()), list(Route.objects.values()), list(Tenant.objects.values())
    load("reference")
    after = list(CatalogEntry.objects.values()), list(Route.objects.values()), list(Tenant.objects.values())
    assert after == before


@pytest.mark.django_db
def test_the_reference_fixture_leaves_a_tenant_alone_that_was_there_first():
    first = Tenant.objects.create(kind="organisation", code="HOTEL1", name="Not a hotel")
    load("reference")
    first.refresh_from_db()
    assert (first.kind, first.name) == ("organisation", "Not a hotel")
    assert Hotel.objects.get().pk != first.pk
