"""The route catalogue (R-15, R-19 to R-21)."""

import pytest

from reservations.data import catalog
from reservations.domain.faults import FaultCode


def test_forty_routes_are_active_and_two_are_history():
    """R-15."""
    assert len(catalog().active) == 40
    assert [route.position for route in catalog().routes if not route.active] == [37, 38]
    assert len({route.route_code for route in catalog().routes}) == 42


def test_every_subtype_has_a_normal_and_a_review_route():
    """R-15: 18 subtypes by two."""
    found = [
        catalog().find(result, subtype.task_type, subtype.task_subtype)
        for subtype in catalog().subtypes
        for result in ("normal_task", "manual_review")
    ]
    assert [route.position for route in found if route] == list(range(1, 37))
    assert [route.route_code for route in found if route] == [
        code for subtype in catalog().subtypes for code in subtype.route_codes.values()
    ]


def test_the_four_routes_without_a_subtype_keep_their_codes():
    assert catalog().fallback.route_code == "R41_FALLBACK_BUSINESS_EVENT_REVIEW"
    assert catalog().unhandled.route_code == "R42_UNHANDLED_CURRENT_INTENT"
    assert [catalog().notice(code).route_code for code in ("S10", "S99")] == ["S10", "S99"]


def test_old_notices_are_shown_under_the_new_rows():
    """R-12."""
    assert [catalog().notice(code).route_display_code for code in ("S000", "S999")] == ["NOTICE.S10", "NOTICE.S99"]


def test_a_retired_route_is_found_by_code_and_never_by_triple():
    """R-21."""
    route = catalog().routes[36]
    assert catalog().route(route.route_code) == route
    assert catalog().find(route.result_type, route.task_type, route.task_subtype) is None
    assert (route.displayed_type, route.displayed_subtype) == ("Cancel Allotment", "cancel_allotment_control_block")
    assert route.title_en == "Cancel allotment (Parent Group)"


@pytest.mark.parametrize(
    ("task_type", "task_subtype", "code"),
    [
        ("Note", "anything", FaultCode.RETIRED_TASK),
        ("Note", None, FaultCode.RETIRED_TASK),
        ("Allotment Maintenance", "x", FaultCode.RETIRED_TASK),
        ("Cancel Allotment", "update_allotment_control_block", FaultCode.RETIRED_TASK),
        (None, "update_allotment_control_block", FaultCode.RETIRED_TASK),
        ("Cancel Booking", "linked_parent_release_after_child_split", FaultCode.RETIRED_PARENT_CANCEL_BOOKING),
        ("Cancel Allotment", "linked_parent_release_after_child_split", None),
        ("note", "x", None),
        (None, None, None),
    ],
)
def test_retired_names_are_known_exactly(task_type, task_subtype, code):
    """R-20."""
    assert catalog().retired_code(task_type, task_subtype) == code


def test_task_types_stand_once_and_in_order():
    assert catalog().task_types == (
        "New Booking",
        "Update Booking",
        "Cancel Booking",
        "Cancel Allotment",
        "Trace Reservation Notes",
        "Rooming List",
        "Payment",
    )


def test_three_layers_of_a_review_keep_the_title_of_their_card():
    """R-19."""
    normal, review = catalog().routes[2:4]
    assert (review.system_process_category, review.card_title_code, review.title_zh) == (
        "BUSINESS_REVIEW",
        normal.card_title_code,
        normal.title_zh,
    )


def test_conditions_of_operations_and_subtypes_are_read():
    subtype = catalog().subtype("Update Booking", "update_stay_dates")
    assert subtype is not None
    assert [operation.when.value for operation in subtype.operations if operation.when] == [
        "individual",
        "group",
        "individual",
        "group",
    ]
    assert subtype.v4.after_keys == ("arrival_date", "departure_date")
