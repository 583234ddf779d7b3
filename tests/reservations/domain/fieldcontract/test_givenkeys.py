"""Keys and contract version of a decision (R-28, R-80)."""

import pytest

from reservations.data import matrix
from reservations.domain.fieldcontract import Confirmed, given_keys, version_once_written
from reservations.domain.orderkeys import OrderKeys
from tests.reservations.domain.fieldcontract.states import GROUP, confirm, fit, rooms, state_of


def test_r28_the_agents_keys_count_as_given():
    assert given_keys(confirm(state_of(rooms()))) == OrderKeys(group_code="GRP-CEDAR")
    confirmed = confirm(state_of(rooms()), {GROUP: None, "case_keys.confirmation_number": " 8801 "})
    assert given_keys(confirmed) == OrderKeys(confirmation_number="8801")


def test_r28_basic_information_gives_keys_of_its_own():
    values = {"order_context.booking_code": "B-1", "extracted_fields.group_code": "no"}
    assert given_keys(Confirmed(values, {}, {})) == OrderKeys(booking_code="B-1")


@pytest.mark.parametrize(
    ("version", "written"), [("code-v1", "20260711-p0"), ("20260711-p0", "20260711-p0"), ("20260718-v4", "20260718-v4")]
)
def test_r80_the_first_version_ends_with_the_first_write(version, written):
    assert version_once_written(version, state_of(fit()), matrix=matrix()) == written


def test_r80_history_without_a_card_keeps_its_version():
    state = state_of(fit(), task_type="Note")
    assert version_once_written("code-v1", state, matrix=matrix()) == "code-v1"
