"""Which order an order task belongs to, and how a person says so (R-25, R-28, R-56, R-60)."""

import pytest

from reservations.models import Order, OrderStatus, OrderTask, Task
from tests import factories
from tests.reservations.board import RESOLVE, answered, keys_of, override, places
from tests.reservations.domain.builders import review
from tests.reservations.domain.orderpackages import order
from tests.reservations.orderboard import booked, noted, status_of

pytestmark = pytest.mark.django_db
CODE = "FIT-O1"
LONG = "K" * 300
INVALID = (422, "TASK_REVIEW_ORDER_INVALID")


@pytest.fixture
def several(hotel):
    """Two individual bookings with the booking code of the package."""
    return [factories.order(hotel, booking_code=code) for code in (CODE, " fit-o1 ")]


@pytest.fixture
def row(orders, several):
    """An order task whose Basic Information is in review."""
    return orders.opened(noted(), booked())


def now(row):
    return OrderTask.objects.select_related("order").get(pk=row.pk)


def orders_of(row):
    """The orders of the order task and of its tasks."""
    return {now(row).order, *(task.order for task in Task.objects.filter(order_task=row).select_related("order"))}


# The order of a context


@pytest.mark.parametrize(("status", "kind"), [("CANCELLED", "FIT"), ("CLOSED", "FIT"), ("ACTIVE", "GROUP")])
def test_r60_only_active_individual_bookings_make_a_code_ambiguous(orders, hotel, several, status, kind):
    Order.objects.filter(pk=several[1].pk).update(status=status, kind=kind)
    row = orders.opened(noted())
    assert (now(row).order, status_of(row)) == (several[0], "PENDING_CONFIRM")


def test_r60_orders_of_another_hotel_do_not_count(orders, other_hotel):
    for _ in range(2):
        factories.order(other_hotel, booking_code=CODE)
    assert status_of(orders.opened(noted())) == "PENDING_CONFIRM"


def test_r60_a_confirmation_number_that_is_known_leaves_no_doubt(orders, hotel, several):
    known = factories.order(hotel, confirmation_number="8801")
    context = order("O1", identifiers={"BOOKING_CODE": CODE, "CONFIRMATION_NUMBER": "8801"})
    row = orders.opened(noted(), orders=[context])
    assert (now(row).order, status_of(row)) == (known, "PENDING_CONFIRM")


def test_r56_a_booking_code_says_nothing_of_a_group(orders, several):
    row = orders.opened(noted(), orders=[order("O1", "GROUP", identifiers={"BOOKING_CODE": CODE})])
    assert (now(row).order.kind, now(row).order.booking_code, status_of(row)) == ("TEMPORARY", None, "PENDING_CONFIRM")


@pytest.mark.parametrize(("group", "block"), [("G1", "G1"), ("G1", " ｇ1 "), ("G1", None), (None, "G1"), ("G1", " ")])
def test_r56_group_and_block_code_that_are_one_make_one_group(orders, group, block):
    codes = {"GROUP_CODE": group, "BLOCK_CODE": block}
    row = orders.opened(noted(), orders=[order("O1", "GROUP", identifiers=codes)])
    assert keys_of(now(row).order) == ("GROUP", "G1", None, None)
    assert field(orders, row, "group_code")["value"].strip() == "G1"


def test_r56_codes_that_differ_pick_none_even_when_one_is_known(orders, hotel):
    factories.order(hotel, order_type="GROUP", group_code="G1")
    codes = {"GROUP_CODE": "G1", "BLOCK_CODE": "B1"}
    row = orders.opened(noted(), orders=[order("O1", "GROUP", identifiers=codes)])
    assert keys_of(now(row).order) == ("TEMPORARY", None, None, None)


def test_r56_the_form_of_codes_that_differ_offers_none_of_them(orders):
    codes = {"GROUP_CODE": "G1", "BLOCK_CODE": "B1"}
    row = orders.opened(noted(), orders=[order("O1", "GROUP", identifiers=codes)])
    shown = field(orders, row, "group_code")
    assert (shown["value"], shown["ai_value"]) == (None, None)
    orders.settle(row)
    assert keys_of(now(row).order) == ("TEMPORARY", None, None, None)


def test_r28_the_code_a_person_gives_makes_it_that_group(orders):
    codes = {"GROUP_CODE": "G1", "BLOCK_CODE": "B1"}
    row = orders.opened(noted(), orders=[order("O1", "GROUP", identifiers=codes)])
    assert answered(orders.settle(row, {"order_context.group_code": " B1 "})) == 200
    assert keys_of(now(row).order) == ("GROUP", "B1", None, None)


