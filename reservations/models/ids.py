"""Row keys: UUID version 7 (RFC 9562), so that keys of rows made together lie together and sort by time."""

from __future__ import annotations

import os
import time
import uuid


def new_id() -> uuid.UUID:
    """48 bits of milliseconds, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(os.urandom(10), "big")
    return uuid.UUID(int=value & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x7000 << 64 | 0x8000 << 48)
