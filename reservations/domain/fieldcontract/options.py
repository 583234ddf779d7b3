"""What a select offers (R-32). Which options there are depends on the hotel and on the mail, so they are passed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. `label` is (English, Chinese); an inactive one is shown where it is the present value, never taken."""

    code: str
    label: tuple[str, str]
    active: bool = True


Options: TypeAlias = Mapping[str, tuple[Option, ...]]
