"""The check of a body against the published schemas (R-48)."""

import json
from decimal import Decimal

import pytest

from reservations import data
from reservations.opera.dry_run import dry_run

SAMPLES = json.loads((data.FOLDER / "ohip" / "samples.json").read_text(encoding="utf-8"))
CALLS = [operation for subtype in data.catalog().subtypes for operation in subtype.operations]


def rate(amount: object) -> dict:
    return {"reservations": [{"roomStay": {"roomRates": [{"total": {"amountBeforeTax": amount}}]}}]}


def test_the_samples_are_sixteen_bodies_that_pass_and_six_that_fail():
    assert (len(SAMPLES["valid"]), len(SAMPLES["invalid"])) == (16, 6)


@pytest.mark.parametrize("sample", SAMPLES["valid"], ids=lambda sample: f"{sample['spec']}.{sample['operation_id']}")
def test_r48_a_valid_sample_passes(sample):
    found = dry_run(sample["spec"], sample["body_schema"], sample["body"])
    assert found == {"valid": True, "errors": []}


@pytest.mark.parametrize("sample", SAMPLES["invalid"], ids=lambda sample: sample["name"])
def test_r48_an_invalid_sample_fails_at_its_one_place(sample):
    found = dry_run(sample["spec"], sample["body_schema"], sample["body"])
    assert (found["valid"], [error["pointer"] for error in found["errors"]]) == (False, [sample["fails_at"]])


def test_r48_a_read_is_valid_and_has_nothing_to_check():
    assert dry_run("rsv", None, None) == {"valid": True, "errors": []}


@pytest.mark.parametrize(
    "amount", [880, Decimal("880.50"), Decimal("1E+5"), 10**30, Decimal("0.00"), Decimal("-1E-300")]
)
def test_r48_a_decimal_counts_as_the_number_it_is(amount):
    assert dry_run("rsv", "changeReservation", rate(amount))["valid"] is True


def test_r48_an_error_says_the_rule_and_not_the_value():
    found = dry_run("rsv", "changeReservation", rate("a guest's secret"))
    pointer = "/reservations/0/roomStay/roomRates/0/total/amountBeforeTax"
    assert found["errors"] == [{"pointer": pointer, "detail": "This must be of the type number."}]


def test_r48_errors_stand_in_the_order_of_their_places():
    body = {"cancelBlock": {"hotelId": "H" * 21, "cancellationDetails": {"cancellationDate": "soon"}}}
    assert dry_run("blk", "blockToCancel", body)["errors"] == [
        {"pointer": "/cancelBlock/cancellationDetails/cancellationDate", "detail": "This must have the format date."},
        {"pointer": "/cancelBlock/hotelId", "detail": "This may have at most 20 characters."},
    ]


def test_a_body_that_no_specification_has_is_a_key_error():
    with pytest.raises(KeyError):
        dry_run("rsv", "noSuchBody", {})


@pytest.mark.parametrize("operation", CALLS, ids=lambda operation: f"{operation.spec}.{operation.operation_id}")
def test_every_call_of_the_catalogue_is_one_of_the_published_calls(operation):
    spec = data.ohip(operation.spec)
    call = spec.calls[operation.operation_id]
    assert (call.method, call.path, call.body) == (operation.method, operation.path, operation.body_schema)
    assert (spec.base_path, spec.version) == (operation.base_path, operation.spec_version)
