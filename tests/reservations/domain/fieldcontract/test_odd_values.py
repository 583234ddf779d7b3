"""Whatever agent and person send, the answer is a card or a documented refusal."""

from dataclasses import replace

import pytest

from config.errors import DomainError
from reservations.data import matrix
from reservations.domain.documents import with_value
from tests.reservations.domain.builders import fallback
from tests.reservations.domain.fieldcontract.states import (
    block,
    confirm,
    draft,
    fit,
    override,
    read,
    refusal,
    resolve,
    rooms,
    state_of,
)
from tests.reservations.domain.mutants import ODD_VALUES

ODD = [value() if callable(value) else value for value in ODD_VALUES]
CONTAINERS = ("extracted_fields", "extracted_fields.room_items", "extracted_fields.room_items.0", "review_decision")
CARDS = pytest.mark.parametrize("sent", [fit(), block(), rooms(), fallback()], ids=lambda sent: sent["task_subtype"])


def answers(check, *arguments):
    try:
        return check(*arguments) is not None
    except DomainError as refused:
        return len(refused.errors) > 0


def rows_of(state):
    return matrix().card(state.task_type, state.task_subtype).rows


@CARDS
@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_r29_odd_values_of_the_agent_are_shown_or_refused(sent, value):
    state = state_of(sent)
    for path in (*CONTAINERS, *(row.field_path for row in rows_of(state))):
        odd = replace(state, event=with_value(state.event, path, value))
        assert answers(read, odd)
        assert answers(confirm, odd)


@CARDS
@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_r29_odd_values_of_a_person_are_taken_or_refused(sent, value):
    state = state_of(sent)
    for path in (row.field_path for row in rows_of(state)):
        assert answers(draft, state, {path: value})
        assert answers(confirm, state, {path: value})
        assert answers(resolve, state, override(path, value))


@pytest.mark.parametrize(
    "name", [name for name in ODD if isinstance(name, str)], ids=range(sum(isinstance(name, str) for name in ODD))
)
def test_r29_odd_paths_mean_no_field(name):
    assert refusal(draft, state_of(fit()), {name: 1})[0] == "TASK_FIELD_PATH_INVALID"
    assert refusal(resolve, state_of(fit()), override("/", 1, field_path=name))[0] == "TASK_REVIEW_POINTER_INVALID"
