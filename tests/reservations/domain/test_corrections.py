"""A second package for one mail (R-52)."""

import json

import pytest

from reservations.data import catalog
from reservations.domain.contract import judge_text, read_text
from reservations.domain.corrections import Digests, History, IndexConflict, Plan, digests_of, plan
from tests.reservations.domain.builders import (
    child,
    entry_review,
    event,
    item,
    judged,
    notice,
    old_package,
    package,
    parent,
    releases,
    split,
)

NOTE, DATES = event(), event("Update Booking", "update_stay_dates")
WRONG = event("Note", "note")
INTENT = {"intent": "quote"}


def digest(value):
    return json.dumps(value, sort_keys=True, default=str)


def follow(history, body):
    """Plan a package and return the plan and the history after it."""
    judgement = judged(body)
    digests = digests_of(judgement, digest)
    planned = plan(history, judgement, digests)
    if isinstance(planned, IndexConflict):
        return planned, history
    accepted = {card.source_event_index: digests.events[card.source_event_index] for card in planned.cards}
    written = digests.notice if planned.notice is not None else history.notice
    return planned, History({**history.accepted, **accepted}, written, history.intents | {*digests.intents})


def after(*bodies):
    """What the last of these packages, sent one after the other, is planned as."""
    history = History()
    for body in bodies:
        planned, history = follow(history, body)
    return planned


def written(planned):
    """(cards, faults) by index."""
    assert isinstance(planned, Plan)
    return [card.source_event_index for card in planned.cards], [fault.source_event_index for fault in planned.faults]


def test_the_first_package_is_written_whole():
    planned = after(package(NOTE, WRONG, unhandled_current_intents=[INTENT, INTENT]))
    assert written(planned) == ([1], [2])
    assert len(planned.intents) == 2


def test_an_index_that_was_an_error_is_taken_now_and_the_accepted_one_is_kept():
    assert written(after(package(NOTE, WRONG), package(NOTE, DATES))) == ([2], [])


def test_an_index_never_seen_is_taken():
    assert written(after(package(NOTE), package(NOTE, DATES, WRONG))) == ([2], [3])


def test_an_error_may_be_corrected_more_than_once():
    assert written(after(package(NOTE, WRONG), package(NOTE, WRONG), package(NOTE, DATES))) == ([2], [])


def test_an_accepted_event_that_differs_is_a_conflict_of_its_index():
    changed = event(relevant_message_excerpt="something else")
    assert after(package(NOTE, DATES), package(changed, DATES)) == IndexConflict((1,))


def test_conflicts_are_listed_in_ascending_order():
    first = package(*[event(relevant_message_excerpt=str(n)) for n in range(12)])
    second = package(*[event(relevant_message_excerpt="x") for _ in range(12)])
    assert after(first, second) == IndexConflict(tuple(range(1, 13)))
    unsorted = History({12: "x", 3: "y", 1: "z"})
    assert follow(unsorted, second)[0] == IndexConflict((1, 3, 12))


def test_an_accepted_event_that_is_left_out_is_a_conflict():
    assert after(package(NOTE, DATES), package(NOTE)) == IndexConflict((2,))
    assert after(package(NOTE), package(unhandled_current_intents=[INTENT])) == IndexConflict((1,))


def test_the_order_of_events_counts():
    assert after(package(NOTE, DATES), package(DATES, NOTE)) == IndexConflict((1, 2))


def test_the_index_an_event_states_does_not_count():
    """REST and MCP agree."""
    assert written(after(package(NOTE), package({**NOTE, "source_event_index": 1}, DATES))) == ([2], [])


def test_the_same_event_with_a_worse_verdict_today_stays_accepted():
    """The root names event 1 as wrong, after it was accepted: nobody's work on it is touched."""
    later = package(NOTE, DATES, contract_errors=[{"source_event_index": 1}])
    assert written(after(package(NOTE), later)) == ([2], [])


def test_a_parent_that_failed_with_its_child_is_taken_when_the_child_is_mended():
    broken = child("LKS-B", 3, contract_errors=["unreadable"])
    first = package(child("LKS-A", 3), broken, parent(relationships=releases(1, 2)))
    assert written(after(first, package(*split()))) == ([2, 3], [])


def test_with_nothing_accepted_the_new_package_is_taken_whole():
    assert written(after(package(WRONG, WRONG), package(DATES))) == ([1], [])
    assert after(package(WRONG), notice()).notice is not None


def test_a_recorded_intent_is_not_written_again():
    first = package(NOTE, unhandled_current_intents=[INTENT])
    second = package(NOTE, unhandled_current_intents=[{"intent": "other"}, INTENT])
    assert [intent.intent for intent in after(first, second).intents] == [{"intent": "other"}]


def test_an_intent_is_recorded_even_where_nothing_was_accepted():
    first = package(unhandled_current_intents=[INTENT])
    assert after(first, package(NOTE, unhandled_current_intents=[INTENT])).intents == ()


@pytest.mark.parametrize("fault", [{"missing_fields": ["x"]}, {"contract_errors": ["x"]}, {"case_candidates": "x"}])
def test_a_fault_of_the_package_only_writes_its_own_verdict(fault):
    planned = after(package(NOTE, DATES), package(DATES, **fault))
    assert written(planned) == ([], [0])
    assert (planned.intents, planned.notice) == ((), None)


def test_an_invalid_notice_after_an_accepted_event_only_writes_its_own_verdict():
    assert written(after(package(NOTE), notice("S11"))) == ([], [0])


def test_a_notice_after_accepted_events_leaves_them_out_and_is_a_conflict_of_each():
    assert after(package(NOTE), notice()) == IndexConflict((1,))


def test_an_accepted_notice_stays_and_events_follow_it():
    assert written(after(notice(), package(NOTE))) == ([1], [])


def test_another_notice_after_an_accepted_one_is_a_conflict():
    assert after(notice(), notice("S99")) == IndexConflict((0,))
    assert after(notice(), notice(agent_assessment="Something else.")) == IndexConflict((0,))
    surer = notice("S99", manual_review=entry_review(confidence=1))
    assert after(notice("S99"), surer) == IndexConflict((0,))


def test_the_same_notice_in_another_wrapping_stands():
    again = notice()
    again["source_message"]["subject"] = "Thank you!"
    planned = after(notice(), again)
    assert (written(planned), planned.notice) == (([], []), None)


def test_a_notice_after_events_that_followed_a_notice_is_a_conflict():
    assert after(notice(), package(NOTE), notice()) == IndexConflict((1,))


def test_text_and_structured_notices_are_not_the_same_reading():
    old = judge_text(read_text("S000,m1"), catalog=catalog())
    history = History(notice=digests_of(old, digest).notice)
    assert follow(history, notice())[0] == IndexConflict((0,))


def test_an_item_that_was_accepted_may_not_become_an_intent():
    """V2."""
    intent = item(
        "Unhandled Current Intent",
        "requires_business_approval_or_unsupported_task_card",
        result_type="unhandled_current_intent",
    )
    assert after(old_package(item()), old_package(intent)) == IndexConflict((1,))
    assert written(after(old_package(intent), old_package(item()))) == ([1], [])


def test_an_event_of_any_json_type_has_a_digest():
    judgement = judged(package(5, None, [], "x"))
    assert digests_of(judgement, digest) == Digests({1: "5", 2: "null", 3: "[]", 4: '"x"'}, (), None)
