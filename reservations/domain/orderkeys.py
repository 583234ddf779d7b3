"""The keys by which an event finds its order (R-25)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reservations.domain.jsonvalues import JsonObject, filled_text

CANCEL_ALLOTMENT: Final = "Cancel Allotment"
NEW_GROUP_BLOCK: Final = "new_group_block"


class OrderKind(StrEnum):
    FIT = "FIT"
    GROUP = "GROUP"
    ALLOTMENT = "ALLOTMENT"
    TEMPORARY = "TEMPORARY"
    TECHNICAL = "TECHNICAL"


def fold(text: str) -> str:
    """The form in which keys are compared: NFKC, trimmed, case folded. Folding twice changes nothing."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()


@dataclass(frozen=True, slots=True)
class OrderKeys:
    """The keys of one event, trimmed; None where there is none. A blank text is no key."""

    group_code: str | None = None
    confirmation_number: str | None = None
    booking_code: str | None = None

    def folded(self) -> OrderKeys:
        """The same keys in the form in which they are compared."""
        return OrderKeys(*(fold(key) if key is not None else None for key in self.given()))

    def given(self) -> tuple[str | None, str | None, str | None]:
        return (self.group_code, self.confirmation_number, self.booking_code)

    @property
    def empty(self) -> bool:
        return self.given() == (None, None, None)


def read_key(case_keys: JsonObject, name: str) -> str | None:
    """One key, trimmed, or None."""
    return filled_text(case_keys.get(name))


def order_kind(*, task_type: str, task_subtype: str, keys: OrderKeys) -> OrderKind:
    """The kind of a new order for this card (R-25); whether there is a reason to make it TEMPORARY is asked apart."""
    if task_type == CANCEL_ALLOTMENT:
        return OrderKind.ALLOTMENT
    if keys.group_code is not None or task_subtype == NEW_GROUP_BLOCK:
        return OrderKind.GROUP
    return OrderKind.FIT
