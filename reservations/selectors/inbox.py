"""The inbox: mails, their files, their conversations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from reservations.models import Attachment, SourceMessage, Submission
from reservations.selectors.columns import Row, json_texts, rows_of
from reservations.selectors.submissions import SUBMISSION_BRIEF, list_verdicts

MESSAGE_ROW = (
    "id",
    "hotel__code",
    "provider",
    "channel",
    "external_message_id",
    "conversation_id",
    "subject",
    "sender",
    "sender_domain",
    "received_at",
    "created_at",
)
MESSAGE_DETAIL = (
    *MESSAGE_ROW,
    "hotel_id",
    "body_text",
    "body_html",
    "recipients_text",
    "headers_text",
    "content_sha256",
)
ATTACHMENT_ROW = ("id", "external_id", "file_name", "media_type", "size", "sha256", "file")
CONVERSATION_SHOWN = 50


@dataclass(frozen=True, slots=True)
class MessageDetail:
    """One mail with what belongs to it. `conversation`: its mails, oldest first, this one included, at most 50."""

    message: Row
    attachments: list[Row]
    conversation: list[Row]
    submissions: list[Row]
    transitions: list[Row]


def list_messages(*, hotel_ids: Collection[int]) -> QuerySet[SourceMessage, Row]:
    """Mails without their texts."""
    return rows_of(SourceMessage.objects.filter(hotel_id__in=hotel_ids), *MESSAGE_ROW)


def find_message(*, hotel_ids: Collection[int], message_id: UUID) -> MessageDetail | None:
    """Five statements, however much belongs to the mail."""
    wanted = SourceMessage.objects.filter(hotel_id__in=hotel_ids, id=message_id)
    message = rows_of(wanted.annotate(**json_texts("recipients", "headers")), *MESSAGE_DETAIL).first()
    if message is None:
        return None
    return MessageDetail(
        message=message,
        attachments=list_attachments(message_id=message_id),
        conversation=_conversation_of(message),
        submissions=list(_submissions_of([message_id])),
        transitions=list_verdicts(source_message_id=message_id),
    )


def message_row(*, message_id: UUID, hotel_id: int) -> Row:
    """A mail that is known to be there, as it is listed."""
    return list_messages(hotel_ids=[hotel_id]).get(id=message_id)


def list_conversation(*, hotel_ids: Collection[int], conversation_id: str) -> QuerySet[SourceMessage, Row]:
    """The mails of one conversation. A mail without a conversation id belongs to none."""
    if not conversation_id or "\x00" in conversation_id:
        return list_messages(hotel_ids=())
    return list_messages(hotel_ids=hotel_ids).filter(conversation_id=conversation_id)


def submissions_by_message(*, message_ids: Iterable[UUID]) -> dict[UUID, list[Row]]:
    """Submissions of several mails, oldest first."""
    found: dict[UUID, list[Row]] = defaultdict(list)
    for row in _submissions_of(message_ids):
        found[row["source_message_id"]].append(row)
    return found


def list_attachments(*, message_id: UUID) -> list[Row]:
    return list(rows_of(Attachment.objects.filter(message_id=message_id).order_by("external_id"), *ATTACHMENT_ROW))


def find_attachment(*, hotel_ids: Collection[int], message_id: UUID, attachment_id: UUID) -> Attachment | None:
    """A file of this mail whose content is here."""
    of_mail = Attachment.objects.filter(message__hotel_id__in=hotel_ids, message_id=message_id)
    row = of_mail.filter(id=attachment_id).first()
    return row if row and row.file.name and row.file.storage.exists(row.file.name) else None


def _conversation_of(message: Row) -> list[Row]:
    mails = list_conversation(hotel_ids=[message["hotel_id"]], conversation_id=message["conversation_id"])
    return list(mails.order_by("received_at", "id")[:CONVERSATION_SHOWN])


def _submissions_of(message_ids: Iterable[UUID]) -> QuerySet[Submission, Row]:
    packages = Submission.objects.filter(source_message_id__in=message_ids).order_by("created_at", "id")
    return rows_of(packages, *SUBMISSION_BRIEF)
