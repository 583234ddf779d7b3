"""The derived `extracted_fields` of a V4 event (contracts.md section 6)."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.data import matrix
from reservations.domain.contract.v4 import derived_fields
from reservations.domain.orderkeys import OrderKind
from tests.reservations.domain.orderpackages import card_of, order, order_event, payment, update

STAY, NOTE = ("Update Booking", "update_stay_dates"), ("Trace Reservation Notes", "add_reservation_note")
DEPOSIT, BILLING = ("Payment", "record_deposit_payment"), ("Payment", "billing_routing_instruction")


def derived(event, pair=None, order_type=OrderKind.FIT):
    return derived_fields(event, order_type, matrix().card(*pair) if pair else None)


def test_after_is_the_field_and_before_the_previous_one():
    event = update(before={"arrival_date": "2026-08-03", "room_quantity": 1}, after={"departure_date": "2026-08-07"})
    assert derived(event) == {
        "departure_date": "2026-08-07",
        "previous_arrival_date": "2026-08-03",
        "previous_room_quantity": 1,
    }


def test_what_extracted_fields_hold_stays_and_after_goes_before_it():
    event = update(
        extracted_fields={"change_reason": "x", "arrival_date": "old", "adults": 2},
        after={"arrival_date": "new", "adults": None, "children": None},
        before=None,
    )
    assert derived(event) == {"change_reason": "x", "arrival_date": "new", "adults": 2, "children": None}


@pytest.mark.parametrize("event_type", ["NEW_BOOKING", "CANCEL_BOOKING", "PAYMENT", "X", None, ["UPDATE_BOOKING"]])
def test_other_events_use_extracted_fields_alone(event_type):
    event = update(event_type=event_type, extracted_fields={"guest_name": "Guest A"})
    assert derived(event) == {"guest_name": "Guest A"}


@pytest.mark.parametrize(
    ("pair", "sent", "fields"),
    [
        (DEPOSIT, {"attachment_ids": ["att-1"]}, {"attachment_ids": ["att-1"]}),
        (
            DEPOSIT,
            {"attachment_ids": ["att-1"], "extracted_fields": {"attachment_ids": ["att-2"]}},
            {"attachment_ids": ["att-1"]},
        ),
        (
            DEPOSIT,
            {"attachment_ids": [], "extracted_fields": {"attachment_ids": ["att-2"]}},
            {"attachment_ids": ["att-2"]},
        ),
        (DEPOSIT, {"attachment_ids": []}, {}),
        (BILLING, {"attachment_ids": ["att-1"]}, {}),
        (None, {"attachment_ids": ["att-1"]}, {}),
    ],
)
def test_the_attachments_of_a_payment_are_those_of_its_card(pair, sent, fields):
    assert derived(payment(**sent), pair) == fields


def test_the_attachments_of_another_event_are_no_field_of_its_card():
    event = order_event("ROOMING_LIST", "submit_rooming_list", attachment_ids=["att-1"])
    assert derived(event, ("Rooming List", "submit_rooming_list")) == {}


@pytest.mark.parametrize(
    ("order_type", "scope"),
    [(OrderKind.FIT, "individual"), (OrderKind.GROUP, "group"), (OrderKind.ALLOTMENT, "group")],
)
@pytest.mark.parametrize("absent", [{}, {"booking_scope": None}, {"booking_scope": " "}])
def test_the_booking_scope_follows_the_order_type(order_type, scope, absent):
    assert derived(update(after=absent, before=None), STAY, order_type) == {"booking_scope": scope}


def test_a_booking_scope_that_was_sent_stays():
    assert derived(update(after={"booking_scope": "group"}, before=None), STAY) == {"booking_scope": "group"}


@pytest.mark.parametrize("pair", [NOTE, None])
def test_a_card_without_the_field_has_no_booking_scope(pair):
    assert derived(order_event(), pair) == {}


def test_the_card_holds_the_derived_fields_and_the_event_those_sent():
    card = card_of(update(), order("O1", "GROUP"))
    assert card.event["extracted_fields"] == {}
    assert card.derived["extracted_fields"] == {
        "arrival_date": "2026-08-04",
        "previous_arrival_date": "2026-08-03",
        "booking_scope": "group",
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
EVENTS = st.fixed_dictionaries(
    {"event_type": st.sampled_from(["UPDATE_BOOKING", "PAYMENT", "NEW_BOOKING", None])},
    optional=dict.fromkeys(("before", "after", "extracted_fields", "attachment_ids"), JSON),
)
CARDS = st.sampled_from([None, *matrix().cards])


@given(event=EVENTS, order_type=st.sampled_from(OrderKind), card=CARDS)
def test_any_event_is_read_unchanged_and_no_sent_value_is_lost(event, order_type, card):
    before = deepcopy(event)
    fields = derived_fields(event, order_type, card)
    assert event == before
    after = event.get("after") if event["event_type"] == "UPDATE_BOOKING" else None
    told = {name: value for name, value in after.items() if value is not None} if isinstance(after, dict) else {}
    known = {"booking_scope", "attachment_ids", *(name for name in told if name.startswith("previous_"))}
    assert {name: fields[name] for name in told if name not in known} == {
        name: value for name, value in told.items() if name not in known
    }


@given(event=EVENTS, order_type=st.sampled_from(OrderKind), card=CARDS)
def test_fields_of_the_derived_copy_are_derived_to_themselves(event, order_type, card):
    fields = derived_fields(event, order_type, card)
    copy = {"event_type": event["event_type"], "extracted_fields": fields}
    assert derived_fields(copy, order_type, card) == fields
