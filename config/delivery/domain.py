"""How long to wait before the next try. No Django here."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

FIRST_PAUSE: Final = timedelta(seconds=1)
LONGEST_PAUSE: Final = timedelta(minutes=5)
_DOUBLINGS = 16  # more than lead to the longest pause


def pause_after(attempts: int, *, chance: float) -> timedelta:
    """The pause after this many attempts: doubled each time up to the longest, less up to half of it.

    chance  from 0 to 1, so that work which failed together does not come back together
    """
    whole = min(FIRST_PAUSE * (1 << min(max(attempts - 1, 0), _DOUBLINGS)), LONGEST_PAUSE)
    return whole * (1 - chance / 2)
