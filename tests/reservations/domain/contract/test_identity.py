"""Which mail a package speaks of (R-01, R-02)."""

import pytest

from reservations.domain.contract import read_identity
from reservations.domain.errors import AdapterContractRefused, AdapterDetail, IdentityMissing
from tests.reservations.domain.builders import notice, old_package, package

NESTED, FLAT = ("source_message.source_message_id",), ("source_message_id",)


def missing_of(body):
    with pytest.raises(IdentityMissing) as refusal:
        read_identity(body)
    return refusal.value.missing_fields


@pytest.mark.parametrize("identity", ["m1@x", " m1@x ", "ｍ1", "0", "<m1@x>", "\u200b"])
def test_the_id_is_read_exactly_as_sent(identity):
    """R-01."""
    assert read_identity({"source_message": {"source_message_id": identity}}) == identity
    assert read_identity({"source_message_id": identity, "ai_task_results": []}) == identity


@pytest.mark.parametrize("identity", [None, "", " ", "\t\n", "\u3000", 5, True, [], ["m1"], {}])
def test_missing_null_blank_or_no_string_is_missing(identity):
    """R-02, decision 10."""
    assert missing_of({"source_message": {"source_message_id": identity}}) == NESTED
    assert missing_of({"source_message_id": identity, "ai_task_results": []}) == FLAT


@pytest.mark.parametrize("message", [None, [], "m1@x", 5, True, {}, {"id": "m1@x"}])
def test_a_source_message_that_holds_no_id_is_missing(message):
    """R-02."""
    assert missing_of({"source_message": message, "message_events": []}) == NESTED


def test_the_empty_body_is_asked_for_its_identity_first():
    """R-02."""
    assert missing_of({}) == NESTED


def test_the_top_level_id_counts_for_results_without_a_source_message_alone():
    """R-02: null stands for absent."""
    assert read_identity({**old_package(), "source_message": None}) == read_identity(old_package())
    assert missing_of({**old_package(), "source_message": {}}) == NESTED
    assert missing_of({"source_message_id": "m1@x", "message_events": []}) == NESTED
    assert missing_of({"source_message_id": "m1@x", "ai_task_results": None}) == NESTED


def test_nothing_else_of_the_body_is_looked_at():
    """R-02."""
    assert read_identity({**package(), "ai_task_results": 5}) == read_identity(notice("S77"))


@pytest.mark.parametrize("body", [None, [], "x", 5, True])
def test_a_body_that_is_no_object_is_an_unknown_root(body):
    """R-05."""
    with pytest.raises(AdapterContractRefused) as refusal:
        read_identity(body)
    assert refusal.value.detail_code == AdapterDetail.ROOT_UNKNOWN


def test_the_answer_has_four_keys():
    """R-02."""
    assert IdentityMissing(FLAT).answer == {
        "result_type": "infrastructure_input_error",
        "error_code": "missing_source_message_id",
        "retryable": True,
        "missing_fields": ["source_message_id"],
    }
    assert (IdentityMissing.code, IdentityMissing.retryable) == ("MISSING_SOURCE_MESSAGE_ID", True)
