from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.attempts import MAX_ATTEMPTS, Answer, OperationState, asks_first, state_after
from reservations.models import OperationStatus

ATTEMPTS = st.integers(min_value=1, max_value=32_767)


def test_the_states_are_those_of_the_table():
    assert [str(state) for state in OperationState] == OperationStatus.values


def test_r49_only_what_was_never_sent_is_sent_without_asking():
    assert [state for state in OperationState if not asks_first(state)] == [OperationState.PENDING]


@given(ATTEMPTS)
def test_r49_an_answer_settles_and_an_open_end_never_does(attempts):
    answers = (Answer.DONE, Answer.REFUSED, Answer.OPEN)
    states = (OperationState.SUCCEEDED, OperationState.FAILED, OperationState.UNKNOWN)
    assert tuple(state_after(answer, attempts) for answer in answers) == states


@given(ATTEMPTS)
def test_r49_what_was_not_received_is_sent_again_a_bounded_number_of_times(attempts):
    again = state_after(Answer.NO_EFFECT, attempts) is OperationState.PENDING
    assert again == (attempts < MAX_ATTEMPTS)
