from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.audit.models import AuditEvent
from reservations.models import Hotel

pytestmark = pytest.mark.django_db


def add_hotel(*arguments):
    output = StringIO()
    call_command("add_hotel", *arguments, stdout=output)
    return output.getvalue()


def test_a_hotel_is_added_and_audited():
    said = add_hotel("BAY", "--name", "Bay Hotel", "--time-zone", "Asia/Shanghai", "--default")
    hotel = Hotel.objects.get()
    assert said == "Hotel BAY is ready.\n"
    assert (hotel.code, hotel.name, hotel.time_zone, hotel.is_default) == ("BAY", "Bay Hotel", "Asia/Shanghai", True)
    assert list(AuditEvent.objects.values_list("action", "door", "tenant")) == [("TENANT_ADD", "command", hotel.pk)]


def test_adding_a_hotel_twice_changes_nothing_and_says_so():
    add_hotel("BAY", "--name", "Bay Hotel")
    said = add_hotel("BAY", "--name", "Another name")
    assert said == "Hotel BAY is there already: Bay Hotel, UTC. Nothing was changed.\n"
    assert AuditEvent.objects.count() == 1


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "Asia", "/etc/passwd"])
def test_an_unknown_time_zone_is_refused(zone):
    with pytest.raises(CommandError, match="No time zone"):
        add_hotel("BAY", "--name", "Bay Hotel", "--time-zone", zone)
    assert not Hotel.objects.exists()


@pytest.mark.parametrize(("code", "name"), [(" ", "Bay"), ("B" * 41, "Bay"), ("BAY", ""), ("BAY", "B" * 201)])
def test_a_code_or_name_that_does_not_fit_is_refused(code, name):
    with pytest.raises(CommandError, match="takes 1 to"):
        add_hotel(code, "--name", name)


def test_a_second_default_hotel_is_refused_by_the_name_of_the_first():
    add_hotel("BAY", "--name", "Bay Hotel", "--default")
    with pytest.raises(CommandError, match=r"^BAY is the default hotel already"):
        add_hotel("SEA", "--name", "Sea Hotel", "--default")
