"""Who may do what and where: roles, hotels, tokens, and the commands that make them (api.md, R-67, R-77)."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.test import APIClient

from config.accounts.models import Membership, Tenant, User
from config.accounts.roles import ROLES
from config.accounts.services import issue_token
from config.audit.models import AuditEvent
from config.audit.services import Door
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, package
from tests.reservations.services.desk import raw

pytestmark = pytest.mark.django_db
INGEST = "/api/reservation/superagent/task-results"
LISTS = [
    "source-messages",
    "submissions",
    "transitions",
    "routes",
    "orders",
    "tasks",
    "order-tasks",
    "source-notifications",
    "workbench-items",
]
READERS = {"reviewer", "lead", "auditor", "developer"}


def ingest(client):
    return client.generic("POST", INGEST, raw(package(event())), content_type="application/json")


def bearer(key, scheme="Token"):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {key}")
    return client


def code_of(response):
    return response.status_code, response.json()["error_code"]


# Roles


@pytest.mark.parametrize("role", ROLES)
def test_only_the_agent_ingests(hotel, user_of, client_of, role):
    factories.message(hotel, MESSAGE_ID)
    assert ingest(client_of(user_of(role, hotel))).status_code == (200 if role == "agent" else 403)


@pytest.mark.parametrize("role", ROLES)
def test_only_the_gateway_posts_mails(hotel, user_of, client_of, role):
    response = client_of(user_of(role, hotel)).post("/api/reservation/source-messages", {}, format="json")
    assert response.status_code == (400 if role == "gateway" else 403)


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("role", ROLES)
def test_people_read_and_machines_do_not(hotel, user_of, client_of, role, path):
    response = client_of(user_of(role, hotel)).get(f"/api/reservation/{path}")
    assert response.status_code == (200 if role in READERS else 403)


@pytest.mark.parametrize("role", ROLES)
def test_r67_agent_and_gateway_have_no_way_into_the_admin(hotel, user_of, client, role):
    client.force_login(user_of(role, hotel), backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/admin/").status_code == (200 if role in READERS else 302)


def test_a_user_without_a_role_may_nothing(hotel, client_of):
    user = User.objects.create(username="nobody")
    Membership.objects.create(user=user, tenant=hotel)
    client = client_of(user)
    assert {client.get(f"/api/reservation/{path}").status_code for path in LISTS} == {403}
    assert code_of(ingest(client)) == (403, "PERMISSION_DENIED")


def test_roles_add_up(hotel, user_of, client_of):
    factories.message(hotel, MESSAGE_ID)
    user = user_of("agent", hotel)
    call_command("add_user", user.username, role=["reviewer"], no_password=True)
    client = client_of(user)
    assert (ingest(client).status_code, client.get("/api/reservation/tasks").status_code) == (200, 200)


# Hotels


def test_r01_a_package_is_for_the_only_hotel_of_its_credential(hotel, other_hotel, user_of, client_of):
    factories.message(other_hotel, MESSAGE_ID)
    assert ingest(client_of(user_of("agent", other_hotel))).status_code == 200
    assert code_of(ingest(client_of(user_of("agent", hotel)))) == (404, "SOURCE_MESSAGE_NOT_FOUND")


def test_r01_with_several_hotels_it_is_for_the_default_one(hotel, other_hotel, user_of, client_of):
    factories.message(other_hotel, MESSAGE_ID)
    client = client_of(user_of("agent", other_hotel, hotel))
    assert code_of(ingest(client)) == (404, "SOURCE_MESSAGE_NOT_FOUND")
    factories.message(hotel, MESSAGE_ID)
    assert ingest(client).status_code == 200


@pytest.mark.parametrize("members", [0, 2])
def test_without_a_hotel_or_with_several_of_which_none_is_the_default_nothing_is_picked(
    hotel, other_hotel, user_of, client_of, members
):
    places = [other_hotel, factories.hotel("HOTEL3")][:members]
    for place in places:
        factories.message(place, MESSAGE_ID)
    assert code_of(ingest(client_of(user_of("agent", *places)))) == (403, "TENANT_UNDETERMINED")


def test_an_organisation_is_no_hotel(user_of, client_of):
    organisation = Tenant.objects.create(kind="organisation", code="ORG", name="Org", is_default=True)
    assert code_of(ingest(client_of(user_of("agent", organisation)))) == (403, "TENANT_UNDETERMINED")


def test_an_organisation_beside_a_hotel_does_not_count(other_hotel, user_of, client_of):
    organisation = Tenant.objects.create(kind="organisation", code="ORG", name="Org", is_default=True)
    factories.message(other_hotel, MESSAGE_ID)
    assert ingest(client_of(user_of("agent", organisation, other_hotel))).status_code == 200


def test_r77_a_reader_sees_the_rows_of_its_hotels_alone(hotel, other_hotel, user_of, client_of):
    factories.message(hotel)
    theirs = factories.message(other_hotel)
    results = client_of(user_of("auditor", other_hotel)).get("/api/reservation/source-messages").json()["results"]
    assert [row["id"] for row in results] == [str(theirs.id)]


# Tokens


def test_a_token_is_hashed_at_rest(agent):
    key = issue_token(username=agent.username, door=Door.COMMAND)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {AuthToken._meta.db_table}")
        stored = [str(value) for row in cursor.fetchall() for value in row]
    assert [value for value in stored if key in value] == []


def test_no_key_is_in_the_audit(agent):
    key = issue_token(username=agent.username, door=Door.COMMAND)
    line = AuditEvent.objects.get(action="TOKEN_ISSUE")
    assert (line.object_id, key[:8] in str(line.after)) == (str(agent.pk), False)


@pytest.mark.parametrize("scheme", ["Bearer", "Basic", "Tokens", ""])
def test_another_scheme_is_no_credential(agent, scheme):
    key = issue_token(username=agent.username, door=Door.COMMAND)
    assert ingest(bearer(key, scheme)).status_code == 401


@pytest.mark.parametrize("header", ["Token", "Token ", "Token a b", "Token \xff", "Token " + "x" * 5000])
def test_a_malformed_header_is_401_and_says_how_to_do_it(agent, header):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    response = ingest(client)
    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"
    assert response["WWW-Authenticate"].startswith("Token")


def test_no_credential_is_401(hotel):
    assert code_of(ingest(APIClient())) == (401, "NOT_AUTHENTICATED")


def test_a_wrong_key_with_a_right_beginning_is_401(agent):
    key = issue_token(username=agent.username, door=Door.COMMAND)
    assert code_of(ingest(bearer(key[:-1] + ("0" if key[-1] != "0" else "1")))) == (401, "AUTHENTICATION_FAILED")


def test_a_token_is_good_until_it_expires(agent):
    factories.message(agent.memberships.get().tenant, MESSAGE_ID)
    key = issue_token(username=agent.username, valid_for=timedelta(hours=1), door=Door.COMMAND)
    assert ingest(bearer(key)).status_code == 200
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert code_of(ingest(bearer(key))) == (401, "AUTHENTICATION_FAILED")


def test_a_revoked_token_is_401_and_the_other_one_stays_good(agent):
    factories.message(agent.memberships.get().tenant, MESSAGE_ID)
    first, second = (issue_token(username=agent.username, door=Door.COMMAND) for _ in range(2))
    AuthToken.objects.get(token_key=first[:15]).delete()
    assert (ingest(bearer(first)).status_code, ingest(bearer(second)).status_code) == (401, 200)


def test_an_inactive_user_is_401(agent, agent_client):
    User.objects.filter(pk=agent.pk).update(is_active=False)
    assert code_of(ingest(agent_client)) == (401, "AUTHENTICATION_FAILED")


def test_a_session_may_read_and_needs_csrf_to_write(hotel, agent, reviewer):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/api/reservation/tasks").status_code == 200
    client.force_login(agent, backend="django.contrib.auth.backends.ModelBackend")
    assert ingest(client).status_code == 403


# Commands


def command(*args, **options):
    out = StringIO()
    call_command(*args, stdout=out, **options)
    return out.getvalue().strip()


def test_issue_token_prints_a_key_that_works(agent):
    factories.message(agent.memberships.get().tenant, MESSAGE_ID)
    assert ingest(bearer(command("issue_token", agent.username))).status_code == 200


def test_issue_token_sets_the_expiry_it_is_asked_for(agent):
    command("issue_token", agent.username, days=2)
    left = AuthToken.objects.get().expiry - timezone.now()
    assert timedelta(days=1, hours=23) < left <= timedelta(days=2)


@pytest.mark.parametrize("days", [0, -1, 36501])
def test_issue_token_refuses_other_numbers_of_days(agent, days):
    with pytest.raises(CommandError):
        command("issue_token", agent.username, days=days)


def test_issue_token_refuses_an_unknown_user(db):
    with pytest.raises(CommandError, match="nobody"):
        command("issue_token", "nobody")


def test_add_user_makes_a_user_with_roles_and_memberships(hotel, other_hotel):
    command("add_user", "ada", role=["reviewer", "lead"], member=["hotel:HOTEL1", "hotel:HOTEL2"], no_password=True)
    user = User.objects.get(username="ada")
    assert set(user.groups.values_list("name", flat=True)) == {"reviewer", "lead"}
    assert set(user.access.tenant_ids("hotel")) == {hotel.pk, other_hotel.pk}
    assert (user.is_staff, user.is_superuser, user.has_usable_password()) == (True, False, False)


def test_add_user_is_safe_to_repeat_and_adds(hotel, other_hotel):
    command("add_user", "ada", role=["agent"], member=["hotel:HOTEL1"], no_password=True)
    command("add_user", "ada", role=["agent"], member=["hotel:HOTEL1", "hotel:HOTEL2"], no_password=True)
    user = User.objects.get(username="ada")
    assert (user.groups.count(), user.memberships.count(), user.is_staff) == (1, 2, False)


def test_add_user_takes_the_password_from_the_environment_and_keeps_it(hotel, monkeypatch):
    monkeypatch.setenv("COUNTERSIGN_PASSWORD", "correct horse")
    command("add_user", "ada", role=["lead"])
    command("add_user", "ada", role=["reviewer"], no_password=True)
    assert User.objects.get(username="ada").check_password("correct horse")


@pytest.mark.parametrize("password", ["123", "password", "98765432198"])
def test_add_user_refuses_a_password_that_is_easy_to_guess_and_makes_nobody(password, hotel, monkeypatch):
    monkeypatch.setenv("COUNTERSIGN_PASSWORD", password)
    with pytest.raises(CommandError):
        command("add_user", "ada", role=["reviewer"])
    assert not User.objects.filter(username="ada").exists()


def test_add_user_without_a_terminal_says_where_to_put_the_password(hotel, monkeypatch):
    monkeypatch.delenv("COUNTERSIGN_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", StringIO())
    with pytest.raises(CommandError, match="COUNTERSIGN_PASSWORD"):
        command("add_user", "ada", role=["reviewer"])


@pytest.mark.parametrize("member", ["HOTEL1", "hotel:", "hotel:NOWHERE", "motel:HOTEL1", ":"])
def test_add_user_refuses_a_hotel_it_does_not_know_and_makes_nobody(hotel, member):
    with pytest.raises(CommandError):
        command("add_user", "ada", role=["agent"], member=[member], no_password=True)
    assert not User.objects.filter(username="ada").exists()


def test_add_user_refuses_an_unknown_role(hotel):
    with pytest.raises(CommandError):
        command("add_user", "ada", "--role", "boss", "--no-password")


def test_add_user_leaves_an_audit_line_without_the_password(hotel, monkeypatch):
    monkeypatch.setenv("COUNTERSIGN_PASSWORD", "correct horse")
    command("add_user", "ada", role=["lead"], member=["hotel:HOTEL1"])
    line = AuditEvent.objects.get(action="USER_ADD")
    assert line.after == {
        "username": "ada",
        "roles": ["lead"],
        "tenants": ["HOTEL1"],
        "is_superuser": False,
        "password_set": True,
    }


def test_a_form_is_bounded_before_anybody_is_known(client, db):
    assert client.post("/admin/login/", {"username": "x" * 300_000, "password": "y"}).status_code == 400
