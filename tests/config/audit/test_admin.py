"""The audit in the back-office: where an event stands in its chain, and a check of the chains."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.audit.models import AuditEvent
from config.audit.services import purge, seal
from tests import factories
from tests.config.audit.chains import without_triggers, write

pytestmark = pytest.mark.django_db
CHAINS = "/admin/audit/auditevent/chains/"


def browser_of(user):
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.fixture
def browser(auditor):
    return browser_of(auditor)


def places(response):
    return [report.tenant for report in response.context["reports"]]


def page_of(event):
    return reverse("admin:audit_auditevent_change", args=[event.pk])


def test_the_check_is_about_the_places_of_the_person(hotel, other_hotel, browser):
    write(hotel, 2)
    write(other_hotel)
    seal()
    response = browser.get(CHAINS)
    assert places(response) == ["HOTEL1"]
    assert "pill-good" in response.content.decode()


def test_a_superuser_checks_every_chain(hotel, other_hotel):
    superuser = factories.user("auditor", superuser=True)
    assert places(browser_of(superuser).get(CHAINS)) == ["HOTEL1", "HOTEL2", None]


def test_the_check_names_the_broken_event(hotel, browser):
    event = write(hotel, 3)[1]
    seal()
    with without_triggers():
        AuditEvent.objects.filter(pk=event.pk).update(reason="another")
    page = browser.get(CHAINS).content.decode()
    assert ("at position 2: content" in page, page_of(event) in page) == (True, True)


@pytest.mark.parametrize("role", ["reviewer", "developer"])
def test_the_check_is_not_for_every_role(role, hotel):
    assert browser_of(factories.user(role, hotel)).get(CHAINS).status_code == 403


def test_the_check_takes_no_post(browser):
    assert browser.post(CHAINS).status_code == 405


def test_the_list_leads_to_the_check_and_shows_positions(hotel, browser):
    write(hotel, 2)
    seal()
    write(hotel)
    page = browser.get(reverse("admin:audit_auditevent_changelist"))
    assert [row.position for row in page.context["cl"].result_list] == [None, 2, 1]
    assert f'href="{CHAINS}"' in page.content.decode()


def test_an_event_shows_its_place_in_the_chain(hotel, browser):
    (event,) = write(hotel)
    assert "Not sealed yet" in browser.get(page_of(event)).content.decode()
    seal()
    event.refresh_from_db()
    page = browser.get(page_of(event)).content.decode()
    assert (event.hash in page, event.content_sha256 in page, "Not sealed yet" in page) == (True, True, False)


def test_an_event_says_that_it_was_purged(hotel, browser):
    (event,) = write(hotel, before={"guest": "Guest A"})
    seal()
    purge(tenant_id=hotel.pk, until=timezone.now() + timedelta(hours=1))
    page = browser.get(page_of(event)).content.decode()
    assert ("Purged" in page, "Guest A" in page) == (True, False)
