"""A second package for a mail (R-52), through the service and down to the rows."""

from decimal import Decimal

import pytest

from config import jsontext
from reservations.domain.errors import SubmissionConflict
from reservations.models import AiTransition, Order, Submission, Task
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, fallback, item, notice, old_package, package, review
from tests.reservations.services.desk import (
    TEXT,
    accepted,
    errors_of,
    nothing_written,
    order_of,
    task_of,
    with_keys,
    written,
)

pytestmark = pytest.mark.django_db
WRONG = event("Note", "note")
ONE, TWO, THREE = (with_keys(confirmation_number=str(number)) for number in (1, 2, 3))
CHANGED = event(relevant_message_excerpt="something else")
INTENT = {"intent": "quote"}


def conflict(desk, *events, **members):
    """The conflicts a package of these events is refused with."""
    return conflict_of(desk, package(*events, **members))


def conflict_of(desk, body, media_type="application/json"):
    with pytest.raises(SubmissionConflict) as refusal:
        desk.post(body, media_type)
    return [fault.source_event_index for fault in refusal.value.errors]


def ids(answer):
    return {line["source_event_index"]: line["task_id"] for line in answer["tasks"]}


def rows():
    """Transitions, orders and tasks there are."""
    return AiTransition.objects.count(), Order.objects.count(), Task.objects.count()


# What may be corrected


def test_r52_an_event_that_was_a_contract_error_is_taken_when_it_is_corrected(desk, mail):
    first = desk.send(ONE, WRONG)
    again = desk.send(ONE, TWO)
    assert (accepted(first), errors_of(first)) == ([1], {2: "RETIRED_TASK"})
    assert (accepted(again), errors_of(again), again["replayed"]) == ([1, 2], {}, False)
    assert ids(again)[1] == ids(first)[1]
    assert (Task.objects.count(), AiTransition.objects.count()) == (2, 3)


def test_r52_the_first_error_stays_recorded(desk, mail):
    desk.send(WRONG)
    desk.send(ONE)
    kinds = AiTransition.objects.filter(source_event_index=1).order_by("id").values_list("kind", flat=True)
    assert list(kinds) == ["adapter_contract_error", "business_event"]


def test_r52_an_error_may_be_an_error_again(desk, mail):
    desk.send(ONE, WRONG)
    again = desk.send(ONE, fallback(manual_review=None))
    assert errors_of(again) == {2: "FALLBACK_WITHOUT_REVIEW"}
    assert accepted(desk.send(ONE, TWO)) == [1, 2]


def test_r52_an_error_may_be_left_out(desk, mail):
    desk.send(ONE, WRONG)
    assert (accepted(desk.send(ONE)), rows()) == ([1], (2, 1, 1))


def test_r52_an_index_never_seen_is_taken(desk, mail):
    first = desk.send(ONE)
    again = desk.send(ONE, TWO, WRONG)
    assert (accepted(again), errors_of(again)) == ([1, 2], {3: "RETIRED_TASK"})
    assert ids(again)[1] == ids(first)[1]


def test_r52_a_package_is_taken_whole_while_nothing_was_accepted(desk, mail):
    desk.send(WRONG, WRONG)
    assert accepted(desk.send(THREE)) == [1]


def test_r52_each_correction_is_held_against_all_earlier_packages(desk, mail):
    desk.send(ONE, WRONG, WRONG)
    desk.send(ONE, TWO, WRONG)
    assert conflict(desk, ONE, CHANGED, THREE) == [2]
    assert accepted(desk.send(ONE, TWO, THREE)) == [1, 2, 3]


def test_r52_the_index_itself_is_left_out_of_the_comparison(desk, mail):
    desk.send(ONE, WRONG)
    assert accepted(desk.send({**ONE, "source_event_index": 1}, TWO)) == [1, 2]


def test_r52_another_spelling_of_a_number_is_the_same_event(desk, mail):
    paid = event("Payment", "record_deposit_payment", extracted_fields={"payment_amount": 4711})
    desk.send(paid)
    body = jsontext.write(package(paid, 5)).replace("4711", "4.7110e3")
    assert errors_of(desk.post(body)) == {2: "EVENT_SHAPE_INVALID"}


def test_r52_a_v2_item_is_corrected_like_an_event(desk, mail):
    wrong = item(missing_fields=["x"])
    first = desk.post(old_package(item(), wrong))
    assert (accepted(first), errors_of(first)) == ([1], {2: "ROOT_MISSING_FIELDS"})
    assert accepted(desk.post(old_package(item(), item("Payment", "record_deposit_payment")))) == [1, 2]


