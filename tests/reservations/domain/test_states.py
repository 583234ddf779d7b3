"""The one move table of a task (reservations.md section 9, R-46)."""

import pytest

from reservations.domain.errors import TaskStateInvalid
from reservations.domain.states import FINAL, MOVES, Action, TaskStatus, allowed, target


def test_each_state_and_action_lead_to_one_state():
    assert len({(move.source, move.action) for move in MOVES}) == len(MOVES)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: f"{move.source} {move.action}")
def test_every_row_of_the_table_is_followed(move):
    assert target(move.source, move.action) == move.target


def test_everything_else_is_refused():
    rows = {(move.source, move.action) for move in MOVES}
    for source in (None, *TaskStatus):
        for action in Action:
            if (source, action) not in rows:
                with pytest.raises(TaskStateInvalid) as refusal:
                    target(source, action)
                assert refusal.value.facts == {"source": source, "action": action}


def test_a_pending_review_is_resolved_and_never_confirmed():
    assert target(TaskStatus.PENDING_REVIEW, Action.RESOLVE) == TaskStatus.READY
    assert allowed(TaskStatus.PENDING_REVIEW, Action.CONFIRM) is False


def test_nothing_leaves_a_final_state():
    assert {move.source for move in MOVES} & FINAL == set()


def test_an_executing_task_is_not_terminated():
    assert [status for status in TaskStatus if allowed(status, Action.TERMINATE)] == [
        TaskStatus.PENDING_CONFIRM,
        TaskStatus.PENDING_REVIEW,
        TaskStatus.READY,
        TaskStatus.FAILED,
    ]
