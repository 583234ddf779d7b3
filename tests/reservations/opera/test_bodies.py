"""The request bodies: what the catalogue names is there, what the card does not show is not (R-48)."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reservations import data
from reservations.domain.documents import with_value
from reservations.domain.orderkeys import OrderKind
from reservations.opera.bodies.guests import person_name
from reservations.opera.card import Card, OrderFacts, day_before, placeholder_code, placeholder_id
from tests.reservations.opera.payloads import (
    NAME,
    ODD,
    SCOPES,
    SUBTYPES,
    card_of,
    confirmed,
    full,
    minimal,
    payload,
    plan,
)

TEXTS = ("string", "date", "time")
CASES = [(subtype, scope) for subtype in SUBTYPES for scope in SCOPES]
NAMES = [f"{subtype.task_subtype}.{scope}" for subtype, scope in CASES]


def body(subtype: str, fields: dict, *, keys: dict | None = None, call: int = 0) -> dict:
    found = next(row for row in SUBTYPES if row.task_subtype == subtype)
    return plan(found, {"case_keys": keys or {}, "extracted_fields": fields})[call].request_body


def leads_somewhere(document: object, steps: list[str]) -> bool:
    """Is there a value at this place, `[]` meaning any element?"""
    if not steps:
        return document not in (None, "", [], {})
    step, rest = steps[0], steps[1:]
    found = document.get(step.removesuffix("[]")) if isinstance(document, dict) else None
    if step.endswith("[]"):
        return isinstance(found, list) and any(leads_somewhere(entry, rest) for entry in found)
    return leads_somewhere(found, rest)


def everything_in(document: object) -> list[object]:
    inner = document.values() if isinstance(document, dict) else document if isinstance(document, list) else []
    return [document, *(found for value in inner for found in everything_in(value))]


def holds(document: dict, key: str) -> bool:
    """Does the body have this key field? One that begins with `…` may begin anywhere."""
    if not key.startswith("…"):
        return leads_somewhere(document, key.split("."))
    return any(leads_somewhere(part, key[1:].split(".")) for part in everything_in(document))


def keys_of(subtype, operation_id: str) -> tuple[str, ...]:
    return next(row.key_body_fields for row in subtype.operations if row.operation_id == operation_id)


@pytest.mark.parametrize(("subtype", "scope"), CASES, ids=NAMES)
def test_r48_a_full_card_fills_every_key_field_and_passes(subtype, scope):
    planned = plan(subtype, full(subtype, scope))
    assert [call.dry_run for call in planned] == [{"valid": True, "errors": []}] * 2
    missing = [
        (call.operation_id, key)
        for call in planned
        for key in keys_of(subtype, call.operation_id)
        if not holds(call.request_body, key)
    ]
    assert missing == []


@pytest.mark.parametrize(("subtype", "scope"), CASES, ids=NAMES)
def test_r48_a_card_of_nothing_but_required_fields_passes(subtype, scope):
    assert [call.dry_run["valid"] for call in plan(subtype, minimal(subtype, scope))] == [True, True]


@pytest.mark.parametrize(("subtype", "scope"), CASES, ids=NAMES)
def test_r48_texts_as_long_as_their_fields_allow_pass(subtype, scope):
    longest = full(subtype, scope)
    for row in card_of(subtype).rows:
        if row.max_length:
            longest = with_value(longest, row.field_path, "文" * row.max_length)
    assert [call.dry_run["errors"] for call in plan(subtype, longest)] == [[], []]


@pytest.mark.parametrize("subtype", SUBTYPES, ids=lambda subtype: subtype.task_subtype)
@settings(max_examples=40)
@given(choice=st.data(), kind=st.sampled_from(OrderKind))
def test_r48_whatever_valid_values_a_card_holds_its_bodies_pass(subtype, choice, kind):
    planned = plan(subtype, choice.draw(confirmed(subtype)), OrderFacts(kind))
    assert [call.dry_run for call in planned] == [{"valid": True, "errors": []}] * 2


@given(subtype=st.sampled_from(SUBTYPES), keys=ODD, fields=st.dictionaries(st.text(), ODD))
def test_r48_values_of_any_type_never_raise(subtype, keys, fields):
    assert len(plan(subtype, {"case_keys": keys, "extracted_fields": fields})) == 2


@pytest.mark.parametrize("subtype", SUBTYPES, ids=lambda subtype: subtype.task_subtype)
def test_r48_a_field_of_another_type_than_its_own_is_left_out(subtype):
    rows = [row for row in card_of(subtype).rows if row.field_key != "block_status"]  # any value of it picks its call
    wrong = payload((row.field_path, 5 if row.data_type in TEXTS else "text") for row in rows)
    assert [call.request_body for call in plan(subtype, wrong)] == [call.request_body for call in plan(subtype, {})]


def test_r48_a_new_booking_as_the_mail_said_it():
    stay = {"arrival_date": "2026-08-03", "departure_date": "2026-08-06", "adults": 2, "children": Decimal("0.0")}
    room = {"room_items": [{"pms_room_type_code": "DLX", "room_quantity": 1}], "guest_name": "A Guest"}
    money = {"rate_amount": Decimal("880.00"), "currency_code": "CNY"}
    price = {"amountBeforeTax": Decimal("880.00"), "currencyCode": "CNY"}
    reservation = body("new_fit_booking", stay | room | money)["reservations"]["reservation"][0]
    assert reservation["reservationStatus"] == "Reserved"
    assert reservation["roomStay"] == {
        "arrivalDate": "2026-08-03",
        "departureDate": "2026-08-06",
        "guestCounts": {"adults": 2, "children": 0},
        "roomRates": [
            {
                "roomType": "DLX",
                "numberOfUnits": 1,
                "start": "2026-08-03",
                "end": "2026-08-06",
                "rates": {"rate": [{"base": price}]},
                "total": price,
            }
        ],
    }


def test_r48_the_first_allocation_ends_with_the_last_night_and_counts_two_persons():
    stay = {"arrival_date": "2026-09-10", "departure_date": "2026-09-13", "rate_amount": 680}
    room = {"room_items": [{"pms_room_type_code": "TWN", "room_quantity": 12}], "cut_off_date": "2026-08-20"}
    assert body("new_group_block", stay | room, keys={"group_code": "NL-0910"}, call=1)["blockAllocationRange"] == {
        "hotelId": "HOTEL1",
        "blockId": {"id": "PLACEHOLDER:NL-0910", "type": "Block"},
        "roomTypes": ["TWN"],
        "allocationType": "Initial",
        "rangeMode": "Core",
        "incrementFlag": False,
        "beginDate": "2026-09-10",
        "endDate": "2026-09-12",
        "blockInventory": {"twoPerson": 12},
        "blockRates": {"twoPerson": 680},
        "cutoffDate": "2026-08-20",
    }


def test_r48_rooms_given_back_are_an_increment_below_zero():
    given_back = {"booking_scope": "group", "cancelled_room_quantity": 3, "affected_from": "2026-09-10"}
    hidden = {"arrival_date": "2026-01-01", "room_items": [{"pms_room_type_code": "TWN", "room_quantity": 40}]}
    allocation = body("cancel_partial_rooms", given_back | hidden)["blockAllocationRange"]
    assert (allocation["incrementFlag"], allocation["blockInventory"]) == (True, {"twoPerson": -3})
    assert (allocation["beginDate"], allocation["roomTypes"], "endDate" in allocation) == ("2026-09-10", ["TWN"], False)


def test_r48_nothing_is_given_back_that_the_card_does_not_count():
    hidden = {"booking_scope": "group", "room_items": [{"room_quantity": 40}]}
    assert "blockInventory" not in body("cancel_partial_rooms", hidden)["blockAllocationRange"]


def test_r48_a_change_carries_only_what_its_card_is_about():
    fields = {"booking_scope": "individual", "arrival_date": "2026-10-05", "guest_name": "A Guest", "rate_amount": 1}
    assert body("update_stay_dates", fields)["reservations"] == [
        {
            "reservationIdList": [{"id": "PLACEHOLDER", "type": "Reservation"}],
            "hotelId": "HOTEL1",
            "roomStay": {"arrivalDate": "2026-10-05"},
        }
    ]


def test_r48_a_note_keeps_its_place_and_whether_it_is_internal():
    fields = {"note_type": "IN HOUSE", "note_text": "Quiet room", "note_internal": True, "change_reason": "none"}
    comment = {"text": {"value": "Quiet room"}, "type": "IN HOUSE", "internal": True}
    assert body("add_reservation_note", fields)["reservations"][0]["comments"] == [{"comment": comment}]


def test_r48_every_cancelled_room_is_a_reservation_of_its_own():
    fields = {"booking_scope": "individual", "cancelled_room_quantity": 2}
    ids = body("cancel_partial_rooms", fields, keys={"confirmation_number": "8801305"})["cancelReservations"]
    assert [one["id"] for one in ids["reservations"]] == ["PLACEHOLDER:8801305#1", "PLACEHOLDER:8801305#2"]


def test_r48_more_cancelled_rooms_than_opera_takes_fail_the_dry_run():
    fields = {"booking_scope": "individual", "cancelled_room_quantity": 10**18}
    subtype = next(row for row in SUBTYPES if row.task_subtype == "cancel_partial_rooms")
    found = plan(subtype, {"extracted_fields": fields})[0].dry_run
    assert found["errors"] == [
        {"pointer": "/cancelReservations/reservations", "detail": "This may have at most 4000 entries."}
    ]


def test_r48_a_rooming_list_keeps_its_rows_and_numbers():
    rows = [{"row": 7, "names": ["Guest C", "客人 D"], "room_type_raw": "TWN"}, "no row", {"names": 5}]
    made = body("submit_rooming_list", {"rooming_entries": rows, "rooming_list_remark": "Twins together"})
    first, second = made["reservations"]["reservation"]
    assert (first["roomingListSequence"], second["roomingListSequence"]) == (7, 2)
    assert first["hotelReservation"]["roomStay"] == {"roomRates": [{"roomType": "TWN", "numberOfUnits": 1}]}
    assert [guest["primary"] for guest in first["hotelReservation"]["reservationGuests"]] == [True, False]
    assert "comments" not in second["hotelReservation"]
    assert "reservationGuests" not in second["hotelReservation"]


def test_r48_both_calls_of_a_rooming_list_carry_the_same_list():
    subtype = next(row for row in SUBTYPES if row.task_subtype == "submit_rooming_list")
    validated, posted = plan(subtype, full(subtype))
    assert validated.request_body == posted.request_body


def test_r48_an_amended_list_changes_one_reservation_per_row():
    rows = [{"names": ["Guest C"]}, {"names": ["Guest E"]}]
    made = body("amend_rooming_list", {"rooming_entries": rows}, keys={"group_code": "NL-0910"})["reservations"]
    assert [one["reservationIdList"] for one in made] == [
        [{"id": f"PLACEHOLDER:NL-0910#{number}", "type": "Reservation"}] for number in (1, 2)
    ]


def test_r48_a_trace_stands_on_its_day_for_its_departments():
    fields = {"departments": ["CON", "FO"], "trace_text": "Bus", "trace_date": "2026-09-10", "trace_time": "14:30"}
    assert body("add_department_trace", fields, keys={"group_code": "NL-0910"}) == {
        "reservationIds": [{"id": "PLACEHOLDER:NL-0910", "type": "Reservation"}],
        "departmentIds": ["CON", "FO"],
        "traceText": "Bus",
        "timeInfo": {
            "dateTimeSpan": {"startDateTime": "2026-09-10T00:00:00Z", "endDateTime": "2026-09-10T00:00:00Z"},
            "traceTime": "14:30",
        },
        "frequency": "DateRange",
    }


def test_r48_a_group_cancelled_whole_gives_its_reason_for_its_posting_masters_too():
    made = body("cancel_group_block", {"cancel_reason_code": "PLAN", "cancel_effective_date": "2026-07-20"})
    details = {"cancellationCode": {"code": "PLAN"}, "cancellationDate": "2026-07-20"}
    assert made["cancelBlock"]["cancellationDetails"] == details
    assert made["cancelBlock"]["pMReservationsCancellationDetails"] == details


@pytest.mark.parametrize(("parent", "kind"), [("P-1", "SubBlock"), (None, "RegularBooking")])
def test_r48_a_group_split_from_a_parent_is_a_sub_block(parent, kind):
    made = body("new_group_block", {}, keys={"parent_group_code": parent})["blocks"]["blockInfo"][0]["block"]
    assert made["blockDetails"]["blockClassification"] == kind


def test_r48_a_routing_names_the_codes_of_the_pms_as_placeholders():
    made = body("billing_routing_instruction", {"payee_type": "company", "charge_groups": ["ROOM"]})["criteria"][
        "folio"
    ]
    assert made["payeeInfo"] == {"payeeId": {"id": "PLACEHOLDER:company", "type": "Profile"}}
    assert made["instructions"] == [
        {
            "transactionCodes": [{"transactionCode": "PLACEHOLDER:ROOM", "hotelId": "HOTEL1"}],
            "billingInstructions": [{"billingCode": "ROOM", "hotelId": "HOTEL1"}],
        }
    ]


@pytest.mark.parametrize(
    ("contact", "place"),
    [("a@b.example", "emails"), ("+86 20 1234", "telephones"), ("x" * 41, None)],
)
def test_r48_a_contact_goes_where_it_fits(contact, place):
    one = body("update_guest_details", {"guest_contact": contact})["reservations"][0]
    profile = one["reservationGuests"][0]["profileInfo"]["profile"] if "reservationGuests" in one else {}
    assert (list(profile), "comments" in one) == ([place] if place else [], place is None)


@pytest.mark.parametrize(
    ("name", "surname", "given"),
    [
        ("Anna Maria Guest", "Guest", "Anna Maria"),
        ("GUEST/ANNA", "GUEST", "ANNA"),
        ("Guest, Anna", "Guest", "Anna"),
        ("王小明", "王小明", None),
        ("/", "/", None),
        ("x" * 80, "x" * 40, "x" * 40),
    ],
)
def test_a_name_comes_apart_into_surname_and_given_name(name, surname, given):
    found = person_name(name)
    assert (found["surname"], found.get("givenName")) == (surname, given)


@given(NAME.map(str.strip).filter(bool))
def test_no_part_of_a_name_is_longer_than_opera_takes(name):
    found = person_name(name)
    assert [part for part in ("surname", "givenName") if len(found.get(part, "")) > 40] == []


@given(kind=st.sampled_from(["Reservation", "Block"]), name=st.text(), suffix=st.sampled_from(["", "#12"]))
def test_a_placeholder_says_so_and_fits(kind, name, suffix):
    made = placeholder_id(kind, name, suffix)
    assert made["id"].startswith("PLACEHOLDER")
    assert made["id"].endswith(suffix)
    assert len(made["id"]) <= 80
    assert len(placeholder_code(name)) <= 20


def test_a_reservation_is_named_by_the_best_key_of_card_or_order():
    facts = OrderFacts(OrderKind.FIT, confirmation_number="8801305", booking_code="LT-1")
    ids = [
        Card(payload, "HOTEL1", facts).reservation_id()["id"]
        for payload in ({}, {"case_keys": {"confirmation_number": "77"}}, {"case_keys": {"booking_code": "X"}})
    ]
    assert ids == ["PLACEHOLDER:8801305", "PLACEHOLDER:77", "PLACEHOLDER:8801305"]


@pytest.mark.parametrize(("day", "before"), [("2026-03-01", "2026-02-28"), ("soon", "soon"), ("0001-01-01",) * 2])
def test_the_day_before_a_date_or_the_text_as_it_is(day, before):
    assert day_before(day) == before


def test_every_call_with_a_body_has_its_parts():
    called = {row.operation_id for subtype in data.catalog().subtypes for row in subtype.operations if row.body_schema}
    from_parts = {call.operation_id for subtype, scope in CASES for call in plan(subtype, full(subtype, scope))}
    assert called - from_parts == set()
