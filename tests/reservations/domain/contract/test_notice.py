"""Structured notices S10 and S99 (R-10, R-13)."""

import pytest

from reservations.domain.contract import RootKind
from tests.reservations.domain.builders import entry_review, judged, notice, source_message


def fault_of(body):
    judgement = judged(body)
    assert (judgement.notice, judgement.cards, judgement.intents) == (None, (), ())
    (fault,) = judgement.faults
    return fault.source_event_index, str(fault.code)


@pytest.mark.parametrize("changes", [{}, {"manual_review": ...}])
def test_s10_has_no_review(changes):
    """R-13: absent counts as null."""
    judgement = judged(notice(**changes))
    assert judgement.root_kind == RootKind.NOTICE
    assert judgement.notice is not None
    assert (judgement.notice.route_code, judgement.notice.manual_review) == ("S10", None)
    assert judgement.notice.route.system_task_type == "SOURCE_MESSAGE_ONLY"


@pytest.mark.parametrize("asked", [[], [""], ["/a/b", "/a/b"], ["/not/a/field"]])
def test_s99_has_an_entry_review_whose_pointers_need_only_be_well_formed(asked):
    """R-13; decision 4."""
    body = notice("S99", manual_review=entry_review(missing_fields=asked))
    verdict = judged(body).notice
    assert verdict is not None
    assert (verdict.route_code, verdict.manual_review) == ("S99", body["manual_review"])


@pytest.mark.parametrize(
    "body",
    [
        notice(manual_review=entry_review()),
        notice(manual_review={}),
        notice(manual_review=False),
        notice("S99", manual_review=None),
        notice("S99", manual_review=[]),
        notice("S99", manual_review=entry_review(confidence=...)),
        notice("S99", manual_review=entry_review(review_type="type_known_review")),
        notice("S99", manual_review=entry_review(missing_fields=["a"])),
        notice("S99", manual_review=entry_review(missing_fields=[5])),
        notice("S11"),
        notice("s10"),
        notice(" S10"),
        notice("S000"),
        notice(route_code=None),
        notice(route_code=...),
        notice(route_code=["S10"]),
    ],
)
def test_anything_else_is_one_fault_with_index_0(body):
    """R-13; decision 7."""
    assert fault_of(body) == (0, "NOTICE_REVIEW_INVALID")


@pytest.mark.parametrize("value", [None, 5, [], "x", {"title": ["x"]}])
def test_assessment_and_notification_are_passed_on_as_sent(value):
    """R-10."""
    verdict = judged(notice(agent_assessment=value, notification=value)).notice
    assert verdict is not None
    assert (verdict.agent_assessment, verdict.notification) == (value, value)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"missing_fields": ["x"]}, "ROOT_MISSING_FIELDS"),
        ({"contract_errors": [{"source_event_index": 1}]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"unhandled_current_intents": {}}, "EVENT_SHAPE_INVALID"),
        ({"source_message": source_message(attachments="x")}, "EVENT_SHAPE_INVALID"),
    ],
)
def test_package_checks_hold_for_notices_too(changes, code):
    assert fault_of(notice("S77", **changes)) == (0, code)


def test_intents_beside_a_notice_are_kept():
    """R-09."""
    judgement = judged(notice(unhandled_current_intents=[{"intent": "x"}], message_events=[]))
    assert [intent.intent for intent in judgement.intents] == [{"intent": "x"}]
