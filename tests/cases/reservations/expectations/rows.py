"""What was written: rows made after `setup`, stored packages, and what has to stay as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from config.audit.models import AuditEvent
from reservations.domain.orderkeys import fold
from reservations.models import AiTransition, Order, OrderStatus, Submission, Task
from tests.cases.compare import differences
from tests.cases.reservations.moments import Moment
from tests.cases.reservations.world import Snapshot, parsed

EVENT_LISTS = ("message_events", "ai_task_results")
FOLDED = {"group_code": "group_key", "confirmation_number": "confirmation_key", "booking_code": "booking_key"}
TRIPLE = ("ai_result_type", "ai_task_type", "ai_task_subtype")


def made(name: str) -> Callable[[Moment, Any], None]:
    """How many rows of one kind were made after `setup`."""

    def check(moment: Moment, expected: Any) -> None:
        rows = moment.world.made(name)
        assert len(rows) == expected, [str(row) for row in rows]

    return check


def listed_orders(moment: Moment, expected: Any) -> None:
    listed = moment.read_all("orders")
    assert len(listed) == expected, [row["order_number"] for row in listed]


def transition_kinds(moment: Moment, expected: Any) -> None:
    assert sorted(row.kind for row in moment.world.made("transitions")) == sorted(expected)


def transitions_unchanged(moment: Moment, expected: Any) -> None:
    now = set(AiTransition.objects.values_list("id", flat=True))
    assert (now == moment.before.transitions) is expected


def source_notifications(moment: Moment, expected: Any) -> None:
    assert len(moment.read_all("source-notifications")) == expected


def basic_information_review(moment: Moment, expected: Any) -> None:
    in_review = []
    for line in moment.first.body["order_tasks"]:
        cards = moment.read(f"order-tasks/{line['order_task_id']}")["cards"]
        basic = next(card for card in cards if card["card_key"] == "BASIC_INFORMATION")
        in_review.append(basic["review_status"] == "PENDING")
    assert in_review, "there is no order task"
    assert any(in_review) is expected


def active_orders_for(moment: Moment, expected: Any) -> None:
    keys = {FOLDED[name]: fold(value) for name, value in expected.items() if name != "count"}
    active = Order.objects.filter(hotel=moment.world.hotel, status=OrderStatus.ACTIVE, **keys)
    assert active.count() == expected["count"]


def order_execution_queue_unchanged(moment: Moment, expected: Any) -> None:
    now = moment.world.snapshot().queues
    assert ({order: now.get(order) for order in moment.before.queues} == moment.before.queues) is expected


def nothing_written(moment: Moment, expected: Any) -> None:
    """Tasks and orders are as before; so are operations, which stand in the detail of the task."""
    assert (_without_audit(moment.world.snapshot()) == _without_audit(moment.before)) is expected


def audit(moment: Moment, expected: Any) -> None:
    assert expected in _actions(moment)


def audit_count(moment: Moment, expected: Any) -> None:
    actions = _actions(moment)
    assert {action: actions.count(action) for action in expected} == expected


def stored_payload_has_no(moment: Moment, expected: Any) -> None:
    texts = [row.payload for row in moment.world.made("submissions")]
    texts += [row.ai_payload_json for row in moment.world.made("tasks")]
    assert texts, "nothing is stored"
    assert [key for text in texts for key in _keys(parsed(text)) if key in expected] == []


def payload_roundtrip(moment: Moment, expected: Any) -> None:
    """The stored package is the one sent, and each card's event is the one at its place in it."""
    submission = Submission.objects.get(id=moment.first.body["submission_id"])
    kept = differences(parsed(submission.payload), moment.sent) == []
    kept = kept and all(_is_the_event_sent(moment, task) for task in Task.objects.filter(submission=submission))
    assert kept is expected


def payload_unchanged(moment: Moment, expected: Any) -> None:
    """The event of each task is the text it was, a new one's the event sent, and what the reviewer sees is that."""
    columns = ("ai_payload_json", "ai_payload_sha256")
    new = Task.objects.filter(id__in=[key for key in moment.task_ids if key not in _known(moment)])
    unchanged = _columns_now(moment, columns) == _columns_before(moment, columns)
    assert (unchanged and all(_is_the_event_sent(moment, task) for task in new)) is expected
    for task_id in moment.task_ids:
        text = Task.objects.get(id=task_id).ai_payload_json
        assert differences(moment.detail(task_id)["ai_payload_json"], parsed(text)) == []


def ai_triple_unchanged(moment: Moment, expected: Any) -> None:
    assert (_columns_now(moment, TRIPLE) == _columns_before(moment, TRIPLE)) is expected


def _is_the_event_sent(moment: Moment, task: Task) -> bool:
    events = next(moment.sent[name] for name in EVENT_LISTS if moment.sent.get(name) is not None)
    return differences(parsed(task.ai_payload_json), events[task.array_index]) == []


def _known(moment: Moment) -> list[str]:
    """The tasks of the moment that were there before it."""
    return [task_id for task_id in moment.task_ids if UUID(task_id) in moment.before.tasks]


def _columns_now(moment: Moment, columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [Task.objects.values_list(*columns).get(id=task_id) for task_id in _known(moment)]


def _columns_before(moment: Moment, columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    before = {str(task_id): row for task_id, row in moment.before.tasks.items()}
    return [tuple(before[task_id][column] for column in columns) for task_id in _known(moment)]


def _without_audit(snapshot: Snapshot) -> tuple[Any, Any]:
    return snapshot.tasks, snapshot.orders


def _actions(moment: Moment) -> list[str]:
    events = AuditEvent.objects.filter(object_type="task", object_id=moment.task_id)
    return list(events.order_by("id").values_list("action", flat=True))


def _keys(value: Any) -> Iterator[str]:
    """Every key at any depth."""
    if isinstance(value, dict):
        yield from value
    for entry in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(entry)


CHECKS: dict[str, Callable[[Moment, Any], None]] = {
    "new_orders": made("orders"),
    "new_tasks": made("tasks"),
    "tasks_total": made("tasks"),
    "transitions_total": made("transitions"),
    "orders_total": made("orders"),
    "audit_total": made("audit"),
    "listed_orders": listed_orders,
    "transition_kinds": transition_kinds,
    "transitions_unchanged": transitions_unchanged,
    "source_notifications": source_notifications,
    "basic_information_review": basic_information_review,
    "active_orders_for": active_orders_for,
    "order_execution_queue_unchanged": order_execution_queue_unchanged,
    "nothing_written": nothing_written,
    "audit": audit,
    "audit_count": audit_count,
    "stored_payload_has_no": stored_payload_has_no,
    "payload_roundtrip": payload_roundtrip,
    "payload_unchanged": payload_unchanged,
    "ai_payload_unchanged": payload_unchanged,
    "ai_triple_unchanged": ai_triple_unchanged,
}
