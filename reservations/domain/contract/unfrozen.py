"""Content that the frozen baseline left open, and that therefore fails closed (contracts.md section 2; decisions 17, 18, 28)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reservations.domain.contract.verdicts import MailFacts
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.fields import FieldCard
from reservations.domain.jsonvalues import JsonObject, JsonValue
from reservations.domain.pointers import PointerUnresolved, resolve

_PRESENT: Final = (
    ("fix_charge_items", FaultCode.FIX_CHARGE_NOT_FROZEN),
    ("fix_charge_code", FaultCode.FIX_CHARGE_NOT_FROZEN),
    ("preflight", FaultCode.PREFLIGHT_LOCK_NOT_FROZEN),
    ("lock_handle", FaultCode.PREFLIGHT_LOCK_NOT_FROZEN),
    ("manual_rate_code", FaultCode.MANUAL_RATE_CODE_NOT_FROZEN),
)
_RATE_SOURCE, _MANUAL = "rate_code_source", "manual"


def check_frozen(event: JsonObject, extracted_fields: JsonObject) -> None:
    """Is everything in the event covered by the baseline?

    Looked for on the event and at any depth of its `extracted_fields`; a key that is not null is enough, `[]` included.
    raises  EventFault FIX_CHARGE_NOT_FROZEN, PREFLIGHT_LOCK_NOT_FROZEN or MANUAL_RATE_CODE_NOT_FROZEN, in this order
    """
    holders = (event, *_objects_in(extracted_fields))
    present = {key for holder in holders for key, value in holder.items() if value is not None}
    for key, code in _PRESENT:
        if key in present:
            raise EventFault(code, key)
    if any(holder.get(_RATE_SOURCE) == _MANUAL for holder in holders):
        raise EventFault(FaultCode.MANUAL_RATE_CODE_NOT_FROZEN, _RATE_SOURCE)


def check_file(event: JsonObject, *, reviewed: bool, card: FieldCard | None, mail: MailFacts) -> None:
    """Does a card that needs a file of the mail have one?

    Which card needs one is read from the matrix. A review may ask which file is meant, as long as the mail has files.
    raises  EventFault VOUCHER_FILE_MISSING
    """
    row = card.required_file if card is not None else None
    if row is None or (reviewed and mail.attachment_ids):
        return
    try:
        named = resolve(event, row.field_pointer)
    except PointerUnresolved:
        named = None
    if not isinstance(named, list) or not named or not all(_is_known(item, mail) for item in named):
        raise EventFault(FaultCode.VOUCHER_FILE_MISSING, row.field_path)


def _is_known(value: JsonValue, mail: MailFacts) -> bool:
    return isinstance(value, str) and value in mail.attachment_ids


def _objects_in(value: JsonValue) -> Iterator[JsonObject]:
    """Every object at any depth, without recursion."""
    waiting: list[JsonValue] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
