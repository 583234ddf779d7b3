"""V4 packages as a whole: route code, literals, order contexts, notices (R-55, R-11, R-13; contracts.md section 6)."""

import pytest

from reservations.domain.contract import Generation, RootKind
from tests.reservations.domain.builders import entry_review, source_message
from tests.reservations.domain.orderpackages import judged, order, order_event, order_notice, order_package

SHAPE, ROUTE_CODE, DUPLICATE = "EVENT_SHAPE_INVALID", "V4_ROUTE_CODE_INVALID", "V4_ORDER_REF_DUPLICATE"
NOTIFICATION = "source_message_review_notification"


def fault_of(body):
    judgement = judged(body)
    assert (judgement.cards, judgement.intents, judgement.notice, judgement.contexts) == ((), (), None, ())
    (fault,) = judgement.faults
    assert (fault.source_event_index, fault.array_index, fault.event) == (0, None, None)
    return str(fault.code)


def broken(**changes):
    """A package with an event that would be a card and one that would not."""
    return order_package(order_event(), order_event("X"), **{"unhandled_current_intents": [{}], **changes})


def test_r55_a_package_of_one_order_and_one_event_is_one_card():
    judgement = judged(order_package(order_event()))
    assert (judgement.generation, judgement.root_kind) == (Generation.V4, RootKind.BUSINESS)
    assert [card.route.task_subtype for card in judgement.cards] == ["add_reservation_note"]
    assert [context.order_ref for context in judgement.contexts] == ["O1"]


@pytest.mark.parametrize("code", ["S11", "", "s10", "R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL", 5, False, [], {}])
def test_r55_a_business_package_has_no_route_code(code):
    assert fault_of(broken(route_code=code)) == ROUTE_CODE


def test_r55_a_business_package_is_no_notice_by_its_result_type():
    assert fault_of(broken(result_type=NOTIFICATION)) == ROUTE_CODE


@pytest.mark.parametrize("changes", [{"route_code": ...}, {"result_type": "normal_task"}, {"result_type": None}])
def test_r55_without_either_the_package_is_judged(changes):
    assert len(judged(order_package(order_event(), **changes)).cards) == 1


@pytest.mark.parametrize("key", ["catalog_code", "skill_id", "field_contract_version"])
@pytest.mark.parametrize("value", ["", "M001V3", "M002V4 ", 5, [], True])
def test_r55_the_names_of_the_contract_are_the_three(key, value):
    assert fault_of(broken(**{key: value})) == SHAPE
    assert fault_of(order_notice(**{key: value})) == SHAPE


@pytest.mark.parametrize("value", [None, ...])
def test_r55_the_names_of_the_contract_may_be_absent(value):
    changes = dict.fromkeys(("catalog_code", "skill_id", "field_contract_version"), value)
    assert len(judged(order_package(order_event(), **changes)).cards) == 1


@pytest.mark.parametrize(
    "context",
    [
        None,
        "O1",
        [],
        {},
        order(order_ref=...),
        order(None),
        order(""),
        order(" \u3000"),
        order(5),
        order("O2", "TEMPORARY"),
        order("O2", "fit"),
        order("O2", None),
        order("O2", order_type=...),
        order("O2", identifiers=[]),
        order("O2", identifiers="x"),
        order("O2", identifiers={"BOOKING_CODE": 5}),
        order("O2", identifiers={"OTHER": []}),
        order("O2", display_name=5),
        order("O2", arrival_date=20260803),
        order("O2", account_code={}),
    ],
)
def test_r55_a_misshapen_order_context_is_a_fault_of_the_package(context):
    assert fault_of(broken(orders=[order(), context])) == SHAPE


@pytest.mark.parametrize(
    "context",
    [
        order(),
        order(identifiers=None),
        order(identifiers=...),
        order(identifiers={"BOOKING_CODE": None, "OTHER": "x"}),
        {"order_ref": "O1", "order_type": "FIT"},
        order(arrival_date="soon", unknown=[1]),
    ],
)
def test_r55_null_is_absent_and_unknown_keys_are_ignored(context):
    (found,) = judged(order_package(order_event(), orders=[context])).contexts
    assert found.context is context


@pytest.mark.parametrize("second", [order("O1", "GROUP"), order()])
def test_r55_an_order_reference_stands_once(second):
    assert fault_of(broken(orders=[order(), order("O2"), second])) == DUPLICATE


