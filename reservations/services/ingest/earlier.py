"""What is stored of earlier packages of a mail (R-51, R-52)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reservations.domain.contract import (
    Generation,
)
from reservations.domain.corrections import History
from reservations.models import (
    AiTransition,
    OrderTask,
    SourceMessage,
    SourceNotification,
    Submission,
    SubmissionOutcome,
    Task,
    TransitionKind,
)
from reservations.services import verdicts
from reservations.services.ingest.reading import Package


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is stored of earlier packages of the mail: the same package's answer, and what was accepted."""

    answer: str | None
    answer_is_conflict: bool
    history: History
    tasks: Sequence[Mapping[str, Any]]
    order_tasks: Mapping[str, OrderTask] = field(default_factory=dict)
    notification: SourceNotification | None = None


def read_earlier(message: SourceMessage, package: Package) -> Earlier:
    canonical_sha256 = package.canonical_sha256
    submissions = Submission.objects.filter(source_message=message)
    outcomes = dict(submissions.values_list("canonical_sha256", "outcome"))
    if not outcomes:
        return Earlier(None, False, History(), ())
    if canonical_sha256 in outcomes:
        answer = submissions.values_list("response", flat=True).get(canonical_sha256=canonical_sha256)
        return Earlier(answer, outcomes[canonical_sha256] == SubmissionOutcome.CONFLICT, History(), ())
    recorded = AiTransition.objects.filter(source_message=message).exclude(kind=TransitionKind.CONTRACT_ERROR)
    accepted, notice, intents = {}, None, set()
    for kind, index, digest in recorded.values_list("kind", "source_event_index", "event_sha256"):
        if kind == TransitionKind.BUSINESS_EVENT:
            accepted[index] = digest
        elif kind == TransitionKind.SOURCE_NOTIFICATION:
            notice = digest
        else:
            intents.add(digest)
    tasks = Task.objects.filter(source_message=message).order_by("source_event_index").values(*verdicts.TASK_COLUMNS)
    known = Earlier(
        None, False, History(accepted, notice, frozenset(intents)), list(tasks) if accepted or notice else ()
    )
    return _with_v4(known, message) if package.root.generation is Generation.V4 else known


def _with_v4(known: Earlier, message: SourceMessage) -> Earlier:
    """What an order package adds to (R-52): order tasks by reference, and the notification of the mail."""
    order_tasks = OrderTask.objects.select_for_update().filter(source_message=message).order_by("id")
    notifications = SourceNotification.objects.filter(source_message=message)
    return replace(
        known,
        order_tasks={row.order_ref: row for row in order_tasks} if known.history.accepted else {},
        notification=notifications.first() if known.history.notice is not None else None,
    )
