"""V4 notifications in the back-office (R-11): the list, the page, acknowledging."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from config.audit.models import AuditEvent
from reservations.models import SourceNotification
from reservations.services.notifications import acknowledge_notification
from tests.reservations.admin.pages import a_notification, list_of, main_of, page_of, text_of
from tests.reservations.admin.tasks.forms import act_of, buttons, press, shown_form, writer

LIST = list_of("reservations_sourcenotification")
WORDS = {
    "agent_assessment": "No intent <b>here</b>.",
    "notification": {"title": "Look at it", "body": "It asks."},
    "manual_review": {"review_type": "main_agent_entry_review", "reason_summary": "Too little."},
}


def now(row):
    return SourceNotification.objects.get(pk=row.pk)


def found(desk, **query):
    return [row.pk for row in desk.get(LIST, query).context["cl"].result_list]


def test_it_is_listed_by_whether_somebody_acknowledged_it_and_by_its_code(hotel, desk, reviewer):
    seen = a_notification(hotel, acknowledged_by=reviewer, acknowledged_at=timezone.now(), route_code="S99")
    waiting = a_notification(hotel)
    assert (found(desk, acknowledged="yes"), found(desk, acknowledged="no")) == ([seen.pk], [waiting.pk])
    assert (found(desk, route_code="S99"), found(desk, route_code="S10")) == ([seen.pk], [waiting.pk])


def test_the_page_shows_what_the_agent_says_of_the_mail(hotel, desk):
    page = main_of(desk.get(page_of(a_notification(hotel, route_code="S99", **WORDS))))
    words = ("No intent &lt;b&gt;here&lt;/b&gt;.", "Look at it", "It asks.", "main_agent_entry_review", "Too little.")
    assert [word in page for word in words] == [True] * 5


@pytest.mark.parametrize("value", [None, "text", [1], {"items": [1]}])
def test_whatever_shape_its_words_have_it_is_shown(value, hotel, desk):
    row = a_notification(hotel, agent_assessment=value, notification=value, manual_review=value)
    assert desk.get(page_of(row)).status_code == 200


def test_r11_who_acknowledged_it_and_when_is_kept_and_shown(hotel, desk, reviewer):
    row = a_notification(hotel)
    answer = press(desk, row, "acknowledge")
    assert (answer.status_code, answer.url, now(row).acknowledged_by) == (302, page_of(row), reviewer)
    event = AuditEvent.objects.get(action="NOTIFICATION_ACKNOWLEDGE")
    assert (event.door, event.actor) == ("admin", reviewer)
    page = desk.get(page_of(row))
    assert (buttons(page), f"Acknowledged by {reviewer.username}" in text_of(page)) == ([], True)


def test_r11_of_two_people_both_succeed_and_the_first_is_recorded(hotel, desk, desk_of, reviewer, lead):
    row = a_notification(hotel)
    form = shown_form(desk, row)
    press(desk_of(lead), row, "acknowledge")
    assert (desk.post(act_of(row, "acknowledge"), form).status_code, now(row).acknowledged_by) == (302, lead)


def test_r45_a_version_that_nobody_saw_is_412(hotel, desk):
    row = a_notification(hotel)
    answer = desk.post(act_of(row, "acknowledge"), {"version": "7"})
    assert (answer.status_code, answer.context["work"].attempt.refusal.code) == (412, "PRECONDITION_FAILED")
    assert (now(row).acknowledged_by, buttons(answer)) == (None, ["acknowledge"])


@pytest.mark.parametrize("role", ["auditor", "developer"])
def test_r77_who_may_only_look_sees_no_button_and_is_403(role, hotel, user_of, desk_of):
    browser, row = desk_of(user_of(role, hotel)), a_notification(hotel)
    assert buttons(browser.get(page_of(row))) == []
    assert (browser.post(act_of(row, "acknowledge"), {"version": "1"}).status_code, now(row).version) == (403, 1)


def test_r77_a_notification_of_another_hotel_does_not_exist(other_hotel, desk):
    row = a_notification(other_hotel)
    assert (desk.post(act_of(row, "acknowledge"), {"version": "1"}).status_code, now(row).version) == (404, 1)


def test_an_address_that_is_read_leads_to_the_page_and_nothing_is_done(hotel, desk):
    row = a_notification(hotel)
    address = act_of(row, "acknowledge")
    answers = [getattr(desk, method)(address).status_code for method in ("get", "head", "put", "delete")]
    assert (answers, now(row).version) == ([302, 302, 405, 405], 1)


def test_a_post_without_the_token_of_the_form_is_403(hotel, reviewer):
    browser, row = Client(enforce_csrf_checks=True), a_notification(hotel)
    browser.force_login(reviewer)
    assert browser.post(act_of(row, "acknowledge"), {"version": "1"}).status_code == 403
    assert browser.post(act_of(row, "acknowledge"), shown_form(browser, row)).status_code == 302


def test_the_page_takes_five_statements(hotel, desk, reviewer, django_assert_num_queries):
    """Session, user, access, notification, history."""
    row = a_notification(hotel, **WORDS)
    acknowledge_notification(writer=writer(reviewer, row), notification_id=row.pk)
    with django_assert_num_queries(5):
        desk.get(page_of(row))


def test_the_mail_the_package_and_the_verdict_lead_to_it(hotel, desk):
    row = a_notification(hotel)
    pages = [main_of(desk.get(page_of(source))) for source in (row.source_message, row.submission, row.transition)]
    assert [page_of(row) in page for page in pages] == [True] * 3


def test_a_mail_with_a_notification_is_not_said_to_hold_nothing(hotel, desk):
    row = a_notification(hotel)
    assert "holds nothing for this desk" not in text_of(desk.get(page_of(row.source_message)))
