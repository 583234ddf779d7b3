"""R-27, R-35, R-46, R-47, R-49: a person starts a card, workers make its calls; what every answer leads to."""

import pytest
from django.utils import timezone

from config.audit.models import AuditEvent
from reservations.domain.attempts import MAX_ATTEMPTS
from reservations.domain.errors import TaskBlocked, TaskNotFound, TaskPayloadTampered, TaskStateInvalid
from reservations.models import OperaOperation, Order, SimulatedCall, SimulatorScript, Task
from reservations.opera.gateway import AnswerLost, CallRefused, PmsUnavailable
from reservations.services.audited import operation_state, order_state, task_state
from reservations.services.execution import attempt_operation, execute_task, retry_task
from tests import factories
from tests.background import ready, waiting, work, writer


@pytest.fixture
def card(hotel):
    return ready(hotel)


@pytest.fixture
def play(hotel):
    """play("timeout", 2): how the simulated PMS answers the next calls."""

    def script(outcome, remaining=1, **fields):
        return SimulatorScript.objects.create(outcome=outcome, remaining=remaining, **fields)

    return script


def execute(card):
    return execute_task(writer=writer(card), task_id=card.pk)


def retry(card):
    return retry_task(writer=writer(card), task_id=card.pk)


def status(card):
    return Task.objects.values_list("task_status", flat=True).get(pk=card.pk)


def operations(card):
    return list(card.operations.order_by("sequence"))


def states(card):
    return [(row.status, row.attempts, row.last_error) for row in operations(card)]


def received():
    return dict(SimulatedCall.objects.values_list("external_id", "times_received"))


def ids(card):
    return [row.external_id for row in operations(card)]


def actions():
    return list(AuditEvent.objects.order_by("id").values_list("action", flat=True))


def step(card, sequence=1):
    """One attempt, due now."""
    row = card.operations.get(sequence=sequence)
    OperaOperation.objects.filter(pk=row.pk).update(next_try_at=timezone.now())
    attempt_operation.call(str(row.pk))
    row.refresh_from_db()
    return row


# Starting


def test_execute_moves_the_card_and_calls_up_its_first_operation(card):
    assert (execute(card).task_status, status(card)) == ("EXECUTING", "EXECUTING")
    first, second = operations(card)
    assert (first.status, second.status, second.next_try_at) == ("PENDING", "PENDING", None)
    assert first.next_try_at <= timezone.now()
    assert [task.args_kwargs for task in waiting()] == [{"args": [str(first.pk)], "kwargs": {}}]


def test_execute_raises_the_version_and_is_audited_as_an_act_of_its_person(card):
    before = task_state(card)
    moved = execute(card)
    event = AuditEvent.objects.get()
    assert (event.action, event.actor, event.door, event.tenant_id) == (
        "TASK_EXECUTE",
        card.decided_by,
        "api",
        card.hotel_id,
    )
    assert (event.before, event.after, moved.version) == (before, task_state(moved), card.version + 1)


def test_the_reason_for_trying_again_is_kept_in_the_audit(hotel):
    card = ready(hotel, task_status="FAILED")
    retry_task(writer=writer(card), task_id=card.pk, body={"reason": "They have the block now."})
    assert AuditEvent.objects.get(action="TASK_RETRY").reason == "They have the block now."


def test_execute_takes_seven_statements_and_those_of_its_transaction(card, django_assert_num_queries):
    who = writer(card)
    with django_assert_num_queries(9):  # lock, who is before it, next call; three writes, the audit; its savepoint
        execute_task(writer=who, task_id=card.pk)


def test_r46_a_card_is_executed_once(card):
    execute(card)
    with pytest.raises(TaskStateInvalid):
        execute(card)
    assert waiting().count() == 1


@pytest.mark.parametrize("state", ["PENDING_CONFIRM", "EXECUTING", "DONE", "FAILED", "TERMINATED"])
def test_r46_only_a_ready_card_is_executed(hotel, reviewer, state):
    card = ready(hotel, task_status=state)
    with pytest.raises(TaskStateInvalid):
        execute_task(writer=writer(card, user=reviewer), task_id=card.pk)