def field(orders, row, name):
    return next(line for line in orders.shown(row)["fields"] if line["field_path"] == f"order_context.{name}")


# Basic Information and the keys of the order


@pytest.mark.parametrize(("order_type", "name"), [("GROUP", "group_code"), ("FIT", "confirmation_number")])
def test_r28_a_key_of_another_order_is_refused_and_names_it(orders, hotel, order_type, name):
    other = factories.order(hotel, order_type=order_type, **{name: "TAKEN"})
    row = orders.opened(noted(), orders=[order("O1", order_type, identifiers={})])
    refused = orders.settle(row, {f"order_context.{name}": "ｔaken "})
    assert answered(refused) == (422, "TASK_FIELD_VALUE_INVALID")
    assert places(refused) == [f"/field_values/order_context.{name}"]
    assert other.order_number in refused.json()["errors"][0]["detail"]
    assert (keys_of(now(row).order)[0], status_of(row)) == ("TEMPORARY", "PENDING_CONFIRM")


def test_r28_keys_the_order_has_stay_and_the_card_warns(orders):
    row = orders.opened(noted())
    answer = orders.settle(row, {"order_context.booking_code": "OTHER"}).json()
    assert keys_of(now(row).order) == ("FIT", None, None, CODE)
    assert [warning["code"] for warning in answer["warnings"]] == ["ORDER_KEY_DIFFERS"]


def test_r28_a_booking_code_of_several_orders_is_not_written_by_a_confirmation(orders, several):
    row = orders.opened(noted(), orders=[order("O1", identifiers={})])
    assert answered(orders.settle(row, {"order_context.booking_code": CODE})) == 200
    assert keys_of(now(row).order) == ("TEMPORARY", None, None, None)


@pytest.mark.parametrize("name", ["BOOKING_CODE", "CONFIRMATION_NUMBER", "GROUP_CODE"])
def test_keys_longer_than_an_index_row_are_keys_like_any_other(orders, name):
    order_type = "GROUP" if name == "GROUP_CODE" else "FIT"
    contexts = [order("O1", order_type, identifiers={name: LONG})]
    first, second = (orders.opened(noted(), orders=contexts) for _ in range(2))
    third = orders.opened(noted(), orders=[order("O1", order_type, identifiers={name: LONG + "x"})])
    assert (now(first).order, now(first).order == now(third).order) == (now(second).order, False)
    assert answered(orders.settle(first)) == 200


# resolving


def test_r60_the_card_names_the_candidates_and_no_other_order(orders, row, several, hotel):
    factories.order(hotel, booking_code="ELSE")
    shown = orders.shown(row)
    assert [line["order_id"] for line in shown["order_candidates"]] == [str(order.pk) for order in several]
    assert (shown["status"], shown["review_status"]) == ("PENDING_REVIEW", "PENDING")


@pytest.mark.parametrize("place", [0, 1])
def test_r60_order_task_and_tasks_follow_to_the_named_candidate(orders, row, several, place):
    answer = orders.choose(row, str(several[place].pk))
    assert (answered(answer), answer.json()["order_id"]) == (200, str(several[place].pk))
    assert orders_of(row) == {several[place]}
    assert (answer.json()["review_status"], answer.json()["task_status"]) == ("RESOLVED", "CONFIRMED")
    assert answer.json()["review_resolution"]["confirmed_order_id"] == str(several[place].pk)
    assert orders.write(row, "confirm", card="EVENT_1").json()["order_id"] == str(several[place].pk)


def test_r60_null_is_a_new_order_that_carries_the_code_as_a_third(orders, row, several):
    answer = orders.choose(row, None)
    assert answered(answer) == 200
    assert keys_of(now(row).order) == ("FIT", None, None, CODE)
    assert orders_of(row) & set(several) == set()
    assert answer.json()["review_resolution"]["confirmed_order_id"] is None


def test_r60_null_after_the_others_are_gone_is_a_new_order_still(orders, row, several):
    Order.objects.filter(pk__in=[order.pk for order in several]).update(status=OrderStatus.CANCELLED)
    assert orders.shown(row)["order_candidates"] == []
    assert answered(orders.choose(row, None)) == 200
    assert keys_of(now(row).order) == ("FIT", None, None, CODE)


@pytest.mark.parametrize("status", [OrderStatus.CANCELLED, OrderStatus.CLOSED])
def test_r60_a_candidate_that_ended_meanwhile_is_refused_and_nothing_moves(orders, row, several, status):
    Order.objects.filter(pk=several[0].pk).update(status=status)
    before = orders_of(row)
    refused = orders.choose(row, str(several[0].pk))
    assert (answered(refused), places(refused)) == (INVALID, ["/confirmed_order_id"])
    assert (orders_of(row), status_of(row)) == (before, "PENDING_REVIEW")


