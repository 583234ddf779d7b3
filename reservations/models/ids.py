"""Row keys: UUID version 7 (RFC 9562), so that keys of rows made together lie together and sort by time.

Keys made by one process are strictly ascending: the 12 bits after the milliseconds carry the fraction of the
millisecond, and a key that would not be larger than the last one is moved up. So cards of one package keep the order of
its array when they are sorted by key (R-16).
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_FRACTIONS = 4096  # of a millisecond
_lock = threading.Lock()
_last_tick = 0


def new_id() -> uuid.UUID:
    """A new key: 48 bits of milliseconds, 12 bits of their fraction, 62 random bits."""
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


def _ascending() -> uuid.UUID:
    milliseconds, fraction = divmod(_next_tick(), _FRACTIONS)
    return version_7(milliseconds, fraction.to_bytes(2, "big") + os.urandom(8))


def _next_tick() -> int:
    global _last_tick
    with _lock:
        _last_tick = max(time.time_ns() * _FRACTIONS // 1_000_000, _last_tick + 1)
        return _last_tick


_source: ContextVar[Callable[[], uuid.UUID]] = ContextVar("row_keys", default=_ascending)
