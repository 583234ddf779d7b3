"""Two calls for every card (R-47)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations import data
from reservations.domain.orderkeys import OrderKind
from reservations.opera.card import Card, OrderFacts
from reservations.opera.picks import pick_operations
from tests.reservations.opera.payloads import ODD, SUBTYPES, confirmed


def picked(pair: tuple[str, str], payload: dict, kind: OrderKind = OrderKind.FIT) -> list[str]:
    subtype = data.catalog().subtype(*pair)
    operations = pick_operations(subtype, Card(payload, "HOTEL1", OrderFacts(kind)))
    return [operation.operation_id for operation in operations]


@given(subtype=st.sampled_from(SUBTYPES), choice=st.data(), kind=st.sampled_from(OrderKind))
def test_r47_two_calls_for_every_card_and_kind_of_order(subtype, choice, kind):
    card = Card(choice.draw(confirmed(subtype)), "HOTEL1", OrderFacts(kind))
    assert len(pick_operations(subtype, card)) == 2


@given(subtype=st.sampled_from(SUBTYPES), fields=ODD, kind=st.sampled_from(OrderKind))
def test_r47_two_calls_whatever_the_fields_hold(subtype, fields, kind):
    card = Card({"extracted_fields": fields}, "HOTEL1", OrderFacts(kind))
    assert len(pick_operations(subtype, card)) == 2


@pytest.mark.parametrize(
    ("scope", "calls"),
    [("individual", ["putReservation", "getReservation"]), ("group", ["putBlock", "getBlock"])],
)
@pytest.mark.parametrize("kind", [OrderKind.FIT, OrderKind.GROUP])
def test_r47_the_scope_on_the_card_decides_and_not_the_order(scope, calls, kind):
    payload = {"extracted_fields": {"booking_scope": scope}}
    assert picked(("Update Booking", "update_stay_dates"), payload, kind) == calls


@pytest.mark.parametrize(
    ("kind", "calls"),
    [
        (OrderKind.FIT, ["putReservation", "getReservation"]),
        (OrderKind.GROUP, ["putBlock", "getBlock"]),
        (OrderKind.TEMPORARY, ["putBlock", "getBlock"]),
    ],
)
def test_r47_without_a_scope_the_kind_of_the_order_decides(kind, calls):
    assert picked(("Update Booking", "update_stay_dates"), {}, kind) == calls


@pytest.mark.parametrize(
    ("status", "calls"), [("DEF", ["putBlock", "putBlockStatus"]), (None, ["putBlock", "getBlock"])]
)
def test_r47_a_status_given_is_written_and_else_the_block_is_read_back(status, calls):
    payload = {"extracted_fields": {"block_status": status}}
    assert picked(("Update Booking", "update_group_block_terms"), payload, OrderKind.GROUP) == calls


def test_a_catalogue_that_leads_to_one_call_is_refused():
    subtype = replace(SUBTYPES[0], operations=SUBTYPES[0].operations[:1])
    with pytest.raises(ValueError, match="leads to 1 calls instead of two"):
        pick_operations(subtype, Card({}, "HOTEL1", OrderFacts(OrderKind.FIT)))
