"""From an accepted event to its card: the derived copy, the order keys, the quotes (R-22 to R-25)."""

from __future__ import annotations

from collections.abc import Iterator

from reservations.domain.contract.events import Accepted, Draft
from reservations.domain.contract.ordercontexts import key_warnings
from reservations.domain.contract.review import missing_paths
from reservations.domain.contract.verdicts import NAME_LENGTH, Card, Excerpt
from reservations.domain.jsonvalues import JsonObject, as_array, as_object, filled_text, has_value
from reservations.domain.mainpaths import answer_aliases, derive_values
from reservations.domain.orderkeys import OrderKeys, OrderKind, fold, order_kind, read_key
from reservations.domain.parents import completed_keys


def make_card(accepted: Accepted) -> Card:
    """The card of an accepted event. Nothing of the event itself is changed."""
    draft, route = accepted.draft, accepted.route
    derived = _derived_event(accepted)
    effective = as_object(derived["case_keys"]) or {}
    keys, conflict = _order_keys(accepted, effective)
    kind = _order_kind(draft, keys)
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
        missing_paths=missing_paths(draft.manual_review, accepted.card, target_unclear=_target_unclear(accepted)),
        relationships=draft.relations,
        applies_to=draft.applies_to,
        excerpts=tuple(_excerpts(draft)),
        order_keys=keys,
        keys_conflict=conflict,
        order_kind=kind,
        display_name=_display_name(draft, keys, kind, route.title_en),
        order_ref=draft.order.order_ref if draft.order is not None else None,
        warnings=key_warnings(draft.case_keys, draft.order),
    )


def _derived_event(accepted: Accepted) -> JsonObject:
    draft, keys = accepted.draft, accepted.parent_keys
    case_keys = completed_keys(draft.known_keys, keys) if keys is not None else draft.known_keys
    derived: JsonObject = {**draft.event, "case_keys": case_keys, "extracted_fields": draft.extracted_fields}
    if accepted.card is None:
        return derived
    if keys is None:
        derived = answer_aliases(derived, accepted.card)
    return derive_values(derived, accepted.card)


def _target_unclear(accepted: Accepted) -> bool:
    return accepted.parent_keys is not None and accepted.parent_keys.unclear


def _order_keys(accepted: Accepted, effective: JsonObject) -> tuple[OrderKeys, bool]:
    """The keys, and whether they fail to name one order.

    A parent whose target is unclear picks nothing. Elsewhere a group code and a block code that differ are no group
    key; they are a conflict unless a confirmation number says which order is meant.
    """
    if _target_unclear(accepted):
        return OrderKeys(), True
    group, block = read_key(effective, "group_code"), read_key(effective, "block_code")
    differ = group is not None and block is not None and fold(group) != fold(block)
    keys = OrderKeys(
        group_code=None if differ else group or block,
        confirmation_number=read_key(effective, "confirmation_number"),
        booking_code=read_key(effective, "booking_code"),
    )
    return keys, differ and keys.confirmation_number is None


def _order_kind(draft: Draft, keys: OrderKeys) -> OrderKind:
    if draft.order is not None:
        return draft.order.order_type
    return order_kind(task_type=draft.claim.task_type, task_subtype=draft.claim.task_subtype, keys=keys)


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
