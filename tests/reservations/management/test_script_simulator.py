from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.audit.models import AuditEvent
from reservations.models import SimulatorScript

pytestmark = pytest.mark.django_db


def scripted(*arguments):
    output = StringIO()
    call_command("script_simulator", *arguments, stdout=output)
    return output.getvalue()


def test_the_next_calls_of_one_hotel_and_operation_are_scripted_and_audited(hotel):
    said = scripted("--outcome", "lost_answer", "--hotel", "HOTEL1", "--operation", "postBlock", "--times", "3")
    assert said == "The next 3 calls of HOTEL1 postBlock: lost_answer.\n"
    script = SimulatorScript.objects.get()
    assert (script.outcome, script.hotel, script.operation_id, script.remaining) == (
        "lost_answer",
        hotel,
        "postBlock",
        3,
    )
    assert list(AuditEvent.objects.values_list("action", "door", "tenant")) == [
        ("SIMULATOR_SCRIPT", "command", hotel.pk)
    ]


def test_without_more_it_is_for_all_calls_from_now_on():
    assert scripted("--outcome", "refusal") == "All calls: refusal.\n"
    script = SimulatorScript.objects.get()
    assert (script.hotel, script.operation_id, script.remaining) == (None, "", None)


def test_clear_removes_all_scripts():
    scripted("--outcome", "refusal")
    assert scripted("--clear") == "1 scripts removed; all calls succeed.\n"
    assert SimulatorScript.objects.count() == 0
    assert list(AuditEvent.objects.values_list("action", flat=True)) == ["SIMULATOR_SCRIPT", "SIMULATOR_CLEAR"]


def test_clear_where_there_is_nothing_writes_nothing():
    assert scripted("--clear") == "0 scripts removed; all calls succeed.\n"
    assert AuditEvent.objects.count() == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--outcome", "maybe"],
        ["--outcome", "refusal", "--clear"],
        ["--outcome", "refusal", "--operation", "postNothing"],
        ["--outcome", "refusal", "--hotel", "NOWHERE"],
        ["--outcome", "refusal", "--times", "0"],
    ],
)
def test_what_cannot_be_meant_is_refused(arguments):
    with pytest.raises(CommandError):
        scripted(*arguments)
    assert SimulatorScript.objects.count() == 0


def test_the_question_what_became_of_a_call_can_be_scripted():
    assert scripted("--outcome", "unavailable", "--operation", "find", "--times", "1") == (
        "The next 1 calls find: unavailable.\n"
    )
