"""Content that the baseline left open fails closed (contracts.md section 2; decisions 17, 18, 28)."""

import pytest

from tests.reservations.domain.builders import VOUCHER, codes, event, review


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"fix_charge_items": [{"code": "BF"}]}, "FIX_CHARGE_NOT_FROZEN"),
        ({"fix_charge_items": []}, "FIX_CHARGE_NOT_FROZEN"),
        ({"fix_charge_code": "BF"}, "FIX_CHARGE_NOT_FROZEN"),
        ({"room_items": [{"fix_charge_code": "BF"}]}, "FIX_CHARGE_NOT_FROZEN"),
        ({"preflight": False}, "PREFLIGHT_LOCK_NOT_FROZEN"),
        ({"lock_handle": {}}, "PREFLIGHT_LOCK_NOT_FROZEN"),
        ({"manual_rate_code": "SPECIAL"}, "MANUAL_RATE_CODE_NOT_FROZEN"),
        ({"rate_code_source": "manual"}, "MANUAL_RATE_CODE_NOT_FROZEN"),
        ({"room_items": [{}, {"rate": {"rate_code_source": "manual"}}]}, "MANUAL_RATE_CODE_NOT_FROZEN"),
        ({"manual_rate_code": "x", "lock_handle": "y"}, "PREFLIGHT_LOCK_NOT_FROZEN"),
        ({"lock_handle": "y", "fix_charge_code": "z"}, "FIX_CHARGE_NOT_FROZEN"),
    ],
)
def test_open_content_is_a_contract_error_at_any_depth(fields, code):
    assert codes(event(extracted_fields=fields)) == {1: code}


@pytest.mark.parametrize("key", ["preflight", "lock_handle", "manual_rate_code", "fix_charge_items"])
def test_open_content_beside_the_fields_is_a_contract_error_too(key):
    assert list(codes(event(**{key: {"x": 1}}))) == [1]


@pytest.mark.parametrize(
    "fields",
    [
        {"fix_charge_items": None, "preflight": None, "manual_rate_code": None, "rate_code_source": None},
        {"fix_charge_raw": "CNY 50 cleaning fee"},
        {"rate_code_source": "catalogue", "rate_code": "RACK"},
        {"rate_code_source": "Manual"},
        {"note_text": "fix_charge_items"},
    ],
)
def test_null_text_about_it_and_other_sources_pass(fields):
    """Decision 17."""
    assert codes(event(extracted_fields=fields)) == {}


def voucher(files=..., **changes):
    fields = {} if files is ... else {"attachment_ids": files}
    return event(*VOUCHER, extracted_fields=fields, **changes)


@pytest.mark.parametrize("files", [["att-1"], ["att-1", "att-2"]])
def test_a_voucher_names_files_of_the_mail(files):
    assert codes(voucher(files)) == {}


@pytest.mark.parametrize(
    "files", [..., None, [], "att-1", ["att-7"], ["att-1", "att-7"], [1], [["att-1"]], {"att-1": 1}]
)
def test_a_voucher_that_names_none_or_an_unknown_one_is_a_contract_error(files):
    """Decision 28."""
    assert codes(voucher(files)) == {1: "VOUCHER_FILE_MISSING"}


def test_what_the_package_says_of_attachments_proves_nothing():
    message = {"source_message_id": "m", "attachments": [{"id": "att-1"}]}
    assert codes(voucher(["att-1"]), source_message=message, files=()) == {1: "VOUCHER_FILE_MISSING"}


ASKING = review("/extracted_fields/attachment_ids", reason_code="attachment_unreadable")


@pytest.mark.parametrize("files", [..., [], ["att-7"], "x"])
def test_a_review_may_ask_which_file_while_the_mail_has_some(files):
    """Decision 28."""
    assert codes(voucher(files, manual_review=ASKING)) == {}


def test_without_any_file_even_a_review_is_a_contract_error():
    """Decision 28."""
    assert codes(voucher(manual_review=ASKING), files=()) == {1: "VOUCHER_FILE_MISSING"}


def test_cards_that_may_name_files_need_none():
    deposit = event("Payment", "record_deposit_payment", extracted_fields={"attachment_ids": ["att-7"]})
    assert codes(deposit, files=()) == {}
