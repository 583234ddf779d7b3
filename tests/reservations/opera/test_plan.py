"""The plan of a card: two calls with everything the desk keeps of them (R-47, R-48)."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import jsontext
from reservations.domain.orderkeys import OrderKind
from reservations.opera.plan import OrderFacts, plan_operations
from tests.reservations.opera.payloads import SUBTYPES, confirmed, full, plan


def test_r47_a_write_and_its_read_back():
    subtype = next(row for row in SUBTYPES if row.task_subtype == "cancel_fit_booking")
    fields = {"cancel_reason_code": "PLAN", "cancel_reason_text": "Plans changed"}
    write, read = plan(subtype, {"case_keys": {"confirmation_number": "8801305"}, "extracted_fields": fields})
    assert (write.sequence, write.operation_id, write.role, write.method) == (
        1,
        "postCancelReservation",
        "write",
        "POST",
    )
    assert write.path == "/rsv/v1/hotels/HOTEL1/reservations/{reservationId}/cancellations"
    assert write.request_body == {
        "reason": {"code": "PLAN", "description": "Plans changed"},
        "reservations": [
            {"reservationIdList": [{"id": "PLACEHOLDER:8801305", "type": "Reservation"}], "hotelId": "HOTEL1"}
        ],
    }
    assert (read.sequence, read.operation_id, read.role, read.method) == (2, "getReservation", "verify", "GET")
    assert (read.body_schema, read.request_body, read.dry_run) == (None, None, {"valid": True, "errors": []})


def test_r48_a_body_that_opera_would_refuse_is_planned_and_says_why():
    subtype = next(row for row in SUBTYPES if row.task_subtype == "update_stay_dates")
    write, _ = plan(subtype, {"extracted_fields": {"arrival_date": "next week"}})
    assert write.dry_run == {
        "valid": False,
        "errors": [{"pointer": "/reservations/0/roomStay/arrivalDate", "detail": "This must have the format date."}],
    }


def test_the_hotel_in_a_path_is_encoded():
    first, _ = plan_operations(
        subtype=SUBTYPES[0], effective_payload={}, hotel_code="A/B", order=OrderFacts(OrderKind.FIT)
    )
    assert first.path == "/rsv/v1/hotels/A%2FB/reservations"


@pytest.mark.parametrize("subtype", SUBTYPES, ids=lambda subtype: subtype.task_subtype)
def test_r48_planning_leaves_the_payload_as_it_was(subtype):
    payload = full(subtype)
    before = copy.deepcopy(payload)
    assert plan(subtype, payload) == plan(subtype, payload)
    assert payload == before


@given(subtype=st.sampled_from(SUBTYPES), choice=st.data())
def test_r48_a_body_is_stored_and_read_back_with_every_digit(subtype, choice):
    for call in plan(subtype, choice.draw(confirmed(subtype))):
        assert jsontext.read(jsontext.write(call.request_body).encode(), max_depth=64) == call.request_body
