"""What the audit keeps of an ingest: who, through which door, which rows; nothing of a refusal (R-02, R-50)."""

import pytest

from config import jsontext
from config.audit.models import AuditEvent
from config.audit.services import Door
from config.errors import DomainError
from reservations.models import Order, Submission, Task
from tests.reservations.domain.builders import event, item, notice, old_package, package
from tests.reservations.services.desk import with_keys

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(desk, mail):
    """The audit lines since the test began: (action, object type, object id)."""
    start = AuditEvent.objects.count()
    return lambda: list(AuditEvent.objects.order_by("id").values_list("action", "object_type", "object_id"))[start:]


def test_a_package_is_one_line_and_every_new_order_and_task_one_more(desk, lines):
    desk.send(
        with_keys(booking_code="B"), event("Note", "note"), with_keys(booking_code="b"), with_keys(group_code="G")
    )
    assert lines() == [
        ("PACKAGE_INGEST", "submission", str(Submission.objects.get().id)),
        *[("ORDER_CREATE", "order", str(pk)) for pk in created_orders()],
        *[("TASK_CREATE", "task", str(pk)) for pk in Task.objects.order_by("id").values_list("id", flat=True)],
    ]


def created_orders():
    named = AuditEvent.objects.filter(action="ORDER_CREATE").order_by("id").values_list("object_id", flat=True)
    assert set(named) == {str(pk) for pk in Order.objects.values_list("id", flat=True)}
    return named


@pytest.mark.parametrize("door", Door.values)
def test_a_line_names_actor_door_and_hotel(desk, lines, door):
    desk.post(package(event()), door=door)
    stored = AuditEvent.objects.order_by("-id").values_list("actor", "door", "tenant", "before", "reason")[:3]
    assert list(stored) == [(desk.agent.pk, door, desk.hotel.pk, None, "")] * 3


def test_a_known_order_is_not_created_again(desk, lines):
    desk.send(with_keys(group_code="G"))
    before = len(lines())
    desk.another(with_keys(group_code="G"))
    assert [action for action, *_ in lines()[before:]] == ["PACKAGE_INGEST", "TASK_CREATE"]


def test_a_notice_leaves_three_lines(desk, lines):
    desk.post(notice())
    assert [action for action, *_ in lines()] == ["PACKAGE_INGEST", "ORDER_CREATE", "TASK_CREATE"]


def test_a_package_of_errors_and_intents_is_one_line_with_their_counts(desk, lines):
    desk.send(5, 6, unhandled_current_intents=[1])
    ((action, *_),) = lines()
    after = AuditEvent.objects.order_by("-id")[0].after
    assert (action, after["transitions"]) == (
        "PACKAGE_INGEST",
        {"adapter_contract_error": 2, "UNHANDLED_CURRENT_INTENT": 1},
    )


def test_a_conflict_is_one_line(desk, lines):
    desk.send(event())
    before = len(lines())
    with pytest.raises(DomainError):
        desk.send(event(relevant_message_excerpt="else"))
    assert [action for action, *_ in lines()[before:]] == ["PACKAGE_CONFLICT"]


def test_r51_a_replay_leaves_no_line(desk, lines):
    desk.send(event())
    before = lines()
    desk.send(event())
    assert lines() == before


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "[]",
        "{",
        package(event(), source_message={"source_message_id": "nobody"}),
        package(event(), order_contexts=[]),
        package(event(), ai_task_results=[]),
        old_package(item(unknown=1)),
        old_package(item("Note", "note")),
        package(*[1] * 501),
    ],
)
def test_r02_no_refusal_leaves_a_line(desk, lines, body):
    with pytest.raises(DomainError):
        desk.post(body)
    assert lines() == []


def test_the_audit_keeps_hashes_and_no_text_of_the_mail(desk, lines):
    secret = "SECRET-WORDS"
    desk.send(event(relevant_message_excerpt=secret, extracted_fields={"note_text": secret}), case_candidates=[secret])
    kept = [jsontext.write([row.before, row.after]) for row in AuditEvent.objects.all()]
    assert [text for text in kept if secret in text] == []


def test_the_audit_of_an_order_holds_its_name_so_that_it_can_be_rebuilt(desk, lines):
    desk.send(event(extracted_fields={"guest_name": "Guest of Honour"}))
    assert AuditEvent.objects.get(action="ORDER_CREATE").after["display_name"] == "Guest of Honour"


def test_the_audit_of_a_task_holds_the_hash_of_its_payload(desk, lines):
    desk.send(event())
    task, line = Task.objects.get(), AuditEvent.objects.get(action="TASK_CREATE")
    assert line.after["ai_payload_sha256"] == task.ai_payload_sha256
    assert (line.after["task_status"], line.after["order_id"]) == ("PENDING_CONFIRM", str(task.order_id))
