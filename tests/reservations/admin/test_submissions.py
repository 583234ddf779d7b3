"""The package page: exactly what was sent."""

from __future__ import annotations

from django.urls import reverse

from reservations.models import SubmissionOutcome
from tests import factories
from tests.reservations.admin.pages import a_mail, a_submission, agent_of, list_of, page_of, text_of

PAYLOAD = '{"n":1.0,"big":123456789012345678901234567890,"s":"<script>\u202e</script>"}'


def test_the_package_is_shown_escaped_with_exact_numbers(hotel, desk):
    row = factories.submission(a_mail(hotel), agent_of(hotel), payload=PAYLOAD)
    page = text_of(desk.get(page_of(row)))
    assert ("&quot;n&quot;: 1.0," in page, "123456789012345678901234567890" in page) == (True, True)
    assert ("<script>\u202e" in page, "\u202e" in page, "RLO" in page) == (False, False, True)


def test_the_package_is_downloaded_byte_by_byte(hotel, desk):
    row = factories.submission(a_mail(hotel), agent_of(hotel), payload=PAYLOAD)
    answer = desk.get(reverse("admin:reservations_submission_payload", args=[row.pk]))
    assert (answer.getvalue().decode(), answer["X-Content-Type-Options"]) == (PAYLOAD, "nosniff")
    assert answer["Content-Disposition"].startswith("attachment;")


def test_a_package_of_another_hotel_is_not_downloaded(other_hotel, desk):
    address = reverse("admin:reservations_submission_payload", args=[a_submission(other_hotel).pk])
    assert desk.get(address).status_code == 404


def test_a_kept_package_names_the_events_that_differ(hotel, desk):
    """R-52."""
    row = factories.submission(a_mail(hotel), agent_of(hotel), outcome=SubmissionOutcome.CONFLICT, response="[1,3]")
    assert desk.get(page_of(row)).context["conflicting_events"] == (1, 3)


def test_the_verdicts_stand_in_the_order_of_the_events(hotel, desk):
    row = a_submission(hotel)
    for place in (1, 0):
        factories.transition(row, source_event_index=place + 1, array_index=place)
    verdicts = [verdict for verdict, _kind, _route in desk.get(page_of(row)).context["verdicts"]]
    assert [verdict.source_event_index for verdict in verdicts] == [1, 2]


def test_the_outcome_filter_finds_conflicts(hotel, desk):
    a_submission(hotel)
    kept = factories.submission(a_mail(hotel), agent_of(hotel), outcome=SubmissionOutcome.CONFLICT)
    found = desk.get(list_of("reservations_submission"), {"outcome": "CONFLICT"}).context["cl"].result_list
    assert found == [kept]
