"""V4: `order_contexts[]` and `message_events[]`. The root is recognised; its packages are not taken yet."""

from __future__ import annotations

from typing import NoReturn

from reservations.domain.errors import GenerationNotSupported


def refuse_v4() -> NoReturn:
    """raises  GenerationNotSupported, always"""
    raise GenerationNotSupported(generation="V4")
