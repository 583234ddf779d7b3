import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from knox.models import AuthToken

from config.accounts.models import User
from config.accounts.roles import ROLES
from config.audit.models import AuditEvent
from config.audit.services import Door
from reservations.models import Hotel, Route, SourceMessage, Submission, Task
from reservations.services.ingest import ingest_package
from reservations.services.p0 import find_or_add_agent, import_mails, read_packages
from tests import factories
from tests.cases.reservations.transports import INBOUND

pytestmark = pytest.mark.django_db

PEOPLE = ["demo-admin", "demo-auditor", "demo-developer", "demo-lead", "demo-reviewer"]
MACHINES = ["demo-agent", "demo-gateway"]


def setup_demo():
    """What it says, and the logins it shows: {name: password or token}."""
    output = StringIO()
    call_command("setup_demo", stdout=output)
    return output.getvalue(), dict(re.findall(r"^  (\S+) +(\S+)$", output.getvalue(), re.MULTILINE))


@pytest.fixture
def made(settings):
    settings.DEMO_PASSWORD = ""
    return setup_demo()[1]


@pytest.fixture
def rows():
    """The number of rows of everything the demo makes."""
    kinds = (User, AuthToken, AuditEvent, SourceMessage, Submission, Task)
    return lambda: {kind.__name__: kind.objects.count() for kind in kinds}


def test_the_demo_has_one_user_for_each_role_at_its_hotel(made):
    roles = {user.username: list(user.groups.values_list("name", flat=True)) for user in User.objects.all()}
    assert roles == {f"demo-{role}": [role] for role in ROLES} | {"demo-admin": []}
    assert set(User.objects.values_list("memberships__tenant__code", flat=True)) == {"HOTEL1"}
    assert list(User.objects.filter(is_superuser=True).values_list("username", flat=True)) == ["demo-admin"]


def logs_in(username, password):
    """Through the login page of the back-office."""
    answer = Client().post("/admin/login/?next=/admin/", {"username": username, "password": password})
    return (answer.status_code, answer.headers.get("Location")) == (302, "/admin/")


def test_people_of_the_demo_come_in_with_the_password_that_is_shown(made):
    assert [name for name in PEOPLE if not logs_in(name, made[name])] == []
    assert not logs_in("demo-lead", made["demo-admin"])
    assert len({made[name] for name in PEOPLE}) == len(PEOPLE)


def test_programs_of_the_demo_come_in_with_the_token_that_is_shown_and_have_no_password(made, client):
    answers = {name: client.post(INBOUND, headers={"Authorization": f"Token {made[name]}"}) for name in MACHINES}
    assert {name: answer.status_code for name, answer in answers.items()} == {"demo-agent": 415, "demo-gateway": 403}
    assert [User.objects.get(username=name).has_usable_password() for name in MACHINES] == [False, False]


def test_the_demo_has_the_hotel_the_routes_and_every_p0_mail(made):
    assert list(Hotel.objects.values_list("code", "is_default")) == [("HOTEL1", True)]
    assert Route.objects.filter(status="active").count() == 40
    assert SourceMessage.objects.count() == len([package for package in read_packages() if package.mail])
    assert Task.objects.exists()


def test_the_second_run_changes_nothing_and_shows_no_login(made, rows):
    passwords, before = dict(User.objects.values_list("username", "password")), rows()
    said, logins = setup_demo()
    assert (logins, rows()) == ({}, before)
    assert dict(User.objects.values_list("username", "password")) == passwords
    assert "DEMO_PASSWORD" in said


def test_demo_password_becomes_the_password_of_all_people_on_any_run(made, settings):
    settings.DEMO_PASSWORD = "well-known"
    _, logins = setup_demo()
    assert logins == dict.fromkeys(PEOPLE, "well-known")
    assert logs_in("demo-lead", "well-known")
    assert setup_demo()[1] == {}


def test_without_demo_nothing_is_made(settings):
    settings.DEMO = False
    with pytest.raises(CommandError, match="DEMO=true"):
        call_command("setup_demo")
    assert not User.objects.exists()


def test_a_database_with_another_default_hotel_is_refused():
    factories.hotel("BAY", is_default=True)
    with pytest.raises(CommandError, match="another default hotel"):
        call_command("setup_demo")


@pytest.fixture
def changed_desk(settings):
    """A demo in which the first P0 mail has another package already."""
    settings.DEMO_PASSWORD = ""
    call_command("loaddata", "reference", verbosity=0)
    packages, hotel = read_packages()[:1], Hotel.objects.get()
    import_mails(packages=packages, hotel=hotel, door=Door.COMMAND)
    ingest_package(
        hotel_id=hotel.pk,
        caller=find_or_add_agent(hotel=hotel, door=Door.COMMAND),
        content=packages[0].content.replace(b'"rate_amount": 880', b'"rate_amount": 881'),
        media_type="application/json",
        door=Door.COMMAND,
    )


def test_a_package_that_comes_to_something_else_is_told_and_stops_nobody(changed_desk):
    output, errors = StringIO(), StringIO()
    call_command("setup_demo", stdout=output, stderr=errors)
    assert re.findall(r"^main_outcomes +H01 +differs +(\S+)", output.getvalue(), re.MULTILINE) == [
        "SUBMISSION_CONFLICT"
    ]
    assert errors.getvalue() == "1 package(s) came to something else than expected.\n"
