"""People work on Basic Information in the back-office (R-59 to R-61): each act, its refusals, what stays on the page."""

from __future__ import annotations

import pytest
from django.test import Client

from config.audit.models import AuditEvent
from reservations.admin.ordertasks.acts import ACTS
from reservations.models import OrderTask, TaskCard
from reservations.services.basicinformation import draft_basic_information
from tests import factories
from tests.reservations.admin.ordertasks.opened import (
    ACCOUNT,
    ARRIVAL,
    BOOKING,
    CODE,
    NAME,
    basic_of,
    in_review,
    now,
    opened,
)
from tests.reservations.admin.pages import page_of, text_of
from tests.reservations.admin.tasks.forms import act_of, buttons, form_of, press, shown_form, typed, writer


def faults(answer):
    return {path: [fault.code for fault in found] for path, found in answer.context["work"].placed.items()}


def state(row):
    return (basic_of(row).card_status, now(row).status)


# Doing


def test_r36_a_draft_is_what_differs_from_the_context(hotel, desk, reviewer):
    row = opened(hotel)
    answer = press(desk, row, "draft", **{NAME: "Guest B", ARRIVAL: ""})
    assert (answer.status_code, answer.url) == (302, page_of(row))
    assert basic_of(row).draft_payload_json == {NAME: "Guest B", ARRIVAL: None}
    assert (basic_of(row).draft_by, basic_of(row).version) == (reviewer, 2)


def test_r59_confirming_lets_the_other_cards_be_decided_and_makes_no_operation(hotel, desk, reviewer):
    row = opened(hotel)
    assert press(desk, row, "confirm", **{NAME: "Guest B", "reason": "By phone."}).status_code == 302
    card = basic_of(row)
    assert (state(row), card.decided_by) == (("CONFIRMED", "IN_PROGRESS"), reviewer)
    assert card.confirmed_payload_json["field_values"][NAME] == "Guest B"
    event = AuditEvent.objects.get(action="TASK_CONFIRM")
    assert (event.door, event.actor, event.reason) == ("admin", reviewer, "By phone.")
    assert row.tasks.get().operations.count() == 0


def test_r60_a_review_offers_the_orders_with_the_code_and_picks_none(hotel, desk):
    row, first, second = in_review(hotel)
    factories.order(factories.hotel("HOTEL2"), booking_code=CODE)
    answer = desk.get(page_of(row))
    assert answer.context["work"].orders == [(first, False), (second, False)]
    assert (form_of(answer)["confirmed_order_id"], buttons(answer)) == ("", ["draft", "resolve"])


def test_r60_the_order_task_and_its_cards_follow_to_the_picked_order(hotel, desk):
    row, _first, second = in_review(hotel)
    assert press(desk, row, "resolve", confirmed_order_id=str(second.pk)).status_code == 302
    assert (now(row).order, row.tasks.get().order) == (second, second)
    assert (state(row), basic_of(row).review_status) == (("CONFIRMED", "IN_PROGRESS"), "RESOLVED")


def test_r60_a_new_order_may_be_picked(hotel, desk):
    row, first, second = in_review(hotel)
    press(desk, row, "resolve", confirmed_order_id="new")
    assert (now(row).order in (first, second), now(row).order.booking_code) == (False, CODE)
    assert basic_of(row).review_resolution["confirmed_order_id"] is None


def test_r60_a_typed_booking_code_offers_the_orders_that_carry_it(hotel, desk):
    row, _first, _second = in_review(hotel)
    other = factories.order(hotel, booking_code="BK-2")
    press(desk, row, "draft", **{BOOKING: "bk-2"})
    assert desk.get(page_of(row)).context["work"].orders == [(other, False)]


def test_r61_once_confirmed_the_values_are_only_shown_with_who_and_when(hotel, desk, reviewer):
    row = opened(hotel)
    press(desk, row, "confirm", **{NAME: "Guest B"})
    answer = desk.get(page_of(row))
    shown = {item.path: (item.kind, item.text) for item in answer.context["work"].controls}
    assert (shown[NAME], buttons(answer)) == (("inert", "Guest B"), [])
    assert f"Basic Information confirmed by {reviewer.username}" in text_of(answer)


# Refusals


@pytest.mark.parametrize("name", ["draft", "confirm"])
def test_r45_a_stale_version_is_412_and_what_was_typed_stays(name, hotel, desk, reviewer):
    row = opened(hotel)
    form = typed(shown_form(desk, row), {NAME: "Guest C", "reason": "Because."})
    body = {"field_values": {ARRIVAL: "2026-08-04"}}
    draft_basic_information(writer=writer(reviewer, row), card_id=basic_of(row).pk, body=body)
    answer = desk.post(act_of(row, name), form)
    again = form_of(answer)
    assert (answer.status_code, basic_of(row).version) == (412, 2)
    shown = [again[key] for key in (f"value:{NAME}", f"value:{ARRIVAL}", "version")]
    assert shown == ["Guest C", "2026-08-04", "2"]
    assert desk.post(act_of(row, name), again).status_code == 302


