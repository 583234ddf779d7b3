"""Telling the simulated PMS how to answer: for demonstrations and tests."""

from __future__ import annotations

from django.db import transaction

from config.audit.services import Door, record
from reservations.models import Hotel, SimulatedOutcome, SimulatorScript

SIMULATOR_SCRIPT = "SIMULATOR_SCRIPT"
SIMULATOR_CLEAR = "SIMULATOR_CLEAR"
OBJECT_TYPE = "simulator_script"


@transaction.atomic
def script_simulator(
    *, outcome: SimulatedOutcome, hotel: Hotel | None, operation_id: str, times: int | None, door: Door
) -> SimulatorScript:
    """Answer the next calls that fit in this way, after those that earlier scripts take.

    hotel         None: of every hotel
    operation_id  blank: every operation
    times         how many calls; None: all from now on
    """
    script = SimulatorScript.objects.create(outcome=outcome, hotel=hotel, operation_id=operation_id, remaining=times)
    record(
        tenant=hotel,
        actor=None,
        door=door,
        action=SIMULATOR_SCRIPT,
        object_type=OBJECT_TYPE,
        object_id=str(script.pk),
        after={"outcome": str(outcome), "operation_id": operation_id, "remaining": times},
    )
    return script


@transaction.atomic
def clear_scripts(*, door: Door) -> int:
    """All calls succeed again. Returns how many scripts there were."""
    removed, _ = SimulatorScript.objects.all().delete()
    if removed:
        record(
            tenant=None,
            actor=None,
            door=door,
            action=SIMULATOR_CLEAR,
            object_type=OBJECT_TYPE,
            object_id="*",
            before={"scripts": removed},
        )
    return removed
