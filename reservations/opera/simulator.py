"""A PMS that is played: it keeps what it received in a table of its own and answers as its scripts say (R-49).

It writes in transactions of its own, as another system would, so that an effect whose answer was lost is there and can
be found. No real PMS is called.
"""

from __future__ import annotations

import hashlib
from datetime import UTC

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from config.inserts import insert
from config.jsontext import JsonValue
from reservations.models import SimulatedCall, SimulatedOutcome, SimulatorScript
from reservations.opera.gateway import AnswerLost, Call, CallRefused, PmsUnavailable

FIND = "find"  # what scripts call the question what became of a call; scripts for any operation leave it alone
REFUSED = "SIMULATED_REFUSAL"


class Simulator:
    """The adapter of the simulated PMS."""

    def send(self, call: Call) -> JsonValue:
        """A call that the network swallows leaves nothing; one that was received before gets the first answer again."""
        fitting = SimulatorScript.objects.filter(operation_id__in=["", call.operation_id])
        outcome = _next_outcome(fitting.filter(_of_hotel(call)))
        if outcome == SimulatedOutcome.UNAVAILABLE:
            raise PmsUnavailable
        if outcome == SimulatedOutcome.TIMEOUT:
            raise AnswerLost
        answer = _received(call, refused=outcome == SimulatedOutcome.REFUSAL)
        if outcome == SimulatedOutcome.LOST_ANSWER:
            raise AnswerLost
        return answer

    def find(self, call: Call) -> JsonValue:
        outcome = _next_outcome(SimulatorScript.objects.filter(_of_hotel(call), operation_id=FIND))
        if outcome is not None:
            raise AnswerLost if outcome == SimulatedOutcome.LOST_ANSWER else PmsUnavailable
        return SimulatedCall.objects.filter(pk=call.external_id).values_list("answer", flat=True).first()


def _of_hotel(call: Call) -> Q:
    return Q(hotel=None) | Q(hotel__code=call.hotel_code)


@transaction.atomic(durable=True)
def _received(call: Call, *, refused: bool) -> JsonValue:
    """Take effect once. A refusal is not kept: the call may be sent again when its cause is gone."""
    known = SimulatedCall.objects.filter(pk=call.external_id)
    if not known.update(times_received=F("times_received") + 1):
        if refused:
            raise CallRefused(REFUSED)
        insert([_first(call)], ignore_conflicts=True) or known.update(times_received=F("times_received") + 1)
    answer: JsonValue = known.values_list("answer", flat=True).get()
    return answer


def _first(call: Call) -> SimulatedCall:
    at = timezone.now()
    answer: JsonValue = {
        "simulated": True,
        "operation_id": call.operation_id,
        "receipt_number": f"SIM-{hashlib.sha256(call.external_id.encode()).hexdigest()[:12].upper()}",
        "received_at": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    }
    return SimulatedCall(
        external_id=call.external_id,
        operation_id=call.operation_id,
        hotel_code=call.hotel_code,
        body=call.body,
        answer=answer,
        times_received=1,
        received_at=at,
    )


def _next_outcome(scripts: QuerySet[SimulatorScript]) -> str | None:
    """Use up one turn of the first script that has any; None where there is none."""
    for script in scripts.exclude(remaining=0).order_by("pk"):
        if script.remaining is None:
            return script.outcome
        if SimulatorScript.objects.filter(pk=script.pk, remaining__gt=0).update(remaining=F("remaining") - 1):
            return script.outcome
    return None
