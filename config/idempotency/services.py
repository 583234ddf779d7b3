"""The life of a key: claimed by a marker, then given its answer or let go (api.md, "Conditional requests and idempotency").

The marker is committed before the work, so that others see it; the answer is written in the transaction of the work.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from config.idempotency.errors import KeyInFlight, KeyReused
from config.idempotency.models import IdempotencyKey
from config.inserts import insert

ABANDONED_AFTER = timedelta(seconds=60)  # a marker without an answer: its request has died
KEPT = timedelta(days=30)
CLAIMS = 3  # tries while the marker of another request comes and goes


@dataclass(frozen=True, slots=True)
class Scope:
    """What a key belongs to."""

    caller_id: int
    method: str
    path: str
    key: str

    @property
    def digest(self) -> UUID:
        parts = f"{self.caller_id} {self.method} {self.key} {self.path}"  # none but the last has a space in it
        return UUID(bytes=hashlib.blake2b(parts.encode(), digest_size=16).digest())


@dataclass(frozen=True, slots=True)
class Answer:
    """A stored answer, byte for byte."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Hold:
    """The right to write the answer of a key."""

    scope: Scope
    holder: UUID


def claim(*, scope: Scope, request_sha256: str, at: datetime) -> Hold | Answer:
    """Set the marker, or find the answer. Outside a transaction the marker is committed at once.

    raises  KeyReused: the key belongs to another request
            KeyInFlight: its first request is being worked on, and has been for less than 60 s
    """
    for _ in range(CLAIMS):
        hold = Hold(scope, uuid4())
        if insert([_marker(hold, request_sha256, at)], ignore_conflicts=True):
            return hold
        row = IdempotencyKey.objects.filter(scope=scope.digest).first()
        if row is None:  # let go between the two statements
            continue
        if row.status is None and row.started_at <= at - ABANDONED_AFTER:
            if _take_over(row, hold, request_sha256, at):
                return hold
            continue
        return _answer(row, request_sha256)
    raise KeyInFlight


def keep(*, hold: Hold, answer: Answer) -> None:
    """Store the answer. Called at the end of the transaction of the work.

    raises  KeyInFlight: the key was taken over meanwhile; the work must not be committed
    """
    headers = [list(header) for header in answer.headers]
    held = IdempotencyKey.objects.filter(scope=hold.scope.digest, holder=hold.holder)
    if not held.update(status=answer.status, headers=headers, body=answer.body):
        raise KeyInFlight


def let_go(*, hold: Hold) -> bool:
    """Free the key: its answer is not kept. False where it was taken over meanwhile."""
    deleted, _ = IdempotencyKey.objects.filter(scope=hold.scope.digest, holder=hold.holder).delete()
    return deleted > 0


def purge_expired(*, at: datetime) -> int:
    """Delete the keys that are older than 30 days; how many there were."""
    deleted, _ = IdempotencyKey.objects.filter(started_at__lt=at - KEPT).delete()
    return deleted


def _marker(hold: Hold, request_sha256: str, at: datetime) -> IdempotencyKey:
    scope = hold.scope
    return IdempotencyKey(
        scope=scope.digest,
        caller_id=scope.caller_id,
        method=scope.method,
        path=scope.path,
        key=scope.key,
        request_sha256=request_sha256,
        holder=hold.holder,
        started_at=at,
    )


def _take_over(row: IdempotencyKey, hold: Hold, request_sha256: str, at: datetime) -> bool:
    abandoned = IdempotencyKey.objects.filter(scope=row.scope, holder=row.holder, status=None)
    return abandoned.update(holder=hold.holder, request_sha256=request_sha256, started_at=at) == 1


def _answer(row: IdempotencyKey, request_sha256: str) -> Answer:
    if row.request_sha256 != request_sha256:
        raise KeyReused
    if row.status is None:
        raise KeyInFlight
    return Answer(row.status, tuple((name, value) for name, value in row.headers), bytes(row.body or b""))
