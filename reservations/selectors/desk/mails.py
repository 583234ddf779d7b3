"""One mail and what the agent made of it; many mails and how much came of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, QuerySet

from reservations.models import (
    AiTransition,
    Attachment,
    OrderTask,
    SourceMessage,
    SourceNotification,
    Submission,
    SubmissionOutcome,
    Task,
    TaskStatusChoice,
    TransitionKind,
)

MOST_SHOWN = 200
CONVERSATION_SHOWN = 50
TEXT_COLUMNS = ("body_text", "body_html", "headers", "recipients")
PAYLOAD_COLUMNS = ("payload", "response", "case_candidates", "extraction_warnings", "mapping_diagnostics")
CARD_COLUMNS = (
    "ai_payload_json",
    "case_keys",
    "derived_case_keys",
    "evidence",
    "manual_review",
    "warnings",
    "review_resolution",
    "draft_payload_json",
    "confirmed_payload_json",
)


@dataclass(slots=True)
class Tally:
    """How much came of one mail. A conflict is a newer reading that was kept beside the accepted one (R-52)."""

    cards: int = 0
    notices: int = 0
    errors: int = 0
    intents: int = 0
    conflicts: int = 0

    @property
    def untouched(self) -> bool:
        return not (self.cards or self.notices or self.errors or self.intents or self.conflicts)


_COUNTED = {
    TransitionKind.BUSINESS_EVENT: "cards",
    TransitionKind.SOURCE_NOTIFICATION: "notices",
    TransitionKind.CONTRACT_ERROR: "errors",
    TransitionKind.UNHANDLED_INTENT: "intents",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What the agent made of one mail, in the order of arrival and of the packages. Each list is cut at MOST_SHOWN."""

    submissions: Sequence[Submission]
    cards: Sequence[Task]
    notices: Sequence[Task]
    errors: Sequence[AiTransition]
    intents: Sequence[AiTransition]
    order_tasks: Sequence[OrderTask]
    notifications: Sequence[SourceNotification]
    cut: bool

    @property
    def newer_exists(self) -> bool:
        return any(submission.outcome == SubmissionOutcome.CONFLICT for submission in self.submissions)

    @property
    def silent(self) -> bool:
        return not (self.cards or self.notices or self.errors or self.intents or self.notifications)


def tallies(message_ids: Iterable[UUID]) -> dict[UUID, Tally]:
    """Verdicts by kind and conflicts of these mails, with two statements however many they are."""
    ids = list(message_ids)
    found = {message_id: Tally() for message_id in ids}
    verdicts = AiTransition.objects.filter(source_message__in=ids).order_by()
    for message_id, kind, number in verdicts.values_list("source_message", "kind").annotate(number=Count("id")):
        setattr(found[message_id], _COUNTED[TransitionKind(kind)], number)
    kept = Submission.objects.filter(source_message__in=ids, outcome=SubmissionOutcome.CONFLICT).order_by()
    for message_id, number in kept.values_list("source_message").annotate(number=Count("id")):
        found[message_id].conflicts = number
    return found


def reading(message: SourceMessage) -> Reading:
    """Everything that came of one mail, with five statements."""
    submissions = list(submissions_of(message)[: MOST_SHOWN + 1])
    tasks = list(
        Task.objects.filter(source_message=message)
        .select_related("order")
        .defer(*CARD_COLUMNS)
        .order_by("submission_id", "array_index", "id")[: MOST_SHOWN + 1]
    )
    verdicts = list(
        AiTransition.objects.filter(
            source_message=message, kind__in=[TransitionKind.CONTRACT_ERROR, TransitionKind.UNHANDLED_INTENT]
        ).order_by("submission_id", "source_event_index", "id")[: MOST_SHOWN + 1]
    )
    return Reading(
        submissions=submissions[:MOST_SHOWN],
        cards=[task for task in tasks[:MOST_SHOWN] if task.task_status != TaskStatusChoice.NOTICE],
        notices=[task for task in tasks[:MOST_SHOWN] if task.task_status == TaskStatusChoice.NOTICE],
        errors=[row for row in verdicts[:MOST_SHOWN] if row.kind == TransitionKind.CONTRACT_ERROR],
        intents=[row for row in verdicts[:MOST_SHOWN] if row.kind == TransitionKind.UNHANDLED_INTENT],
        order_tasks=list(
            OrderTask.objects.filter(source_message=message).defer("order_context").order_by("order_context_index")
        ),
        notifications=list(SourceNotification.objects.filter(source_message=message).order_by("id")),
        cut=max(len(submissions), len(tasks), len(verdicts)) > MOST_SHOWN,
    )


def submissions_of(message: SourceMessage) -> QuerySet[Submission]:
    """Its packages in the order of arrival, without their texts."""
    return (
        Submission.objects.filter(source_message=message)
        .select_related("caller")
        .defer(*PAYLOAD_COLUMNS)
        .order_by("created_at", "id")
    )


def conversation(message: SourceMessage) -> Sequence[SourceMessage]:
    """The mails of its conversation in its hotel, itself included, oldest first; empty without a conversation id."""
    if not message.conversation_id:
        return []
    same = SourceMessage.objects.filter(hotel_id=message.hotel_id, conversation_id=message.conversation_id)
    return list(same.defer(*TEXT_COLUMNS).order_by("received_at", "id")[:CONVERSATION_SHOWN])


def attachments_of(message: SourceMessage) -> Sequence[Attachment]:
    return list(Attachment.objects.filter(message=message).order_by("external_id"))
