"""Users, places, tokens and the audit in the back-office."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from config.accounts.models import Membership, Tenant, User
from config.accounts.services import issue_token
from config.audit.models import AuditEvent
from config.audit.services import Door, record
from tests import factories

PAGES = ("accounts_user", "accounts_tenant", "accounts_membership", "knox_authtoken", "audit_auditevent")


def desk(user):
    browser = Client()
    browser.force_login(user)
    return browser


def rows(browser, page, **query):
    return list(browser.get(reverse(f"admin:{page}_changelist"), query).context["cl"].result_list)


@pytest.fixture
def superuser(db):
    return factories.user("auditor", superuser=True)


@pytest.fixture
def token(agent):
    issue_token(username=agent.username, door=Door.COMMAND)
    return AuthToken.objects.get()


def test_nothing_is_registered_that_edits():
    """R-76: no raw editing. Groups, axes and knox bring pages of their own, which are not here."""
    labels = {model._meta.label for model in admin.site._registry if model._meta.app_label != "reservations"}
    assert labels == {"accounts.User", "accounts.Tenant", "accounts.Membership", "knox.AuthToken", "audit.AuditEvent"}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("role", ["reviewer", "developer"])
def test_people_and_audit_are_not_for_every_role(page, role, hotel, user_of):
    assert desk(user_of(role, hotel)).get(reverse(f"admin:{page}_changelist")).status_code == 403


@pytest.mark.parametrize("page", PAGES)
def test_a_superuser_reads_every_list_and_detail(page, superuser, token, hotel):
    browser = desk(superuser)
    for row in rows(browser, page):
        address = reverse(f"admin:{page}_change", args=[admin.utils.quote(row.pk)])
        assert browser.get(address).status_code == 200


@pytest.mark.parametrize(
    ("page", "statements"), [("accounts_user", 8), ("accounts_membership", 5), ("audit_auditevent", 5)]
)
@pytest.mark.parametrize("extra", [1, 3])
def test_a_list_takes_the_same_statements_for_more_rows(
    page, statements, extra, superuser, hotel, django_assert_num_queries
):
    for _number in range(extra):
        person = factories.user("reviewer", hotel)
        record(tenant=hotel, actor=person, door=Door.COMMAND, action="X", object_type="user", object_id="1")
    browser = desk(superuser)
    with django_assert_num_queries(statements):
        browser.get(reverse(f"admin:{page}_changelist"))


def test_a_token_is_revoked_by_a_post_and_audited(superuser, token):
    answer = desk(superuser).post(reverse("admin:knox_authtoken_revoke", args=[token.pk]))
    event = AuditEvent.objects.order_by("id").last()
    assert (answer.status_code, AuthToken.objects.count()) == (302, 0)
    assert (event.action, event.actor, event.door) == ("TOKEN_REVOKE", superuser, Door.ADMIN)


def test_a_get_revokes_nothing(superuser, token):
    answer = desk(superuser).get(reverse("admin:knox_authtoken_revoke", args=[token.pk]))
    assert (answer.status_code, AuthToken.objects.count()) == (405, 1)


def test_a_revocation_needs_the_csrf_token(superuser, token):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(superuser)
    answer = browser.post(reverse("admin:knox_authtoken_revoke", args=[token.pk]))
    assert (answer.status_code, AuthToken.objects.count()) == (403, 1)


def test_nobody_else_revokes(auditor, token):
    answer = desk(auditor).post(reverse("admin:knox_authtoken_revoke", args=[token.pk]))
    assert (answer.status_code, AuthToken.objects.count()) == (403, 1)


def test_an_auditor_reads_the_events_of_its_own_hotels_alone(hotel, other_hotel, auditor):
    for place in (hotel, other_hotel, None):
        record(
            tenant=place, actor=None, door=Door.COMMAND, action="X", object_type="o", object_id="1", after={"a": "<b>"}
        )
    browser = desk(auditor)
    (own,) = rows(browser, "audit_auditevent")
    pages = [
        browser.get(reverse("admin:audit_auditevent_change", args=[event.pk])) for event in AuditEvent.objects.all()
    ]
    assert (own.tenant_id, sorted(page.status_code for page in pages)) == (hotel.pk, [200, 404, 404])


def test_whoever_may_read_people_reads_those_of_its_own_places(hotel, other_hotel, reviewer, user_of):
    factories.user("reviewer", other_hotel)
    colleague = factories.user("lead", hotel, other_hotel)
    group = reviewer.groups.get()
    content = {"content_type__app_label": "accounts", "codename__in": ["view_user", "view_tenant", "view_membership"]}
    group.permissions.add(*group.permissions.model.objects.filter(**content))
    browser = desk(User.objects.get(pk=reviewer.pk))
    people = rows(browser, "accounts_user")
    assert {person: [one.tenant_id for one in person.memberships.all()] for person in people} == {
        reviewer: [hotel.pk],
        colleague: [hotel.pk],
    }
    assert rows(browser, "accounts_tenant") == [Tenant.objects.get(pk=hotel.pk)]
    own = Membership.objects.filter(tenant=hotel)
    assert rows(browser, "accounts_membership") == list(own.order_by("user__username", "id"))


def test_the_role_filter_narrows(superuser, reviewer):
    assert rows(desk(superuser), "accounts_user", role="reviewer") == [reviewer]
