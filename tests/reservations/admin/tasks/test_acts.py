"""People work on cards in the back-office (R-74, R-76): each act, its refusals, and what stays on the page."""

from __future__ import annotations

import re
from datetime import timedelta
from html import escape

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.utils import timezone

from config.audit.models import AuditEvent
from reservations.admin.tasks.acts import ACTS
from reservations.models import CatalogEntry, Order, Task
from reservations.services.claims import claim_task
from reservations.services.drafts import save_draft
from tests import factories
from tests.background import operation, ready
from tests.reservations.admin.pages import page_of, text_of
from tests.reservations.admin.tasks.forms import (
    ADULTS,
    FALLBACK,
    GUEST,
    ROOM_TYPE,
    TRACE,
    act_of,
    booking,
    buttons,
    form_of,
    in_review,
    press,
    shown_form,
    typed,
    writer,
)

DEPARTMENTS = "extracted_fields.departments"


def now(task):
    return Task.objects.get(pk=task.pk)


def notice(hotel):
    return factories.notice(factories.package(hotel))


def held(task, user):
    claim_task(writer=writer(user, task), task_id=task.pk, body={})
    return now(task)


def faults(response):
    return {
        item.path: [fault.code for fault in item.faults] for item in response.context["work"].controls if item.faults
    }


def value(response, path):
    return form_of(response)[f"value:{path}"]


def trace(hotel, **fields):
    pair = {"ai_task_type": "Trace Reservation Notes", "ai_task_subtype": "add_department_trace"}
    route = "R27_TRACE_RESERVATION_NOTES_ADD_DEPARTMENT_TRACE_NORMAL"
    return booking(hotel, ai_payload_json=TRACE, route_code=route, **pair, **fields)


# Doing


def test_r36_a_draft_is_what_differs_from_the_agent(hotel, desk, reviewer):
    task = booking(hotel)
    answer = press(desk, task, "draft", **{ADULTS: "3", "extracted_fields.rate_amount": ""})
    assert (answer.status_code, answer.url) == (302, page_of(task))
    assert now(task).draft_payload_json == {ADULTS: 3, "extracted_fields.rate_amount": None}
    assert (now(task).draft_by, now(task).version) == (reviewer, 2)


def test_r36_the_next_draft_replaces_it_whole(hotel, desk):
    task = booking(hotel)
    press(desk, task, "draft", **{ADULTS: "3"})
    press(desk, task, "draft", **{ADULTS: "2", GUEST: "Guest B"})
    assert now(task).draft_payload_json == {GUEST: "Guest B"}


def test_r36_a_draft_is_shown_with_the_value_of_the_agent_beside_it(hotel, desk):
    task = booking(hotel)
    press(desk, task, "draft", **{ADULTS: "3"})
    answer = desk.get(page_of(task))
    (control,) = [item for item in answer.context["work"].controls if item.path == ADULTS]
    assert (control.text, control.agent) == ("3", "2")


def test_r37_a_confirmed_card_is_ready_with_two_operations(hotel, desk, reviewer):
    task = booking(hotel)
    answer = press(desk, task, "confirm", **{ADULTS: "3", "reason": "As told on the phone."})
    assert (answer.status_code, now(task).task_status, task.operations.count()) == (302, "READY", 2)
    assert now(task).confirmed_payload_json["field_values"][ADULTS] == 3
    event = AuditEvent.objects.get(action="TASK_CONFIRM")
    assert (event.door, event.actor, event.reason) == ("admin", reviewer, "As told on the phone.")


def test_r37_a_value_put_back_to_the_agents_is_confirmed_although_a_draft_holds_another(hotel, desk):
    task = booking(hotel)
    press(desk, task, "draft", **{ADULTS: "3"})
    press(desk, task, "confirm", **{ADULTS: "2"})
    assert now(task).confirmed_payload_json["field_values"][ADULTS] == 2


def test_r33_what_a_browser_spells_otherwise_is_no_change(hotel, desk):
    task = booking(hotel, ai_payload_json='{"extracted_fields":{"special_requests":"a\\r\\n\\nb "}}')
    press(desk, task, "draft")
    assert now(task).draft_payload_json == {}


