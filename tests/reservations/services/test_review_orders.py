"""R-39: which order a review confirms, through the API."""

import pytest

from reservations.models import OrderStatus
from tests import factories
from tests.reservations.board import (
    answered,
    keys_of,
    note,
    only_lines,
    override,
    review,
    unkeyed,
)

pytestmark = pytest.mark.django_db
CONFIRMATION, GROUP_CODE, BOOKING = "case_keys.confirmation_number", "case_keys.group_code", "case_keys.booking_code"
LINE = "MANUAL_REVIEW_RESOLVE_REFUSED"


def pointing(pointer, value="DLX", **more):
    return {"field_pointer": pointer, "value": value, **more}


def test_r39_the_card_moves_to_the_order_its_key_names(board, hotel):
    other = factories.order(hotel, confirmation_number="C-1", display_name="Guest A")
    card = board.card(unkeyed())
    own = board.order(card)
    answer = board.resolve(card, override(CONFIRMATION, "c-1"), order=str(other.pk)).json()
    assert (answer["order_id"], answer["review_resolution"]["confirmed_order_id"]) == (str(other.pk),) * 2
    assert board.get(card)["order_id"] == str(other.pk)
    assert (keys_of(other), keys_of(own)) == (("FIT", None, "C-1", None), ("TEMPORARY", None, None, None))


def test_r39_any_of_several_orders_with_the_booking_code(board, hotel):
    orders = [factories.order(hotel, booking_code="B-1") for _ in range(3)]
    for order in orders:
        card = board.card(unkeyed(manual_review=review("/case_keys/booking_code")))
        answer = board.resolve(card, override(BOOKING, "b-1"), order=str(order.pk))
        assert (answered(answer), board.get(card)["order_id"]) == (200, str(order.pk))


def test_r39_a_booking_code_of_several_and_the_own_order_stays_unnamed(board, hotel):
    for _ in range(2):
        factories.order(hotel, booking_code="B-1")
    card = board.card(unkeyed(manual_review=review("/case_keys/booking_code")))
    assert answered(board.resolve(card, override(BOOKING, "B-1"))) == 200
    assert keys_of(board.order(card)) == ("TEMPORARY", None, None, None)


@pytest.mark.parametrize("status", [OrderStatus.CANCELLED, OrderStatus.CLOSED])
def test_r39_an_order_that_is_over_cannot_be_chosen(board, hotel, status):
    other = factories.order(hotel, confirmation_number="C-1", status=status)
    refused = board.resolve(board.card(unkeyed()), override(CONFIRMATION, "C-1"), order=str(other.pk))
    assert answered(refused) == (422, "TASK_REVIEW_ORDER_INVALID")


def test_r39_an_order_the_overrides_do_not_name_cannot_be_chosen(board, hotel):
    other = factories.order(hotel, confirmation_number="C-1")
    card = board.card(unkeyed())
    with only_lines(LINE):
        refused = board.resolve(card, override(CONFIRMATION, "C-2"), order=str(other.pk))
    assert answered(refused) == (422, "TASK_REVIEW_ORDER_INVALID")


def test_r39_a_key_of_the_agent_alone_names_no_order(board, hotel):
    orders = [factories.order(hotel, booking_code="B-1") for _ in range(2)]
    asked = review("/extracted_fields/note_text")
    card = board.card(note(booking_code="B-1") | {"manual_review": asked})
    text = override("extracted_fields.note_text", "Quiet")
    assert answered(board.resolve(card, text, order=str(orders[0].pk))) == (422, "TASK_REVIEW_ORDER_INVALID")
    assert answered(board.resolve(card, text, override(BOOKING, "B-1"), order=str(orders[0].pk))) == 200


def test_r39_a_card_with_an_order_of_its_own_moves_nowhere(board, hotel):
    other = factories.order(hotel, confirmation_number="C-2")
    card = board.card(note(confirmation_number="C-1") | {"manual_review": review("/case_keys/confirmation_number")})
    refused = board.resolve(card, override(CONFIRMATION, "C-2"), order=str(other.pk))
    assert answered(refused) == (422, "TASK_REVIEW_ORDER_INVALID")


def test_r39_another_hotels_order_cannot_be_chosen(board, other_hotel):
    other = factories.order(other_hotel, confirmation_number="C-1")
    refused = board.resolve(board.card(unkeyed()), override(CONFIRMATION, "C-1"), order=str(other.pk))
    assert answered(refused) == (422, "TASK_REVIEW_ORDER_INVALID")


def test_r25_a_group_code_names_the_order_whose_block_code_it_is(board, hotel):
    other = factories.order(hotel, group_code="AL-1", order_type="ALLOTMENT")
    card = board.card(unkeyed(manual_review=review("/case_keys/block_code")))
    assert answered(board.resolve(card, pointing("/case_keys/block_code", "al-1"), order=str(other.pk))) == 200


def test_r39_a_hidden_order_is_never_chosen(board, hotel):
    hidden = factories.order(hotel, order_type="TECHNICAL", confirmation_number="C-1")
    refused = board.resolve(board.card(unkeyed()), override(CONFIRMATION, "C-1"), order=str(hidden.pk))
    assert answered(refused) == (422, "TASK_REVIEW_ORDER_INVALID")
