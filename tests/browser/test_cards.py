"""A clerk works on cards: plain forms, in a real browser, with the back-office's own scripts and policy."""

from __future__ import annotations

import pytest

from reservations.models import Task
from reservations.services.drafts import save_draft
from tests import factories
from tests.reservations.admin.pages import page_of
from tests.reservations.admin.tasks.forms import ADULTS, GUEST, booking, in_review, writer

PASSWORD = "a long enough passphrase"


@pytest.fixture
def hotel(committed_db):
    return factories.hotel("HOTEL1", is_default=True)


@pytest.fixture
def clerk(hotel, user_of):
    person = user_of("reviewer", hotel)
    person.set_password(PASSWORD)
    person.save()
    return person


@pytest.fixture
def open_card(clerk, live_server, page):
    """open_card(task): the clerk's browser on the page of this card."""

    def opened(task):
        page.goto(f"{live_server.url}/admin/login/?next={page_of(task)}")
        page.get_by_label("Username").fill(clerk.username)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url(f"{live_server.url}{page_of(task)}")
        return page

    return opened


def state(task):
    return Task.objects.values_list("task_status", flat=True).get(pk=task.pk)


def test_a_clerk_fills_a_field_and_confirms(hotel, open_card):
    task = booking(hotel, ai_payload_json='{"extracted_fields":{"special_requests":"Two\\nlines","adults":2}}')
    page = open_card(task)
    page.get_by_role("button", name="Confirm").click()
    assert page.locator(".refusal li").count() == 5
    page.get_by_label("Guest name").fill("Guest <b>A</b> 客人")
    page.get_by_label("Arrival date").fill("2026-08-03")
    page.get_by_label("Departure date").fill("2026-08-06")
    page.get_by_label("Number of rooms").fill("1")
    page.get_by_label("PMS room type").select_option("TWN")
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("The card is confirmed").wait_for()
    confirmed = Task.objects.get(pk=task.pk).confirmed_payload_json["field_values"]
    assert (state(task), confirmed[GUEST], confirmed[ADULTS]) == ("READY", "Guest <b>A</b> 客人", 2)
    assert confirmed["extracted_fields.special_requests"] == "Two\nlines"


def test_a_clerk_resolves_a_review(hotel, open_card):
    task = in_review(hotel)
    page = open_card(task)
    page.get_by_label("PMS room type").select_option("TWN")
    page.get_by_role("button", name="Resolve").click()
    page.get_by_text("The review is resolved").wait_for()
    assert (state(task), page.get_by_role("button", name="Execute").count()) == ("READY", 1)


def test_a_stale_version_is_told_and_nothing_is_lost(hotel, clerk, open_card):
    task = booking(hotel)
    page = open_card(task)
    page.get_by_label("Adults").fill("4")
    save_draft(writer=writer(clerk, task), task_id=task.pk, body={"field_values": {GUEST: "Guest B"}})
    page.get_by_role("button", name="Confirm").click()
    assert page.locator(".refusal code").first.inner_text() == "PRECONDITION_FAILED"
    assert [page.get_by_label(name).input_value() for name in ("Adults", "Guest name")] == ["4", "Guest B"]
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("The card is confirmed").wait_for()
    confirmed = Task.objects.get(pk=task.pk).confirmed_payload_json["field_values"]
    assert (confirmed[ADULTS], confirmed[GUEST]) == (4, "Guest B")


def test_leaving_with_something_typed_is_asked_about(hotel, open_card):
    page, asked = open_card(booking(hotel)), []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_label("Adults").fill("4")
    page.locator("#nav-sidebar a", has_text="Mails").click(no_wait_after=True)
    page.wait_for_timeout(300)
    assert (asked, page.get_by_label("Adults").input_value()) == (["beforeunload"], "4")