def test_r39_a_resolved_review_is_ready_on_its_own_order(hotel, desk):
    task = in_review(hotel)
    answer = press(desk, task, "resolve", **{ROOM_TYPE: "TWN"})
    assert (answer.status_code, now(task).task_status, now(task).review_status) == (302, "READY", "RESOLVED")
    assert [row["value"] for row in now(task).review_resolution["field_overrides"]] == ["TWN"]
    assert now(task).review_resolution["confirmed_order_id"] == str(task.order_id)


def test_r39_a_missing_field_is_sent_although_it_holds_what_the_agent_said(hotel, desk):
    task = in_review(hotel)
    assert press(desk, task, "resolve").status_code == 302
    assert [row["field_path"] for row in now(task).review_resolution["field_overrides"]] == [ROOM_TYPE]


def test_r39_a_card_of_a_temporary_order_can_move_to_the_one_its_draft_names(hotel, desk):
    task = in_review(hotel)
    Order.objects.filter(pk=task.order_id).update(kind="TEMPORARY")
    other = factories.order(hotel, confirmation_number="88-1")
    foreign = factories.order(factories.hotel("HOTEL2"), confirmation_number="88-1")
    press(desk, task, "draft", **{"case_keys.confirmation_number": "88-1", ROOM_TYPE: "TWN"})
    offered = [order.pk for order, _chosen in desk.get(page_of(task)).context["work"].orders]
    assert (offered, foreign.pk in offered) == ([task.order_id, other.pk], False)
    press(desk, task, "resolve", confirmed_order_id=str(other.pk))
    assert (now(task).order_id, now(task).task_status) == (other.pk, "READY")


def test_r40_a_drafted_decision_shows_the_fields_of_the_decided_card(hotel, desk):
    task = booking(hotel, **FALLBACK)
    decision = {"review_decision.task_type": "Cancel Booking", "review_decision.task_subtype": "cancel_fit_booking"}
    assert "value:extracted_fields.cancel_reason_text" not in shown_form(desk, task)
    press(desk, task, "draft", **decision)
    assert "value:extracted_fields.cancel_reason_text" in shown_form(desk, task)


def test_r40_a_refused_resolution_shows_the_fields_of_the_card_it_decides_on(hotel, desk):
    """Nothing has to be saved first."""
    task = booking(hotel, **FALLBACK)
    decision = {"review_decision.task_type": "Update Booking", "review_decision.task_subtype": "update_stay_dates"}
    answer = press(desk, task, "resolve", **decision)
    assert (answer.status_code, value(answer, "review_decision.task_subtype")) == (422, "update_stay_dates")
    assert "extracted_fields.booking_scope" in faults(answer)


def test_a_field_that_the_typed_values_hide_is_left_out_and_named(hotel, desk):
    """R-29: a field that is not served cannot be written."""
    task = booking(hotel, **FALLBACK)
    update = {"review_decision.task_type": "Update Booking", "review_decision.task_subtype": "update_stay_dates"}
    cancel = {"review_decision.task_type": "Cancel Booking", "review_decision.task_subtype": "cancel_fit_booking"}
    press(desk, task, "draft", **update)
    answer = press(desk, task, "draft", **cancel, **{"extracted_fields.change_reason": "A whim."})
    assert (answer.status_code, now(task).draft_payload_json) == (302, cancel)
    assert any("Left out" in str(message) for message in get_messages(answer.wsgi_request))


def test_terminating_asks_for_a_reason(hotel, desk):
    task = booking(hotel)
    assert press(desk, task, "terminate").status_code == 400
    assert press(desk, task, "terminate", termination_reason="Sent twice.").status_code == 302
    assert (now(task).task_status, now(task).termination_reason) == ("TERMINATED", "Sent twice.")


def test_r44_claim_release_and_take_over(hotel, desk, desk_of, reviewer, lead):
    task = booking(hotel)
    press(desk, task, "claim")
    assert now(task).claimed_by == reviewer
    press(desk_of(lead), task, "take_over")
    assert now(task).claimed_by == lead
    press(desk_of(lead), task, "release")
    assert now(task).claimed_by is None


def test_a_claim_keeps_what_was_typed(hotel, desk):
    task = booking(hotel)
    answer = press(desk, task, "claim", **{ADULTS: "7"})
    assert (answer.status_code, value(answer, ADULTS), form_of(answer)["version"]) == (200, "7", "2")


