"""The subtype of a V4 event that names none (ambiguities 19 and 20)."""

import pytest

from reservations.data import catalog
from tests.reservations.domain.orderpackages import card_of, codes, judged, order, order_event, order_package, update

ONE = {"guest_name": "Guest A"}


@pytest.mark.parametrize(
    ("event_type", "order_type", "fields", "subtype"),
    [
        ("NEW_BOOKING", "FIT", {}, "new_fit_booking"),
        ("NEW_BOOKING", "GROUP", {}, "new_group_block"),
        ("CANCEL_BOOKING", "FIT", {}, "cancel_fit_booking"),
        ("CANCEL_BOOKING", "GROUP", {}, "cancel_group_block"),
        ("CANCEL_BOOKING", "FIT", {"cancelled_room_quantity": 2}, "cancel_partial_rooms"),
        ("CANCEL_BOOKING", "GROUP", {"cancelled_room_quantity": 2}, "cancel_partial_rooms"),
        ("CANCEL_BOOKING", "FIT", {"cancelled_room_quantity": None}, "cancel_fit_booking"),
        ("CANCEL_BOOKING", "ALLOTMENT", {"cancelled_room_quantity": 2}, "cancel_allotment_control_block"),
        ("TRACE_RESERVATION_NOTES", "FIT", {"departments": ["HSK"]}, "add_department_trace"),
        ("TRACE_RESERVATION_NOTES", "FIT", {"departments": []}, "add_reservation_note"),
        ("TRACE_RESERVATION_NOTES", "GROUP", {}, "add_reservation_note"),
        ("ROOMING_LIST", "GROUP", {"list_action": "initial"}, "submit_rooming_list"),
        ("ROOMING_LIST", "GROUP", {"list_action": "amendment"}, "amend_rooming_list"),
        ("PAYMENT", "FIT", {"payment_kind": "deposit"}, "record_deposit_payment"),
        ("PAYMENT", "GROUP", {"payment_kind": "voucher", "attachment_ids": ["att-1"]}, "register_payment_voucher"),
        ("PAYMENT", "GROUP", {"payment_kind": "billing_instruction"}, "billing_routing_instruction"),
        ("UPDATE_BOOKING", "FIT", {"departure_date": "2026-08-07"}, "update_stay_dates"),
        ("UPDATE_BOOKING", "GROUP", {"group_name": "Cedar"}, "update_group_block_terms"),
    ],
)
@pytest.mark.parametrize("absent", [None, ...])
def test_it_follows_from_order_type_and_content(event_type, order_type, fields, subtype, absent):
    event = order_event(event_type, absent, extracted_fields=fields)
    assert card_of(event, order("O1", order_type)).route.task_subtype == subtype


@pytest.mark.parametrize(
    ("after", "subtype"),
    [
        ({"departure_date": "2026-08-07"}, "update_stay_dates"),
        ({"room_items": [{"room_quantity": 2}]}, "update_room_items"),
        ({"room_quantity": 2}, "update_room_items"),
        ({"adults": 0, "arrival_date": None, "meal_plan": " "}, "update_guest_details"),
        ({"rate_amount": 880, "currency_code": "CNY"}, "update_rate_or_package"),
    ],
)
def test_an_update_is_told_by_what_is_in_after(after, subtype):
    assert card_of(update(None, after=after)).route.task_subtype == subtype


@pytest.mark.parametrize("after", [{}, None, {"arrival_date": None}, {"change_reason": "x"}, {"group_name": "Cedar"}])
def test_an_update_that_tells_nothing_of_its_order_type_is_unresolved(after):
    assert codes(update(None, after=after, before=ONE)) == {1: "ROUTE_UNRESOLVED"}


@pytest.mark.parametrize("after", [{"arrival_date": "2026-08-04", "adults": 2}, {"guest_name": "x", "meal_plan": "BB"}])
def test_an_update_that_tells_two_subtypes_is_unresolved_unless_it_names_one(after):
    assert codes(update(None, after=after)) == {1: "ROUTE_UNRESOLVED"}
    assert codes(update("update_guest_details", after=after)) == {}


@pytest.mark.parametrize(
    ("event_type", "order_type", "changes"),
    [
        ("NEW_BOOKING", "ALLOTMENT", {}),
        ("ROOMING_LIST", "GROUP", {}),
        ("ROOMING_LIST", "GROUP", {"list_action": "Initial"}),
        ("ROOMING_LIST", "FIT", {"list_action": "initial"}),
        ("PAYMENT", "FIT", {}),
        ("PAYMENT", "FIT", {"payment_kind": ["deposit"]}),
    ],
)
def test_without_exactly_one_match_there_is_no_route(event_type, order_type, changes):
    event = order_event(event_type, None, extracted_fields=changes)
    assert codes(event, orders=[order("O1", order_type)]) == {1: "ROUTE_UNRESOLVED"}


def test_what_the_fields_lack_is_looked_up_on_the_event():
    event = order_event("PAYMENT", None, payment_kind="deposit", extracted_fields={"payment_kind": None})
    assert card_of(event).route.task_subtype == "record_deposit_payment"
    both = order_event(
        "PAYMENT", None, payment_kind="deposit", extracted_fields={"payment_kind": "billing_instruction"}
    )
    assert card_of(both).route.task_subtype == "billing_routing_instruction"


def test_a_named_subtype_needs_no_content():
    subtypes = [subtype.task_subtype for subtype in catalog().subtypes if subtype.v4.event_type == "UPDATE_BOOKING"]
    package = order_package(
        *(update(name, after=None, before=None) for name in subtypes), orders=[order("O1", "GROUP")]
    )
    assert [card.route.task_subtype for card in judged(package).cards] == subtypes