def test_r17_order_references_compare_exactly():
    orders = [order("O1"), order("o1"), order(" O1")]
    assert [context.order_ref for context in judged(order_package(order_event(), orders=orders)).contexts] == ["O1"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"message_events": {}}, SHAPE),
        ({"orders": "x"}, SHAPE),
        ({"orders": {}}, SHAPE),
        ({"unhandled_current_intents": 5}, SHAPE),
        ({"source_message": source_message(attachments={})}, SHAPE),
        ({"missing_fields": ["x"]}, "ROOT_MISSING_FIELDS"),
        ({"contract_errors": ["x"]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": [{"source_event_index": 3}]}, "EXPLICIT_CONTRACT_ERRORS"),
    ],
)
def test_package_checks_of_v3_hold(changes, code):
    """Step 3 of the routing; decisions 5 and 6."""
    assert fault_of(broken(**changes)) == code


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"message_events": {}, "missing_fields": ["x"], "route_code": "x"}, SHAPE),
        ({"missing_fields": ["x"], "route_code": "x"}, "ROOT_MISSING_FIELDS"),
        ({"route_code": "x", "catalog_code": "x", "orders": [order(), order()]}, ROUTE_CODE),
        ({"catalog_code": "x", "orders": [order(), order()]}, SHAPE),
        ({"orders": [order(), order(), order("O2", "x")]}, SHAPE),
        ({"orders": [order(), order()]}, DUPLICATE),
    ],
)
def test_the_first_package_check_that_fails_gives_the_code(changes, code):
    """Step 3 of the routing, then the table of contracts.md section 6."""
    assert fault_of(broken(**changes)) == code


def test_r09_every_unhandled_intent_is_kept_whatever_its_shape():
    judgement = judged(order_package(orders=[], unhandled_current_intents=[{"intent": "x"}, None, 5]))
    assert [intent.intent for intent in judgement.intents] == [{"intent": "x"}, None, 5]
    assert (judgement.cards, judgement.faults, judgement.contexts) == ((), (), ())


@pytest.mark.parametrize("changes", [{}, {"manual_review": ...}, {"order_contexts": ..., "message_events": None}])
def test_r11_s10_is_a_notice_without_a_review(changes):
    judgement = judged(order_notice(agent_assessment="A thank-you note.", **changes))
    assert (judgement.generation, judgement.root_kind, judgement.faults) == (Generation.V4, RootKind.NOTICE, ())
    assert judgement.notice is not None
    assert (judgement.notice.route_code, judgement.notice.manual_review) == ("S10", None)
    assert (judgement.notice.route.route_code, judgement.notice.agent_assessment) == ("S10", "A thank-you note.")


def test_r11_s99_is_a_notice_with_its_entry_review():
    body = order_notice("S99", unhandled_current_intents=[1])
    judgement = judged(body)
    assert judgement.notice is not None
    assert judgement.notice.manual_review is body["manual_review"]
    assert [intent.intent for intent in judgement.intents] == [1]


@pytest.mark.parametrize("changes", [{"orders": [order()]}, {"message_events": [order_event()]}, {"orders": [5]}])
@pytest.mark.parametrize("code", ["S10", "S99"])
def test_r55_a_notice_has_no_orders_and_no_events(changes, code):
    assert fault_of(order_notice(code, **changes)) == ROUTE_CODE


@pytest.mark.parametrize(
    "body",
    [
        order_notice(manual_review=entry_review()),
        order_notice(manual_review={}),
        order_notice("S99", manual_review=None),
        order_notice("S99", manual_review=entry_review(confidence=...)),
        order_notice("S99", manual_review=entry_review(review_type="type_known_review")),
        order_notice("S99", manual_review=entry_review(missing_fields=["a"])),
    ],
)
def test_r13_a_notice_has_the_review_that_fits_it(body):
    assert fault_of(body) == "NOTICE_REVIEW_INVALID"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"missing_fields": ["x"], "orders": [order()]}, "ROOT_MISSING_FIELDS"),
        ({"orders": {}}, SHAPE),
        ({"orders": [order()], "skill_id": "x"}, ROUTE_CODE),
        ({"skill_id": "x", "manual_review": {}}, SHAPE),
    ],
)
def test_the_first_check_of_a_notice_that_fails_gives_the_code(changes, code):
    assert fault_of(order_notice(**changes)) == code
