"""Where a fault of a refused write stands on the page."""

from __future__ import annotations

import pytest

from config.errors import Fault
from reservations.admin.tasks.faults import place_of, sorted_by_place
from tests.reservations.admin.tasks.served import field

FIELDS = {"f.adults": field("integer", path="f.adults")}
BODY = {"field_overrides": [{"field_path": "f.other"}, {"field_path": "f.adults"}]}


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("/field_values/f.adults", "f.adults"),
        ("/field_values/f.other", None),
        ("/field_overrides/1/value", "f.adults"),
        ("/field_overrides/1", "f.adults"),
        ("/field_overrides/0/value", None),
        ("/field_overrides/9/value", None),
        ("/field_overrides/x", None),
        ("/f/adults", "f.adults"),
        ("/confirmed_order_id", "confirmed_order_id"),
        ("/reason", "reason"),
        ("", None),
        ("/", None),
        ("nonsense", None),
        ("/~2", None),
    ],
)
def test_a_pointer_leads_to_a_field_an_input_or_nowhere(pointer, place):
    assert place_of(pointer, BODY, FIELDS) == place


def test_faults_without_a_place_are_kept():
    here, nowhere = Fault("/f/adults", "A", "a"), Fault("/f/gone", "B", "b")
    assert sorted_by_place([here, nowhere], None, FIELDS) == ({"f.adults": [here]}, [nowhere])
