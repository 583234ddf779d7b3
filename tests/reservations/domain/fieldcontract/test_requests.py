"""Bodies of the writes on a card (R-36 to R-42): their shape only."""

import pytest

from reservations.domain.fieldcontract import (
    BulkRequest,
    ConfirmRequest,
    Override,
    ResolveRequest,
    read_bulk,
    read_confirmation,
    read_draft,
    read_reason,
    read_resolution,
)
from tests.reservations.domain.fieldcontract.states import refusal

INVALID = "FIELD_INVALID"
READERS = {
    "draft": read_draft,
    "confirmation": read_confirmation,
    "resolution": read_resolution,
    "reason": lambda body: read_reason(body, required=False),
    "bulk": read_bulk,
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("body", [None, [], "x", 5, True])
def test_a_body_is_an_object(name, body):
    assert refusal(READERS[name], body) == (INVALID, [("", "WRONG_TYPE")])


@pytest.mark.parametrize("name", READERS)
def test_unknown_keys_are_refused_where_they_stand(name):
    code, places = refusal(READERS[name], {"status/~": "READY"})
    assert (code, places[-1]) == (INVALID, ("/status~1~0", "UNKNOWN"))


def test_r36_a_draft_is_its_values():
    assert read_draft({"field_values": {"a.b": None}}) == {"a.b": None}


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, ("/field_values", "REQUIRED")),
        ({"field_values": None}, ("/field_values", "WRONG_TYPE")),
        ({"field_values": []}, ("/field_values", "WRONG_TYPE")),
    ],
)
def test_r36_a_draft_without_values_is_refused(body, place):
    assert refusal(read_draft, body) == (INVALID, [place])


def test_r37_a_confirmation_may_say_nothing():
    assert read_confirmation({}) == ConfirmRequest({}, "")
    body = {"field_values": {"a": 1}, "reason": " checked "}
    assert read_confirmation(body) == ConfirmRequest({"a": 1}, " checked ")


@pytest.mark.parametrize("read", [read_confirmation, read_resolution, READERS["reason"]])
@pytest.mark.parametrize(("reason", "code"), [(5, "WRONG_TYPE"), ([], "WRONG_TYPE"), ("x" * 2001, "TOO_LONG")])
def test_a_reason_is_a_text_of_bounded_length(read, reason, code):
    assert refusal(read, {"reason": reason}) == (INVALID, [("/reason", code)])
    read({"reason": "x" * 2000})
    read({"reason": None})


def test_r39_a_resolution_is_read_as_sent():
    entry = {"field_pointer": 5, "field_path": None, "value": None}
    body = {"confirmed_order_id": [1], "reason": "checked", "field_overrides": [entry, {"legacy_field_path": "a"}]}
    overrides = (Override(5), Override(legacy_field_path="a", given=False))
    assert read_resolution(body) == ResolveRequest([1], "checked", overrides)
    assert read_resolution({}) == ResolveRequest(None, "", ())


@pytest.mark.parametrize(
    ("overrides", "place"),
    [
        (None, ("/field_overrides", "WRONG_TYPE")),
        ({}, ("/field_overrides", "WRONG_TYPE")),
        ([{}, "x"], ("/field_overrides/1", "WRONG_TYPE")),
        ([{"value": 1, "pointer/": "a"}], ("/field_overrides/0/pointer~1", "UNKNOWN")),
    ],
)
def test_r39_overrides_are_a_list_of_objects(overrides, place):
    assert refusal(read_resolution, {"field_overrides": overrides}) == (INVALID, [place])


def test_all_faults_of_a_body_are_named():
    assert refusal(read_confirmation, {"field_values": 1, "reason": 2, "x": 3})[1] == [
        ("/field_values", "WRONG_TYPE"),
        ("/reason", "WRONG_TYPE"),
        ("/x", "UNKNOWN"),
    ]


@pytest.mark.parametrize("body", [{}, {"reason": None}, {"reason": " \n"}])
def test_a_reason_that_is_required_is_not_blank(body):
    reader = read_reason
    with pytest.raises(Exception, match=INVALID):
        reader(body, required=True)
    assert reader({"reason": "why"}, required=True) == "why"


def test_r42_a_bulk_request_names_its_tasks():
    body = {"action": "claim", "task_ids": ["a", "b"]}
    assert read_bulk(body) == BulkRequest("claim", ("a", "b"), "")
    assert read_bulk({**body, "action": "terminate", "reason": "spam"}).reason == "spam"


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"action": "confirm"}, ("/action", "NOT_OFFERED")),
        ({"action": ["claim"]}, ("/action", "NOT_OFFERED")),
        ({"action": "terminate"}, ("/reason", "REQUIRED")),
        ({"task_ids": []}, ("/task_ids", "LENGTH")),
        ({"task_ids": ["a"] * 201}, ("/task_ids", "LENGTH")),
        ({"task_ids": "a"}, ("/task_ids", "WRONG_TYPE")),
        ({"task_ids": ["a", 5]}, ("/task_ids/1", "WRONG_TYPE")),
    ],
)
def test_r42_a_wrong_bulk_request_is_refused(changes, place):
    assert refusal(read_bulk, {"action": "claim", "task_ids": ["a"], **changes}) == (INVALID, [place])
