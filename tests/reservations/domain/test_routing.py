"""From an event's words to its route (R-15 to R-17, R-20)."""

import pytest

from reservations.data import catalog
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.routing import Claim, check_not_retired, find_route

FIT = ("New Booking", "new_fit_booking")


def refusal(claim):
    with pytest.raises(EventFault) as fault:
        find_route(claim, catalog())
    return fault.value.code, fault.value.detail


@pytest.mark.parametrize(("reviewed", "position"), [(False, 1), (True, 2)])
def test_the_review_decides_between_the_two_routes_of_a_subtype(reviewed, position):
    """Step 4e."""
    assert find_route(Claim(*FIT, reviewed), catalog()).position == position


@pytest.mark.parametrize(
    "pair",
    [
        ("new booking", "new_fit_booking"),
        ("New Booking ", "new_fit_booking"),
        ("New Booking", "New_fit_booking"),
        ("New Booking", "cancel_fit_booking"),
        ("", ""),
        ("Source Message Review", "no_supported_active_event"),
        ("Unhandled Current Intent", "requires_business_approval_or_unsupported_task_card"),
        ("Cancel Allotment", "linked_parent_release_after_child_split"),
    ],
)
def test_a_pair_outside_the_catalogue_is_unresolved(pair):
    """R-17: exactly, without trimming or folding."""
    assert refusal(Claim(*pair, reviewed=False))[0] == FaultCode.ROUTE_UNRESOLVED


def test_a_fallback_needs_a_review():
    """R-17."""
    assert refusal(Claim("Fallback", "business_event_review", reviewed=False))[0] == FaultCode.FALLBACK_WITHOUT_REVIEW


def test_a_fallback_has_one_subtype():
    assert refusal(Claim("Fallback", "other", reviewed=True))[0] == FaultCode.ROUTE_UNRESOLVED


def test_statements_that_agree_are_taken():
    """Decision 2."""
    claim = Claim(*FIT, False, "normal_task", "New Booking", "R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL")
    assert find_route(claim, catalog()).position == 1


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        ({"stated_result_type": "manual_review"}, "result_type"),
        ({"stated_result_type": ""}, "result_type"),
        ({"stated_task_type": "Update Booking"}, "task_type"),
        ({"stated_route_code": "R02_NEW_BOOKING_NEW_FIT_BOOKING_REVIEW"}, "route_code"),
        ({"stated_route_code": "r01_new_booking_new_fit_booking_normal"}, "route_code"),
        ({"stated_result_type": "x", "stated_route_code": "y"}, "result_type, route_code"),
    ],
)
def test_statements_that_disagree_are_a_mismatch(stated, named):
    """R-17, decision 2."""
    assert refusal(Claim(*FIT, False, **stated)) == (FaultCode.ROUTE_MISMATCH, named)


def test_a_retired_name_is_refused_and_an_active_one_passes():
    """R-20."""
    check_not_retired(catalog(), *FIT)
    with pytest.raises(EventFault) as fault:
        check_not_retired(catalog(), "Note", "note")
    assert fault.value.code == FaultCode.RETIRED_TASK
