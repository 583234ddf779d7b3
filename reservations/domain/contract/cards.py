"""From an accepted event to its card: the derived copy, the order keys, the quotes (R-22 to R-25)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reservations.domain.contract.events import Accepted, Draft
from reservations.domain.contract.review import asked_rows
from reservations.domain.contract.verdicts import Card, Excerpt
from reservations.domain.fields import FieldCard
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_object, filled_text, has_value
from reservations.domain.orderkeys import OrderKeys, OrderKind, fold, order_kind, read_key
from reservations.domain.parents import completed_keys

NAME_LENGTH: Final = 200
_GROUP_CODE: Final = "case_keys.group_code"


def make_card(accepted: Accepted) -> Card:
    """The card of an accepted event. Nothing of the event itself is changed."""
    draft, route = accepted.draft, accepted.route
    derived = _derived_event(accepted)
    effective = as_object(derived["case_keys"]) or {}
    keys, conflict = _order_keys(accepted, effective)
    kind = order_kind(task_type=draft.claim.task_type, task_subtype=draft.claim.task_subtype, keys=keys)
    return Card(
        array_index=draft.array_index,
        source_event_index=draft.array_index + 1,
        event=draft.event,
        event_type=draft.event_type,
        route=route,
        case_keys=draft.case_keys,
        effective_case_keys=effective,
        derived=derived,
        manual_review=draft.manual_review,
        missing_paths=_missing_paths(accepted),
        relationships=draft.relations,
        applies_to=draft.applies_to,
        excerpts=tuple(_excerpts(draft)),
        order_keys=keys,
        keys_conflict=conflict,
        order_kind=kind,
        display_name=_display_name(draft, keys, kind, route.title_en),
    )


def _derived_event(accepted: Accepted) -> JsonObject:
    draft, keys = accepted.draft, accepted.parent_keys
    case_keys = completed_keys(draft.case_keys, keys) if keys is not None else draft.case_keys
    derived: JsonObject = {**draft.event, "case_keys": case_keys, "extracted_fields": draft.extracted_fields}
    if accepted.card is None:
        return derived
    if keys is None:
        derived = _with_aliases(derived, accepted.card)
    for row in accepted.card.rows:
        if row.derived_value is not None:
            derived = _put(derived, row.field_path, row.derived_value)
    return derived


def _with_aliases(event: JsonObject, card: FieldCard) -> JsonObject:
    """A field without a value takes that of its alias, so that a block code answers for the group code (R-24)."""
    for row in card.rows:
        for alias in row.path_aliases:
            value = _read(event, alias)
            if has_value(value) and not has_value(_read(event, row.field_path)):
                event = _put(event, row.field_path, value)
    return event


def _read(event: JsonObject, path: str) -> JsonValue:
    value: JsonValue = event
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _put(event: JsonObject, path: str, value: JsonValue) -> JsonObject:
    """A copy of the event with the value at a path of objects; what lies beside the path is shared, not copied."""
    name, _, rest = path.partition(".")
    inner = _put(as_object(event.get(name)) or {}, rest, value) if rest else value
    return {**event, name: inner}


def _order_keys(accepted: Accepted, effective: JsonObject) -> tuple[OrderKeys, bool]:
    """The keys, and whether they fail to name one order.

    A parent whose target is unclear picks nothing. Elsewhere a group code and a block code that differ are no group
    key; they are a conflict unless a confirmation number says which order is meant.
    """
    if accepted.parent_keys is not None and accepted.parent_keys.unclear:
        return OrderKeys(), True
    group, block = read_key(effective, "group_code"), read_key(effective, "block_code")
    differ = group is not None and block is not None and fold(group) != fold(block)
    keys = OrderKeys(
        group_code=None if differ else group or block,
        confirmation_number=read_key(effective, "confirmation_number"),
        booking_code=read_key(effective, "booking_code"),
    )
    return keys, differ and keys.confirmation_number is None


def _missing_paths(accepted: Accepted) -> tuple[str, ...]:
    review, card = accepted.draft.manual_review, accepted.card
    if review is None or card is None:
        return ()
    asked = [row.field_path for row in asked_rows(review, card)]
    if accepted.parent_keys is not None and accepted.parent_keys.unclear and card.row_of_path(_GROUP_CODE) is not None:
        asked.append(_GROUP_CODE)
    return tuple(dict.fromkeys(asked))


def _excerpts(draft: Draft) -> Iterator[Excerpt]:
    quotes = [("/relevant_message_excerpt", draft.event.get("relevant_message_excerpt"))]
    for place, item in enumerate(as_array((draft.manual_review or {}).get("evidence")) or []):
        quotes.append((f"/manual_review/evidence/{place}/excerpt", (as_object(item) or {}).get("excerpt")))
    for pointer, quote in quotes:
        if isinstance(quote, str) and has_value(quote):
            yield Excerpt(pointer, quote)


def _display_name(draft: Draft, keys: OrderKeys, kind: OrderKind, title: str) -> str:
    """Of a group its own name or key before a guest's; of an individual booking the guest's name."""
    guest = filled_text(draft.extracted_fields.get("guest_name"))
    group = filled_text(draft.extracted_fields.get("group_name"))
    first, last = (guest, group) if kind is OrderKind.FIT else (group, guest)
    return next(filter(None, (first, *keys.given(), last, title)))[:NAME_LENGTH]
