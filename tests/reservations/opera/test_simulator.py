"""R-49: the simulated PMS does each thing once, keeps it apart from the operation, and answers as its scripts say."""

import pytest
from django.db import transaction

from reservations.models import SimulatedCall, SimulatorScript
from reservations.opera.gateway import AnswerLost, Call, CallRefused, PmsUnavailable, gateway
from reservations.opera.simulator import Simulator
from tests import factories

CALL = Call("x-1", "HOTEL1", "postBlock", "POST", "/blocks", {"rate": 880})


@pytest.fixture
def pms(hotel):
    return Simulator()


def script(outcome, remaining=1, **fields):
    return SimulatorScript.objects.create(outcome=outcome, remaining=remaining, **fields)


def times_received():
    return list(SimulatedCall.objects.values_list("times_received", flat=True))


def test_it_is_the_adapter_when_nothing_else_is_set_up():
    assert type(gateway()) is Simulator


def test_a_call_is_kept_and_answered(pms):
    answer, kept = pms.send(CALL), SimulatedCall.objects.get()
    assert (kept.external_id, kept.operation_id, kept.hotel_code, kept.body) == (
        "x-1",
        "postBlock",
        "HOTEL1",
        CALL.body,
    )
    assert (answer, answer["simulated"]) == (kept.answer, True)


def test_the_same_external_id_again_gets_the_first_answer_and_is_counted(pms):
    assert pms.send(CALL) == pms.send(CALL)
    assert times_received() == [2]


def test_what_was_received_is_found_and_nothing_else(pms):
    before, answer = pms.find(CALL), pms.send(CALL)
    assert (before, pms.find(CALL), times_received()) == (None, answer, [1])


@pytest.mark.parametrize(
    ("outcome", "fault", "kept"),
    [
        ("refusal", CallRefused, []),
        ("timeout", AnswerLost, []),
        ("unavailable", PmsUnavailable, []),
        ("lost_answer", AnswerLost, [1]),
    ],
)
def test_a_scripted_call_ends_as_it_says_and_the_next_one_succeeds(pms, outcome, fault, kept):
    script(outcome)
    with pytest.raises(fault):
        pms.send(CALL)
    assert times_received() == kept
    assert pms.send(CALL)["operation_id"] == "postBlock"


def test_a_call_that_was_received_before_is_not_refused_afterwards(pms):
    first = pms.send(CALL)
    script("refusal")
    assert pms.send(CALL) == first


@pytest.mark.parametrize(
    ("fields", "fits"),
    [
        ({}, True),
        ({"operation_id": "postBlock"}, True),
        ({"operation_id": "putBlock"}, False),
        ({"operation_id": "find"}, False),
    ],
)
def test_a_script_is_for_an_operation_or_for_all(pms, fields, fits):
    script("unavailable", **fields)
    assert refused(pms.send) == fits


def test_a_script_is_for_a_hotel_or_for_all(pms, hotel, other_hotel):
    script("unavailable", hotel=other_hotel)
    assert refused(pms.send) is False
    script("unavailable", hotel=hotel)
    assert refused(pms.send) is True


def test_scripts_are_used_up_one_after_the_other(pms):
    script("unavailable", 2)
    script("timeout", 1)
    assert [refused(pms.send) for _ in range(4)] == [True, True, True, False]


def test_a_script_without_a_number_is_never_used_up(pms):
    script("unavailable", None)
    assert [refused(pms.send) for _ in range(3)] == [True] * 3


def test_only_a_script_for_it_disturbs_the_question(pms):
    script("unavailable", None)
    assert refused(pms.find) is False
    script("lost_answer", 1, operation_id="find")
    assert [refused(pms.find), refused(pms.find)] == [True, False]


def refused(method):
    try:
        method(CALL)
    except (PmsUnavailable, AnswerLost):
        return True
    return False


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_it_refuses_to_write_inside_the_transaction_of_another():
    factories.hotel("HOTEL1")
    with transaction.atomic(), pytest.raises(RuntimeError):
        Simulator().send(CALL)
