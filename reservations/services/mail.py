"""Mails into the inbox: from the gateway, or read from files (R-79). Files go into the storage under their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from config import jsontext
from config.accounts.models import User
from config.audit.services import Door, record
from config.errors import Fault, FieldInvalid
from config.jsontext import JsonValue
from reservations.domain.errors import MailUnreadable, SourceMessageConflict
from reservations.domain.mail import ParsedMail, Problem, clean_file_name, domain_of, parse_mail
from reservations.models import Attachment, Hotel, SourceMessage


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """One file of a mail; content None: only its name came."""

    external_id: str
    file_name: str
    media_type: str
    content: bytes | None


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """What is kept of one mail. received_at is aware; headers are [name, decoded value]; "" is "there is none"."""

    external_message_id: str
    conversation_id: str
    subject: str
    sender: str
    recipients: Sequence[str]
    received_at: datetime
    body_text: str
    body_html: str
    files: Sequence[IncomingFile] = ()
    headers: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Received:
    """The row of the inbox, and whether this call made it."""

    message: SourceMessage
    created: bool


class ImportStatus(StrEnum):
    """What became of one mail of a file."""

    NEW = "new"
    KNOWN = "known"
    ELSEWHERE = "known through another provider or channel"
    CONFLICT = "known with other content"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one mail, the row that stands for it (None: unreadable), and what was wrong with it."""

    status: ImportStatus
    message: SourceMessage | None
    problems: tuple[Problem, ...] = ()
    detail: str = ""


def receive_message(
    *,
    hotel: Hotel,
    caller: User | None,
    door: Door,
    provider: str,
    channel: str,
    mail: IncomingMail,
    at: datetime | None = None,
) -> Received:
    """Put one mail into the inbox of a hotel, or find it there.

    at      the moment of the row and its audit event; None is now
    raises  SourceMessageConflict: the identity (hotel, provider, channel, id) is taken by other content. Headers are no
            content: servers add to them on every way.
            FieldInvalid: an id that is blank, too long or given to two files
    Files are stored before the transaction; one whose mail is then refused stays under its hash and harms nobody.
    """
    hashes = [None if file.content is None else hashlib.sha256(file.content).hexdigest() for file in mail.files]
    row = _row(hotel, provider, channel, mail, jsontext.digest(_content(mail, hashes)), at or timezone.now())
    _refuse_unusable(row, mail.files)
    known = _stored(row)
    if known is None:
        attachments = [
            _attachment(row, *pair, number) for number, pair in enumerate(zip(mail.files, hashes, strict=True), start=1)
        ]
        known = _insert(row, attachments, caller, door)
    if known.content_sha256 != row.content_sha256:
        raise SourceMessageConflict(message_id=str(known.pk))
    return Received(known, created=known.pk == row.pk)


def import_mail(
    *,
    hotel: Hotel,
    raw: bytes,
    provider: str,
    channel: str,
    actor: User | None,
    door: Door,
    fallback_time: datetime | None = None,
    at: datetime | None = None,
) -> Imported:
    """Read one mail as a mailbox holds it, and put it into the inbox (R-79). Safe to repeat; refuses nothing by exception.

    fallback_time  when the mail came, for one that does not say; None is `at`, else now
    A mail that the hotel has through another provider or channel is left out: twice in the inbox it would be ambiguous,
    and no package for it could be taken (R-03).
    """
    try:
        parsed = parse_mail(raw)
    except MailUnreadable as refusal:
        return Imported(ImportStatus.UNREADABLE, None, detail=refusal.detail)
    same_id = SourceMessage.objects.filter(hotel=hotel, external_message_id=parsed.external_message_id)
    here = same_id.filter(provider=provider, channel=channel).first()
    elsewhere = same_id.exclude(provider=provider, channel=channel).first()
    if here is None and elsewhere is not None:
        detail = f"provider {elsewhere.provider}, channel {elsewhere.channel}"
        return Imported(ImportStatus.ELSEWHERE, elsewhere, parsed.problems, detail)
    moment = parsed.received_at or (here.received_at if here else fallback_time or at or timezone.now())
    try:
        received = receive_message(
            hotel=hotel,
            caller=actor,
            door=door,
            provider=provider,
            channel=channel,
            mail=_incoming(parsed, moment),
            at=at,
        )
    except SourceMessageConflict as refusal:
        return Imported(ImportStatus.CONFLICT, here, parsed.problems, refusal.detail)
    status = ImportStatus.NEW if received.created else ImportStatus.KNOWN
    return Imported(status, received.message, parsed.problems)


def _incoming(parsed: ParsedMail, received_at: datetime) -> IncomingMail:
    return IncomingMail(
        external_message_id=parsed.external_message_id,
        conversation_id=parsed.conversation_id,
        subject=parsed.subject,
        sender=parsed.sender,
        recipients=parsed.recipients,
        received_at=received_at,
        body_text=parsed.body_text or "",
        body_html=parsed.body_html or "",
        files=[IncomingFile(one.external_id, one.file_name, one.media_type, one.content) for one in parsed.attachments],
        headers=parsed.headers,
    )


