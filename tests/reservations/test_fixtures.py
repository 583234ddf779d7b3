import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.serializers import deserialize
from django.db import DatabaseError

from config.accounts.models import Membership, Tenant, User
from config.audit.models import AuditEvent
from reservations.data import matrix
from reservations.models import (
    AiTransition,
    Attachment,
    CatalogEntry,
    Hotel,
    Order,
    OrderTask,
    Route,
    SourceMessage,
    SourceNotification,
    Submission,
    Task,
    TransitionKind,
)
from reservations.services.fixtures import p0_fixture, reference_fixture

FOLDER = Path(settings.FIXTURE_DIRS[0])
EVERYTHING = [Tenant, User, Membership, SourceMessage, Attachment, Order, Submission, AiTransition, Task, AuditEvent]


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


@pytest.mark.django_db
def test_the_p0_fixture_is_what_the_services_make_of_the_p0_packages():
    """R-78"""
    assert (FOLDER / "p0.json").read_text(encoding="utf-8") == p0_fixture()


@pytest.mark.django_db
def test_making_the_p0_fixture_leaves_nothing_in_the_database():
    p0_fixture()
    assert not [model for model in EVERYTHING if model.objects.exists()]


@pytest.mark.django_db
def test_the_p0_fixture_is_made_in_an_empty_database_only(hotel):
    with pytest.raises(ValueError, match="empty database"):
        p0_fixture()


@pytest.fixture
def desk(db):
    load("reference", "p0")


def test_the_p0_fixture_gives_every_outcome_that_ingest_knows(desk):
    kinds = AiTransition.objects.values_list("kind", flat=True)
    assert set(kinds) == set(TransitionKind.values)
    assert set(Submission.objects.values_list("generation", flat=True)) == {"TEXT", "V3", "V4"}
    assert set(Task.objects.values_list("task_status", flat=True)) == {"PENDING_CONFIRM", "PENDING_REVIEW", "NOTICE"}
    assert set(OrderTask.objects.values_list("status", flat=True)) == {"PENDING_CONFIRM"}
    assert set(SourceNotification.objects.values_list("route_code", flat=True)) == {"S10", "S99"}
    assert Task.objects.count() == AuditEvent.objects.filter(action="TASK_CREATE").count()


def test_mails_of_the_p0_fixture_have_their_files_by_name_and_hash_only(desk):
    assert list(Attachment.objects.exclude(file="")) == []
    assert list(Attachment.objects.filter(sha256="")) == []


def test_the_agent_of_the_p0_fixture_has_no_password_and_its_role(desk):
    agent = User.objects.get()
    assert (agent.username, agent.has_usable_password(), agent.is_staff) == ("demo-agent", False, False)
    assert list(agent.groups.values_list("name", flat=True)) == ["agent"]
    assert [place.tenant.code for place in agent.memberships.all()] == ["HOTEL1"]


def test_loading_the_p0_fixture_twice_gives_the_same_rows(desk):
    before = {model: list(model.objects.order_by("pk").values()) for model in EVERYTHING}
    load("reference", "p0")
    assert {model: list(model.objects.order_by("pk").values()) for model in EVERYTHING} == before


def test_a_row_of_the_p0_fixture_that_was_changed_is_not_quietly_put_back(desk):
    """What is append-only stays so: the fixture cannot bring another verdict in."""
    changed = json.loads((FOLDER / "p0.json").read_text(encoding="utf-8"))
    event = next(row for row in changed if row["model"] == "audit.auditevent")
    event["fields"]["reason"] = "another reason"
    with pytest.raises(DatabaseError, match="keeps what was written"):
        list(map(saved, deserialize("json", json.dumps([event]))))


def saved(row):
    row.save()


def test_packages_handed_in_on_the_loaded_desk_are_seen_before(desk):
    before = {model: model.objects.count() for model in EVERYTHING}
    output = StringIO()
    call_command("load_p0", "--summary", stdout=output)
    assert output.getvalue() == "P0 mails: 33 known; packages: 42 as expected.\n"
    assert {model: model.objects.count() for model in EVERYTHING} == before
