"""R-51, R-52 for order packages: corrections, conflicts, contexts that changed, notices before and after."""

import pytest

from config import jsontext
from reservations.domain.errors import SubmissionConflict
from reservations.models import AiTransition, Order, OrderTask, SourceNotification, Submission, Task, TaskCard
from tests.audit_state import held, told
from tests.reservations.domain.orderpackages import order, order_notice
from tests.reservations.orderboard import booked, faulty, noted, status_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def name(orders):
    return orders.mail()


@pytest.fixture(autouse=True)
def the_audit_tells_it_all(db):
    yield
    assert jsontext.write(sorted_state(told())) == jsontext.write(sorted_state(held()))


def sorted_state(state):
    return {f"{kind} {key}": state[kind, key] for kind, key in sorted(state)}


def counts():
    return tuple(model.objects.count() for model in (Order, OrderTask, TaskCard, Task, SourceNotification))


def conflict(board, name, *events, **members):
    with pytest.raises(SubmissionConflict) as refusal:
        board.package(*events, name=name, **members)
    return [fault.source_event_index for fault in refusal.value.errors]


def notice(orders, name, route_code="S10", **members):
    return orders.desk.post(order_notice(route_code, source_message={"source_message_id": name}, **members))


def refs(answer):
    return [(line["order_ref"], line["order_context_index"]) for line in answer["order_tasks"]]


def test_r51_key_order_and_number_spelling_make_no_other_package(orders, name):
    first = orders.package(booked(), name=name)
    before = counts()
    again = orders.package(dict(reversed(list(booked().items()))), name=name)
    assert (again, counts()) == ({**first, "replayed": True}, before)


def test_r52_a_changed_event_is_a_conflict_and_kept_as_one(orders, name):
    orders.package(noted(), noted(), name=name)
    before = counts()
    for _ in range(2):
        assert conflict(orders, name, noted(), booked()) == [2]
    assert (counts(), Submission.objects.filter(outcome="CONFLICT").count()) == (before, 1)
    task = orders.get(str(Task.objects.get(source_event_index=1).pk))
    assert [warning["code"] for warning in task["warnings"]][-1] == "NEWER_READING"


def test_r52_an_accepted_event_left_out_is_a_conflict(orders, name):
    orders.package(noted(), noted(), name=name)
    assert conflict(orders, name, noted()) == [2]


def test_r52_an_event_that_names_another_order_is_another_event(orders, name):
    contexts = [order("O1"), order("O2", "GROUP")]
    orders.package(noted("O1"), name=name, orders=contexts)
    assert conflict(orders, name, noted("O2"), orders=contexts) == [1]


def test_r52_a_context_that_changed_changes_nothing_of_what_was_accepted(orders, name):
    """What a reference said first stays: its order, its Basic Information, its name."""
    orders.package(noted(), faulty(), name=name)
    changed = order("O1", identifiers={"BOOKING_CODE": "OTHER"}, display_name="Guest Z", account_code="AC200")
    answer = orders.package(noted(), noted(), name=name, orders=[changed])
    row = OrderTask.objects.get()
    assert (row.display_name, row.order.booking_code, counts()) == ("Guest A", "FIT-O1", (1, 1, 4, 2, 0))
    assert {line["order_id"] for line in answer["tasks"]} == {str(row.order_id)}


def test_r52_a_new_reference_in_a_correction_has_an_order_task_of_its_own(orders, name):
    first = orders.package(faulty("O1"), noted("O2"), name=name, orders=[order("O1"), order("O2", "GROUP")])
    second = orders.package(noted("O1"), noted("O2"), name=name, orders=[order("O1"), order("O2", "GROUP")])
    assert (refs(first), refs(second)) == ([("O2", 1)], [("O1", 0), ("O2", 1)])
    assert counts() == (2, 2, 6, 2, 0)