def _row(
    hotel: Hotel, provider: str, channel: str, mail: IncomingMail, content_sha256: str, at: datetime
) -> SourceMessage:
    return SourceMessage(
        hotel=hotel,
        provider=provider,
        channel=channel,
        external_message_id=mail.external_message_id,
        conversation_id=mail.conversation_id,
        subject=mail.subject,
        sender=mail.sender,
        sender_domain=domain_of(mail.sender),
        recipients=list(mail.recipients),
        received_at=mail.received_at,
        body_text=mail.body_text,
        body_html=mail.body_html,
        headers=[list(header) for header in mail.headers],
        content_sha256=content_sha256,
        created_at=at,
    )


def _content(mail: IncomingMail, hashes: Sequence[str | None]) -> JsonValue:
    """What makes two mails of one id the same mail."""
    return {
        "conversation_id": mail.conversation_id,
        "subject": mail.subject,
        "sender": mail.sender,
        "recipients": list(mail.recipients),
        "received_at": mail.received_at.astimezone(UTC).isoformat(),
        "body_text": mail.body_text,
        "body_html": mail.body_html,
        "files": [
            {
                "external_id": file.external_id,
                "file_name": file.file_name,
                "media_type": file.media_type,
                "sha256": sha256,
            }
            for file, sha256 in zip(mail.files, hashes, strict=True)
        ],
    }


def _refuse_unusable(row: SourceMessage, files: Sequence[IncomingFile]) -> None:
    faults = [*_id_faults(row), *_file_faults(files)]
    if faults:
        raise FieldInvalid(errors=faults)


def _id_faults(row: SourceMessage) -> Iterator[Fault]:
    for name in ("external_message_id", "provider", "channel", "conversation_id"):
        value: str = getattr(row, name)
        limit = getattr(SourceMessage._meta.get_field(name), "max_length", 0)
        if len(value) > limit:
            yield Fault(f"/{name}", "TOO_LONG", f"At most {limit} characters.")
        elif not value.strip() and name != "conversation_id":
            yield Fault(f"/{name}", "BLANK", "This must not be blank.")


def _file_faults(files: Sequence[IncomingFile]) -> Iterator[Fault]:
    seen: set[str] = set()
    for at, file in enumerate(files):
        for name, value in (("external_id", file.external_id), ("media_type", file.media_type)):
            if not value.strip() or len(value) > 255:
                yield Fault(f"/attachments/{at}/{name}", "LENGTH", "1 to 255 characters, not blank.")
        if file.external_id in seen:
            yield Fault(f"/attachments/{at}/external_id", "REPEATED", "Another file of the mail has this id.")
        seen.add(file.external_id)


def _stored(row: SourceMessage) -> SourceMessage | None:
    identity = Q(hotel_id=row.hotel_id, provider=row.provider, channel=row.channel)
    return SourceMessage.objects.filter(identity, external_message_id=row.external_message_id).first()


def _attachment(message: SourceMessage, file: IncomingFile, sha256: str | None, number: int) -> Attachment:
    """The row of a file, whose content is stored by now."""
    row = Attachment(
        message=message,
        external_id=file.external_id,
        file_name=clean_file_name(file.file_name) or f"attachment-{number}",
        media_type=file.media_type,
    )
    if file.content is not None and sha256 is not None:
        row.size, row.sha256, row.file.name = len(file.content), sha256, _store(file.content, sha256)
    return row


def _store(content: bytes, sha256: str) -> str:
    """Where the content lies. A file of its name and another size was cut off while being written: it is not used."""
    name = f"{sha256[:2]}/{sha256}"
    if default_storage.exists(name) and default_storage.size(name) == len(content):
        return name
    return default_storage.save(name, ContentFile(content))


@transaction.atomic
def _insert(row: SourceMessage, attachments: Sequence[Attachment], caller: User | None, door: Door) -> SourceMessage:
    """The row, or the one that another delivery of the same mail wrote in the meantime."""
    SourceMessage.objects.bulk_create([row], ignore_conflicts=True)
    stored = _stored(row)
    if stored is None:
        raise AssertionError("The mail was neither written nor there before.")
    if stored.pk != row.pk:
        return stored
    Attachment.objects.bulk_create(attachments)
    record(
        tenant=stored.hotel,
        actor=caller,
        door=door,
        action="SOURCE_MESSAGE_RECEIVE",
        object_type="source_message",
        object_id=str(stored.pk),
        after={
            "provider": stored.provider,
            "channel": stored.channel,
            "external_message_id": stored.external_message_id,
            "content_sha256": stored.content_sha256,
            "attachments": len(attachments),
        },
        at=stored.created_at,
    )
    return stored