def test_r49_execute_and_retry(hotel, desk):
    task = ready(hotel)
    press(desk, task, "execute")
    assert now(task).task_status == "EXECUTING"
    factories.move(task, "FAILED")
    press(desk, task, "retry")
    assert now(task).task_status == "EXECUTING"


def test_r27_a_blocked_card_names_the_one_in_its_way_and_is_not_executed(hotel, desk):
    first = booking(hotel)
    task = ready(hotel, order=first.order, package=factories.package(hotel))
    assert desk.get(page_of(task)).context["way"].task.pk == first.pk
    answer = press(desk, task, "execute")
    assert (answer.status_code, answer.context["work"].attempt.refusal.code) == (409, "TASK_BLOCKED")


def test_r14_a_notice_is_acknowledged(hotel, desk, reviewer):
    task = notice(hotel)
    press(desk, task, "acknowledge")
    assert (now(task).acknowledged_by, now(task).task_status) == (reviewer, "NOTICE")
    assert buttons(desk.get(page_of(task))) == []


# Refusals


@pytest.mark.parametrize("name", ["draft", "confirm", "terminate", "claim", "release"])
def test_r45_a_version_that_is_not_the_present_one_is_412(name, hotel, desk, reviewer):
    task = booking(hotel)
    form = typed(shown_form(desk, task), {ADULTS: "7", "termination_reason": "Why"})
    save_draft(writer=writer(reviewer, task), task_id=task.pk, body={"field_values": {GUEST: "Guest B"}})
    before = now(task)
    answer = desk.post(act_of(task, name), form)
    assert (answer.status_code, now(task).version, now(task).draft_payload_json) == (412, 2, before.draft_payload_json)
    assert (value(answer, ADULTS), form_of(answer)["version"]) == ("7", "2")


def test_r45_after_a_stale_write_what_nobody_touched_is_what_the_card_holds(hotel, desk, reviewer):
    """Pressing the button again does not undo what somebody else saved."""
    task = booking(hotel)
    form = typed(shown_form(desk, task), {ADULTS: "7"})
    save_draft(writer=writer(reviewer, task), task_id=task.pk, body={"field_values": {GUEST: "Guest B"}})
    again = form_of(desk.post(act_of(task, "draft"), form))
    assert desk.post(act_of(task, "draft"), again).status_code == 302
    assert now(task).draft_payload_json == {GUEST: "Guest B", ADULTS: 7}


@pytest.mark.parametrize("version", ["", "x", "9" * 40, "-1"])
def test_r45_a_form_without_a_version_is_stale(version, hotel, desk):
    task = booking(hotel)
    assert press(desk, task, "confirm", version=version).status_code == 412


def test_r44_a_card_that_somebody_else_holds_is_409_and_what_was_typed_stays(hotel, desk, lead):
    task = booking(hotel)
    form = typed(shown_form(desk, task), {GUEST: "Guest B"})
    held(task, lead)
    answer = desk.post(act_of(task, "confirm"), form)
    assert (answer.status_code, value(answer, GUEST)) == (409, "Guest B")
    assert (answer.context["work"].attempt.refusal.code, lead.username in text_of(answer)) == ("TASK_CLAIMED", True)
    assert {"draft", "confirm"} <= set(buttons(answer))


def test_r37_faults_stand_at_their_fields_and_typed_texts_stay(hotel, desk):
    task = booking(hotel)
    typed_in = {ADULTS: "two", "extracted_fields.arrival_date": "tomorrow", "reason": "Because."}
    answer = press(desk, task, "confirm", **typed_in)
    assert answer.status_code == 422
    assert faults(answer) == {ADULTS: ["WRONG_TYPE"], "extracted_fields.arrival_date": ["WRONG_TYPE"]}
    assert [value(answer, ADULTS), value(answer, "extracted_fields.arrival_date")] == ["two", "tomorrow"]
    assert (form_of(answer)["reason"], now(task).task_status) == ("Because.", "PENDING_CONFIRM")


def test_r37_an_emptied_required_field_is_named(hotel, desk):
    answer = press(desk, booking(hotel), "confirm", **{GUEST: " "})
    assert (answer.status_code, faults(answer)) == (422, {GUEST: ["REQUIRED"]})


def test_r39_a_fault_of_an_override_stands_at_its_field(hotel, desk):
    answer = press(desk, in_review(hotel), "resolve", **{ADULTS: "-1", ROOM_TYPE: "NONE"})
    assert (answer.status_code, faults(answer)) == (422, {ADULTS: ["TOO_SMALL"], ROOM_TYPE: ["NOT_OFFERED"]})
    assert value(answer, ROOM_TYPE) == "NONE"


