"""Row keys: UUID version 7 (RFC 9562), so that keys of rows made together lie together and sort by time."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


def new_id() -> uuid.UUID:
    """48 bits of milliseconds, then 74 random bits."""
    return _source.get()()


def version_7(milliseconds: int, tail: bytes) -> uuid.UUID:
    """The key of a moment since 1970 and ten bytes, of which six bits give way to version and variant."""
    value = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(tail, "big")
    return uuid.UUID(int=value & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x7000 << 64 | 0x8000 << 48)


@contextmanager
def ids_from(source: Callable[[], uuid.UUID]) -> Iterator[None]:
    """Take new keys from `source` meanwhile: for rows that must be the same whenever they are made."""
    token = _source.set(source)
    try:
        yield
    finally:
        _source.reset(token)


def _random() -> uuid.UUID:
    return version_7(time.time_ns() // 1_000_000, os.urandom(10))


_source: ContextVar[Callable[[], uuid.UUID]] = ContextVar("row_keys", default=_random)
