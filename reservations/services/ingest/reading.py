"""From bytes to a package with identity and root. Nothing of the database is needed (R-01 to R-06, R-54)."""

from __future__ import annotations

import codecs
import hashlib
from dataclasses import dataclass
from email.message import Message

from config import jsontext
from config.errors import JsonInvalid, PayloadLimitExceeded
from config.jsontext import JsonValue
from reservations.domain.contract import (
    Generation,
    Root,
    RootKind,
    TextNotice,
    classify,
    read_identity,
    read_text,
)
from reservations.domain.errors import (
    InputErrorEchoed,
)

MAX_EVENTS = 500
COUNTED_LISTS = ("message_events", "ai_task_results", "unhandled_current_intents", "order_contexts")
TEXT_PLAIN = "text/plain"
NO_CHARSETS = ("punycode", "idna")  # codecs of domain names; the first takes quadratic time


@dataclass(frozen=True, slots=True)
class Package:
    """A body that has an identity and a root. `payload` is the text as received."""

    source_message_id: str
    payload: str
    canonical_sha256: str
    root: Root
    content: JsonValue | TextNotice


def read_package(*, content: bytes, media_type: str) -> Package:
    """From bytes to a package with identity and root. Nothing of the database is needed."""
    header = Message()
    header["Content-Type"] = media_type
    if header.get_content_type() == TEXT_PLAIN:
        return _read_text_package(content, header.get_content_charset() or "utf-8")
    body = jsontext.read(content)
    source_message_id = read_identity(body)
    root = classify(body)
    if root.answer is not None:
        raise InputErrorEchoed(root.answer)
    _refuse_too_many(body)
    return Package(source_message_id, content.decode(), jsontext.digest(body), root, body)


def _read_text_package(content: bytes, charset: str) -> Package:
    try:
        if codecs.lookup(charset).name in NO_CHARSETS:
            raise LookupError(charset)
        text = content.decode(charset)
        text.encode()  # some charsets can spell lone surrogates, which no database column holds
    except (LookupError, ValueError):
        raise JsonInvalid(f"The text is not {charset[:40]}.") from None
    notice = read_text(text)
    digest = hashlib.sha256(notice.canonical.encode()).hexdigest()
    return Package(notice.source_message_id, text, digest, Root(Generation.TEXT, RootKind.NOTICE), notice)


def _refuse_too_many(body: JsonValue) -> None:
    members = body if isinstance(body, dict) else {}
    for key in COUNTED_LISTS:
        entries = members.get(key)
        if isinstance(entries, list) and len(entries) > MAX_EVENTS:
            raise PayloadLimitExceeded(f"{key} has more than {MAX_EVENTS} entries. Split the package.")
