"""Which kind of package a body is (R-05, R-06; reservations-domain.md section 6)."""

import pytest

from reservations.domain.contract import Generation, Root, RootKind, classify
from reservations.domain.errors import AdapterContractRefused, AdapterDetail
from tests.reservations.domain.builders import entry_review, event, notice, old_package, package, source_message

V4 = {"source_message": source_message(), "order_contexts": [], "message_events": []}
BARE_S10 = {"source_message": source_message(), "route_code": "S10"}


def refusal(body):
    with pytest.raises(AdapterContractRefused) as caught:
        classify(body)
    return caught.value.detail_code


@pytest.mark.parametrize(
    ("body", "generation", "kind"),
    [
        (package(event()), Generation.V3, RootKind.BUSINESS),
        (package(), Generation.V3, RootKind.BUSINESS),
        ({"source_message": source_message(), "message_events": "x"}, Generation.V3, RootKind.BUSINESS),
        ({**package(), "route_code": "S77", "catalog_code": "M002V4"}, Generation.V3, RootKind.BUSINESS),
        ({**package(), "source_message_id": "m2"}, Generation.V3, RootKind.BUSINESS),
        (notice(), Generation.V3, RootKind.NOTICE),
        (notice("S77"), Generation.V3, RootKind.NOTICE),
        (notice(message_events=[], case_candidates=[]), Generation.V3, RootKind.NOTICE),
        (old_package(), Generation.V2, RootKind.BUSINESS),
        ({**old_package(), "order_contexts": None, "message_events": None}, Generation.V2, RootKind.BUSINESS),
        (V4, Generation.V4, RootKind.BUSINESS),
        ({**V4, "unhandled_current_intents": []}, Generation.V4, RootKind.BUSINESS),
        ({**V4, "result_type": "source_message_review_notification"}, Generation.V4, RootKind.BUSINESS),
        ({**V4, "route_code": "S99", "manual_review": entry_review()}, Generation.V4, RootKind.NOTICE),
        (BARE_S10, Generation.V4, RootKind.NOTICE),
        ({**BARE_S10, "message_events": [event()]}, Generation.V4, RootKind.NOTICE),
    ],
)
def test_every_root_is_recognised(body, generation, kind):
    """R-05."""
    assert classify(body) == Root(generation, kind)


@pytest.mark.parametrize(
    "body",
    [
        {**V4, "case_candidates": []},
        {**V4, "extraction_warnings": []},
        {**V4, "ai_task_results": []},
        {**BARE_S10, "case_candidates": []},
        {**old_package(), "message_events": []},
        {**old_package(), "unhandled_current_intents": []},
        {**old_package(), "source_message": source_message()},
        {**old_package(), "route_code": "S10"},
        {**old_package(), "result_type": "source_message_review_notification"},
        {**notice(), "message_events": [event()]},
        {**notice(), "message_events": {}},
    ],
)
def test_markers_of_two_generations_are_ambiguous(body):
    """R-05: a marker is a key that is there and not null, even an empty list."""
    assert refusal(body) == AdapterDetail.ROOT_AMBIGUOUS


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "S000,m1",
        {"source_message": source_message()},
        {"source_message": source_message(), "candidate_events": []},
        {"source_message": source_message(), "case_candidates": []},
        {"source_message": source_message(), "unhandled_current_intents": [{}]},
        {"source_message": source_message(), "message_events": None},
        {"source_message": source_message(), "route_code": "s10"},
        {"source_message": source_message(), "route_code": ["S10"]},
        {"source_message": source_message(), "route_code": "S10", "result_type": "x"},
    ],
)
def test_anything_else_is_unknown(body):
    """R-05, R-07."""
    assert refusal(body) == AdapterDetail.ROOT_UNKNOWN


def infrastructure(**changes):
    typed = {
        "result_type": "infrastructure_input_error",
        "error_code": "mailbox_down",
        "retryable": False,
        "missing_fields": ["a", "b"],
    }
    return {"source_message": source_message(), **typed, **changes}


def test_an_infrastructure_error_is_answered_with_its_own_four_keys():
    """R-06."""
    root = classify(infrastructure(more=1, message_events=[event()]))
    assert root.kind == RootKind.INFRASTRUCTURE_ERROR
    assert root.answer == {
        "result_type": "infrastructure_input_error",
        "error_code": "mailbox_down",
        "retryable": False,
        "missing_fields": ["a", "b"],
    }


@pytest.mark.parametrize(
    "changes", [{"error_code": None}, {"retryable": 1}, {"missing_fields": "a"}, {"missing_fields": [1]}]
)
def test_an_infrastructure_error_without_its_typed_keys_is_unknown(changes):
    """R-06."""
    assert refusal(infrastructure(**changes)) == AdapterDetail.ROOT_UNKNOWN