# Conflicts


@pytest.mark.parametrize(
    "change",
    [
        {"relevant_message_excerpt": "something else"},
        {"extracted_fields": {"note_text": None}},
        {"manual_review": review("/case_keys/confirmation_number")},
        {"unknown": None},
        {"case_keys": {"confirmation_number": "1 "}},
    ],
    ids=repr,
)
def test_r52_an_accepted_event_that_differs_in_anything_is_a_conflict(desk, mail, change):
    desk.send(ONE)
    assert conflict(desk, {**ONE, **change}) == [1]


def test_r52_one_entry_per_index_ascending(desk, mail):
    desk.send(ONE, TWO, THREE, WRONG)
    assert conflict(desk, CHANGED, TWO, CHANGED, TWO) == [1, 3]


def test_r52_an_accepted_event_that_is_left_out_is_a_conflict(desk, mail):
    desk.send(ONE, TWO)
    assert conflict(desk, ONE) == [2]
    assert conflict(desk) == [1, 2]


def test_r52_an_accepted_event_that_is_a_contract_error_now_is_a_conflict(desk, mail):
    desk.send(ONE)
    assert conflict(desk, WRONG) == [1]


def test_r52_events_that_change_places_are_conflicts(desk, mail):
    desk.send(ONE, TWO)
    assert conflict(desk, TWO, ONE) == [1, 2]


def test_r52_a_conflict_writes_no_verdict_even_for_the_indexes_that_agree(desk, mail):
    desk.send(ONE)
    before = rows()
    assert conflict(desk, CHANGED, TWO, WRONG, unhandled_current_intents=[INTENT]) == [1]
    assert rows() == before


def test_r52_a_conflict_is_kept_as_a_submission_with_its_payload(desk, mail):
    desk.send(ONE)
    conflict(desk, CHANGED, case_candidates=[{"a": 1}])
    row = Submission.objects.order_by("id").last()
    assert (row.outcome, row.generation, row.case_candidates) == ("CONFLICT", "V3", [{"a": 1}])
    assert "something else" in row.payload


def test_r52_the_same_conflict_posted_again_is_409_again_and_nothing_new(desk, mail):
    desk.send(ONE, TWO)
    assert conflict(desk, CHANGED) == [1, 2]
    with nothing_written():
        assert conflict(desk, CHANGED) == [1, 2]


def test_r52_a_conflict_stays_one_when_later_packages_are_taken(desk, mail):
    desk.send(ONE, WRONG)
    assert conflict(desk, CHANGED) == [1]
    desk.send(ONE, TWO)
    with nothing_written():
        assert conflict(desk, CHANGED) == [1]


def test_r52_a_package_that_was_in_conflict_does_not_count_as_accepted(desk, mail):
    desk.send(ONE)
    conflict(desk, CHANGED, TWO)
    assert accepted(desk.send(ONE, THREE)) == [1, 2]


def test_r52_the_places_of_a_conflict_are_in_the_package(desk, mail):
    desk.post(old_package(item()))
    with pytest.raises(SubmissionConflict) as refusal:
        desk.post(old_package(item(visible_reason="else")))
    assert [fault.pointer for fault in refusal.value.errors] == ["/ai_task_results/0"]


def test_r52_a_package_of_another_generation_is_held_against_the_same_indexes(desk, mail):
    desk.post(old_package(item()))
    assert conflict(desk, ONE) == [1]


# Notices


def test_r52_a_notice_never_stops_later_events_and_stays(desk, mail):
    first = desk.post(notice())
    again = desk.send(ONE)
    assert accepted(again) == [1]
    assert again["notices"] == first["notices"]
    assert (Task.objects.filter(source_event_index=0).count(), Task.objects.count()) == (1, 2)


def test_r52_a_notice_after_an_accepted_event_is_a_conflict(desk, mail):
    desk.send(ONE)
    assert conflict_of(desk, notice()) == [1]
    assert conflict_of(desk, f"S000,{MESSAGE_ID}", TEXT) == [1]


def test_r52_a_notice_after_errors_alone_is_taken(desk, mail):
    desk.send(WRONG)
    assert len(desk.post(notice())["notices"]) == 1


def test_r52_a_notice_whose_event_follows_and_then_the_notice_changes_is_a_conflict(desk, mail):
    desk.post(notice())
    desk.send(ONE)
    assert conflict_of(desk, notice(agent_assessment="else")) == [1]


