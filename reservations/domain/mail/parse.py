"""One mail as a mailbox holds it -> what the inbox keeps of it (R-79)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

from reservations.domain.errors import MailUnreadable
from reservations.domain.mail import fields
from reservations.domain.mail.entity import Entity, read_entity
from reservations.domain.mail.parts import ParsedAttachment, Parts, read_parts
from reservations.domain.mail.problems import Notes, Problem, ProblemCode
from reservations.domain.mail.words import Reader

_CHARSET = re.compile(rb"""=\?([\w.:-]{2,40})[?*]|charset\s{0,3}=\s{0,3}["']?([\w.:-]{2,40})""", re.IGNORECASE)
_NO_HINT = frozenset({"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"})
_FROM_LINE = re.compile(rb">?From [^\n]*\n")
_ESSENTIAL = (
    *("From", "Sender", "To", "Cc", "Date", "Subject", "Message-ID", "Received", "Return-Path", "Reply-To"),
    *("MIME-Version", "Content-Type", "In-Reply-To", "References", "Delivered-To"),
)


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """One mail, read.

    external_message_id  Message-ID without its angle brackets, exactly otherwise (R-01); made from the content's
                         SHA-256, `<hash>@no-message-id.invalid`, when there is none to use
    conversation_id      id of the first mail of the thread: References, else In-Reply-To, else its own
    sender, recipients   `Name <address>` or `address`, names decoded
    received_at          UTC; Date, else the newest readable Received, else None: the caller supplies a time
    body_text            every text part, with "\\n" line ends; None when there is none (an HTML part is not turned
                         into text here: see `text_of_html`)
    body_html            every HTML part as received, decoded; None when there is none
    headers              [name, decoded value] in the order of the mail
    problems             what was not as it should be; never a reason to refuse the mail
    """

    external_message_id: str
    conversation_id: str
    subject: str
    sender: str
    recipients: tuple[str, ...]
    received_at: datetime | None
    body_text: str | None
    body_html: str | None
    headers: list[list[str]]
    attachments: tuple[ParsedAttachment, ...]
    problems: tuple[Problem, ...]


def parse_mail(raw: bytes) -> ParsedMail:
    """Read one RFC 5322 message in whatever state it is.

    raw      the whole message; a leading `From ` line, byte order mark or blank lines are ignored
    raises   MailUnreadable(reason="EMPTY" | "NO_HEADERS"): nothing there that could be a mail. Everything else is read
             as far as possible and told in `problems`
    source   RFC 5322, 2045-2047, 2231; R-79
    Pure: equal bytes give equal values. Text holds neither U+0000 nor lone surrogates (PostgreSQL cannot keep them).
    """
    source = _prepared(raw)
    notes = Notes()
    entity = read_entity(source, notes)
    if not any(entity.all(name) for name in _ESSENTIAL):
        raise MailUnreadable(reason="NO_HEADERS")
    reader = Reader(_hints(source), notes)
    parts = read_parts(entity, reader)
    _note_missing_text(parts, notes)
    own_id = _own_id(entity, reader, source)
    subject = entity.first("Subject")
    return ParsedMail(
        external_message_id=own_id,
        conversation_id=fields.conversation_id(entity, reader, own_id),
        subject=reader.text(subject) if subject is not None else "",
        sender=fields.sender(entity, reader),
        recipients=fields.recipients(entity, reader),
        received_at=fields.received_at(entity, reader),
        body_text=parts.text,
        body_html=parts.html,
        headers=[[name, reader.text(value)] for name, value in entity.headers],
        attachments=tuple(parts.attachments),
        problems=notes.problems(),
    )


def _prepared(raw: bytes) -> bytes:
    source = raw.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if not source.strip(b" \t\r\n\0"):
        raise MailUnreadable(reason="EMPTY")
    if b"\n" not in source:
        source = source.replace(b"\r", b"\n")
    line = _FROM_LINE.match(source)
    return source[line.end() :] if line else source


def _hints(source: bytes) -> tuple[str, ...]:
    """Charsets named anywhere near the start of the mail: what its undeclared bytes are probably written in."""
    named: dict[str, None] = {}
    for word, parameter in _CHARSET.findall(source[:65536]):
        label = (word or parameter).decode("ascii").lower()
        if label not in _NO_HINT and len(named) < 5:
            named.setdefault(label)
    return tuple(named)


def _own_id(entity: Entity, reader: Reader, source: bytes) -> str:
    """A mail without an id is kept under one made of its content, so that reading it again finds the same mail."""
    given = fields.message_id(entity, reader)
    if given is not None:
        return given
    reader.notes.add(ProblemCode.MESSAGE_ID_MISSING)
    normal = source.replace(b"\r\n", b"\n").rstrip(b"\n")
    return f"{hashlib.sha256(normal).hexdigest()}@no-message-id.invalid"


def _note_missing_text(parts: Parts, notes: Notes) -> None:
    if parts.text is None:
        notes.add(ProblemCode.BODY_MISSING if parts.html is None else ProblemCode.HTML_ONLY)