def test_a_card_of_another_hotel_is_not_there(card, other_hotel):
    with pytest.raises(TaskNotFound):
        execute_task(writer=writer(card, hotel_ids=[other_hotel.pk]), task_id=card.pk)


def test_r35_a_changed_payload_is_not_executed(hotel):
    card = ready(hotel, ai_payload_sha256="0" * 64)
    with pytest.raises(TaskPayloadTampered):
        execute(card)
    assert (status(card), waiting().count(), actions()) == ("READY", 0, [])


def test_r35_a_payload_that_was_purged_has_no_say(card):
    Task.objects.filter(pk=card.pk).update(ai_payload_json="")
    assert execute(card).task_status == "EXECUTING"


def test_r27_an_unfinished_earlier_card_of_the_order_blocks(hotel):
    order, package = factories.order(hotel), factories.package(hotel)
    first, second = (ready(hotel, order=order, package=package, source_event_index=index) for index in (1, 2))
    with pytest.raises(TaskBlocked) as refusal:
        execute(second)
    assert (refusal.value.facts, status(second)) == ({"blocked_by": str(first.pk)}, "READY")
    execute(first)
    work()
    assert execute(second).task_status == "EXECUTING"


# Every answer


def test_r49_both_operations_are_sent_in_sequence_and_the_card_is_done(card):
    execute(card)
    work()
    assert (status(card), states(card)) == ("DONE", [("SUCCEEDED", 1, ""), ("SUCCEEDED", 1, "")])
    assert received() == dict.fromkeys(ids(card), 1)
    order = SimulatedCall.objects.order_by("received_at").values_list("external_id", flat=True)
    assert list(order) == ids(card)
    assert actions() == ["TASK_EXECUTE", "OPERATION_SUCCEEDED", "OPERATION_SUCCEEDED", "TASK_DONE"]


def test_r49_the_simulated_pms_gets_the_stored_call_and_its_answer_is_the_receipt(card):
    execute(card)
    row, call = step(card), SimulatedCall.objects.get()
    assert (call.operation_id, call.hotel_code, call.body) == ("postBlock", "HOTEL1", {"blockName": "Autumn Leaves"})
    assert (row.receipt, row.receipt["simulated"]) == (call.answer, True)
    assert row.receipt["received_at"].endswith("Z")


def test_a_card_that_is_done_is_held_by_nobody_and_is_a_version_on(card):
    Task.objects.filter(pk=card.pk).update(claimed_by=card.decided_by, claim_expires_at=factories.NOON)
    execute(card)
    work()
    done = Task.objects.get(pk=card.pk)
    assert (done.claimed_by, done.claim_expires_at, done.version) == (None, None, card.version + 2)


def test_r49_a_refusal_ends_the_card_with_its_reason_and_the_second_call_is_never_made(card, play):
    play("refusal")
    execute(card)
    work()
    assert (status(card), received()) == ("FAILED", {})
    assert states(card) == [("FAILED", 1, "SIMULATED_REFUSAL"), ("PENDING", 0, "")]
    assert actions() == ["TASK_EXECUTE", "OPERATION_FAILED", "TASK_FAILED"]


def test_r49_a_lost_answer_is_unknown_until_it_is_found_and_never_sent_again(card, play):
    play("lost_answer")
    execute(card)
    row = step(card)
    assert (status(card), row.status, row.last_error) == ("EXECUTING", "UNKNOWN", "ANSWER_LOST")
    assert row.next_try_at > timezone.now()
    row = step(card)
    assert (row.status, row.receipt["operation_id"], received()) == ("SUCCEEDED", "postBlock", {row.external_id: 1})


def test_r49_a_call_that_timed_out_is_sent_again_only_when_it_was_not_found(card, play):
    play("timeout")
    execute(card)
    assert [step(card).status for _ in range(3)] == ["UNKNOWN", "PENDING", "SUCCEEDED"]
    assert received() == {ids(card)[0]: 1}


def test_r49_an_unreachable_pms_is_tried_again_later(card, play):
    play("unavailable")
    execute(card)
    row = step(card)
    assert (row.status, row.last_error, row.next_try_at > timezone.now()) == ("PENDING", "PMS_UNAVAILABLE", True)
    work()
    assert (status(card), received()) == ("DONE", dict.fromkeys(ids(card), 1))


