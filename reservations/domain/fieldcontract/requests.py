"""Bodies of the writes on a card: their shape, and nothing of what the card makes of them. Unknown keys are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from config.errors import Fault, FieldInvalid
from reservations.domain.fieldcontract.resolving import Override
from reservations.domain.jsonvalues import JsonObject, JsonValue, is_blank
from reservations.domain.pointers import build

REASON_LENGTH: Final = 2000
BULK_SIZE: Final = 200
ACKNOWLEDGE: Final = "acknowledge"
_FORMS: Final = ("field_pointer", "field_path", "legacy_field_path")

_Check = Callable[[str, JsonValue], Iterator[Fault]]


class BulkAction(StrEnum):
    CLAIM = "claim"
    RELEASE = "release"
    TERMINATE = "terminate"


@dataclass(frozen=True, slots=True)
class ConfirmRequest:
    """values: by path as sent; reason: "" when none is given."""

    values: JsonObject
    reason: str


@dataclass(frozen=True, slots=True)
class ResolveRequest:
    """confirmed_order_id: as sent, None when absent; whether it is one that the card may have is asked later."""

    confirmed_order_id: JsonValue
    reason: str
    overrides: tuple[Override, ...]


@dataclass(frozen=True, slots=True)
class BulkRequest:
    action: BulkAction
    task_ids: tuple[str, ...]
    reason: str


def read_draft(body: JsonValue) -> JsonObject:
    """`{"field_values": {path: value}}`.

    raises  FieldInvalid
    """
    members = _members(body, {"field_values": _object}, required=("field_values",))
    return _object_of(members, "field_values")


def read_confirmation(body: JsonValue) -> ConfirmRequest:
    """`{"field_values"?: {path: value}, "reason"?}`.

    raises  FieldInvalid
    """
    members = _members(body, {"field_values": _object, "reason": _reason})
    return ConfirmRequest(_object_of(members, "field_values"), _reason_of(members))


def read_resolution(body: JsonValue) -> ResolveRequest:
    """`{"confirmed_order_id", "reason"?, "field_overrides"?: [{field_pointer?, field_path?, value}]}` (R-39).

    raises  FieldInvalid
    """
    members = _members(body, {"confirmed_order_id": _anything, "reason": _reason, "field_overrides": _overrides})
    sent = members.get("field_overrides", [])
    overrides = tuple(_override(item) for item in (sent if isinstance(sent, list) else []) if isinstance(item, dict))
    return ResolveRequest(members.get("confirmed_order_id"), _reason_of(members), overrides)


def read_reason(body: JsonValue, *, required: bool) -> str:
    """`{"reason"}`; not blank where one is required.

    raises  FieldInvalid
    """
    reason = _reason_of(_members(body, {"reason": _reason}))
    if required and is_blank(reason):
        raise FieldInvalid(errors=[Fault("/reason", "REQUIRED", "Say why.")])
    return reason


def read_bulk(body: JsonValue) -> BulkRequest:
    """`{"action": "claim|release|terminate", "task_ids": [...], "reason"?}` (R-42); terminating asks for a reason.

    raises  FieldInvalid
    """
    checks: dict[str, _Check] = {"action": _action, "task_ids": _ids, "reason": _reason}
    members = _members(body, checks, required=("action", "task_ids"))
    action, ids, reason = BulkAction(str(members["action"])), members["task_ids"], _reason_of(members)
    if action is BulkAction.TERMINATE and is_blank(reason):
        raise FieldInvalid(errors=[Fault("/reason", "REQUIRED", "Say why.")])
    return BulkRequest(action, tuple(str(item) for item in (ids if isinstance(ids, list) else [])), reason)


def read_notification_bulk(body: JsonValue) -> tuple[str, ...]:
    """`{"action": "acknowledge", "notification_ids": [...]}` (R-42): the ids as sent.

    raises  FieldInvalid
    """
    checks: dict[str, _Check] = {"action": _acknowledge, "notification_ids": _ids}
    ids = _members(body, checks, required=("action", "notification_ids"))["notification_ids"]
    return tuple(str(item) for item in (ids if isinstance(ids, list) else []))


def _members(body: JsonValue, checks: Mapping[str, _Check], required: tuple[str, ...] = ()) -> JsonObject:
    """The members of the body once each of them passed its check."""
    if not isinstance(body, dict):
        raise FieldInvalid(errors=[Fault("", "WRONG_TYPE", "The body must be an object.")])
    faults = [Fault(f"/{name}", "REQUIRED", "This must be given.") for name in required if name not in body]
    for name, value in body.items():
        place = build((name,))
        faults += checks[name](place, value) if name in checks else [_unknown(place)]
    if faults:
        raise FieldInvalid(errors=faults)
    return body


def _unknown(place: str) -> Fault:
    return Fault(place, "UNKNOWN", "There is no such key.")


def _anything(place: str, value: JsonValue) -> Iterator[Fault]:
    yield from ()


def _object(place: str, value: JsonValue) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(place, "WRONG_TYPE", "Must be an object.")


def _reason(place: str, value: JsonValue) -> Iterator[Fault]:
    if value is not None and not isinstance(value, str):
        yield Fault(place, "WRONG_TYPE", "Must be a text.")
    elif isinstance(value, str) and len(value) > REASON_LENGTH:
        yield Fault(place, "TOO_LONG", f"At most {REASON_LENGTH} characters.")


def _action(place: str, value: JsonValue) -> Iterator[Fault]:
    if value not in list(BulkAction):
        yield Fault(place, "NOT_OFFERED", f"One of {', '.join(BulkAction)}.")


def _acknowledge(place: str, value: JsonValue) -> Iterator[Fault]:
    if value != ACKNOWLEDGE:
        yield Fault(place, "NOT_OFFERED", f"Only {ACKNOWLEDGE}.")


def _ids(place: str, value: JsonValue) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(place, "WRONG_TYPE", "Must be an array.")
    elif not 1 <= len(value) <= BULK_SIZE:
        yield Fault(place, "LENGTH", f"1 to {BULK_SIZE} ids.")
    else:
        wrong = (at for at, item in enumerate(value) if not isinstance(item, str))
        yield from (Fault(f"{place}/{at}", "WRONG_TYPE", "Must be a text.") for at in wrong)


def _overrides(place: str, value: JsonValue) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(place, "WRONG_TYPE", "Must be an array.")
        return
    for at, item in enumerate(value):
        if not isinstance(item, dict):
            yield Fault(f"{place}/{at}", "WRONG_TYPE", "Must be an object.")
        else:
            yield from (_unknown(f"{place}/{at}{build((key,))}") for key in item if key not in (*_FORMS, "value"))


def _override(item: JsonObject) -> Override:
    pointer, path, legacy = (item.get(name) for name in _FORMS)
    return Override(pointer, path, legacy, item.get("value"), given="value" in item)


def _object_of(members: JsonObject, name: str) -> JsonObject:
    value = members.get(name)
    return value if isinstance(value, dict) else {}


def _reason_of(members: JsonObject) -> str:
    reason = members.get("reason")
    return reason if isinstance(reason, str) else ""