def test_r52_a_reference_only_the_correction_has_is_found_by_its_identifiers(orders, name):
    orders.package(noted("O1"), faulty("O1"), name=name)
    contexts = [order("O1"), order("O2", identifiers={"BOOKING_CODE": "FIT-O1"})]
    orders.package(noted("O1"), noted("O2"), name=name, orders=contexts)
    assert (Order.objects.count(), OrderTask.objects.count()) == (1, 2)


def test_r52_nothing_accepted_before_means_the_package_is_taken_whole(orders, name):
    first = orders.package(faulty(), name=name)
    assert (refs(first), counts()) == ([], (0, 0, 0, 0, 0))
    orders.package(booked(), name=name)
    assert counts() == (1, 1, 3, 1, 0)


def test_r52_human_work_is_not_touched_by_a_correction(orders, name):
    orders.package(noted(), faulty(), name=name)
    row = OrderTask.objects.get()
    orders.settle(row, {"order_context.display_name": "Guest B"})
    orders.write(row, "confirm", card="EVENT_1")
    shown = orders.shown(row)
    orders.package(noted(), noted(), name=name)
    assert (orders.shown(row), status_of(row)) == (shown, "IN_PROGRESS")
    assert orders.shown(row, "EVENT_1")["status"] == "READY"


def test_r52_an_order_task_moved_by_a_review_keeps_its_new_order_for_later_cards(orders, name, hotel):
    orders.package(noted(), orders=[order("O1")])
    there = Order.objects.get()
    twin = orders.package(noted(), orders=[order("O1", identifiers={"CONFIRMATION_NUMBER": "1"})])
    Order.objects.filter(pk=twin["tasks"][0]["order_id"]).update(booking_code="FIT-O1", booking_key="fit-o1")
    orders.package(noted(), faulty(), name=name)
    row = OrderTask.objects.get(source_message__external_message_id=name)
    orders.choose(row, str(there.pk))
    orders.package(noted(), noted(), name=name)
    assert {task.order_id for task in row.tasks.all()} == {there.pk}
    Order.objects.filter(pk=twin["tasks"][0]["order_id"]).update(booking_code=None, booking_key=None)


def test_r52_events_after_a_notice_are_taken_and_the_notice_stays(orders, name):
    notice(orders, name)
    answer = orders.package(noted(), name=name)
    assert (len(answer["tasks"]), counts()) == (1, (1, 1, 3, 1, 1))
    assert answer["notices"][0]["notification_id"] == str(SourceNotification.objects.get().pk)


def test_r52_a_notice_after_an_accepted_event_is_a_conflict(orders, name):
    orders.package(noted(), name=name)
    before = counts()
    with pytest.raises(SubmissionConflict):
        notice(orders, name)
    assert counts() == before


def test_r52_a_notice_after_contract_errors_is_taken(orders, name):
    orders.package(faulty(), name=name)
    notice(orders, name, "S99")
    assert counts() == (0, 0, 0, 0, 1)


def test_r52_another_notice_is_a_conflict_and_the_same_one_is_not_written_again(orders, name):
    first = notice(orders, name)
    assert notice(orders, name) == {**first, "replayed": True}
    with pytest.raises(SubmissionConflict):
        notice(orders, name, "S99")
    assert SourceNotification.objects.count() == 1


@pytest.mark.parametrize("change", [
    {"catalog_code": "M001"},
    {"orders": [order("O1"), order("O1")]},
    {"route_code": "S10"},
    {"orders": [order("O1", "SUITE")]},
])  # fmt: skip
def test_r55_a_package_fault_writes_one_verdict_and_leaves_what_is_there(orders, name, change):
    orders.package(noted(), name=name)
    before, verdicts = counts(), AiTransition.objects.count()
    answer = orders.package(noted(), name=name, **change)
    assert [line["source_event_index"] for line in answer["adapter_contract_errors"]] == [0]
    assert (counts(), AiTransition.objects.count()) == (before, verdicts + 1)
