"""Terminating a card, through the API (reservations.md section 9)."""

import pytest

from reservations.models import OperaOperation, Task
from tests import factories
from tests.reservations.board import actions, answered, fit, note, only_lines, places, unmapped

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", ["PENDING_CONFIRM", "READY", "FAILED"])
def test_a_card_nobody_needs_is_ended_with_a_reason(board, hotel, reviewer, status):
    card = str(factories.card(hotel, task_status=status).pk)
    answer = board.send(card, "terminate", {"reason": "Booked by phone"}).json()
    shown = board.get(card)
    assert (answer["task_status"], answer["version"]) == ("TERMINATED", 2)
    assert (shown["terminated_by"], shown["termination_reason"]) == (reviewer.username, "Booked by phone")
    assert shown["terminated_at"].endswith("Z")
    assert shown["history"][-1]["reason"] == "Booked by phone"


def test_a_review_is_ended_and_stays_unresolved(board):
    card = board.card(unmapped())
    answer = board.send(card, "terminate", {"reason": "x"}).json()
    assert (answer["task_status"], answer["review_status"]) == ("TERMINATED", "PENDING")


def test_what_was_confirmed_and_drafted_is_kept(board):
    confirmed, drafted = board.card(fit()), board.card(fit())
    board.confirm(confirmed)
    board.draft(drafted, {"extracted_fields.adults": 3})
    for card in (confirmed, drafted):
        board.send(card, "terminate", {"reason": "x"})
    assert board.get(confirmed)["confirmed_payload"]["field_values"]["extracted_fields.adults"] == 2
    assert board.get(drafted)["draft"]["field_values"] == {"extracted_fields.adults": 3}
    assert OperaOperation.objects.filter(status="PENDING").count() == 2


def test_no_operation_of_a_terminated_card_is_due(board):
    card = board.card(fit())
    board.confirm(card)
    board.send(card, "terminate", {"reason": "x"})
    assert set(OperaOperation.objects.values_list("next_try_at", flat=True)) == {None}
    assert answered(board.send(card, "execute")) == (409, "TASK_STATE_INVALID")


@pytest.mark.parametrize("status", ["EXECUTING", "DONE", "TERMINATED"])
def test_r46_a_card_at_work_or_over_is_not_terminated(board, hotel, status):
    card = str(factories.card(hotel, task_status=status).pk)
    with only_lines():
        assert answered(board.send(card, "terminate", {"reason": "x"})) == (409, "TASK_STATE_INVALID")


@pytest.mark.parametrize("reason", [..., None, "", " ", "\t\n", "\u3000"])
def test_without_a_reason_it_is_not_ended(board, reason):
    card = board.card(fit())
    with only_lines():
        refused = board.send(card, "terminate", {} if reason is ... else {"reason": reason})
    assert (answered(refused), places(refused)) == ((400, "FIELD_INVALID"), ["/reason"])


@pytest.mark.parametrize("reason", [7, [], {"a": 1}, True, "x" * 2001])
def test_what_is_no_reason_is_refused(board, reason):
    card = board.card(fit())
    with only_lines():
        assert answered(board.send(card, "terminate", {"reason": reason})) == (400, "FIELD_INVALID")


@pytest.mark.parametrize("reason", ["x" * 2000, "\u202eRTL\u202c", "<b>客人</b>", "😀", "a\r\nb"])
def test_a_reason_is_kept_as_it_is(board, reason):
    card = board.card(fit())
    assert answered(board.send(card, "terminate", {"reason": reason})) == 200
    assert Task.objects.get(pk=card).termination_reason == reason


def test_r27_the_next_card_of_the_order_is_free(board):
    first, second = board.cards(note(group_code="G1"), note(group_code="G1"))
    assert board.get(second)["blocked"]
    board.send(first, "terminate", {"reason": "x"})
    assert not board.get(second)["blocked"]


def test_terminating_twice_is_a_conflict_and_one_line(board):
    card = board.card(fit())
    board.send(card, "terminate", {"reason": "x"})
    assert answered(board.send(card, "terminate", {"reason": "y"})) == (409, "TASK_STATE_INVALID")
    assert actions(card) == ["TASK_TERMINATE"]
