"""The keys by which an event finds its order (R-25)."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reservations.domain.jsonvalues import JsonObject, filled_text

CANCEL_ALLOTMENT: Final = "Cancel Allotment"
NEW_GROUP_BLOCK: Final = "new_group_block"
MAX_INDEXED_KEY: Final = 255


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


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a card as the tables hold them: folded, and hashed where too long for an index."""

    confirmation: str | None
    group: str | None
    booking: str | None


def table_keys(keys: OrderKeys) -> Keys:
    """Folded keys, as the columns and their indexes hold them."""
    folded = keys.folded()
    return Keys(_indexable(folded.confirmation_number), _indexable(folded.group_code), _indexable(folded.booking_code))


def _indexable(key: str | None) -> str | None:
    # An index row is bounded; a key of a page's length still has to be told from another one. Folded keys have no
    # upper case, so no key can be mistaken for a hash.
    if key is None or len(key) <= MAX_INDEXED_KEY:
        return key
    return f"SHA256:{hashlib.sha256(key.encode()).hexdigest()}"
