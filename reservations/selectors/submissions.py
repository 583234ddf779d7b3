"""Submissions and the verdicts on their parts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from reservations.models import AiTransition, SourceMessage, Submission, TransitionKind
from reservations.selectors.columns import MAIL_REFERENCE, Row, json_texts, rows_of

SUBMISSION_BRIEF = (
    "id",
    "source_message_id",
    "generation",
    "root_kind",
    "outcome",
    "canonical_sha256",
    "caller__username",
    "created_at",
)
SUBMISSION_ROW = ("hotel__code", *SUBMISSION_BRIEF, *MAIL_REFERENCE[1:])
SUBMISSION_JSON = ("mapping_diagnostics", "case_candidates", "extraction_warnings")
SUBMISSION_DETAIL = (*SUBMISSION_ROW, "payload", "response", *(f"{name}_text" for name in SUBMISSION_JSON))
TRANSITION_BRIEF = (
    "id",
    "submission_id",
    "task__id",
    "kind",
    "source_event_index",
    "array_index",
    "ai_result_type",
    "ai_task_type",
    "ai_task_subtype",
    "route_code",
    "system_process_category",
    "event_sha256",
    "adapter_error_code",
    "adapter_error_message",
    "adapter_error_detail",
    "created_at",
)
TRANSITION_ROW = ("hotel__code", *TRANSITION_BRIEF, *MAIL_REFERENCE)
BATCH_ROW = (
    "id",
    "kind",
    "source_event_index",
    "array_index",
    "adapter_error_code",
    "adapter_error_message",
    "adapter_error_detail",
    "event",
)


@dataclass(frozen=True, slots=True)
class SubmissionDetail:
    """One package as received, the answer to it, and its verdicts."""

    submission: Row
    transitions: list[Row]


@dataclass(frozen=True, slots=True)
class Batch:
    """What came with a card and became none."""

    contract_errors: list[Row]
    unhandled_intents: list[Row]


def list_submissions(*, hotel_ids: Collection[int]) -> QuerySet[Submission, Row]:
    """Submissions without payload and answer."""
    return rows_of(Submission.objects.filter(hotel_id__in=hotel_ids), *SUBMISSION_ROW)


def find_submission(*, hotel_ids: Collection[int], submission_id: UUID) -> SubmissionDetail | None:
    wanted = Submission.objects.filter(hotel_id__in=hotel_ids, id=submission_id)
    submission = rows_of(wanted.annotate(**json_texts(*SUBMISSION_JSON)), *SUBMISSION_DETAIL).first()
    if submission is None:
        return None
    return SubmissionDetail(submission, list_verdicts(submission_id=submission_id))


def list_transitions(*, hotel_ids: Collection[int]) -> QuerySet[AiTransition, Row]:
    """Verdicts without the event they are about."""
    return rows_of(AiTransition.objects.filter(hotel_id__in=hotel_ids), *TRANSITION_ROW)


def find_transition(*, hotel_ids: Collection[int], transition_id: UUID) -> Row | None:
    """One verdict with the event as sent."""
    wanted = AiTransition.objects.filter(hotel_id__in=hotel_ids, id=transition_id)
    return rows_of(wanted, *TRANSITION_ROW, "event").first()


def list_verdicts(**where: UUID) -> list[Row]:
    """The verdicts of one package (`submission_id`) or mail (`source_message_id`), in the order they were given."""
    return list(rows_of(_verdicts(**where), *TRANSITION_BRIEF))


def find_batch(*, submission_id: UUID, source_message_id: UUID) -> Batch:
    """What is shown beside every card of a package: its contract errors, and the intents of the mail (R-09).

    An intent of the mail is recorded once, whichever package repeats it (R-52); so intents are those of the mail.
    """
    errors = Q(kind=TransitionKind.CONTRACT_ERROR, submission_id=submission_id)
    intents = Q(kind=TransitionKind.UNHANDLED_INTENT)
    rows = list(rows_of(_verdicts(source_message_id=source_message_id).filter(errors | intents), *BATCH_ROW))
    return Batch(
        contract_errors=[row for row in rows if row["kind"] == TransitionKind.CONTRACT_ERROR],
        unhandled_intents=[row for row in rows if row["kind"] == TransitionKind.UNHANDLED_INTENT],
    )


def of_message(*, hotel_ids: Collection[int], outer_id: str) -> Q:
    """Rows of the mails of these hotels with this outer id (R-01), compared exactly."""
    mails = SourceMessage.objects.filter(hotel_id__in=hotel_ids, external_message_id=outer_id)
    return Q(source_message_id__in=mails.values("id"))


def _verdicts(**where: UUID) -> QuerySet[AiTransition]:
    return AiTransition.objects.filter(**where).order_by("created_at", "submission_id", "source_event_index", "id")