def test_r52_another_notice_after_a_notice_is_a_conflict(desk, mail):
    desk.post(notice())
    assert conflict_of(desk, notice("S99")) == [0]


def test_r52_the_same_notice_with_another_mail_block_is_not_written_twice(desk, mail):
    first = desk.post(notice())
    again = desk.post(notice(source_message={"source_message_id": MESSAGE_ID, "subject": "x"}))
    assert (again["notices"], again["replayed"], Task.objects.count()) == (first["notices"], False, 1)


def test_r52_events_then_a_correction_still_name_the_notice(desk, mail):
    first = desk.post(notice())
    desk.send(ONE)
    assert desk.send(ONE, TWO)["notices"] == first["notices"]


# Intents


def test_r52_an_intent_that_is_recorded_is_not_written_again_but_counted(desk, mail):
    desk.send(ONE, WRONG, unhandled_current_intents=[INTENT])
    answer = desk.send(ONE, TWO, unhandled_current_intents=[{"intent": "new"}, INTENT])
    assert answer["unhandled_intents"] == 2
    assert AiTransition.objects.filter(kind="UNHANDLED_CURRENT_INTENT").count() == 2


def test_r52_an_intent_is_the_same_by_canonical_value(desk, mail):
    desk.send(unhandled_current_intents=[{"a": 1, "b": [2]}])
    desk.send(unhandled_current_intents=[{"b": [Decimal("2.0")], "a": Decimal("1e0")}], extraction_warnings=[1])
    assert AiTransition.objects.count() == 1


def test_r52_an_intent_left_out_stays_recorded(desk, mail):
    desk.send(ONE, unhandled_current_intents=[INTENT])
    assert desk.send(ONE)["unhandled_intents"] == 0
    assert AiTransition.objects.filter(kind="UNHANDLED_CURRENT_INTENT").count() == 1


def test_r52_intents_of_another_mail_are_others(desk, mail):
    desk.send(unhandled_current_intents=[INTENT])
    desk.mail("m2@lakeside.example")
    desk.send(unhandled_current_intents=[INTENT], message_id="m2@lakeside.example")
    assert AiTransition.objects.filter(kind="UNHANDLED_CURRENT_INTENT").count() == 2


# Faults of the package


def test_r52_a_fault_of_the_package_writes_its_own_verdict_only(desk, mail):
    first = desk.send(ONE)
    answer = desk.send(CHANGED, TWO, missing_fields=["x"], unhandled_current_intents=[INTENT])
    assert errors_of(answer) == {0: "ROOT_MISSING_FIELDS"}
    assert ids(answer) == ids(first)
    assert rows() == (2, 1, 1)


def test_r52_after_a_fault_of_the_package_the_correction_is_taken(desk, mail):
    desk.send(ONE, message_events="x")
    assert accepted(desk.send(ONE)) == [1]


def test_r52_a_faulty_notice_after_an_event_is_a_verdict_and_no_conflict(desk, mail):
    desk.send(ONE)
    assert errors_of(desk.post(notice("S99", manual_review=None))) == {0: "NOTICE_REVIEW_INVALID"}


# What people did


def test_r52_human_work_on_accepted_tasks_is_never_touched(desk, mail, reviewer):
    task = task_of(desk.send(ONE, WRONG))
    moved = factories.order(desk.hotel, group_code="G")
    work = {
        "order": moved,
        "task_status": "READY",
        "draft_payload_json": {"a": 1},
        "draft_by": reviewer,
        "draft_at": factories.NOON,
        "confirmed_payload_json": {"b": 2},
        "decided_by": reviewer,
        "decided_at": factories.NOON,
        "version": 7,
    }
    Task.objects.filter(id=task.id).update(**work)
    before = Task.objects.filter(id=task.id).values().get()
    answer = desk.send(ONE, TWO)
    assert Task.objects.filter(id=task.id).values().get() == before
    assert answer["tasks"][0]["task_status"] == "READY"
    assert order_of(answer, 1) == moved


def test_r52_what_was_accepted_before_counts_in_the_answer_only(desk, mail):
    desk.send(ONE, WRONG)
    before = written()
    desk.send(ONE, TWO)
    submissions, transitions, orders, tasks, _ = (new - old for new, old in zip(written(), before, strict=True))
    assert (submissions, transitions, orders, tasks) == (1, 1, 1, 1)