def test_r49_a_pms_that_stays_unreachable_fails_the_card_after_five_attempts(card, play):
    play("unavailable", None)
    execute(card)
    work()
    assert (status(card), states(card)[0]) == ("FAILED", ("FAILED", MAX_ATTEMPTS, "PMS_UNAVAILABLE"))


def test_r49_a_call_that_never_arrives_fails_the_card(card, play):
    play("timeout", None)
    execute(card)
    work()
    assert (status(card), states(card)[0], received()) == ("FAILED", ("FAILED", 6, "NOT_RECEIVED"), {})


def test_r49_what_cannot_be_reconciled_stays_unknown_and_is_asked_for_ever(card, play):
    play("lost_answer")
    play("unavailable", None, operation_id="find")
    execute(card)
    assert {step(card).status for _ in range(MAX_ATTEMPTS * 3)} == {"UNKNOWN"}
    row = operations(card)[0]
    assert (row.attempts, row.next_try_at > timezone.now(), status(card)) == (15, True, "EXECUTING")
    SimulatorScript.objects.all().delete()
    work()
    assert (status(card), received()) == ("DONE", dict.fromkeys(ids(card), 1))


@pytest.mark.parametrize("fault", [RuntimeError("no such page"), AnswerLost(), TimeoutError()])
def test_r49_an_adapter_that_breaks_leaves_it_open(card, settings, fault, monkeypatch):
    settings.OPERA_GATEWAY = adapter(monkeypatch, send=fault, find=fault)
    execute(card)
    assert [step(card).status for _ in range(2)] == ["UNKNOWN", "UNKNOWN"]


@pytest.mark.parametrize(
    ("fault", "state", "error"),
    [
        (CallRefused("Room type closed" * 100), "FAILED", ("Room type closed" * 100)[:200]),
        (PmsUnavailable(), "PENDING", "PMS_UNAVAILABLE"),
    ],
)
def test_r49_an_adapter_of_one_s_own_is_called_in_the_same_way(card, settings, fault, state, error, monkeypatch):
    settings.OPERA_GATEWAY = adapter(monkeypatch, send=fault, find=fault)
    execute(card)
    row = step(card)
    assert (row.status, row.last_error) == (state, error)


def adapter(monkeypatch, **faults):
    """Dotted path of an adapter that raises these."""

    class Broken:
        def send(self, call):
            raise faults["send"]

        def find(self, call):
            raise faults["find"]

    monkeypatch.setattr("reservations.opera.simulator.Broken", Broken, raising=False)
    return "reservations.opera.simulator.Broken"


# Attempts that meet


def test_r49_an_attempt_that_is_not_due_does_nothing(card):
    attempt_operation.call(str(operations(card)[0].pk))
    assert (states(card)[0], received()) == (("PENDING", 0, ""), {})


def test_an_attempt_for_what_is_not_there_does_nothing(db):
    attempt_operation.call("01980000-0000-7000-8000-000000000000")
    assert received() == {}


def test_r49_a_worker_that_died_before_sending_is_followed_by_a_question_then_by_the_call(card):
    execute(card)
    card.operations.filter(sequence=1).update(status="SENDING", attempts=1)
    assert [step(card).status for _ in range(2)] == ["PENDING", "SUCCEEDED"]
    assert received() == {ids(card)[0]: 1}


def test_r49_a_worker_that_died_after_sending_is_followed_by_a_question_alone(card, monkeypatch):
    execute(card)
    monkeypatch.setattr("reservations.services.execution.settle", killed)
    with pytest.raises(SystemExit):
        step(card)
    monkeypatch.undo()
    assert (states(card)[0], received()) == (("SENDING", 1, ""), {ids(card)[0]: 1})
    assert (step(card).status, received()) == ("SUCCEEDED", {ids(card)[0]: 1})


def killed(**arguments):
    raise SystemExit