@pytest.mark.parametrize("named", [7, True, "", "null", [], {}, "x" * 9000, "\x00"])
def test_r60_what_is_no_id_of_a_candidate_is_refused(orders, row, named):
    refused = orders.choose(row, named)
    assert (answered(refused), status_of(row)) in [
        (INVALID, "PENDING_REVIEW"),
        ((400, "JSON_INVALID"), "PENDING_REVIEW"),
    ]


@pytest.mark.parametrize("body", [{}, {"reason": "x"}, {"field_overrides": []}])
def test_r60_saying_nothing_of_the_order_is_refused(orders, row, body):
    assert answered(orders.write(row, RESOLVE, body)) == INVALID


def test_r60_the_temporary_order_itself_is_no_answer(orders, row):
    assert answered(orders.choose(row, str(row.order_id))) == INVALID


def test_r60_with_another_code_by_an_override_the_orders_of_that_code_count(orders, row, several, hotel):
    other = factories.order(hotel, booking_code="OTHER")
    code = override("order_context.booking_code", "other")
    assert answered(orders.choose(row, str(several[0].pk), code)) == INVALID
    answer = orders.choose(row, str(other.pk), code)
    assert (answered(answer), orders_of(row)) == (200, {other})
    assert answer.json()["warnings"][-1]["code"] == "BOOKING_CODE_AMBIGUOUS"


def test_r60_a_new_order_with_another_code_carries_that_one(orders, row):
    assert answered(orders.choose(row, None, override("order_context.booking_code", "OTHER"))) == 200
    assert keys_of(now(row).order) == ("FIT", None, None, "OTHER")


def test_r28_r60_a_new_order_does_not_take_the_confirmation_number_of_another(orders, row, hotel):
    other = factories.order(hotel, confirmation_number="8801")
    refused = orders.choose(row, None, override("order_context.confirmation_number", "8801"))
    assert answered(refused) == INVALID
    assert places(refused) == ["/field_overrides/0/value"]
    assert other.order_number in refused.json()["errors"][0]["detail"]
    assert (keys_of(now(row).order)[0], status_of(row)) == ("TEMPORARY", "PENDING_REVIEW")


def test_r60_a_draft_prefills_and_is_not_counted(orders, row, several, hotel):
    other = factories.order(hotel, booking_code="OTHER")
    assert answered(orders.write(row, "draft", {"field_values": {"order_context.booking_code": "OTHER"}})) == 200
    assert answered(orders.choose(row, str(other.pk))) == INVALID
    assert answered(orders.choose(row, str(several[0].pk))) == 200


def test_r60_two_contexts_with_one_ambiguous_code_are_decided_apart(orders, several):
    contexts = [order("A", identifiers={"BOOKING_CODE": CODE}), order("B", identifiers={"BOOKING_CODE": CODE})]
    orders.package(noted("A"), noted("B"), orders=contexts)
    first, second = OrderTask.objects.order_by("order_context_index")
    orders.choose(first, str(several[0].pk))
    assert (orders_of(first), now(second).order.kind) == ({several[0]}, "TEMPORARY")
    orders.choose(second, str(several[1].pk))
    assert (orders_of(first), orders_of(second)) == ({several[0]}, {several[1]})


def test_r60_confirming_instead_of_resolving_is_refused(orders, row):
    assert answered(orders.settle(row)) == (409, "TASK_REVIEW_RESOLUTION_REQUIRED")


@pytest.mark.parametrize("action", ["confirm", RESOLVE])
def test_r60_it_is_resolved_once(orders, row, several, action):
    orders.choose(row, str(several[0].pk))
    again = orders.choose(row, str(several[1].pk)) if action == RESOLVE else orders.settle(row)
    assert (answered(again), orders_of(row)) == ((409, "TASK_REVIEW_ALREADY_RESOLVED"), {several[0]})


def test_r39_a_business_review_moves_the_order_task_with_all_its_cards(orders, hotel):
    """What one mail asks for one order stays together."""
    known = factories.order(hotel, confirmation_number="8801")
    asked = noted(manual_review=review("/case_keys/confirmation_number"))
    row = orders.opened(asked, noted(), orders=[order("O1", identifiers={})])
    orders.settle(row)
    number = override("case_keys.confirmation_number", "8801")
    body = {"confirmed_order_id": str(known.pk), "reason": "Asked.", "field_overrides": [number]}
    assert answered(orders.write(row, RESOLVE, body, card="EVENT_1")) == 200
    assert orders_of(row) == {known}
