"""The candidate gate (R-07; contracts.md section 10)."""

import pytest

from reservations.data import catalog
from reservations.domain.candidates import check_candidates
from tests.reservations.domain.builders import source_message


def candidate(**changes):
    plain = {"candidate_id": "C1", "event_type_hint": "Payment", "evidence_excerpt": "12 rooms", "supported": True}
    return {key: value for key, value in {**plain, **changes}.items() if value is not ...}


def faults(*candidates, message=None):
    body = {"source_message": message or source_message(), "candidate_events": list(candidates), "context": {}}
    return check_candidates(body, catalog())


def test_a_package_with_sound_candidates_passes():
    assert faults(candidate(), candidate(candidate_id="C2", event_type_hint=None)) == []


def test_no_candidates_are_none_to_fault():
    assert faults() == []


def test_a_hint_may_be_absent():
    assert faults(candidate(event_type_hint=...)) == []


@pytest.mark.parametrize("hint", ["Note", "payment", "Fallback", "", 5, [], "Source Message Review"])
def test_a_hint_is_a_task_type_of_the_subtypes(hint):
    assert faults(candidate(event_type_hint=hint)) == ["candidate_events.0.event_type_hint"]


@pytest.mark.parametrize("identity", [..., None, "", " ", 5, []])
def test_every_candidate_has_an_id(identity):
    assert faults(candidate(candidate_id=identity)) == ["candidate_events.0.candidate_id"]


def test_the_second_of_two_equal_ids_is_wrong():
    assert faults(candidate(), candidate(), candidate(candidate_id="c1")) == ["candidate_events.1.candidate_id"]


@pytest.mark.parametrize("excerpt", [..., None, "", " \n", 5])
def test_every_candidate_has_an_excerpt(excerpt):
    assert faults(candidate(evidence_excerpt=excerpt)) == ["candidate_events.0.evidence_excerpt"]


@pytest.mark.parametrize("message", [{"source_message_id": " "}, {"source_message_id": 5}, {"subject": "x"}])
def test_the_identity_comes_first(message):
    assert faults(candidate(candidate_id=None), message=message) == [
        "source_message.source_message_id",
        "candidate_events.0.candidate_id",
    ]


def test_places_stand_in_reading_order():
    assert faults({}, "x") == [
        "candidate_events.0.candidate_id",
        "candidate_events.0.evidence_excerpt",
        "candidate_events.1",
    ]


@pytest.mark.parametrize("body", [None, [], "x", 5, {}, {"source_message": "x", "candidate_events": {}}])
def test_what_is_no_package_at_all_lacks_both_parts(body):
    assert check_candidates(body, catalog()) == ["source_message.source_message_id", "candidate_events"]
