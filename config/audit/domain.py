"""The chain of the audit: how an event is bound to those before it, and what tells a changed one.

A hash is the SHA-256 of a JSON array as RFC 8785 writes it, so that anybody can compute it again:

    content_sha256   [nonce, before, after, reason], the first two as the stored texts or null
    hash             [previous_hash, position, tenant id, event id, moment in UTC with microseconds, actor id, door,
                     action, object type, object id, request id, content_sha256]

Personal data stands in the content only. A purge empties it together with the nonce, without which no guess at it can
be tried against its hash; the chain itself stays whole.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

GENESIS = "0" * 64


class Flaw(StrEnum):
    """What is wrong with a chain at its first broken place."""

    POSITION = "position"  # an event is missing, or stands at another place
    PREVIOUS_HASH = "previous_hash"  # it does not name the hash of the event before it
    CONTENT = "content"  # before, after or reason are not what was sealed
    HASH = "hash"  # another column is not what was sealed
    HEAD = "head"  # the chain does not end as its own record says


@dataclass(frozen=True, slots=True)
class Event:
    """What of an event is sealed; before and after as the stored texts."""

    id: int
    tenant_id: int | None
    at: datetime
    actor_id: int | None
    door: str
    action: str
    object_type: str
    object_id: str
    request_id: str
    before: str | None
    after: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Seal:
    """The place of an event in its chain."""

    position: int
    previous_hash: str
    nonce: str
    content_sha256: str
    hash: str


def seal_of(event: Event, *, position: int, previous_hash: str, nonce: str) -> Seal:
    content = content_sha256(event, nonce=nonce)
    own = link_hash(event, position=position, previous_hash=previous_hash, content=content)
    return Seal(position, previous_hash, nonce, content, own)


def content_sha256(event: Event, *, nonce: str) -> str:
    return _sha256([nonce, event.before, event.after, event.reason])


def link_hash(event: Event, *, position: int, previous_hash: str, content: str) -> str:
    return _sha256(
        [
            previous_hash,
            position,
            event.tenant_id,
            event.id,
            event.at.astimezone(UTC).isoformat(timespec="microseconds"),
            event.actor_id,
            event.door,
            event.action,
            event.object_type,
            event.object_id,
            event.request_id,
            content,
        ]
    )


def is_purged(event: Event, seal: Seal) -> bool:
    """Nothing of the content is left: it cannot be checked, and says so."""
    return not (seal.nonce or event.before or event.after or event.reason)


def flaw_of(event: Event, seal: Seal, *, position: int, previous_hash: str) -> Flaw | None:
    """The first thing wrong with an event that should stand at this position, after this hash."""
    if seal.position != position:
        return Flaw.POSITION
    if seal.previous_hash != previous_hash:
        return Flaw.PREVIOUS_HASH
    if not is_purged(event, seal) and content_sha256(event, nonce=seal.nonce) != seal.content_sha256:
        return Flaw.CONTENT
    own = link_hash(event, position=position, previous_hash=previous_hash, content=seal.content_sha256)
    return None if seal.hash == own else Flaw.HASH


def _sha256(parts: list[str | int | None]) -> str:
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
