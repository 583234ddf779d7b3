"""One package and its verdicts."""

from __future__ import annotations

from config import jsontext
from reservations.domain.corrections import read_indexes
from reservations.models import AiTransition, Submission, SubmissionOutcome
from reservations.selectors.desk.mails import CARD_COLUMNS, MOST_SHOWN


def verdicts_of(submission: Submission) -> tuple[list[AiTransition], bool]:
    """The verdicts of this package in the order of its events, and whether there are more than are shown."""
    rows = AiTransition.objects.filter(submission=submission).select_related("task", "notification")
    light = rows.defer("event", *(f"task__{column}" for column in (*CARD_COLUMNS, "relationships")))
    found = list(light.order_by("source_event_index", "id")[: MOST_SHOWN + 1])
    return found[:MOST_SHOWN], len(found) > MOST_SHOWN


def conflicting_events(submission: Submission) -> tuple[int, ...]:
    """The events of a kept package that were accepted before and differ, or are left out (R-52); else none."""
    if submission.outcome != SubmissionOutcome.CONFLICT or not submission.response:
        return ()
    return read_indexes(jsontext.read(submission.response.encode()))