def test_r39_an_order_that_the_card_may_not_have_is_named_at_the_order(hotel, desk):
    other = factories.order(hotel)
    answer = press(desk, in_review(hotel), "resolve", confirmed_order_id=str(other.pk))
    assert (answer.status_code, list(answer.context["work"].placed)) == (422, ["confirmed_order_id"])


def test_r46_a_second_confirm_is_409_and_shows_what_was_typed(hotel, desk):
    task = booking(hotel)
    form = typed(shown_form(desk, task), {GUEST: "Guest B"})
    press(desk, task, "confirm")
    answer = desk.post(act_of(task, "confirm"), form | {"version": "2"})
    assert (answer.status_code, task.operations.count()) == (409, 2)
    assert answer.context["work"].leftovers == [("Guest name", "Guest B")]


@pytest.mark.parametrize("name", ["claim", "draft", "confirm", "resolve", "execute", "retry", "terminate"])
def test_r14_nothing_else_is_done_with_a_notice(name, hotel, desk):
    task = notice(hotel)
    answer = desk.post(act_of(task, name), {"version": "1", "termination_reason": "x"})
    assert (answer.status_code, now(task).version) == (409, 1)


def test_r54_what_no_json_holds_is_refused(hotel, desk):
    answer = press(desk, booking(hotel), "draft", **{GUEST: "a\x00b"})
    assert (answer.status_code, answer.context["work"].attempt.refusal.code) == (400, "JSON_INVALID")


# Doors


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("role", ["auditor", "developer"])
def test_r77_who_may_only_look_sees_no_button_and_is_403(role, name, hotel, user_of, desk_of):
    browser, task = desk_of(user_of(role, hotel)), booking(hotel)
    assert buttons(browser.get(page_of(task))) == []
    assert [key for key in shown_form(browser, task) if key.startswith("value:")] == []
    assert (browser.post(act_of(task, name), {"version": "1"}).status_code, now(task).version) == (403, 1)


def test_r77_only_a_lead_takes_over(hotel, desk, desk_of, lead, user_of):
    task = held(booking(hotel), user_of("reviewer", hotel))
    assert [buttons(browser.get(page_of(task))) for browser in (desk, desk_of(lead))] == [[], ["take-over"]]
    assert press(desk, task, "take_over").status_code == 403


@pytest.mark.parametrize("name", ACTS)
def test_r77_a_card_of_another_hotel_does_not_exist(name, other_hotel, desk, desk_of, lead):
    task = booking(other_hotel)
    assert desk_of(lead).post(act_of(task, name), {"version": "1"}).status_code == 404
    assert now(task).version == 1


@pytest.mark.parametrize("name", ACTS)
def test_an_address_that_is_read_leads_to_the_page_and_nothing_is_done(name, hotel, desk):
    task = booking(hotel)
    answers = [getattr(desk, method)(act_of(task, name)).status_code for method in ("get", "head", "put", "delete")]
    assert (answers, now(task).version) == ([302, 302, 405, 405], 1)


def test_reading_the_page_changes_nothing(hotel, desk):
    task = held(booking(hotel), factories.user("lead", hotel))
    Task.objects.filter(pk=task.pk).update(claim_expires_at=timezone.now() - timedelta(hours=1))
    before, events = Task.objects.filter(pk=task.pk).values().get(), AuditEvent.objects.count()
    desk.get(page_of(task))
    assert (Task.objects.filter(pk=task.pk).values().get(), AuditEvent.objects.count()) == (before, events)


def test_a_post_without_the_token_of_the_form_is_403(hotel, reviewer):
    browser, task = Client(enforce_csrf_checks=True), booking(hotel)
    browser.force_login(reviewer)
    assert browser.post(act_of(task, "claim"), {"version": "1"}).status_code == 403
    assert browser.post(act_of(task, "claim"), shown_form(browser, task)).status_code == 302


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["claim", "terminate", "draft", "confirm"]),
        ({"task_status": "READY"}, ["claim", "terminate", "execute"]),
        ({"task_status": "EXECUTING"}, ["claim"]),
        ({"task_status": "FAILED"}, ["claim", "terminate", "retry"]),
        ({"task_status": "DONE"}, []),
        ({"task_status": "TERMINATED"}, []),
        ({"readonly": True}, []),
    ],
)
def test_the_buttons_are_those_that_the_state_allows(fields, expected, hotel, desk):
    assert buttons(desk.get(page_of(booking(hotel, **fields)))) == expected