def test_r37_faults_stand_at_their_fields_and_everything_typed_stays(hotel, desk):
    row = opened(hotel)
    answer = press(desk, row, "confirm", **{ARRIVAL: "tomorrow", ACCOUNT: "AC-NONE", "reason": "Because."})
    assert (answer.status_code, faults(answer)) == (422, {ARRIVAL: ["WRONG_TYPE"], ACCOUNT: ["NOT_OFFERED"]})
    form = form_of(answer)
    kept = [form[f"value:{ARRIVAL}"], form[f"value:{ACCOUNT}"], form["reason"]]
    assert (kept, state(row)) == (["tomorrow", "AC-NONE", "Because."], ("PENDING_CONFIRM", "PENDING_CONFIRM"))


def test_r37_a_required_field_without_a_value_is_named(hotel, desk):
    answer = press(desk, opened(hotel), "confirm", **{ACCOUNT: ""})
    assert (answer.status_code, faults(answer)) == (422, {ACCOUNT: ["REQUIRED"]})


@pytest.mark.parametrize("picked", ["", "other", "nonsense"])
def test_r60_any_other_pick_is_refused_at_the_order(picked, hotel, desk):
    row, _first, _second = in_review(hotel)
    other = factories.order(hotel, booking_code="ELSE")
    form = {"confirmed_order_id": str(other.pk) if picked == "other" else picked, NAME: "Guest B"}
    answer = press(desk, row, "resolve", **form)
    assert (answer.status_code, list(faults(answer))) == (422, ["confirmed_order_id"])
    assert (form_of(answer)[f"value:{NAME}"], state(row)) == ("Guest B", ("PENDING_REVIEW", "PENDING_REVIEW"))


@pytest.mark.parametrize("picked", ["first", "new"])
def test_r60_the_pick_is_kept_when_something_else_is_refused(picked, hotel, desk):
    row, first, _second = in_review(hotel)
    value = str(first.pk) if picked == "first" else picked
    answer = press(desk, row, "resolve", **{"confirmed_order_id": value, ACCOUNT: ""})
    assert (answer.status_code, form_of(answer)["confirmed_order_id"]) == (422, value)


def test_r61_a_second_confirm_is_409_and_shows_what_was_typed(hotel, desk):
    row = opened(hotel)
    form = typed(shown_form(desk, row), {NAME: "Guest B"})
    press(desk, row, "confirm")
    answer = desk.post(act_of(row, "confirm"), form | {"version": "2"})
    assert (answer.status_code, answer.context["work"].attempt.refusal.code) == (409, "TASK_STATE_INVALID")
    assert answer.context["work"].leftovers == [("Guest or group name", "Guest B")]


def test_r28_a_key_of_another_order_is_named_at_its_field(hotel, desk):
    factories.order(hotel, confirmation_number="88-1")
    row = opened(hotel, on=factories.order(hotel, order_type="TEMPORARY"))
    answer = press(desk, row, "confirm", **{"order_context.confirmation_number": "88-1"})
    assert (answer.status_code, list(faults(answer))) == (422, ["order_context.confirmation_number"])


# Doors


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("role", ["auditor", "developer"])
def test_r77_who_may_only_look_sees_no_button_and_is_403(role, name, hotel, user_of, desk_of):
    browser, row = desk_of(user_of(role, hotel)), opened(hotel)
    answer = browser.get(page_of(row))
    assert (buttons(answer), [key for key in form_of(answer) if key.startswith("value:")]) == ([], [])
    assert (browser.post(act_of(row, name), {"version": "1"}).status_code, basic_of(row).version) == (403, 1)


@pytest.mark.parametrize("name", ACTS)
def test_r77_an_order_task_of_another_hotel_does_not_exist(name, other_hotel, desk):
    row = opened(other_hotel)
    assert (desk.post(act_of(row, name), {"version": "1"}).status_code, basic_of(row).version) == (404, 1)


@pytest.mark.parametrize("name", ACTS)
def test_an_address_that_is_read_leads_to_the_page_and_nothing_is_done(name, hotel, desk):
    row = opened(hotel)
    answers = [getattr(desk, method)(act_of(row, name)).status_code for method in ("get", "head", "put", "delete")]
    assert (answers, basic_of(row).version) == ([302, 302, 405, 405], 1)


def test_an_order_task_without_basic_information_has_nothing_to_be_done(hotel, desk):
    row = factories.order_task(factories.order(hotel), factories.v4_package(hotel))
    assert desk.post(act_of(row, "confirm"), {"version": "1"}).status_code == 404


def test_a_post_without_the_token_of_the_form_is_403(hotel, reviewer):
    browser, row = Client(enforce_csrf_checks=True), opened(hotel)
    browser.force_login(reviewer)
    assert browser.post(act_of(row, "draft"), {"version": "1"}).status_code == 403
    assert browser.post(act_of(row, "draft"), shown_form(browser, row)).status_code == 302


def test_reading_the_page_changes_nothing(hotel, desk):
    row = opened(hotel)
    rows = [list(model.objects.order_by("id").values()) for model in (OrderTask, TaskCard)]
    events = AuditEvent.objects.count()
    desk.get(page_of(row))
    assert [list(model.objects.order_by("id").values()) for model in (OrderTask, TaskCard)] == rows
    assert AuditEvent.objects.count() == events