def test_r49_an_attempt_that_was_overtaken_stores_nothing(card, settings, monkeypatch):
    """Its lease ended while it waited for the answer; another attempt has settled the operation by then."""

    def slow(self, call):
        OperaOperation.objects.filter(pk=card.operations.get(sequence=1).pk).update(next_try_at=timezone.now())
        monkeypatch.undo()
        attempt_operation.call(str(card.operations.get(sequence=1).pk))
        raise CallRefused("too late")

    execute(card)
    monkeypatch.setattr("reservations.opera.simulator.Simulator.send", slow)
    row = step(card)
    assert (row.status, row.last_error, status(card)) == ("PENDING", "NOT_RECEIVED", "EXECUTING")


def test_r35_a_payload_changed_after_the_start_is_not_sent(card, monkeypatch):
    execute(card)
    monkeypatch.setattr(Task, "is_tampered", lambda self: True)  # the database refuses the real thing
    row = step(card)
    assert (row.status, row.last_error, status(card), received()) == (
        "FAILED",
        "TASK_PAYLOAD_TAMPERED",
        "FAILED",
        {},
    )


# Retry


def test_a_failed_card_is_tried_again_under_the_same_external_ids(card, play):
    play("refusal")
    execute(card)
    work()
    before = ids(card)
    assert retry(card).task_status == "EXECUTING"
    assert states(card)[0] == ("PENDING", 0, "")
    work()
    assert (status(card), ids(card), received()) == ("DONE", before, dict.fromkeys(before, 1))
    assert actions()[3:5] == ["TASK_RETRY", "OPERATION_REQUEUED"]


def test_a_retry_does_not_repeat_what_has_succeeded(card, play):
    play("refusal", operation_id="putBlockAllocationRange")
    execute(card)
    work()
    assert (status(card), [row.status for row in operations(card)]) == ("FAILED", ["SUCCEEDED", "FAILED"])
    retry(card)
    work()
    assert (status(card), received()) == ("DONE", dict.fromkeys(ids(card), 1))


def test_r46_only_a_failed_card_is_retried(card):
    with pytest.raises(TaskStateInvalid):
        retry(card)


# R-25a


@pytest.mark.parametrize("operation_id", ["postCancelReservation", "postCancelBlock"])
def test_r25a_a_whole_object_that_was_cancelled_cancels_its_order_and_frees_its_keys(hotel, operation_id):
    order = factories.order(hotel, group_code="AUTUMN")
    card = ready(hotel, calls=(operation_id, "getBlock"), order=order)
    execute(card)
    work()
    assert Order.objects.get(pk=order.pk).status == "CANCELLED"
    assert actions()[-2:] == ["TASK_DONE", "ORDER_CANCEL"]
    assert factories.order(hotel, group_code="autumn").status == "ACTIVE"


@pytest.mark.parametrize("calls", [("postCancelReservations", "getBlock"), ("putBlock", "postCancelBlock")])
def test_r25a_what_cancels_a_part_leaves_the_order_active(hotel, calls):
    card = ready(hotel, calls=calls)
    execute(card)
    work()
    assert (status(card), Order.objects.get(pk=card.order_id).status) == ("DONE", "ACTIVE")


def test_r25a_an_order_is_not_cancelled_before_the_card_is_done(hotel, play):
    card = ready(hotel, calls=("postCancelBlock", "getBlock"))
    play("refusal", operation_id="getBlock")
    execute(card)
    work()
    assert (status(card), Order.objects.get(pk=card.order_id).status) == ("FAILED", "ACTIVE")


# The audit and the queue


def test_the_last_line_of_the_audit_of_everything_is_what_the_tables_say(hotel, play):
    card = ready(hotel, calls=("postCancelBlock", "getBlock"))
    play("timeout")
    play("lost_answer")
    execute(card)
    work()
    kept = {(event.object_type, event.object_id): event.after for event in AuditEvent.objects.order_by("id")}
    now = {("operation", str(row.pk)): operation_state(row) for row in operations(card)}
    now |= {("task", str(card.pk)): task_state(Task.objects.get(pk=card.pk))}
    assert kept == now | {("order", str(card.order_id)): order_state(Order.objects.get(pk=card.order_id))}


def test_what_workers_write_is_written_by_the_system(card):
    execute(card)
    work()
    by = AuditEvent.objects.exclude(action="TASK_EXECUTE").values_list("door", "actor", "tenant").distinct()
    assert list(by) == [("system", None, card.hotel_id)]