def test_a_card_in_review_is_resolved_not_confirmed(hotel, desk):
    assert buttons(desk.get(page_of(in_review(hotel)))) == ["claim", "terminate", "draft", "resolve"]


def test_who_holds_the_card_releases_it(hotel, desk, reviewer):
    task = held(booking(hotel), reviewer)
    assert buttons(desk.get(page_of(task)))[0] == "release"


# What stands on the page


def test_r43_whatever_a_person_typed_is_inert(hotel, desk):
    hostile = "Guest <b>A</b> \u202e客人"
    task = booking(hotel)
    press(desk, task, "draft", **{GUEST: hostile})
    page = text_of(desk.get(page_of(task)))
    assert ("<b>A</b>" in page, "\u202e" in page, escape("Guest <b>A</b> ") in page) == (False, False, True)
    assert shown_form(desk, task)[f"value:{GUEST}"] == hostile


def test_several_choices_are_kept_in_the_order_of_the_agent_and_can_be_emptied(hotel, desk):
    for code in ("CON", "HSK", "FO"):
        CatalogEntry.objects.create(hotel=hotel, catalog="department_catalog", code=code, label_en=code, label_zh=code)
    task = trace(hotel)
    press(desk, task, "draft")
    assert now(task).draft_payload_json == {}
    press(desk, task, "draft", **{DEPARTMENTS: []})
    assert now(task).draft_payload_json == {DEPARTMENTS: None}


def test_a_choice_that_is_not_offered_stays_until_a_person_changes_it(hotel, desk):
    task = booking(hotel, ai_payload_json='{"extracted_fields":{"market_code":"OLD"}}')
    answer = desk.get(page_of(task))
    assert (value(answer, "extracted_fields.market_code"), "OLD (not offered)" in text_of(answer)) == ("OLD", True)


def test_r48_operations_show_body_dry_run_attempts_and_receipt(hotel, desk):
    task = factories.card(hotel, task_status="READY")
    dry_run = {"valid": False, "errors": [{"pointer": "/x", "detail": "Odd."}]}
    operation(task, attempts=2, dry_run=dry_run, receipt={"id": "R-7"})
    page = text_of(desk.get(page_of(task)))
    assert [word in page for word in ("postBlock", "Autumn Leaves", "Not valid", "Odd.", "R-7")] == [True] * 5


def test_every_control_has_a_name_that_a_reader_of_screens_says(hotel, desk):
    """One label for each control with an id; boxes and circles stand in a fieldset with a legend."""
    page = text_of(desk.get(page_of(in_review(hotel))))
    controls = re.findall(r'<(?:input|select|textarea) id="([^"]+)"', page.split('id="card-form"')[1])
    assert controls
    assert [name for name in controls if page.count(f'<label for="{name}"') != 1] == []


@pytest.mark.parametrize(("make", "statements"), [(booking, 9), (in_review, 9), (ready, 11), (notice, 8)])
def test_a_card_takes_a_fixed_number_of_statements(make, statements, hotel, desk, django_assert_num_queries):
    """Session, user, access, card, mail's cards, package, newer, history; fields; operations and queue."""
    task = make(hotel)
    with django_assert_num_queries(statements):
        desk.get(page_of(task))


def test_the_list_names_the_holder_while_the_claim_lasts(hotel, desk, reviewer, lead):
    mine, other, free, late = (booking(hotel) for _ in range(4))
    held(mine, reviewer), held(other, lead), held(late, lead)
    Task.objects.filter(pk=late.pk).update(claim_expires_at=timezone.now() - timedelta(minutes=1))
    address = page_of(mine).rsplit(str(mine.pk), 1)[0]
    found = {
        claim: {row.pk for row in desk.get(address, {"claim": claim}).context["cl"].result_list}
        for claim in ("mine", "others", "nobody")
    }
    assert found == {"mine": {mine.pk}, "others": {other.pk}, "nobody": {free.pk, late.pk}}
    assert text_of(desk.get(address)).count(f">{lead.username}</span>") == 1
