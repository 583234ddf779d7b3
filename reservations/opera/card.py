"""The effective values of a card as the bodies read them, and the ids that only a PMS could supply (R-48).

A value of another type than its field has is no value here: the payload also keeps what the agent wrote into fields
that no person can change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from reservations.domain.documents import value_at
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_integer, as_object, filled_text
from reservations.domain.orderkeys import OrderKind

PLACEHOLDER: Final = "PLACEHOLDER"
RESERVATION: Final = "Reservation"
BLOCK: Final = "Block"
PROFILE: Final = "Profile"

_ID_LENGTH: Final = 80
_CODE_LENGTH: Final = 20
_NAMED_BY_KEYS: Final = {
    RESERVATION: ("confirmation_number", "booking_code", "group_code", "block_code"),
    BLOCK: ("group_code", "block_code", "booking_code"),
}


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """What a plan needs of the order: its kind and the keys it carries."""

    kind: OrderKind
    group_code: str | None = None
    confirmation_number: str | None = None
    booking_code: str | None = None

    def key(self, name: str) -> str | None:
        keys = {
            "group_code": self.group_code,
            "confirmation_number": self.confirmation_number,
            "booking_code": self.booking_code,
        }
        return filled_text(keys.get(name))


@dataclass(frozen=True, slots=True)
class Card:
    """The effective payload with the hotel and the order, read by dotted paths."""

    payload: JsonObject
    hotel_code: str
    order: OrderFacts

    def value(self, path: str) -> JsonValue:
        return value_at(self.payload, path)

    def text(self, path: str) -> str | None:
        return filled_text(self.value(path))

    def integer(self, path: str) -> int | None:
        return as_integer(self.value(path))

    def number(self, path: str) -> int | Decimal | None:
        """An amount with every digit it has."""
        value = self.value(path)
        return value if isinstance(value, int | Decimal) and not isinstance(value, bool) else None

    def flag(self, path: str) -> bool | None:
        value = self.value(path)
        return value if isinstance(value, bool) else None

    def texts(self, path: str) -> list[str]:
        """The texts of an array; whatever else is in it is left out."""
        return [text for item in as_array(self.value(path)) or [] if (text := filled_text(item))]

    def rows(self, path: str) -> list[JsonObject]:
        """The objects of an array; whatever else is in it is left out."""
        return [row for item in as_array(self.value(path)) or [] if (row := as_object(item))]

    def key(self, name: str) -> str | None:
        """A case key: the card's, else the order's."""
        return self.text(f"case_keys.{name}") or self.order.key(name)

    def reservation_id(self, number: int | None = None) -> JsonObject:
        """The id of the reservation. `number` tells several of one booking apart."""
        return self._id(RESERVATION, number)

    def block_id(self) -> JsonObject:
        return self._id(BLOCK, None)

    def _id(self, kind: str, number: int | None) -> JsonObject:
        name = next((key for name in _NAMED_BY_KEYS[kind] if (key := self.key(name))), "")
        return placeholder_id(kind, name, "" if number is None else f"#{number}")


def placeholder_id(kind: str, name: str, suffix: str = "") -> JsonObject:
    """An `{id, type}` that says by its first word that no PMS gave it, and what it stands for."""
    return {"id": _placeholder(name, suffix, _ID_LENGTH), "type": kind}


def placeholder_code(name: str) -> str:
    """A code of the PMS's own configuration, named by what it stands for."""
    return _placeholder(name, "", _CODE_LENGTH)


def _placeholder(name: str, suffix: str, length: int) -> str:
    start = f"{PLACEHOLDER}:" if name else PLACEHOLDER
    return start + name[: length - len(start) - len(suffix)] + suffix


def day_before(day: str) -> str:
    """The day before an ISO date; a text that is none stays as it is and fails the dry run."""
    try:
        return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return day
